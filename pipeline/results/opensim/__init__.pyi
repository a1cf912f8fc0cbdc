from .bodies import Body, CustomJoint, bodies_and_joints
from .stored import REDUCED, ground_wrenches, loaded_frames, longest_run, motion_of, moving_frames, stored_body
from .text import storage_text, trc_text, write_text

__all__ = [
    "REDUCED",
    "Body",
    "CustomJoint",
    "bodies_and_joints",
    "ground_wrenches",
    "loaded_frames",
    "longest_run",
    "motion_of",
    "moving_frames",
    "storage_text",
    "stored_body",
    "trc_text",
    "write_text",
]
