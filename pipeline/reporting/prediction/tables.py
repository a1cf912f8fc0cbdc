"""Tables of predicted walks: agreement of the curves and parameters with a measured walk, and the solver's report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from pipeline.analysis import CLOSE_NRMSE, CLOSE_R, SIMILAR_R, VARIABLES, Graded, graded
from pipeline.reporting.numbers import number
from pipeline.trial import CurveAgreement, PredictedComparison, SolverReport, Violation

GROUPS = {
    "angles": "Joint angles",
    "moments": "Internal moments",
    "powers": "Joint powers",
    "forces": "Net joint forces",
    "ground": "Ground reaction",
    "speeds": "Points of the body",
}
"""Headings by the quantity of a variable."""

LIMITS = {"range_percent": f"{100 * CLOSE_NRMSE:.0f}", "close": f"{CLOSE_R:g}", "similar": f"{SIMILAR_R:g}"}
"""Limits of the grades, as stated in the caption of the tables."""

_GRADES = {
    "close": "close",
    "offset": "offset",
    "similar shape": "of similar shape",
    "different shape": "of different shape",
}
"""Grades in words, in the order in which they are listed."""

T = TypeVar("T")


@dataclass(frozen=True)
class CurveRow(Generic[T]):
    """One row of a table of curves; the first row of a group has its heading.

    Attributes:
        decimals: of values in the curve's units.
        of: contents of the row.
    """

    heading: str
    title: str
    units: str
    decimals: int
    of: T


def curve_rows(of: Mapping[str, T]) -> tuple[CurveRow[T], ...]:
    """A row for each variable in ``of``, in the order of the registry."""
    rows, last = [], ""
    for name in (name for name in VARIABLES if name in of):
        own = VARIABLES[name]
        group = GROUPS[own.quantity]
        rows.append(CurveRow(group if group != last else "", own.label, own.display_units, own.decimals, of[name]))
        last = group
    return tuple(rows)


def agreement_rows(rows: Sequence[CurveAgreement]) -> tuple[CurveRow[Graded], ...]:
    """RMSE, correlation and grade of every curve, as means over the rows of the curve."""
    return curve_rows({one.variable: one for one in graded(rows)})


@dataclass(frozen=True)
class Agreements:
    """How many curves agree with the measured walk, by grade.

    Attributes:
        sentence: the counts in words.
        poor: whether a quarter of the curves or more (a chosen limit) differ in shape.
    """

    sentence: str
    poor: bool


def agreements(rows: Sequence[CurveAgreement]) -> Agreements | None:
    """Agreement of the compared curves; None if there are none."""
    grades = [one.grade for one in graded(rows)]
    if not grades:
        return None
    counts = ", ".join(f"{grades.count(grade)} {words}" for grade, words in _GRADES.items() if grade in grades)
    return Agreements(f"of {len(grades)} curves, {counts}", 4 * grades.count("different shape") >= len(grades))


def measure_rows(both: PredictedComparison) -> tuple[CurveRow[dict[str, CurveAgreement]], ...]:
    """All measures, by side, of every curve that both walks have."""
    sides: dict[str, dict[str, CurveAgreement]] = {}
    for row in both.agreement:
        sides.setdefault(row.variable, {})[row.side] = row
    return curve_rows(sides)


def largest_violations_first(violations: Sequence[Violation]) -> list[Violation]:
    """Violations in descending order of their size relative to their tolerances."""
    return sorted(violations, key=lambda v: -max(v.nodes, v.dense) / v.tolerance)


def cadence_sentence(both: PredictedComparison) -> str:
    """A sentence on the predicted cadence, which follows from speed and step length, and the measured one."""
    found = next((p for p in both.parameters if p.name == "cadence"), None)
    if found is None:
        return ""
    apart = 100.0 * (found.predicted / found.measured - 1.0)
    return (
        f"Predicted cadence {number(found.predicted, 1)} steps/min, measured {number(found.measured, 1)} "
        f"({number(apart, 1)} %)."
    )


def solver_rows(solver: SolverReport) -> list[tuple[str, str]]:
    """Name and value of every entry of the solver's report."""
    return [
        ("Status", solver.ended),
        ("Started from", solver.start or "the translating neutral pose"),
        ("Iterations", str(solver.iterations)),
        ("Design variables", str(solver.variables)),
        ("Constraint rows", str(solver.constraints)),
        ("Active constraint rows", str(solver.active)),
        ("Largest violation at the nodes, of its tolerance", f"{solver.max_violation:.2g}"),
        ("Karush-Kuhn-Tucker residual, relative", f"{solver.optimality:.1e} (converged at 1e-3)"),
        *((f"Objective: {name}", f"{value:.4g}") for name, value in solver.objectives.items()),
        ("Residual of the whole-body equations of motion", f"{solver.balance:.1e} N, Nm"),
        (
            "Slip of the contact points, times load in body weights (at most 1), dense grid",
            f"{number(100.0 * solver.slip, 1)} cm/s",
        ),
        ("Height of the contact points, dense grid", f"{number(1000.0 * solver.lift, 1)} mm"),
        ("Smallest distance of the axes of the two legs, dense grid", f"{number(100.0 * solver.leg_distance, 1)} cm"),
        ("Smallest distance of hand and trunk's axis, dense grid", f"{number(100.0 * solver.hand_distance, 1)} cm"),
        (
            "Zero-moment point outside the support polygon, times load, dense grid",
            f"{number(1000.0 * solver.support, 1)} mm body weight",
        ),
        ("Largest torque over its limit, dense grid", f"{number(100.0 * solver.torque, 1)} %"),
        ("Net work of the ground on the feet in a step, dense grid", f"{number(solver.ground_work, 3)} J/kg"),
        ("Absolute work of the ground on the feet, dense grid", f"{number(solver.ground_work_absolute, 3)} J/kg"),
    ]
