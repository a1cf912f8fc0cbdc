"""Labels of all markers in static trial and walk, from distances between markers that keep them over the walk."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from pipeline.trial import Finding, MarkersAndPlates

MAX_DISTANCE = 0.45
"""m; only markers nearer to each other than this in the static trial can belong to one segment."""

MAX_VARIATION = 0.006
"""m; standard deviation over a walk of the distance between two markers of one segment, soft tissue included."""

MAX_CHANGE = 0.015
"""m; mean change of a marker's distances to its segment that no soft tissue explains."""

MAX_MEDIAN_CHANGE = 0.008
"""m; median change of those distances: below 3 mm on published trials, above 15 mm with another person's static."""

FRAMES = 100
"""Number of evenly spaced frames of a recording, or up to twice as many, over which mean and spread of a distance are
taken."""

_MIN_PAIRS = 6


def static_labels(static: MarkersAndPlates, walk: MarkersAndPlates) -> Iterator[Finding]:
    """Warnings about a static trial of another body, or otherwise about pairs of markers with swapped labels.

    Distances between markers that keep their distance over the walk are compared with those in the static trial. A pair
    is named if the distances of both markers differ by more than `MAX_CHANGE`, and by less than half of that when
    swapped.
    """
    names = [name for name in static.marker_names if name in walk.marker_names]
    in_static = _distances(static, names)[0]
    mean, spread = _distances(walk, names)
    partners = (spread < MAX_VARIATION) & (in_static < MAX_DISTANCE)
    np.fill_diagonal(partners, False)
    change = np.abs(mean - in_static)[np.triu(partners)]
    if len(change) >= _MIN_PAIRS and np.median(change) > MAX_MEDIAN_CHANGE:
        median = 1000.0 * float(np.median(change))
        yield Finding(
            subject=f"static trial {static.name}",
            text=f"distances between markers of one segment differ by {median:.0f} mm (median) from those in "
            f"{walk.name}",
            value=median,
            limit=1000.0 * MAX_MEDIAN_CHANGE,
            units="mm",
            source="below 3 mm on published trials, above 15 with another person's static trial",
            cause="because it shows another person, other marker placements or other units",
            remedy="correct 'static' in trials.tsv",
        )
        return
    for a, b in combinations(range(len(names)), 2):
        both = partners[a] & partners[b]
        if both.sum() < 3 or not partners[a, b]:
            continue
        as_named = np.mean([np.abs(mean[a, both] - in_static[a, both]), np.abs(mean[b, both] - in_static[b, both])])
        swapped = np.mean([np.abs(mean[a, both] - in_static[b, both]), np.abs(mean[b, both] - in_static[a, both])])
        if as_named > MAX_CHANGE and swapped < 0.5 * MAX_CHANGE:
            yield Finding(
                subject=f"markers {names[a]} and {names[b]}",
                text=f"distances to their neighbours differ by {1000 * as_named:.0f} mm between {static.name} and "
                f"{walk.name} as labelled, by {1000 * swapped:.0f} mm if swapped",
                value=1000.0 * float(as_named),
                limit=1000.0 * MAX_CHANGE,
                units="mm",
                source="published trials",
                cause="because their labels are swapped in one of them",
                remedy="correct the labels",
            )


def _distances(trial: MarkersAndPlates, names: list[str]) -> tuple[np.ndarray, np.ndarray]:
    """Mean and standard deviation (K, K) m of the distances between markers, over the frames in which both are seen."""
    every = max(1, len(trial.time) // FRAMES)
    positions = np.stack([trial.marker(name)[::every] for name in names], axis=1)
    distances = np.full((2, len(names), len(names)), np.nan)
    for k in range(len(names)):
        apart = np.linalg.norm(positions - positions[:, k : k + 1], axis=2)
        seen = np.isfinite(apart)
        count = np.maximum(seen.sum(axis=0), 1)
        mean = np.where(seen, apart, 0.0).sum(axis=0) / count
        variance = np.where(seen, (apart - mean) ** 2, 0.0).sum(axis=0) / count
        distances[:, k] = np.where(seen.any(axis=0), [mean, np.sqrt(variance)], np.nan)
    return distances[0], distances[1]
