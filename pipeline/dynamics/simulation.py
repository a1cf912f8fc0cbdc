"""Simulation of a tree under controllers and external loads, by SciPy's adaptive integrators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pipeline.conventions import GRAVITY_G
from pipeline.dynamics.equations import Energy, energy
from pipeline.dynamics.forward import forward_dynamics
from pipeline.dynamics.loads import Wrenches
from pipeline.errors import DynamicsError
from pipeline.skeleton import Skeleton

if TYPE_CHECKING:
    from scipy.integrate import OdeSolution


class Controller(Protocol):
    """What drives the joints; it may have states of its own that are integrated with the motion.

    Attributes:
        initial_states: (k,) at the start; empty for a controller without memory.
    """

    @property
    def initial_states(self) -> np.ndarray:
        """States (k,) at the start."""

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Joint torques (n,) and the states' time derivatives (k,) at time t, coordinates and velocities (n,)."""


class Passive:
    """A controller that exerts no torque."""

    initial_states = np.empty(0)

    def __call__(self, t: float, q: np.ndarray, qd: np.ndarray, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Zero torques."""
        return np.zeros_like(q), states


@dataclass(frozen=True)
class Simulation:
    """A simulated motion at T times.

    Attributes:
        time: (T,) s.
        q, qd, tau: (T, n) coordinates, velocities and joint torques.
        states: (T, k) states of the controller.
        work: (T,) J done by the joint torques since the start.
        energy: kinetic and potential, (T,) each.
        event_times: for each event function, the times at which it crossed zero.
        solution: dense output of the integrator over [q, qd, work, states].
    """

    time: np.ndarray
    q: np.ndarray
    qd: np.ndarray
    tau: np.ndarray
    states: np.ndarray
    work: np.ndarray
    energy: Energy
    event_times: tuple[np.ndarray, ...]
    solution: OdeSolution

    def at(self, time: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates and velocities (K, n) at any times (K,) within the simulation."""
        n = self.q.shape[1]
        y = self.solution(np.asarray(time, dtype=float)).T
        return y[:, :n], y[:, n : 2 * n]


Event = Callable[[float, np.ndarray, np.ndarray], float]
"""A function of time, coordinates and velocities whose sign changes are located; its attribute ``terminal`` stops the
integration there."""


def simulate(
    skeleton: Skeleton,
    q0: np.ndarray,
    qd0: np.ndarray,
    duration: float,
    *,
    controller: Controller | None = None,
    wrenches: Callable[[float, np.ndarray, np.ndarray], Wrenches] | None = None,
    gravity: tuple[float, float, float] | np.ndarray = GRAVITY_G,
    times: np.ndarray | None = None,
    events: Sequence[Event] = (),
    method: str = "DOP853",
    rtol: float = 1e-10,
    atol: float = 1e-10,
) -> Simulation:
    """Integrate M q̈ = C + G + Q + E from an initial state.

    >>> from pipeline.examples.double_pendulum import Bars, tree
    >>> hanging = simulate(tree(Bars()), np.zeros(2), np.zeros(2), duration=1.0)
    >>> bool(np.abs(hanging.q).max() < 1e-12)  # at rest it stays at rest
    True

    Args:
        skeleton: tree of n joints.
        q0, qd0: (n,) coordinates and velocities at time 0.
        duration: s.
        controller: gives the joint torques; passive if omitted.
        wrenches: gives external loads of one frame, (1, 3) each, from time, coordinates and velocities (n,).
        gravity: (3,) m/s^2 in G.
        times: (T,) s, output times; the integrator's own steps if omitted.
        events: functions whose zeros are located; with SciPy's attributes ``terminal`` and ``direction``.
        method, rtol, atol: of `scipy.integrate.solve_ivp`.

    Raises:
        DynamicsError: the state is malformed or not finite, the duration is NaN, or infinite without a terminal event,
            the mass matrix becomes singular, or the integrator fails.
    """
    controller = controller or Passive()
    n = len(skeleton)
    for name, value in (("q0", q0), ("qd0", qd0)):
        if np.shape(value) != (n,) or not np.isfinite(value).all():
            problem = f"{name} is {np.asarray(value).tolist()}, not {n} finite numbers"
            raise DynamicsError(problem, where="simulation", remedy="Give one number for each joint")
    ends = any(getattr(event, "terminal", False) for event in events)
    if np.isnan(duration) or (np.isinf(duration) and not ends):
        remedy = "Give a finite duration, or a terminal event that ends the motion"
        raise DynamicsError(f"the duration is {duration:g} s", where="simulation", remedy=remedy)

    def parts(y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return y[:n], y[n : 2 * n], y[2 * n + 1 :]

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        q, qd, states = parts(y)
        tau, states_rate = controller(t, q, qd, states)
        loads = wrenches(t, q, qd) if wrenches else None
        qdd = forward_dynamics(skeleton, q[None], qd[None], tau[None], gravity=gravity, wrenches=loads)[0]
        return np.concatenate([qd, qdd, [tau @ qd], states_rate])

    from scipy.integrate import solve_ivp

    result = solve_ivp(
        rate,
        (0.0, duration),
        np.concatenate([q0, qd0, [0.0], controller.initial_states]),
        method=method,
        t_eval=times,
        events=[_on_state(event, n) for event in events],
        dense_output=True,
        rtol=rtol,
        atol=atol,
    )
    if result.status < 0:
        raise DynamicsError(
            f"the integrator stopped at {result.t[-1] if len(result.t) else 0.0:.6g} s: {result.message}",
            where="simulation",
            remedy="Loosen rtol and atol, or look for a force that jumps",
        )
    y = result.y.T
    q, qd = y[:, :n], y[:, n : 2 * n]
    tau = np.array([controller(t, *parts(row))[0] for t, row in zip(result.t, y, strict=True)]).reshape(q.shape)
    return Simulation(
        time=result.t,
        q=q,
        qd=qd,
        tau=tau,
        states=y[:, 2 * n + 1 :],
        work=y[:, 2 * n],
        energy=energy(skeleton, q, qd, gravity=gravity),
        event_times=tuple(result.t_events or ()),
        solution=result.sol,
    )


def _on_state(event: Event, n: int) -> Callable[[float, np.ndarray], float]:
    def function(t: float, y: np.ndarray) -> float:
        return event(t, y[:n], y[n : 2 * n])

    function.terminal = getattr(event, "terminal", False)  # type: ignore[attr-defined]
    function.direction = getattr(event, "direction", 0.0)  # type: ignore[attr-defined]
    return function
