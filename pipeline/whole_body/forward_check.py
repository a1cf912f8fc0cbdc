"""Forward dynamics under computed torques: does the motion that they came from come back?"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import CubicSpline

from pipeline.dynamics.loads import Wrenches
from pipeline.dynamics.rnea import rnea
from pipeline.dynamics.simulation import simulate
from pipeline.math3d import Wrench
from pipeline.skeleton import Skeleton

STEP = 5e-4
"""s; torques are computed this often, so that what comes between them is not what a body falls from."""

LOST = 0.1
"""rad or m; a body this far from its motion has left it."""

Motion = Callable[[np.ndarray, int], np.ndarray]
"""Coordinates (T, n) at times (T,) s, or their derivative of the given order."""


def reproduce(skeleton: Skeleton, motion: Motion, time: np.ndarray, wrenches: Wrenches) -> np.ndarray:
    """Coordinates (T, n) of a body that starts as in a motion and is then left to the motion's torques and its loads.

    NaN after a coordinate is off by `LOST`.

    Nothing brings it back: an open-loop body leaves its motion exponentially, fastest in joints that move little mass.
    Over a short window it shows that torques and motion belong together.

    Args:
        skeleton: tree of n joints.
        motion: smooth motion, with derivatives.
        time: (T,) s, of a short window.
        wrenches: external loads by segment, (T, 3) each in G.

    Raises:
        DynamicsError: the state is malformed or the integrator gives up.
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

    def lost(t: float, q: np.ndarray, qd: np.ndarray) -> float:
        return LOST - float(np.abs(q - motion(np.array([time[0] + t]), 0)[0]).max())

    lost.terminal = True  # type: ignore[attr-defined]
    result = simulate(
        skeleton,
        motion(time[:1], 0)[0],
        motion(time[:1], 1)[0],
        float(time[-1] - time[0]),
        controller=_Sampled(fine - time[0], tau),
        wrenches=lambda t, q, qd: loads(np.array([time[0] + t])),
        times=time - time[0],
        events=[lost],
        rtol=1e-8,
        atol=1e-8,
    )
    out = np.full((len(time), len(skeleton)), np.nan)
    out[: len(result.q)] = result.q
    return out


class _Sampled:
    """Torques (T, n) at times (T,), between them by a cubic spline."""

    initial_states = np.empty(0)

    def __init__(self, time: np.ndarray, tau: np.ndarray) -> None:
        self._tau = CubicSpline(time, tau)

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        return self._tau(t), states
