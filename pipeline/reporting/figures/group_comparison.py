"""Curve figures of two groups of walks, or of both sides: means with spread, differences with confidence intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pipeline.analysis import Variable
from pipeline.reporting.figures.curves import GROUND, KINEMATICS, KINETICS, Rows
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, YAxis
from pipeline.reporting.figures.statistical_mapping import Difference, differences, mapping_row
from pipeline.signals import runs_of
from pipeline.trial import GaitSummary, GroupComparison

FIGURES: dict[str, tuple[Rows, int]] = {
    "Kinematics": (KINEMATICS, 3),
    "Kinetics": (KINETICS, 4),
    "Ground reaction": (GROUND, 3),
}
"""Figures of a page by their headings, with the number of panels in a row."""

MISSING = "not measured in both groups"


def names_of(both: GroupComparison) -> tuple[str, str]:
    """Names of the groups on pages."""
    return (both.first.side.capitalize(), both.second.side.capitalize()) if both.first.side else ("First", "Second")


def mapped(side: str, both: GroupComparison) -> tuple[Row, tuple[Difference, ...]]:
    """Student's t of second against first group for each tested curve of a side, and where it passes its threshold."""
    first, second = names_of(both)
    maps = both.maps_of(side)
    return mapping_row(maps, both.percent, second, first), differences(maps)


def line_styles(side: str, both: GroupComparison) -> tuple[str, str]:
    """Styles of the first and the second curve of a side; the first group is dashed, sides have their colours."""
    return both.pairs[0] if not side else ("first dashed", side)


def overlaid_panel(
    side: str, both: GroupComparison, first: GaitSummary, second: GaitSummary, variable: Variable
) -> Panel:
    """Both groups' means of a side with their standard deviations over cycles, and the second group's norm."""
    k = both.side_names.index(side)
    norm, norm_sd = second.norm_mean[variable.name], second.norm_sd[variable.name]
    bands = [Band(both.percent, norm - norm_sd, norm + norm_sd, "norm", "Norm ± 1 SD")]
    curves = []
    shown = zip(both.pairs[k], line_styles(side, both), names_of(both), (first, second), strict=True)
    for own_side, line, label, of in shown:
        mean, sd = of.mean[own_side][variable.name], of.sd[own_side][variable.name]
        bands.append(Band(both.percent, mean - sd, mean + sd, f"spread {line.split()[0]}"))
        if np.isfinite(mean).any():
            curves.append(Curve(both.percent, mean, line, label))
    return Panel(
        YAxis.of(variable),
        tuple(curves),
        tuple(band for band in bands if np.isfinite(band.low).any()),
        spans=tuple(("differs", *ends) for ends in clear_stretches(both, k, both.variable_names.index(variable.name))),
        missing=MISSING,
    )


def difference_panel(side: str, both: GroupComparison, variable: Variable) -> Panel:
    """Second minus first with the 95 % confidence interval at each percent of the cycle."""
    k, row = both.side_names.index(side), both.variable_names.index(variable.name)
    mean, half = both.difference[k, row], both.half_width[k, row]
    (_, more), style = names_of(both), both.pairs[k][1]
    axis = YAxis.of(variable)
    largest = 0.25 * (axis.high - axis.low)
    centred = replace(axis, low=-largest, high=largest, positive=f"{more} more", negative=f"{more} less")
    band = Band(both.percent, mean - half, mean + half, f"uncertain {style}", "95 %")
    return Panel(
        centred,
        (Curve(both.percent, mean, style, "Difference"),) if np.isfinite(mean).any() else (),
        (band,) if np.isfinite(band.low).any() else (),
        missing=MISSING,
    )


def clear_stretches(both: GroupComparison, side: int, row: int) -> Iterator[tuple[float, float]]:
    """Start and end of each interval of the cycle in which the difference's confidence interval excludes zero."""
    clear = np.abs(both.difference[side, row]) > both.half_width[side, row]
    for start, stop in runs_of(clear):
        yield float(both.percent[start]), float(both.percent[stop - 1])
