"""The page of a predicted walk, its line on the study's page, and its methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.comparison.predicted import mean_of, nearest_walk, predicted_cycle, side_curves, sides_of
from pipeline.conventions import SIDES
from pipeline.reporting import prediction_figures as figures
from pipeline.reporting.methods import MOMENT_AXES, Methods
from pipeline.reporting.pages import write_page
from pipeline.reporting.quality import HEADINGS
from pipeline.reporting.run import ReportRun
from pipeline.reporting.scene_bodies import prediction_scene
from pipeline.reporting.snapshots import FRONT, METRES_PER_WEIGHT, SIDE, snapshots
from pipeline.trial import GaitCycles, Kinematics, Note, PredictedWalk, Violation

REFERENCES = (
    "Grood ES, Suntay WJ (1983). J Biomech Eng 105(2), 136\N{EN DASH}144.",
    "Xiang Y, Arora JS, Rahmatalla S, Abdel-Malek K (2009). Int J Numer Methods Eng 79(6), 667\N{EN DASH}695.",
)


@dataclass(frozen=True)
class PredictionEntry:
    """A prediction's line on the study's page.

    Attributes:
        page: address from the study's page.
        reason: why there is no walk; empty if there is one.
        ended: how the solver ended, in its words.
    """

    prediction: str
    subject: str
    page: str
    speed: float
    step_length: float
    preset: str
    reason: str = ""
    ended: str = ""
    iterations: int = 0


def write_prediction_report(
    path: Path,
    walk: PredictedWalk,
    measured: Sequence[GaitCycles],
    run: ReportRun,
    motion_of: Callable[[str], Kinematics | None] = lambda _: None,
) -> None:
    """Write the page of a predicted walk.

    Args:
        path: HTML file to write.
        walk: the prediction.
        measured: walks of the same subject; the nearest in speed and step length is shown beside the prediction.
        run: the study, inputs, configuration and versions.
        motion_of: the measured walk of a name in space, where it is known.
    """
    beside = nearest_walk(walk, measured)
    axes = beside.moment_axes if beside else "distal"
    cycle = predicted_cycle(walk, axes)
    curves = {side: side_curves(walk, side, axes) for side in SIDES}
    write_page(
        path,
        "prediction.html.j2",
        run=run,
        walk=walk,
        views=[(view.title, snapshots(walk, view)) for view in (SIDE, FRONT)],
        scene=prediction_scene(walk, motion_of(beside.name) if beside else None),
        metres_per_weight=METRES_PER_WEIGHT,
        angles=figures.step_angles(walk, curves),
        ground=figures.step_ground(walk),
        forces=figures.step_forces(walk, curves),
        measured=beside,
        measured_sides=sides_of(beside) if beside else (),
        mismatch=_mismatch(walk, beside) if beside else (),
        beside_rows=figures.beside_rows(cycle, beside) if beside else (),
        likeness=figures.likeness_rows(cycle, beside) if beside else (),
        violations=_worst_first(walk.solver.violations),
        notes=_by_heading(walk.notes),
        methods=_methods(walk, axes),
    )


def write_failed_prediction_report(path: Path, asked: PredictionEntry, step: str, run: ReportRun) -> None:
    """Write the page of a prediction that failed: what was asked, at which step it failed, and why."""
    write_page(path, "prediction_failed.html.j2", run=run, asked=asked, step=step)


def _mismatch(walk: PredictedWalk, measured: GaitCycles) -> tuple[tuple[str, str, int, float, float], ...]:
    """Name, unit, decimals, predicted and measured value of what the walks should have in common."""
    task = walk.task
    return (
        ("speed", "m/s", 2, task.speed, mean_of(measured, "speed")),
        ("step length", "m", 3, task.step_length, mean_of(measured, "step_length")),
        ("cadence", "steps/min", 1, 60.0 / float(walk.time[-1]), mean_of(measured, "cadence")),
        ("double support", "% of cycle", 1, 100.0 * task.double_support, mean_of(measured, "double_support")),
        ("step width", "m", 3, task.step_width, mean_of(measured, "step_width")),
    )


def _worst_first(violations: Sequence[Violation]) -> list[Violation]:
    return sorted(violations, key=lambda v: -max(v.nodes, v.dense) / v.tolerance)


def _by_heading(notes: Sequence[Note]) -> dict[str, list[Note]]:
    grouped = {heading: [note for note in notes if note.kind == kind] for kind, heading in HEADINGS.items()}
    return {heading: group for heading, group in grouped.items() if group}


def _methods(walk: PredictedWalk, axes: str) -> Methods:
    task, solver = walk.task, walk.solver
    sex = {"m": "male", "f": "female"}[task.sex]
    started = f"the prediction {solver.start}" if solver.start else "a standing body that glides along"
    sentences = (
        f"A symmetric step at {task.speed:g} m/s with steps of {task.step_length:g} m, "
        f"{100 * task.double_support:.1f} % of it in double support, was predicted by optimisation for a skeleton of "
        f"{len(walk.joint_names)} joints scaled to {task.mass:.1f} kg, {task.height:.3f} m, {sex}.",
        "Joint coordinates are B-splines; the ground reaction follows from the whole body's equations of motion by the "
        "two-step active-passive algorithm with the zero-moment point, and is split between the feet in double support "
        "(Xiang et al. 2009). No measured motion enters.",
        f"The preset {task.preset} minimises {_listed(list(solver.objectives))}, under the constraints listed above.",
        f"The nonlinear program of {solver.variables} variables and {solver.constraints} constraint rows was started "
        f"from {started} and ended after {solver.iterations} iterations: {solver.ended}; largest violation "
        f"{solver.max_violation:.2g} of its tolerance at the nodes, first-order optimality {solver.optimality:.1e}.",
        "The second step is the mirror image of the first, so both together are a gait cycle.",
        "Angles are Cardan angles with the definitions, sequences and signs of the measured walks (Grood and Suntay "
        "1983); the skeleton's pelvis is upright in standing, and for these angles leans forward by the "
        f"{np.degrees(task.pelvic_tilt):.1f}\N{DEGREE SIGN} of the subject's own pelvis in standing.",
        f"Moments are internal, of the proximal on the distal segment, about {MOMENT_AXES[axes]}, per body mass.",
    )
    return Methods(" ".join(sentences), REFERENCES)


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
