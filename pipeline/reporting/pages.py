"""Writes the pages: one HTML file each, with its style and drawings inside, so that it opens and travels alone.

All pages of a study share the classic scripts beside them: without report.js a page shows the same, but its figures do
not tell values and its tables do not sort; without scene.js it lacks the body in space.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

import jinja2

from pipeline.conventions import SIDES
from pipeline.reporting.figures import curves
from pipeline.reporting.figures.plate_map import plate_map
from pipeline.reporting.figures.statistical_mapping import differences, mapping_row
from pipeline.reporting.figures.styles import style_sheet
from pipeline.reporting.figures.svg import page_figure
from pipeline.reporting.run import ReportRun, flat
from pipeline.reporting.study import StudyEntry
from pipeline.reporting.trial import tables
from pipeline.reporting.trial.methods import methods
from pipeline.reporting.trial.quality import assess
from pipeline.reporting.viewer.views import trial_scene
from pipeline.reporting.whole_body.entry import WholeBodyLine
from pipeline.trial import GaitCycles, GaitSummary, InverseDynamics, Kinematics

TEMPLATES = Path(__file__).parents[2] / "reports" / "templates"
"""Folder of the templates; what they say is part of a page, so a rule that writes pages depends on these files."""


def write_trial_report(
    path: Path,
    kinematics: Kinematics,
    loads: InverseDynamics,
    cycles: GaitCycles,
    summary: GaitSummary,
    run: ReportRun,
    whole_body: WholeBodyLine | None = None,
    predicted: Sequence[str] = (),
) -> None:
    """Write the page of a trial.

    Args:
        path: HTML file to write.
        kinematics, loads, cycles, summary: the trial's stages.
        run: the study, inputs, configuration and versions.
        whole_body: what became of the walk on the whole skeleton; None if that was not wanted.
        predicted: predictions that were asked to be this walk.
    """
    quality = assess(kinematics, loads, cycles, summary)
    unseen = "the markers of its segments are missing, or there is no whole gait cycle"
    no_kinetics = {side: reason or unseen for side, reason in quality.no_kinetics.items()}
    sides, norm = curves.trial_sides(cycles, summary), curves.norm_of(summary)
    write_page(
        path,
        "trial.html.j2",
        run=run,
        whole_body=whole_body,
        predicted=predicted,
        kinematics=kinematics,
        calibration=kinematics.calibration,
        quality=quality,
        sides=SIDES,
        summary=summary,
        parameters=tables.parameter_rows(summary.parameter_mean, summary.parameter_sd, summary.symmetry),
        profile=tables.profile_bars(summary),
        kinematics_rows=curves.kinematics_rows(sides, norm, unseen),
        kinetics_rows=curves.kinetics_rows(sides, norm, quality.without_kinetics or unseen),
        ground_row=curves.ground_row(sides, norm, quality.without_kinetics or unseen),
        contribution_row=curves.contribution_row(summary, no_kinetics),
        map=plate_map(kinematics),
        scene=trial_scene(kinematics),
        events=tables.event_rows(kinematics),
        stances=tables.stance_rows(kinematics),
        cycles=tables.cycle_rows(cycles.cycles),
        subject_values=tables.subject_rows(kinematics.calibration),
        segments=tables.segment_rows(kinematics.calibration),
        methods=methods(kinematics, cycles, summary, run.configuration),
    )


def write_failed_trial_report(path: Path, name: str, step: str, reason: str, run: ReportRun) -> None:
    """Write the page of a trial that failed: at which step, and why."""
    write_page(path, "failed.html.j2", run=run, name=name, step=step, reason=reason)


def write_subject_report(
    path: Path,
    subject: str,
    entries: Sequence[StudyEntry],
    walks: Sequence[tuple[GaitCycles, GaitSummary]],
    summary: GaitSummary | None,
    run: ReportRun,
) -> None:
    """Write the page of a subject: both sides and all walks in one figure, averages with their spread.

    Args:
        path: HTML file to write.
        subject: identifier.
        entries: the lines of all the subject's walks, failed ones too.
        walks: those that were computed.
        summary: of all their cycles together; None if there are no walks.
        run: the study, configuration and versions.
    """
    content: dict[str, Any] = {}
    if summary:
        missing = "no walk has a cycle with it"
        sides, norm = curves.subject_sides(walks, summary), curves.norm_of(summary)
        content = {
            "walks": len(walks),
            "cycles": {side: sum(c.cycle.side == side for own, _ in walks for c in own.cycles) for side in SIDES},
            "parameters": tables.parameter_rows(summary.parameter_mean, summary.parameter_sd, summary.symmetry),
            "profile": tables.profile_bars(summary),
            "kinematics_rows": curves.kinematics_rows(sides, norm, missing),
            "kinetics_rows": curves.kinetics_rows(sides, norm, missing),
            "ground_row": curves.ground_row(sides, norm, missing),
            "mapping_row": mapping_row(summary) if summary.sides_compared else None,
            "differences": differences(summary),
        }
    lines = tables.walk_lines(entries, [own for _, own in walks])
    write_page(path, "subject.html.j2", run=run, subject=subject, lines=lines, summary=summary, sides=SIDES, **content)


def write_study_report(path: Path, entries: Sequence[StudyEntry], run: ReportRun) -> None:
    """Write the study's page: a line for each trial, and every failure and lack with its reason."""
    write_page(path, "study.html.j2", run=run, entries=entries)


def write_page(path: Path, template: str, **content: Any) -> None:
    """Render a page and put it in place whole or not at all."""
    run: ReportRun = content["run"]
    text = _environment().get_template(template).render(settings=flat(run.configuration), **content)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # A label that is not valid text in the file it came from must not cost the page.
        beside.write_bytes(text.encode("utf-8", errors="backslashreplace"))
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.policies["json.dumps_kwargs"] = {"separators": (",", ":"), "sort_keys": True}
    environment.filters["number"] = tables.number
    environment.filters["drawn"] = page_figure
    environment.globals["figure_styles"] = style_sheet()
    environment.filters["address"] = lambda page: quote(page, safe="/")
    return environment
