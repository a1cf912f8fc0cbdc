"""Constraints and objectives that the preset `running` has beyond those of `human`, each with its justification.

Their weights were chosen by hand at 3 m/s so that joint angles and ground reaction resemble published ones (Novacheck
1998); none is fitted.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from pipeline.conventions import GRAVITY, SIDES
from pipeline.optimisation import NodeConstraint, NodeValues, Objective, SquaredIntegral, SquaredRate
from pipeline.prediction.gait.constraints import Setting, no_ground_reaction_in_flight
from pipeline.prediction.gait.human_terms import least_knee_flexion, relative_passive_moments
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.weights import Weights

WEIGHTS = replace(Weights(), knee=1.0, torque_rate=0.006, accelerations=1e-7, dorsiflexion=5.0)
"""Those of `human`, but a lower factor of the knees and less weight on what is fast or dorsiflexed."""

KNEE_FLEXION_AT_CONTACT = np.radians(12.0)

FORCE_RATE = 0.01
"""Weight relative to effort, s^2, of squared rates of the ground's force over body weight."""

PASSIVE_HIP = 20.0
"""Weight relative to effort of the squared passive moments of the hips over strengths."""


def knee_flexion_at_initial_contact(at: Setting) -> list[NodeConstraint]:
    """At least 12 degrees of knee flexion at the foot's own initial contact, if the knee's limit allows."""
    return [
        least_knee_flexion(at, leading, contact, KNEE_FLEXION_AT_CONTACT, "at initial contact")
        for leading, _, contact in at.task.initial_contacts
    ]


def ground_force_rates(at: Setting) -> list[SquaredRate]:
    """Squared rates of the ground's force over body weight."""
    weight = at.walker.mass * GRAVITY

    def force(motion: WalkingMotion) -> NodeValues:
        return motion.ground_reaction.rows([3, 4, 5]).scaled(1.0 / weight)

    return [SquaredRate("rates of the ground's force", force, FORCE_RATE)]


def passive_hips(at: Setting) -> list[SquaredIntegral]:
    """Squared passive moments of hip flexion, relative to strengths."""
    hips = np.array([at.walker.skeleton.index(f"{side}_hip_flexion") for side in SIDES])
    return [SquaredIntegral("passive moments of the hips", relative_passive_moments(at, hips), PASSIVE_HIP)]


CONSTRAINTS: dict[Callable[[Setting], list[NodeConstraint]], str] = {
    no_ground_reaction_in_flight: "the ground acts only where a foot stands: at the nodes in flight its force and "
    "moment are at most 0.5 % of body weight, times leg length for the moment",
    knee_flexion_at_initial_contact: "a bound, not a result: at least 12 degrees, where people land with 10 to 25 "
    "(Novacheck 1998); effort alone lands on a straight leg",
}
"""Bound of each constraint, and its justification."""

OBJECTIVES: dict[Callable[[Setting], Sequence[Objective]], str] = {
    ground_force_rates: "the ground's force changes smoothly, since people who run bend their legs so that it does "
    "(McMahon et al. 1987); effort alone lands with a peak of 3.5 body weights",
    passive_hips: "passive moments of the hips are penalised: stretched to their limit, they would swing the leg "
    "forward without muscles",
}
"""Quantity that each objective minimises, and its justification."""

OTHER_REASONS = {
    "periodic splines": "accelerations are continuous from step to step, and so is the ground reaction; foot off is a "
    "break, from which on the ground reaction is zero",
    "trunk posture": "spine and neck are kept near upright and elbows near 90 degrees of flexion: effort hardly "
    "determines them, in people ligaments keep the spine so (White and Panjabi 1990), and runners bend their elbows",
    "unloaded ankle": "the ankle is kept near neutral from mid-swing until initial contact: its flexion and inversion "
    "are almost free of effort there",
}
"""Justifications that differ from those of `human`."""
