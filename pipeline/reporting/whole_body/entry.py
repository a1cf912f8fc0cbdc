"""What a walk's own page and the study's page say of it on the whole skeleton, in a line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.analysis.whole_body.measures import LEAST_FOLLOWED, limits, marker_errors, residual
from pipeline.trial import WholeBody

if TYPE_CHECKING:
    from pipeline.results import Failure


@dataclass(frozen=True)
class WholeBodyLine:
    """Plain values of one walk on the whole skeleton.

    Attributes:
        page: address of its page from the other pages.
        reason: why there is none; empty if there is one.
        marker_rms, marker_largest: mm.
        seen, coordinates: combinations of coordinates that the markers show, of how many.
        followed: part of the body's mass that the markers follow, %.
        residual_peak, residual_limit: largest untouched residual force along one axis, % of body weight; NaN where the
            loads of both feet are known in no frame, or too little of the mass is followed.
        correlation: least of the sagittal moments with the matrix form; NaN without a clean step.
    """

    page: str
    reason: str = ""
    marker_rms: float = float("nan")
    marker_largest: float = float("nan")
    seen: int = 0
    coordinates: int = 0
    followed: float = float("nan")
    residual_peak: float = float("nan")
    residual_limit: float = float("nan")
    correlation: float = float("nan")


def whole_body_line(page: str, found: WholeBody | Failure) -> WholeBodyLine:
    """The line of a walk that is on the skeleton, or of one that is not, with the reason."""
    if not isinstance(found, WholeBody):
        return WholeBodyLine(page, reason=found.reason)
    errors = marker_errors(found.kinematic)
    left = residual(found, found.kinematic) if found.mass_tracked >= LEAST_FOLLOWED else None
    return WholeBodyLine(
        page=page,
        marker_rms=1000.0 * errors.overall,
        marker_largest=1000.0 * float(np.nanmax(errors.largest)),
        seen=found.rank,
        coordinates=len(found.joint_names),
        followed=100.0 * found.mass_tracked,
        residual_peak=float(left.force_peak.max()) if left else float("nan"),
        residual_limit=limits(found)[0],
        correlation=min((entry.correlation for entry in found.moment_comparisons), default=float("nan")),
    )
