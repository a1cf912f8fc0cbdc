"""Uncertainty of a walk's mean curves, by source of error."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Axis, Note, Quantity, of_curves


@dataclass(frozen=True)
class CurveUncertainty:
    """Standard deviations of the errors of each side's mean curves, in reported units like the curves.

    Attributes:
        by_source: due to each source; missing where the curve is missing, and for variables without an uncertainty.
        band_below, band_above: how far the 95 % band reaches below and above the mean curve.
    """

    name: str
    subject: str
    source_names: Annotated[tuple[str, ...], Axis("source", "source of error")]
    side_names: Annotated[tuple[str, ...], Axis("side", "side")]
    variable_names: Annotated[tuple[str, ...], Axis("variable", "curve over the gait cycle")]
    percent: Annotated[np.ndarray, Axis("percent", "gait cycle", "%")]
    variable_units: tuple[str, ...]
    by_source: Annotated[
        np.ndarray,
        Quantity(
            "standard deviation of the error due to a source",
            "see variable_units",
            ("source", "side", "variable", "percent"),
        ),
    ]
    band_below: Annotated[np.ndarray, of_curves("reach of the 95 % band below the mean")]
    band_above: Annotated[np.ndarray, of_curves("reach of the 95 % band above the mean")]
    notes: tuple[Note, ...]

    @property
    def sd(self) -> np.ndarray:
        """Standard deviations (side, variable, percent) of the errors from all sources, which are independent."""
        return np.sqrt(np.sum(self.by_source**2, axis=0))
