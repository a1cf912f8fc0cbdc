"""Events of the file against those found from the markers, if no plate decides.

Labels that were set on another clock, by another rule, or for another version of the walk shift all curves along the
cycle. The markers' own events are accurate to about 10 ms.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.plausibility.angles import frames_of_cycles
from pipeline.signals import KINDS, Foot, lateness, marker_events
from pipeline.trial import Finding, Kinematics

MAX_LATE = 0.03
"""s, of the median: -8 to 15 ms on five walks of four laboratories, with their plates left out;
labels set by eye scatter by 20 ms."""

MAX_APART = 0.25
"""s within which an event of the file is matched with one of the markers: less than half of a step."""

FEWEST = 2


def event_times(kinematics: Kinematics, marker_set: MarkerSet) -> Iterator[Finding]:
    """Events of the file that are all late or all early."""
    late = file_lateness(kinematics, marker_set)
    if len(late) < FEWEST:
        return
    middle = float(np.median(late))
    if abs(middle) > MAX_LATE:
        error, angle = _moved(kinematics, middle)
        yield Finding(
            subject="events of the file",
            text=f"{1000.0 * abs(middle):.0f} ms {'later' if middle > 0.0 else 'earlier'} than those of the markers "
            f"(median of {len(late)})",
            value=1000.0 * middle,
            limit=math.copysign(1000.0 * MAX_LATE, middle),
            units="ms",
            source="five walks of four laboratories",
            cause="because they were set on another clock or by another rule",
            remedy="set them again, or remove 'file' from events: sources in config.yaml",
            angle_error=error,
            angle_of=angle,
        )


def _moved(kinematics: Kinematics, late: float) -> tuple[float, str]:
    """Largest change of an angle within that time over the gait cycles, degrees, and the angle's name."""
    apart, frames = max(1, round(abs(late) * kinematics.rate)), frames_of_cycles(kinematics)
    largest = (0.0, "")
    for joint, angles in kinematics.angles.items():
        change = np.degrees(np.abs(angles[apart:] - angles[:-apart]))[frames[:-apart], 0]
        if np.isfinite(change).any():
            largest = max(largest, (float(np.nanmax(change)), f"{joint.replace('_', ' ')} flexion along the cycle"))
    return largest


def file_lateness(kinematics: Kinematics, marker_set: MarkerSet) -> np.ndarray:
    """Seconds (N,) by which events taken from the file are later than those of the markers."""
    stored = [event for event in kinematics.events if event.source.startswith("file")]
    points, found = kinematics.points, []
    for side, foot in marker_set.feet.items():
        if stored and {foot.heel, foot.toe, foot.pelvis} <= set(points):
            own = Foot(points[foot.heel], points[foot.toe])
            pelvis, impact = points[foot.pelvis], not marker_set.estimated
            found += marker_events(side, own, pelvis, kinematics.time, impact=impact)
    return np.array([late for kind in KINDS for late in lateness(stored, found, kind, MAX_APART)])
