"""Centre of pressure while the heel rises: it must be under the forefoot, about which the foot then turns.

The point about which the heel and toe markers turn is found from their motion alone, wherever on the foot they are.
Errors of plates or moments therefore show for every way of landing.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis import belts_of
from pipeline.conventions import GRAVITY, X, Y
from pipeline.plausibility.heel_contact import MIN_LOAD
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError, along
from pipeline.signals import belt_travel, load_of
from pipeline.trial import Finding, InverseDynamics, Kinematics, Stance

HEEL_UP = (8.0, 25.0)
"""Degrees by which the line from heel to toe marker is pitched down from the flat foot: the toes are still flat."""

HEEL_RISE = "centre of pressure as the heel rises"
"""mm ahead of the point about which the foot turns."""

MAX_RESIDUAL = 1.0
"""mm, root mean square deviation of the markers from a turn about one point: at most 0.5 on those steps."""

MAX_DISTANCE = 60.0
"""mm from the toe marker to that point along the foot: -9 to 32 on those steps."""

_FLAT = (0.3, 0.5)
_MIN_FRAMES = 4


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
            cause=f"because the plate is shifted {'forwards' if ahead > 0.0 else 'backwards'}, or its moments, scales "
            "or origin are wrong",
            remedy="measure the plate's corners again and check its calibration",
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
