"""Student's t along the gait cycle with its threshold: between sides, groups of walks, or predicted and measured."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import VARIABLES, mean_within
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, YAxis
from pipeline.reporting.prediction.tables import CurveRow, curve_rows
from pipeline.trial import PairedMap, PredictedSample, StatisticalMap


@dataclass(frozen=True)
class Difference:
    """An interval of the cycle in which curves differ: start and stop in percent, and its probability."""

    title: str
    start: float
    stop: float
    p: float


@dataclass(frozen=True)
class PairedTest:
    """A variable predicted against measured.

    Attributes:
        pairs: number of pairs.
        threshold: of t.
        least: the smallest mean difference that passes the threshold, in standard deviations of the pairs' differences.
        stretches: intervals where it is passed, with the mean difference there.
    """

    pairs: int
    threshold: float
    least: float
    stretches: tuple[tuple[Difference, float], ...]


@dataclass(frozen=True)
class PairedSection:
    """Several walks predicted against measured: figure, table, and for each reason the curves left out."""

    kind: str
    subject: str
    pairs: tuple[str, ...]
    row: Row
    rows: tuple[CurveRow[PairedTest], ...]
    left_out: tuple[tuple[str, str], ...]

    @property
    def fewest(self) -> int:
        """Smallest number of pairs of any variable."""
        return min(row.of.pairs for row in self.rows)


def mapping_row(maps: Mapping[str, StatisticalMap], percent: np.ndarray, up: str, down: str) -> Row:
    """A panel for each tested variable; ``up`` and ``down`` name what is larger where t is positive or negative."""
    axes = {name: YAxis(VARIABLES[name].label, "t", -6, 6, positive=up, negative=down) for name in maps}
    return Row("", tuple(map_panel(axes[name], found, percent) for name, found in maps.items()))


def differences(maps: Mapping[str, StatisticalMap]) -> tuple[Difference, ...]:
    """All intervals in which t is beyond its threshold."""
    return tuple(one for name, found in maps.items() for one in _stretches(name, found))


def paired_section(sample: PredictedSample, percent: np.ndarray) -> PairedSection:
    """The page's section on several walks, predicted against measured."""
    maps = {name: own.test for name, own in sample.maps.items()}
    return PairedSection(
        kind=sample.kind,
        subject=sample.subject,
        pairs=tuple(dict.fromkeys(pair for own in sample.maps.values() for pair in own.pairs)),
        row=mapping_row(maps, percent, "Predicted", "Measured"),
        rows=curve_rows({name: _paired_test(name, own) for name, own in sample.maps.items()}),
        left_out=tuple(
            (reason, ", ".join(VARIABLES[name].label for name, own in sample.left_out.items() if own == reason))
            for reason in dict.fromkeys(sample.left_out.values())
        ),
    )


def _paired_test(name: str, own: PairedMap) -> PairedTest:
    count = len(own.pairs)
    stretches = zip(_stretches(name, own.test), own.test.clusters, strict=True)
    return PairedTest(
        pairs=count,
        threshold=own.test.threshold,
        least=own.test.threshold / float(np.sqrt(count)),
        stretches=tuple((one, mean_within(own.difference, cluster)) for one, cluster in stretches),
    )


def _stretches(name: str, found: StatisticalMap) -> Iterator[Difference]:
    for cluster in found.clusters:
        yield Difference(VARIABLES[name].label, cluster.start, cluster.stop, cluster.p)


def map_panel(axis: YAxis, found: StatisticalMap, percent: np.ndarray) -> Panel:
    """Student's t over the cycle, its threshold, and the areas beyond it."""
    level, beyond = np.zeros_like(percent), np.abs(found.t) > found.threshold
    return Panel(
        axis,
        (
            Curve(percent, level + found.threshold, "threshold", "Threshold"),
            Curve(percent, level - found.threshold, "threshold"),
            Curve(percent, found.t, "total", "t"),
        ),
        (Band(percent, np.where(beyond, level, np.nan), np.where(beyond, found.t, np.nan), "beyond"),),
        missing="not compared",
    )
