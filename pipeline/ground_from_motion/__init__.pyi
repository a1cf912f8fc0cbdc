from .contacts import Contact, FootFrame, StepOnGround, contacts_of, foot_frame
from .estimate import WalkingBody, estimate, joint_loads, measured_path, measured_steps, walking_body
from .learned import SHIPPED, LearnedSplit, load_learned
from .split import Sharing, SplitLoads, split_between_feet
from .walk import ground_from_motion

__all__ = [
    "SHIPPED",
    "Contact",
    "FootFrame",
    "LearnedSplit",
    "Sharing",
    "SplitLoads",
    "StepOnGround",
    "WalkingBody",
    "contacts_of",
    "estimate",
    "foot_frame",
    "ground_from_motion",
    "joint_loads",
    "load_learned",
    "measured_path",
    "measured_steps",
    "split_between_feet",
    "walking_body",
]
