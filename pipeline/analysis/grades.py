"""Classes of agreement between a predicted and a measured curve, by normalised RMSE and correlation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipeline.trial import CurveAgreement

CLOSE_NRMSE, CLOSE_R, SIMILAR_R = 0.15, 0.9, 0.8
"""For close curves, limits of RMSE over measured range and of correlation; for a similar shape, limit of correlation.
Chosen, not derived: measured walks of one person are well within the first two."""

Grade = Literal["close", "offset", "similar shape", "different shape"]


@dataclass(frozen=True)
class Graded:
    """A curve's agreement, mean over the sides that have it.

    Attributes:
        grade: the class of the means.
        rmse, offset, rmse_shape, nrmse, r: means over the sides.
    """

    variable: str
    unit: str
    grade: Grade
    rmse: float
    offset: float
    rmse_shape: float
    nrmse: float
    r: float


def graded(rows: Sequence[CurveAgreement]) -> tuple[Graded, ...]:
    """Every variable once, in the order of the rows; if the correlation is undefined on a side, the shape differs."""
    found = []
    for name in dict.fromkeys(row.variable for row in rows):
        own = [row for row in rows if row.variable == name]
        rmse, offset, shape, nrmse, r = (
            float(np.mean([getattr(row, field) for row in own]))
            for field in ("rmse", "offset", "rmse_shape", "nrmse", "r")
        )
        shape_share = float(np.mean([row.nrmse * row.rmse_shape / row.rmse if row.rmse else 0.0 for row in own]))
        found.append(Graded(name, own[0].unit, _grade(nrmse, shape_share, r), rmse, offset, shape, nrmse, r))
    return tuple(found)


def _grade(nrmse: float, shape_share: float, r: float) -> Grade:
    if r >= CLOSE_R and nrmse <= CLOSE_NRMSE:
        return "close"
    if r >= CLOSE_R and shape_share <= CLOSE_NRMSE:
        return "offset"
    return "similar shape" if r >= SIMILAR_R else "different shape"
