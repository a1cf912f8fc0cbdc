"""Check whether the subject's markers are near a force plate, or near the point where a load would act on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.plate_declaration import plate_axes

_MARGIN = 0.15
"""m around the plate: the toes extend beyond a foot's markers by less than this."""
_REACH = 0.25
"""m, the length of a foot: the centre of pressure of a foot is closer than this to one of its markers."""
_HEIGHT = 0.3
"""m above the plate: the markers of a foot on it, ankle and heel included, are lower than this."""
_SEEN_SHARE = 0.8
"""Minimum share of the largest number of markers visible at once for a frame to count; otherwise the feet may be
missing."""


@dataclass(frozen=True)
class Occupancy:
    """Markers as seen from a plate.

    Attributes:
        positions_P: (T, K, 3) m, in the plate's axes, from its centre; NaN where not seen.
        half_sides: (2,) m, half the plate's sides along its x and y.
    """

    positions_P: np.ndarray
    half_sides: np.ndarray

    def clear(self, samples: int) -> np.ndarray:
        """Mask (samples,) of the analog samples in frames where markers are seen and none is near the plate."""
        count = np.isfinite(self.positions_P).all(axis=-1).sum(axis=1)
        inside = (np.abs(self.positions_P[..., :2]) < self.half_sides + _MARGIN).all(axis=-1)
        clear = ~(inside & self._is_low()).any(axis=1) & (count >= _SEEN_SHARE * count.max())
        return np.repeat(clear, samples // len(clear))

    def is_under_foot(self, force_P: np.ndarray, moment_P: np.ndarray) -> bool:
        """Whether a marker comes near the centre of pressure of a load (3,); the moment is about the plate's centre."""
        centre_of_pressure = np.array([-moment_P[1], moment_P[0]]) / force_P[2]
        apart = np.linalg.norm(self.positions_P[..., :2] - centre_of_pressure, axis=-1)
        return bool((self._is_low() & (apart < _REACH)).any())

    def _is_low(self) -> np.ndarray:
        return np.abs(self.positions_P[..., 2]) < _HEIGHT


def occupancy(corners_L: np.ndarray, positions_L: np.ndarray) -> Occupancy | None:
    """Markers (T, K, 3) m relative to a plate with corners (4, 3) m; None if no marker is seen at all."""
    if not np.isfinite(positions_L).all(axis=-1).any():
        return None
    axes, centre = plate_axes(corners_L), corners_L.mean(axis=0)
    return Occupancy((positions_L - centre) @ axes, np.abs((corners_L - centre) @ axes).mean(axis=0)[:2])
