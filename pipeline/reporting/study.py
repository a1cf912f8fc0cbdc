"""A trial's line on the study's page."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from pydantic import TypeAdapter

from pipeline.conventions import SIDES
from pipeline.errors import ResultsError
from pipeline.reporting.trial.quality import assess
from pipeline.reporting.whole_body.entry import WholeBodyLine
from pipeline.results import DamagedFileError
from pipeline.trial import GaitCycles, GaitSummary, InverseDynamics, Kinematics


@dataclass(frozen=True)
class StudyEntry:
    """What became of one trial; plain values, so that it can be kept as JSON between the trial's job and the study's.

    Attributes:
        subject, trial: names in the study's tables.
        page: address of the trial's page from the study's page, empty for none.
        failed_step, reason: where and why the trial failed; empty if it did not.
        cycles, kinetic_cycles: left and right: whole gait cycles, and those with a clean step on a plate.
        speed, cadence: m/s and steps/min, means over all cycles; NaN where not known.
        gaps: marker gaps that were filled.
        warnings: how many.
        gps: Gait Profile Score of both sides, degrees; NaN where not known.
        session, condition: of the trial.
        average: address of the page with the averages of its session and condition; empty for none.
        whole_body: of the walk on the whole skeleton; None where that was not wanted or the trial failed before.
        limits: why there are no cycles or no kinetics, one sentence for each lack.
    """

    subject: str
    trial: str
    page: str = ""
    failed_step: str = ""
    reason: str = ""
    cycles: tuple[int, int] = (0, 0)
    kinetic_cycles: tuple[int, int] = (0, 0)
    speed: float = float("nan")
    cadence: float = float("nan")
    gaps: int = 0
    warnings: int = 0
    limits: tuple[str, ...] = ()
    gps: float = float("nan")
    whole_body: WholeBodyLine | None = None
    session: str = "1"
    condition: str = ""
    average: str = ""

    @property
    def status(self) -> Literal["ok", "no usable step", "warnings", "failed"]:
        """The worst that can be said of the trial."""
        if self.failed_step or self.reason:
            return "failed"
        if not any(self.kinetic_cycles):
            return "no usable step"
        return "warnings" if self.warnings else "ok"


def study_entry(
    kinematics: Kinematics,
    loads: InverseDynamics,
    cycles: GaitCycles,
    summary: GaitSummary,
    page: str,
    whole_body: WholeBodyLine | None = None,
) -> StudyEntry:
    """The line of a trial that was computed."""
    quality = assess(kinematics, loads, cycles, summary)
    return StudyEntry(
        subject=kinematics.subject,
        trial=kinematics.name,
        page=page,
        cycles=(quality.cycles["left"], quality.cycles["right"]),
        kinetic_cycles=(quality.kinetic_cycles["left"], quality.kinetic_cycles["right"]),
        speed=summary.walking_speed,
        cadence=summary.cadence,
        gaps=quality.gaps,
        warnings=len(quality.warnings),
        limits=tuple(f"{side}: {quality.no_kinetics[side]}" for side in SIDES if quality.no_kinetics[side]),
        gps=summary.gps_overall,
        whole_body=whole_body,
    )


def write_entry(path: Path, entry: StudyEntry) -> None:
    """Keep a line as JSON until the study's page is written; a number that is not known becomes null."""
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
    """What `_with_null` was made of; a part that is absent as a whole stays None."""
    found = {}
    for key, value in values.items():
        unknown = value is None and key != "whole_body"
        found[key] = _with_nan(value) if isinstance(value, dict) else float("nan") if unknown else value
    return found
