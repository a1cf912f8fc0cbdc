"""Static optimisation with elastic tendons: fibres in equilibrium with their tendons, solved implicitly frame by frame.

A loaded tendon is longer, so the length and speed of its fibre depend on the force. Let lam' be the normalised fibre
length of the previous frame. The length lam of the present frame balances fibre and tendon (Thelen 2003; Millard et al.
2013, J Biomech Eng 135:021005), with the speed by the backward Euler rule:

    (a f_L(lam) f_V((lam - lam') / (v_max dt)) + f_PE(lam)) cos(alpha) = f_T(strain of the tendon)

This makes the force F a function of the activation a. Static optimisation is solved repeatedly with the tangent of F at
the last activations until these converge. The slope of f_V jumps at zero speed, where the optimum often lies, between
the optima of both tangents. Steps therefore shrink with the number of rounds, which averages these optima. The
remaining part of a frame's moments counts as its reserve.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.muscles.forces import LARGEST_PENNATION, Forces
from pipeline.muscles.hill import Curves, tendon_force
from pipeline.muscles.paths import Muscle
from pipeline.muscles.static_optimisation import Criterion, coordinates_of, for_frames, static_optimisation

ELASTIC = ("soleus", "med_gas", "lat_gas")
"""Actuators, without side, with long tendons that take up much of their muscles' change of length in walking."""

LEAST_ACTIVATION = 0.01
"""Smallest activation of muscles with elastic tendons: without activation, the speed of a fibre is undefined."""

_ROUNDS = 100
_STEP_TOLERANCE = 1e-3
"""Step of an activation below which a frame is solved."""


class NotConvergedError(DynamicsError):
    """The activations of a frame do not converge with elastic tendons."""


@dataclass(frozen=True)
class ElasticParameters:
    """Maximum force, N; optimal fibre length and tendon's slack length, m; thickness over the optimal length; (m,)."""

    maximum: np.ndarray
    optimal: np.ndarray
    slack: np.ndarray
    thickness: np.ndarray

    @classmethod
    def of(cls, muscles: Sequence[Muscle]) -> ElasticParameters:
        """Those of m muscles."""
        keys = "maximum_force", "fibre_length", "tendon_length", "pennation"
        maximum, optimal, slack, pennation = (np.array([getattr(m, key) for m in muscles]) for key in keys)
        return cls(maximum, optimal, slack, np.sin(pennation))

    @property
    def arrays(self) -> tuple[np.ndarray, ...]:
        """(m,) each; the last are the shortest fibres, as fractions of the optimal length."""
        shortest = np.maximum(self.thickness / np.sin(LARGEST_PENNATION), 0.01)
        return self.maximum, self.optimal, self.slack, self.thickness, shortest

    def slack_length(self, length: np.ndarray) -> np.ndarray:
        """Normalised length of a fibre if the tendon has its slack length; ``length`` is the whole muscle's, m."""
        return np.hypot(np.maximum(length - self.slack, 0.0) / self.optimal, self.thickness)


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
    begins: np.ndarray,
    criterion: Criterion,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Activations (T, m), forces (T, m) in N and fibre lengths (T, m) of muscles, some with elastic tendons.

    The first frame, and each one after a gap, starts from the forces with rigid tendons and fibres that move like their
    muscles. Its time step is taken equal to the following one.

    Args:
        muscles: m of them.
        elastic: (m,) whether each has an elastic tendon.
        curves: of the muscle model.
        rigid: forces of all with rigid tendons.
        arm, moment: (T, J, m) m and (T, J) Nm, of the coordinates that are balanced.
        length, speed: (T, m) of whole muscles, m and m/s.
        time: (T,) s.
        begins: (T,) whether a frame does not follow the one before; true for the first one.
        criterion: of the distribution to muscles.

    Raises:
        NotConvergedError: a frame does not converge.
    """
    from pipeline.muscles.elastic_kernels import elastic_kernel

    e = np.flatnonzero(elastic)
    p = ElasticParameters.of([muscle for muscle, on in zip(muscles, elastic, strict=True) if on])
    per_frame = for_frames(criterion, *arm.shape)
    per_frame.low[:, e] = np.maximum(per_frame.low[:, e], LEAST_ACTIVATION)
    needed = moment - np.einsum("tjm,tm->tj", arm, rigid.passive)
    begin = static_optimisation(arm * rigid.active[:, None], needed, replace(criterion, low=per_frame.low))
    activation, fibre = begin.activation.copy(), rigid.fibre_length.copy()
    force = activation * rigid.active + rigid.passive
    interval = np.diff(time, prepend=np.nan)
    interval[begins] = np.append(interval[1:], np.median(np.diff(time)))[begins]
    stretched = p.slack * _strain(curves, force[:, e] / p.maximum)
    before = p.slack_length(length[:, e] - stretched) - interval[:, None] * speed[:, e] / p.optimal
    row_start, row, _ = coordinates_of(arm)
    t, change = elastic_kernel(
        curve_parameters(curves), e, *p.arrays, begins, before, np.ascontiguousarray(length[:, e]), interval, arm,
        rigid.active, rigid.passive, moment, per_frame.weight, per_frame.low, per_frame.high, per_frame.target,
        per_frame.reserve, row_start, row, _ROUNDS, _STEP_TOLERANCE, activation, force, fibre,
    )  # fmt: skip
    if t >= 0:
        changing = f"activations still change by {change:.3f} after {_ROUNDS} rounds (limit {_STEP_TOLERANCE})"
        raise NotConvergedError(
            changing if np.isfinite(change) else "no activations give the moments",
            where=f"elastic tendons, {time[t]:.2f} s",
            remedy="Set muscles: {tendons: rigid} in config.yaml",
        )
    return activation, force, fibre


def curve_parameters(curves: Curves) -> tuple[float, ...]:
    """Parameters of the curves in the kernels' order."""
    return (
        curves.active_width, curves.passive_shape, curves.passive_strain, curves.hill_ratio, curves.eccentric_force,
        curves.tendon_strain, curves.maximum_velocity,
    )  # fmt: skip


def _strain(curves: Curves, tension: np.ndarray) -> np.ndarray:
    """Strain of a tendon under a force over the maximum, interpolated from the curve at 2000 strains."""
    strains = np.linspace(0.0, 2.0 * curves.tendon_strain, 2000)
    return np.interp(tension, tendon_force(curves, strains)[0], strains)
