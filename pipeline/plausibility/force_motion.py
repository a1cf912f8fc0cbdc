"""Each plate's own load, sample by sample: how fast force and centre of pressure change while a foot stands on it.

Under a loaded foot the load changes smoothly between landing and push-off; a lost sample, a spike, or a channel that
fails for some hundredths of a second breaks this.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.acquisition import centre_of_pressure
from pipeline.conventions import GRAVITY, X, Y, Z
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError, along
from pipeline.trial import Finding, InverseDynamics, Kinematics, MarkersAndPlates, Stance

STEPS = {X: "fore-aft force in 4 ms", Y: "vertical force in 4 ms", Z: "mediolateral force in 4 ms"}
COP = "centre of pressure in 4 ms"
INTERRUPTED = "gap between contacts on one plate"

APART = 0.004
"""s between the samples that are compared."""

ENDS = 0.06
"""s after landing and before foot off, when loads change as fast as the foot hits the ground."""

MIN_LOAD = 0.2
"""Fraction of body weight above which changes of the centre of pressure count: with less load, noise alone moves it."""

SHORTEST_GAP = 0.05
"""s: no foot leaves a plate and returns sooner; a swing takes 0.25 s and more."""


def force_motion(
    kinematics: Kinematics, loads: InverseDynamics, walk: MarkersAndPlates, limits: Limits
) -> Iterator[Finding]:
    """Plates whose unfiltered load changes faster than the load under a foot."""
    weight = loads.mass * GRAVITY
    for stance in kinematics.stances:
        if not stance.rejected and not stance.second_plate and weight > 0.0:
            yield from _of_stance(stance, walk, weight, limits)
    yield from _interrupted(kinematics)


def _of_stance(stance: Stance, walk: MarkersAndPlates, weight: float, limits: Limits) -> Iterator[Finding]:
    plate = next(plate for plate in walk.plates if plate.number == stance.plate)
    time, apart = walk.analog_time, max(1, round(APART * walk.analog_rate))
    inside = (time > stance.onset + ENDS) & (time < stance.end - ENDS)
    cop = centre_of_pressure(plate.wrench.at(inside), plate.corners_G, MIN_LOAD * weight)
    changes = {
        name: (np.abs(_change(plate.wrench.force_G[inside, axis], apart)) * 100.0 / weight, "% of body weight", axis)
        for axis, name in STEPS.items()
    }
    moved = _change(cop, apart)
    found = {**changes, COP: (1000.0 * np.linalg.norm(moved, axis=1), "mm", None)}
    for name, (change, units, axis) in found.items():
        if not np.isfinite(change).any():
            continue
        at = int(np.nanargmax(change))
        value = float(change[at])
        if beyond := limits.beyond(name, value):
            x, y, z = moved[at].tolist()
            yield FindingWithError(
                subject=stance.on,
                text=f"its {name.removesuffix(' in 4 ms')} changes by {value:.0f} {units} in 4 ms at "
                f"{time[inside][at]:.2f} s, faster than any load under the {stance.side} foot",
                **beyond,
                units=units,
                cause="because samples are lost or disturbed there",
                remedy="look at the plate's channels at that time, and leave the step out (rejected_steps)",
                error=PlateError((stance,), shift_G=(x, y, z))
                if axis is None
                else PlateError((stance,), force_G=along(axis, 0.01 * value * weight)),
            )


def _change(values: np.ndarray, apart: int) -> np.ndarray:
    return values[apart:] - values[:-apart]


def _interrupted(kinematics: Kinematics) -> Iterator[Finding]:
    """Contacts with one plate that follow each other too soon to be two steps."""
    for first, second in zip(_ordered(kinematics), _ordered(kinematics)[1:], strict=False):
        gap = second.onset - first.end
        if first.plate == second.plate and 0.0 <= gap < SHORTEST_GAP:
            yield FindingWithError(
                subject=first.on,
                text=f"its contact is interrupted for {1000.0 * gap:.0f} ms at {first.end:.2f} s, so that one step "
                "counts as two",
                value=1000.0 * gap,
                limit=1000.0 * SHORTEST_GAP,
                units="ms",
                source="no swing is that short",
                cause="because samples are lost there",
                remedy="look at the plate's channels at that time, and leave the step out (rejected_steps)",
                residual=INTERRUPTED,
                error=PlateError((first, second), scale_G=(-1.0, -1.0, -1.0)),
            )


def _ordered(kinematics: Kinematics) -> list[Stance]:
    return sorted(kinematics.stances, key=lambda stance: (stance.plate, stance.onset))
