"""Input of the muscle computations: a walk's motion on a skeleton with joint moments and internal loads."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.trial import PredictedWalk, WholeBody


@dataclass(frozen=True)
class PredictedLoads:
    """A predicted walk with its joint loads, with the fields of `WholeBody` that the muscles need.

    Attributes:
        name, subject: of the walk.
        mass: kg.
        time: (T,) s.
        marker_joints: joints whose motion is known.
        kinematic: the motion; of its ``tau`` the muscles produce all.
    """

    name: str
    subject: str
    mass: float
    time: np.ndarray
    marker_joints: tuple[str, ...]
    kinematic: PredictedWalk


LoadedWalk = WholeBody | PredictedLoads
"""A measured or a predicted walk."""
