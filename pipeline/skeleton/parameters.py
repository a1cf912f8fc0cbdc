"""Parameters of a skeleton: Denavit-Hartenberg parameters, masses, limits and segments of a tree of joints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np


@dataclass(frozen=True)
class Segment:
    """A body segment: the link it is fixed to, and its own frame in the link frame.

    Attributes:
        joint: index of the joint of that link.
        pose: (4, 4) segment frame in the link frame. Segments of a human are x forward, y up, z to the right in the
            neutral pose, with the origin at the proximal joint.
    """

    joint: int
    pose: np.ndarray


@dataclass(frozen=True, eq=False)
class SkeletonParameters:
    """Parameters of a tree of n joints, parents before children, in SI units and radians.

    Attributes:
        joint_names: n unique names.
        parent: (n,) index of the parent joint, -1 for the one root.
        kind: n letters, 'R' revolute or 'P' prismatic.
        theta, d, a, alpha: (n,) Denavit-Hartenberg parameters; the coordinate is added to theta ('R') or d ('P').
        origin: (n, 4, 4) fixed transform from the parent's link frame to the joint's own frame.
        mass: (n,) kg; a massless link must have a descendant with mass.
        com: (n, 3) centre of mass in the link frame, m.
        inertia: (n, 3, 3) about the centre of mass, along the link frame's axes, kg m^2.
        q_lower, q_upper: (n,) limits of the coordinates, rad or m; infinite if there is none.
        tau_limit: (n,) maximum magnitude of the joint's torque or force, Nm or N; infinite if there is none.
        frozen: (n,) True for joints that the active model locks at zero.
        segments: body segments by name; a link has its joint's name.
    """

    joint_names: tuple[str, ...]
    parent: np.ndarray
    kind: tuple[str, ...]
    theta: np.ndarray
    d: np.ndarray
    a: np.ndarray
    alpha: np.ndarray
    origin: np.ndarray
    mass: np.ndarray
    com: np.ndarray
    inertia: np.ndarray
    q_lower: np.ndarray = field(default_factory=lambda: np.array(-np.inf))
    q_upper: np.ndarray = field(default_factory=lambda: np.array(np.inf))
    tau_limit: np.ndarray = field(default_factory=lambda: np.array(np.inf))
    frozen: np.ndarray = field(default_factory=lambda: np.array(False))
    segments: Mapping[str, Segment] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.joint_names)
