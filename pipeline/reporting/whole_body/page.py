"""The page of a walk on the whole-body skeleton."""

from __future__ import annotations

from pathlib import Path

from pipeline.analysis import MIN_MASS_TRACKED, limits, marker_errors
from pipeline.conventions import SIDES
from pipeline.reporting.figures import whole_body as figures
from pipeline.reporting.figures.curves import MAX_SINGLES
from pipeline.reporting.notes import by_heading
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ReportRun
from pipeline.reporting.viewer.bodies import fitted_figure
from pipeline.reporting.viewer.views import trial_scene
from pipeline.reporting.whole_body import tables
from pipeline.reporting.whole_body.methods import whole_body_methods
from pipeline.reporting.whole_body.summary import whole_body_summary
from pipeline.trial import GaitCycles, InverseDynamics, Kinematics, WholeBody


def write_whole_body_report(
    path: Path, body: WholeBody, kinematics: Kinematics, loads: InverseDynamics, cycles: GaitCycles, run: ReportRun
) -> None:
    """Write the page.

    Args:
        path: HTML file to write.
        body: the walk on the skeleton.
        kinematics, loads, cycles: the same walk in matrix form.
        run: the study, inputs, configuration and versions.
    """
    angles, held = figures.angle_rows(body, cycles)
    most = max(sum(c.cycle.side == side for c in cycles.cycles) for side in SIDES)
    write_page(
        path,
        "whole_body.html.j2",
        run=run,
        body=body,
        sides=SIDES,
        own=whole_body_summary("", body),
        residual_reduced=tables.overall(marker_errors(body.residual_reduced)) if body.residual_reduced else None,
        scene=trial_scene(kinematics, fitted_figure(kinematics, body)),
        markers=tables.marker_rows(body),
        marker_row=figures.marker_row(body),
        worst_frames=tables.worst_frames(body),
        angle_rows=angles,
        held=held,
        torque_rows=figures.load_rows(figures.TORQUE_ROWS, body, cycles),
        force_rows=figures.load_rows(figures.FORCE_ROWS, body, cycles),
        residual_figure=figures.residual_rows(body),
        residuals=tables.residual_rows(body),
        limits=limits(body),
        forward_rows=figures.forward_rows(body),
        drift=tables.drift_text(body),
        overlay_rows=figures.overlay_rows(body, kinematics, loads),
        two_models=tables.two_models(body, cycles),
        comparison=tables.comparison_rows(body),
        sizes=tables.size_rows(body),
        turns=tables.turn_rows(body),
        centres=tables.centre_rows(body),
        coordinates=tables.coordinate_rows(body),
        unseen=tables.unseen(body),
        least_followed=MIN_MASS_TRACKED,
        most_cycles=most,
        max_singles=MAX_SINGLES,
        notes=by_heading(body.notes),
        methods=whole_body_methods(body, run.configuration),
    )
