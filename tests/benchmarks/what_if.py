"""What-if cases on two bodies: the direction of change that the literature reports, and the predicted one.

    python -m tests.benchmarks.what_if [--cases weak_calves uphill] [--bodies man]

Each row is one measure of one case: its value in the walk without and with the change, the direction that the source
reports for people, and whether the prediction agrees. A change below 2 % of the measure (or 0.5 degrees) counts as
none.
"""

import argparse
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from pipeline.config import PassiveSpring, Range, WhatIf
from pipeline.optimisation import SolverError
from pipeline.prediction import GaitPrediction, GaitTask, Preset, make_walker, predict_gait, predict_what_if
from pipeline.prediction.gait.least_cost import cost_per_metre
from pipeline.prediction.gait.problem import motion_of
from pipeline.skeleton import Skeleton, load_skeleton, merge_frozen
from tests.walks import SKELETON

BODIES: dict[str, dict] = {
    "man": {"mass": 73.0, "height": 1.741, "sex": "male"},
    "woman": {"mass": 55.0, "height": 1.60, "sex": "female"},
}
SPEED, STEP_LENGTH = 0.429, 0.760
"""Free walking (Schwartz et al. 2008): speed over sqrt(g leg) and step length over the leg."""

SAME, SAME_DEGREES = 0.02, 0.5

Measure = Callable[[GaitPrediction], float]


def joint(walk: GaitPrediction, name: str) -> int:
    return walk.problem.skeleton.index(name)


def sides(walk: GaitPrediction, side: str) -> tuple[str, ...]:
    """The joint's own side; in one step of a symmetric walk, of which the other side is the second half, both."""
    return (side,) if walk.task.form == "stride" else ("left", "right")


def peak(kind: str, name: str, sign: float, side: str = "left") -> Measure:
    """Largest angle (degrees), or moment or power over the mass of the body without load, of a side."""

    def measure(walk: GaitPrediction) -> float:
        mass = walk.problem.walker.body_mass
        values = []
        for own in sides(walk, side):
            j = joint(walk, f"{own}_{name}")
            curve = {
                "angle": np.degrees(walk.q[:, j]),
                "moment": walk.tau[:, j] / mass,
                "power": walk.tau[:, j] * walk.qd[:, j] / mass,
            }[kind]
            values.append((sign * curve).max())
        return float(max(values))

    return measure


def excursion(name: str, side: str = "left") -> Measure:
    def measure(walk: GaitPrediction) -> float:
        values = np.concatenate([np.degrees(walk.q[:, joint(walk, f"{own}_{name}")]) for own in sides(walk, side)])
        return float(np.ptp(values))

    return measure


def muscle_moment(name: str, side: str) -> Measure:
    """Largest plantarflexor moment of the muscles, without springs, Nm/kg."""

    def measure(walk: GaitPrediction) -> float:
        motion = motion_of(walk.problem.problem, walk.result.x)
        skeleton = walk.problem.walker.skeleton
        own = [skeleton.index(f"{own}_{name}") for own in sides(walk, side)]
        return float(-motion.muscle_tau.value[:, own].min() / walk.problem.walker.body_mass)

    return measure


def vertical_peak(side: str) -> Measure:
    def measure(walk: GaitPrediction) -> float:
        weight = walk.problem.walker.mass * 9.81
        return float(max(walk.ground_reaction[own].force_G[:, 1].max() for own in sides(walk, side)) / weight)

    return measure


def early_ankle_moment(walk: GaitPrediction) -> float:
    """Plantarflexor moment of the right ankle at 20 % of its step, 10 % of the cycle, Nm/kg."""
    at = np.interp(0.2 * walk.task.step_time, walk.time, walk.tau[:, joint(walk, "right_ankle_flexion")])
    return float(-at / walk.problem.walker.body_mass)


def pelvic_hike(walk: GaitPrediction) -> float:
    """Largest elevation of the left side of the pelvis, degrees; both sides' in a symmetric step."""
    listing = np.degrees(walk.q[:, joint(walk, "pelvis_list")])
    return float(listing.max() if walk.task.form == "stride" else np.abs(listing).max())


def positive_work(walk: GaitPrediction) -> float:
    """Positive work of all joints over the distance walked, J/(kg m)."""
    power = np.maximum(walk.tau * walk.qd, 0.0).sum(axis=1)
    distance = walk.task.n_steps * walk.task.step_length
    return float(np.trapezoid(power, walk.time) / (walk.problem.walker.body_mass * distance))


def left_single_support(walk: GaitPrediction) -> float:
    """Share of the stride in which only the left foot is on the ground."""
    return 0.5 * (1.0 - walk.task.double_support) * 2.0 * (1.0 - walk.task.step_time_share)


@dataclass(frozen=True)
class Expected:
    """A measure, the direction that is reported (+1, -1), and by whom."""

    title: str
    unit: str
    measure: Measure
    direction: int
    source: str


@dataclass(frozen=True)
class Case:
    case: WhatIf
    expected: tuple[Expected, ...]
    form: str = "step"
    task: Mapping[str, float] = field(default_factory=dict)


CASES = {
    "weak_calves": Case(
        WhatIf(strength={"both_ankle_flexion": 0.4}),
        (
            Expected("ankle push-off power", "W/kg", peak("power", "ankle_flexion", 1), -1, "Lewis and Ferris 2008"),
            Expected("hip flexor moment", "Nm/kg", peak("moment", "hip_flexion", 1), +1, "Lewis and Ferris 2008"),
        ),
    ),
    "feet_plus_2_kg": Case(
        WhatIf(added_mass={"both_foot": 2.0}),
        (
            Expected("objective per metre", "1/m", cost_per_metre, +1, "Browning et al. 2007 (metabolic rate)"),
            Expected("hip flexor moment", "Nm/kg", peak("moment", "hip_flexion", 1), +1, "Browning et al. 2007"),
        ),
    ),
    "trunk_plus_20_kg": Case(
        WhatIf(added_mass={"trunk": 20.0}),
        (
            Expected("objective per metre", "1/m", cost_per_metre, +1, "Huang and Kuo 2014 (metabolic rate)"),
            Expected("ankle push-off power", "W/kg", peak("power", "ankle_flexion", 1), +1, "Huang and Kuo 2014"),
        ),
    ),
    "uphill_6_degrees": Case(
        WhatIf(slope=6.0),
        (
            Expected("positive joint work", "J/kg/m", positive_work, +1, "Margaria 1968 (metabolic rate)"),
            Expected("hip flexion", "deg", peak("angle", "hip_flexion", 1), +1, "Lay et al. 2006"),
            Expected("hip extensor moment", "Nm/kg", peak("moment", "hip_flexion", -1), +1, "Lay et al. 2006"),
        ),
    ),
    "downhill_6_degrees": Case(
        WhatIf(slope=-6.0),
        (
            Expected("positive joint work", "J/kg/m", positive_work, -1, "Margaria 1968 (metabolic rate)"),
            Expected("knee extensor moment", "Nm/kg", peak("moment", "knee_flexion", -1), +1, "Lay et al. 2006"),
            Expected("ankle push-off power", "W/kg", peak("power", "ankle_flexion", 1), -1, "McIntosh et al. 2006"),
        ),
    ),
    "ankle_springs": Case(
        WhatIf(springs={"both_ankle_flexion": PassiveSpring(stiffness=3.0)}),
        (
            Expected(
                "calf muscles' moment", "Nm/kg", muscle_moment("ankle_flexion", "left"), -1, "Collins et al. 2015"
            ),
            Expected("objective per metre", "1/m", cost_per_metre, -1, "Collins et al. 2015 (metabolic rate)"),
            Expected("ankle range", "deg", excursion("ankle_flexion"), -1, "Harper et al. 2014"),
        ),
    ),
    "stiff_left_knee": Case(
        WhatIf(range={"left_knee_flexion": Range(upper=20.0)}),
        (
            Expected("hike of the left pelvis", "deg", pelvic_hike, +1, "Kerrigan et al. 2000"),
            Expected("objective per metre", "1/m", cost_per_metre, +1, "Lewek et al. 2012 (metabolic rate)"),
        ),
        "stride",
    ),
    "locked_left_knee": Case(
        WhatIf(range={"left_knee_flexion": Range(lower=0.0, upper=0.0)}),
        (Expected("hike of the left pelvis", "deg", pelvic_hike, +1, "Kerrigan et al. 2000"),),
        "stride",
    ),
    "crouch_30_degrees": Case(
        WhatIf(range={"both_knee_flexion": Range(lower=30.0)}),
        (
            Expected("knee extensor moment", "Nm/kg", peak("moment", "knee_flexion", -1), +1, "Perry et al. 1975"),
            Expected("objective per metre", "1/m", cost_per_metre, +1, "Waters and Mulroy 1999 (oxygen cost)"),
            Expected("ankle dorsiflexion", "deg", peak("angle", "ankle_flexion", 1), +1, "Sutherland and Davids 1993"),
        ),
    ),
    "equinus_10_degrees": Case(
        WhatIf(range={"both_ankle_flexion": Range(upper=-10.0)}),
        (
            Expected("ankle moment at 10 % of the cycle", "Nm/kg", early_ankle_moment, +1, "Kerrigan et al. 2000 b"),
            Expected("ankle push-off power", "W/kg", peak("power", "ankle_flexion", 1), -1, "Kerrigan et al. 2000 b"),
            Expected("objective per metre", "1/m", cost_per_metre, +1, "Waters and Mulroy 1999 (oxygen cost)"),
        ),
    ),
    "left_prosthetic_foot": Case(
        WhatIf(
            strength={"left_ankle_flexion": 0.05},
            springs={"left_ankle_flexion": PassiveSpring(stiffness=6.0)},
            added_mass={"left_shank": -1.0},
        ),
        (
            Expected("left push-off power", "W/kg", peak("power", "ankle_flexion", 1), -1, "Winter and Sienko 1988"),
            Expected("left hip power", "W/kg", peak("power", "hip_flexion", 1), +1, "Winter and Sienko 1988"),
        ),
        "stride",
    ),
    "painful_left_side": Case(
        WhatIf(max_vertical_force={"left": 1.0}, free=("step_times",)),
        (
            Expected("left vertical force", "BW", vertical_peak("left"), -1, "by the limit itself"),
            Expected("left single support", "1", left_single_support, -1, "Perry and Burnfield 2010 (antalgic gait)"),
        ),
        "stride",
    ),
    "fast_made_free": Case(
        WhatIf(free=("speed",)),
        (Expected("speed", "m/s", lambda walk: walk.task.speed, -1, "Ralston 1958: about 1.3 m/s costs least"),),
        task={"speed": 1.25},
    ),
    "long_steps_made_free": Case(
        WhatIf(free=("step_length",)),
        (
            Expected(
                "step length", "m", lambda walk: walk.task.step_length, -1, "Zarrugh and Radcliffe 1978: the usual one"
            ),
        ),
        task={"step_length": 1.2},
    ),
}
"""Tasks: factors of speed and step length relative to free walking."""


def task_of(skeleton: Skeleton, case: Case) -> GaitTask:
    leg = make_walker(merge_frozen(skeleton)).leg_length
    speed, length = SPEED * np.sqrt(9.81 * leg), STEP_LENGTH * leg
    factors = {"speed": 1.0, "step_length": 1.0} | dict(case.task)
    return GaitTask(speed * factors["speed"], length * factors["step_length"], form=case.form)  # type: ignore[arg-type]


def judged(expected: Expected, before: float, after: float) -> str:
    """ "as reported", "no change" or "opposite"."""
    least = SAME_DEGREES if expected.unit == "deg" else SAME * abs(before)
    change = after - before
    return "no change" if abs(change) < least else "as reported" if change * expected.direction > 0 else "opposite"


def rows(name: str, skeleton: Skeleton, preset: str | Preset = "human") -> list[tuple[Expected, float, float, str]]:
    """Rows of one case on one body. Raises SolverError if there is no walk."""
    case = CASES[name]
    task = task_of(skeleton, case)
    unchanged = None
    if case.form == "step":
        unchanged = predict_gait(skeleton, task, preset)
    answer = predict_what_if(skeleton, task, case.case, preset, unchanged=unchanged)
    found = []
    for expected in case.expected:
        before, after = expected.measure(answer.unchanged), expected.measure(answer.changed)
        found.append((expected, before, after, judged(expected, before, after)))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", nargs="+", choices=list(CASES), default=list(CASES))
    parser.add_argument("--bodies", nargs="+", choices=list(BODIES), default=list(BODIES))
    options = parser.parse_args()
    print("| case | body | measure | unchanged | changed | reported | outcome | CPU s |\n|" + "---|" * 8)
    for name in options.cases:
        for body in options.bodies:
            before = time.process_time()
            try:
                found = rows(name, load_skeleton(SKELETON, **BODIES[body]))
            except SolverError as error:
                print(f"| {name} | {body} | | | | | failed: {str(error)[:120]} | |", flush=True)
                continue
            seconds = time.process_time() - before
            for expected, old, new, outcome in found:
                arrow = "higher" if expected.direction > 0 else "lower"
                print(
                    f"| {name} | {body} | {expected.title} ({expected.unit}) | {old:.3g} | {new:.3g} | {arrow}: "
                    f"{expected.source} | {outcome} | {seconds:.0f} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
