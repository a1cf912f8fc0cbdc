"""The tables of a comparison of two groups of walks, or of both sides: changes with their confidence intervals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from pipeline.analysis import CYCLE_VARIABLES
from pipeline.results.tables.frames import Row, frame
from pipeline.trial import GroupComparison


def group_tables(both: GroupComparison) -> dict[str, pd.DataFrame]:
    """The rows of a comparison by table."""
    groups = {
        f"{which}_{name}": getattr(group, name)
        for which, group in (("first", both.first), ("second", both.second))
        for name in ("session", "condition")
    }
    who = {"subject": both.subject, "comparison": both.name, **groups}
    return {
        "study_comparisons": frame("study_comparisons", _scalars(both), **who),
        "study_comparison_curves": frame("study_comparison_curves", _curves(both), **who),
    }


def _scalars(both: GroupComparison) -> Iterator[Row]:
    for one in both.scalars:
        numbers = ("first", "second", "change", "half_width", "first_sd", "second_sd")
        values = {name: getattr(one, name) for name in numbers}
        sides = {"first_side": one.side or both.first.side, "second_side": one.side or both.second.side}
        curve = one.name.split()[1] if one.kind == "feature" else ""
        counts = _estimated(both, curve, *sides.values())
        yield {**sides, "kind": one.kind, "parameter": one.name, **values, "unit": one.unit, **counts}


def _estimated(both: GroupComparison, curve: str, first: str, second: str) -> Row:
    """Numbers of cycles of both sides with estimated loads, if the curve is one of loads."""
    kinetic = curve in CYCLE_VARIABLES and CYCLE_VARIABLES[curve].is_kinetic
    counts = both.first.estimated.get(first, 0), both.second.estimated.get(second, 0)
    return {f"{which}_estimated": kinetic * n for which, n in zip(("first", "second"), counts, strict=True)}


def _curves(both: GroupComparison) -> Iterator[Row]:
    unknown = np.full(len(both.percent), np.nan)
    for k, (side, (first, second)) in enumerate(zip(both.side_names, both.pairs, strict=True)):
        maps = both.maps_of(side)
        for row, (name, unit) in enumerate(zip(both.variable_names, both.variable_units, strict=True)):
            if np.isfinite(both.difference[k, row]).any():
                yield {
                    **{"first_side": first, "second_side": second, "variable": name, "unit": unit},
                    **_estimated(both, name, first, second),
                    **{"percent": both.percent, "change": both.difference[k, row]},
                    **{"half_width": both.half_width[k, row], "t": maps[name].t if name in maps else unknown},
                }
