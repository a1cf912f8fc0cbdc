"""What a predicted walk and a measured one have in common, as rows of tables and as sentences made from the numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pipeline.comparison.grades import GRADES, Graded, graded
from pipeline.comparison.variables import VARIABLES
from pipeline.comparison.walk_parameters import SHARED
from pipeline.reporting.scales import SCALES
from pipeline.reporting.tables import number
from pipeline.trial import CurveAgreement, PredictedComparison

GROUPS = {
    "angles": "Joint angles",
    "moments": "Internal moments",
    "powers": "Joint powers",
    "ground": "Ground reaction",
}
"""Headings by what a variable is."""

DECIMALS = {"deg": 1, "Nm/kg": 2, "W/kg": 2, "%BW": 1, "m/s": 2, "m": 3, "steps/min": 1, "% of cycle": 1}
PARAMETER_UNITS = {"deg": "\N{DEGREE SIGN}"}


@dataclass(frozen=True)
class AgreementRow:
    """How near one predicted curve is to the measured ones, by side; a group's first row has its heading."""

    heading: str
    title: str
    units: str
    decimals: int
    sides: dict[str, CurveAgreement]


@dataclass(frozen=True)
class SharedRow:
    """A parameter of both walks."""

    title: str
    units: str
    decimals: int
    predicted: float
    measured: float


def agreement_rows(both: PredictedComparison) -> tuple[AgreementRow, ...]:
    """Measures of every curve that both walks have."""
    rows, last = [], ""
    for name, variable in VARIABLES.items():
        sides = {row.side: row for row in both.agreement if row.variable == name}
        if sides:
            group = GROUPS[variable.quantity]
            title, units = title_of(name)
            rows.append(AgreementRow(group if group != last else "", title, units, DECIMALS[variable.units], sides))
            last = group
    return tuple(rows)


def shared_rows(both: PredictedComparison) -> tuple[SharedRow, ...]:
    """Speed, step length and what else both walks have."""
    return tuple(
        SharedRow(SHARED[p.name][0], PARAMETER_UNITS.get(p.unit, p.unit), DECIMALS[p.unit], p.predicted, p.measured)
        for p in both.parameters
    )


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


def title_of(name: str) -> tuple[str, str]:
    """Title and units of a variable, as figures have them where they show it."""
    scale = SCALES.get(name)
    if scale is None:
        units = VARIABLES[name].units
        return name.replace("_", " ").capitalize(), PARAMETER_UNITS.get(units, units)
    title = f"{scale.title} ground reaction" if VARIABLES[name].quantity == "ground" else scale.title
    return title, scale.units


def _told(one: Graded) -> str:
    title, units = title_of(one.variable)
    decimals = DECIMALS[VARIABLES[one.variable].units]
    space = "" if units == "\N{DEGREE SIGN}" else " "
    numbers = f"RMSE {number(one.rmse, decimals)}{space}{units}, r {number(one.r, 2)}"
    if one.grade == "offset":
        numbers += f", offset {number(one.offset, decimals)}, {number(one.rmse_shape, decimals)} without"
    return f"{title} ({numbers})"
