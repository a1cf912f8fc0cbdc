from .angles import gait_scores, joint_ranges
from .assess import graded, plausibility
from .balance import force_balance, whole_body_balance
from .body_sizes import body_sizes
from .crosstalk import Crosstalk, crosstalk, knee_crosstalk
from .effects import body_effects, plate_effects, with_effects
from .event_times import event_times, file_lateness
from .farthest import farthest_first
from .foot_height import foot_heights
from .force_motion import force_motion
from .grouping import grouped
from .heel_contact import heel_contact, heel_share
from .joint_loads import joint_loads
from .knee_clearance import clearance, knee_clearance
from .knee_marker import knee_markers, offset_from_axis
from .knee_rotation import knee_rotations
from .leg_length import joint_widths, leg_lengths
from .light_steps import light_steps
from .limits import OPEN, Limits, LimitsError, Spread, load_limits
from .marker_motion import marker_motion
from .orientation import orientation
from .pelvic_tilt import pelvic_tilt
from .plate_position import plate_position
from .plates import plates
from .plates_by_motion import MISFITS, Balance, balance_of, misfits_of, plates_by_motion
from .plates_compared import plates_compared
from .predicted_walk import predicted_walk_findings
from .push_off import ahead_of_pivot, push_off
from .rigid import rigid_groups, segment_distances
from .set_aside import Contradiction, contradicted_steps, without_contradicted
from .shank_axis import shank_axes, shank_turn
from .sides_compared import side_differences, sides_compared
from .standing import standing_angles
from .static_trial import static_labels
from .steps_compared import steps_compared
from .suspects import BodyError, PlateError, Suspicion
from .symmetry import level_pelvis, symmetry
from .synchronisation import plate_delay, synchronisation

__all__ = [
    "MISFITS",
    "OPEN",
    "Balance",
    "BodyError",
    "Contradiction",
    "Crosstalk",
    "Limits",
    "LimitsError",
    "PlateError",
    "Spread",
    "Suspicion",
    "ahead_of_pivot",
    "balance_of",
    "body_effects",
    "body_sizes",
    "clearance",
    "contradicted_steps",
    "crosstalk",
    "event_times",
    "farthest_first",
    "file_lateness",
    "foot_heights",
    "force_balance",
    "force_motion",
    "gait_scores",
    "graded",
    "grouped",
    "heel_contact",
    "heel_share",
    "joint_loads",
    "joint_ranges",
    "joint_widths",
    "knee_clearance",
    "knee_crosstalk",
    "knee_markers",
    "knee_rotations",
    "leg_lengths",
    "level_pelvis",
    "light_steps",
    "load_limits",
    "marker_motion",
    "misfits_of",
    "offset_from_axis",
    "orientation",
    "pelvic_tilt",
    "plate_delay",
    "plate_effects",
    "plate_position",
    "plates",
    "plates_by_motion",
    "plates_compared",
    "plausibility",
    "predicted_walk_findings",
    "push_off",
    "rigid_groups",
    "segment_distances",
    "shank_axes",
    "shank_turn",
    "side_differences",
    "sides_compared",
    "standing_angles",
    "static_labels",
    "steps_compared",
    "symmetry",
    "synchronisation",
    "whole_body_balance",
    "with_effects",
    "without_contradicted",
]
