"""Text of OpenSim's files: a skeleton as bodies and custom joints, external loads, and tables of motion and loads."""

from pipeline.results.opensim.bodies import Body, CustomJoint, bodies_and_joints
from pipeline.results.opensim.stored import ground_wrenches, loaded_frames, moving_frames, stored_body
from pipeline.results.opensim.text import storage_text, trc_text, write_text

__all__ = [
    "Body",
    "CustomJoint",
    "bodies_and_joints",
    "ground_wrenches",
    "loaded_frames",
    "moving_frames",
    "storage_text",
    "stored_body",
    "trc_text",
    "write_text",
]
