"""Solution of the block system; joint moments in chosen axes, and joint powers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.math3d import unit
from pipeline.newton_euler.system import LegSystem

BLOCK_FRAMES = 1024
"""Number of frames that are solved at once: copies of their matrices fit into a processor's cache."""


@dataclass(frozen=True)
class LegLoads:
    """Unknowns F (T, 6n) of a leg's system and the contribution of each term.

    F = A^-1 (M a - C - G - E). The contributions have the same shape and add up to F: ``inertia`` is A^-1 M a,
    ``velocity`` -A^-1 C, ``gravity`` -A^-1 G, ``ground`` -A^-1 E.
    """

    total: np.ndarray
    inertia: np.ndarray
    velocity: np.ndarray
    gravity: np.ndarray
    ground: np.ndarray

    @property
    def contributions(self) -> dict[str, np.ndarray]:
        """Contribution of each term, by name."""
        return {"inertia": self.inertia, "velocity": self.velocity, "gravity": self.gravity, "ground": self.ground}


def solve(system: LegSystem) -> LegLoads:
    """Solve all frames at once; unknowns that cannot be determined are NaN and affect no other frame."""
    size = system.a.shape[1]
    # M is block diagonal. Multiply by blocks, since 0 * NaN of a missing segment would make the rows of all others NaN.
    blocks = [slice(row, row + 6) for row in range(0, size, 6)]
    inertia = np.hstack([np.einsum("tij,tj->ti", system.M[:, block, block], system.a[:, block]) for block in blocks])
    parts = solve_right_sides(system.A, np.stack([inertia, -system.C, -system.G, -system.E], axis=2))
    return LegLoads(parts.sum(axis=2), *(parts[:, :, k] for k in range(4)))


def solve_right_sides(A: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Solve A X = ``right`` (T, 6n, P) for each frame; A (T, 6n, 6n) holds the coefficients of a leg's unknowns.

    A is block lower triangular, so a frame that lacks the motion of an upper segment is solved for the segments below
    it; the rest is NaN.
    """
    segment_known = (
        (np.isfinite(right).all(axis=2) & np.isfinite(A).all(axis=2)).reshape(len(A), A.shape[1] // 6, 6).all(axis=2)
    )
    chain_length = np.cumprod(segment_known, axis=1).sum(axis=1)
    solved = np.full_like(right, np.nan)
    for length in np.unique(chain_length[chain_length > 0]):
        rows, frames = slice(0, 6 * length), np.flatnonzero(chain_length == length)
        for at in np.array_split(frames, range(BLOCK_FRAMES, len(frames), BLOCK_FRAMES)):
            solved[at, rows] = np.linalg.solve(A[at, rows, rows], right[at, rows])
    return solved


def joint_force_G(loads: np.ndarray, segment: int) -> np.ndarray:
    """Force (T, 3) N in G that the segment above exerts on ``segment`` (0 is the foot), from the stacked unknowns."""
    return loads[:, 6 * segment : 6 * segment + 3]


def joint_moment_G(loads: np.ndarray, segment: int, R_GS: np.ndarray) -> np.ndarray:
    """Moment (T, 3) Nm in G that the segment above exerts on ``segment`` with axes R_GS at its proximal joint."""
    return np.einsum("tij,tj->ti", R_GS, loads[:, 6 * segment + 3 : 6 * segment + 6])


AXES = ("distal", "proximal", "joint", "global")
"""Axes in which a moment can be reported."""


def in_axes(moment_G: np.ndarray, axes: str, R_GP: np.ndarray, R_GD: np.ndarray) -> np.ndarray:
    """Components (T, 3) of a moment about the x, y and z axes of the chosen kind.

    Args:
        moment_G: (T, 3) Nm in G.
        axes: "distal" or "proximal" segment axes, "global", or "joint": the joint coordinate system (z of the proximal
            segment, y of the distal one, and x their common normal). The moment is projected on its three unit vectors
            (Desroches et al. 2010); these are not orthogonal, so the projections are not the components of a vector.
        R_GP, R_GD: (T, 3, 3) proximal and distal axes.

    Raises:
        DynamicsError: ``axes`` is unknown.
    """
    moment_G, R_GP, R_GD = (np.asarray(given) for given in (moment_G, R_GP, R_GD))
    if axes == "global":
        return moment_G.copy()
    if axes in ("distal", "proximal"):
        return np.einsum("tji,tj->ti", R_GD if axes == "distal" else R_GP, moment_G)
    if axes != "joint":
        problem, remedy = f"there are no axes {axes!r} of a moment", f"Give one of {', '.join(AXES)}"
        raise DynamicsError(problem, where="joint loads", remedy=remedy)
    z, y = R_GP[..., 2], R_GD[..., 1]
    x = unit(np.cross(y, z))
    return np.stack([np.sum(moment_G * axis, axis=1) for axis in (x, y, z)], axis=1)


def joint_power(moment_G: np.ndarray, omega_G: np.ndarray) -> np.ndarray:
    """Power (T,) W of a joint's moment; generation is positive.

    Args:
        moment_G: (T, 3) Nm, of the proximal on the distal segment.
        omega_G: (T, 3) rad/s, of the distal relative to the proximal segment.
    """
    return np.sum(np.multiply(moment_G, omega_G), axis=1)
