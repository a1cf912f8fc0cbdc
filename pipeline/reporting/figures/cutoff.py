"""Evidence for the choice of the cut-off frequency: residual and cross-validation score of the cut-offs tried."""

from __future__ import annotations

from pipeline.reporting.figures.panels import Curve, Panel, Row, XAxis, YAxis
from pipeline.trial import CutoffEvidence

AXIS = YAxis("Residual and score of the markers", "mm", 0.0, 1.0, decimals=3)


def cutoff_row(evidence: CutoffEvidence) -> Row | None:
    """One panel with both curves and the cut-off that is used; None if the cut-off was given."""
    if evidence.method == "given":
        return None
    curves = (
        Curve(evidence.tried, 1000.0 * evidence.residual, "total", "Residual"),
        Curve(evidence.tried, 1000.0 * evidence.score, "ground dashed", "Cross-validation score"),
    )
    across = XAxis(float(evidence.tried[0]), float(evidence.tried[-1]), "Hz")
    return Row("", (Panel(AXIS, curves, verticals=(("limit", evidence.value),), across=across),))
