from .bodies import Body, CustomJoint, bodies_and_joints
from .stored import (
    ESTIMATED,
    REDUCED,
    estimated_wrenches,
    ground_wrenches,
    loaded_frames,
    longest_run,
    motion_of,
    moving_frames,
    stored_body,
    stored_estimate,
)
from .text import storage_text, trc_text, write_text

__all__ = [
    "ESTIMATED",
    "REDUCED",
    "Body",
    "CustomJoint",
    "bodies_and_joints",
    "estimated_wrenches",
    "ground_wrenches",
    "loaded_frames",
    "longest_run",
    "motion_of",
    "moving_frames",
    "storage_text",
    "stored_body",
    "stored_estimate",
    "trc_text",
    "write_text",
]
