"""Open-loop forward simulation (forward check): is the motion that of a free body under its plates' loads?

The joint torques come from the motion and the loads, and would carry the motion whatever the loads were, if the forces
that inverse dynamics puts on the pelvis were given too. They are left out, for nothing pushes there: what moves the
body's mass is gravity and the plates alone, so that wrong loads and wrong masses make the body leave its motion.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import CubicSpline

from pipeline.dynamics import Wrenches, rnea
from pipeline.dynamics.simulation import simulate
from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics import SplineFit
from pipeline.math3d import Wrench
from pipeline.signals import runs_of
from pipeline.skeleton import Skeleton, active_joints, merge_frozen
from pipeline.trial import ForwardCheck, Note
from pipeline.whole_body.ground import GroundLoads

WINDOW = 0.1
"""s; with loads that balance the motion, an open-loop simulation stays near it for about as long."""

STEP = 5e-4
"""s; sampling of the torques, small enough that their interpolation causes no drift."""

MAX_ERROR = 0.1
"""rad or m; error of a coordinate at which the simulation stops."""

Motion = Callable[[np.ndarray, int], np.ndarray]
"""Coordinates (T, n) at times (T,) s, or their time derivative of the given order."""


def forward_check(
    skeleton: Skeleton, time: np.ndarray, motion: SplineFit, tau: np.ndarray, ground: GroundLoads
) -> tuple[ForwardCheck | None, list[Note]]:
    """Simulate the middle of the longest run of frames in which all loads are known; a note says why if it fails.

    The joints that the active model locks are held at their mean: two axes of the neck nearly coincide, and together
    they are unstable.

    Args:
        skeleton: tree of n joints.
        time: (T,) s.
        motion: the kinematic motion.
        tau: (T, n) its generalised forces, NaN where not known.
        ground: loads of both feet.
    """
    runs = runs_of(np.isfinite(tau).all(axis=1))
    length = max(8, round(WINDOW / (time[1] - time[0])))
    first, last = max(runs, key=lambda run: run[1] - run[0], default=(0, 0))
    if last - first < length:
        return None, []
    start = (first + last - length) // 2
    frames = slice(start, start + length)
    active = active_joints(skeleton)
    body = merge_frozen(skeleton, motion.q[frames].mean(axis=0))
    simulated = np.full((length, len(skeleton)), np.nan)
    try:
        simulated[:, active] = simulate_open_loop(
            body, lambda t, order: motion.spline(t, nu=order)[:, active], time[frames], ground.at(frames)
        )
    except DynamicsError as error:
        return None, [Note("left out", "forward simulation", str(error))]
    return ForwardCheck(window=time[frames], fitted=motion.q[frames], simulated=simulated), []


def simulate_open_loop(skeleton: Skeleton, motion: Motion, time: np.ndarray, wrenches: Wrenches) -> np.ndarray:
    """Coordinates (T, n) simulated from a motion's initial state under its joint torques and its loads.

    The first six coordinates, of the pelvis, are free: no force but gravity and the loads acts on the whole body. Without
    feedback, errors grow exponentially, fastest in joints that move little mass. NaN after a coordinate is off by
    `MAX_ERROR`.

    Args:
        skeleton: tree of n joints.
        motion: smooth motion, with derivatives.
        time: (T,) s, of a short window.
        wrenches: external loads by segment, (T, 3) each in G.

    Raises:
        DynamicsError: the state is malformed or the integrator fails.
    """
    splines = {
        name: CubicSpline(time, np.hstack([wrench.force_G, wrench.moment_G, wrench.point_G]))
        for name, wrench in wrenches.items()
    }

    def loads(t: np.ndarray) -> dict[str, Wrench]:
        parts = {name: spline(t) for name, spline in splines.items()}
        return {name: Wrench(part[:, :3], part[:, 3:6], part[:, 6:]) for name, part in parts.items()}

    fine = np.linspace(time[0], time[-1], int(np.ceil((time[-1] - time[0]) / STEP)) + 1)
    tau = rnea(skeleton, motion(fine, 0), motion(fine, 1), motion(fine, 2), wrenches=loads(fine)).tau
    tau[:, :6] = 0.0

    def margin(t: float, q: np.ndarray, qd: np.ndarray) -> float:
        return MAX_ERROR - float(np.abs(q - motion(np.array([time[0] + t]), 0)[0]).max())

    margin.terminal = True  # type: ignore[attr-defined]
    result = simulate(
        skeleton,
        motion(time[:1], 0)[0],
        motion(time[:1], 1)[0],
        float(time[-1] - time[0]),
        controller=_SampledTorques(fine - time[0], tau),
        wrenches=lambda t, q, qd: loads(np.array([time[0] + t])),
        times=time - time[0],
        events=[margin],
        rtol=1e-8,
        atol=1e-8,
    )
    out = np.full((len(time), len(skeleton)), np.nan)
    out[: len(result.q)] = result.q
    return out


class _SampledTorques:
    """Torques (T, n) at times (T,), interpolated by a cubic spline."""

    initial_states = np.empty(0)

    def __init__(self, time: np.ndarray, tau: np.ndarray) -> None:
        self._tau = CubicSpline(time, tau)

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._tau(t), states
