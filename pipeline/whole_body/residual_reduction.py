"""Consistency with the plates: masses that serve the whole walk, and a motion bent within the markers' error.

On two published walks the untouched residual is for the most part a steady moment that tilts the body, of 1.3 to 2.3 %
of body weight times height. Of all that may change here only the trunk's centre of mass can take it up, and it goes 75
to 100 mm back, three times as far as is plausible: the markers of the thorax show its middle some 30 mm behind that of
the skeleton, the rest stands for another cause. As the trunk turns about the vertical, so far a shift pushes sideways:
in frames that the masses were not found on, the sideways force rises by 0.3 to 0.8 % of body weight while the moment
falls to a quarter. The masses' factors have no part in that, and shifting pelvis or head as well raises it further.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import SIDES
from pipeline.dynamics.balance import BalanceResidual
from pipeline.inverse_kinematics.spline_fit import SplineFit
from pipeline.inverse_kinematics.walk_fit import MarkedMotion
from pipeline.math3d import Wrench
from pipeline.skeleton import Skeleton
from pipeline.trial import Note
from pipeline.whole_body.mass_adjustment import PLAUSIBLE_SHIFT, MassDistribution, fit_mass_distribution

TRUNK = ("lower_abdomen", "upper_abdomen", "lower_thorax", "upper_thorax")
"""Segments whose centre of mass may lie elsewhere: no marker shows where in the trunk's depth it is."""

MASS_GROUPS = {
    "pelvis": ("pelvis",),
    "trunk": TRUNK,
    "head": ("head",),
    "arms": tuple(f"{side}_{part}" for side in SIDES for part in ("upper_arm", "forearm", "hand")),
    "thighs": tuple(f"{side}_thigh" for side in SIDES),
    "shanks": tuple(f"{side}_shank" for side in SIDES),
    "feet": tuple(f"{side}_foot" for side in SIDES),
}
"""Segments whose masses change together."""


DOUBTED = 2.0
"""Plausible shifts of the trunk's centre of mass from which on it is worth a warning."""


@dataclass(frozen=True)
class Consistency:
    """A motion and a body that agree with the plates.

    Attributes:
        fit, skeleton: the motion, and the body with its mass distribution.
        trunk_shift: (2,) m, forward and to the right. mass_factors: by group.
        held_out: (T,) the later half of the balanced frames.
        elsewhere: body whose masses were found on the other half; that of the tables where there is none.
    """

    fit: SplineFit
    skeleton: Skeleton
    trunk_shift: np.ndarray
    mass_factors: dict[str, float]
    held_out: np.ndarray
    elsewhere: Skeleton

    @property
    def notes(self) -> list[Note]:
        """A shift that no body has."""
        far = float(np.linalg.norm(self.trunk_shift))
        if far <= DOUBTED * PLAUSIBLE_SHIFT:
            return []
        text = (
            f"the trunk's centre of mass lies {1000 * far:.0f} mm from where tables have it, bodies differ by about "
            f"{1000 * PLAUSIBLE_SHIFT:.0f}: it stands for a steady moment of another cause, and costs sideways force "
            "where the trunk turns"
        )
        return [Note("warning", "consistency", text)]


def reduce_residuals(
    motion: MarkedMotion,
    untouched: SplineFit,
    ground: dict[str, Wrench],
    balanced: np.ndarray,
    height: float,
    balance_weight: float,
) -> Consistency:
    """Find masses and motion.

    Args:
        motion: the walk's markers on the skeleton.
        untouched: the motion that they show.
        ground: loads by foot segment.
        balanced: (T,) frames in which all loads are known.
        height: m, stature.
        balance_weight: m per body weight, see `BalanceResidual`.
    """

    def masses(frames: np.ndarray) -> MassDistribution:
        state = untouched.q, untouched.qd, untouched.qdd
        return fit_mass_distribution(motion.skeleton, *state, ground, frames, motion.rate, height, TRUNK, MASS_GROUPS)

    found = masses(balanced)
    held_out = balanced & (np.cumsum(balanced) > 0.5 * balanced.sum())
    others = balanced & ~held_out
    return Consistency(
        fit=motion.fit(BalanceResidual(found.skeleton, ground, balance_weight, balanced)),
        skeleton=found.skeleton,
        trunk_shift=found.shift,
        mass_factors=found.factors,
        held_out=held_out,
        elsewhere=masses(others).skeleton if others.any() else motion.skeleton,
    )
