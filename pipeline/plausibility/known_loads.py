"""Times in which the loads of both feet are known, and the middle of the pelvis as a proxy of the centre of mass."""

from __future__ import annotations

import numpy as np

from pipeline.analysis import belts_of
from pipeline.conventions import X, Y
from pipeline.signals import runs_of
from pipeline.trial import InverseDynamics, Kinematics

MIN_WINDOW = 0.3
"""s; shorter windows say nothing about balance."""

SLOW = 0.9
"""m/s; below this speed the foot rolls, and the force inclines, differently from walking at ordinary speeds."""

MIN_CORRELATION = 0.7
"""Correlation of the vertical force with the acceleration of the pelvis above which their size and delay are compared:
0.92 and more on four measured and synthetic walks, below 0.6 over single support alone."""


def windows(kinematics: Kinematics, loads: InverseDynamics) -> list[tuple[int, int]]:
    """Start and stop (exclusive) frames of at least `MIN_WINDOW` in which each foot is on a plate or in swing.

    In some of these frames a foot is on a plate: where both are in swing so long, events are wrong.
    """
    known = np.all([np.isfinite(ground.force_G).all(axis=1) for ground in loads.ground.values()], axis=0)
    centre = pelvis_centre(kinematics)
    if centre is not None:
        known = known & np.isfinite(centre).all(axis=1)
    force = vertical_force(loads)
    return [(int(a), int(b)) for a, b in runs_of(known) if b - a >= MIN_WINDOW * kinematics.rate and force[a:b].any()]


def pelvis_centre(kinematics: Kinematics) -> np.ndarray | None:
    """Midpoint (T, 3) m of the hip joint centres; None if there are none."""
    hips = [kinematics.points[f"{side}_hip"] for side in ("left", "right") if f"{side}_hip" in kinematics.points]
    return np.mean(hips, axis=0) if len(hips) == 2 else None


def walking_speed(kinematics: Kinematics) -> float:
    """Mean forward speed of the pelvis over the ground or a treadmill's belts, m/s; NaN if it is not seen."""
    centre = pelvis_centre(kinematics)
    seen = np.flatnonzero(np.isfinite(centre).all(axis=1)) if centre is not None else np.zeros(0, dtype=int)
    if centre is None or len(seen) < 2:
        return np.nan
    first, last = seen[[0, -1]]
    belt = float(np.mean([*belts_of(kinematics).values()]))
    return float((centre[last] - centre[first])[X] * kinematics.rate / (last - first)) + belt


def vertical_force(loads: InverseDynamics) -> np.ndarray:
    """Vertical force (T,) N of the ground on both feet; NaN where one is unknown."""
    return np.sum([ground.force_G[:, Y] for ground in loads.ground.values()], axis=0)
