"""Model markers: markers and joint centres attached to the links of a skeleton."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class ModelMarkers:
    """K markers attached to a skeleton.

    Attributes:
        names: K labels.
        joint: (K,) index of the joint of the link to which the marker is attached.
        point: (K, 3) m, in the link frame.
        segments: K names of the segments.
    """

    names: tuple[str, ...]
    joint: np.ndarray
    point: np.ndarray
    segments: tuple[str, ...]

    def only(self, names: tuple[str, ...]) -> ModelMarkers:
        """The model markers of the given names, in that order."""
        rows = [self.names.index(name) for name in names]
        return ModelMarkers(names, self.joint[rows], self.point[rows], tuple(self.segments[row] for row in rows))
