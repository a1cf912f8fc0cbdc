"""Centre of pressure under a foot that stands on its heel alone: it must be under the heel, whatever the gait.

While the toes are up, only the heel can bear the load. Errors of plates or moments show there, relative to the foot's
length, in steps in which the heel lands first.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.acquisition import centre_of_pressure
from pipeline.conventions import GRAVITY, X, Y
from pipeline.plausibility.distances import median_distance
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError, along
from pipeline.signals import finite_median
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

_FLAT, _LANDING = (0.3, 0.5), 0.3
"""Fractions of the stance between which the foot is flat, and up to which it lands."""

_MIN_TIME = 0.01
"""s; shorter landings say little."""


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
            cause=f"because the plate is shifted {'forwards' if too_far else 'backwards'}, or its moments, scales or "
            "origin are wrong",
            remedy="measure the plate's corners again and check its calibration",
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
