"""A walk's row in the study's table: plain values, stored as JSON in the session's results."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, PlainSerializer, TypeAdapter

from pipeline.errors import ResultsError
from pipeline.results import DamagedFileError, Failure
from pipeline.whole_files import write_text

Status = Literal["ok", "warnings", "no kinetics", "no complete gait cycle", "incomplete", "refused", "failed"]

STATUSES: dict[Status, int] = {
    **{"ok": 0, "warnings": 1, "no kinetics": 2, "no complete gait cycle": 2},
    **{"incomplete": 3, "refused": 3, "failed": 3},
}
"""Severity of each status, used by pages for colour and sorting."""

Number = Annotated[
    float,
    BeforeValidator(lambda stored: float("nan") if stored is None else stored),
    PlainSerializer(lambda value: None if value != value else value),
]
"""A number that may be NaN, which JSON does not have: it is stored as null."""


@dataclass(frozen=True)
class WholeBodySummary:
    """Key values of one walk on the whole-body skeleton.

    Attributes:
        page: address of its page, relative to the page that links to it.
        reason: why there are no results; empty if there are.
        marker_rms, marker_largest: RMS and maximum distance of measured from model markers, mm.
        seen, coordinates: number of observed combinations of degrees of freedom, and of degrees of freedom.
        followed: share of the body mass that is tracked by markers, %.
        residual_peak, residual_limit: largest kinematic residual force along one axis, and its recommended limit, % of
            body weight. The peak is NaN if the loads of both feet are known in no frame, or too little of the mass is
            tracked.
        correlation: minimum correlation of the sagittal moments with the matrix form; NaN without a clean step.
    """

    page: str
    reason: str = ""
    marker_rms: Number = float("nan")
    marker_largest: Number = float("nan")
    seen: int = 0
    coordinates: int = 0
    followed: Number = float("nan")
    residual_peak: Number = float("nan")
    residual_limit: Number = float("nan")
    correlation: Number = float("nan")


@dataclass(frozen=True)
class SideLoads:
    """Numbers of gait cycles of one side with measured, estimated and no loads, and why some have none."""

    side: str
    measured: int
    estimated: int
    none: int
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class StudyEntry:
    """The result of one trial as a row of the study's table: plain values that can be stored as JSON.

    Attributes:
        subject, trial: names in the study's tables.
        page: address of the trial's page relative to the study's page; empty for none.
        failed_step, reason: where and why the trial failed; empty if it did not.
        cycles, kinetic_cycles: numbers (left, right) of complete gait cycles, and of those with a clean step on a
            plate.
        kinetic_stances: numbers (left, right) of clean steps on plates outside complete gait cycles.
        speed, cadence: m/s and steps/min, means over all cycles; NaN if not known.
        gaps: number of filled marker gaps.
        warnings: number of warnings.
        alarms: sentences of refusals, then of warnings.
        refusals: why the results must not be used, one sentence each.
        defects: stages whose results are missing because of a defect of the program, each with the defect.
        limits: why a side has no cycles or no kinetics, one sentence each.
        gps: Gait Profile Score of both sides, degrees; NaN if not known.
        session, condition: of the trial.
        average: address of the page with the averages of its session and condition; empty for none.
        is_static: whether it is a static trial; static trials are listed only if they have no results.
        whole_body: summary of the whole-body skeleton; None if it is disabled or the trial failed before.
        loads: of the cycles of each side.
        thumbnail: SVG paths of left and right knee flexion over the gait cycle; empty if not known.
    """

    subject: str
    trial: str
    page: str = ""
    failed_step: str = ""
    reason: str = ""
    cycles: tuple[int, int] = (0, 0)
    kinetic_cycles: tuple[int, int] = (0, 0)
    kinetic_stances: tuple[int, int] = (0, 0)
    speed: Number = float("nan")
    cadence: Number = float("nan")
    gaps: int = 0
    warnings: int = 0
    alarms: tuple[str, ...] = ()
    refusals: tuple[str, ...] = ()
    defects: tuple[str, ...] = ()
    limits: tuple[str, ...] = ()
    gps: Number = float("nan")
    whole_body: WholeBodySummary | None = None
    session: str = "1"
    condition: str = ""
    average: str = ""
    is_static: bool = False
    thumbnail: tuple[str, str] = ("", "")
    loads: tuple[SideLoads, ...] = ()

    @property
    def status(self) -> Status:
        """The most severe status that applies."""
        if self.failed_step or self.reason:
            return "failed"
        if self.refusals:
            return "refused"
        if self.defects:
            return "incomplete"
        if not any(self.cycles):
            return "no complete gait cycle"
        estimated = (of_side.estimated for of_side in self.loads)
        if not any((*self.kinetic_cycles, *self.kinetic_stances, *estimated)):
            return "no kinetics"
        return "warnings" if self.warnings else "ok"


def without_results(entry: StudyEntry, failure: Failure) -> StudyEntry:
    """The row of a trial without results: it failed, or a defect of the program makes it incomplete."""
    other = f"{failure.trial}: " if failure.trial not in ("", entry.trial) else ""
    if failure.defect:
        return replace(entry, defects=(f"{failure.step}: {other}{failure.reason}",))
    return replace(entry, failed_step=failure.step, reason=f"{other}{failure.reason}")


def write_entry(path: Path, entry: StudyEntry) -> None:
    """Write a row with its digest as JSON; NaN becomes null."""
    stored = _adapter().dump_python(entry)
    write_text(path, json.dumps({"sha256": _digest(stored), "entry": stored}, indent=1) + "\n")


def add_defect(path: Path, defect: str) -> None:
    """Record in a row that a result is missing because of a defect of the program, unless the trial failed anyway."""
    entry = read_entry(path)
    if entry.status != "failed" and defect not in entry.defects:
        write_entry(path, replace(entry, defects=(*entry.defects, defect)))


def read_entry(path: Path) -> StudyEntry:
    """Read what `write_entry` wrote.

    Raises:
        DamagedFileError: its contents changed after they were written.
        ResultsError: there is no such file, or it is of another version.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ResultsError(f"cannot be read ({error.strerror})", where=str(path), remedy="Run the workflow") from error
    try:
        stored = json.loads(content)
        intact = stored["sha256"] == _digest(stored["entry"])
    except (ValueError, TypeError, KeyError, RecursionError):
        intact = False
    if not intact:
        raise DamagedFileError(path, "is damaged: its contents do not have the digest that was written")
    try:
        return _adapter().validate_python(stored["entry"])
    except (ValueError, TypeError) as error:
        raise ResultsError(f"cannot be read ({error})", where=str(path), remedy="Run the workflow again") from error


@cache
def _adapter() -> TypeAdapter[StudyEntry]:
    """Made once per process, since making it takes ten times as long as reading an entry."""
    return TypeAdapter(StudyEntry)


def _digest(entry: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(entry, sort_keys=True).encode()).hexdigest()
