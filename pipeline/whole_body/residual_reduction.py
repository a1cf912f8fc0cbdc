"""Residual reduction: mass distribution fitted to the walk, and the motion adjusted within marker error.

The aim is that of OpenSim's RRA (Delp et al. 2007, IEEE Trans Biomed Eng 54:1940-1950). Here the motion is fitted to
markers and residual forces in one least-squares problem, whereas RRA tracks it in a forward simulation.

On two published walks the residual of the kinematic motion is mostly a steady moment that tilts the body, of 1.3 to 2.3
% of body weight times height. Of the quantities that may change here, only the trunk's centre of mass can balance it.
It moves 75 to 100 mm backwards, three times the plausible shift: the thorax markers show its middle some 30 mm behind
that of the skeleton; the rest has another cause. As the trunk rotates about the vertical, so large a shift causes a
mediolateral force: in frames that the masses were not fitted to, this rises by 0.3 to 0.8 % of body weight while the
moment falls to a quarter. The mass factors have no part in that, and shifting pelvis or head as well increases it
further.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.analysis import MIN_MASS_TRACKED
from pipeline.config import WholeBodySettings
from pipeline.dynamics import ResidualForce, rnea
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics import MarkerFit, SplineFit
from pipeline.skeleton import Skeleton
from pipeline.trial import BodyDynamics, MotionAndPlates, Note
from pipeline.whole_body.dynamics import body_dynamics, pelvis_residuals
from pipeline.whole_body.ground import GroundReactions
from pipeline.whole_body.mass_adjustment import SHIFT_SD, MassDistribution, fit_mass_distribution
from pipeline.whole_body.notes import convergence_notes

WARNED_SHIFT = 2.0 * SHIFT_SD
"""m; shift of the trunk's centre of mass beyond which there is a note."""


@dataclass(frozen=True)
class ReducedResiduals:
    """The residual-reduced motion and its mass distribution, as in `WholeBody`; empty values if there is none."""

    motion: BodyDynamics | None
    trunk_com_shift: np.ndarray
    mass_factors: dict[str, float]
    held_out: np.ndarray
    held_out_residual_force: np.ndarray
    held_out_residual_moment: np.ndarray
    notes: tuple[Note, ...]


def reduce_residuals(
    fit: MarkerFit,
    motion: SplineFit,
    ground: GroundReactions,
    kinematics: MotionAndPlates,
    settings: WholeBodySettings,
) -> ReducedResiduals:
    """Fit masses to the pelvis residuals, adjust the motion, and test the masses on frames held out of their fit.

    Args:
        fit: the walk's markers on the skeleton.
        motion: the kinematic motion.
        ground: loads of both feet.
        kinematics: of the same walk in matrix form, with the stature.
        settings: whether to reduce residuals, and with what weight (m per body weight, see `ResidualForce`).
    """
    notes: list[Note] = []
    if settings.residual_reduction:
        try:
            return _reduced(fit, motion, ground, kinematics, settings.balance_weight)
        except DynamicsError as error:
            notes.append(Note("left out", "residual reduction", str(error)))
    missing = np.full(3, np.nan)
    none_held_out = np.zeros(len(ground.all_known), dtype=bool)
    return ReducedResiduals(None, np.full(2, np.nan), {}, none_held_out, missing, missing, tuple(notes))


def _reduced(
    fit: MarkerFit, motion: SplineFit, ground: GroundReactions, kinematics: MotionAndPlates, weight: float
) -> ReducedResiduals:
    known, height = ground.all_known, kinematics.calibration.values["height"]
    if fit.mass_tracked < MIN_MASS_TRACKED:
        raise DynamicsError(
            f"markers track only {100 * fit.mass_tracked:.0f} % of the body's mass (at least "
            f"{100 * MIN_MASS_TRACKED:.0f} % are needed), so pelvis residuals carry no information"
        )
    if not known.any():
        raise DynamicsError("the ground reactions of both feet are known in no frame")

    def masses(frames: np.ndarray) -> MassDistribution:
        state = motion.q, motion.qd, motion.qdd
        return fit_mass_distribution(fit.skeleton, *state, ground.wrenches, frames, fit.rate, height)

    found = masses(known)
    held_out = known & (np.cumsum(known) > 0.5 * known.sum())
    other_half = known & ~held_out
    tested = masses(other_half).skeleton if other_half.any() else fit.skeleton
    force, moment = _rms_residuals(tested, motion, ground, height, held_out)
    reduced = fit.smooth(ResidualForce(found.skeleton, ground.wrenches, weight, known), start=motion.q)
    return ReducedResiduals(
        motion=body_dynamics(found.skeleton, reduced, ground, fit, kinematics),
        trunk_com_shift=found.shift,
        mass_factors=found.factors,
        held_out=held_out,
        held_out_residual_force=force,
        held_out_residual_moment=moment,
        notes=(*convergence_notes(reduced, "residual-reduced"), *_notes(found.shift)),
    )


def _rms_residuals(
    skeleton: Skeleton, motion: SplineFit, ground: GroundReactions, height: float, frames: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Root mean square residual force and moment (3,) in some frames."""
    tau = rnea(skeleton, motion.q[frames], motion.qd[frames], motion.qdd[frames], wrenches=ground.at(frames)).tau
    force, moment = (np.sqrt(np.mean(part**2, axis=0)) for part in pelvis_residuals(skeleton, tau, height))
    return force, moment


def _notes(shift: np.ndarray) -> list[Note]:
    """A note on an unusual shift of the trunk's centre of mass.

    It is not a warning, since every walk with markers on arms and trunk has such a shift.
    """
    distance = float(np.linalg.norm(shift))
    if distance <= WARNED_SHIFT:
        return []
    text = (
        f"balancing the motion with the plates moves the trunk's centre of mass by {1000 * distance:.0f} mm from the "
        f"table's (people differ by about {1000 * SHIFT_SD:.0f} mm), which increases mediolateral residual forces"
    )
    return [Note("info", "residual reduction", text)]
