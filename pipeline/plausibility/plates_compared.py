"""Plates of a walk against one another: loads of one foot on two plates, and the free moments under both feet.

Steps of one foot in one walk are alike in their mean vertical force and in the path of the centre of pressure under the
foot. The free moments under left and right are mirror images of each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from pipeline.conventions import LATERAL_SIGN, X, Y, Z
from pipeline.plausibility.distances import median_distance
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.suspected_errors import FindingWithError, PlateError, along
from pipeline.signals import finite_median, load_of
from pipeline.trial import Finding, Kinematics, Stance

FORCE, PATH, MEDIOLATERAL = (
    "vertical force of two steps of one foot",
    "path of the centre of pressure of two steps of one foot",
    "centre of pressure aside, two steps of one foot",
)
"""% of the smaller mean over stance; % of the foot's length over the middle of stance; mm from the heel-toe line."""

MIN_CORRELATION = -0.3
"""Correlation of the free moments of two steps, mirrored under the right foot: 0.74 and more on five walks, but -0.75
and -0.55 on two with no other fault; the finding is therefore a note."""

_MIDDLE = np.linspace(0.15, 0.85, 71)
"""Fractions of the stance that are compared."""


@dataclass(frozen=True)
class _Stance:
    """A clean stance on one plate; curves over the middle of stance."""

    stance: Stance
    force: float
    length: float
    path: float
    lateral: float
    free_moment: np.ndarray


def plates_compared(kinematics: Kinematics, limits: Limits) -> Iterator[Finding]:
    """Plates that contradict one another."""
    clean = [stance for stance in kinematics.stances if not stance.rejected and not stance.second_plate]
    steps = [_of(kinematics, stance) for stance in clean]
    for one, other in combinations(steps, 2):
        if one.stance.on != other.stance.on and one.stance.side == other.stance.side:
            yield from _unequal(one, other, limits)
    yield from _reversed(steps)


def _of(kinematics: Kinematics, stance: Stance) -> _Stance:
    frames = slice(stance.start, stance.stop)
    phase = (kinematics.time[frames] - stance.onset) / (stance.end - stance.onset)
    plate = load_of(stance, kinematics.plates)
    heel, toe = (kinematics.points[f"{stance.side}_{part}"][frames] for part in ("heel", "toe"))
    cop = np.stack([_over(phase, plate.cop_G[frames, axis]) for axis in range(3)], axis=1)
    return _Stance(
        stance,
        float(np.nanmean(plate.wrench.force_G[frames, Y])),
        foot := median_distance(toe, heel),
        float(np.linalg.norm(cop[-1] - cop[0]) / foot),
        1000.0 * distance_from_line(plate.cop_G[frames], heel, toe),
        LATERAL_SIGN[stance.side] * _over(phase, plate.free_moment[frames]),
    )


def _over(phase: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values at the compared fractions of the stance; NaN if too few are known."""
    seen = np.isfinite(values)
    return np.interp(_MIDDLE, phase[seen], values[seen]) if seen.sum() > 2 else np.full(len(_MIDDLE), np.nan)


def _unequal(one: _Stance, other: _Stance, limits: Limits) -> Iterator[Finding]:
    low, high = sorted([one, other], key=lambda step: step.force)
    apart = 100.0 * (high.force / low.force - 1.0)
    if beyond := limits.beyond(FORCE, apart):
        yield FindingWithError(
            subject=f"{low.stance.on} and {high.stance.on}",
            text=f"the {one.stance.side} foot presses {apart:.0f} % more on the second than on the first",
            **beyond,
            units="%",
            cause="because the vertical channel of one of them has a wrong scale",
            remedy="check the plates' calibration",
            error=PlateError((high.stance,), scale_G=along(Y, 1.0 - low.force / high.force), known=False),
        )
    path = 100.0 * abs(one.path - other.path)
    if beyond := limits.beyond(PATH, path):
        yield FindingWithError(
            subject=f"{one.stance.on} and {other.stance.on}",
            text=f"the path of the centre of pressure under the {one.stance.side} foot differs by {path:.0f} % of "
            "the foot's length",
            **beyond,
            units="%",
            cause="because a moment channel of one of them has a wrong scale",
            remedy="check the plates' calibration",
            error=PlateError((one.stance,), shift_G=along(X, 0.005 * path * one.length), known=False),
        )
    lateral = abs(one.lateral - other.lateral)
    if beyond := limits.beyond(MEDIOLATERAL, lateral):
        yield FindingWithError(
            subject=f"{one.stance.on} and {other.stance.on}",
            text=f"the centre of pressure is {lateral:.0f} mm farther to one side of the {one.stance.side} foot on one "
            "than on the other",
            **beyond,
            units="mm",
            cause="because a moment channel of one of them has a wrong scale, or its corners are displaced",
            remedy="check the plates' calibration and measure their corners again",
            error=PlateError((one.stance,), shift_G=along(Z, 0.001 * lateral), known=False),
        )


def distance_from_line(cop: np.ndarray, heel: np.ndarray, toe: np.ndarray) -> float:
    """Median distance (m) of the centre of pressure to the right of the line from heel to toe; points (N, 3) m."""
    along = (toe - heel) * np.array([1.0, 0.0, 1.0])
    right = np.cross(along / np.linalg.norm(along, axis=1, keepdims=True), [0.0, 1.0, 0.0])
    return float(finite_median(np.sum((cop - heel) * right, axis=1)))


def _reversed(steps: list[_Stance]) -> Iterator[Finding]:
    """Free moments with opposite patterns under two feet on different plates; the pair with the lowest correlation."""
    correlations = _correlations(np.array([step.free_moment for step in steps]))
    on = np.array([step.stance.on for step in steps])
    correlations[(on[:, None] == on) | np.tri(len(steps), dtype=bool)] = np.nan
    if not np.isfinite(correlations).any():
        return
    first, second = np.unravel_index(np.nanargmin(correlations), correlations.shape)
    one, other, correlation = steps[first], steps[second], float(correlations[first, second])
    if correlation < MIN_CORRELATION:
        yield Finding(
            grade="note",
            subject=f"{one.stance.on} and {other.stance.on}",
            text=f"free moments have opposite patterns (correlation {correlation:.2f}, mirrored if the feet differ)",
            value=correlation,
            limit=MIN_CORRELATION,
            units="1",
            source="seven walks",
            cause="because the channel of the moment about the vertical is reversed on one of them",
            remedy="check the plates' settings; transverse moments are wrong",
        )


def _correlations(curves: np.ndarray) -> np.ndarray:
    """Correlations (S, S) of curves (S, V) with one another; NaN for a curve that is constant or unknown."""
    if not len(curves):
        return np.zeros((0, 0))
    spread = curves.std(axis=1, keepdims=True)
    scaled = (curves - curves.mean(axis=1, keepdims=True)) / np.where(spread > 0.0, spread, np.nan)
    return scaled @ scaled.T / curves.shape[1]
