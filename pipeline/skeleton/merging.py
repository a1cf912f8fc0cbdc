"""The active model: frozen joints are welded and their links merged into their parents' links (Featherstone 2008)."""

from __future__ import annotations

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.skeleton.inertia import joined_bodies
from pipeline.skeleton.parameters import Segment
from pipeline.skeleton.transforms import dh_transform
from pipeline.skeleton.tree import Skeleton


def active_joints(skeleton: Skeleton) -> np.ndarray:
    """Indices of the joints that are not frozen: ``q[:, active_joints(s)]`` are the merged skeleton's coordinates."""
    return np.flatnonzero(~skeleton.frozen)


def merge_frozen(skeleton: Skeleton, at: np.ndarray | None = None) -> Skeleton:
    """The skeleton without its frozen joints, each welded at its coordinate; exact, not an approximation.

    A frozen joint's link becomes part of its parent's link. Mass, centre of mass and inertia are combined, its children
    become those of the parent through their ``origin``, and its segments remain as segments of the parent's link; so
    does the link itself, under the joint's name. The other joints keep their order, axes, loads and link frames.

    Args:
        skeleton: tree of n joints, some of which are frozen.
        at: (n,) coordinates at which frozen joints are welded (others are ignored); zero if omitted.

    Raises:
        DynamicsError: the root is frozen, so nothing would connect the tree to G.
    """
    n = len(skeleton)
    at = np.zeros(n) if at is None else np.asarray(at, dtype=float)
    if skeleton.frozen[0]:
        raise DynamicsError(
            "the root is frozen", where=f"joint {skeleton.joint_names[0]}", remedy="Keep the root joint active"
        )
    merged, pose = np.arange(n), np.tile(np.eye(4), (n, 1, 1))  # joint of the merged link, and link pose in its frame
    origin = skeleton.origin.copy()
    mass, com, inertia = skeleton.mass.copy(), skeleton.com.copy(), skeleton.inertia.copy()
    for j in range(n):
        k = int(skeleton.parent[j])
        if k >= 0:
            origin[j] = pose[k] @ skeleton.origin[j]
        if skeleton.frozen[j]:
            merged[j] = merged[k]
            pose[j] = origin[j] @ _joint_transform(skeleton, j, at[j])
            if skeleton.mass[j]:
                R, r = pose[j, :3, :3], pose[j, :3, 3]
                body = skeleton.mass[j], R @ skeleton.com[j] + r, R @ skeleton.inertia[j] @ R.T
                i = merged[j]
                mass[i], com[i], inertia[i] = joined_bodies((mass[i], com[i], inertia[i]), body)
    active = active_joints(skeleton)
    number = {int(j): i for i, j in enumerate(active)}
    parent = [-1 if skeleton.parent[j] < 0 else number[int(merged[skeleton.parent[j]])] for j in active]
    segments = {skeleton.joint_names[j]: Segment(int(j), np.eye(4)) for j in np.flatnonzero(skeleton.frozen)}
    segments |= skeleton.segments
    return Skeleton(
        joint_names=tuple(skeleton.joint_names[j] for j in active),
        parent=np.array(parent),
        kind=tuple(skeleton.kind[j] for j in active),
        **{
            name: getattr(skeleton, name)[active]
            for name in ("theta", "d", "a", "alpha", "q_lower", "q_upper", "tau_limit", "frozen")
        },
        origin=origin[active],
        mass=mass[active],
        com=com[active],
        inertia=inertia[active],
        segments={name: Segment(number[int(merged[s.joint])], pose[s.joint] @ s.pose) for name, s in segments.items()},
    )


def _joint_transform(skeleton: Skeleton, j: int, q: float) -> np.ndarray:
    revolute = skeleton.kind[j] == "R"
    return dh_transform(
        skeleton.theta[j] + (q if revolute else 0.0),
        skeleton.d[j] + (0.0 if revolute else q),
        skeleton.a[j],
        skeleton.alpha[j],
    )
