"""Findings on the outcome of a walk: what is implausible, by how much, beyond which limit, why, and what to do."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

SHOWN_ANGLE, SHOWN_MOMENT = 0.5, 0.005
"""Smallest effects that are reported, in degrees and Nm/kg."""

CHECKS = "checks"
"""Subject of the warnings that say that checks were not made."""

Grade = Literal["note", "warning", "refusal"]


@dataclass(frozen=True)
class Finding:
    """One implausible result.

    Attributes:
        grade: a note informs; a warning asks to check; after a refusal the results of the walk must not be used. A
            finding is a warning unless stated.
        subject: joint, marker, plate or quantity.
        text: what was found, with its value.
        value, limit: in ``units``; NaN where there is nothing to measure.
        source: where the limit comes from: a publication, or the walks that it was measured on.
        cause: the likely cause.
        remedy: what to do.
        residual: name in the file of limits; empty if the limit is not from there.
        moment_error: possible error of a joint moment because of it, Nm/kg; NaN if not known.
        moment_of: the moment with the largest error, such as "left hip's moment".
        angle_error: possible error of a joint angle because of it, degrees; NaN if not known.
        angle_of: the angle with the largest error, such as "left knee rotation".
    """

    grade: Grade = field(default="warning", kw_only=True)
    subject: str
    text: str
    value: float
    limit: float
    units: str
    source: str
    cause: str
    remedy: str
    moment_error: float = math.nan
    residual: str = ""
    moment_of: str = ""
    angle_error: float = math.nan
    angle_of: str = ""

    @property
    def effect(self) -> str:
        """What it may change, in words; empty if that is nothing or not known."""
        parts = []
        if self.angle_error >= SHOWN_ANGLE:
            parts.append(f"{self.angle_of or 'angles'} by {self.angle_error:.0f} degrees")
        if self.moment_error >= SHOWN_MOMENT:
            parts.append(f"the {self.moment_of or 'moments'} by {self.moment_error:.2g} Nm/kg")
        return " and ".join(parts)

    @property
    def sentence(self) -> str:
        """The sentence that a page shows next to the subject."""
        unit = "" if self.units == "1" else f" {self.units}"
        limit = "" if math.isnan(self.limit) else f" (limit {self.limit:.3g}{unit})"
        off = f"; may change {self.effect}" if self.effect else ""
        return f"{self.text}{limit}{off}, probably {self.cause}: {self.remedy}"


@dataclass(frozen=True)
class Findings:
    """All findings on a walk; if empty, the checks were made and found nothing."""

    name: str
    subject: str
    findings: tuple[Finding, ...]

    @classmethod
    def unchecked(cls, name: str, subject: str, reason: str) -> Findings:
        """Findings of a walk whose checks failed: a warning that says so."""
        return cls(name, subject, (cls.not_made(reason),))

    @staticmethod
    def not_made(reason: str, of: str = "") -> Finding:
        """The warning that the checks, or those of some results, were not made."""
        text = f"those of {of} were not made: {reason}" if of else f"were not made: {reason}"
        cause, remedy = "because of a defect of the program", "the log shows where it failed"
        return Finding(CHECKS, text, math.nan, math.nan, "1", "", cause, remedy)

    @property
    def complete(self) -> bool:
        """Whether all checks were made."""
        return all(finding.subject != CHECKS for finding in self.findings)

    @property
    def refused(self) -> tuple[Finding, ...]:
        """Findings after which the results must not be used."""
        return tuple(finding for finding in self.findings if finding.grade == "refusal")
