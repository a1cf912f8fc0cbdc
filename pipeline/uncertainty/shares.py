"""Dominant source of error: its share of the variance of a curve, or of all curves of a kind."""

from __future__ import annotations

import numpy as np

from pipeline.trial import CurveUncertainty
from pipeline.uncertainty.recorded_walk import VARIABLES
from pipeline.uncertainty.sources import ANKLE_CENTRE, CENTRE_OF_PRESSURE, CUTOFF, HIP_CENTRE, KNEE_AXIS, TIMING


def shares(uncertainty: CurveUncertainty) -> dict[str, np.ndarray]:
    """Share (S,) of each source in the variance of a variable, over both sides and the cycle; variables without values
    are left out."""
    found = {}
    for row, name in enumerate(uncertainty.variable_names):
        variance = uncertainty.by_source[:, :, row] ** 2
        known = np.isfinite(variance).all(axis=0)
        total = variance[:, known].sum(axis=1)
        if total.sum() > 0.0:
            found[name] = total / total.sum()
    return found


def dominant(uncertainty: CurveUncertainty) -> dict[str, tuple[str, float]]:
    """Source with the largest mean share in the variance of angles, moments and powers, and that share."""
    found, of_variables = {}, shares(uncertainty)
    for quantity in ("angles", "moments", "powers"):
        own = [share for name, share in of_variables.items() if VARIABLES[name].quantity == quantity]
        if own:
            mean = np.mean(own, axis=0)
            found[quantity] = (uncertainty.source_names[int(np.argmax(mean))], float(mean.max()))
    return found


def sentence(uncertainty: CurveUncertainty) -> str:
    """The sources that dominate angles, moments and powers, in a sentence without full stop; empty if unknown."""
    parts = [
        f"for {quantity} {'the ' if source in _WITH_ARTICLE else ''}{source} ({100.0 * share:.0f} % of the variance)"
        for quantity, (source, share) in dominant(uncertainty).items()
    ]
    return f"the largest source is {', '.join(parts)}" if parts else ""


_WITH_ARTICLE = (HIP_CENTRE, KNEE_AXIS, ANKLE_CENTRE, CENTRE_OF_PRESSURE, TIMING, CUTOFF)
