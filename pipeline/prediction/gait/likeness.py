"""What the human preset adds, each with the reason that people give for it by walking so."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import Y
from pipeline.prediction.gait.constraints import Setting
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.parts.motion import coordinates
from pipeline.prediction.problem import NodeConstraint, NodeValues, SquaredIntegral

PELVIS_TURN = np.radians(8.0)
TOE_CLEARANCE = 0.012


def pelvis_turns_little(at: Setting) -> list[NodeConstraint]:
    """Axial turn, list and tilt of the pelvis within eight degrees."""
    return [
        NodeConstraint("pelvis rotation", coordinates([3, 4, 5]), -PELVIS_TURN, PELVIS_TURN, 1e-4, "rad", at.inside)
    ]


def toe_clears(at: Setting) -> list[NodeConstraint]:
    """The swinging toe keeps a distance to the ground about mid-swing."""
    assert at.task.double_support is not None
    ds = at.task.double_support
    swing = (at.u - ds) / (1.0 - ds)
    applies = (swing > 0.25) & (swing < 0.75)

    def quantity(motion: WalkingMotion) -> NodeValues:
        return motion.position("left_toe").rows([Y])

    return [NodeConstraint("toe clearance", quantity, TOE_CLEARANCE, np.inf, 1e-4, "m", applies, scale=10.0)]


def rhythm(at: Setting) -> list[SquaredIntegral]:
    """A little of the joints' squared accelerations: effort is blind to what costs no torque."""
    joints = at.walker.internal
    return [SquaredIntegral("smoothness", coordinates(joints, "qdd"), 1e-6)]


LIKE_PEOPLE = (
    (pelvis_turns_little, "people turn the pelvis by 4 to 8 degrees; effort alone turns it by more to lengthen steps"),
    (toe_clears, "people clear the ground by 1 to 2 cm (Winter 1992); effort alone grazes it"),
)
