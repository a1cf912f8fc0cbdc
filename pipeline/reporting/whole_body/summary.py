"""Key values of a walk on the whole-body skeleton, for the walk's page and the study's page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pipeline.analysis import MIN_MASS_TRACKED, limits, marker_errors, residual
from pipeline.reporting.entries import WholeBodySummary
from pipeline.trial import WholeBody

if TYPE_CHECKING:
    from pipeline.results import Failure


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
