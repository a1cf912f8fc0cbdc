"""Forward dynamics: the accelerations that forces produce."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import GRAVITY_G
from pipeline.dynamics.loads import Wrenches
from pipeline.dynamics.mass_kernels import solve_kernel
from pipeline.dynamics.rnea import rnea
from pipeline.errors import DynamicsError
from pipeline.skeleton import Skeleton, check_coordinates, refuse_non_finite


def forward_dynamics(
    skeleton: Skeleton,
    q: np.ndarray,
    qd: np.ndarray,
    tau: np.ndarray,
    *,
    gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G,
    wrenches: Wrenches | None = None,
) -> np.ndarray:
    """Accelerations q̈ = M(q)^-1 (C + G + Q + E), (T, n), under joint torques and forces tau (T, n).

    The inverse of `rnea`, with the same gravity and wrenches; M is factored along the tree, never inverted.

    >>> from pipeline.dynamics import rnea
    >>> from pipeline.examples.double_pendulum import Bars, tree
    >>> q, qd, qdd = np.array([[0.3, -0.2]]), np.array([[1.0, 2.0]]), np.array([[5.0, -4.0]])
    >>> tau = rnea(tree(Bars()), q, qd, qdd).tau
    >>> forward_dynamics(tree(Bars()), q, qd, tau).round(9).tolist()
    [[5.0, -4.0]]

    Raises:
        DynamicsError: shapes disagree, a value is not finite, a link is unknown, or a joint's inertia vanishes because
            of distal joints with the same axis (two parallel axes through one point).
    """
    q, qd, tau = check_coordinates(skeleton, q=q, qd=qd, tau=tau)
    refuse_non_finite(skeleton, tau=tau)
    bias = rnea(skeleton, q, qd, np.zeros_like(q), gravity=gravity, wrenches=wrenches).tau
    qdd = tau - bias
    frame, joint = solve_kernel(skeleton.arrays, q, qdd)
    if frame >= 0:
        raise DynamicsError(
            f"the mass matrix is singular in frame {frame}: distal joints can undo its motion, so no mass moves",
            where=f"joint {skeleton.joint_names[joint]}",
            remedy="Freeze one of the joints whose axes coincide, or avoid that pose",
        )
    return qdd
