from .loading import load_skeleton
from .merging import active_joints, merge_frozen
from .mirroring import mirror_map, symmetric
from .parameters import Segment, SkeletonParameters
from .passive_moments import PASSIVE_JOINTS, passive_moments
from .points import (
    PointJacobians,
    PointMotion,
    joint_axes,
    link_poses,
    point_jacobians,
    point_motion,
    segment_pose,
)
from .scaling import rotate_joint, scale_mass, scale_segments
from .stored import skeleton_of
from .transforms import dh_transform, transform
from .tree import Skeleton
from .validation import check_coordinates, refuse_non_finite

__all__ = [
    "PASSIVE_JOINTS",
    "PointJacobians",
    "PointMotion",
    "Segment",
    "Skeleton",
    "SkeletonParameters",
    "active_joints",
    "check_coordinates",
    "dh_transform",
    "joint_axes",
    "link_poses",
    "load_skeleton",
    "merge_frozen",
    "mirror_map",
    "passive_moments",
    "point_jacobians",
    "point_motion",
    "refuse_non_finite",
    "rotate_joint",
    "scale_mass",
    "scale_segments",
    "segment_pose",
    "skeleton_of",
    "symmetric",
    "transform",
]
