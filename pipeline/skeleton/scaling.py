"""Scaling of segments along their axes, including geometry and inertia of their links, and rotation of joint axes.

Masses are unchanged. The second moments of mass J of a link are scaled as S J S, so the scaled link is again a physical
body (de Leva's radii of gyration scale with length in the same way).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pipeline.conventions import array_of
from pipeline.errors import DynamicsError
from pipeline.skeleton.parameters import Segment
from pipeline.skeleton.transforms import transform
from pipeline.skeleton.tree import Skeleton

_ALONG = 1e-9
"""Tolerance of a component of a unit vector: right angles from degrees are exact to rounding."""


def scale_segments(skeleton: Skeleton, factors: Mapping[str, np.ndarray]) -> Skeleton:
    """The skeleton with scaled segments.

    A link is scaled as a whole: its Denavit-Hartenberg offsets, the origins of its child joints, its centre of mass and
    its second moments of mass. Joint axes keep their directions.

    Args:
        skeleton: tree of n joints.
        factors: (3,) positive factors along x, y, z of the segment's own axes, by segment.

    Raises:
        DynamicsError: a segment is unknown or does not have its origin at its joint, a factor is not positive, or the
            link's offset is oblique to the segment's axes and the factors differ.
    """
    d, a = skeleton.d.copy(), skeleton.a.copy()
    origin, com, inertia = skeleton.origin.copy(), skeleton.com.copy(), skeleton.inertia.copy()
    segments = dict(skeleton.segments)
    for name, value in factors.items():
        j = skeleton.segment(name).joint
        factor = array_of("factors", value, (3,), where=f"segment {name}")
        R, r = skeleton.segment(name).pose[:3, :3], skeleton.segment(name).pose[:3, 3]
        if not (np.isfinite(factor).all() and (factor > 0).all()):
            raise DynamicsError(
                f"scale factors are {factor}", where=f"segment {name}", remedy="Give three positive factors"
            )
        d[j], a[j] = _offsets(skeleton, name, j, factor)
        own = -_link_offset(d[j], a[j], skeleton.alpha[j])  # the joint's own origin in the link frame
        S = R @ np.diag(factor) @ R.T
        for child in np.flatnonzero(skeleton.parent == j):
            origin[child, :3, 3] = own + S @ (skeleton.origin[child, :3, 3] - r)
        com[j] = own + S @ (skeleton.com[j] - r)
        inertia[j] = _scaled_inertia(skeleton.inertia[j], S)
        for other, segment in skeleton.segments.items():
            if segment.joint == j:
                segments[other] = Segment(j, transform(segment.pose[:3, :3], own + S @ (segment.pose[:3, 3] - r)))
    return replace(skeleton, d=d, a=a, origin=origin, com=com, inertia=inertia, segments=segments)


def scale_mass(skeleton: Skeleton, factors: Mapping[str, np.ndarray]) -> Skeleton:
    """The skeleton with its segments' mass scaled about their origins; all joints keep their positions.

    Args:
        skeleton: tree of n joints.
        factors: (3,) positive factors along x, y, z of the segment's own axes, by segment.

    Raises:
        DynamicsError: a segment is unknown.
    """
    com, inertia = skeleton.com.copy(), skeleton.inertia.copy()
    for name, factor in factors.items():
        j, pose = skeleton.segment(name).joint, skeleton.segment(name).pose
        S = pose[:3, :3] @ np.diag(factor) @ pose[:3, :3].T
        com[j] = pose[:3, 3] + S @ (skeleton.com[j] - pose[:3, 3])
        inertia[j] = _scaled_inertia(skeleton.inertia[j], S)
    return replace(skeleton, com=com, inertia=inertia)


def rotate_joint(skeleton: Skeleton, joint: str, segment: str, R_S: np.ndarray) -> Skeleton:
    """The skeleton with a joint, and all its descendants, rotated about the joint's own origin.

    Args:
        skeleton: tree of n joints.
        joint: name of the joint.
        segment: segment in whose axes the rotation is given; it must be on the joint's parent link.
        R_S: (3, 3) rotation in the segment's axes.

    Raises:
        DynamicsError: joint or segment is unknown, or the segment is not on the joint's parent link.
    """
    j, parent = skeleton.index(joint), skeleton.segment(segment)
    if skeleton.parent[j] != parent.joint:
        raise DynamicsError(f"it is not attached to segment {segment!r}", where=f"joint {joint}")
    R = parent.pose[:3, :3]
    origin = skeleton.origin.copy()
    origin[j, :3, :3] = R @ R_S @ R.T @ origin[j, :3, :3]
    return replace(skeleton, origin=origin)


def _offsets(skeleton: Skeleton, name: str, j: int, factor: np.ndarray) -> tuple[float, float]:
    """Scaled d and a of a segment's joint; the link's offset must be along axes of equal factors."""
    R, r = skeleton.segment(name).pose[:3, :3], skeleton.segment(name).pose[:3, 3]
    alpha = skeleton.alpha[j]
    if not np.allclose(r, -_link_offset(skeleton.d[j], skeleton.a[j], alpha), atol=_ALONG):
        raise DynamicsError("its origin is not at its joint", where=f"segment {name}", remedy="Scale another segment")
    new = []
    for value, unit in ((skeleton.d[j], _link_offset(1.0, 0.0, alpha)), (skeleton.a[j], _link_offset(0.0, 1.0, alpha))):
        used = factor[np.abs(R.T @ unit) > _ALONG]
        if value != 0.0 and not np.allclose(used, used[0]):
            raise DynamicsError(
                f"its offset is oblique to its axes, and the factors {factor} differ",
                where=f"segment {name}",
                remedy="Scale it equally along all axes",
            )
        new.append(float(value * used[0]))
    return new[0], new[1]


def _scaled_inertia(inertia: np.ndarray, S: np.ndarray) -> np.ndarray:
    """Inertia (3, 3) about the centre of mass of a body scaled by S (3, 3)."""
    second = S @ (0.5 * np.trace(inertia) * np.eye(3) - inertia) @ S.T
    return np.trace(second) * np.eye(3) - second


def _link_offset(d: float, a: float, alpha: float) -> np.ndarray:
    """From the joint's own origin to that of its link frame, in link axes: d along the joint axis, a along x."""
    return np.array([a, d * np.sin(alpha), d * np.cos(alpha)])
