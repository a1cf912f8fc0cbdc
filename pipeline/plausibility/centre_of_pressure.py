"""Centre of pressure under a foot that stands on its heel alone, or whose heel rises, whatever the gait.

While the toes are up, only the heel can bear the load, in steps in which it lands first. While the heel rises, the
foot turns about its forefoot, which bears the load. The point about which heel and toe marker turn is found from their
motion alone, wherever on the foot they are, so that errors of plates or moments show for every way of landing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.acquisition import centre_of_pressure
from pipeline.analysis import belts_of
from pipeline.conventions import GRAVITY, X, Y
from pipeline.plausibility.distances import median_distance
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError, along
from pipeline.signals import belt_travel, finite_median, load_of
from pipeline.trial import Finding, InverseDynamics, Kinematics, MarkersAndPlates, Stance

TOES_UP = 8.0
"""Degrees by which the line from heel to toe marker is pitched up from the flat foot: only the heel is loaded."""

MIN_LOAD = 0.1
"""Fraction of body weight above which the centre of pressure counts. Noise matters less than in `force_motion`, since
the median of the landing is taken, not the largest change."""

HEEL_LANDING = "centre of pressure as the heel lands"
"""Distance ahead of the heel marker, % of the distance from heel to toe marker."""

IMPOSSIBLE = 0.6
"""Fraction of that distance where the forefoot begins."""

HEEL_UP = (8.0, 25.0)
"""Degrees by which the line from heel to toe marker is pitched down from the flat foot: the toes are still flat."""

HEEL_RISE = "centre of pressure as the heel rises"
"""mm ahead of the point about which the foot turns."""

MAX_RESIDUAL = 1.0
"""mm, root mean square deviation of the markers from a turn about one point: at most 0.5 on those steps."""

MAX_DISTANCE = 60.0
"""mm from the toe marker to that point along the foot: -9 to 32 on those steps."""

REMEDY = "measure the plate's corners again and check its calibration"

_FLAT, _LANDING = (0.3, 0.5), 0.3
"""Fractions of the stance between which the foot is flat, and up to which it lands."""

_MIN_TIME = 0.01
"""s; shorter landings say little."""

_MIN_FRAMES = 4
"""While the heel rises."""


def heel_contact(
    kinematics: Kinematics, loads: InverseDynamics, walk: MarkersAndPlates, limits: Limits
) -> Iterator[Finding]:
    """Plates whose centre of pressure is not under the heel while only the heel is on the ground."""
    for stance in kinematics.stances:
        if stance.rejected or stance.second_plate:
            continue
        share = heel_share(kinematics, walk, stance, loads.mass)
        if (beyond := limits.beyond(HEEL_LANDING, 100.0 * share)) is None:
            continue
        too_far = 100.0 * share > limits.typical(HEEL_LANDING)
        length = median_distance(*(kinematics.points[f"{stance.side}_{part}"] for part in ("heel", "toe")))
        off = (share - 0.01 * limits.typical(HEEL_LANDING)) * length
        yield FindingWithError(
            grade="refusal" if abs(share) > IMPOSSIBLE else "warning",
            subject=stance.on,
            text=f"while the {stance.side} foot's toes are still up, the centre of pressure is {100 * share:.0f} % of "
            f"the way from heel to toe marker, compared with about {limits.typical(HEEL_LANDING):.0f} % in walking",
            **beyond,
            units="%",
            cause=_shifted("forwards" if too_far else "backwards"),
            remedy=REMEDY,
            error=PlateError((stance,), shift_G=along(X, off)),
        )


def heel_share(kinematics: Kinematics, walk: MarkersAndPlates, stance: Stance, mass: float) -> float:
    """Median fraction of the way from heel to toe marker at which the unfiltered load acts while the toes are up.

    NaN if the foot does not land on its heel, or has no heel marker.
    """
    rear, ankle = (kinematics.points[f"{stance.side}_{name}"] for name in ("heel", "ankle"))
    if np.array_equal(rear, ankle, equal_nan=True):
        return np.nan  # the ankle stands in for a heel without a marker
    plate = next(plate for plate in walk.plates if plate.number == stance.plate)
    load = MIN_LOAD * mass * GRAVITY
    time = walk.analog_time
    samples = (time >= stance.onset) & (time < stance.end)
    phase = (time[samples] - stance.onset) / (stance.end - stance.onset)
    heel, toe = (_at(kinematics, f"{stance.side}_{part}", time[samples]) for part in ("heel", "toe"))
    cop = centre_of_pressure(plate.wrench.at(samples), plate.corners_G, load)
    along = toe - heel
    length = np.linalg.norm(along, axis=1)
    pitch = np.degrees(np.arcsin(along[:, Y] / length))
    flat = finite_median(pitch[(phase > _FLAT[0]) & (phase < _FLAT[1])])
    along[:, Y] = 0.0
    share = np.sum((cop - heel) * along, axis=1) / (np.linalg.norm(along, axis=1) * length)
    up = (phase < _LANDING) & (pitch - flat > TOES_UP) & np.isfinite(share)
    return float(np.median(share[up])) if up.sum() >= _MIN_TIME * walk.analog_rate else np.nan


def _at(kinematics: Kinematics, point: str, time: np.ndarray) -> np.ndarray:
    """A point (N, 3) at other times."""
    track = kinematics.points[point]
    return np.stack([np.interp(time, kinematics.time, track[:, axis]) for axis in range(3)], axis=1)


def push_off(kinematics: Kinematics, loads: InverseDynamics, limits: Limits) -> Iterator[Finding]:
    """Plates whose centre of pressure is not under the forefoot while the heel rises."""
    belts = belts_of(kinematics)
    for stance in kinematics.stances:
        if stance.rejected or stance.second_plate:
            continue
        ahead = ahead_of_pivot(kinematics, stance, loads.mass, belts[stance.side])
        if (beyond := limits.beyond(HEEL_RISE, ahead)) is None:
            continue
        yield FindingWithError(
            subject=stance.on,
            text=f"while the {stance.side} heel rises, the centre of pressure is {abs(ahead):.0f} mm "
            f"{'ahead of' if ahead > 0.0 else 'behind'} the point about which the foot turns",
            **beyond,
            units="mm",
            cause=_shifted("forwards" if ahead > 0.0 else "backwards"),
            remedy=REMEDY,
            error=PlateError((stance,), shift_G=along(X, 0.001 * (ahead - limits.typical(HEEL_RISE)))),
        )


def ahead_of_pivot(kinematics: Kinematics, stance: Stance, mass: float, belt: float = 0.0) -> float:
    """Median distance, mm, of the centre of pressure ahead of the point about which the foot turns as the heel rises.

    NaN if the foot does not turn about one point near its toe marker, or too few frames show it. The foot's markers and
    the centre of pressure are taken relative to the belt of a treadmill, whose speed is in m/s.
    """
    frames = slice(stance.start, stance.stop)
    phase = (kinematics.time[frames] - stance.onset) / (stance.end - stance.onset)
    plate = load_of(stance, kinematics.plates)
    travel = belt_travel(belt, kinematics.time[frames] - stance.onset)
    heel, toe = (kinematics.points[f"{stance.side}_{part}"][frames] + travel for part in ("heel", "toe"))
    cop = plate.cop_G[frames] + travel
    flat = (phase > _FLAT[0]) & (phase < _FLAT[1]) & np.isfinite(toe - heel).all(axis=1)
    if not flat.any():
        return np.nan
    forward = np.mean((toe - heel)[flat], axis=0) * [1.0, 0.0, 1.0]
    forward /= np.linalg.norm(forward)
    pitch = np.arctan2((toe - heel)[:, Y], (toe - heel) @ forward)
    down = np.median(pitch[flat]) - pitch
    loaded = plate.wrench.force_G[frames, Y] > MIN_LOAD * mass * GRAVITY
    low, high = np.radians(HEEL_UP)
    rising = (phase > _FLAT[1]) & (down > low) & (down < high) & loaded & np.isfinite(cop).all(axis=1)
    if rising.sum() < _MIN_FRAMES:
        return np.nan
    place, pivot, residual = _pivot(-down[rising], np.stack([toe[rising] @ forward, toe[rising, Y]], axis=1))
    if residual > MAX_RESIDUAL / 1000.0 or abs(place) > MAX_DISTANCE / 1000.0:
        return np.nan
    return 1000.0 * float(np.median(cop[rising] @ forward) - pivot)


def _pivot(pitch: np.ndarray, toe: np.ndarray) -> tuple[float, float, float]:
    """Point that stays in place as a body pitches by (N,) rad, by least squares, from another of its points, (N, 2) m:
    its forward distance from that point in the body's axes, its forward position in the plane, and the residual, m."""
    cosine, sine, one, none = np.cos(pitch), np.sin(pitch), np.ones(len(pitch)), np.zeros(len(pitch))
    rows = np.stack([[cosine, -sine, -one, none], [sine, cosine, none, -one]]).transpose(2, 0, 1).reshape(-1, 4)
    found, *_ = np.linalg.lstsq(rows, -toe.reshape(-1), rcond=None)
    misses = (rows @ found + toe.reshape(-1)).reshape(-1, 2)
    return float(found[0]), float(found[2]), float(np.sqrt(np.mean(np.sum(misses**2, axis=1))))


def _shifted(way: str) -> str:
    return f"because the plate is shifted {way}, or its moments, scales or origin are wrong"
