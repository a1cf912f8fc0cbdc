from .bodies import Body, CustomJoint, bodies_and_joints
from .stored import ground_wrenches, loaded_frames, longest_run, moving_frames, stored_body
from .text import storage_text, trc_text, write_text

__all__ = [
    "Body",
    "CustomJoint",
    "bodies_and_joints",
    "ground_wrenches",
    "loaded_frames",
    "longest_run",
    "moving_frames",
    "storage_text",
    "stored_body",
    "trc_text",
    "write_text",
]
