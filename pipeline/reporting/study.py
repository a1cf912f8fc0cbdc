"""The page of a study, with a row for each trial."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import TypeAdapter

from pipeline.analysis.variables import VARIABLES
from pipeline.conventions import SIDES
from pipeline.errors import ResultsError
from pipeline.reporting.pages import write_page
from pipeline.reporting.run import ComparisonLink, ReportRun
from pipeline.reporting.trial.quality import assess
from pipeline.reporting.whole_body.summary import WholeBodySummary
from pipeline.results import DamagedFileError
from pipeline.trial import Findings, GaitCycles, GaitSummary, InverseDynamics, Kinematics, MuscleActivity

Status = Literal["ok", "warnings", "no kinetics", "no complete gait cycle", "refused", "failed"]

STATUSES: dict[Status, int] = {
    **{"ok": 0, "warnings": 1, "no kinetics": 2, "no complete gait cycle": 2},
    **{"refused": 3, "failed": 3},
}
"""Severity of each status, by which pages colour and sort."""


@dataclass(frozen=True)
class StudyEntry:
    """The result of one trial as a row of the study's table: plain values that can be kept as JSON.

    Attributes:
        subject, trial: names in the study's tables.
        page: address of the trial's page from the study's page, empty for none.
        failed_step, reason: where and why the trial failed; empty if it did not.
        cycles, kinetic_cycles: left and right: complete gait cycles, and those with a clean step on a plate.
        kinetic_stances: left and right: clean steps on plates that are not the stance of a complete gait cycle.
        speed, cadence: m/s and steps/min, means over all cycles; NaN where not known.
        gaps: marker gaps that were filled.
        warnings: how many.
        alarms: sentences of refusals and warnings, in this order.
        refusals: why the results must not be used, one sentence each.
        limits: why a side has no cycles or no kinetics, one sentence each.
        gps: Gait Profile Score of both sides, degrees; NaN where not known.
        session, condition: of the trial.
        average: address of the page with the averages of its session and condition; empty for none.
        is_static: whether it is a static trial, which is listed only where it failed.
        whole_body: summary of the whole-body skeleton; None if it is disabled or the trial failed before.
        thumbnail: SVG paths of the left and the right knee's flexion over the gait cycle; empty where not known.
    """

    subject: str
    trial: str
    page: str = ""
    failed_step: str = ""
    reason: str = ""
    cycles: tuple[int, int] = (0, 0)
    kinetic_cycles: tuple[int, int] = (0, 0)
    kinetic_stances: tuple[int, int] = (0, 0)
    speed: float = float("nan")
    cadence: float = float("nan")
    gaps: int = 0
    warnings: int = 0
    alarms: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    gps: float = float("nan")
    whole_body: WholeBodySummary | None = None
    session: str = "1"
    condition: str = ""
    average: str = ""
    is_static: bool = False
    thumbnail: tuple[str, str] = ("", "")

    @property
    def status(self) -> Status:
        """The most severe status that applies."""
        if self.failed_step or self.reason:
            return "failed"
        if self.refusals:
            return "refused"
        if not any(self.cycles):
            return "no complete gait cycle"
        if not any((*self.kinetic_cycles, *self.kinetic_stances)):
            return "no kinetics"
        return "warnings" if self.warnings else "ok"


def study_entry(
    kinematics: Kinematics,
    loads: InverseDynamics,
    cycles: GaitCycles,
    summary: GaitSummary,
    findings: Findings,
    page: str,
    whole_body: WholeBodySummary | None = None,
    emg: MuscleActivity | None = None,
) -> StudyEntry:
    """The row of a trial that was computed."""
    quality = assess(kinematics, loads, cycles, summary, findings, emg)
    return StudyEntry(
        subject=kinematics.subject,
        trial=kinematics.name,
        page=page,
        cycles=(quality.cycles["left"], quality.cycles["right"]),
        kinetic_cycles=(quality.kinetic_cycles["left"], quality.kinetic_cycles["right"]),
        kinetic_stances=(quality.stances["left"], quality.stances["right"]),
        speed=summary.walking_speed,
        cadence=summary.cadence,
        gaps=quality.gaps,
        warnings=len(quality.warnings),
        alarms=tuple(f"{note.subject}: {note.text}" for note in (*quality.refusals, *quality.warnings)),
        refusals=tuple(f"{note.subject}: {note.text}" for note in quality.refusals),
        limits=tuple(f"{side}: {quality.no_kinetics[side]}" for side in SIDES if quality.no_kinetics[side]),
        gps=summary.gps_overall,
        whole_body=whole_body,
        thumbnail=thumbnail(summary),
    )


THUMBNAIL = 80, 24
"""Width and height of the drawing of a walk in the study's table."""


def thumbnail(summary: GaitSummary) -> tuple[str, str]:
    """SVG path of each side's mean knee flexion, in the range of its panels; empty where it has missing values."""
    row, (low, high) = summary.variable_names.index("knee_flexion"), VARIABLES["knee_flexion"].axis or (0.0, 1.0)
    width, height = THUMBNAIL
    paths = []
    for curve in summary.mean[:, row, ::4]:
        y = height * (1.0 - (np.clip(curve, low, high) - low) / (high - low))
        points = " ".join(f"{width * k / (len(y) - 1):.0f} {v:.0f}" for k, v in enumerate(y))
        paths.append(f"M{points}" if np.isfinite(y).all() else "")
    return paths[0], paths[1]


@dataclass(frozen=True)
class SessionGroup:
    """The trials of a session in the study's table.

    Attributes:
        averages: condition, and address of the page of its averages.
        comparisons: of which it has the second walks.
    """

    subject: str
    session: str
    averages: tuple[tuple[str, str], ...]
    comparisons: tuple[ComparisonLink, ...]
    entries: tuple[StudyEntry, ...]


def by_session(entries: Sequence[StudyEntry], comparisons: Sequence[ComparisonLink]) -> list[SessionGroup]:
    """Entries by subject and session, in the order in which each first occurs."""
    found: dict[str, dict[str, list[StudyEntry]]] = {}
    for entry in entries:
        found.setdefault(entry.subject, {}).setdefault(entry.session, []).append(entry)
    return [
        SessionGroup(
            subject,
            session,
            tuple({entry.condition: entry.average for entry in own if entry.average}.items()),
            tuple(link for link in comparisons if (link.subject, link.session) == (subject, session)),
            tuple(own),
        )
        for subject, sessions in found.items()
        for session, own in sessions.items()
    ]


def write_study_report(path: Path, entries: Sequence[StudyEntry], run: ReportRun, static_trials: int = 0) -> None:
    """Write the study's page: a row for each walk and each static trial that failed, with the reason of every failure
    and of missing kinetics; ``static_trials`` is how many there are."""
    groups = by_session(entries, run.comparisons)
    shown = {"entries": entries, "groups": groups, "statuses": STATUSES, "static_trials": static_trials}
    write_page(path, "study.html.j2", run=run, **shown)


def write_entry(path: Path, entry: StudyEntry) -> None:
    """Write a row with its digest as JSON, NaN as null."""
    stored = _with_null(asdict(entry))
    path.write_text(json.dumps({"sha256": _digest(stored), "entry": stored}, indent=1) + "\n", encoding="utf-8")


def read_entry(path: Path) -> StudyEntry:
    """Read what `write_entry` wrote.

    Raises:
        DamagedFileError: its contents are not those that were written.
        ResultsError: there is no such file, or it is of another version.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(path), remedy="Run the workflow") from error
    try:
        stored = json.loads(content)
        intact = stored["sha256"] == _digest(stored["entry"])
    except (ValueError, TypeError, KeyError):
        intact = False
    if not intact:
        raise DamagedFileError(path, "is damaged: its contents do not have the digest that was written")
    try:
        return TypeAdapter(StudyEntry).validate_python(_with_nan(stored["entry"]))
    except (ValueError, TypeError) as error:
        raise ResultsError(f"cannot be read ({error})", where=str(path), remedy="Run the workflow again") from error


def _digest(entry: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()


def _with_null(values: dict[str, Any]) -> dict[str, Any]:
    """JSON has no NaN."""
    found = {}
    for key, value in values.items():
        found[key] = _with_null(value) if isinstance(value, dict) else None if value != value else value
    return found


def _with_nan(values: dict[str, Any]) -> dict[str, Any]:
    """The inverse of `_with_null`; an absent summary of the whole-body skeleton stays None."""
    found = {}
    for key, value in values.items():
        unknown = value is None and key != "whole_body"
        found[key] = _with_nan(value) if isinstance(value, dict) else float("nan") if unknown else value
    return found
