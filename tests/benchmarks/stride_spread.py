"""Spread of single strides about a person's mean: ``python -m tests.benchmarks.stride_spread [--write]``.

For each curve over the gait cycle on the reference walks: the spread of strides about the mean of their walk and, for
people with two walks in one recording session, the spread of such means; plates that are known to be wrong are left
out. Means of two walks of a person are then judged by the spread of all other persons: errors of body and plates are
the same in both, so only strides, marker noise and soft tissue distinguish them. With --write the file
`config/stride_spread.json` is replaced.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.ndimage import uniform_filter1d

from pipeline.analysis import gait_cycles
from pipeline.conventions import SIDES
from pipeline.errors import PipelineError
from pipeline.uncertainty.recorded_walk import VARIABLES
from pipeline.uncertainty.strides import SHIPPED, StrideSpread
from tests.benchmarks.reference_walks import PLATES, ReferenceWalk, compute, recordings, reference_walks

QUANTILE = 1.96
"""Half width of a 95 % band over the standard deviation."""

SMOOTHED = 11
"""Percents over which variances are averaged, since those of a few people vary between percents."""


@dataclass(frozen=True)
class Strides:
    """Strides of one side in a walk: curves (C, V, 101) in reported units, NaN where a stride has none."""

    laboratory: str
    person: str
    walk: str
    side: str
    curves: np.ndarray

    @property
    def mean(self) -> np.ndarray:
        """Mean curves (V, 101)."""
        count = np.isfinite(self.curves).sum(axis=0)
        return np.nansum(self.curves, axis=0) / np.where(count, count, np.nan)


def strides_of(walk: ReferenceWalk) -> Iterator[Strides]:
    """Strides of each side."""
    try:
        computed = compute(walk, recordings(walk))
    except PipelineError:
        return
    cycles = gait_cycles(computed.motion, computed.loads).cycles
    for side in SIDES:
        own = [[variable.of(cycle) for variable in VARIABLES.values()] for cycle in cycles if cycle.cycle.side == side]
        if own:
            curves = np.array(own)
            if set(PLATES) & set(walk.affected):
                curves[:, [variable.quantity != "angles" for variable in VARIABLES.values()]] = np.nan
            yield Strides(walk.laboratory, walk.person, walk.name, side, curves)


def spread_of(strides: Sequence[Strides]) -> tuple[StrideSpread, np.ndarray]:
    """Spread of single strides about the mean of their walk, and of such means about the person's, and the degrees of
    freedom (V, 101) of the first.

    The difference of the means of two walks, of n and m strides, has the variance 2 b² + s² (1 / n + 1 / m).
    """
    squares, freedom = np.zeros((len(VARIABLES), 101)), np.zeros((len(VARIABLES), 101))
    for one in strides:
        count = np.isfinite(one.curves).sum(axis=0)
        squares += np.nansum((one.curves - one.mean) ** 2, axis=0)
        freedom += np.maximum(count - 1, 0)
    stride = squares / np.maximum(freedom, 1)
    between = [(difference**2 - stride * inverse) / 2.0 for _, _, difference, inverse in differences(strides)]
    known = np.isfinite(between)
    walk = np.where(known, between, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
    smoothed = [uniform_filter1d(np.maximum(part, 0.0), SMOOTHED, axis=-1, mode="nearest") for part in (stride, walk)]
    parts = [np.sqrt(np.maximum(part, 0.0)) for part in smoothed]  # of running sums, which rounding leaves below zero
    return StrideSpread(*(dict(zip(VARIABLES, part, strict=True)) for part in parts)), freedom


def differences(strides: Sequence[Strides]) -> Iterator[tuple[str, str, np.ndarray, np.ndarray]]:
    """Person and side, difference (V, 101) of the means of two walks of theirs, and the sum of their 1 / n."""
    for k, first in enumerate(strides):
        for second in strides[k + 1 :]:
            if (first.person, first.side) == (second.person, second.side):
                inverse = sum(1.0 / np.maximum(np.isfinite(one.curves).sum(axis=0), 1) for one in (first, second))
                yield first.person, first.side, second.mean - first.mean, inverse


def scores(strides: Sequence[Strides]) -> np.ndarray:
    """Differences (P, V, 101) of the means of two walks over their standard deviation by the other persons' walks."""
    found = []
    for person, _, difference, inverse in differences(strides):
        spread, _ = spread_of([s for s in strides if s.person != person])
        stride, walk = (np.array(list(part.values())) for part in (spread.stride, spread.walk))
        found.append(difference / np.sqrt(2.0 * walk**2 + stride**2 * inverse))
    return np.array(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="replace config/stride_spread.json")
    options = parser.parse_args()
    strides = [one for walk in reference_walks() for one in strides_of(walk)]
    spread, freedom = spread_of(strides)
    judged = scores(strides)
    persons = {s.person for s in strides}
    print(f"{len({s.walk for s in strides})} walks of {len(persons)} people; {len(judged)} pairs of walks and sides")
    print("| curve | of strides | of walks | strides less means | inside, % | pairs |\n|---|---|---|---|---|---|")
    for v, (name, variable) in enumerate(VARIABLES.items()):
        known = np.isfinite(judged[:, v])
        inside = 100.0 * np.mean(np.abs(judged[:, v][known]) <= QUANTILE)
        sizes = [f"{np.sqrt(np.mean(part[name] ** 2)):.2g} {variable.units}" for part in (spread.stride, spread.walk)]
        pairs = int(known.any(axis=1).sum())
        print(f"| {name} | {' | '.join(sizes)} | {freedom[v, 50]:.0f} | {inside:.0f} | {pairs} |")
    print(f"all: {100.0 * np.mean(np.abs(judged[np.isfinite(judged)]) <= QUANTILE):.1f} % inside")
    if options.write:
        source = {
            "source": "python -m tests.benchmarks.stride_spread --write",
            "walks": len({s.walk for s in strides}),
            "people": len(persons),
            "laboratories": len({s.laboratory for s in strides}),
        }
        parts = {
            of: {name: [float(f"{x:.3g}") for x in row] for name, row in part.items()}
            for of, part in (("stride", spread.stride), ("walk", spread.walk))
        }
        text = json.dumps(source | parts, indent=1).replace(",\n   ", ", ").replace("[\n   ", "[").replace("\n  ]", "]")
        SHIPPED.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
