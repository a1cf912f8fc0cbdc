"""Two derivations of one leg's loads, which share no code: the matrix form of segments, and the recursion on joints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.dynamics import rnea
from pipeline.math3d import Wrench, angular_motion
from pipeline.newton_euler import SegmentState, assemble, joint_force_G, joint_moment_G, solve
from pipeline.skeleton import joint_axes, link_poses, load_skeleton, merge_frozen, point_motion

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"
CHAIN = (("ankle_inversion", "ankle_flexion"), ("knee_flexion", "knee_flexion"), ("hip_rotation", "hip_flexion"))
"""Link with the mass, and joint at its upper end, from the foot upwards."""
FRAMES = 200


@pytest.fixture(scope="module")
def walker():
    """The whole human with its toes locked and merged into the feet."""
    human = load_skeleton(SKELETON)
    locked = np.array([name.endswith("toe_extension") for name in human.joint_names])
    toes = np.where(locked, 0.3, 0.0)
    return merge_frozen(replace(human, frozen=locked), at=toes)


def states(skeleton, side, q, qd, qdd):
    """Segments of a leg from the motion of points fixed to their links."""
    R_GL = link_poses(skeleton, q)[0]
    own_origin = joint_axes(skeleton, q)[1]
    for link, joint in CHAIN:
        name = f"{side}_{link}"
        j = skeleton.joint_names.index(name)
        at = {i: point_motion(skeleton, name, p, q, qd, qdd) for i, p in enumerate([*np.eye(3), np.zeros(3)])}
        R_dot = np.stack([at[i].velocity_G - at[3].velocity_G for i in range(3)], axis=2)
        R_ddot = np.stack([at[i].acceleration_G - at[3].acceleration_G for i in range(3)], axis=2)
        omega, alpha = angular_motion(R_GL[:, j], R_dot, R_ddot)
        com = point_motion(skeleton, name, skeleton.com[j], q, qd, qdd)
        yield SegmentState(
            mass=float(skeleton.mass[j]),
            inertia_S=skeleton.inertia[j],
            R_GS=R_GL[:, j],
            com_G=com.position_G,
            com_acceleration_G=com.acceleration_G,
            omega_G=omega,
            alpha_G=alpha,
            proximal_G=own_origin[:, skeleton.joint_names.index(f"{side}_{joint}")],
        )


@pytest.mark.parametrize("side", ["left", "right"])
def test_matrix_form_and_recursion_give_the_same_ankle_knee_and_hip_loads(walker, side):
    """Random 3-D states with all joints of the body moving: equal within 1e-9 of the largest load, that is rounding."""
    rng = np.random.default_rng(5)
    n = len(walker.joint_names)
    q, qd, qdd = rng.normal(0, 0.7, (FRAMES, n)), rng.normal(0, 3, (FRAMES, n)), rng.normal(0, 30, (FRAMES, n))
    ground = Wrench(rng.normal(0, 500, (FRAMES, 3)), rng.normal(0, 20, (FRAMES, 3)), rng.normal(0, 0.5, (FRAMES, 3)))
    recursion = rnea(walker, q, qd, qdd, wrenches={f"{side}_foot": ground})
    segments = list(states(walker, side, q, qd, qdd))
    matrix = solve(assemble(segments, ground)).total
    for index, (_, joint) in enumerate(CHAIN):
        j = walker.joint_names.index(f"{side}_{joint}")
        for mine, other in (
            (joint_force_G(matrix, index), recursion.force_G[:, j]),
            (joint_moment_G(matrix, index, segments[index].R_GS), recursion.moment_G[:, j]),
        ):
            assert np.abs(mine - other).max() < 1e-9 * np.abs(other).max(), joint
