"""Curves computed from points of the body that measured and predicted walks both have, such as a heel's speed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

Read = Callable[..., np.ndarray]
"""Values (T,) in reported units, from times (T,) in s and the positions (T, 3) in G of each point, in m."""


@dataclass(frozen=True)
class PointReading:
    """How a curve of one side is computed from points of the body.

    Attributes:
        row: heading of the row of panels that shows it.
        points: names in the walk, with "{side}" for points of both sides.
        read: the values; the same for either side, since a predicted step is mirrored.
    """

    row: str
    points: tuple[str, ...]
    read: Read

    def of(self, side: str, time: np.ndarray, points: Mapping[str, np.ndarray]) -> np.ndarray | None:
        """Values (T,) of a side in reported units, NaN where a point is missing; None if the walk lacks the point.

        Args:
            side: "left" or "right".
            time: (T,) s.
            points: positions (T, 3) in G by name, m.
        """
        names = [name.format(side=side) for name in self.points]
        if not all(name in points for name in names):
            return None
        return self.read(time, *(points[name] for name in names))


def speed(time: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Magnitude of a point's velocity, m/s, by differences of second order.

    >>> speed(np.array([0.0, 0.5, 1.0]), np.array([[0.0, 0.0, 0.0], [0.3, 0.4, 0.0], [0.6, 0.8, 0.0]]))
    array([1., 1., 1.])
    """
    return np.linalg.norm(np.gradient(position, time, axis=0, edge_order=2), axis=1)
