"""Wrench: force and moment over time, with the point to which the moment refers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import array_of


@dataclass(frozen=True)
class Wrench:
    """A load on a body, in the global frame, over time.

    Attributes:
        force_G: (T, 3) force on the body, N, in G.
        moment_G: (T, 3) moment on the body about ``point_G``, Nm, in G.
        point_G: (T, 3) point of application, m, in G; a single point (3,) is repeated for all frames.
    """

    force_G: np.ndarray
    moment_G: np.ndarray
    point_G: np.ndarray

    def __post_init__(self) -> None:
        force = array_of("force_G", self.force_G, ("T", 3), where="Wrench")
        object.__setattr__(self, "force_G", force)
        for name in ("moment_G", "point_G"):
            value = array_of(name, getattr(self, name), force.shape, (3,), where="Wrench")
            object.__setattr__(self, name, np.broadcast_to(value, force.shape))

    def __len__(self) -> int:
        return len(self.force_G)

    def at(self, frames: slice | np.ndarray) -> Wrench:
        """The load in the given frames: a slice, a mask (T,) or indices."""
        return Wrench(self.force_G[frames], self.moment_G[frames], self.point_G[frames])

    def about(self, point_G: np.ndarray) -> Wrench:
        """The same load with its moment taken about another point: M_B = M_A + (A - B) x F."""
        point_G = array_of("point_G", point_G, self.force_G.shape, (3,), where="Wrench")
        moment_G = self.moment_G + np.cross(self.point_G - point_G, self.force_G)
        return Wrench(self.force_G, moment_G, point_G)

    def rotated(self, R_BA: np.ndarray) -> Wrench:
        """The same load in the coordinates of another frame B with the same origin, R_BA (3, 3)."""
        return Wrench(self.force_G @ R_BA.T, self.moment_G @ R_BA.T, self.point_G @ R_BA.T)
