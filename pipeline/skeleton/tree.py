"""The skeleton: an immutable tree of Denavit-Hartenberg joints with massive or massless links.

Frames. The link frame of joint j is

    T_j = T_parent(j) . origin_j . Rz(theta_j + q_j) Tz(d_j) Tx(a_j) Rx(alpha_j)        (revolute, kind 'R')
    T_j = T_parent(j) . origin_j . Rz(theta_j) Tz(d_j + q_j) Tx(a_j) Rx(alpha_j)        (prismatic, kind 'P')

with T_parent = 1 (the global frame G) for the root. The joint's axis is z, and its own origin the origin, of
T_parent . origin_j. Denavit and Hartenberg's four numbers cannot place every branch: ``origin`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.skeleton.arrays import TreeArrays, tree_arrays
from pipeline.skeleton.validation import check_skeleton

_ARRAYS = {
    "parent": (np.int64, ()),
    "theta": (float, ()),
    "d": (float, ()),
    "a": (float, ()),
    "alpha": (float, ()),
    "origin": (float, (4, 4)),
    "mass": (float, ()),
    "com": (float, (3,)),
    "inertia": (float, (3, 3)),
    "q_lower": (float, ()),
    "q_upper": (float, ()),
    "tau_limit": (float, ()),
    "frozen": (bool, ()),
}


@dataclass(frozen=True)
class Segment:
    """A body segment: the link that carries it, and its own frame in the link frame.

    Attributes:
        joint: index of the joint whose link carries the segment.
        pose: (4, 4) segment frame in the link frame. Segments of a human are x forward, y up, z to the right in the
            standing posture, with the origin at the proximal joint.
    """

    joint: int
    pose: np.ndarray


@dataclass(frozen=True, eq=False)
class Skeleton:
    """A tree of n joints, parents before children, in SI units and radians; arrays are read-only copies.

    Attributes:
        joint_names: n unique names.
        parent: (n,) index of the parent joint, -1 for the one root.
        kind: n letters, 'R' revolute or 'P' prismatic.
        theta, d, a, alpha: (n,) Denavit-Hartenberg numbers; the coordinate adds to theta ('R') or d ('P').
        origin: (n, 4, 4) fixed transform from the parent's link frame to the joint's own frame.
        mass: (n,) kg; a link of no mass must have a massive descendant.
        com: (n, 3) centre of mass in the link frame, m.
        inertia: (n, 3, 3) about the centre of mass, along the link frame's axes, kg m^2.
        q_lower, q_upper: (n,) limits of the coordinates, rad or m; infinite where there is none.
        tau_limit: (n,) largest magnitude of the joint's torque or force, Nm or N; infinite where there is none.
        frozen: (n,) True for joints that the active model holds at zero.
        segments: body segments by name, beside the links, which go by their joint's name.

    Raises:
        DynamicsError: naming joint, value and remedy, if anything is malformed.
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
    q_lower: np.ndarray
    q_upper: np.ndarray
    tau_limit: np.ndarray
    frozen: np.ndarray
    segments: Mapping[str, Segment] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "joint_names", tuple(self.joint_names))
        object.__setattr__(self, "kind", tuple(self.kind))
        object.__setattr__(self, "segments", MappingProxyType(dict(self.segments)))
        n = len(self.joint_names)
        for name, (dtype, shape) in _ARRAYS.items():
            object.__setattr__(self, name, _read_only(name, getattr(self, name), dtype, (n, *shape)))
        check_skeleton(self)

    def __len__(self) -> int:
        return len(self.joint_names)

    def __reduce__(self) -> tuple:
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return _rebuild, (values | {"segments": dict(self.segments)},)

    def segment(self, name: str) -> Segment:
        """The segment of that name, or the link of the joint of that name with the link frame itself.

        Raises:
            DynamicsError: there is neither.
        """
        if name in self.segments:
            return self.segments[name]
        if name in self.joint_names:
            return Segment(self.joint_names.index(name), np.eye(4))
        known = ", ".join(self.segments or self.joint_names)
        raise DynamicsError(f"no segment or joint is called {name!r}", where="skeleton", remedy=f"Known are: {known}")

    def index(self, joint_name: str) -> int:
        """Index of a joint by its name. Raises DynamicsError if there is no such joint."""
        if joint_name not in self.joint_names:
            raise DynamicsError(f"no joint is called {joint_name!r}", where="skeleton")
        return self.joint_names.index(joint_name)

    @cached_property
    def is_ancestor(self) -> np.ndarray:
        """(n, n) True at [i, j] where joint i is j or an ancestor of j, so that link j moves with q_i."""
        out = np.eye(len(self), dtype=bool)
        for j, parent in enumerate(self.parent):
            if parent >= 0:
                out[:, j] |= out[:, parent]
        out.setflags(write=False)
        return out

    @cached_property
    def global_joints(self) -> np.ndarray:
        """Joints from the root to the first massive link: in a human the six whose tau are the global residuals."""
        path, j = [], int(np.flatnonzero(self.mass > 0)[0])
        while j >= 0:
            path.append(j)
            j = int(self.parent[j])
        return np.array(path[::-1])

    @cached_property
    def arrays(self) -> TreeArrays:
        """What the compiled kernels read."""
        return tree_arrays(self)


def _read_only(name: str, value: object, dtype: type, shape: tuple[int, ...]) -> np.ndarray:
    try:
        array: np.ndarray = np.array(value, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise DynamicsError(
            f"{name} is not an array of numbers ({error})", where="skeleton", remedy="Give numbers only"
        ) from None
    if array.shape != shape:
        raise DynamicsError(
            f"{name} has shape {array.shape}, expected {shape} for {shape[0]} joints",
            where="skeleton",
            remedy="Give one entry for each joint name",
        )
    array.setflags(write=False)
    return array


def _rebuild(values: dict) -> Skeleton:
    return Skeleton(**values)
