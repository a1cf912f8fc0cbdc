"""Findings of one cause as one: many lines hide the one that matters."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from pipeline.trial import Finding

FEWEST = 3
"""Findings from which on they are one; two name two places."""

_PLACE = re.compile(r"\b(left|right|hip|knee|ankle|heel|toe|inwards|outwards)\b|[\d.]+")
"""Words in which causes and remedies of one fault on several joints and sides differ."""


def grouped(findings: Iterable[Finding]) -> list[Finding]:
    """The findings, of those with the same grade, unit, cause and remedy the one farthest from zero, which names the
    others with their range."""
    groups: dict[tuple[str, ...], list[Finding]] = {}
    for finding in findings:
        same = (_PLACE.sub("", text) for text in (finding.cause, finding.remedy))
        groups.setdefault((finding.grade, finding.units, *same), []).append(finding)
    return [finding for own in groups.values() for finding in (own if len(own) < FEWEST else [_together(own)])]


def _together(findings: list[Finding]) -> Finding:
    worst = max(findings, key=lambda finding: abs(finding.value))
    others = dict.fromkeys(finding.subject for finding in findings if finding.subject != worst.subject)
    sizes = sorted(abs(finding.value) for finding in findings)
    unit = "" if worst.units == "1" else f" {worst.units}"
    text = f"{worst.text}; likewise {', '.join(others)} ({sizes[0]:.3g} to {sizes[-1]:.3g}{unit})"
    return replace(worst, text=text) if others else worst
