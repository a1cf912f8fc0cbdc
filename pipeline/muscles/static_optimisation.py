"""Distribution of joint moments to muscles: smallest sum of squared activations, frame by frame.

For each frame, with C the moment of each muscle at full activation about each coordinate,

    minimise    sum w_i a_i^2 + sum (r_j / rho_j)^2        subject to    C a + r = M,    low <= a <= high

(Crowninshield and Brand 1981; Anderson and Pandy 2001). The reserves r are the moments that the muscles cannot produce.
The dual problem is convex, once differentiable and has as many unknowns as there are coordinates. It is solved by
Newton's method with a line search, in as many steps as it takes to find the activations at a bound.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import array_of, real_numbers
from pipeline.errors import DynamicsError
from pipeline.muscles.hill import Curves


@dataclass(frozen=True)
class Criterion:
    """Objective of the distribution of moments to m muscles, and the bounds of the activations.

    Attributes:
        weight: w, (m,) or a scalar.
        reserve: rho, Nm, to be broadcast to (T, J): the reserve that costs as much as one fully active muscle of weight
            1.
        low, high: bounds of the activations, to be broadcast to (T, m); a weak muscle has a lower upper bound.
        target: activations, to be broadcast to (T, m); differences from them are squared instead of the activations.
    """

    weight: float | np.ndarray = 1.0
    reserve: float | np.ndarray = 1.0
    low: float | np.ndarray = 0.0
    high: float | np.ndarray = 1.0
    target: float | np.ndarray = 0.0


@dataclass(frozen=True)
class Distribution:
    """Activations that produce joint moments.

    Attributes:
        activation: (T, m).
        reserve: (T, J) Nm, the part of each moment that no muscle produces.
        multiplier: (T, J) of the moments' equation, 1/Nm.
        rounds: (T,) Newton steps.
    """

    activation: np.ndarray
    reserve: np.ndarray
    multiplier: np.ndarray
    rounds: np.ndarray


def static_optimisation(
    capacity: np.ndarray,
    moment: np.ndarray,
    criterion: Criterion | None = None,
    *,
    time: np.ndarray | None = None,
) -> Distribution:
    """Distribute moments of T frames about J coordinates to m muscles.

    Args:
        capacity: (T, J, m) moment of each muscle at full activation, Nm: moment arm times active force.
        moment: (T, J) joint moments minus the muscles' passive moments, Nm.
        criterion: smallest sum of squares, with a reserve of 1 Nm, if omitted.
        time: (T,) s. If given, activations change from one frame to the next no faster than excitations between 0 and 1
            allow (equations 1 and 2 of Thelen 2003, with the times of gait2392); such frames are solved in order.

    Raises:
        DynamicsError: shapes disagree, a value is not finite, bounds cross, a weight is not positive, a reserve is not
            positive and finite, targets are combined with times, or a frame does not converge.
    """
    from pipeline.muscles.static_optimisation_kernels import static_optimisation_kernel

    capacity = array_of("capacity", capacity, ("T", "J", "m"), where="static optimisation")
    moment = array_of("moment", moment, capacity.shape[:2], where="static optimisation")
    frames, n, m = capacity.shape
    per_frame = for_frames(criterion or Criterion(), frames, n, m)
    _check(capacity, moment, per_frame)
    if time is not None and np.any(per_frame.target):
        raise DynamicsError("targets cannot be combined with times", where="static optimisation")
    start, row, column = coordinates_of(capacity)
    value = np.ascontiguousarray(capacity[:, row, column])
    limits = Curves.gait2392()
    largest, tolerance = np.abs(moment).max(axis=1, initial=0.0), np.empty(frames)
    from_targets = moment - np.einsum("tjm,tm->tj", capacity, per_frame.target)
    activation, multiplier = np.empty((frames, m)), np.empty((frames, n))
    residual, rounds = np.empty(frames), np.empty(frames, dtype=np.int64)
    static_optimisation_kernel(
        per_frame.weight, start, row, value, per_frame.low - per_frame.target, per_frame.high - per_frame.target,
        _intervals(time, frames), limits.activation_time, limits.deactivation_time, from_targets, per_frame.reserve,
        largest, activation, multiplier, residual, tolerance, rounds,
    )  # fmt: skip
    if np.any(bad := ~(residual <= tolerance)):
        t = int(np.argmax(bad))
        raise DynamicsError(
            f"the activations leave {residual[t]:.3g} Nm after {rounds[t]} steps, limit {tolerance[t]:.3g}",
            where=f"static optimisation, frame {t}",
            remedy="Raise the reserves",
        )
    activation += per_frame.target
    return Distribution(activation, 0.5 * per_frame.reserve**2 * multiplier, multiplier, rounds)


def coordinates_of(capacity: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Where the coordinates of each muscle begin (m + 1,), the coordinates (k,), and the muscle of each (k,).

    A muscle's coordinates are those about which its capacity (T, J, m) is ever nonzero.
    """
    column, row = np.nonzero(np.any(capacity != 0, axis=0).T)
    return np.searchsorted(column, np.arange(capacity.shape[2] + 1)), row, column


@dataclass(frozen=True)
class FrameCriterion:
    """A criterion with a value for each muscle (m,), frame and coordinate (T, J), and frame and muscle (T, m)."""

    weight: np.ndarray
    reserve: np.ndarray
    low: np.ndarray
    high: np.ndarray
    target: np.ndarray


def for_frames(criterion: Criterion, frames: int, n: int, m: int) -> FrameCriterion:
    """The criterion for a number of frames, coordinates and muscles; its arrays are copies.

    Raises:
        DynamicsError: a value is not an array of real numbers, or does not have such a shape.
    """
    shapes = {"weight": (m,), "reserve": (frames, n)} | dict.fromkeys(("low", "high", "target"), (frames, m))
    values = {}
    for name, shape in shapes.items():
        try:
            values[name] = np.broadcast_to(real_numbers(getattr(criterion, name)), shape).copy()
        except (TypeError, ValueError) as error:
            problem, remedy = f"{name} is no array of {shape}: {error}", "Give one number, or an array of that shape"
            raise DynamicsError(problem, where="static optimisation", remedy=remedy) from None
    return FrameCriterion(**values)


def _intervals(time: np.ndarray | None, frames: int) -> np.ndarray:
    """(T,) s from the frame before; infinite if it does not limit activations."""
    interval = np.full(frames, np.inf)
    if time is not None:
        if np.shape(time) != (frames,) or not np.all(np.diff(time) > 0):
            raise DynamicsError("times do not increase from frame to frame", where="static optimisation")
        interval[1:] = np.diff(time)
    return interval


def _check(capacity: np.ndarray, moment: np.ndarray, per_frame: FrameCriterion) -> None:
    where = "static optimisation"
    bounds = ("bound", per_frame.low), ("bound", per_frame.high), ("target", per_frame.target)
    for name, values in (("capacity", capacity), ("moment", moment), *bounds):
        bad = ~np.isfinite(values).all(axis=tuple(range(1, values.ndim)))
        if np.any(bad):
            remedy = "Cut the walk to the frames with all moments"
            raise DynamicsError(f"a {name} of frame {np.argmax(bad)} is not finite", where=where, remedy=remedy)
    if np.any(per_frame.low > per_frame.high) or np.any(per_frame.low < 0):
        raise DynamicsError("bounds of activations cross or are negative", where=where)
    if not np.all(per_frame.weight > 0):
        raise DynamicsError("a weight is not positive", where=where, remedy="Give 1")
    if not np.all((per_frame.reserve > 0) & np.isfinite(per_frame.reserve)):
        raise DynamicsError("a reserve is not positive and finite", where=where, remedy="Give 1 Nm")
