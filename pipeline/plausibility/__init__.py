"""Plausibility of a walk's results: angles, joint loads, segments, plates and whole-body balance against what is known.

In: the values of the stages up to the summary, and the static trial. Out: findings, each with its value, limit, likely
cause and remedy. Nothing is changed here: what can be put right is put right before (`pipeline.signals`).
"""

from pipeline.plausibility.angles import gait_scores, joint_ranges
from pipeline.plausibility.assess import plausibility
from pipeline.plausibility.balance import force_balance, whole_body_balance
from pipeline.plausibility.crosstalk import Crosstalk, crosstalk, knee_crosstalk
from pipeline.plausibility.foot_height import foot_heights
from pipeline.plausibility.heel_contact import heel_contact, heel_share
from pipeline.plausibility.joint_loads import joint_loads
from pipeline.plausibility.knee_clearance import clearance, knee_clearance
from pipeline.plausibility.knee_marker import knee_markers, offset_from_axis
from pipeline.plausibility.knee_rotation import knee_rotations
from pipeline.plausibility.leg_length import joint_widths, leg_lengths
from pipeline.plausibility.orientation import orientation
from pipeline.plausibility.plate_position import plate_position
from pipeline.plausibility.plates import plates
from pipeline.plausibility.plates_compared import plates_compared
from pipeline.plausibility.push_off import ahead_of_pivot, push_off
from pipeline.plausibility.rigid import rigid_groups, segment_distances
from pipeline.plausibility.static_trial import static_labels
from pipeline.plausibility.synchronisation import plate_delay, synchronisation

__all__ = [
    "Crosstalk",
    "ahead_of_pivot",
    "clearance",
    "crosstalk",
    "foot_heights",
    "force_balance",
    "gait_scores",
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
    "offset_from_axis",
    "orientation",
    "plate_delay",
    "plate_position",
    "plates",
    "plates_compared",
    "plausibility",
    "push_off",
    "rigid_groups",
    "segment_distances",
    "static_labels",
    "synchronisation",
    "whole_body_balance",
]
