"""What the human preset adds to the thesis, each addition with its reason."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.conventions import SIDES, Y
from pipeline.optimisation.node_values import NodeValues
from pipeline.optimisation.parts.motion import Quantity, coordinates
from pipeline.optimisation.parts.torques import torques
from pipeline.optimisation.problem import NodeConstraint, SquaredIntegral
from pipeline.prediction.gait.constraints import GRAVITY, Setting, knee_flexion
from pipeline.prediction.gait.motion import WalkingMotion

PELVIS_TURN, PELVIS_FORWARD = np.radians(8.0), np.radians(5.0)
LEAST_KNEE, CONTACT_KNEE = np.radians(3.0), np.radians(6.0)
FREE_ANKLE, FREE_ELBOW = np.radians(11.5), np.radians(50.0)
TOE_CLEARANCE = 0.012
COMMON_STRENGTH = 2.05
"""Nm/kg; a torque limit common to all joints, to which theirs are drawn half way (geometric mean)."""

SMOOTHNESS, SWING_ANKLE, BOUNCE = 1e-6, 0.3, 1.0
"""Weights beside effort: of squared joint accelerations, s^4/rad^2, of the swinging ankle's angle, 1/rad^2, and of the
vertical ground reaction's deviation from body weight, as a share of it."""

ARMS, SWING, TWIST, STRETCH = 0.1, 0.02, 0.01, 100.0
"""Weights beside effort, 1/rad^2: of the shoulders' sideways angles and folded elbows, of the arms' swing, of the
turns of arm and forearm, and of the ankles' dorsiflexion beyond what is free."""


def pelvis_turns_little(at: Setting) -> list[NodeConstraint]:
    """Rotation and list of the pelvis within 8 degrees, its tilt between that of standing and 5 degrees forward."""
    low, high = -np.array([PELVIS_TURN, PELVIS_TURN, PELVIS_FORWARD]), np.array([PELVIS_TURN, PELVIS_TURN, 0.0])
    return [NodeConstraint("pelvis rotation", coordinates([3, 4, 5]), low, high, 1e-4, "rad", at.inside)]


def knees_unlocked(at: Setting) -> list[NodeConstraint]:
    """Knees keep 3 degrees of flexion."""
    flexion = at.walker.flexion
    low, high = sorted((flexion * LEAST_KNEE, flexion * np.inf))
    knees = [at.walker.knees[side] for side in SIDES]
    return [NodeConstraint("knees unlocked", coordinates(knees), low, high, 1e-4, "rad", at.inside)]


def knees_straight_at_initial_contact(at: Setting) -> list[NodeConstraint]:
    """Knees flexed by 6 degrees at most at initial contact; one that cannot extend so far may keep 3 more."""
    skeleton, flexion = at.walker.skeleton, at.walker.flexion
    out = []
    for side, contact in list(zip(("right", "left"), (0.0, 1.0), strict=True))[: at.task.n_steps]:
        knee = at.walker.knees[side]
        least = (skeleton.q_lower if flexion > 0 else -skeleton.q_upper)[knee]
        low, high = sorted((-flexion * np.inf, flexion * max(CONTACT_KNEE, least + LEAST_KNEE)))
        name = f"{side} knee at initial contact"
        out.append(NodeConstraint(name, coordinates([knee]), low, high, 1e-4, "rad", np.isclose(at.u, contact)))
    return out


def knee_flexes_early(at: Setting) -> list[NodeConstraint]:
    """The thesis' 60 degrees of knee flexion at 30 % of swing."""
    return knee_flexion(at, 0.3)


def toe_clears(at: Setting) -> list[NodeConstraint]:
    """The swinging toe keeps a distance to the ground about mid-swing."""
    out = []
    for side, u in at.swings():
        applies = (u > at.task.swing_moment(0.25)) & (u < at.task.swing_moment(0.75))

        def height(motion: WalkingMotion, side: str = side) -> NodeValues:
            return motion.position(f"{side}_toe").rows([Y])

        name = f"{side} toe clearance"
        out.append(NodeConstraint(name, height, TOE_CLEARANCE, np.inf, 1e-4, "m", applies, scale=10.0))
    return out


def balanced_effort(at: Setting) -> list[SquaredIntegral]:
    """Squared torques as shares of limits drawn half way to a common strength."""
    joints = at.walker.internal
    limits = at.walker.skeleton.tau_limit[joints]
    joints, limits = joints[np.isfinite(limits)], limits[np.isfinite(limits)]
    return [SquaredIntegral("effort", torques(joints, np.sqrt(limits * COMMON_STRENGTH * at.walker.mass)))]


def smoothness(at: Setting) -> list[SquaredIntegral]:
    """Squared joint accelerations."""
    return [SquaredIntegral("smoothness", coordinates(at.walker.internal, "qdd"), SMOOTHNESS)]


def little_bounce(at: Setting) -> list[SquaredIntegral]:
    """Squared vertical acceleration of the whole body, as a share of gravity: the ground reaction beside the weight."""
    upwards = np.zeros((len(at.u), 1, 6))
    upwards[:, 0, 4] = 1.0 / (at.walker.mass * GRAVITY)

    def bounce(motion: WalkingMotion) -> NodeValues:
        values = motion.ground_wrench.transformed(upwards)
        return replace(values, value=values.value - 1.0)

    return [SquaredIntegral("bounce", bounce, BOUNCE)]


def swinging_ankle(at: Setting) -> list[SquaredIntegral]:
    """Squared angle of the swinging ankle, fading in and out over the swing."""
    out = []
    for side, u in at.swings():
        swing = np.nan_to_num((u - at.task.swing_moment(0.0)) / (1.0 - at.task.swing_moment(0.0)))
        ankle, fading = coordinates([at.walker.ankles[side]]), np.sin(np.pi * np.clip(swing, 0.0, 1.0))[:, None]

        def faded(motion: WalkingMotion, ankle: Quantity = ankle, fading: np.ndarray = fading) -> NodeValues:
            return ankle(motion).scaled(fading)

        out.append(SquaredIntegral(f"swinging {side} ankle", faded, SWING_ANKLE))
    return out


def stretched_ankles(at: Setting) -> list[SquaredIntegral]:
    """Squared dorsiflexion beyond 11.5 degrees: a spring rather than a stop, for long steps need more."""
    ankles = coordinates([at.walker.ankles[side] for side in SIDES])
    return [SquaredIntegral("ankles stretched", _beyond(ankles, FREE_ANKLE), STRETCH)]


def arms_hang(at: Setting) -> list[SquaredIntegral]:
    """Squared angles of the upper arms to the side and along the way, turns of upper arms and forearms about their
    own length, and flexion of the elbows beyond 50 degrees."""

    names = at.walker.skeleton.joint_names

    def joints(*kinds: str) -> list[int]:
        """Of both sides, where the skeleton has them and they are free."""
        wanted = {f"{side}_{kind}" for side in SIDES for kind in kinds}
        return [j for j, name in enumerate(names) if name in wanted]

    springs = (
        ("arms sideways", joints("shoulder_adduction"), ARMS, coordinates),
        ("arms swinging", joints("shoulder_flexion"), SWING, coordinates),
        ("arms twisted", joints("shoulder_rotation", "elbow_pronation"), TWIST, coordinates),
        ("arms folded", joints("elbow_flexion"), ARMS, lambda elbows: _beyond(coordinates(elbows), FREE_ELBOW)),
    )
    return [SquaredIntegral(name, of(some), weight) for name, some, weight, of in springs if some]


def _beyond(quantity: Quantity, free: float) -> Quantity:
    """What exceeds a free range: a one-sided spring, once differentiable when squared."""

    def stretch(motion: WalkingMotion) -> NodeValues:
        values = quantity(motion)
        taut = values.value > free
        partials = (part if part is None else part * taut[:, :, None] for part in values.partials)
        return NodeValues(np.where(taut, values.value - free, 0.0), *partials)

    return stretch


CONSTRAINTS = {
    pelvis_turns_little: "people turn and list the pelvis by 4 to 8 degrees (Schwartz et al. 2008) and hardly tilt it "
    "back of standing, on three published walks by 4 degrees backwards to 7 forwards; effort alone tilts it back",
    knees_unlocked: "people walk with 3 to 5 degrees of flexion at the knee's most extended (Perry and Burnfield 2010)",
    knees_straight_at_initial_contact: "people's knees flex 5 to 7 degrees then (Schwartz et al. 2008), effort alone "
    "with a bent knee",
    knee_flexes_early: "the knee peaks at 72 % of the cycle, 30 % of swing, not at mid-swing",
    toe_clears: "people clear the ground by 1 to 2 cm (Winter 1992); effort alone grazes it",
}

OBJECTIVES = {
    arms_hang: "effort alone throws the arms sideways and by 90 degrees to and fro to balance the trunk, and "
    "cares little how they are twisted or folded; people let them swing by 30 degrees (Murray et al. 1967)",
    stretched_ankles: "with a straight knee the stretched gastrocnemius lets the ankle dorsiflex by 10 to 15 degrees, "
    "in walking by 12 on average (Schwartz et al. 2008)",
    balanced_effort: "the knee's limit is the largest: by limits alone it bends too far under load",
    smoothness: "effort is blind to motion that costs no torque; people move smoothly (Falisse et al. 2019)",
    little_bounce: "effort counts torques, not the work of turning the falling body upwards at every step, which "
    "people keep small (Donelan et al. 2002)",
    swinging_ankle: "the ankle's limit is that of the calf, so its dorsiflexors' work in swing seems free",
}
