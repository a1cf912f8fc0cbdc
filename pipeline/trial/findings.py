"""Findings on the outcome of a walk: what is implausible, by how much, beyond which limit, why, and what to do."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

Grade = Literal["note", "warning", "refusal"]


@dataclass(frozen=True)
class Finding:
    """One implausible result.

    Attributes:
        grade: a note informs; a warning asks to check; after a refusal the results of the walk must not be used.
        subject: joint, marker, plate or quantity.
        text: what was found, with its value.
        value, limit: in ``units``; NaN where there is nothing to measure.
        source: where the limit comes from: a publication, or the walks that it was measured on.
        cause: the likely cause.
        remedy: what to do.
        residual: name in the file of limits; empty of a finding whose limit is not from there.
        moment_error: Nm/kg by which a joint's moment may be off for it; NaN where that is not known.
    """

    grade: Grade
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

    @property
    def sentence(self) -> str:
        """What a page says beside the subject."""
        unit = "" if self.units == "1" else f" {self.units}"
        limit = "" if math.isnan(self.limit) else f" (limit {self.limit:.3g}{unit})"
        off = "" if math.isnan(self.moment_error) else f"; moments may be off by {self.moment_error:.2g} Nm/kg"
        return f"{self.text}{limit}{off}, probably {self.cause}: {self.remedy}"


@dataclass(frozen=True)
class Findings:
    """All findings on a walk; none means that the checks were made and found nothing."""

    name: str
    subject: str
    findings: tuple[Finding, ...]

    @property
    def refused(self) -> tuple[Finding, ...]:
        """Those after which the results must not be used."""
        return tuple(finding for finding in self.findings if finding.grade == "refusal")
