"""Poses of links, and position, velocity and acceleration of points on them with all derivatives, in G."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import array_of
from pipeline.skeleton.tree import Skeleton
from pipeline.skeleton.validation import check_coordinates, refuse_non_finite


@dataclass(frozen=True)
class PointMotion:
    """Motion of one point or of m points over T frames.

    Attributes:
        position_G, velocity_G, acceleration_G: (T, 3) or (T, m, 3) m, m/s, m/s^2, in G.
    """

    position_G: np.ndarray
    velocity_G: np.ndarray
    acceleration_G: np.ndarray


@dataclass(frozen=True)
class PointJacobians:
    """Derivatives of a point's motion with respect to the coordinates and their rates, (T, 3, n) or (T, m, 3, n), in G.

    Attributes:
        dr_dq: of the position; also that of the velocity by q̇ and of the acceleration by q̈.
        dv_dq: of the velocity.
        da_dq, da_dqd: of the acceleration; da_dqd is twice dv_dq.
    """

    dr_dq: np.ndarray
    dv_dq: np.ndarray
    da_dq: np.ndarray
    da_dqd: np.ndarray


def link_poses(skeleton: Skeleton, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotations R_GL (T, n, 3, 3) and origins (T, n, 3) of all link frames in G, for coordinates q (T, n).

    Raises:
        DynamicsError: q is malformed or not finite.
    """
    from pipeline.skeleton.pose_kernels import link_poses_kernel

    (q,) = check_coordinates(skeleton, q=q)
    refuse_non_finite(skeleton, q=q)
    R, r = np.empty((*q.shape, 3, 3)), np.empty((*q.shape, 3))
    link_poses_kernel(skeleton.arrays, q, R, r)
    return R, r


def joint_axes(skeleton: Skeleton, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Axes (T, n, 3), unit vectors, and own origins (T, n, 3) of all joints in G, for coordinates q (T, n).

    Raises:
        DynamicsError: q is malformed or not finite.
    """
    from pipeline.skeleton.pose_kernels import joint_axes_kernel

    (q,) = check_coordinates(skeleton, q=q)
    refuse_non_finite(skeleton, q=q)
    z, o = np.empty((*q.shape, 3)), np.empty((*q.shape, 3))
    joint_axes_kernel(skeleton.arrays, q, z, o)
    return z, o


def segment_pose(skeleton: Skeleton, name: str, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotation R_GS (T, 3, 3) and origin (T, 3) in G of a segment, or of a joint's link, for coordinates q (T, n)."""
    segment = skeleton.segment(name)
    R, r = link_poses(skeleton, q)
    R, r = R[:, segment.joint], r[:, segment.joint]
    return R @ segment.pose[:3, :3], r + R @ segment.pose[:3, 3]


def point_motion(
    skeleton: Skeleton,
    name: str | Sequence[str],
    point: np.ndarray,
    q: np.ndarray,
    qd: np.ndarray | None = None,
    qdd: np.ndarray | None = None,
) -> PointMotion:
    """Motion of a point fixed to a segment, or of m points fixed to m segments in one pass.

    Args:
        skeleton: the tree.
        name: a segment, or a joint for its link; or m of them.
        point: (3,) m, in the segment's frame; (m, 3) with m names.
        q, qd, qdd: (T, n); omitted rates are zero.

    Raises:
        DynamicsError: the segment is unknown, or a coordinate is malformed or not finite.
    """
    motion, _ = _run(skeleton, name, point, (q, qd, qdd), with_jacobians=False)
    return PointMotion(*np.moveaxis(motion, -2, 0))


def point_jacobians(
    skeleton: Skeleton,
    name: str | Sequence[str],
    point: np.ndarray,
    q: np.ndarray,
    qd: np.ndarray | None = None,
    qdd: np.ndarray | None = None,
) -> PointJacobians:
    """Derivatives of the motion of a point fixed to a segment; arguments and errors as for `point_motion`.

    With the joint's axis S at the point, its rates S' and S'' as fixed to the parent, and the point's velocity v and
    acceleration a: dr/dq = S, dv/dq = S' + w x v, da/dq = S'' + w x a + 2 w' x v, da/dqd = 2 dv/dq, where w and w'
    are the angular parts of S and S'.
    """
    _, jacobians = _run(skeleton, name, point, (q, qd, qdd), with_jacobians=True)
    return PointJacobians(*np.moveaxis(jacobians, -3, 0))


def _run(
    skeleton: Skeleton,
    name: str | Sequence[str],
    point: np.ndarray,
    state: tuple[np.ndarray, np.ndarray | None, np.ndarray | None],
    with_jacobians: bool,
) -> tuple[np.ndarray, np.ndarray]:
    from pipeline.skeleton.pose_kernels import point_motion_kernel

    names = [name] if isinstance(name, str) else list(name)
    points = array_of("point", point, (3,) if isinstance(name, str) else (len(names), 3), where="point")
    (q,) = check_coordinates(skeleton, q=state[0])
    qd, qdd = (np.zeros_like(q) if rate is None else rate for rate in state[1:])
    q, qd, qdd = check_coordinates(skeleton, q=q, qd=qd, qdd=qdd)
    refuse_non_finite(skeleton, q=q, qd=qd, qdd=qdd)
    segments = [skeleton.segment(name) for name in names]
    in_link = [s.pose[:3, :3] @ p + s.pose[:3, 3] for s, p in zip(segments, points.reshape(-1, 3), strict=True)]
    link = np.array([s.joint for s in segments], dtype=np.int64)
    frames, n = q.shape
    motion = np.empty((frames, len(names), 3, 3))
    jacobians = np.empty((frames if with_jacobians else 0, len(names), 4, 3, n))
    point_motion_kernel(skeleton.arrays, link, np.reshape(in_link, (-1, 3)), q, qd, qdd, motion, jacobians)
    return (motion[:, 0], jacobians[:, 0]) if isinstance(name, str) else (motion, jacobians)
