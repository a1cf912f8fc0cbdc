"""How good the agreement of a predicted with a measured curve is, in words whose limits are stated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from pipeline.trial import CurveAgreement

SMALL, SIMILAR, AKIN = 0.15, 0.9, 0.8
"""Root mean square difference as a part of the measured range that is small, and correlations of curves that take the
same course, nearly and roughly. Chosen, not derived: measured walks of one person lie well within the first two."""

Grade = Literal["close", "offset", "size", "unlike"]

GRADES: dict[Grade, str] = {
    "close": f"Close (RMSE within {100 * SMALL:.0f} % of the measured range, correlation at least {SIMILAR:g})",
    "offset": "Close but for an offset (the same limits once the offset is taken off)",
    "size": f"Alike in course, not in size (correlation at least {AKIN:g})",
    "unlike": f"Unlike in course (correlation below {AKIN:g})",
}


@dataclass(frozen=True)
class Graded:
    """A curve's agreement, mean of the sides that have it.

    Attributes:
        grade: the worst that can be said.
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
    """Every variable once, in the order of the rows; one whose correlation is undefined on a side counts as unlike."""
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
    if r >= SIMILAR and nrmse <= SMALL:
        return "close"
    if r >= SIMILAR and shape_share <= SMALL:
        return "offset"
    return "size" if r >= AKIN else "unlike"
