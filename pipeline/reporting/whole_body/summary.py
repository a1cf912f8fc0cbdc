"""Key values of the whole-body skeleton of a walk, for the walk's page and the study's."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pipeline.analysis import MIN_MASS_TRACKED, limits, marker_errors, residual
from pipeline.trial import WholeBody

if TYPE_CHECKING:
    from pipeline.results import Failure


@dataclass(frozen=True)
class WholeBodySummary:
    """Key values of one walk on the whole-body skeleton.

    Attributes:
        page: address of its page from the other pages.
        reason: why there is none; empty if there is one.
        marker_rms, marker_largest: mm.
        seen, coordinates: observed combinations of degrees of freedom, and the number of degrees of freedom.
        followed: share of the body mass that has markers, %.
        residual_peak, residual_limit: largest kinematic residual force along one axis, % of body weight; NaN where the
            loads of both feet are known in no frame, or too little of the mass has markers.
        correlation: minimum of the sagittal moments with the matrix form; NaN without a clean step.
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


def whole_body_summary(page: str, found: WholeBody | Failure) -> WholeBodySummary:
    """Summary of a walk with a fitted skeleton, or the reason why there is none."""
    if not isinstance(found, WholeBody):
        return WholeBodySummary(page, reason=found.reason)
    errors = marker_errors(found.kinematic)
    left = residual(found, found.kinematic) if found.mass_tracked >= MIN_MASS_TRACKED else None
    return WholeBodySummary(
        page=page,
        marker_rms=1000.0 * errors.overall,
        marker_largest=1000.0 * float(np.nanmax(errors.maximum)),
        seen=found.rank,
        coordinates=len(found.joint_names),
        followed=100.0 * found.mass_tracked,
        residual_peak=float(left.force_peak.max()) if left else float("nan"),
        residual_limit=limits(found)[0],
        correlation=min((entry.correlation for entry in found.moment_comparisons), default=float("nan")),
    )
