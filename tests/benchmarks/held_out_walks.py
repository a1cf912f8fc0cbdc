"""Predictions of walks that nothing was fitted to, beside what the norm's mean curve at the same speed attains.

    python -m tests.benchmarks.held_out_walks [--preset human | --row NAME] [--without TERM ...] [--every N]
        [--differences]

The walks are those of `../shared/trials/calibration`, beside the repository and no part of it: children, adolescents
and adults of several laboratories. No bound, contact or spline of any preset was chosen with them in view and no weight
was fitted to them, but some decisions took them into account (docs/predicted.md, "Data behind each choice"); the eight
walks that chose these are those of `tests.benchmarks.prediction_agreement`. A walk whose plates or mass are known
to be wrong has its angles compared alone. Means are those of persons, so that one with two walks counts once. With
``--without`` objectives or constraints are left out by name, the search starting from the stored walks all the same;
``--row`` is one of `tests.benchmarks.prediction_terms`.

``--differences`` tells how much of a person's difference from the norm the body, speed, step, width and double support
say. The norm's own walker is predicted at each walk's dimensionless speed too; the prediction less that one is what
these say of the person, free of errors that all predictions have in common.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, compare, graded, low_passed, predicted_cycle
from pipeline.config import Prediction, Subject
from pipeline.errors import PipelineError
from pipeline.prediction import GaitTask, Preset, find_preset, predict_gait, predicted_walk, task_of
from pipeline.results import load_norm
from pipeline.trial import LowPass, PredictedComparison
from tests.benchmarks.prediction_agreement import NORM, fitted_walk, norm_request, norm_step
from tests.benchmarks.prediction_terms import ROWS, without
from tests.benchmarks.reference_walks import PLATES, ReferenceWalk, recordings, reference_walks
from tests.walks import ROOT

FITTED = ("zoo", "nantes")
"""Laboratories of walks that weights and bounds were chosen with."""

SEX = "m"
"""For segment masses; the files do not say that of their walkers."""

ANGLES = {"hip": "hip_flexion", "knee": "knee_flexion", "ankle": "ankle_dorsiflexion"}
LOADS = {
    "fore-aft": "ground_fore_aft",
    "vertical": "ground_vertical",
    "hip moment": "hip_extensor_moment",
    "knee moment": "knee_extensor_moment",
    "ankle power": "ankle_power",
}


@dataclass(frozen=True)
class Compared:
    """A walk beside its prediction.

    Attributes:
        both: the comparison, with the norm's.
        seconds: processor time of the prediction.
        task: of the prediction.
        leg: length, m.
        low_pass: the filter behind the measured curves.
    """

    both: PredictedComparison
    seconds: float
    task: GaitTask
    leg: float
    low_pass: LowPass | None


def compared(walk: ReferenceWalk, preset: Preset) -> Compared:
    """The comparison of one walk. Raises PipelineError."""
    given = recordings(walk)
    subject = Subject.from_si(walk.person, None, given.values).model_copy(update={"sex": SEX})
    marker_set = ROOT / f"config/marker_sets/{walk.set_name}.yaml"
    body, _, measured = fitted_walk(given.walk, given.static, subject, marker_set)
    row = Prediction(prediction=walk.name, subject=walk.person, trial=given.walk.name)
    task = task_of(row, body.skeleton, measured)[0]
    before = time.process_time()
    found = predict_gait(body.skeleton, task, preset)
    seconds = time.process_time() - before
    both = compare(predicted_walk(row, body, "", found), measured, norm=load_norm(NORM))
    return Compared(both, seconds, task, found.problem.walker.leg_length, measured.low_pass)


def figures(both: PredictedComparison, loads: bool) -> dict[str, tuple[float, float]]:
    """Differences of prediction and norm, of angles without offset too, and correlations of ankle power."""
    own, other = ({one.variable: one for one in graded(rows)} for rows in (both.agreement, both.norm_agreement))
    out = {}
    for label, name in (ANGLES | (LOADS if loads else {})).items():
        if name in own and name in other:
            out[label] = own[name].rmse, other[name].rmse
            if name in ANGLES.values():
                out[f"{label}, shape"] = own[name].rmse_shape, other[name].rmse_shape
            if label == "ankle power":
                out["r of ankle power"] = own[name].r, other[name].r
    return out


def differences(own: Compared, preset: Preset, loads: bool) -> dict[str, np.ndarray]:
    """Of each variable (4,): root mean squares of person less norm, of the norm's walker predicted less norm, and of
    person less norm and predicted difference, and the correlation of the person's with the predicted difference; angles
    without offset."""
    row, body, _, leg = norm_request("free")
    speed = own.task.speed / np.sqrt(9.81 * own.leg)
    found = predict_gait(body.skeleton, GaitTask(speed * np.sqrt(9.81 * leg), norm_step(speed) * leg), preset)
    walker = predicted_cycle(low_passed(predicted_walk(row, body, "", found), own.low_pass))
    norm, out = load_norm(NORM), {}
    for label, name in (ANGLES | (LOADS if loads else {})).items():
        band = norm.band(name, speed, PERCENT)
        if name not in own.both.variable_names or band is None:
            continue
        column, usual = own.both.variable_names.index(name), CYCLE_VARIABLES[name].of(walker)
        whole = [one for one in own.both.measured[:, column] if np.isfinite(one).all()]
        if not whole:
            continue
        person = np.mean(whole, axis=0)
        curves = np.array([person - band.mean, usual - band.mean, own.both.predicted[0, column] - usual])
        if label in ANGLES:
            curves -= curves.mean(axis=1, keepdims=True)
        measured, common, predicted = curves
        size = np.sqrt(np.mean(np.array([measured, common, measured - predicted]) ** 2, axis=1))
        out[label] = np.append(size, (measured @ predicted) / np.sqrt((measured @ measured) * (predicted @ predicted)))
    return out


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="human")
    parser.add_argument("--row", choices=list(ROWS), metavar="NAME", help="in place of a preset")
    parser.add_argument("--without", nargs="+", default=[], metavar="TERM")
    parser.add_argument("--every", type=int, default=1, help="only every so many of the walks")
    parser.add_argument("--differences", action="store_true", help="what body and task say of a person's difference")
    options = parser.parse_args()
    preset = without(ROWS[options.row] if options.row else find_preset(options.preset), options.without)
    walks = [walk for walk in reference_walks() if walk.laboratory not in FITTED]
    if not walks:
        raise SystemExit("no walks: ../shared/trials/calibration is absent")
    persons: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    said: dict[str, dict[str, list[np.ndarray]]] = defaultdict(lambda: defaultdict(list))
    for walk in walks[:: options.every]:
        person, loads = f"{walk.laboratory} {walk.person}", not set(PLATES) & set(walk.affected)
        try:
            found = compared(walk, preset)
            for label, four in (differences(found, preset, loads) if options.differences else {}).items():
                said[label][person].append(four)
        except PipelineError as error:
            print(f"{walk.name}: {error}", flush=True)
            continue
        own = figures(found.both, loads)
        for label, pair in own.items():
            persons[person][label].append(pair)
        text = ", ".join(f"{label} {ours:.2f} ({norms:.2f})" for label, (ours, norms) in own.items())
        print(f"{walk.name}, {found.seconds:.1f} s: {text}", flush=True)
    print(f"\nmeans of {len(persons)} persons | prediction | norm | nearer than the norm in")
    for label in dict.fromkeys(label for own in persons.values() for label in own):
        pairs = np.array([np.mean(own[label], axis=0) for own in persons.values() if label in own])
        nearer = pairs[:, 0] > pairs[:, 1] if label.startswith("r of") else pairs[:, 0] < pairs[:, 1]
        print(f"{label} | {pairs[:, 0].mean():.2f} | {pairs[:, 1].mean():.2f} | {nearer.sum()} of {len(pairs)}")
    if said:
        print("\nvariable | person less norm | predicted norm's walker less norm | person less norm and difference | r")
    for label, each in said.items():
        means = np.mean([np.mean(fours, axis=0) for fours in each.values()], axis=0)
        print(" | ".join([label, *(f"{value:.2f}" for value in means)]))


if __name__ == "__main__":
    main()
