"""Provenance shown on every page: study, inputs, configuration, versions and run information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.config.reference import setting_units

SETTING_UNITS = {path: unit for path, unit in setting_units() if unit != "1"}
"""Units of the settings that have a unit, by dotted path."""

UNCONFIRMED = "its labels were guessed and nobody has checked them. Check them against your protocol, then run:"
"""Note on drafted marker sets, after their names; the command that confirms them is appended."""


@dataclass(frozen=True)
class ComparisonLink:
    """A comparison of two groups of walks: subject, session and name, the groups as text, and the page's address.

    The address is relative to the study's page.
    """

    subject: str
    session: str
    name: str
    first: str
    second: str
    page: str


@dataclass(frozen=True)
class ReportRun:
    """Provenance of a page.

    Attributes:
        title: name of the study.
        inputs: SHA-256 by the name of the input file.
        configuration: nested sections as in config.yaml, with defaults filled in.
        versions: of the program and its libraries, by name.
        index: address of the study's page relative to the reports' folder; empty for no link.
        remarks: on the trial, from the study's table.
        predictions: rows of the predictions, for the study's page.
        comparisons: of groups of walks, for the study's page.
        facts: run information by name, such as dates, times and machine, which varies between runs.
        top: address of the reports' folder relative to the page; empty if the page is in that folder.
        subject, session, condition: of a page of a session.
        person: labels and texts on the subject and the day of the session, from the study's tables.
        unconfirmed: marker sets in use whose labels nobody has checked.
        average: address, relative to the reports' folder, of the page of its condition's averages; empty for no link.
    """

    title: str
    inputs: Mapping[str, str] = field(default_factory=dict)
    configuration: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    index: str = ""
    remarks: str = ""
    predictions: tuple[Any, ...] = ()
    comparisons: tuple[ComparisonLink, ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    top: str = ""
    subject: str = ""
    session: str = ""
    condition: str = ""
    average: str = ""
    person: tuple[tuple[str, str], ...] = ()
    unconfirmed: tuple[str, ...] = ()


def setting(configuration: Mapping[str, Any], path: str) -> Any:
    """Value at a dotted path such as "filter.markers"; None if it is not given."""
    value: Any = configuration
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def flat(configuration: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    """Dotted paths, and values as text with their units, in the configuration's order."""
    rows: list[tuple[str, str]] = []
    for key, value in configuration.items():
        path = f"{above}.{key}" if above else str(key)
        if isinstance(value, Mapping) and value:
            rows += flat(value, path)
        else:
            unit = SETTING_UNITS.get(path, "") if value is not None else ""
            rows.append((path, f"{_as_text(value)} {unit}".rstrip()))
    return rows


def _as_text(value: Any) -> str:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        return "none"
    if isinstance(value, (list, tuple)):
        return ", ".join(_as_text(item) for item in value) or "none"
    return str(value)
