"""Effect of each term of the preset `human` on the same walks: with and without it.

    python -m tests.benchmarks.prediction_terms [--rows NAME ...] [--speeds]

Every row predicts the norm's five speeds (Schwartz et al. 2008) and the three published walks, which were also used to
choose the weights, from the same stored walks. The walks used for testing (`tests.benchmarks.held_out_walks`) are in no
row. ``--speeds`` adds the speed and the step of least cost per metre. Terms that are in no preset are defined here.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial, wraps
from unittest import mock

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, curve_agreement, low_passed, predicted_cycle
from pipeline.config import Prediction
from pipeline.conventions import GRAVITY, SIDES
from pipeline.errors import PipelineError
from pipeline.optimisation import NodeValues, Objective, SquaredIntegral
from pipeline.prediction import (
    Body,
    GaitPrediction,
    GaitTask,
    Preset,
    find_preset,
    predict_gait,
    predicted_walk,
    task_of,
)
from pipeline.prediction.gait import human_terms
from pipeline.prediction.gait.constraints import Setting, arm_leg_coupling, muscle_torques
from pipeline.prediction.gait.least_cost import cost_per_metre, standing_cost
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.presets import with_weights
from pipeline.prediction.gait.walking_ranges import minimum_knee_flexion
from pipeline.results import load_norm
from pipeline.skeleton import PASSIVE_JOINTS
from pipeline.trial import LowPass
from tests.benchmarks.least_cost import least_of
from tests.benchmarks.prediction_agreement import (
    NORM,
    SPEEDS,
    WALKS,
    measured_walk,
    norm_means,
    norm_request,
    norm_step,
)
from tests.walks import MEASURED

COMPARED = {
    "hip": "hip_flexion",
    "knee": "knee_flexion",
    "ankle": "ankle_dorsiflexion",
    "hip adduction": "hip_adduction",
    "pelvic obliquity": "pelvic_obliquity",
    "pelvic rotation": "pelvic_rotation",
    "fore-aft": "ground_fore_aft",
    "vertical": "ground_vertical",
}
CORRELATED = {
    "r hip moment": "hip_extensor_moment",
    "r knee moment": "knee_extensor_moment",
    "r ankle power": "ankle_power",
}
POWERS = {"hip work": "hip_power", "knee work": "knee_power", "ankle work": "ankle_power"}

Term = Callable[[Setting], Sequence[Objective]]


@dataclass(frozen=True)
class Walk:
    """A walk to predict, the curves (C, V, 101) by variable that it is compared with, and the filter behind them."""

    row: Prediction
    body: Body
    task: GaitTask
    curves: dict[str, np.ndarray]
    low_pass: LowPass | None = None


def walks() -> dict[str, Walk]:
    """The norm's speeds and the published walks."""
    found, norm = {}, load_norm(NORM)
    names = (*COMPARED.values(), *CORRELATED.values(), *POWERS.values())
    for name in SPEEDS:
        row, body, task, leg = norm_request(name)
        means = norm_means(norm, names, task, leg)
        found[name] = Walk(row, body, task, {v: mean[None] for v, mean in means.items()})
    for name in WALKS if MEASURED.is_dir() else ():
        row, body, measured = measured_walk(name)
        task = task_of(row, body.skeleton, measured)[0]
        curves = {v: np.array([CYCLE_VARIABLES[v].of(cycle) for cycle in measured.cycles]) for v in names}
        found[name] = Walk(row, body, task, curves, measured.low_pass)
    return found


def positive_work(power: np.ndarray) -> float:
    """Mean positive power of a cycle (101,), W/kg: work over the cycle's time, which both curves share."""
    return float(np.trapezoid(np.maximum(power, 0.0), dx=0.01))


def figures(walk: Walk, found: GaitPrediction) -> dict[str, float]:
    """Differences from the curves, correlations, and work over theirs."""
    stored = low_passed(predicted_walk(walk.row, walk.body, "", found), walk.low_pass)
    cycle, out = predicted_cycle(stored), {}
    for label, name in (COMPARED | CORRELATED).items():
        own = CYCLE_VARIABLES[name].of(cycle)
        each = [curve_agreement(PERCENT, own, other) for other in walk.curves[name] if np.isfinite(other).all()]
        if not each:
            continue
        if label in CORRELATED:
            out[label] = float(np.mean([one.r for one in each]))
            continue
        out[label] = float(np.mean([one.rmse for one in each]))
        if label in ("hip", "knee", "ankle"):
            out[f"{label}, shape"] = float(np.mean([one.rmse_shape for one in each]))
    for label, name in POWERS.items():
        own = positive_work(CYCLE_VARIABLES[name].of(cycle))
        others = [positive_work(other) for other in walk.curves[name] if np.isfinite(other).all()]
        if others:
            out[label] = own / float(np.mean(others))
    names = found.problem.skeleton.joint_names
    shoulder = np.degrees(found.q[:, [names.index(f"{side}_shoulder_flexion") for side in SIDES]])
    out["shoulder, least"], out["shoulder, most"] = float(shoulder.min()), float(shoulder.max())
    out["trunk tilt"] = float(np.degrees(thorax_attitude(names, found.q)[:, 2]).mean())
    knee = np.degrees(found.q[:, [names.index(f"{side}_knee_flexion") for side in SIDES]])
    out["least knee flexion"] = float(knee.min())
    rotation = np.degrees(found.q[:, [names.index(f"{side}_hip_rotation") for side in SIDES]])
    out["hip rotation"] = float(np.ptp(rotation))
    out["iterations"], out["CPU s"] = float(found.result.iterations), found.result.cpu_seconds
    return out


def thorax_attitude(names: tuple[str, ...], q: np.ndarray) -> np.ndarray:
    """(K, 3) rotation, obliquity and tilt of the thorax of coordinates (K, n), rad, as sums of small angles of pelvis
    and spine; tilt backwards positive."""

    def spine(kind: str) -> np.ndarray:
        own = [j for j, name in enumerate(names) if name.startswith("spine") and name.endswith(kind)]
        return q[:, own].sum(axis=1)

    rotation, obliquity, tilt = (q[:, names.index(f"pelvis_{name}")] for name in ("rotation", "list", "tilt"))
    return np.stack([rotation + spine("rotation"), obliquity + spine("bending"), tilt - spine("flexion")], axis=1)


# Terms that are tried.


def with_other(name: str, value: object, terms: tuple[Term, ...], preset: Preset) -> Preset:
    """A preset with another value of a constant of `human_terms` in some of its terms."""

    def changed(term: Term) -> Term:
        @wraps(term)
        def described(at: Setting) -> Sequence[Objective]:
            with mock.patch.object(human_terms, name, value):
                return term(at)

        return described

    return replace(preset, objectives=tuple(changed(one) if one in terms else one for one in preset.objectives))


def squared_powers(at: Setting, weight: float) -> list[SquaredIntegral]:
    """Squared powers of the muscles that flex hip, knee and ankle, relative to 1 W/kg: high ones take more activation,
    as a muscle gives less force the faster it shortens (Hill 1938)."""
    own = np.array([at.walker.skeleton.index(f"{side}_{name}") for side in SIDES for name in PASSIVE_JOINTS])
    return [SquaredIntegral("powers", human_terms.muscle_powers(at, own), weight)]


def vertical_force(at: Setting, weight: float) -> list[SquaredIntegral]:
    """Squared deviation of the vertical ground reaction from body weight, relative to it: people keep the work of
    redirecting the body small at every step (Donelan et al. 2002)."""
    vertical = np.zeros((len(at.u), 1, 6))
    vertical[:, 0, 4] = 1.0 / (at.walker.mass * GRAVITY)

    def deviation(motion: WalkingMotion) -> NodeValues:
        values = motion.ground_reaction.transformed(vertical)
        return replace(values, value=values.value - 1.0)

    return [SquaredIntegral("vertical ground reaction less body weight", deviation, weight)]


def achilles_tendons(preset: Preset, share: float) -> Preset:
    """A preset whose Achilles tendons have a multiple of their stiffness; infinitely stiff ones store no energy."""
    own = partial(human_terms.muscle_work, stiffness=share * human_terms.ACHILLES_STIFFNESS)
    objectives = tuple(own if one is human_terms.muscle_work else one for one in preset.objectives)
    return replace(preset, objectives=objectives)


def shoulders_anywhere(preset: Preset) -> Preset:
    """A preset without penalties of shoulder angles beyond the free ones."""

    def arms(at: Setting) -> list[SquaredIntegral]:
        return [one for one in human_terms.arm_posture(at) if not one.name.startswith("excess shoulder")]

    return replace(
        preset, objectives=tuple(arms if one is human_terms.arm_posture else one for one in preset.objectives)
    )


def without(preset: Preset, names: list[str]) -> Preset:
    """A preset without some of its objectives and constraints. Raises SystemExit if it has none of a name."""
    known = {_name(part) for part in (*preset.objectives, *preset.constraints)}
    if unknown := set(names) - known:
        raise SystemExit(f"{', '.join(sorted(unknown))}: not in {', '.join(sorted(known))}")
    return replace(
        preset,
        objectives=tuple(part for part in preset.objectives if _name(part) not in names),
        constraints=tuple(part for part in preset.constraints if _name(part) not in names),
    )


def _name(part: Callable) -> str:
    return part.func.__name__ if isinstance(part, partial) else part.__name__


def plus(preset: Preset, *terms: Term, **weights: float) -> Preset:
    """A preset with additional terms and other weights."""
    return with_weights(replace(preset, objectives=(*preset.objectives, *terms)), weights)


def net_torques(preset: Preset) -> Preset:
    """A preset without passive moments."""
    torque_terms = (human_terms.effort, human_terms.muscle_work, human_terms.torque_rates)
    return with_other("active_torques", muscle_torques, torque_terms, preset)


def single_joint_muscles(preset: Preset) -> Preset:
    """A preset whose muscles span one joint each."""
    return with_other("TWO_JOINT", {}, (human_terms.effort, human_terms.torque_rates), preset)


def arms_in_phase(preset: Preset, end: str) -> Preset:
    """A preset in which arms, from shoulder to ``end``, are in phase with the legs, as in the thesis."""
    return replace(preset, constraints=(*preset.constraints, partial(arm_leg_coupling, end=end)))


def knees_bounded(preset: Preset) -> Preset:
    """A preset in which knees are flexed by at least 3 degrees, as in `thesis`, whatever their ligaments carry."""
    kept = without(preset, ["passive_knee"])
    return replace(kept, constraints=(*kept.constraints, minimum_knee_flexion))


def eight_intervals(preset: Preset) -> Preset:
    """A preset on the spline intervals and nodes of `thesis`' first walks, which are not converged."""
    return replace(preset, n_intervals=8, n_nodes=31)


HUMAN = find_preset("human")

ROWS: dict[str, Preset] = {
    "human": HUMAN,
    "without torque_rates": without(HUMAN, ["torque_rates"]),
    "without pelvis_posture": without(HUMAN, ["pelvis_posture"]),
    "without thorax_posture": without(HUMAN, ["thorax_posture"]),
    "without pelvis_accelerations": without(HUMAN, ["pelvis_accelerations"]),
    "without vertical_moment": without(HUMAN, ["vertical_moment"]),
    "elbows in phase in place of vertical_moment": arms_in_phase(without(HUMAN, ["vertical_moment"]), "elbow"),
    "wrists in phase": arms_in_phase(HUMAN, "wrist"),
    "eight intervals": eight_intervals(HUMAN),
    "sixteen intervals": replace(HUMAN, n_intervals=16, n_nodes=61),
    "torque rates 0.012": plus(HUMAN, torque_rate=0.012),
    "torque rates 0.036": plus(HUMAN, torque_rate=0.036),
    "without a factor for rates of the hips": plus(HUMAN, hip_rate=1.0),
    "without excess_dorsiflexion": without(HUMAN, ["excess_dorsiflexion"]),
    "rigid heels": replace(HUMAN, heel_pad=0.0),
    "without excess_plantarflexion": without(HUMAN, ["excess_plantarflexion"]),
    "rigid Achilles tendons": achilles_tendons(HUMAN, np.inf),
    "Achilles tendons half as stiff": achilles_tendons(HUMAN, 0.5),
    "powers penalised": plus(HUMAN, partial(squared_powers, weight=0.009)),
    "vertical force penalised": plus(HUMAN, partial(vertical_force, weight=0.067)),
    "without joint_accelerations": without(HUMAN, ["joint_accelerations"]),
    "without unloaded_ankle": without(HUMAN, ["unloaded_ankle"]),
    "without knee_flexion_in_preswing": without(HUMAN, ["knee_flexion_in_preswing"]),
    "without passive_knee": without(HUMAN, ["passive_knee"]),
    "without both": without(HUMAN, ["knee_flexion_in_preswing", "passive_knee"]),
    "knees flexed by 3 degrees at least in place of passive_knee": knees_bounded(HUMAN),
    "without passive moments": net_torques(HUMAN),
    "without muscles of two joints": single_joint_muscles(HUMAN),
    "without muscle_work": without(HUMAN, ["muscle_work"]),
    "work 0.01": plus(HUMAN, work=0.01),
    "work 0.04": plus(HUMAN, work=0.04),
    "without hip_rotation": without(HUMAN, ["hip_rotation"]),
    "without toe_extension": without(HUMAN, ["toe_extension"]),
    "shoulders without excess terms": shoulders_anywhere(HUMAN),
}


def least_cost(preset: Preset) -> tuple[float, float]:
    """Speed of least cost per metre, m/s, at the norm's steps; step of least at free speed, over the usual.

    The cost is the objective, and what standing is worth (`standing_cost`).
    """

    def least(walk: Walk, tasks: dict[float, GaitTask]) -> float:
        costs = {}
        for at, task in tasks.items():
            try:
                found = predict_gait(walk.body.skeleton, task, preset)
            except PipelineError:
                continue
            costs[at] = cost_per_metre(found, standing)
        return least_of(costs)

    row, body, free, leg = norm_request("free")
    relative = np.linspace(0.23, 0.6, 6)
    speeds = {float(v * np.sqrt(9.81 * leg)): v for v in relative}
    usual = {at: norm_step(v) * leg for at, v in speeds.items()}
    walk, standing = Walk(row, body, free, {}), standing_cost(predict_gait(body.skeleton, free, preset))
    speed = least(walk, {at: GaitTask(at, step) for at, step in usual.items()})
    ratios = (0.65, 0.75, 0.85, 1.0, 1.15)
    step = least(walk, {one: GaitTask(free.speed, free.step_length * one) for one in ratios})
    return speed, step


COLUMNS = {
    "hip, knee, ankle, °": ("hip", "knee", "ankle"),
    "without offset": ("hip, shape", "knee, shape", "ankle, shape"),
    "fore-aft, vertical, % body weight": ("fore-aft", "vertical"),
    "r of hip moment, knee moment, ankle power": tuple(CORRELATED),
    "positive work over people's: hip, knee, ankle": tuple(POWERS),
    "hip adduction, pelvic obliquity and rotation, °": ("hip adduction", "pelvic obliquity", "pelvic rotation"),
    "shoulder flexion, °": ("shoulder, least", "shoulder, most"),
    "trunk back, °": ("trunk tilt",),
    "least knee flexion, °": ("least knee flexion",),
    "range of hip rotation, °": ("hip rotation",),
    "iterations, CPU s": ("iterations", "CPU s"),
}
SEARCHED = {"least cost at, m/s; step, of the usual": ("least cost", "preferred step")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", nargs="+", choices=list(ROWS), default=list(ROWS), metavar="NAME")
    parser.add_argument("--speeds", action="store_true", help="speed and step of least cost per metre")
    options = parser.parse_args()
    given, columns = walks(), COLUMNS | (SEARCHED if options.speeds else {})
    print(f"| term | {' | '.join(columns)} |\n|{'---|' * (len(columns) + 1)}")
    for name in options.rows:
        found = []
        for label, walk in given.items():
            try:
                found.append(figures(walk, predict_gait(walk.body.skeleton, walk.task, ROWS[name])))
            except PipelineError as error:
                print(f"{name}, {label}: {error}", flush=True)
        out = {key: float(np.mean([one[key] for one in found if key in one])) for key in found[0]}
        for key, choose in (("shoulder, least", min), ("shoulder, most", max), ("least knee flexion", min)):
            out[key] = choose(one[key] for one in found)
        if options.speeds:
            out["least cost"], out["preferred step"] = least_cost(ROWS[name])
        cells = (", ".join(f"{out[key]:.3g}" for key in keys) for keys in columns.values())
        print(f"| {name} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
