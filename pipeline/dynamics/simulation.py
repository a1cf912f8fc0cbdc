"""Simulation of a tree under controllers and external loads, by SciPy's adaptive integrators."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from pipeline.conventions import GRAVITY_G, is_number, real_numbers
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
        """Coordinates and velocities (K, n) at any times (K,) within the simulation.

        Raises:
            DynamicsError: a time is before or after the motion, where nothing was integrated, or is no number.
        """
        first, last = self.solution.t_min, self.solution.t_max
        rounding = 1e-9 * (last - first)
        known = np.array([first - rounding, last + rounding])
        if not _are_numbers(time) or np.ndim(time) != 1 or np.any(np.clip(time, *known) != time):
            remedy = f"Give times from {first:.9g} to {last:.9g} s"
            raise DynamicsError(f"time is {time}, not a list of times within the motion", where="at", remedy=remedy)
        n, y = self.q.shape[1], _at_times(self.solution, np.asarray(time, dtype=float))
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
        times: (T,) s, output times, of which those until a terminal event are given; the integrator's own steps if
            omitted.
        events: functions whose zeros are located; with SciPy's attributes ``terminal`` and ``direction``.
        method, rtol, atol: of `scipy.integrate.solve_ivp`.

    Raises:
        DynamicsError: the state is malformed or not finite, the duration is NaN, or infinite without a terminal event,
            output times are outside it or out of order, the method is unknown, a tolerance is not positive, controller,
            loads or events are no functions or return something else, the mass matrix becomes singular, or the
            integrator fails.
    """
    controller = controller or Passive()
    n = len(skeleton)
    for name, value in (("q0", q0), ("qd0", qd0)):
        if not _are_numbers(value) or np.shape(value) != (n,):
            problem = f"{name} is {value}, not {n} finite numbers"
            raise DynamicsError(problem, where="simulation", remedy="Give one number for each joint")
    for problem, remedy in _faults(duration, times, events, method, wrenches):
        raise DynamicsError(problem, where="simulation", remedy=remedy)
    first = np.array(q0, dtype=float), np.array(qd0, dtype=float)
    _check_controller(controller, *first)
    _check_events(events, *first)
    start = np.concatenate([*first, [0.0], controller.initial_states])
    for name, tolerance in (("rtol", rtol), ("atol", atol)):
        if not (
            _are_numbers(tolerance) and np.shape(tolerance) in {(), start.shape} and np.all(np.asarray(tolerance) > 0.0)
        ):
            remedy = f"Give a tolerance such as 1e-10, or {len(start)}: of coordinates, velocities, work and states"
            raise DynamicsError(f"{name} is {tolerance}, not a positive number", where="simulation", remedy=remedy)

    def parts(y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return y[:n], y[n : 2 * n], y[2 * n + 1 :]

    def rate(t: float, y: np.ndarray) -> np.ndarray:
        q, qd, states = parts(y)
        torques, states_rate = controller(t, q, qd, states)
        tau = np.asarray(torques)
        loads = wrenches(t, q, qd) if wrenches else None
        qdd = forward_dynamics(skeleton, q[None], qd[None], tau[None], gravity=gravity, wrenches=loads)[0]
        return np.concatenate([qd, qdd, [tau @ qd], states_rate])

    from scipy.integrate import solve_ivp

    result = solve_ivp(
        rate,
        (0.0, duration),
        start,
        method=method,
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
    if times is None:
        time = result.t if duration else result.t[:1]
        y = result.y.T[: len(time)]
    else:
        time = np.array(times, dtype=float)
        time = time[np.abs(time) <= abs(result.t[-1])]
        y = _at_times(result.sol, time)
    q, qd = y[:, :n], y[:, n : 2 * n]
    tau = np.array([controller(t, *parts(row))[0] for t, row in zip(time, y, strict=True)]).reshape(q.shape)
    return Simulation(
        time=time,
        q=q,
        qd=qd,
        tau=tau,
        states=y[:, 2 * n + 1 :],
        work=y[:, 2 * n],
        energy=energy(skeleton, q, qd, gravity=gravity),
        event_times=tuple(result.t_events or ()),
        solution=result.sol,
    )


def _at_times(solution: OdeSolution, time: np.ndarray) -> np.ndarray:
    """States (K, s) at times (K,), also at none, which SciPy refuses."""
    return solution(time).T if len(time) else np.empty((0, len(solution(solution.t_min))))


METHODS = ("DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA")


def _are_numbers(value: object) -> bool:
    """Whether a value is an array of finite real numbers, and not of truth values."""
    try:
        return np.asarray(value).dtype != bool and bool(np.isfinite(real_numbers(value)).all())
    except (TypeError, ValueError):
        return False


def _faults(
    duration: float, times: np.ndarray | None, events: Sequence[Event], method: str, wrenches: object
) -> Iterator[tuple[str, str]]:
    """What is wrong with the arguments of an integration, and the remedy."""
    if wrenches is not None and not callable(wrenches):
        remedy = "Give a function of time, coordinates and velocities; lambda t, q, qd: loads, if they are constant"
        yield f"wrenches is {wrenches!r}", remedy
    if not isinstance(events, Sequence) or not all(map(callable, events)):
        yield f"events is {events!r}", "Give a list of functions of time, coordinates and velocities"
    ends = any(getattr(event, "terminal", False) for event in events)
    is_number = np.ndim(duration) == 0 and np.asarray(duration).dtype.kind in "iuf"
    if not is_number or np.isnan(duration) or (np.isinf(duration) and not ends):
        yield f"the duration is {duration} s", "Give a finite duration, or a terminal event that ends the motion"
    if times is not None:
        forwards = np.ravel(times) * np.sign(duration or 1.0) if _are_numbers(times) else np.empty(0)
        inside = forwards.size and forwards[0] >= 0.0 and forwards[-1] <= abs(duration)
        if not inside or np.ndim(times) != 1 or np.any(np.diff(forwards) <= 0.0):
            remedy = f"Give increasing times from 0 to the duration, {duration:g} s"
            yield f"times is {times}, not one list of times in order within the motion", remedy
    if method not in METHODS:
        yield f"there is no method {method!r}", f"Use one of {', '.join(METHODS)}"


def _check_events(events: Sequence[Event], q: np.ndarray, qd: np.ndarray) -> None:
    """Raise DynamicsError if an event does not give one number at the start."""
    for number, event in enumerate(events):
        value = event(0.0, q, qd)
        if not is_number(value) or np.asarray(value).dtype == bool:
            problem, remedy = f"it is {value} at time 0, not a number", "Return what is zero at the event, such as q[0]"
            raise DynamicsError(problem, where=f"event {number}", remedy=remedy)


def _check_controller(controller: Controller, q: np.ndarray, qd: np.ndarray) -> None:
    """Raise DynamicsError if a controller's first torques or rates do not have the shapes of joints and states."""
    if not callable(controller) or not hasattr(controller, "initial_states"):
        remedy = "Give an object that is called with time, coordinates, velocities and states, with initial_states"
        raise DynamicsError(f"it is {controller!r}", where="controller", remedy=remedy)
    states = np.array(controller.initial_states)
    if not _are_numbers(states) or states.ndim != 1:
        problem = f"initial_states is {states}, not a list of finite numbers"
        raise DynamicsError(problem, where="controller", remedy="Give one number for each state, or an empty list")
    tau, rates = controller(0.0, q, qd, states.astype(float))
    for name, value, shape in (("torques", tau, q.shape), ("states' rates", rates, states.shape)):
        if not _are_numbers(value) or np.shape(value) != shape:
            problem = f"the {name} at time 0 are {value}, not an array of shape {shape} of finite numbers"
            raise DynamicsError(problem, where="controller", remedy="Return torques (n,) and rates (k,) as arrays")


def _on_state(event: Event, n: int) -> Callable[[float, np.ndarray], float]:
    def function(t: float, y: np.ndarray) -> float:
        return event(t, y[:n], y[n : 2 * n])

    function.terminal = getattr(event, "terminal", False)  # type: ignore[attr-defined]
    function.direction = getattr(event, "direction", 0.0)  # type: ignore[attr-defined]
    return function
