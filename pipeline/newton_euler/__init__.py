"""Matrix-form inverse dynamics of a leg.

In: segments in motion and the ground's load on the foot. Out: the block system M a = C + G + A F + E, its solution,
contributions of each term, and the joint loads in a choice of axes. It never imports the recursive dynamics, so that
the agreement of the two methods is evidence.
"""

from pipeline.newton_euler.cutoff_peaks import cutoff_peaks
from pipeline.newton_euler.legs import CHAIN, inverse_dynamics
from pipeline.newton_euler.response import ground_change, inertia_changes, load_changes
from pipeline.newton_euler.solution import (
    LegLoads,
    in_axes,
    joint_force_G,
    joint_moment_G,
    joint_power,
    solve,
    solve_right_sides,
)
from pipeline.newton_euler.system import LegSystem, SegmentState, assemble

__all__ = [
    "CHAIN",
    "LegLoads",
    "LegSystem",
    "SegmentState",
    "assemble",
    "cutoff_peaks",
    "ground_change",
    "in_axes",
    "inertia_changes",
    "inverse_dynamics",
    "joint_force_G",
    "joint_moment_G",
    "joint_power",
    "load_changes",
    "solve",
    "solve_right_sides",
]
