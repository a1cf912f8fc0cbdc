"""Findings with the same cause combined into one: many lines hide the one that matters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pipeline.trial import Finding

FEWEST = 3
"""Number of findings from which on they are combined; two name two places."""

_PLATE = re.compile(r"plate \d+")

_PLACE = re.compile(r"\b(left|right|hip|knee|ankle|heel|toe|inwards|outwards)\b|[\d.]+")
"""Words in which the causes and remedies of one fault differ between joints and sides."""


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """The findings; of those with the same grade, unit, cause and remedy, the one farthest from zero, which names the
    others with their range."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        same = (_PLACE.sub("", text) for text in (finding.cause, finding.remedy))
        groups.setdefault((finding.grade, finding.units, *same), []).append(finding)
    of_causes = [finding for own in groups.values() for finding in (own if len(own) < FEWEST else [_together(own)])]
    return _by_plate(of_causes)


def _by_plate(findings: list[Finding]) -> list[Finding]:
    """The findings; of the residuals of one plate with the same grade, the one that changes the moments most, which
    names the others."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for k, finding in enumerate(findings):
        plate = _PLATE.match(finding.subject) if finding.residual else None
        groups.setdefault((finding.grade, plate[0]) if plate else (str(k),), []).append(finding)
    return [_of_plate(own) if len(own) > 1 else own[0] for own in groups.values()]


def _of_plate(findings: list[Finding]) -> Finding:
    worst = max(findings, key=lambda finding: finding.moment_error if finding.moment_error > 0.0 else 0.0)
    others = dict.fromkeys(_short(finding) for finding in findings if finding is not worst)
    return replace(worst, text=f"{worst.text}; it also stands out in {', '.join(others)}")


def _short(finding: Finding) -> str:
    unit = "" if finding.units == "1" else f" {finding.units}"
    return f"{finding.residual.partition(' by the body')[0].partition(', ')[0]} ({finding.value:.3g}{unit})"


def _together(findings: list[Finding]) -> Finding:
    worst = max(findings, key=lambda finding: abs(finding.value))
    others = dict.fromkeys(finding.subject for finding in findings if finding.subject != worst.subject)
    sizes = sorted(abs(finding.value) for finding in findings)
    unit = "" if worst.units == "1" else f" {worst.units}"
    text = f"{worst.text}; likewise {', '.join(others)} ({sizes[0]:.3g} to {sizes[-1]:.3g}{unit})"
    return replace(worst, text=text) if others else worst
