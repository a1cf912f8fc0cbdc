"""Each marker's own trajectory, frame by frame: jumps, gaps filled by straight lines, and smoothing before export.

A body accelerates smoothly, and every measured trajectory has noise. A large third difference of positions shows a
marker that moves off its path for a few frames. A second difference without noise, while the marker moves, shows a gap
that was filled by a line. Too little motion at 5 to 9 Hz, relative to that below 4 Hz, shows a filter with a cut-off
below gait's own frequencies (Winter 2009, ch. 3: feet up to 6 Hz and more).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.anatomy import MarkerSet
from pipeline.plausibility.angles import frames_of_cycles
from pipeline.plausibility.distances import labels_of
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError
from pipeline.signals import finite_median, runs_of
from pipeline.trial import Finding, Kinematics, MarkersAndPlates

JUMP, FOOT_JUMP = "third difference of a marker", "third difference of a foot's marker"
LINE, SMOOTHED = "marker on a line", "feet's motion at 5 to 9 Hz"

MOVING = 0.3
"""m/s; a marker on a line that moves faster is not at rest."""

STRAIGHT = 5e-5
"""m of second difference; above the resolution of the file's numbers, below the noise of any camera."""

_GAIT, _FAST = (0.5, 4.0), (5.0, 9.0)
_MIN_TIME = 0.8
"""s without a gap needed for a spectrum."""


def marker_motion(
    kinematics: Kinematics, walk: MarkersAndPlates, marker_set: MarkerSet, limits: Limits
) -> Iterator[Finding]:
    """Markers with trajectories that no body has; only frames that are within cycles and used count."""
    within = frames_of_cycles(kinematics)
    feet = _labels_of_feet(marker_set)
    for k, name in enumerate(kinematics.marker_names):
        if name not in marker_set.labels or name not in walk.marker_names:
            continue
        used = within & np.isfinite(kinematics.markers_G[:, k]).all(axis=1) & ~kinematics.filled[:, k]
        track = np.where(used[:, None], walk.marker(name), np.nan)
        yield from _jump(name, FOOT_JUMP if name in feet else JUMP, track, limits)
        yield from _line(name, track, kinematics, limits)
    yield from _smoothed(kinematics, walk, marker_set, limits)


def _labels_of_feet(marker_set: MarkerSet) -> set[str]:
    """Labels at heels and toes, which hit the ground."""
    return {
        label
        for foot in marker_set.feet.values()
        for point in (foot.heel, foot.toe)
        for label in labels_of(marker_set, point)
    }


def _jump(name: str, residual: str, track: np.ndarray, limits: Limits) -> Iterator[Finding]:
    third = np.diff(track, 3, axis=0)
    size = 1000.0 * np.linalg.norm(third, axis=1)
    if not np.isfinite(size).any():
        return
    frame = int(np.nanargmax(size))
    value = float(size[frame])
    if beyond := limits.beyond(residual, value):
        yield FindingWithError(
            subject=f"marker {name}",
            text=f"leaves its path at about frame {frame + 2} (third difference {value:.0f} mm)",
            **beyond,
            units="mm",
            cause="because it was labelled or filled wrongly there for some frames",
            remedy="correct its trajectory in the recording software",
            # The third difference of a step is (1, -2, 1) times it.
            error=BodyError({name: 0.5 * third[frame]}),
        )


def _line(name: str, track: np.ndarray, kinematics: Kinematics, limits: Limits) -> Iterator[Finding]:
    speed = kinematics.rate * np.linalg.norm(np.diff(track, axis=0), axis=1)
    bend = np.linalg.norm(np.diff(track, 2, axis=0), axis=1)
    straight = (bend < STRAIGHT) & (np.minimum(speed[1:], speed[:-1]) > MOVING)
    if not np.isfinite(bend).any():
        return
    first, last = _longest(straight)
    value = 1000.0 * (last - first) / kinematics.rate
    if beyond := limits.beyond(LINE, value):
        # A line across n frames misses a path of constant curvature by an eighth of its second difference times n^2;
        # the second differences where the path bends into the line belong to neither.
        beside = np.convolve(straight, [1, 1, 1], mode="same") > 0
        other = np.diff(track, 2, axis=0)[~beside & np.isfinite(bend)]
        curved = np.sqrt(np.sum(other**2, axis=0) / max(len(other), 1))
        yield FindingWithError(
            subject=f"marker {name}",
            text=f"moves along a straight line without noise for {value:.0f} ms (frames {first + 2} to {last + 1})",
            **beyond,
            units="ms",
            cause="because a gap was filled by a line",
            remedy="fill it by the pattern of its segment, or leave the gap",
            error=BodyError({name: curved * (last - first) ** 2 / 8.0}),
        )


def _smoothed(
    kinematics: Kinematics, walk: MarkersAndPlates, marker_set: MarkerSet, limits: Limits
) -> Iterator[Finding]:
    labels = _labels_of_feet(marker_set) & set(walk.marker_names)
    shares = [_fast_share(walk.marker(label), kinematics.rate) for label in labels]
    value = float(finite_median(np.array(shares)))
    if beyond := limits.beyond(SMOOTHED, value):
        yield Finding(
            subject="markers",
            text=f"the feet's motion at 5 to 9 Hz is 10^{value:.1f} of that below 4 Hz, compared with about "
            f"10^{limits.typical(SMOOTHED):.1f} in walking",
            **beyond,
            units="1",
            cause="because the trajectories were filtered with too low a cut-off before they were exported",
            remedy="export them unfiltered",
        )


def _longest(mask: np.ndarray) -> tuple[int, int]:
    """Start and stop (exclusive) of the longest run of True in ``mask`` (T,); 0 and 0 for none."""
    return max(((int(a), int(b)) for a, b in runs_of(mask)), key=lambda run: run[1] - run[0], default=(0, 0))


def _fast_share(track: np.ndarray, rate: float) -> float:
    """Logarithm to base 10 of the velocity's power within `_FAST` over that within `_GAIT`; NaN for a short track."""
    first, last = _longest(np.isfinite(track).all(axis=1))
    if last - first < _MIN_TIME * rate:
        return np.nan
    velocity = np.diff(track[first:last], axis=0)
    velocity = (velocity - velocity.mean(axis=0)) * np.hanning(len(velocity))[:, None]
    power = np.sum(np.abs(np.fft.rfft(velocity, axis=0)) ** 2, axis=1)
    frequency = np.fft.rfftfreq(len(velocity), 1.0 / rate)
    gait, fast = (power[(frequency > low) & (frequency <= high)].sum() for low, high in (_GAIT, _FAST))
    return float(np.log10(fast / gait)) if gait > 0.0 and fast > 0.0 else np.nan
