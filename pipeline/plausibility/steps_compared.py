"""Moments of each step on a plate against those of the walk's other steps: differences beyond those of walkers' steps.

Both sides count, since they are mirror images. A walker who limps has another reference than one who does not, which
the spread on the reference walks allows for only in part. The finding therefore names the step, not its cause.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.conventions import LATERAL_SIGN, X, Z
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.outlying_steps import farthest_first
from pipeline.trial import Finding, InverseDynamics, Kinematics, Stance

PLANES = {"sagittal": Z, "frontal": X}
CURVES = (*((joint, "sagittal") for joint in ("hip", "knee", "ankle")), ("hip", "frontal"), ("ankle", "frontal"))
"""The frontal moment of the knee is left out: in healthy children it differs between steps by as much as faults change
it."""

_PHASE = np.linspace(0.05, 0.95, 91)


def name_of(joint: str, plane: str) -> str:
    """Name of the residual of a joint and plane."""
    return f"{plane} moment of the {joint}, one step against the others"


def steps_compared(kinematics: Kinematics, loads: InverseDynamics, limits: Limits) -> Iterator[Finding]:
    """Steps with moments that differ from the median of the walk's others, root mean square over stance."""
    clean = [s for s in kinematics.stances if not s.rejected]
    if len(clean) < 2 or not loads.mass > 0.0:
        return
    for joint, plane in CURVES:
        if any(f"{stance.side}_{joint}" not in loads.joints for stance in clean):
            continue
        curves = np.array([_moment(stance, kinematics, loads, joint, PLANES[plane]) for stance in clean])
        known = np.flatnonzero(np.isfinite(curves).all(axis=1))
        for n, difference in farthest_first(curves[known], root_mean_square):
            yield from _finding(clean[known[n]], joint, plane, difference, limits)


def root_mean_square(curves: np.ndarray) -> np.ndarray:
    """Root mean square of the values of each curve, (..., V)."""
    return np.sqrt(np.mean(curves**2, axis=-1))


def _moment(stance: Stance, kinematics: Kinematics, loads: InverseDynamics, joint: str, axis: int) -> np.ndarray:
    """Moment over the middle of stance, Nm/kg, mirrored on the left in the frontal plane; NaN if any is missing."""
    frames = slice(stance.start, stance.stop)
    moment = loads.joints[f"{stance.side}_{joint}"].moment_distal[frames, axis] / loads.mass
    if not np.isfinite(moment).all():
        return np.full(len(_PHASE), np.nan)
    sign = LATERAL_SIGN[stance.side] if axis == X else 1.0
    phase = (kinematics.time[frames] - stance.onset) / (stance.end - stance.onset)
    return np.interp(_PHASE, phase, sign * moment)


def _finding(stance: Stance, joint: str, plane: str, apart: np.ndarray, limits: Limits) -> Iterator[Finding]:
    name, value = name_of(joint, plane), float(root_mean_square(apart))
    if beyond := limits.beyond(name, value):
        yield Finding(
            subject=f"{stance.on}, {stance.side} {joint}",
            text=f"{plane} moment differs from that of the walk's other steps by {value:.2f} Nm/kg (root mean square)",
            **beyond,
            units="Nm/kg",
            cause="because the plate's scale, position or moments are wrong, or the subject limps or walks with an aid",
            remedy="compare the step's ground reaction with the others'",
            moment_error=float(np.abs(apart).max()),
            moment_of=f"{stance.side} {joint}'s moment",
        )
