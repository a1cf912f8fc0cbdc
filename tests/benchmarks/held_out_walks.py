"""Predictions of walks that nothing was fitted to, beside what the norm's mean curve at the same speed attains.

    python -m tests.benchmarks.held_out_walks [--preset human | --row NAME] [--without TERM ...] [--every N]

The walks are those of `../shared/trials/calibration`, beside the repository and no part of it: children, adolescents
and adults of several laboratories. No weight, bound, contact or spline of any preset was chosen with them in view; the
eight walks that chose these are those of `tests.benchmarks.prediction_agreement`. A walk whose plates or mass are known
to be wrong has its angles compared alone. Means are those of persons, so that one with two walks counts once. With
``--without`` objectives or constraints are left out by name, the search starting from the stored walks all the same;
``--row`` is one of `tests.benchmarks.prediction_terms`.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict

import numpy as np

from pipeline.analysis import compare, graded
from pipeline.config import Prediction, Subject
from pipeline.errors import PipelineError
from pipeline.prediction import Preset, find_preset, predict_gait, predicted_walk, task_of
from pipeline.results import load_norm
from pipeline.trial import PredictedComparison
from tests.benchmarks.prediction_agreement import NORM, ROOT, body_and_cycles
from tests.benchmarks.prediction_terms import ROWS, without
from tests.benchmarks.reference_walks import PLATES, ReferenceWalk, recordings, reference_walks

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


def compared(walk: ReferenceWalk, preset: Preset) -> tuple[PredictedComparison, float]:
    """The comparison of one walk, and the processor time of its prediction. Raises PipelineError."""
    given = recordings(walk)
    subject = Subject.from_si(walk.person, None, given.values).model_copy(update={"sex": SEX})
    body, measured = body_and_cycles(
        given.walk, given.static, subject, ROOT / f"config/marker_sets/{walk.marker_set}.yaml"
    )
    row = Prediction(prediction=walk.name, subject=walk.person, trial=given.walk.name)
    before = time.process_time()
    found = predict_gait(body.skeleton, task_of(row, body.skeleton, measured)[0], preset)
    seconds = time.process_time() - before
    return compare(predicted_walk(row, body, "", found), measured, norm=load_norm(NORM)), seconds


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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--preset", default="human")
    parser.add_argument("--row", choices=list(ROWS), metavar="NAME", help="in place of a preset")
    parser.add_argument("--without", nargs="+", default=[], metavar="TERM")
    parser.add_argument("--every", type=int, default=1, help="only every so many of the walks")
    options = parser.parse_args()
    preset = without(ROWS[options.row] if options.row else find_preset(options.preset), options.without)
    walks = [walk for walk in reference_walks() if walk.laboratory not in FITTED]
    if not walks:
        raise SystemExit("no walks: ../shared/trials/calibration is absent")
    persons: dict[str, dict[str, list[tuple[float, float]]]] = defaultdict(lambda: defaultdict(list))
    for walk in walks[:: options.every]:
        try:
            both, seconds = compared(walk, preset)
        except PipelineError as error:
            print(f"{walk.name}: {error}", flush=True)
            continue
        own = figures(both, loads=not set(PLATES) & set(walk.affected))
        for label, pair in own.items():
            persons[f"{walk.laboratory} {walk.person}"][label].append(pair)
        text = ", ".join(f"{label} {ours:.2f} ({norms:.2f})" for label, (ours, norms) in own.items())
        print(f"{walk.name}, {seconds:.1f} s: {text}", flush=True)
    print(f"\nmeans of {len(persons)} persons | prediction | norm | nearer than the norm in")
    for label in dict.fromkeys(label for own in persons.values() for label in own):
        pairs = np.array([np.mean(own[label], axis=0) for own in persons.values() if label in own])
        nearer = pairs[:, 0] > pairs[:, 1] if label.startswith("r of") else pairs[:, 0] < pairs[:, 1]
        print(f"{label} | {pairs[:, 0].mean():.2f} | {pairs[:, 1].mean():.2f} | {nearer.sum()} of {len(pairs)}")


if __name__ == "__main__":
    main()
