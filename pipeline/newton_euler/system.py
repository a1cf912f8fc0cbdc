"""The block system M a = C + G + A F + E of a leg, assembled for all frames at once.

Follows Watanabe and Duarte, "Matrix formalism of the Newton-Euler equations" (notebook of the Laboratory of
Biomechanics and Motor Control, UFABC), for the chain of foot and shank, extended in the same form to the thigh. Each
segment i, from the foot upwards, has a force row in G and a moment row in its own axes about its centre of mass:

    m_i a_i            = m_i g + F_i - F_(i-1) + GRF_i
    I_i w'_i           = - w_i x (I_i w_i) + M_i - R_i R_(i-1)^-1 M_(i-1)
                         + R_i S(r_P/cm) F_i - R_i S(r_D/cm) F_(i-1) + R_i (S(r_cop/cm) GRF_i + T_free)

F_i (in G) and M_i (in the axes of segment i) are the force and moment that the segment above exerts on segment i at its
proximal joint P; with the opposite sign they act on the segment above at its distal joint D. R_i maps G to the segment
(the transpose of R_GS). The notebook omits the plate's free moment from E; it is included here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY_G, array_of, gravity_vector
from pipeline.errors import DynamicsError
from pipeline.math3d import Wrench, skew

_ROUNDING, _ROTATION = 1e-6, 1e-4
"""Relative asymmetry of an inertia, and deviation of R^T R from one, beyond rounding to single precision."""


@dataclass(frozen=True)
class SegmentState:
    """One segment of the chain in motion; vectors (T, 3) in G unless stated otherwise.

    Attributes:
        mass: kg.
        inertia_S: (3, 3) kg m^2 about the centre of mass, in the segment's axes.
        R_GS: (T, 3, 3) segment axes to G.
        com_G, com_acceleration_G: m, m/s^2.
        omega_G, alpha_G: rad/s, rad/s^2.
        proximal_G: centre of the proximal joint, m.
    """

    mass: float
    inertia_S: np.ndarray
    R_GS: np.ndarray
    com_G: np.ndarray
    com_acceleration_G: np.ndarray
    omega_G: np.ndarray
    alpha_G: np.ndarray
    proximal_G: np.ndarray


@dataclass(frozen=True)
class LegSystem:
    """M a = C + G + A F + E of a chain of n segments: matrices (T, 6n, 6n), vectors (T, 6n).

    Rows and unknowns are ordered by segment from the foot upwards: force (N, in G), then moment (Nm, in the axes of
    that segment). ``a`` holds accelerations of the centres of mass (G) and angular accelerations (segment axes).
    """

    M: np.ndarray
    a: np.ndarray
    C: np.ndarray
    G: np.ndarray
    A: np.ndarray
    E: np.ndarray


def assemble(
    segments: Sequence[SegmentState],
    ground: Wrench,
    gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G,
) -> LegSystem:
    """Assemble the system of a chain with the ground reaction on its first segment (the foot).

    Args:
        segments: from the foot upwards, each connected to the next at its ``proximal_G``.
        ground: ground reaction on the foot. Its moment about the centre of pressure is the free moment, but any point
            of reference gives the same system.
        gravity: m/s^2, in G.

    Raises:
        DynamicsError: there is no segment, arrays are no numbers or have other lengths, R_GS is no rotation, or mass or
            inertia are negative.
    """
    if not isinstance(ground, Wrench):
        raise DynamicsError(f"ground is {ground!r}", where="matrix form", remedy="Give a Wrench, of zeros in the air")
    frames = len(ground)
    segments = [_checked(segment, f"segment {number}", frames) for number, segment in enumerate(segments)]
    if not segments:
        raise DynamicsError("a leg needs at least one segment", where="matrix form")
    size = 6 * len(segments)
    M, A = np.zeros((frames, size, size)), np.zeros((frames, size, size))
    a, C, G, E = (np.zeros((frames, size)) for _ in range(4))
    eye = np.eye(3)
    for i, s in enumerate(segments):
        force, moment = slice(6 * i, 6 * i + 3), slice(6 * i + 3, 6 * i + 6)
        R_SG = np.swapaxes(s.R_GS, 1, 2)
        omega_S, alpha_S = _rotate(R_SG, s.omega_G), _rotate(R_SG, s.alpha_G)

        M[:, force, force], M[:, moment, moment] = s.mass * eye, s.inertia_S
        a[:, force], a[:, moment] = s.com_acceleration_G, alpha_S
        C[:, moment] = -np.cross(omega_S, omega_S @ s.inertia_S.T)
        G[:, force] = s.mass * gravity_vector(gravity)

        A[:, force, force], A[:, moment, moment] = eye, eye
        A[:, moment, force] = R_SG @ skew(s.proximal_G - s.com_G)
        if i > 0:
            below, below_force, below_moment = segments[i - 1], slice(6 * i - 6, 6 * i - 3), slice(6 * i - 3, 6 * i)
            A[:, force, below_force] = -eye
            A[:, moment, below_force] = -R_SG @ skew(below.proximal_G - s.com_G)
            A[:, moment, below_moment] = -R_SG @ below.R_GS

    foot = segments[0]
    at_com = ground.about(foot.com_G)
    E[:, 0:3], E[:, 3:6] = ground.force_G, _rotate(np.swapaxes(foot.R_GS, 1, 2), at_com.moment_G)
    return LegSystem(M, a, C, G, A, E)


def _checked(segment: SegmentState, where: str, frames: int) -> SegmentState:
    """The segment with float arrays; raises DynamicsError if it is no rigid body in motion. NaN is missing."""
    mass = array_of("mass", segment.mass, (), where=where)
    inertia_S = array_of("inertia_S", segment.inertia_S, (3, 3), where=where)
    R_GS = array_of("R_GS", segment.R_GS, (frames, 3, 3), where=where)
    if mass < 0.0 or np.isinf(mass):
        raise DynamicsError(f"mass is {mass:g}", where=where, remedy="Give kg, zero or more")
    known = np.isfinite(inertia_S).all()
    size = _ROUNDING * np.abs(inertia_S).max()
    if known and (np.abs(inertia_S - inertia_S.T).max() > size or np.linalg.eigvalsh(inertia_S)[0] < -size):
        problem = f"inertia_S is {inertia_S.tolist()}, not symmetric with moments of zero or more"
        raise DynamicsError(problem, where=where, remedy="Give the tensor about the centre of mass, kg m^2")
    unlike = np.abs(np.swapaxes(R_GS, 1, 2) @ R_GS - np.eye(3)).max(axis=(1, 2), initial=0.0) > _ROTATION
    mirrored = np.sum(np.cross(R_GS[..., 0], R_GS[..., 1]) * R_GS[..., 2], axis=1) < 0.0
    for frame in np.flatnonzero(unlike | mirrored):
        problem = f"R_GS in frame {frame} is {R_GS[frame].tolist()}, not a rotation"
        raise DynamicsError(problem, where=where, remedy="Give right-handed unit axes of the segment in G as columns")
    motion = {
        name: array_of(name, getattr(segment, name), (frames, 3), (3,), where=where)
        for name in ("com_G", "com_acceleration_G", "omega_G", "alpha_G", "proximal_G")
    }
    motion = {name: np.broadcast_to(value, (frames, 3)) for name, value in motion.items()}
    return SegmentState(float(mass), inertia_S, R_GS, **motion)


def _rotate(R: np.ndarray, v: np.ndarray) -> np.ndarray:
    return np.einsum("tij,tj->ti", R, v)
