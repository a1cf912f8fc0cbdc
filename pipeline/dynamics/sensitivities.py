"""Analytic sensitivities of the inverse dynamics with respect to coordinates, velocities and accelerations.

Derivation, in G about one fixed point, with spatial vectors (angular, linear), Featherstone (2008); the result has the
structure of Singh, Russell and Wensing (2022). A change of q_j displaces the whole subtree of j rigidly along its axis
S_j; in addition it turns velocity and acceleration of the subtree relative to its parent. With the rates of the axis as
if it were fixed to the parent,

    S_j' = V_parent x S_j,        S_j'' = A_parent x S_j + V_parent x S_j',

the load F of a body with inertia I and velocity V changes by

    dF/dq_j   = S_j x* F + I S_j'' + B S_j',        dF/dqd_j = 2 I S_j' + B S_j,        dF/dqdd_j = I S_j,

where B s = s x* I V + V x* I s - I (V x s) is the Coriolis operator of the body. About a point, B acts only on the
angular part w of s: B s = 2 (tr(Q) w - Q w, w x h), with Q the integral of v r^T dm and h the momentum. I, Q, h and F
are sums over the subtree. For an ancestor i of j (or i = j)

    dtau_i/dq_j = S_i . (I S_j'' + B S_j' + S_j x* F)_j,        dtau_j/dq_i = S_j . (I_j S_i'' + B_j S_i'),

and zero if neither is the other's ancestor. An external load that is fixed in G does not turn with its link: its rigid
turn is undone. One whose point is fixed in the link keeps the part that the moving point causes.

The thesis of Barman (2020, Recursive Newton-Euler dynamics and sensitivity analysis for dynamic motion planning,
Oklahoma State University), chapter 3, takes the same derivatives step by step in moving link frames for a serial chain.
What follows the thesis, and what is corrected here (printed equations, each tested against complex-step derivatives):

    thesis            here
    3.1 - 3.12        as printed, in G instead of link frames: poses, S_j, V_j
    3.13 (q̇ row)      a prismatic joint passes on its parent's angular velocity: not zero
    3.14 - 3.17       as printed: angular part of A_j
    3.18 (q̇, i = j)   the parent's angular velocity x the axis itself, not x the axis' derivative
    3.19 - 3.39       as printed: positions and velocities
    3.40 (q̇, i < j)   the velocity added by a prismatic joint changes too
    3.41 - 3.50       as printed
    3.51 (q̈ row)      the sensitivity of the angular acceleration, not of the angular velocity
    3.52 (q, i = j)   angular acceleration x axis, plus angular velocity x the change of the added velocity
    3.53 - 3.55       as printed: acceleration of the link frame
    3.56, 3.58        second time derivative of the joint's travel in the last terms
    3.57, 3.59, 3.60  as printed: acceleration of the centre of mass
    3.61              second derivatives throughout
    3.62 - 3.66       as printed: rotations and angular momentum
    3.67              gravity enters as the upward acceleration of the base, -g
    3.68 - 3.71       as printed: forces and moments of a link
    3.72, 3.80        sums over all children
    3.73 - 3.75       as printed, with 3.72: internal forces
    3.76              at j = k the external force is turned by the rotation itself, not by its derivative
    3.77              as printed
    3.78, 3.86, 3.90  by Newton's law, what acts on the link from outside is subtracted
    3.79, 3.87, 3.91  velocity and acceleration sensitivities remain as they are, not zero
    3.81, 3.82        as printed, with 3.80: internal moments before external forces enter the internal ones; otherwise
                      the moment arm of an external force is counted twice
    3.83              for a prismatic joint the moment arms change as well
    3.84, 3.88, 3.89  as printed: external moments
    3.85 (j = k)      the force's sensitivity is crossed with the whole arm, from the joint to the load's point
    3.92 - 3.95       as printed: projection on the axis
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipeline.conventions import GRAVITY_G, gravity_vector
from pipeline.dynamics.internal_sensitivity_kernels import internal_sensitivity_kernel, load_rows
from pipeline.dynamics.loads import Wrenches, check_out, pack_wrenches, refuse_bad_frame
from pipeline.dynamics.sensitivity_kernels import sensitivity_kernel
from pipeline.errors import DynamicsError
from pipeline.skeleton import Skeleton, check_coordinates

PointsFixedIn = Literal["global", "link"]
"""Whether the point of application of an external wrench stays in G or moves with its link when q changes."""


@dataclass(frozen=True)
class InternalSensitivities:
    """Derivatives of the internal loads of joints (`JointLoads`), each (T, r, 3, n): [t, i, :, j] is by coordinate j.

    Hinges at one point with no mass between them, such as the three of a ball joint, transmit one load and share a row.

    Attributes:
        rows: the row of each requested joint, by its name.
        changes: (T, r, n, 18) the same numbers as laid out in memory: force and moment by q, then by qd and by qdd.
    """

    rows: dict[str, int]
    changes: np.ndarray

    @property
    def dforce_dq(self) -> np.ndarray:
        """Derivatives of ``force_G`` by the coordinates."""
        return self._entries(0)

    @property
    def dmoment_dq(self) -> np.ndarray:
        """Derivatives of ``moment_G``, about the joint's own moving origin, by the coordinates."""
        return self._entries(3)

    @property
    def dforce_dqd(self) -> np.ndarray:
        """Derivatives of ``force_G`` by the velocities."""
        return self._entries(6)

    @property
    def dmoment_dqd(self) -> np.ndarray:
        """Derivatives of ``moment_G`` by the velocities."""
        return self._entries(9)

    @property
    def dforce_dqdd(self) -> np.ndarray:
        """Derivatives of ``force_G`` by the accelerations."""
        return self._entries(12)

    @property
    def dmoment_dqdd(self) -> np.ndarray:
        """Derivatives of ``moment_G`` by the accelerations."""
        return self._entries(15)

    def _entries(self, first: int) -> np.ndarray:
        return np.swapaxes(self.changes[..., first : first + 3], 2, 3)


@dataclass(frozen=True)
class Sensitivities:
    """Derivatives of the generalised forces, each (T, n, n): [t, i, j] is the derivative of tau_i by coordinate j.

    The rows ``skeleton.global_joints`` are the derivatives of the six global residuals.

    Attributes:
        dtau_dq, dtau_dqd, dtau_dqdd: by coordinates, velocities, accelerations; the last is the mass matrix.
        internal: derivatives of the internal forces and moments, if requested.
    """

    dtau_dq: np.ndarray
    dtau_dqd: np.ndarray
    dtau_dqdd: np.ndarray
    internal: InternalSensitivities | None = None

    @classmethod
    def empty(cls, frames: int, joints: int) -> Sensitivities:
        """Buffers for ``out=``."""
        shape = (frames, joints, joints)
        return cls(np.empty(shape), np.empty(shape), np.empty(shape))


def rnea_sensitivities(
    skeleton: Skeleton,
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    *,
    gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G,
    wrenches: Wrenches | None = None,
    wrench_points: PointsFixedIn = "global",
    out: Sensitivities | None = None,
    internal: bool | str | Sequence[str] = False,
) -> Sensitivities:
    """Derivatives of `rnea` with respect to q, qd and qdd, exact to rounding.

    >>> from pipeline.dynamics import mass_matrix
    >>> from pipeline.skeleton import load_skeleton
    >>> body = load_skeleton("config/skeleton.yaml")
    >>> standing = np.zeros((1, len(body)))
    >>> found = rnea_sensitivities(body, standing, standing, standing)
    >>> np.allclose(found.dtau_dqdd, mass_matrix(body, standing))  # M q̈ is all that q̈ acts on
    True

    Args:
        skeleton, q, qd, qdd, gravity, wrenches: as for `rnea`. Force and moment of a wrench stay fixed in G.
        wrench_points: whether the wrenches' points stay fixed in G, or in their links (the thesis' form).
        out: buffers for the three derivatives of tau, new ones if omitted. An earlier result for the same joints also
            has buffers for those of the internal loads.
        internal: also give the derivatives of the internal forces and moments, of all joints or of those named.
            Together with the torques they take 2 to 5 times the time of the torques alone for all joints of the human,
            and 1.1 to 1.7 times for one (docs/theory/skeleton.md).

    Raises:
        DynamicsError: as for `rnea`, or a joint is unknown.
    """
    q, qd, qdd = check_coordinates(skeleton, q=q, qd=qd, qdd=qdd)
    frames, n = q.shape
    if out is None:
        out = Sensitivities.empty(frames, n)
    else:
        check_out(out, dict.fromkeys(("dtau_dq", "dtau_dqd", "dtau_dqdd"), (frames, n, n)))
    if wrench_points not in ("global", "link"):
        raise DynamicsError(
            f"wrench_points is {wrench_points!r}", where="rnea_sensitivities", remedy="'global' or 'link'"
        )
    if internal is None or isinstance(internal, np.bool_):
        internal = bool(internal)
    if not isinstance(internal, bool | str | Iterable):
        remedy = "Give True for all joints, or names of joints"
        raise DynamicsError(f"internal is {internal!r}", where="rnea_sensitivities", remedy=remedy)
    links, loads = pack_wrenches(skeleton, wrenches, frames)
    inputs = (skeleton.arrays, q, qd, qdd, gravity_vector(gravity), links, loads, wrench_points == "link")
    torques = (out.dtau_dq, out.dtau_dqd, out.dtau_dqdd)
    if internal is False:
        bad = sensitivity_kernel(*inputs, *torques)
        refuse_bad_frame(skeleton, bad, q=q, qd=qd, qdd=qdd)
        return out
    names = skeleton.joint_names if internal is True else (internal,) if isinstance(internal, str) else tuple(internal)
    wanted = np.arange(n) if internal is True else np.array([skeleton.index(name) for name in names], dtype=np.int64)
    joints, rows = load_rows(skeleton.arrays, links, wanted)
    of_joint, shape = dict(zip(names, rows.tolist(), strict=True)), (frames, len(joints), n, 18)
    loads_out = out.internal or InternalSensitivities(of_joint, np.empty(shape))
    check_out(loads_out, {"changes": shape})
    bad = internal_sensitivity_kernel(*inputs, *torques, joints, loads_out.changes)
    refuse_bad_frame(skeleton, bad, q=q, qd=qd, qdd=qdd)
    return Sensitivities(*torques, InternalSensitivities(of_joint, loads_out.changes))
