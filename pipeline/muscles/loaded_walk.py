"""Input of the muscle computations: a walk's motion on a skeleton with joint moments and internal loads."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from pipeline.trial import SegmentPose


class LoadedMotion(Protocol):
    """Coordinates of a skeleton's n joints, their rates and moments (T, n), internal loads (T, n, 3) and segments."""

    @property
    def q(self) -> np.ndarray:
        """rad or m."""

    @property
    def qd(self) -> np.ndarray:
        """rad/s or m/s."""

    @property
    def tau(self) -> np.ndarray:
        """Generalised forces produced by the muscles, Nm or N."""

    @property
    def force_G(self) -> np.ndarray:
        """N."""

    @property
    def moment_G(self) -> np.ndarray:
        """Nm, about each joint's own origin."""

    @property
    def segments(self) -> dict[str, SegmentPose]:
        """By name."""


class LoadedWalk(Protocol):
    """A walk on a skeleton, measured or predicted, with its joint loads; fields as in `WholeBody`."""

    @property
    def name(self) -> str:
        """Name of the walk."""

    @property
    def subject(self) -> str:
        """The walker."""

    @property
    def mass(self) -> float:
        """kg."""

    @property
    def time(self) -> np.ndarray:
        """(T,) s."""

    @property
    def marker_joints(self) -> tuple[str, ...]:
        """Joints whose motion is known."""

    @property
    def kinematic(self) -> LoadedMotion:
        """The motion."""
