"""Inverse dynamics of a tree by the recursive Newton-Euler algorithm, with the internal loads of every joint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import GRAVITY_G, gravity_vector
from pipeline.dynamics.loads import Wrenches, check_out, pack_wrenches, refuse_bad_frame
from pipeline.dynamics.rnea_kernels import rnea_kernel
from pipeline.skeleton import Skeleton, check_coordinates


@dataclass(frozen=True)
class JointLoads:
    """What each joint's parent exerts on its link: the internal load, and its component along the joint axis.

    Attributes:
        tau: (T, n) generalised force of each joint, Nm ('R') or N ('P').
        force_G: (T, n, 3) N, in G.
        moment_G: (T, n, 3) Nm, in G, about the joint's own origin.
    """

    tau: np.ndarray
    force_G: np.ndarray
    moment_G: np.ndarray

    @classmethod
    def empty(cls, frames: int, joints: int) -> JointLoads:
        """Buffers for ``out=``."""
        return cls(np.empty((frames, joints)), np.empty((frames, joints, 3)), np.empty((frames, joints, 3)))


def rnea(
    skeleton: Skeleton,
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    *,
    gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G,
    wrenches: Wrenches | None = None,
    out: JointLoads | None = None,
) -> JointLoads:
    """Joint loads that produce a motion (Luh, Walker and Paul 1980; Barman 2020, equations 3.1 to 3.95).

    Newton's and Euler's equations of every link, in the global frame, are summed from the tips to the root:

        F_j = sum over the subtree of j of (m a - m g),   minus the external forces on it

    and likewise for the moments. An external wrench is what the surroundings exert on the link (a ground reaction force
    points up). It is subtracted, since the joint need not supply what the ground supplies.

    >>> from pipeline.skeleton import load_skeleton
    >>> body = load_skeleton("config/skeleton.yaml")
    >>> standing = np.zeros((1, len(body)))
    >>> loads = rnea(body, standing, standing, standing)
    >>> bool(np.isclose(loads.force_G[0, 0, 1], 9.81 * body.mass.sum()))  # the pelvis carries the whole body
    True

    Args:
        skeleton: tree of n joints.
        q, qd, qdd: (T, n) coordinates, rad or m, and their time derivatives.
        gravity: (3,) gravitational acceleration in G, m/s^2.
        wrenches: external loads by segment or link name, each (T, 3) in G, at a point in G.
        out: buffers to fill and return; new ones if omitted.

    Raises:
        DynamicsError: shapes disagree, a value is not finite, or a link is unknown.
    """
    q, qd, qdd = check_coordinates(skeleton, q=q, qd=qd, qdd=qdd)
    frames, n = q.shape
    if out is None:
        out = JointLoads.empty(frames, n)
    else:
        check_out(out, {"tau": (frames, n), "force_G": (frames, n, 3), "moment_G": (frames, n, 3)})
    links, loads = pack_wrenches(skeleton, wrenches, frames)
    bad = rnea_kernel(
        skeleton.arrays, q, qd, qdd, gravity_vector(gravity), links, loads, out.tau, out.force_G, out.moment_G
    )
    refuse_bad_frame(skeleton, bad, q=q, qd=qd, qdd=qdd)
    return out
