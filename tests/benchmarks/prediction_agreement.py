"""Agreement of predicted walks with a norm at its five speeds, and with measured walks on the subjects' own skeletons.

    python -m tests.benchmarks.prediction_agreement [--preset human] [--speed 1.2 --step-length 0.6] [--adults]

The measured walks are expected in ``../shared/trials`` next to the repository and are not part of it; without them only
the table of the norm is printed. Angles and moments have Plug-in Gait's definitions; the norm's subject has no static
trial, and a standing pelvic tilt of 11 degrees, typical of the plane of the iliac spines.
"""

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.analysis import (
    CYCLE_VARIABLES,
    MAIN,
    NORM_SPEEDS,
    PERCENT,
    Agreement,
    Norm,
    compare,
    curve_agreement,
    predicted_cycle,
)
from pipeline.anatomy import load_marker_set
from pipeline.config import (
    AnatomySettings,
    EventSettings,
    FilterSettings,
    GivenSteps,
    LoadSettings,
    Prediction,
    Subject,
    WholeBodySettings,
)
from pipeline.plausibility.limits import SHIPPED
from pipeline.prediction import (
    Body,
    GaitTask,
    body_of,
    make_walker,
    predict_gait,
    predicted_walk,
    task_of,
    with_fitted_skeleton,
)
from pipeline.results import load_norm
from pipeline.skeleton import load_skeleton, merge_frozen
from pipeline.skeleton.definition import read_definition
from pipeline.stages import cycles, inverse_dynamics, kinematics, whole_body
from pipeline.trial import GaitCycles, PredictedWalk, RawTrial, WholeBody
from tests.walks import MEASURED, PUBLISHED, ROOT, SKELETON

NORM = ROOT / "config/norms/schwartz2008.json"
MARKERS = ROOT / "config/marker_sets/plug_in_gait.yaml"
PELVIC_TILT = np.radians(11.0)
STEPS = (0.510, 0.640, 0.760, 0.850, 0.922)
SPEEDS = dict(
    zip(("very slow", "slow", "free", "fast", "very fast"), zip(NORM_SPEEDS, STEPS, strict=True), strict=True)
)
"""Speed over sqrt(g leg) and step length over leg (Schwartz et al. 2008)."""

ADULT_NORM = ROOT / "config/norms/bovi2011_adults.json"
ADULTS = {
    "adults, very slow": (0.4926, 0.6749, 0.1528),
    "adults, slow": (0.6979, 0.7642, 0.1279),
    "adults, medium": (0.8733, 0.8513, 0.1190),
    "adults, fast": (1.1544, 0.9811, 0.0947),
}
"""Speed over height, 1/s, stride length over height, and double support as a share of the cycle of 20 adults (Bovi et
al. 2011). Their markers have other zeros: compare by the column without offset."""

WALKS = {"HC032A": "f", "HC038A": "f", "nantes": "m"}
"""Sex of the published walks' persons."""

Solve = Callable[[Prediction, Body, GaitTask], PredictedWalk]


def norm_step(speed: float) -> float:
    """The norm's step length over leg at a speed over sqrt(g leg), between its five."""
    return float(np.interp(speed, *np.array(list(SPEEDS.values())).T))


def norm_request(
    name: str, speed: float | None = None, step_length: float | None = None
) -> tuple[Prediction, Body, GaitTask, float]:
    """Row, body and task of the subject of the skeleton's file at one of the norm's speeds, or another; its leg, m."""
    skeleton = load_skeleton(SKELETON)
    leg = make_walker(merge_frozen(skeleton)).leg_length
    own_speed, own_step = SPEEDS[name]
    task = GaitTask(speed or own_speed * np.sqrt(9.81 * leg), step_length or own_step * leg)
    mass = float(skeleton.mass.sum())
    subject = read_definition(SKELETON).subject
    assert subject is not None
    label = f"norm-{name.replace(' ', '-')}"
    row = Prediction(prediction=label, subject="norm", speed_m_s=task.speed, step_length_m=task.step_length)
    return row, Body(mass, subject.height, "m", skeleton, PELVIC_TILT), task, leg


def against_a_norm(solve: Solve, norm: Path, row: Prediction, body: Body, task: GaitTask, leg: float) -> PredictedWalk:
    """The walk of the subject of the skeleton's file, whose curves are printed beside those of a norm."""
    walk = solve(row, body, task)
    cycle = predicted_cycle(walk)
    print_head(walk, "norm")
    for variable, mean in norm_means(load_norm(norm), MAIN, task, leg).items():
        own = CYCLE_VARIABLES[variable].of(cycle)
        print_row(variable, [curve_agreement(PERCENT, own, mean)], own, mean)
    return walk


def norm_means(norm: Norm, variables: Iterable[str], task: GaitTask, leg: float) -> dict[str, np.ndarray]:
    """A norm's mean curves (101,) at a task's speed for legs of a length, m; of the variables that it has."""
    bands = {name: norm.band(name, task.speed / np.sqrt(9.81 * leg), PERCENT) for name in variables}
    return {name: band.mean for name, band in bands.items() if band is not None}


def adults_request(name: str) -> tuple[Prediction, Body, GaitTask, float]:
    """Row, body and task of the subject of the skeleton's file at one of the adults' speeds; its leg, m."""
    speed, stride, double_support = ADULTS[name]
    row, body, _, leg = norm_request("free")
    task = GaitTask(speed * body.height, stride * body.height / 2.0, double_support=2.0 * double_support)
    label = f"norm-{name.replace(', ', '-').replace(' ', '-')}"
    return row.model_copy(update={"prediction": label}), body, task, leg


def measured_walk(name: str) -> tuple[Prediction, Body, GaitCycles]:
    """A row that names a measured walk, its body, and its cycles."""
    walk, static, subject = published_walk(name)
    body, _, measured = fitted_walk(walk, static, subject)
    return Prediction(prediction=name, subject=name, trial=walk.name), body, measured


def published_walk(name: str) -> tuple[RawTrial, RawTrial, Subject]:
    """Recording, static trial and subject of a published walk."""
    walk, static = (read_trial(file) for file in PUBLISHED[name])
    return walk, static, Subject(subject=name, sex=WALKS[name])  # type: ignore[arg-type]


def fitted_walk(
    raw: RawTrial, static: RawTrial, subject: Subject, markers: Path = MARKERS
) -> tuple[Body, WholeBody, GaitCycles]:
    """The body of a measured walk, fitted to it, the walk on that body's skeleton, and its cycles."""
    filtering = FilterSettings()
    motion = kinematics.run(raw, static, markers, subject, AnatomySettings(), filtering, EventSettings(), GivenSteps())
    loads = inverse_dynamics.run(motion)
    whole = whole_body.run(raw, static, motion, loads, markers, SKELETON, subject, filtering, WholeBodySettings())
    body = with_fitted_skeleton(body_of(subject, SKELETON, static, load_marker_set(markers)), whole)
    return body, whole, cycles.run(motion, loads, raw, markers, SHIPPED, LoadSettings(), GivenSteps())


def against_a_walk(name: str, solve: Solve) -> None:
    """A measured walk at its own speed, stride, width, double support and toe-out, on its own skeleton."""
    row, body, measured = measured_walk(name)
    walk = solve(row, body, task_of(row, body.skeleton, measured)[0])
    both = compare(walk, measured, norm=load_norm(NORM))
    print_head(walk, "measured")
    for variable in MAIN:
        found = [one for one in both.agreement if one.variable == variable]
        if found:
            at = both.variable_names.index(variable)
            print_row(variable, found, both.predicted[0, at], both.measured[:, at])
        of_norm = [one for one in both.norm_agreement if one.variable == variable]
        if of_norm:
            rmse, shape, r = (
                np.mean([getattr(one, field) for one in of_norm]) for field in ("rmse", "rmse_shape", "r")
            )
            print(f"{'  the norm itself':33s}{rmse:6.2f} {shape:12.2f} {'':11s} {r:8.2f}")


def print_head(walk: PredictedWalk, other: str) -> None:
    task = walk.task
    print(
        f"\n{walk.name}: {task.speed:.3f} m/s, steps of {task.step_length:.3f} m, double support "
        f"{task.double_support:.3f}, width {task.step_width:.3f} m, {walk.solver.ended}, "
        f"{walk.solver.iterations} iterations, work of the ground {walk.solver.ground_work:+.3f} J/kg a step net, "
        f"{walk.solver.ground_work_absolute:.3f} absolute"
    )
    print(f"{'':27s} unit   RMSE  without offset  offset      r   predicted range    {other} range")


def print_row(name: str, found: list[Agreement], own: np.ndarray, other: np.ndarray) -> None:
    rmse, shape, offset, r = (
        float(np.mean([getattr(one, field) for one in found])) for field in ("rmse", "rmse_shape", "offset", "r")
    )
    print(
        f"{name:27s} {CYCLE_VARIABLES[name].units:6s}{rmse:6.2f} {shape:12.2f} {offset:11.2f} {r:8.2f}  "
        f"{np.nanmin(own):8.2f} {np.nanmax(own):8.2f} {np.nanmin(other):9.2f} {np.nanmax(other):8.2f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--speed", type=float, help="of the norm's walker, m/s")
    parser.add_argument("--step-length", type=float, help="of the norm's walker, m")
    parser.add_argument("--preset", default="human")
    parser.add_argument("--adults", action="store_true", help="the adults' norm alone")
    options = parser.parse_args()

    def solve(row: Prediction, body: Body, task: GaitTask) -> PredictedWalk:
        before = time.process_time()
        found = predict_gait(body.skeleton, task, options.preset)
        print(f"solved in {time.process_time() - before:.1f} s of processor time", file=sys.stderr)
        return predicted_walk(row, body, "", found)

    if options.adults:
        for name in ADULTS:
            against_a_norm(solve, ADULT_NORM, *adults_request(name))
        return
    for name in SPEEDS if options.speed is None and options.step_length is None else ("free",):
        walk = against_a_norm(solve, NORM, *norm_request(name, options.speed, options.step_length))
        hips = walk.qd[:, 0]
        print(f"pelvis: {hips.min():.2f} to {hips.max():.2f} m/s forwards, {np.ptp(walk.q[:, 1]):.3f} m up and down")
    if not MEASURED.is_dir():
        print(f"no measured walks: {MEASURED} is absent")
        return
    for name in WALKS:
        against_a_walk(name, solve)


if __name__ == "__main__":
    main()
