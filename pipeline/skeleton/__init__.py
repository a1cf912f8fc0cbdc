"""The Denavit-Hartenberg tree: definition, scaling to a subject, poses, and motion and Jacobians of its points."""

from pipeline.skeleton.loading import load_skeleton
from pipeline.skeleton.merging import active_joints, merge_frozen
from pipeline.skeleton.mirroring import mirror_map, symmetric
from pipeline.skeleton.parameters import Segment, SkeletonParameters
from pipeline.skeleton.points import (
    PointJacobians,
    PointMotion,
    joint_axes,
    link_poses,
    point_jacobians,
    point_motion,
    segment_pose,
)
from pipeline.skeleton.scaling import rotate_joint, scale_mass, scale_segments
from pipeline.skeleton.stored import skeleton_of
from pipeline.skeleton.transforms import dh_transform, transform
from pipeline.skeleton.tree import Skeleton
from pipeline.skeleton.validation import check_coordinates, refuse_non_finite

__all__ = [
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
