"""The equations of motion in matrix form, M(q) q̈ = C(q, q̇) + G(q) + Q + E, term by term, and the energy.

Names and signs follow the matrix formalism: all right-hand terms act on the system. Q is what the joints' actuators
exert along the coordinates, the ``tau`` of `rnea`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY_G, gravity_vector
from pipeline.dynamics.loads import Wrenches
from pipeline.dynamics.mass_kernels import mass_matrix_kernel
from pipeline.dynamics.rnea import rnea
from pipeline.skeleton import Skeleton, check_coordinates, link_poses, refuse_non_finite

_NO_GRAVITY = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class EquationsOfMotion:
    """The terms of M q̈ = C + G + Q + E over T frames.

    Attributes:
        M: (T, n, n) mass matrix.
        C, G, Q, E: (T, n) velocity, gravity, actuation and external generalised forces.
    """

    M: np.ndarray
    C: np.ndarray
    G: np.ndarray
    Q: np.ndarray
    E: np.ndarray


@dataclass(frozen=True)
class Energy:
    """Mechanical energy (T,), J; the potential is zero if all mass is at G's origin."""

    kinetic: np.ndarray
    potential: np.ndarray

    @property
    def total(self) -> np.ndarray:
        """Kinetic plus potential energy (T,), J."""
        return self.kinetic + self.potential


def mass_matrix(skeleton: Skeleton, q: np.ndarray) -> np.ndarray:
    """Mass matrix (T, n, n) at coordinates q (T, n): symmetric, positive definite.

    >>> from pipeline.examples.double_pendulum import Bars, tree
    >>> stretched = mass_matrix(tree(Bars()), np.zeros((1, 2)))
    >>> round(float(stretched[0, 0, 0]), 4)  # a bar of 2 kg and 2 m about its end: m l^2 / 3
    2.6667

    Raises:
        DynamicsError: q is malformed or not finite.
    """
    (q,) = check_coordinates(skeleton, q=q)
    refuse_non_finite(skeleton, q=q)
    out = np.empty((*q.shape, len(skeleton)))
    mass_matrix_kernel(skeleton.arrays, q, out)
    return out


def equations_of_motion(
    skeleton: Skeleton,
    q: np.ndarray,
    qd: np.ndarray,
    tau: np.ndarray | None = None,
    *,
    gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G,
    wrenches: Wrenches | None = None,
) -> EquationsOfMotion:
    """All terms at coordinates, velocities and actuation (T, n); omitted actuation or wrenches are zero.

    >>> from pipeline.examples.double_pendulum import Bars, tree
    >>> level = equations_of_motion(tree(Bars()), np.array([[np.pi / 2, 0.0]]), np.zeros((1, 2)))
    >>> np.round(level.G, 2).tolist()  # weight times lever: 2 kg at 1 m, and 1 kg at 0.5 m
    [[-19.62, -4.9]]

    Raises:
        DynamicsError: shapes disagree, a value is not finite, or a link is unknown.
    """
    (q,) = check_coordinates(skeleton, q=q)
    q, qd, tau = check_coordinates(skeleton, q=q, qd=qd, tau=np.zeros_like(q) if tau is None else tau)
    refuse_non_finite(skeleton, tau=tau)
    rest = np.zeros_like(q)
    return EquationsOfMotion(
        M=mass_matrix(skeleton, q),
        C=-rnea(skeleton, q, qd, rest, gravity=_NO_GRAVITY).tau,
        G=-rnea(skeleton, q, rest, rest, gravity=gravity).tau,
        Q=tau,
        E=-rnea(skeleton, q, rest, rest, gravity=_NO_GRAVITY, wrenches=wrenches).tau,
    )


def energy(
    skeleton: Skeleton,
    q: np.ndarray,
    qd: np.ndarray,
    *,
    gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G,
) -> Energy:
    """Kinetic and potential energy at coordinates and velocities (T, n).

    >>> from pipeline.examples.double_pendulum import Bars, tree
    >>> turning = energy(tree(Bars()), np.zeros((1, 2)), np.array([[3.0, 0.0]]))
    >>> turning.kinetic.round(4).tolist()  # half of 2.6667 kg m^2 times the rate squared
    [12.0]

    Raises:
        DynamicsError: shapes disagree or a value is not finite.
    """
    q, qd = check_coordinates(skeleton, q=q, qd=qd)
    refuse_non_finite(skeleton, qd=qd)
    kinetic = 0.5 * np.einsum("ti,tij,tj->t", qd, mass_matrix(skeleton, q), qd)
    R, r = link_poses(skeleton, q)
    com_G = r + np.einsum("tjik,jk->tji", R, skeleton.com)
    return Energy(kinetic, -np.einsum("j,tji,i->t", skeleton.mass, com_G, gravity_vector(gravity)))
