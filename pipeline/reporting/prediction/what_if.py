"""Texts and tables of a what-if case: the changes, the limits that are reached, and both walks compared."""

from __future__ import annotations

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, MAIN, curve_agreement
from pipeline.errors import some_of
from pipeline.reporting.numbers import number
from pipeline.reporting.prediction.tables import CurveRow, curve_rows
from pipeline.trial import ActiveLimit, SolverReport, WhatIfReport

OF_THE_BODY = ("vertical force limit", "joint limits", "torque limits", "minimum knee flexion", "pelvis orientation")
"""Constraints whose limits are named in the sentence, in this order; the table of the solver's report has all."""

UPPER_BODY = ("spine", "neck", "shoulder", "elbow", "wrist", "clavicle")
"""Words in the names of joints whose limits are only in the table."""

SHOWN = 6
"""Maximum number of limits in the sentence."""


Extremes = dict[str, dict[str, tuple[float, float]]]
"""Minimum and maximum of a curve by walk ("unchanged" or "changed") and side."""


def main_changes(what_if: WhatIfReport) -> tuple[float, ...]:
    """Root mean square change of each curve of `MAIN` over both sides; NaN if there is none."""
    return tuple(_change(what_if, name) for name in MAIN)


def cost_change(what_if: WhatIfReport) -> float:
    """Change of the objective per metre against the same subject's predicted walk without the changes, %."""
    return 100.0 * (what_if.cost / what_if.unchanged_cost - 1.0)


def _change(what_if: WhatIfReport, name: str) -> float:
    if name not in what_if.variable_names:
        return float("nan")
    row = what_if.variable_names.index(name)
    sides = [
        curve_agreement(what_if.percent, changed[row], unchanged[row]).rmse
        for changed, unchanged in zip(what_if.changed, what_if.unchanged, strict=True)
    ]
    return float(np.sqrt(np.mean(np.square(sides))))


def limit_rows(solver: SolverReport) -> list[tuple[str, str, str, str]]:
    """All limits that the walk reaches, in descending order of the share of nodes at which it does.

    Each has its title, bound, value, and number of nodes.
    """
    ordered = sorted(solver.active_limits, key=lambda limit: -limit.nodes / limit.of)
    return [(_title(one), one.bound, _value(one), f"{one.nodes} of {one.of}") for one in ordered]


def limit_sentence(solver: SolverReport) -> str:
    """A sentence on the limits of pelvis, legs and feet that the walk reaches; empty if it reaches none."""
    own = [
        limit
        for limit in solver.active_limits
        if limit.constraint.endswith(OF_THE_BODY) and not any(word in limit.component for word in UPPER_BODY)
    ]
    own.sort(key=lambda limit: (_rank(limit), -limit.nodes / limit.of))
    if not own:
        return ""
    named = [f"{_title(one)} {_value(one)} ({100 * one.nodes / one.of:.0f} % of the time)" for one in own]
    return f"Limits reached: {some_of(named, SHOWN)}."


def cost_sentence(what_if: WhatIfReport) -> str:
    """A sentence on the change of the objective per metre between both walks."""
    return f"The objective per metre changes by {number(cost_change(what_if), 0)} %."


def extreme_rows(what_if: WhatIfReport) -> tuple[CurveRow[Extremes], ...]:
    """Minimum and maximum of the main curves in both walks."""
    found = {}
    for name in (name for name in CYCLE_VARIABLES if name in MAIN):
        row = what_if.variable_names.index(name)
        found[name] = {
            walk: {
                side: (float(np.nanmin(own[row])), float(np.nanmax(own[row])))
                for side, own in zip(what_if.side_names, curves, strict=True)
            }
            for walk, curves in (("unchanged", what_if.unchanged), ("changed", what_if.changed))
        }
    return curve_rows(found)


def _rank(limit: ActiveLimit) -> int:
    return next(place for place, name in enumerate(OF_THE_BODY) if limit.constraint.endswith(name))


def _title(limit: ActiveLimit) -> str:
    component = limit.component.replace("_", " ")
    if limit.constraint == "joint limits":
        return component
    if limit.constraint == "torque limits":
        return f"torque of {component}"
    if limit.constraint == "pelvis orientation":
        return f"pelvic {component}"
    if limit.constraint == "minimum knee flexion":
        return f"minimum {component}"
    return f"{limit.constraint}, {component}" if component else limit.constraint


def _value(limit: ActiveLimit) -> str:
    if limit.constraint == "torque limits":
        return "at its limit"
    if limit.unit == "rad":
        return f"{number(float(np.degrees(limit.value)), 0)}\N{DEGREE SIGN}"
    unit = limit.unit.replace("^2", "\N{SUPERSCRIPT TWO}")
    return f"{limit.value:.3g} {unit}".strip()
