"""What a predicted walk and a measured one have in common, as rows of tables and as sentences made from the numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pipeline.analysis.grades import GRADES, Graded, graded
from pipeline.analysis.variables import COMPARED_PARAMETERS, VARIABLES
from pipeline.reporting.trial.tables import number
from pipeline.trial import CurveAgreement, PredictedComparison

GROUPS = {
    "angles": "Joint angles",
    "moments": "Internal moments",
    "powers": "Joint powers",
    "ground": "Ground reaction",
}
"""Headings by what a variable is."""

T = TypeVar("T")


@dataclass(frozen=True)
class CurveRow(Generic[T]):
    """What a table tells of one curve; a group's first row has its heading.

    Attributes:
        decimals: of values in the curve's units.
    """

    heading: str
    title: str
    units: str
    decimals: int
    of: T


@dataclass(frozen=True)
class SharedRow:
    """A parameter of both walks."""

    title: str
    units: str
    decimals: int
    predicted: float
    measured: float


def curve_rows(of: Mapping[str, T]) -> tuple[CurveRow[T], ...]:
    """A row for each variable that has something, in the order of the variables."""
    rows, last = [], ""
    for name in (name for name in VARIABLES if name in of):
        own = VARIABLES[name]
        group = GROUPS[own.quantity]
        rows.append(CurveRow(group if group != last else "", own.label, own.display_units, own.decimals, of[name]))
        last = group
    return tuple(rows)


def agreement_rows(both: PredictedComparison) -> tuple[CurveRow[dict[str, CurveAgreement]], ...]:
    """Measures of every curve that both walks have, by side."""
    sides: dict[str, dict[str, CurveAgreement]] = {}
    for row in both.agreement:
        sides.setdefault(row.variable, {})[row.side] = row
    return curve_rows(sides)


def shared_rows(both: PredictedComparison) -> tuple[SharedRow, ...]:
    """Speed, step length and what else both walks have."""
    entries = [(COMPARED_PARAMETERS[p.name], p) for p in both.parameters]
    return tuple(SharedRow(e.label, e.display_units, e.decimals, p.predicted, p.measured) for e, p in entries)


def sentences(rows: Sequence[CurveAgreement]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """What agrees and what does not, best first: a heading that states its limits, and the curves under it."""
    found = graded(rows)
    told = ((text, tuple(_told(one) for one in found if one.grade == grade)) for grade, text in GRADES.items())
    return tuple((text, curves) for text, curves in told if curves)


def cadence_sentence(both: PredictedComparison) -> str:
    """How far the cadence that follows from speed and step length is from the measured one."""
    found = next((p for p in both.parameters if p.name == "cadence"), None)
    if found is None:
        return ""
    apart = 100.0 * (found.predicted / found.measured - 1.0)
    return (
        f"Cadence follows from speed and step length: {number(found.predicted, 1)} steps/min, measured "
        f"{number(found.measured, 1)} ({number(apart, 1)} %)."
    )


def _told(one: Graded) -> str:
    variable = VARIABLES[one.variable]
    units, decimals = variable.display_units, variable.decimals
    space = "" if units == "\N{DEGREE SIGN}" else " "
    numbers = f"RMSE {number(one.rmse, decimals)}{space}{units}, r {number(one.r, 2)}"
    if one.grade == "offset":
        numbers += f", offset {number(one.offset, decimals)}, {number(one.rmse_shape, decimals)} without"
    return f"{variable.label} ({numbers})"
