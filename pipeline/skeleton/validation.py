"""Checks that a skeleton's parameters define a mechanical system; each error names joint, value and remedy."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from pipeline.conventions import real_numbers
from pipeline.errors import DynamicsError
from pipeline.skeleton.parameters import SkeletonParameters

_ROUNDING = 1e-9
"""Relative tolerance for symmetry, orthogonality, positive definiteness and the triangle inequality: tables carry about
ten digits after rotation into the link frame, and a rod's smallest moment of inertia is zero only to rounding."""


def check_skeleton(skeleton: SkeletonParameters) -> None:
    """Raise DynamicsError if the tree, the numbers or the masses of a skeleton are malformed."""
    _check_names(skeleton)
    _check_tree(skeleton)
    for wrong, problem, remedy in _conditions(skeleton):
        for j in np.flatnonzero(wrong):
            raise _fail(skeleton, j, problem(int(j)), remedy)
    _check_segments(skeleton)


def check_coordinates(skeleton: SkeletonParameters, **coordinates: np.ndarray) -> tuple[np.ndarray, ...]:
    """Return the coordinates as writeable, contiguous (T, n) float arrays of a common length T.

    Raises:
        DynamicsError: an array is not (T, n) numbers, or the lengths differ.
    """
    out: list[np.ndarray] = []
    for name, value in coordinates.items():
        ready = type(value) is np.ndarray and value.dtype == np.float64 and value.flags.carray
        try:
            array = value if ready else np.require(real_numbers(value), dtype=float, requirements=["C", "A", "W"])
        except (TypeError, ValueError) as error:
            remedy = "Give rad, m and their rates as one array"
            raise DynamicsError(f"{name} is not an array of numbers: {error}", where="state", remedy=remedy) from None
        expected = (len(out[0]) if out else array.shape[0] if array.ndim == 2 else "T", len(skeleton))
        if array.shape != expected:
            raise DynamicsError(
                f"{name} has shape {array.shape}, expected ({expected[0]}, {expected[1]})",
                where="state",
                remedy="Give one row for each frame and one column for each joint; a single state is (1, n)",
            )
        out.append(array)
    return tuple(out)


def refuse_non_finite(skeleton: SkeletonParameters, **coordinates: np.ndarray) -> None:
    """Raise DynamicsError for the first frame and joint with a value that is not finite, if there is one."""
    for name, array in coordinates.items():
        finite = np.isfinite(array)
        if not finite.all():
            frame, *rest = first = tuple(np.argwhere(~finite)[0])
            joint = f", joint {skeleton.joint_names[rest[0]]}" if array.shape[1:] == (len(skeleton),) else ""
            raise DynamicsError(
                f"{name} is {array[first]} in frame {frame}{joint}",
                where="state",
                remedy="Dynamics needs finite values: leave out or fill the frames with missing data",
            )


def _fail(skeleton: SkeletonParameters, j: int | np.integer, problem: str, remedy: str) -> DynamicsError:
    return DynamicsError(problem, where=f"joint {skeleton.joint_names[j]}", remedy=remedy)


def _check_names(skeleton: SkeletonParameters) -> None:
    if not skeleton.joint_names:
        raise DynamicsError("there is no joint", where="skeleton", remedy="Give at least one joint")
    for j, name in enumerate(skeleton.joint_names):
        if skeleton.joint_names.index(name) != j:
            raise _fail(skeleton, j, f"two joints are called {name!r}", "Give every joint a name of its own")
    if len(skeleton.kind) != len(skeleton):
        raise DynamicsError(
            f"kind has {len(skeleton.kind)} entries for {len(skeleton)} joints",
            where="skeleton",
            remedy="Give 'R' or 'P' for each joint",
        )
    for j, kind in enumerate(skeleton.kind):
        if kind not in {"R", "P"}:
            raise _fail(skeleton, j, f"kind is {kind!r}", "Use 'R' for revolute or 'P' for prismatic")


def _check_tree(skeleton: SkeletonParameters) -> None:
    n, parent = len(skeleton), skeleton.parent
    for j in range(n):
        if not -1 <= parent[j] < n:
            raise _fail(skeleton, j, f"parent is {parent[j]}", f"Give an index from 0 to {n - 1}, or -1 for the root")
        ancestor, steps = int(parent[j]), 0
        while ancestor >= 0 and ancestor != j and steps < n:
            ancestor, steps = int(parent[ancestor]), steps + 1
        if ancestor == j:
            raise _fail(skeleton, j, "it is its own ancestor: the joints form a cycle", "Give it another parent")
    roots = np.flatnonzero(parent == -1)
    if len(roots) != 1:
        names = ", ".join(skeleton.joint_names[j] for j in roots)
        problem = f"there are {len(roots)} roots: {names}"
        raise _fail(skeleton, roots[1], problem, "Give every joint but one a parent joint")
    for late in np.flatnonzero(parent >= np.arange(n)):
        problem = f"it comes before its parent {skeleton.joint_names[parent[late]]}"
        raise _fail(skeleton, late, problem, "List parents before their children")


def _conditions(skeleton: SkeletonParameters) -> Iterator[tuple[np.ndarray, Callable[[int], str], str]]:
    """Conditions on the numbers: which joints break each, what is wrong with joint j, and the remedy."""
    for name in ("theta", "d", "a", "alpha", "origin", "mass", "com", "inertia"):
        entries = getattr(skeleton, name).reshape(len(skeleton), -1)
        wrong = ~np.isfinite(entries)
        yield wrong.any(axis=1), lambda j, n=name, v=entries, w=wrong: f"{n} is {v[j][w[j]][0]}", "Give a finite number"  # type: ignore[misc]
    R = skeleton.origin[:, :3, :3]
    rigid = (skeleton.origin[:, 3] == [0.0, 0.0, 0.0, 1.0]).all(axis=1) & (np.linalg.det(R) > 0.0)
    rigid &= (np.abs(R @ R.transpose(0, 2, 1) - np.eye(3)) <= _ROUNDING).all(axis=(1, 2))
    remedy = "Give a right-handed rotation and a translation, last row 0 0 0 1"
    yield ~rigid, lambda j: f"origin is not a rigid transform: {skeleton.origin[j].tolist()}", remedy
    lower, upper, limit = skeleton.q_lower, skeleton.q_upper, skeleton.tau_limit
    remedy = "Give a lower limit that is not above the upper one"
    yield ~(lower <= upper), lambda j: f"limits are {lower[j]} to {upper[j]}", remedy
    yield ~(limit > 0.0), lambda j: f"tau_limit is {limit[j]}", "Give a positive magnitude, or infinity for none"
    yield from _conditions_on_masses(skeleton)


def _conditions_on_masses(skeleton: SkeletonParameters) -> Iterator[tuple[np.ndarray, Callable[[int], str], str]]:
    mass, inertia = skeleton.mass, skeleton.inertia
    yield mass < 0.0, lambda j: f"mass is {mass[j]} kg", "Give a mass of zero or more"
    without = (mass == 0.0) & inertia.any(axis=(1, 2))
    remedy = "Give the link a mass, or no inertia"
    yield without, lambda j: f"mass is zero but inertia is {inertia[j].tolist()} kg m^2", remedy
    slack = _ROUNDING * np.abs(inertia).max(axis=(1, 2))
    skewed = np.abs(inertia - inertia.transpose(0, 2, 1)).max(axis=(1, 2)) > slack
    yield skewed, lambda j: f"inertia is not symmetric: {inertia[j].tolist()}", "Give a symmetric matrix"
    moments = np.linalg.eigvalsh(inertia)
    yield (
        moments[:, 0] < -slack,
        lambda j: f"inertia has a negative principal moment, {moments[j, 0]:.6g} kg m^2",
        "Check the signs of the products of inertia: off-diagonal entries are minus the integral of x y",
    )
    yield (
        moments[:, 2] > moments[:, 0] + moments[:, 1] + slack,
        lambda j: (
            f"principal moments {', '.join(f'{m:.6g}' for m in moments[j])} kg m^2 violate the triangle inequality: "
            "no body has one larger than the sum of the others"
        ),
        "Check units and the reference point: the inertia is about the centre of mass",
    )
    subtree_mass = mass.copy()
    for child in range(len(skeleton) - 1, 0, -1):
        subtree_mass[skeleton.parent[child]] += subtree_mass[child]
    text = "neither its link nor any descendant has mass, so its acceleration is undetermined"
    yield subtree_mass == 0.0, lambda _: text, "Give the last link of every branch a mass, or remove the joint"


def _check_segments(skeleton: SkeletonParameters) -> None:
    for name, segment in skeleton.segments.items():
        known = isinstance(segment.joint, int | np.integer) and 0 <= segment.joint < len(skeleton)
        if not known or np.shape(segment.pose) != (4, 4):
            raise DynamicsError(
                f"segment {name!r} is on joint {segment.joint} with a pose of shape {np.shape(segment.pose)}",
                where="skeleton",
                remedy=f"Give a joint index below {len(skeleton)} and a (4, 4) transform",
            )
        if name in skeleton.joint_names and skeleton.joint_names.index(name) != segment.joint:
            raise DynamicsError(
                f"segment {name!r} has the name of another link's joint", where="skeleton", remedy="Rename one"
            )
