"""Static optimisation with activations that follow the shape of recorded EMG; their size follows from the moments.

Surface EMG shows when a muscle is active but, without a maximum contraction, not with what share of its strength. With
e_c the envelope of channel c and b the weight of EMG, the objective is

    sum over frames of    sum w_i a_i^2  +  b sum over recorded (a_i - s_c e_c)^2  +  sum (r_j / rho_j)^2

over the activations and one scale 0 <= s_c <= 1 for each channel (after the EMG-assisted solutions of Pizzolato et al.
2015, J Biomech 48:3929-3936, who scale channels by calibration). It is convex and quadratic. For given scales the
frames are independent, and the derivative of the minimum with respect to a scale is that of the second term alone, so
only few variables remain for L-BFGS-B.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.optimize import minimize

from pipeline.errors import DynamicsError
from pipeline.muscles.static_optimisation import Criterion, static_optimisation


@dataclass(frozen=True)
class RecordedMuscle:
    """An EMG channel.

    Attributes:
        name: for messages, such as "left soleus".
        actuators: actuators of the muscle model, with side, that it represents.
        envelope: (T,) at the frames of the moments, as a fraction of its maximum.
    """

    name: str
    actuators: tuple[str, ...]
    envelope: np.ndarray


@dataclass(frozen=True)
class EmgCriterion:
    """A quadratic criterion with activations that follow EMG.

    Attributes:
        base: criterion for all muscles.
        weight: b, of squared differences from the scaled envelopes.
        names: (C,) of the channels.
        channels: indices of each channel's actuators among the m muscles.
        envelopes: (C, T), of each channel.
    """

    base: Criterion
    weight: float
    names: tuple[str, ...]
    channels: tuple[tuple[int, ...], ...]
    envelopes: np.ndarray

    @classmethod
    def of(
        cls,
        base: Criterion,
        weight: float,
        recorded: Sequence[RecordedMuscle],
        muscle_names: Sequence[str],
        frames: np.ndarray,
    ) -> EmgCriterion:
        """The criterion for some muscles in some frames.

        Args:
            base, weight: as above.
            recorded: channels; those of other muscles are left out.
            muscle_names: (m,) of the muscles.
            frames: mask of the envelopes' frames; T of them are true.
        """
        of_names = [(one, tuple(i for i, name in enumerate(muscle_names) if name in one.actuators)) for one in recorded]
        kept = [(one, indices) for one, indices in of_names if indices]
        envelopes = np.array([one.envelope[frames] for one, _ in kept]).reshape(len(kept), int(frames.sum()))
        return cls(base, weight, tuple(one.name for one, _ in kept), tuple(indices for _, indices in kept), envelopes)

    def scaled(self, scale: np.ndarray, muscles: int) -> Criterion:
        """The criterion with the targets (T, m) for given scales (C,).

        Up to a constant, the sum of both squares of an activation is one square about a point between zero and the
        scaled envelope.
        """
        weight = np.broadcast_to(np.asarray(self.base.weight, dtype=float), muscles).copy()
        target = np.zeros((self.envelopes.shape[1], muscles))
        for indices, size, envelope in zip(self.channels, scale, self.envelopes, strict=True):
            for i in indices:
                target[:, i] = self.weight * size / (self.weight + weight[i]) * envelope
                weight[i] += self.weight
        return replace(self.base, weight=weight, target=target)

    def cost(self, scale: np.ndarray, capacity: np.ndarray, moment: np.ndarray) -> tuple[float, np.ndarray]:
        """The least value of the criterion for given scales (C,), and its slope (C,).

        At the least value the activations have no slope of their own, so that only the scales' own one is left.

        Args:
            scale: (C,).
            capacity, moment: as for `best`.
        """
        weight = np.broadcast_to(np.asarray(self.base.weight, dtype=float), capacity.shape[2])
        found = static_optimisation(capacity, moment, self.scaled(scale, capacity.shape[2]))
        left = found.reserve / self.base.reserve
        value = float(np.sum(weight * found.activation**2) + np.sum(left**2))
        slope = np.zeros(len(scale))
        for c, indices in enumerate(self.channels):
            apart = found.activation[:, indices] - scale[c] * self.envelopes[c][:, None]
            value += self.weight * float(np.sum(apart**2))
            slope[c] = -2.0 * self.weight * float(np.sum(apart * self.envelopes[c][:, None]))
        return value, slope

    def best(self, capacity: np.ndarray, moment: np.ndarray) -> tuple[Criterion, np.ndarray]:
        """The criterion with the best scales, and the scales (C,).

        Args:
            capacity, moment: (T, J, m) and (T, J) Nm, as for `static_optimisation`.

        Raises:
            DynamicsError: the scales are not found.
        """
        if not self.channels:
            return self.base, np.zeros(0)
        start = np.full(len(self.channels), 0.2)
        found = minimize(
            self.cost, start, (capacity, moment), jac=True, method="L-BFGS-B", bounds=[(0.0, 1.0)] * len(start)
        )
        if not found.success:
            remedy = "Set muscles: {emg_weight: 0} in config.yaml"
            problem = f"the scales of EMG were not found: {found.message}"
            raise DynamicsError(problem, where="EMG-assisted distribution", remedy=remedy)
        return self.scaled(found.x, capacity.shape[2]), found.x
