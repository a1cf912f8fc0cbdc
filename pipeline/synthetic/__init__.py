"""Synthetic trials with exactly known motion, loads and events, and the writer of their C3D files."""

from pipeline.results.c3d_writer import PROCESSING, AnalogData, PlateSetup, write_c3d
from pipeline.synthetic.demo import standing, walk, write_demo
from pipeline.synthetic.gait import Gait
from pipeline.synthetic.ground import BalancedWalk, Contact, balanced
from pipeline.synthetic.rigid_motion import SegmentMotion
from pipeline.synthetic.soft_tissue import SoftTissue
from pipeline.synthetic.subject import DemoSubject
from pipeline.synthetic.truth import ANALOG_RATE, RATE, DemoTruth
