"""Provenance shown on every page: study, inputs, configuration, versions and run information."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pipeline.config.reference import setting_units

SETTING_UNITS = {path: unit for path, unit in setting_units() if unit != "1"}
"""Units of the settings that have one, by dotted path."""

UNCONFIRMED = "its labels were guessed and nobody has checked them. Compare them with the laboratory's protocol, then:"
"""Of a marker set that was drafted; the command that confirms it follows."""


@dataclass(frozen=True)
class ComparisonLink:
    """A comparison of two groups of walks: whose, the groups as text, and the address from the study's page."""

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
        index: address of the study's page from the reports' folder, empty for no link.
        remarks: of the trial, from the study's table.
        predictions: rows of the predictions, for the study's page.
        comparisons: of groups of walks, for the study's page.
        facts: run information by name: dates, times and machine, which vary between runs.
        top: address of the reports' folder from the page written, empty where the page is in it.
        subject, session, condition: of a page of a session.
        person: label and text of what the tables say of the subject and the session's day.
        unconfirmed: marker sets in use whose labels nobody has checked.
        average: address of the page of its condition's averages from the reports' folder, empty for no link.
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

    @property
    def unconfirmed_note(self) -> str:
        """What every page and report says of these marker sets, after their names; empty where there are none."""
        return UNCONFIRMED if self.unconfirmed else ""


def setting(configuration: Mapping[str, Any], path: str) -> Any:
    """Value at a dotted path such as "filter.markers"; None where it is not given."""
    value: Any = configuration
    for key in path.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def flat(configuration: Mapping[str, Any], above: str = "") -> list[tuple[str, str]]:
    """Dotted paths and values as text with their units, in the configuration's order."""
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
