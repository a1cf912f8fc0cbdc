"""The block matrices of inverse dynamics of two segments in series, written out as in the text.

Unknown are force and moment at the distal segment's proximal joint (A, the ankle) and at the proximal segment's (K, the
knee). With F the distal segment (foot), S the proximal one (shank), S(v) the matrix of v x, and R_F, R_S the rotations
from G to the segments' axes,

    M a = C + G + A (F_A^G, M_A^F, F_K^G, M_K^S) + E

    A = |  1                0         0             0 |
        |  R_F S(r_A/F)     1         0             0 |
        | -1                0         1             0 |
        | -R_S S(r_A/S)   -R_S R_F^T  R_S S(r_K/S)  1 |

as printed, and with the free moment of the force plate in E, which the text leaves out:
E = (GRF, R_F (r_cop/F x GRF + T_free), 0, 0). The same system solves any two bodies in series.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY_G, gravity_vector
from pipeline.math3d import Wrench, angular_motion, skew
from pipeline.skeleton import Skeleton, point_motion, segment_pose


@dataclass(frozen=True)
class SegmentMotion:
    """A segment in motion over T frames.

    Attributes:
        mass: kg. inertia: (3, 3) kg m^2 about the centre of mass, in the segment's axes.
        R: (T, 3, 3) from G to the segment's axes.
        com_G, acceleration_G: (T, 3) of the centre of mass.
        omega, omega_dot: (T, 3) in the segment's axes.
        joint_G: (T, 3) its proximal joint.
    """

    mass: float
    inertia: np.ndarray
    R: np.ndarray
    com_G: np.ndarray
    acceleration_G: np.ndarray
    omega: np.ndarray
    omega_dot: np.ndarray
    joint_G: np.ndarray


@dataclass(frozen=True)
class BlockSystem:
    """The terms of M a = C + G + A x + E, (T, 12, 12) and (T, 12), and its solution x."""

    M: np.ndarray
    a: np.ndarray
    C: np.ndarray
    G: np.ndarray
    A: np.ndarray
    E: np.ndarray

    def solve(self) -> np.ndarray:
        """x = A^-1 (M a - C - E - G), (T, 12): F_A in G, M_A in the distal, F_K in G, M_K in the proximal axes."""
        right = (self.M @ self.a[..., None])[..., 0] - self.C - self.E - self.G
        return np.linalg.solve(self.A, right[..., None])[..., 0]


def block_system(
    distal: SegmentMotion,
    proximal: SegmentMotion,
    ground: Wrench | None = None,
    gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G,
) -> BlockSystem:
    """Assemble the system of two segments; ``ground`` is the load on the distal one, at its centre of pressure."""
    frames = len(distal.com_G)
    M, A = np.zeros((frames, 12, 12)), np.zeros((frames, 12, 12))
    a, C, G, E = (np.zeros((frames, 12)) for _ in range(4))
    one = np.eye(3)
    for row, body in ((0, distal), (6, proximal)):
        M[:, row : row + 3, row : row + 3] = body.mass * one
        M[:, row + 3 : row + 6, row + 3 : row + 6] = body.inertia
        a[:, row : row + 3], a[:, row + 3 : row + 6] = body.acceleration_G, body.omega_dot
        C[:, row + 3 : row + 6] = -np.cross(body.omega, body.omega @ body.inertia)
        G[:, row : row + 3] = body.mass * gravity_vector(gravity)
    R_F, R_S = distal.R, proximal.R
    A[:, 0:3, 0:3] = A[:, 3:6, 3:6] = A[:, 6:9, 6:9] = A[:, 9:12, 9:12] = one
    A[:, 3:6, 0:3] = R_F @ skew(distal.joint_G - distal.com_G)
    A[:, 6:9, 0:3] = -one
    A[:, 9:12, 0:3] = -R_S @ skew(distal.joint_G - proximal.com_G)
    A[:, 9:12, 3:6] = -R_S @ np.swapaxes(R_F, 1, 2)
    A[:, 9:12, 6:9] = R_S @ skew(proximal.joint_G - proximal.com_G)
    if ground is not None:
        E[:, 0:3] = ground.force_G
        moment = np.cross(ground.point_G - distal.com_G, ground.force_G) + ground.moment_G
        E[:, 3:6] = (R_F @ moment[..., None])[..., 0]
    return BlockSystem(M, a, C, G, A, E)


def segment_motion(skeleton: Skeleton, name: str, q: np.ndarray, qd: np.ndarray, qdd: np.ndarray) -> SegmentMotion:
    """The motion of a tree's segment, as measurement would give it: poses and accelerations, no joint angles."""
    segment = skeleton.segment(name)
    R_LS, origin = segment.pose[:3, :3], segment.pose[:3, 3]
    com = R_LS.T @ (skeleton.com[segment.joint] - origin)
    inertia = R_LS.T @ skeleton.inertia[segment.joint] @ R_LS
    at_com = point_motion(skeleton, name, com, q, qd, qdd)
    at_origin = point_motion(skeleton, name, np.zeros(3), q, qd, qdd)
    R_GS, _ = segment_pose(skeleton, name, q)
    axes = [point_motion(skeleton, name, axis, q, qd, qdd) for axis in np.eye(3)]
    R_dot = np.stack([p.velocity_G - at_origin.velocity_G for p in axes], axis=-1)
    R_ddot = np.stack([p.acceleration_G - at_origin.acceleration_G for p in axes], axis=-1)
    omega_G, omega_dot_G = angular_motion(R_GS, R_dot, R_ddot)
    R = np.swapaxes(R_GS, 1, 2)
    return SegmentMotion(
        mass=float(skeleton.mass[segment.joint]),
        inertia=inertia,
        R=R,
        com_G=at_com.position_G,
        acceleration_G=at_com.acceleration_G,
        omega=(R @ omega_G[..., None])[..., 0],
        omega_dot=(R @ omega_dot_G[..., None])[..., 0],
        joint_G=at_origin.position_G,
    )
