"""The page of a predicted walk, its line on the study's page, and its methods."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.reporting.figures import prediction as figures
from pipeline.reporting.figures.stick_figures import FRONT, METRES_PER_WEIGHT, SIDE, Snapshot, snapshots
from pipeline.reporting.pages import write_page
from pipeline.reporting.prediction import tables
from pipeline.reporting.run import ReportRun
from pipeline.reporting.trial.methods import MOMENT_AXES, REFERENCES, Methods
from pipeline.reporting.trial.quality import by_heading
from pipeline.reporting.viewer.views import prediction_scene
from pipeline.trial import Kinematics, PredictedComparison, PredictedWalk, Violation


@dataclass(frozen=True)
class PredictionEntry:
    """A prediction's line on the study's page.

    Attributes:
        page: address from the study's page.
        walk: the measured walk that was asked for, empty for none.
        speed, step_length: NaN where the measured walk was to tell and there is no prediction.
        failed_step, reason: where and why there is no walk; empty if there is one.
        ended: how the solver ended, in its words.
    """

    prediction: str
    subject: str
    session: str
    page: str
    speed: float
    step_length: float
    preset: str
    form: str = "step"
    walk: str = ""
    failed_step: str = ""
    reason: str = ""
    ended: str = ""
    iterations: int = 0


def write_prediction_report(
    path: Path,
    walk: PredictedWalk,
    both: PredictedComparison,
    run: ReportRun,
    motion: Kinematics | None = None,
) -> None:
    """Write the page of a predicted walk.

    Args:
        path: HTML file to write.
        walk: the prediction.
        both: the prediction beside a measured walk.
        run: the study, inputs, configuration and versions.
        motion: the measured walk in space, where it is known.
    """
    write_page(
        path,
        "prediction.html.j2",
        run=run,
        walk=walk,
        motion="stride" if walk.task.steps == 2 else "step",
        views=_views(walk),
        scene=prediction_scene(walk, motion),
        metres_per_weight=METRES_PER_WEIGHT,
        over_motion=figures.motion_rows(both.motion),
        both=both,
        shared=tables.shared_rows(both),
        cadence=tables.cadence_sentence(both),
        told=tables.sentences(both.agreement),
        beside_kinematics=figures.beside_kinematics(both) if both.walk else (),
        beside_kinetics=figures.beside_kinetics(both) if both.walk else (),
        agreement=tables.agreement_rows(both),
        violations=_worst_first(walk.solver.violations),
        notes=by_heading((*walk.notes, *both.notes)),
        methods=_methods(walk, both.moment_axes),
    )


def write_failed_prediction_report(
    path: Path, asked: PredictionEntry, step: str, run: ReportRun, best: PredictedWalk | None = None
) -> None:
    """Write the page of a prediction that failed: what was asked, at which step it failed, and why.

    Args:
        path: HTML file to write.
        asked: the prediction's line.
        step: where it failed.
        run: the study, configuration and versions.
        best: how far the solver came; None if it never started.
    """
    content: dict[str, Any] = {}
    if best:
        broken = sorted(best.solver.violations, key=lambda v: -v.nodes / v.tolerance)
        content = {"views": _views(best), "violations": broken}
    write_page(path, "prediction_failed.html.j2", run=run, asked=asked, step=step, best=best, **content)


def _views(walk: PredictedWalk) -> list[tuple[str, tuple[Snapshot, ...]]]:
    return [(view.title, snapshots(walk, view)) for view in (SIDE, FRONT)]


def _worst_first(violations: Sequence[Violation]) -> list[Violation]:
    return sorted(violations, key=lambda v: -max(v.nodes, v.dense) / v.tolerance)


def _methods(walk: PredictedWalk, axes: str) -> Methods:
    task, solver = walk.task, walk.solver
    sex = {"m": "male", "f": "female"}[task.sex]
    started = f"the prediction {solver.start}" if solver.start else "a standing body that glides along"
    motion = "A stride of two free steps" if task.form == "stride" else "A symmetric step"
    asked = f", as in the measured walk {task.walk}," if task.walk else ""
    sentences = (
        f"{motion} at {task.speed:.3g} m/s with steps of {task.step_length:.3f} m, "
        f"{100 * task.double_support:.1f} % of each in double support{asked} was predicted by optimisation for a "
        f"skeleton of {len(walk.joint_names)} joints scaled to {task.mass:.1f} kg, {task.height:.3f} m, {sex}.",
        "Joint coordinates are B-splines; the ground reaction follows from the whole body's equations of motion by the "
        "two-step active-passive algorithm with the zero-moment point, and is split between the feet in double support "
        "(Xiang et al. 2009). No measured motion enters.",
        f"The preset {task.preset} minimises {_listed(list(solver.objectives))}, under the constraints listed above.",
        f"The nonlinear program of {solver.variables} variables and {solver.constraints} constraint rows was started "
        f"from {started} and ended after {solver.iterations} iterations: {solver.ended}; largest violation "
        f"{solver.max_violation:.2g} of its tolerance at the nodes, first-order optimality {solver.optimality:.1e}.",
        "The stride is a gait cycle."
        if task.form == "stride"
        else "The second step is the mirror image of the first, so both together are a gait cycle.",
        "Angles are Cardan angles with the definitions, sequences and signs of the measured walks (Grood and Suntay "
        "1983); the skeleton's pelvis is upright in standing, and for these angles leans forward by the "
        f"{np.degrees(task.pelvic_tilt):.1f}\N{DEGREE SIGN} of the subject's own pelvis in standing.",
        f"Moments are internal, of the proximal on the distal segment, about {MOMENT_AXES[axes]}, per body mass.",
    )
    return Methods(" ".join(sentences), tuple(REFERENCES[key] for key in ("grood", "xiang")))


def _listed(names: Sequence[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
