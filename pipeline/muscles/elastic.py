"""Static optimisation with elastic tendons: fibres in equilibrium with their tendons, solved implicitly frame by frame.

A loaded tendon is longer, so the length and speed of its fibre depend on the force. With lam' the normal fibre length
of the frame before, that of a frame, lam, balances fibre and tendon (Thelen 2003; Millard et al. 2013, J Biomech Eng
135:021005), with the speed by the backward Euler rule:

    (a f_L(lam) f_V((lam - lam') / (v_max dt)) + f_PE(lam)) cos(alpha) = f_T(strain of the tendon)

This makes the force F a function of the activation a. Static optimisation is solved with the tangent of F at the last
activations until these settle. The slope of f_V jumps at zero speed, where the optimum often lies, between the optima
of both tangents: so steps shrink with the number of rounds, which averages these. What a frame's moments still lack
counts as its reserve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.muscles.forces import LARGEST_PENNATION, Forces
from pipeline.muscles.hill import Curves, active_force, force_velocity, passive_force, tendon_force
from pipeline.muscles.paths import Muscle
from pipeline.muscles.static_optimisation import Criterion, static_optimisation

ELASTIC = ("soleus", "med_gas", "lat_gas")
"""Actuators, without their side, whose long tendons take up much of their muscles' change of length in walking."""

LEAST_ACTIVATION = 0.01
"""Of muscles with elastic tendons: at none, the speed of a fibre is not defined."""

_ROUNDS, _FULL_STEPS = 100, 3
_SETTLED = 1e-3
"""Step of an activation at which a frame is solved."""


@dataclass(frozen=True)
class Equilibrium:
    """Muscles whose fibres balance their tendons.

    Attributes:
        length: (m,) of the fibres, fraction of the optimal one.
        force: (m,) N along the tendon.
        slope: (m,) N, derivative of the force by the activation.
    """

    length: np.ndarray
    force: np.ndarray
    slope: np.ndarray


@dataclass(frozen=True)
class _Parameters:
    maximum: np.ndarray
    optimal: np.ndarray
    slack: np.ndarray
    thickness: np.ndarray

    @classmethod
    def of(cls, muscles: Sequence[Muscle]) -> _Parameters:
        keys = "maximum_force", "fibre_length", "tendon_length", "pennation"
        maximum, optimal, slack, pennation = (np.array([getattr(m, key) for m in muscles]) for key in keys)
        return cls(maximum, optimal, slack, np.sin(pennation))

    def slack_length(self, length: np.ndarray) -> np.ndarray:
        """Normal length of a fibre whose tendon has its slack length in a muscle of that length, m."""
        return np.hypot(np.maximum(length - self.slack, 0.0) / self.optimal, self.thickness)


def equilibrium(
    muscles: Sequence[Muscle], curves: Curves, length: np.ndarray, activation: np.ndarray, before: np.ndarray, dt: float
) -> Equilibrium:
    """Fibre lengths and forces at the end of a step, by Newton's method within a bracket.

    Args:
        muscles: m of them.
        curves: of the muscle model.
        length: (m,) of whole muscles at the end of the step, m.
        activation: (m,) at the end of the step.
        before: (m,) fibre lengths at its start, fraction of the optimal ones.
        dt: s.
    """
    p = _Parameters.of(muscles)
    high = p.slack_length(length)
    low = np.minimum(np.maximum(p.thickness / np.sin(LARGEST_PENNATION), 0.01), high)
    lam = np.clip(before, low, high)
    for _ in range(60):
        excess, by_length, *_ = _balance(p, curves, length, activation, before, dt, lam)
        low, high = np.where(excess < 0, lam, low), np.where(excess < 0, high, lam)
        newton = lam - excess / by_length
        new = np.where((newton > low) & (newton < high), newton, (low + high) / 2)
        settled, lam = np.abs(new - lam).max() < 1e-11, new
        if settled:
            break
    _, by_length, by_activation, tension, tension_by_length = _balance(p, curves, length, activation, before, dt, lam)
    slope = -tension_by_length * by_activation / by_length
    return Equilibrium(lam, p.maximum * tension, p.maximum * np.maximum(slope, 0.0))


def _balance(
    p: _Parameters,
    curves: Curves,
    length: np.ndarray,
    activation: np.ndarray,
    before: np.ndarray,
    dt: float,
    lam: np.ndarray,
) -> tuple[np.ndarray, ...]:
    """Fibre's force less the tendon's over the maximum, its derivatives by fibre length and activation; the tendon's
    force and its derivative by fibre length."""
    along = np.sqrt(np.maximum(lam**2 - p.thickness**2, 1e-12))
    cosine, pace = along / lam, 1.0 / (dt * curves.maximum_velocity)
    active, active_slope = active_force(curves, lam)
    speed, speed_slope = force_velocity(curves, (lam - before) * pace)
    passive, passive_slope = passive_force(curves, lam)
    tension, stiffness = tendon_force(curves, (length - along * p.optimal) / p.slack - 1.0)
    fibre = activation * active * speed + passive
    by_length = activation * (active_slope * speed + active * speed_slope * pace) + passive_slope
    by_length = by_length * cosine + fibre * (1.0 - cosine**2) / along
    tension_by_length = -stiffness * p.optimal / (p.slack * cosine)
    change = by_length - tension_by_length
    change = np.where(np.abs(change) < 1e-9, 1e-9, change)  # of a slack tendon: the bracket decides
    return fibre * cosine - tension, change, active * speed * cosine, tension, tension_by_length


def elastic_forces(
    muscles: Sequence[Muscle],
    elastic: np.ndarray,
    curves: Curves,
    rigid: Forces,
    arm: np.ndarray,
    moment: np.ndarray,
    length: np.ndarray,
    speed: np.ndarray,
    time: np.ndarray,
    criterion: Criterion,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Activations (T, m), forces (T, m) in N and fibre lengths (T, m) of muscles, some with elastic tendons.

    The first frame, and each after a gap, starts from the rigid tendon's forces with fibres that move as their muscles.

    Args:
        muscles: m of them.
        elastic: (m,) which of them have elastic tendons.
        curves: of the muscle model.
        rigid: forces of all with rigid tendons.
        arm, moment: (T, J, m) m and (T, J) Nm, of the coordinates that are balanced.
        length, speed: (T, m) of whole muscles, m and m/s.
        time: (T,) s.
        criterion: of the distribution to muscles.

    Raises:
        DynamicsError: a frame does not settle.
    """
    e, own = np.flatnonzero(elastic), [muscle for muscle, on in zip(muscles, elastic, strict=True) if on]
    p = _Parameters.of(own)
    low = np.array(np.broadcast_to(criterion.low, rigid.active.shape))
    low[:, e] = np.maximum(low[:, e], LEAST_ACTIVATION)
    target = np.broadcast_to(criterion.target, rigid.active.shape)
    start = static_optimisation(
        arm * rigid.active[:, None],
        moment - np.einsum("tjm,tm->tj", arm, rigid.passive),
        replace(criterion, low=low),
    )
    activation, fibre = start.activation.copy(), rigid.fibre_length.copy()
    force = activation * rigid.active + rigid.passive
    dt = float(np.median(np.diff(time)))
    a, before = activation[0].copy(), np.empty(len(e))
    for t in range(len(time)):
        if t == 0 or time[t] - time[t - 1] > 1.5 * dt:
            stretched = p.slack * _strain(curves, force[t, e] / p.maximum)
            before = p.slack_length(length[t, e] - stretched) - dt * speed[t, e] / p.optimal
            a = activation[t].copy()
        capacity, offset = rigid.active[t].copy(), rigid.passive[t].copy()
        for round_ in range(_ROUNDS):
            found = equilibrium(own, curves, length[t, e], a[e], before, dt)
            capacity[e], offset[e] = found.slope, found.force - found.slope * a[e]
            needed = moment[t] - arm[t] @ offset
            asked = replace(criterion, low=low[t], target=target[t])
            new = static_optimisation((arm[t] * capacity)[None], needed[None], asked).activation[0]
            step = min(1.0, _FULL_STEPS / (round_ + 1)) * (new - a)
            a, change = a + step, np.abs(step[e]).max()
            if change < _SETTLED:
                break
        else:
            raise DynamicsError(
                f"activations still change by {change:.3f} after {_ROUNDS} rounds (limit {_SETTLED})",
                where=f"elastic tendons, {time[t]:.2f} s",
                remedy="Set muscles: {tendons: rigid} in config.yaml",
            )
        found = equilibrium(own, curves, length[t, e], a[e], before, dt)
        activation[t], force[t] = a, a * capacity + offset
        force[t, e], fibre[t, e] = found.force, found.length
        before = found.length
    return activation, force, fibre


def _strain(curves: Curves, tension: np.ndarray) -> np.ndarray:
    """Strain of a tendon under a force over the maximum, from the curve at 2000 strains."""
    strains = np.linspace(0.0, 2.0 * curves.tendon_strain, 2000)
    return np.interp(tension, tendon_force(curves, strains)[0], strains)
