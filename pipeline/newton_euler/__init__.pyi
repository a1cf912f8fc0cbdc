from .cutoff_peaks import cutoff_peaks
from .legs import CHAIN, inverse_dynamics
from .response import ground_change, inertia_changes, load_changes
from .solution import (
    LegLoads,
    in_axes,
    joint_force_G,
    joint_moment_G,
    joint_power,
    solve,
    solve_right_sides,
)
from .system import LegSystem, SegmentState, assemble

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
