"""The skeleton: an immutable tree of Denavit-Hartenberg joints with massive or massless links.

Frames. The link frame of joint j is

    T_j = T_parent(j) . origin_j . Rz(theta_j + q_j) Tz(d_j) Tx(a_j) Rx(alpha_j)        (revolute, kind 'R')
    T_j = T_parent(j) . origin_j . Rz(theta_j) Tz(d_j + q_j) Tx(a_j) Rx(alpha_j)        (prismatic, kind 'P')

with T_parent = 1 (the global frame G) for the root. The joint's axis is the z axis, and its own origin the origin, of
T_parent . origin_j. ``origin`` places branches that the four Denavit-Hartenberg parameters cannot.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from functools import cached_property, partial
from types import MappingProxyType

import numpy as np

from pipeline.conventions import real_numbers
from pipeline.errors import DynamicsError
from pipeline.skeleton.arrays import TreeArrays, tree_arrays
from pipeline.skeleton.parameters import Segment, SkeletonParameters
from pipeline.skeleton.validation import check_skeleton

_ENTRIES = {"origin": (4, 4), "com": (3,), "inertia": (3, 3)}
"""Shape of a joint's entry in an array, if it is not one number."""

_TYPES: dict[str, type] = {"parent": np.int64, "frozen": bool}
"""Type of the entries, if it is not float."""


@dataclass(frozen=True, eq=False)
class Skeleton(SkeletonParameters):
    """A tree of n joints (`SkeletonParameters` documents the fields); arrays are read-only copies.

    An array may be given as one entry shared by all joints; by default no joint has a limit or is frozen.

    Raises:
        DynamicsError: anything is malformed; the message names joint, value and remedy.
    """

    def __post_init__(self) -> None:
        object.__setattr__(self, "joint_names", tuple(self.joint_names))
        object.__setattr__(self, "kind", tuple(self.kind))
        object.__setattr__(self, "segments", MappingProxyType(dict(self.segments)))
        for name in (field.name for field in fields(SkeletonParameters) if field.type == "np.ndarray"):
            shape = (len(self.joint_names), *_ENTRIES.get(name, ()))
            object.__setattr__(self, name, _read_only(name, getattr(self, name), _TYPES.get(name, float), shape))
        check_skeleton(self)

    def __reduce__(self) -> tuple:
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return partial(Skeleton, **values | {"segments": dict(self.segments)}), ()

    def segment(self, name: str) -> Segment:
        """The segment of that name, or the link of the joint of that name, with the link frame as its own frame.

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
        """(n, n) True at [i, j] if joint i is j or an ancestor of j, so that link j moves with q_i."""
        out = np.eye(len(self), dtype=bool)
        for j, parent in enumerate(self.parent):
            if parent >= 0:
                out[:, j] |= out[:, parent]
        out.setflags(write=False)
        return out

    @cached_property
    def moves_feet(self) -> np.ndarray:
        """(n,) whether a joint moves a foot or its toes: joints of pelvis and legs; all of a tree without feet."""
        feet = [segment.joint for name, segment in self.segments.items() if name.endswith(("_foot", "_toes"))]
        return np.asarray(self.is_ancestor[:, feet].any(axis=1)) if feet else np.ones(len(self), dtype=bool)

    @cached_property
    def global_joints(self) -> np.ndarray:
        """Joints from the root to the first link with mass: in a human the six whose tau are the pelvis residuals."""
        path, j = [], int(np.flatnonzero(self.mass > 0)[0])
        while j >= 0:
            path.append(j)
            j = int(self.parent[j])
        return np.array(path[::-1])

    @cached_property
    def arrays(self) -> TreeArrays:
        """The parameters packed for the compiled kernels."""
        return tree_arrays(self)


def _read_only(name: str, value: object, dtype: type, shape: tuple[int, ...]) -> np.ndarray:
    try:
        numbers = real_numbers(value)
        if dtype is not float and np.isnan(numbers).any():
            raise ValueError("a value is missing")
        with np.errstate(invalid="ignore"):
            array: np.ndarray = np.array(numbers, dtype=dtype)
    except (TypeError, ValueError) as error:
        raise DynamicsError(
            f"{name} is not an array of numbers ({error})", where="skeleton", remedy="Give numbers only"
        ) from None
    if dtype is not float and (changed := np.ravel(array != numbers)).any():
        what, remedy = ("True or False",) * 2 if dtype is bool else ("a whole number", "whole numbers")
        wrong = f"{name} has {np.ravel(numbers)[changed][0]:g}, which is not {what}"
        raise DynamicsError(wrong, where="skeleton", remedy=f"Give {remedy}")
    if array.shape == shape[1:]:
        array = np.broadcast_to(array, shape).copy()
    if array.shape != shape:
        raise DynamicsError(
            f"{name} has shape {array.shape}, expected {shape} for {shape[0]} joints",
            where="skeleton",
            remedy="Give one entry for each joint name",
        )
    array.setflags(write=False)
    return array
