"""Forward simulation of the free body (forward check): do gravity and plates alone move it as the markers moved?

All joints follow the fitted motion; the pelvis is free. Wherever motion, masses and plates disagree, inverse dynamics
needs residual forces on the pelvis that nothing exerts; without them the pelvis leaves its path. The loads come from
the plates and the joint accelerations from the markers, so errors of one cannot cancel those of the other. They do
cancel if joint torques computed from the loads are simulated under the same loads.

This is hybrid dynamics (Featherstone 2008, Rigid body dynamics algorithms, section 9.2) of a floating base.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import CubicSpline

from pipeline.dynamics import Wrenches, mass_matrix, rnea
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics import SplineFit
from pipeline.math3d import Wrench
from pipeline.signals import runs_of
from pipeline.skeleton import Skeleton
from pipeline.trial import ForwardCheck, Note
from pipeline.whole_body.ground import GroundReactions

SHORTEST = 0.1
"""s; shortest run of frames with all loads that is simulated."""

LONGEST = 0.5
"""s; about the time that a walk spends on two plates. A residual of 1 % of body weight moves the body by 12 mm."""

TOLERANCE = 1e-6
"""Tolerance of the integrator: relative, and absolute in m or rad."""

PELVIS = 6
"""Number of pelvis coordinates, which come first."""

Motion = Callable[[np.ndarray, int], np.ndarray]
"""Coordinates (T, n) at times (T,) s, or their time derivative of the given order."""


def forward_check(
    skeleton: Skeleton, time: np.ndarray, motion: SplineFit, ground: GroundReactions
) -> tuple[ForwardCheck | None, list[Note]]:
    """Simulate the longest run of frames in which all loads are known, at most 0.5 s; a note explains a failure.

    Args:
        skeleton: tree of n joints.
        time: (T,) s.
        motion: the kinematic motion.
        ground: loads of both feet.
    """
    runs = runs_of(ground.all_known)
    step = time[1] - time[0]
    first, last = max(runs, key=lambda run: run[1] - run[0], default=(0, 0))
    if last - first < max(8, round(SHORTEST / step)):
        return None, []
    frames = slice(first, min(last, first + round(LONGEST / step) + 1))
    try:
        simulated = simulate_free_body(
            skeleton, lambda t, order: motion.spline(t, nu=order), time[frames], ground.at(frames)
        )
    except DynamicsError as error:
        return None, [Note("left out", "forward simulation", str(error))]
    names = skeleton.joint_names[:PELVIS]
    return ForwardCheck(names, time[frames], motion.q[frames, :PELVIS], simulated), []


def simulate_free_body(skeleton: Skeleton, motion: Motion, time: np.ndarray, wrenches: Wrenches) -> np.ndarray:
    """Pelvis coordinates (T, 6) of a body whose joints follow a motion, from the motion's state at the first time.

    Args:
        skeleton: tree of n joints, whose first six are the pelvis'.
        motion: smooth motion, with derivatives.
        time: (T,) s.
        wrenches: external loads by segment, (T, 3) each in G.

    Raises:
        DynamicsError: the state is malformed or the integrator fails.
    """
    from scipy.integrate import solve_ivp

    splines = {
        name: CubicSpline(time, np.hstack([wrench.force_G, wrench.moment_G, wrench.point_G]))
        for name, wrench in wrenches.items()
    }

    def loads(t: float) -> dict[str, Wrench]:
        parts = {name: spline([t]) for name, spline in splines.items()}
        return {name: Wrench(part[:, :3], part[:, 3:6], part[:, 6:]) for name, part in parts.items()}

    def rate(t: float, state: np.ndarray) -> np.ndarray:
        q, qd, qdd = (motion(np.array([t]), order) for order in range(3))
        q[0, :PELVIS], qd[0, :PELVIS], qdd[0, :PELVIS] = state[:PELVIS], state[PELVIS:], 0.0
        lacking = rnea(skeleton, q, qd, qdd, wrenches=loads(t)).tau[0, :PELVIS]
        inertia = mass_matrix(skeleton, q)[0, :PELVIS, :PELVIS]
        return np.concatenate([state[PELVIS:], np.linalg.solve(inertia, -lacking)])

    start = np.concatenate([motion(time[:1], order)[0, :PELVIS] for order in range(2)])
    ends = float(time[0]), float(time[-1])
    result = solve_ivp(rate, ends, start, t_eval=time, rtol=TOLERANCE, atol=TOLERANCE)
    if result.status < 0:
        raise DynamicsError(f"the integrator failed: {result.message}", where="forward simulation")
    return result.y[:PELVIS].T
