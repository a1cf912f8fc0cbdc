"""Whether walks that are averaged or compared are of different strides: one recording may be listed as two walks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

import numpy as np
from scipy.spatial import KDTree

from pipeline.conventions import SIDES
from pipeline.trial import GaitCycles, Note

SAME_STRIDE = 1e-3
"""Largest difference of the sagittal angles of hip, knee and ankle over one stride that was read twice, rad. It allows
for the digits of another format; two strides of one person differ by degrees."""

SHOWN = 4
"""Number of pairs of walks that the note names."""


def repeated_notes(walks: Mapping[str, GaitCycles]) -> Iterator[Note]:
    """A warning if walks have gait cycles in common, whose strides then count more than once."""
    shared: Counter[tuple[str, str]] = Counter()
    for side in SIDES:
        own = [(name, c.angles) for name, walk in walks.items() for c in walk.cycles if c.cycle.side == side]
        joints = [joint for joint in ("hip", "knee", "ankle") if all(joint in angles for _, angles in own)]
        every = [(name, np.ravel([angles[joint][:, 0] for joint in joints])) for name, angles in own]
        known = [(name, angles) for name, angles in every if np.isfinite(angles).all()]
        if known and joints:
            pairs = KDTree(np.array([angles for _, angles in known])).query_pairs(SAME_STRIDE, p=np.inf)
            shared.update((known[k][0], known[m][0]) for k, m in sorted(pairs) if known[k][0] != known[m][0])
    if shared:
        named = [f"{one} and {other} ({count})" for (one, other), count in shared.items()]
        more = f" and {len(named) - SHOWN} more pairs" if len(named) > SHOWN else ""
        text = (
            f"{', '.join(named[:SHOWN])}{more} have gait cycles in common (numbers in brackets; joint angles are equal "
            f"within {np.degrees(SAME_STRIDE):.2f} degrees), probably because one recording, or a copy of it, is in "
            "trials.tsv as two walks: its strides count twice in means, standard deviations and intervals; remove one "
            "row"
        )
        yield Note("warning", "walks", text)
