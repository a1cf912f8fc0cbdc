"""Convert a tree of Denavit-Hartenberg joints exactly into OpenSim's bodies and custom joints.

Consecutive joints whose links have neither mass nor a name become one custom joint if their axes meet in a point: up to
three translations, then up to three rotations, about the axes of the neutral pose. By the product of exponentials
(Murray, Li and Sastry 1994, eq. 3.4) the pose is the same for all coordinates. The axes of a body are those of its
segment: x forward, y up, z to the right in the neutral pose.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.skeleton import Skeleton, joint_axes, link_poses

GROUND = "ground"
_APART = 1e-9
"""Distance from a point below which an axis passes through it, m."""


@dataclass(frozen=True)
class Body:
    """A rigid body: mass (kg), centre of mass (3,) m and inertia about it (3, 3) kg m^2, in the body's own axes.

    Attributes:
        joint: index of the joint whose link it is.
        R_LB, origin_L: its axes (3, 3) and origin (3,) m in the frame of that link.
    """

    name: str
    joint: int
    mass: float
    com_B: np.ndarray
    inertia_B: np.ndarray
    R_LB: np.ndarray
    origin_L: np.ndarray

    def from_link(self, point_L: np.ndarray) -> np.ndarray:
        """Transform a point (3,), m, from the link's frame to the body's."""
        return self.R_LB.T @ (point_L - self.origin_L)


@dataclass(frozen=True)
class CustomJoint:
    """A joint between two bodies.

    Attributes:
        centre_P, centre_C: (3,) m, its centre in the frames of the parent and the child.
        R_CJ: (3, 3), the joint's axes in those of the child; in the neutral pose, the joint's axes are the parent's.
        translations, rotations: in order, the index of each coordinate and its axis (3,) in the joint's axes.
    """

    name: str
    parent: str
    child: str
    centre_P: np.ndarray
    centre_C: np.ndarray
    R_CJ: np.ndarray
    translations: tuple[tuple[int, np.ndarray], ...]
    rotations: tuple[tuple[int, np.ndarray], ...]


def bodies_and_joints(skeleton: Skeleton) -> tuple[list[Body], list[CustomJoint]]:
    """Bodies, parents before children, and for each the joint to its parent."""
    neutral = np.zeros((1, len(skeleton)))
    R_GL, r_GL = (part[0] for part in link_poses(skeleton, neutral))
    axes_G, origins_G = (part[0] for part in joint_axes(skeleton, neutral))
    segments = {segment.joint: (name, segment.pose) for name, segment in skeleton.segments.items()}
    bodies: dict[int, Body] = {}
    joints = []
    for group in _groups(skeleton, axes_G, origins_G):
        last, parent = group[-1], int(skeleton.parent[group[0]])
        name, pose = segments.get(last, (f"{skeleton.joint_names[last]}_link", np.eye(4)))
        R_LB, origin_L = pose[:3, :3], pose[:3, 3]
        com_B = R_LB.T @ (skeleton.com[last] - origin_L)
        mass = float(skeleton.mass[last])
        inertia_B = R_LB.T @ skeleton.inertia[last] @ R_LB
        body = Body(name, last, mass, com_B if mass else np.zeros(3), inertia_B, R_LB, origin_L)
        R_GP, r_GP = _pose(bodies.get(parent), R_GL, r_GL)
        R_GC, r_GC = _pose(body, R_GL, r_GL)
        turning = [j for j in group if skeleton.kind[j] == "R"]
        centre_G = origins_G[(turning or group)[0]]
        moving = [(j, R_GP.T @ axes_G[j]) for j in group]
        joints.append(
            CustomJoint(
                name=f"{name}_joint",
                parent=bodies[parent].name if parent >= 0 else GROUND,
                child=name,
                centre_P=R_GP.T @ (centre_G - r_GP),
                centre_C=R_GC.T @ (centre_G - r_GC),
                R_CJ=R_GC.T @ R_GP,
                translations=tuple(item for item in moving if item[0] not in turning),
                rotations=tuple(item for item in moving if item[0] in turning),
            )
        )
        bodies[last] = body
    return list(bodies.values()), joints


def _pose(body: Body | None, R_GL: np.ndarray, r_GL: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rotation and origin in G of a body in the neutral pose, or of the ground."""
    if body is None:
        return np.eye(3), np.zeros(3)
    R = R_GL[body.joint]
    return R @ body.R_LB, r_GL[body.joint] + R @ body.origin_L


def _groups(skeleton: Skeleton, axes_G: np.ndarray, origins_G: np.ndarray) -> Iterator[list[int]]:
    """Joints of each custom joint, parents before children."""
    named = {segment.joint for segment in skeleton.segments.values()}
    children = np.bincount(skeleton.parent[skeleton.parent >= 0], minlength=len(skeleton))
    group: list[int] = []
    for j in range(len(skeleton)):
        group.append(j)
        following = j + 1
        if (
            following < len(skeleton)
            and skeleton.parent[following] == j
            and children[j] == 1
            and skeleton.mass[j] == 0.0
            and j not in named
            and _fits([*group, following], skeleton, axes_G, origins_G)
        ):
            continue
        yield group
        group = []


def _fits(group: list[int], skeleton: Skeleton, axes_G: np.ndarray, origins_G: np.ndarray) -> bool:
    """Whether joints are at most three translations, then at most three rotations with distinct axes that meet."""
    kinds = "".join(skeleton.kind[j] for j in group)
    turning = [j for j in group if skeleton.kind[j] == "R"]
    if kinds.count("P") > 3 or len(turning) > 3 or "RP" in kinds:
        return False
    for set_ in (turning, [j for j in group if j not in turning]):
        if set_ and np.linalg.matrix_rank(axes_G[set_], tol=1e-6) < len(set_):
            return False
    offsets = [np.cross(origins_G[j] - origins_G[turning[0]], axes_G[j]) for j in turning]
    return all(np.linalg.norm(offset) < _APART for offset in offsets)
