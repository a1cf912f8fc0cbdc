"""Joint loads of a walk with a mass carried on the trunk, from recursive inverse dynamics of the added mass.

The motion stays the measured one: the walker does not lean, shorten the step or slow down. The mass is a point at the
centre of mass of the upper half of the thorax, as in a vest. The ground bears its weight and inertia, under each foot
in proportion to its vertical force, so that the balance of the whole body stays as it was.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.conventions import SIDES, Y
from pipeline.dynamics import rnea
from pipeline.errors import DynamicsError
from pipeline.math3d import Wrench
from pipeline.skeleton import joint_axes, skeleton_of
from pipeline.trial import WholeBody

CARRIER = "upper_thorax"
"""The segment that carries the mass."""


TYPICAL_LOAD, TYPICAL_SHARE = 20.0, 0.3
"""kg, and fraction of the body mass."""


def typical_load(mass: float) -> float:
    """The load, kg, for comparison with a walk if the user names none: 20 kg, or less for a light body."""
    return min(TYPICAL_LOAD, TYPICAL_SHARE * mass)


def carrying(body: WholeBody, mass: float) -> WholeBody:
    """The walk with the joint loads of its kinematic motion while a mass, kg, is carried on the trunk.

    Inverse dynamics is linear in masses and in the ground's wrenches: the effect of a mass m is the result for the
    skeleton with it, and with the wrenches that bear it on both feet, minus that for the skeleton without it. Unknown
    loads stay unknown.

    Raises:
        DynamicsError: the mass is negative or not finite.
    """
    if not (np.isfinite(mass) and mass >= 0.0):
        remedy = "Give the load in kg"
        raise DynamicsError(f"a mass of {mass:g} kg cannot be carried", where="carried load", remedy=remedy)
    skeleton, motion = skeleton_of(body), body.kinematic
    link = skeleton.segment(CARRIER).joint
    masses = np.array(skeleton.mass)
    masses[link] += mass
    loaded = replace(skeleton, mass=masses)
    known = np.isfinite(np.concatenate([motion.q, motion.qd, motion.qdd], axis=1)).all(axis=1)
    state = motion.q[known], motion.qd[known], motion.qdd[known]
    without = rnea(skeleton, *state)
    hanging = rnea(loaded, *state)
    root = joint_axes(skeleton, state[0])[1][:, 0]
    force, moment = (getattr(hanging, name)[:, 0] - getattr(without, name)[:, 0] for name in ("force_G", "moment_G"))
    wrenches = {
        f"{side}_foot": Wrench(share[:, None] * force, share[:, None] * moment, root)
        for side, share in _shares(body, known, without.force_G[:, 0, Y]).items()
    }
    borne = rnea(loaded, *state, wrenches=wrenches)

    def with_load(name: str) -> np.ndarray:
        values = np.array(getattr(motion, name))
        values[known] += getattr(borne, name) - getattr(without, name)
        return values

    tau, force_G, moment_G = map(with_load, ("tau", "force_G", "moment_G"))
    return replace(body, kinematic=replace(motion, tau=tau, force_G=force_G, moment_G=moment_G))


def _shares(body: WholeBody, known: np.ndarray, needed: np.ndarray) -> dict[str, np.ndarray]:
    """Share (F,) of the added load that each foot bears: its part of the total vertical force, or of the ``needed`` one
    where the other foot's force is unknown."""
    vertical = {side: body.ground[side].force_G[known, Y] for side in SIDES}
    both = sum(vertical.values())
    total = np.where(np.isfinite(both), both, needed)
    return {side: np.clip(np.nan_to_num(force) / np.maximum(total, 1.0), 0.0, 1.0) for side, force in vertical.items()}
