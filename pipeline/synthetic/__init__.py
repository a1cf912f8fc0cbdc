"""Trials of known truth, and the writer that puts them into C3D files."""

from pipeline.synthetic.c3d_writer import PlateSetup, write_c3d
from pipeline.synthetic.demo import standing, walk, write_demo
from pipeline.synthetic.gait import Gait
from pipeline.synthetic.ground import BalancedWalk, Contact, balanced
from pipeline.synthetic.loads import SegmentInertia, joint_loads
from pipeline.synthetic.rigid_motion import SegmentMotion
from pipeline.synthetic.soft_tissue import SoftTissue
from pipeline.synthetic.subject import DemoSubject
from pipeline.synthetic.truth import DemoTruth

__all__ = [
    "BalancedWalk",
    "Contact",
    "DemoSubject",
    "DemoTruth",
    "Gait",
    "PlateSetup",
    "SegmentInertia",
    "SegmentMotion",
    "SoftTissue",
    "balanced",
    "joint_loads",
    "standing",
    "walk",
    "write_c3d",
    "write_demo",
]
