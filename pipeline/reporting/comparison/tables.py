"""The tables of a report of several groups of walks: values of each group and side with the norm, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import PARAMETERS, PROFILE, VARIABLES, ReportedFeature, reported_features
from pipeline.config import ParameterNorm
from pipeline.conventions import SIDES
from pipeline.reporting.clinical.paper import estimated_words
from pipeline.reporting.comparison.groups import ReportedGroup
from pipeline.reporting.numbers import with_sd


@dataclass(frozen=True)
class ValueRow:
    """One quantity.

    Attributes:
        name: with its units.
        norm: mean, with standard deviation if known; empty without a norm.
        cells: by side, and within a side by group; empty if a group has no value.
    """

    name: str
    norm: str
    cells: tuple[str, ...]


@dataclass(frozen=True)
class ValueTable:
    """Rows under a heading; rows without any value are left out."""

    heading: str
    rows: tuple[ValueRow, ...]


def value_tables(
    groups: Sequence[ReportedGroup],
    features: Sequence[tuple[str, str, str]],
    parameter_norm: ParameterNorm | None = None,
) -> tuple[ValueTable, ...]:
    """Spatiotemporal parameters, scores and chosen features of all groups.

    Args:
        groups: in the order of the columns.
        features: statistic, curve and phase of each.
        parameter_norm: norm of the spatiotemporal parameters; None without one.
    """
    about = f" (norm: {parameter_norm.about})" if parameter_norm else ""
    tables = (
        ValueTable(f"Spatiotemporal parameters{about}", tuple(_parameters(groups, parameter_norm))),
        ValueTable("Gait Profile Score and Movement Analysis Profile (°)", tuple(_scores(groups))),
        ValueTable("Features of curves, mean of the cycles", tuple(_features(groups, features))),
    )
    known = (ValueTable(t.heading, tuple(row for row in t.rows if any(row.cells))) for t in tables)
    return tuple(table for table in known if table.rows)


def _parameters(groups: Sequence[ReportedGroup], norm: ParameterNorm | None) -> Iterator[ValueRow]:
    for name, parameter in PARAMETERS.items():
        cells = [
            _cell(own.parameter_mean[side][name], own.parameter_sd[side][name], parameter.decimals) if own else ""
            for side in SIDES
            for own in (group.summary for group in groups)
        ]
        own = norm.values.get(name) if norm else None
        shown = _cell(*own, parameter.decimals) if own else ""
        yield ValueRow(f"{parameter.label} ({parameter.display_units})", shown, tuple(cells))


def _scores(groups: Sequence[ReportedGroup]) -> Iterator[ValueRow]:
    last = next((group.summary for group in reversed(groups) if group.summary), None)
    if last is None:
        return
    of_groups = [group.summary for group in groups]
    cells = [_cell(own.gps[side]) if own else "" for side in SIDES for own in of_groups]
    yield ValueRow("Gait Profile Score", _cell(last.norm_gps), tuple(cells))
    for name in PROFILE:
        cells = [_cell(own.profile[side][name]) if own else "" for side in SIDES for own in of_groups]
        yield ValueRow(VARIABLES[name].title, _cell(last.norm_profile[name]), tuple(cells))


def _features(groups: Sequence[ReportedGroup], chosen: Sequence[tuple[str, str, str]]) -> Iterator[ValueRow]:
    of_groups = [
        reported_features(group.cycles, group.summary, chosen) if group.cycles and group.summary else None
        for group in groups
    ]
    estimated = estimated_words(group.summary for group in groups)
    for number_, (statistic, name, phase) in enumerate(chosen):
        variable = VARIABLES[name]
        found: list[ReportedFeature | None] = [own[number_] if own else None for own in of_groups]
        cells = [
            _cell(own.values[k], own.sds[k], variable.decimals) if own else ""
            for k in range(len(SIDES))
            for own in found
        ]
        norm = next((own.norm for own in reversed(found) if own), float("nan"))
        label = feature_label(statistic, name, phase, estimated)
        yield ValueRow(f"{label} ({variable.display_units})", _cell(norm, decimals=variable.decimals), tuple(cells))


def feature_label(statistic: str, name: str, phase: str, estimated: str) -> str:
    """Label of a feature of a curve in reports; one of loads ends in the words on ``estimated`` steps."""
    mixed = estimated if VARIABLES[name].is_kinetic else ""
    return f"{VARIABLES[name].label}, {SHORT[statistic]} in {phase.replace('_', ' ')}{mixed}"


SHORT = {"minimum": "min.", "maximum": "max.", "range": "range", "mean": "mean"}


def _cell(value: float, sd: float = float("nan"), decimals: int = 1) -> str:
    return with_sd(value, sd, decimals) if np.isfinite(value) else ""
