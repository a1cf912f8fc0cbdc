"""Soft-tissue artefact of synthetic markers: smooth waves in phase with the gait cycle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class SoftTissue:
    """Waves of the first two harmonics of the cycle, with a direction and phase for each marker.

    Soft-tissue motion follows the stride and is not noise that averages out (Leardini et al. 2005). Each marker's path
    is a repeating loop similar to an ellipse. The same markers always get the same waves.

    Attributes:
        amplitude: m, largest length of the displacement, the sum of both harmonics.
        cycle: s.
        seed: of directions and phases.
    """

    amplitude: float
    cycle: float
    seed: int = 0

    def waves(self, names: Sequence[str], time: np.ndarray) -> np.ndarray:
        """Displacements (T, K, 3), m, of K markers at ``time`` (T,) s; none is longer than the amplitude."""
        rng = np.random.default_rng(self.seed)
        direction = rng.standard_normal((2, len(names), 3))
        direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
        phase = rng.uniform(0.0, 2.0 * np.pi, (2, len(names)))
        angle = 2.0 * np.pi * time[:, None, None] / self.cycle * np.array([[1.0], [2.0]]) + phase
        weights = self.amplitude * np.array([0.7, 0.3])
        return np.einsum("h,thk,hki->tki", weights, np.sin(angle), direction)
