"""First-order response of a leg's joint loads to changes of the terms of its block system.

In M a = C + G + A F + E, small changes of the terms change the unknowns by

    A dF = d(M a) - dC - dG - dE - dA F

This is exact for loads on the foot (dE), masses and moments of inertia, since A does not depend on them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pipeline.math3d import unit
from pipeline.newton_euler.legs import CHAIN, joint_load
from pipeline.newton_euler.solution import solve_right_sides
from pipeline.trial import InverseDynamics, Kinematics, LegEquations, SegmentInertia, SegmentMotion

SIZE = 6 * len(CHAIN)


def load_changes(
    kinematics: Kinematics, loads: InverseDynamics, right_sides: Mapping[str, np.ndarray]
) -> list[InverseDynamics]:
    """Changes of all joint loads of a walk for P changes of the equations' right sides, solved together.

    Args:
        kinematics: the walk.
        loads: its joint loads, with the equations.
        right_sides: by side (T, 18, P): the right side of the equation above (module docstring).

    Returns:
        For each of the P changes, the walk's loads with the changes instead of the joint loads; missing where the joint
        loads are.
    """
    solved = {}
    for side, right in right_sides.items():
        equations = loads.equations[side]
        known = np.isfinite(equations.F)[:, :, None]
        solved[side] = np.where(known, solve_right_sides(equations.A, right), np.nan)
    count = next(iter(solved.values())).shape[2]
    return [
        replace(
            loads,
            joints={
                f"{side}_{joint}": joint_load(
                    kinematics, f"{side}_{segment}", f"{side}_{joint}", index, unknowns[:, :, change], {}
                )
                for side, unknowns in solved.items()
                for index, (segment, joint) in enumerate(CHAIN)
            },
        )
        for change in range(count)
    ]


def ground_change(foot: SegmentMotion, force_G: np.ndarray, moment_G: np.ndarray) -> np.ndarray:
    """Right side (T, 18) for a change of the ground reaction on the foot, -dE (exact).

    Args:
        foot: motion of the foot.
        force_G, moment_G: (T, 3) N and Nm; the moment is about the origin of G.
    """
    right = np.zeros((len(force_G), SIZE))
    at_com = moment_G - np.cross(foot.com_G, force_G)
    right[:, 0:3], right[:, 3:6] = -force_G, -np.einsum("tji,tj->ti", foot.R_GS, at_com)
    return right


def inertia_changes(
    equations: LegEquations, index: int, inertia: SegmentInertia, motion: SegmentMotion
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Right sides (T, 18) per relative change of a segment's mass, per relative change of its radii of gyration, and
    per metre by which its centre of mass moves along the segment away from the proximal joint.

    The first, M a - C - G of the segment, is exact for constant radii. The second is twice the moment part of M a - C,
    since inertia is proportional to the square of the radii. The third follows from the moments about the centre of
    mass: shifted by d, it has the additional acceleration alpha x d + omega x (omega x d), and the resultant m (a - g)
    of all forces has the additional moment d x m (a - g) about it.

    Args:
        equations: of the leg.
        index: of the segment, counted from the foot.
        inertia, motion: of the segment.
    """
    force, moment = slice(6 * index, 6 * index + 3), slice(6 * index + 3, 6 * index + 6)
    own = slice(6 * index, 6 * index + 6)
    mass, gyration, com = (np.zeros((len(equations.a), SIZE)) for _ in range(3))
    without_gravity = equations.a[:, own] @ equations.M[own, own].T - equations.C[:, own]
    mass[:, own] = without_gravity - equations.G[:, own]
    gyration[:, moment] = 2.0 * without_gravity[:, 3:]
    d = motion.R_GS @ unit(inertia.com_S)
    omega, alpha = motion.omega_G, motion.alpha_G
    com[:, force] = inertia.mass * (np.cross(alpha, d) + np.cross(omega, np.cross(omega, d)))
    com[:, moment] = np.einsum("tji,tj->ti", motion.R_GS, np.cross(d, mass[:, force]))
    return mass, gyration, com
