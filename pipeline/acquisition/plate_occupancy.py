"""Check whether the subject's markers are near a force plate, or near the point where a load would act on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.plate_declaration import plate_axes

_MARGIN = 0.15
"""m around the plate: the toes extend beyond a foot's markers by less than this."""
_REACH = 0.25
"""m, the length of a foot: the centre of pressure of a foot is closer than this to one of its markers."""
_MIDDLE = 0.4
"""Largest distance of the centre of pressure of a standing subject from the mean of the feet's markers, over their
extent; at the toe it is half."""
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
        apart = np.linalg.norm(self.positions_P[..., :2] - _centre_of_pressure(force_P, moment_P), axis=-1)
        return bool((self._is_low() & (apart < _REACH)).any())

    def stands(self, force_P: np.ndarray, moment_P: np.ndarray) -> bool:
        """Whether a whole foot is on the plate, with the centre of pressure of a load (3,) below its middle throughout.

        Under a toe on the plate, the centre of pressure is at the end of the foot.
        """
        centre_of_pressure = _centre_of_pressure(force_P, moment_P)
        positions = self.positions_P[..., :2]
        near = self._is_low() & (np.linalg.norm(positions - centre_of_pressure, axis=-1) < _REACH)
        for of_frame, own in zip(positions, near, strict=True):
            feet = of_frame[own]
            if len(feet) < 2 or (np.abs(feet) > self.half_sides).any():
                return False
            length = np.linalg.norm(np.ptp(feet, axis=0))
            if np.linalg.norm(feet.mean(axis=0) - centre_of_pressure) > _MIDDLE * length:
                return False
        return True

    def _is_low(self) -> np.ndarray:
        return np.abs(self.positions_P[..., 2]) < _HEIGHT


def _centre_of_pressure(force_P: np.ndarray, moment_P: np.ndarray) -> np.ndarray:
    return np.array([-moment_P[1], moment_P[0]]) / force_P[2]


def occupancy(corners_L: np.ndarray, positions_L: np.ndarray) -> Occupancy | None:
    """Markers (T, K, 3) m relative to a plate with corners (4, 3) m; None if no marker is seen at all."""
    if not np.isfinite(positions_L).all(axis=-1).any():
        return None
    axes, centre = plate_axes(corners_L), corners_L.mean(axis=0)
    return Occupancy((positions_L - centre) @ axes, np.abs((corners_L - centre) @ axes).mean(axis=0)[:2])
