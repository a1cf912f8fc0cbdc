"""The page of a subject's walks in a session and condition, with both sides and all walks together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.analysis import ESTIMATED, PUBLISHED, MuscleAverages, Norm, from_estimated_loads, muscle_averages
from pipeline.conventions import SIDES
from pipeline.errors import some_of
from pipeline.reporting.clinical.report import ClinicalContent, write_clinical_report
from pipeline.reporting.entries import STATUSES, StudyEntry
from pipeline.reporting.figures import curves
from pipeline.reporting.figures.muscle_loads import activation_row, contact_row
from pipeline.reporting.figures.muscles import emg_norm_text, emg_speed, muscle_row
from pipeline.reporting.figures.panels import Row
from pipeline.reporting.figures.statistical_mapping import differences, mapping_row
from pipeline.reporting.notes import by_heading
from pipeline.reporting.numbers import number, with_sd
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ReportRun
from pipeline.reporting.trial import tables
from pipeline.trial import GaitCycles, GaitSummary, MuscleActivity, MuscleLoads


def write_subject_report(
    path: Path,
    subject: str,
    entries: Sequence[StudyEntry],
    walks: Sequence[tuple[GaitCycles, GaitSummary]],
    summary: GaitSummary | None,
    run: ReportRun,
    pdf: Path | None = None,
    emg: MuscleActivity | None = None,
    norm: Norm | None = None,
    muscles: Sequence[MuscleLoads] = (),
) -> None:
    """Write the page: both sides and all walks in one figure, averages with their spread.

    Args:
        path: HTML file to write.
        subject: identifier.
        entries: of all walks, including failed ones.
        walks: those that were computed.
        summary: of all their cycles together; None if there are no walks.
        run: the study, configuration and versions.
        pdf: file of the two-page report; None for none.
        emg: envelopes of all walks together; None without EMG.
        norm: norm of the EMG envelopes; None for none.
        muscles: estimated forces of the walks that have them.
    """
    content: dict[str, Any] = {}
    if summary:
        missing, mixed = "no walk has a cycle with this curve", any(summary.estimated_count.values())
        sides, band = curves.subject_sides(walks, summary), curves.norm_of(summary)
        cycles, compared = [c for own, _ in walks for c in own.cycles], summary.sides_compared
        content = {
            "walks": sum(bool(own.cycles) for own, _ in walks),
            "max_singles": curves.MAX_SINGLES,
            "notes": by_heading((*summary.notes, *(emg.notes if emg else ()))),
            "cycles": {side: sum(c.cycle.side == side for c in cycles) for side in SIDES},
            "parameters": tables.parameter_rows(summary),
            "profile": tables.profile_bars(summary),
            "far": tables.FAR,
            "kinematics_rows": curves.variable_rows(curves.KINEMATICS, sides, band, missing),
            "kinetics_rows": curves.variable_rows(curves.KINETICS, sides, band, missing, mixed),
            "ground_row": curves.ground_row(sides, band, missing, mixed),
            "points_rows": curves.variable_rows(curves.POINTS, sides, band, missing),
            "mapping_row": compared and mapping_row(compared, summary.percent, "Left", "Right"),
            "differences": differences(compared),
            "emg": emg,
            "emg_row": muscle_row(emg, cycles, norm, emg_speed(norm, summary)) if emg else None,
            "emg_norm": emg_norm_text(norm, summary),
            "muscles": _muscles(muscles, walks, emg, norm, emg_speed(norm, summary)) if muscles else None,
        }
    if pdf:
        write_clinical_report(pdf, _clinical(subject, entries, walks, summary, content, run), run)
    content |= {"rows": walk_rows(entries, [own for _, own in walks]), "statuses": STATUSES, "pdf": pdf is not None}
    write_page(path, "subject.html.j2", run=run, subject=subject, summary=summary, sides=SIDES, **content)


def _muscles(
    loads: Sequence[MuscleLoads],
    walks: Sequence[tuple[GaitCycles, GaitSummary]],
    emg: MuscleActivity | None,
    norm: Norm | None,
    speed: float,
) -> dict[str, Any]:
    """Mean and spread of estimated activations and contact forces over the cycles of all walks."""
    curves_of = {own.name: own.cycles for own, _ in walks}
    both = [(own, tuple(c.cycle for c in curves_of[own.name] if not c.set_aside)) for own in loads]
    of_side = {side: muscle_averages(both, side) for side in SIDES}
    means, spread = ({side: getattr(of_side[side], name) for side in SIDES} for name in ("mean", "sd"))
    cycles = [c for own in loads for c in curves_of[own.name]]
    return {
        "activations": activation_row(means, cycles, emg, norm, speed, spread),
        "contact": contact_row(means, cycles, spread),
        "peaks": [_contact_peak(joint, of_side) for joint in PUBLISHED],
        "walks": len(loads),
        "estimated": f" ({ESTIMATED})" * any(from_estimated_loads(own, c) for own, of_walk in both for c in of_walk),
    }


def _contact_peak(joint: str, of_side: dict[str, MuscleAverages]) -> tuple[str, ...]:
    """Mean and standard deviation of the peaks of each side's cycles, and published peaks."""
    cells = []
    for side in SIDES:
        peaks = of_side[side].peaks.get(f"{joint}_contact_force", np.zeros(0))
        sd = float(np.std(peaks, ddof=1)) if len(peaks) > 1 else np.nan
        cells.append(with_sd(float(np.mean(peaks)), sd, 1) if len(peaks) else "")
    return joint.capitalize(), *cells, ", ".join(number(peak.value, 1) for peak in PUBLISHED[joint])


def _clinical(
    subject: str,
    entries: Sequence[StudyEntry],
    walks: Sequence[tuple[GaitCycles, GaitSummary]],
    summary: GaitSummary | None,
    content: dict[str, Any],
    run: ReportRun,
) -> ClinicalContent:
    """Contents of the two-page report, taken from those of the page."""
    named = [(entry.trial, words) for entry in entries for words in (entry.alarms or (entry.reason,)) if words]
    of_walks: dict[str, list[str]] = {}
    for trial, words in named:
        of_walks.setdefault(words, []).append(trial)
    noted = [note for source in (summary, content.get("emg")) if source for note in source.notes]
    notes = [f"{note.subject}: {note.text}" for note in noted if note.kind == "warning"]
    facts = [("Session", run.session), ("Condition", run.condition), *run.person]
    if summary:
        count = "{left} left and {right} right cycles".format(**content["cycles"])
        facts.append(("Walks", f"{content['walks']} of {len(entries)}, {count}"))
        facts.append(("Speed", f"{number(summary.walking_speed, 2)} m/s, {number(summary.cadence, 0)} steps/min"))
    if run.remarks:
        facts.append(("Comment", run.remarks))
    return ClinicalContent(
        subject=subject,
        facts=[(label, words) for label, words in facts if words],
        kinematics=content.get("kinematics_rows", ()),
        kinetics=_printed_kinetics(content) if summary else (),
        parameters=content.get("parameters", ()),
        profile=content.get("profile", ()),
        summary=summary,
        alarms=[*notes, *(f"{some_of(trials)}: {words}" for words, trials in of_walks.items())],
        moment_axes=walks[0][0].moment_axes if walks else "",
        emg=content.get("emg_row"),
        emg_methods=_emg_methods(content["emg"], content["emg_norm"]) if content.get("emg_row") else "",
    )


def _emg_methods(emg: MuscleActivity, norm: str) -> str:
    beside = f", those of the norm ({norm}) to its own" if norm else ""
    return (
        f"EMG: {number(emg.high_pass, 0)} to {number(emg.low_pass, 0)} Hz, rectified, low-pass "
        f"{number(emg.envelope_cutoff, 0)} Hz; normalised to the {emg.normalisation} of each muscle's mean envelope"
        f"{beside}. "
    )


def walk_rows(
    entries: Sequence[StudyEntry], summaries: Sequence[GaitSummary]
) -> list[tuple[StudyEntry, tuple[tuple[float, int], ...]]]:
    """Each walk's entry, with values and their decimals: speed, cadence, scores of left, right and both sides."""
    gps = {summary.name: [summary.gps[side] for side in SIDES] for summary in summaries}
    unknown = [np.nan] * len(SIDES)
    return [
        (
            entry,
            ((entry.speed, 2), (entry.cadence, 0), *((v, 1) for v in gps.get(entry.trial, unknown)), (entry.gps, 1)),
        )
        for entry in entries
    ]


def _printed_kinetics(content: dict[str, Any]) -> tuple[Row, ...]:
    """Rows of moments and powers, and one of the ground reaction followed by the curves of points."""
    ground: Row = content["ground_row"]
    points = tuple(panel for row in content["points_rows"] for panel in row.panels)
    return (*content["kinetics_rows"], replace(ground, panels=(*ground.panels, *points)))
