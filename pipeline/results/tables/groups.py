"""The tables of a comparison of two groups of walks, or of both sides: changes with their confidence intervals."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

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
        yield {**sides, "kind": one.kind, "parameter": one.name, **values, "unit": one.unit}


def _curves(both: GroupComparison) -> Iterator[Row]:
    unknown = np.full(len(both.percent), np.nan)
    for k, (side, (first, second)) in enumerate(zip(both.side_names, both.pairs, strict=True)):
        maps = both.maps_of(side)
        for row, (name, unit) in enumerate(zip(both.variable_names, both.variable_units, strict=True)):
            if np.isfinite(both.difference[k, row]).any():
                yield {
                    **{"first_side": first, "second_side": second, "variable": name, "unit": unit},
                    **{"percent": both.percent, "change": both.difference[k, row]},
                    **{"half_width": both.half_width[k, row], "t": maps[name].t if name in maps else unknown},
                }
