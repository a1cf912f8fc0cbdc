"""The page of a walk."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.analysis import MIN_MASS_TRACKED, Norm
from pipeline.conventions import SIDES
from pipeline.reporting.figures import curves
from pipeline.reporting.figures.cutoff import cutoff_row
from pipeline.reporting.figures.muscles import emg_norm_text, emg_speed, muscle_row
from pipeline.reporting.figures.panels import Row
from pipeline.reporting.figures.plate_map import plate_map
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ReportRun
from pipeline.reporting.trial import tables
from pipeline.reporting.trial.estimated import estimated_section
from pipeline.reporting.trial.methods import methods
from pipeline.reporting.trial.muscles import MuscledWalk, muscle_section
from pipeline.reporting.trial.quality import assess
from pipeline.reporting.viewer.bodies import fitted_figure
from pipeline.reporting.viewer.views import trial_scene
from pipeline.reporting.whole_body.summary import WholeBodySummary
from pipeline.results import why_missing
from pipeline.trial import (
    CurveUncertainty,
    CutoffPeaks,
    Findings,
    GaitCycles,
    GaitSummary,
    GroundFromMotion,
    InverseDynamics,
    Kinematics,
    MuscleActivity,
    MuscleLoads,
    WholeBody,
)
from pipeline.uncertainty import sentence


@dataclass(frozen=True)
class FurtherResults:
    """Results on a walk's page that not every walk has.

    Attributes:
        whole_body: summary of the whole-body skeleton; None if it is disabled.
        predicted: names of the predictions of this walk.
        cutoff_peaks: peak moments at other cut-offs; None leaves them out.
        uncertainty: of the mean curves, or why there is none; None if the study does not ask for it.
        body: the walk on the skeleton, for the 3-D view; None shows only the legs.
        emg: envelopes of EMG channels; None leaves them out.
        norm: norm of the EMG envelopes; None for none.
        muscles: estimated muscle forces, or why there are none; None leaves them out.
        estimated: loads estimated from motion, or why there are none; None leaves them out.
    """

    whole_body: WholeBodySummary | None = None
    predicted: Sequence[str] = ()
    cutoff_peaks: CutoffPeaks | None = None
    uncertainty: CurveUncertainty | str | None = None
    body: WholeBody | None = None
    emg: MuscleActivity | None = None
    norm: Norm | None = None
    muscles: MuscleLoads | str | None = None
    estimated: GroundFromMotion | str | None = None


def write_trial_report(
    path: Path,
    kinematics: Kinematics,
    loads: InverseDynamics,
    cycles: GaitCycles,
    summary: GaitSummary,
    findings: Findings,
    run: ReportRun,
    further: FurtherResults | None = None,
) -> None:
    """Write the page of a trial.

    Args:
        path: HTML file to write.
        kinematics, loads, cycles, summary, findings: the trial's stages.
        run: the study, inputs, configuration and versions.
        further: results that the study may leave out.
    """
    further = further or FurtherResults()
    body, emg, norm = further.body, further.emg, further.norm
    muscles, estimated, uncertainty = further.muscles, further.estimated, further.uncertainty
    known = uncertainty if isinstance(uncertainty, CurveUncertainty) else None
    quality = assess(kinematics, loads, cycles, summary, findings, emg, known)
    no_curve = why_missing(cycles) or "markers are missing, or there is no complete gait cycle"
    no_kinetics = {side: reason or no_curve for side, reason in quality.no_kinetics.items()}
    no_loads = quality.without_kinetics or no_curve
    mixed = any(summary.estimated_count.values())
    sides, band = curves.trial_sides(cycles, summary, known), curves.norm_of(summary)
    write_page(
        path,
        "trial.html.j2",
        run=run,
        whole_body=further.whole_body,
        least_followed=MIN_MASS_TRACKED,
        predicted=further.predicted,
        kinematics=kinematics,
        calibration=kinematics.calibration,
        quality=quality,
        doubtful=any(cycle.doubtful for cycle in cycles.cycles),
        sides=SIDES,
        max_singles=curves.MAX_SINGLES,
        summary=summary,
        parameters=tables.parameter_rows(summary),
        profile=tables.profile_bars(summary),
        far=tables.FAR,
        kinematics_rows=curves.variable_rows(curves.KINEMATICS, sides, band, no_curve),
        kinetics_rows=curves.variable_rows(curves.KINETICS, sides, band, no_loads, mixed),
        ground_row=curves.ground_row(sides, band, no_loads, mixed),
        points_rows=curves.variable_rows(curves.POINTS, sides, band, no_curve),
        stance_kinetics=_over_stance(cycles),
        contribution_row=curves.contribution_row(summary, no_kinetics),
        map=plate_map(kinematics),
        scene=trial_scene(kinematics, fitted_figure(kinematics, body) if body else None),
        emg=emg,
        emg_row=muscle_row(emg, cycles.cycles, norm, emg_speed(norm, summary)) if emg else None,
        emg_norm=emg_norm_text(norm, summary),
        muscles=muscle_section(MuscledWalk("", muscles, cycles.cycles), emg, norm, emg_speed(norm, summary))
        if isinstance(muscles, MuscleLoads)
        else None,
        no_muscles=muscles if isinstance(muscles, str) else "",
        estimated=estimated_section(estimated, body) if isinstance(estimated, GroundFromMotion) and body else None,
        mixed=mixed,
        no_estimated=estimated if isinstance(estimated, str) else "",
        events=tables.event_rows(kinematics),
        stances=tables.stance_rows(kinematics),
        cycles=tables.cycle_rows(cycles.cycles),
        subject_values=tables.subject_rows(kinematics.calibration),
        segments=tables.segment_rows(kinematics.calibration),
        cutoffs=tables.cutoff_table(further.cutoff_peaks),
        cutoff_row=cutoff_row(kinematics.cutoff),
        uncertainty=tables.uncertainty_table(known),
        dominant_sources=sentence(known) if known else "",
        no_uncertainty=uncertainty if isinstance(uncertainty, str) else "",
        methods=methods(kinematics, cycles, summary, run.configuration),
    )


def _over_stance(cycles: GaitCycles) -> tuple[Row, ...]:
    """Moments, powers and ground reaction of the steps outside complete gait cycles; empty without such steps."""
    figure = {**curves.KINETICS, **curves.GROUND} if cycles.stances else {}
    return curves.variable_rows(figure, curves.stance_sides(cycles), curves.no_norm, "markers are missing")
