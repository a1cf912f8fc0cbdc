"""The page of a predicted walk, compared with a measured one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.analysis import COMPARED_PARAMETERS, graded, repeated_muscles, whole_stride
from pipeline.reporting.figures import prediction as figures
from pipeline.reporting.figures.stick_figures import snapshots
from pipeline.reporting.notes import by_heading
from pipeline.reporting.pages import write_page
from pipeline.reporting.prediction import tables, what_if
from pipeline.reporting.prediction.methods import prediction_methods
from pipeline.reporting.run import ReportRun
from pipeline.reporting.trial.muscles import MuscledWalk, MuscleSection, muscle_section
from pipeline.reporting.trial.quality import note_of
from pipeline.reporting.viewer.bodies import fitted_figure
from pipeline.reporting.viewer.views import prediction_scene
from pipeline.trial import GaitCycles, Kinematics, MuscleLoads, PredictedComparison, PredictedWalk, WholeBody


@dataclass(frozen=True)
class MeasuredWalk:
    """The available results of the walk with which a prediction is compared.

    Attributes:
        motion: its kinematics, for the 3-D view.
        cycles: its gait cycles, for the curves of its muscles.
        body: the walk on the skeleton; without it the 3-D view shows its legs.
        muscles: its estimated muscle forces.
    """

    motion: Kinematics | None = None
    cycles: GaitCycles | None = None
    body: WholeBody | None = None
    muscles: MuscleLoads | None = None


def write_prediction_report(
    path: Path, walk: PredictedWalk, both: PredictedComparison, run: ReportRun, measured: MeasuredWalk | None = None
) -> None:
    """Write the page of a predicted walk.

    Args:
        path: HTML file to write.
        walk: the prediction.
        both: the prediction compared with a measured walk.
        run: the study, inputs, configuration and versions.
        measured: that measured walk; None shows only the prediction in the 3-D view and in the section on muscles.
    """
    measured = measured or MeasuredWalk()
    motion, body = measured.motion, measured.body
    write_page(
        path,
        "prediction.html.j2",
        run=run,
        walk=walk,
        views=snapshots(whole_stride(walk)),
        scene=prediction_scene(walk, motion, fitted_figure(motion, body) if motion and body else None),
        over_motion=figures.motion_rows(both.motion),
        both=both,
        shared=[(COMPARED_PARAMETERS[found.name], found) for found in both.parameters],
        cadence=tables.cadence_sentence(both),
        kinematics_rows=figures.comparison_kinematics(both) if both.walk else (),
        kinetics_rows=figures.comparison_kinetics(both) if both.walk else (),
        spread=bool(np.isfinite(both.measured_sd).any()),
        agreement=tables.agreement_rows(both.agreement),
        norm_agreement={one.variable: one for one in graded(both.norm_agreement)},
        agreements=tables.agreements(both.agreement),
        limits=tables.LIMITS,
        measures=tables.measure_rows(both),
        what_if_rows=figures.what_if_rows(walk.what_if, both) if walk.what_if else (),
        extremes=what_if.extreme_rows(walk.what_if) if walk.what_if else (),
        cost=what_if.cost_sentence(walk.what_if) if walk.what_if else "",
        reached=what_if.limit_sentence(walk.solver) if walk.what_if else "",
        limit_rows=what_if.limit_rows(walk.solver),
        muscles=_muscles(walk, measured),
        solver_rows=tables.solver_rows(walk.solver),
        violations=tables.largest_violations_first(walk.solver.violations),
        notes=by_heading((*map(note_of, walk.findings), *walk.notes, *both.notes)),
        methods=prediction_methods(walk, both.moment_axes),
    )


def _muscles(walk: PredictedWalk, measured: MeasuredWalk) -> MuscleSection | None:
    """Section on the muscles of both sides, compared with the measured walk; None without muscle forces."""
    if walk.muscles is None:
        return None
    loads, cycles = repeated_muscles(walk)
    if measured.muscles is None or measured.cycles is None:
        return muscle_section(MuscledWalk("", loads, cycles))
    predicted = MuscledWalk("what-if" if walk.what_if else "predicted", loads, cycles)
    return muscle_section(MuscledWalk("measured", measured.muscles, measured.cycles.cycles), predicted=predicted)
