"""Delay of the plates behind the markers, by two independent comparisons.

Feet: a loaded foot is stationary, so load and stationary foot begin and end together. Filters and the rolling foot
shift the two ends in opposite directions, which cancels in their mean. Body: while both feet's loads are known, their
vertical force over body mass is the acceleration of the centre of mass, of which the legs' part is known by their
segments and the rest follows the pelvis; the lag of the largest cross-correlation is the delay.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from pipeline.analysis import belts_of
from pipeline.conventions import SIDES, Y
from pipeline.plausibility.known_loads import (
    MIN_CORRELATION,
    SLOW,
    pelvis_centre,
    vertical_force,
    walking_speed,
    windows,
)
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError
from pipeline.signals import belt_travel, derivatives, finite_mean
from pipeline.trial import Finding, InverseDynamics, Kinematics, Stance

FOOT_SPEED = 0.5
"""m/s, over a treadmill's belt too, of the slower one of heel and toe below which a foot is stationary."""

FOOT_OFFSET, BODY_OFFSET = 0.022, 0.008
"""s by which synchronous plates seem late: by the feet (11 to 36 ms on six walks at 1.1 m/s and faster; 12 to 76 on
three slow ones, which are not compared) and by the body (-1 to 17 ms on 25 reference walks, 3 to 13 on six synthetic
ones at 0.5 to 0.8 m/s; by the pelvis alone, -7 to 18 and -19 to 3)."""

MAX_DELAY, MAX_FEET_DELAY, MAX_BODY_DELAY = 0.014, 0.03, 0.02
"""s, of the mean of both comparisons, of the feet alone, and of the body alone, as in slow walking. On reference walks
the mean is within 0.011 s and the feet's delay within 0.016; the body's is within 0.009 but in one walk, with 0.015."""

_LAGS = np.arange(-12, 13)
_HORIZONTAL = [0, 2]


def plate_delay(kinematics: Kinematics, loads: InverseDynamics) -> tuple[float, float]:
    """Delay of the plates, s, negative if they are early, and its limit; NaN if unknown."""
    by_feet, by_body = _by_feet(kinematics), _by_body(kinematics, loads)
    alone = MAX_FEET_DELAY if np.isfinite(by_feet) else MAX_BODY_DELAY
    limit = MAX_DELAY if np.isfinite(by_feet + by_body) else alone
    return float(finite_mean(np.array([by_feet, by_body]))), limit


def synchronisation(kinematics: Kinematics, loads: InverseDynamics) -> Iterator[Finding]:
    """Plates that are late or early."""
    delay, limit = plate_delay(kinematics, loads)
    if not abs(delay) > limit:
        return
    late = "late" if delay > 0.0 else "early"
    yield FindingWithError(
        subject="plates",
        text=f"{1000 * abs(delay):.0f} ms {late} relative to the markers (known to {10 if limit == MAX_DELAY else 20} "
        "ms)",
        value=1000.0 * delay,
        limit=math.copysign(1000.0 * limit, delay),
        units="ms",
        source="nine walks of seven people",
        cause="because plates and cameras do not start together or the file states a wrong rate",
        remedy="check the synchronisation of plates and markers",
        error=PlateError(delay=delay),
    )


def _by_feet(kinematics: Kinematics) -> float:
    if walking_speed(kinematics) < SLOW:
        return np.nan
    belts, clean = belts_of(kinematics), [stance for stance in kinematics.stances if not stance.rejected]
    delays = [delay_of_stance(kinematics, stance, belts[stance.side]) for stance in clean]
    return float(finite_mean(np.array(delays))) - FOOT_OFFSET


def delay_of_stance(kinematics: Kinematics, stance: Stance, belt: float = 0.0) -> float:
    """Midpoint in time of the load minus that of the foot's stationary phase, s, on a belt of a speed in m/s."""
    time = kinematics.time
    travel = belt_travel(belt, time)[:, _HORIZONTAL]
    points = [kinematics.points[f"{stance.side}_{part}"][:, _HORIZONTAL] + travel for part in ("heel", "toe")]
    speed = kinematics.rate * np.fmin(*(np.linalg.norm(np.gradient(p, axis=0), axis=1) for p in points))
    middle = (stance.start + stance.stop) // 2
    moving = np.flatnonzero(~(speed < FOOT_SPEED))
    before, after = moving[moving < middle], moving[moving > middle]
    if not len(before) or not len(after) or middle in moving:
        return np.nan
    began = np.interp(-FOOT_SPEED, -speed[[before[-1], before[-1] + 1]], time[[before[-1], before[-1] + 1]])
    ended = np.interp(FOOT_SPEED, speed[[after[0] - 1, after[0]]], time[[after[0] - 1, after[0]]])
    return float(0.5 * (stance.onset + stance.end - began - ended))


def _by_body(kinematics: Kinematics, loads: InverseDynamics) -> float:
    """Delay from the longest time in which both feet's loads are known, s."""
    spans = windows(kinematics, loads)
    centre = pelvis_centre(kinematics)
    if not spans or centre is None:
        return np.nan
    start, stop = max(spans, key=lambda span: span[1] - span[0])
    force = vertical_force(loads)[start:stop]
    acceleration = _vertical_acceleration(kinematics, centre, loads.mass)
    fits = np.full(len(_LAGS), np.nan)
    for k, lag in enumerate(_LAGS.tolist()):
        first, last = max(start, -lag), min(stop, len(acceleration) - lag)
        a, b = force[first - start : last - start], acceleration[first + lag : last + lag]
        if np.isfinite(b).all() and len(b) > 10 and a.std() > 0.0 and b.std() > 0.0:
            fits[k] = np.corrcoef(a, b)[0, 1]
    if not np.isfinite(fits).all():
        return np.nan
    best = int(np.argmax(fits))
    if not 0 < best < len(fits) - 1 or fits[best] < MIN_CORRELATION:
        return np.nan
    left, middle, right = fits[best - 1 : best + 2]
    lag = _LAGS[best] + 0.5 * (left - right) / (left - 2.0 * middle + right)
    return float(-lag / kinematics.rate) - BODY_OFFSET


def _vertical_acceleration(kinematics: Kinematics, centre: np.ndarray, mass: float) -> np.ndarray:
    """Acceleration upwards (T,), m/s^2, of the centre of mass: limbs by their segments, the rest as the pelvis' centre.

    In slow walking the pelvis moves up and down so little that the legs decide the force.
    """
    of_pelvis = derivatives(centre, kinematics.rate)[1][:, Y]
    parts = kinematics.calibration.segments
    limbs = {name: motion for name, motion in kinematics.segments.items() if name.startswith(SIDES)}
    relative = [parts[name].mass / mass * (limb.com_acceleration_G[:, Y] - of_pelvis) for name, limb in limbs.items()]
    return of_pelvis + np.sum(relative, axis=0)
