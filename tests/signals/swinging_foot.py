"""A foot that swings about a pelvis in steady progression, in 3 s at 100 Hz."""

from __future__ import annotations

import numpy as np

from pipeline.signals import Foot

RATE = 100.0
TIME = np.arange(300) / RATE
PERIOD = 1.1
PELVIS = np.stack([1.2 * TIME, np.full(300, 0.9), np.zeros(300)], axis=1)


def gait(phase: float) -> Foot:
    """A foot that swings about the pelvis as a cosine: heel farthest ahead at phase + n T, toe behind half T later."""
    swing = 0.35 * np.cos(2 * np.pi * (TIME - phase) / PERIOD)
    heel = PELVIS + np.stack([swing, np.full(300, -0.85), np.full(300, 0.1)], axis=1)
    return Foot(heel, heel + np.array([0.2, 0.0, 0.0]))
