"""Homogeneous transforms of the Denavit-Hartenberg convention."""

from __future__ import annotations

import numpy as np


def dh_transform(theta: float, d: float, a: float, alpha: float) -> np.ndarray:
    """Rz(theta) Tz(d) Tx(a) Rx(alpha), (4, 4): thesis equation 2.8, with angles in rad and lengths in m."""
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array(
        [
            [ct, -ca * st, sa * st, a * ct],
            [st, ca * ct, -sa * ct, a * st],
            [0.0, sa, ca, d],
            [0.0, 0.0, 0.0, 1.0],
        ]
    )


def transform(rotation: np.ndarray | None = None, translation: np.ndarray | None = None) -> np.ndarray:
    """Homogeneous transform (4, 4) with the given rotation (3, 3) and translation (3,); identity if omitted."""
    out = np.eye(4)
    if rotation is not None:
        out[:3, :3] = rotation
    if translation is not None:
        out[:3, 3] = translation
    return out
