"""Heights of heel and toe markers while they are stationary, against the static trial, to find markers that were moved.

The toe marker has the same height whenever the forefoot is flat, also for a toe walker; a heel marker may be higher in
walking, but not lower.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from pipeline.analysis import belts_of
from pipeline.anatomy import MarkerSet
from pipeline.conventions import Y
from pipeline.plausibility.distances import labels_of
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.signals import belt_travel, runs_of
from pipeline.trial import Finding, Kinematics, MarkersAndPlates

STATIONARY = 0.1
"""m/s, over a treadmill's belt too, below which a marker is stationary."""

MAX_CHANGE = 10.0
"""mm: at most 5 on four measured and synthetic walks."""

UNEVEN = 20.0
"""mm by which the heights of one marker differ from step to step if the floor is not level, as on a ramp or on stairs;
they then say nothing about the marker. At most 12 in nine of ten measured walks."""

_MIN_TIME, _MIN_REST = 0.1, 0.05
"""s of all stationary frames, and of those of one step."""


SAME = 10.0
"""mm within which the changes of all markers of both feet count as one change, that of the floor."""


def foot_heights(kinematics: Kinematics, static: MarkersAndPlates, marker_set: MarkerSet) -> Iterator[Finding]:
    """Heel and toe markers whose height in stance differs from that in standing."""
    changes = dict(_changes(kinematics, static, marker_set))
    sizes = [change for change, _ in changes.values()]
    if len(sizes) > 2 and min(map(abs, sizes)) > MAX_CHANGE and max(sizes) - min(sizes) < SAME:
        yield _floor(float(np.median(sizes)), static.name)
        return
    for (side, part), (change, labels) in changes.items():
        if change < -MAX_CHANGE or (change > MAX_CHANGE and part == "toe"):
            level = "higher" if change > 0.0 else "lower"
            yield FindingWithError(
                subject=f"{side} {part}",
                text=f"its marker is {abs(change):.0f} mm {level} in stance than in {static.name}",
                value=change,
                limit=math.copysign(MAX_CHANGE, change),
                units="mm",
                source="four measured and synthetic walks",
                cause="because it was moved after the static trial",
                remedy="check its placement in both trials: ankle angles depend on it",
                error=BodyError({label: 0.001 * change * np.eye(3)[Y] for label in labels}),
            )


def _changes(
    kinematics: Kinematics, static: MarkersAndPlates, marker_set: MarkerSet
) -> Iterator[tuple[tuple[str, str], tuple[float, Sequence[str]]]]:
    """For each foot marker seen in both trials: side and part; mm by which it is higher in stance, and its labels."""
    belts = belts_of(kinematics)
    for side, foot in marker_set.feet.items():
        for part, point in (("heel", foot.heel), ("toe", foot.toe)):
            labels = labels_of(marker_set, point)
            if not labels or not set(labels) <= set(static.marker_names) or point not in kinematics.points:
                continue
            standing = np.mean([static.marker(label)[:, Y] for label in labels], axis=0)
            track = kinematics.points[point] + belt_travel(belts[side], kinematics.time)
            steps = _stationary_heights(track, kinematics.rate)
            walking = np.concatenate(steps) if steps else np.zeros(0)
            if len(walking) < _MIN_TIME * kinematics.rate or not np.isfinite(standing).any():
                continue
            of_steps = [np.median(step) for step in steps if len(step) >= _MIN_REST * kinematics.rate]
            if of_steps and 1000.0 * np.ptp(of_steps) > UNEVEN:
                continue
            yield (side, part), (1000.0 * float(np.median(walking) - np.nanmedian(standing)), labels)


def _floor(change: float, static: str) -> Finding:
    level = "higher" if change > 0.0 else "lower"
    return Finding(
        grade="note",
        subject="floor",
        text=f"all markers of the feet are {abs(change):.0f} mm {level} in stance than in {static}",
        value=change,
        limit=math.copysign(MAX_CHANGE, change),
        units="mm",
        source="four measured and synthetic walks",
        cause="because the floor's height differs between the files, or other shoes were worn",
        remedy="check the floor's height in both files; angles do not depend on it",
    )


def _stationary_heights(track: np.ndarray, rate: float) -> list[np.ndarray]:
    """Heights (N,) m of a marker (T, 3) in the frames in which it is stationary, step by step."""
    speed = rate * np.linalg.norm(np.gradient(track, axis=0), axis=1)
    return [track[first:stop, Y] for first, stop in runs_of(speed < STATIONARY)]
