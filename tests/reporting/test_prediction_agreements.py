"""The heading of a prediction's page says how many of its curves agree with the measured walk."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest

from pipeline.analysis import curve_agreement
from pipeline.reporting.prediction.methods import prediction_methods
from pipeline.reporting.prediction.tables import agreements
from pipeline.trial import CurveAgreement
from tests.analysis.predicted_walks import random_walk

PERCENT = np.arange(101.0)
WAVE = np.sin(2.0 * np.pi * PERCENT / 100.0)
OTHER = np.cos(2.0 * np.pi * PERCENT / 100.0)  # uncorrelated


def rows(close: int, different: int) -> list[CurveAgreement]:
    """Curves that are the measured ones, and others that have nothing to do with them."""
    measured = [(f"close_{k}", WAVE) for k in range(close)] + [(f"other_{k}", OTHER) for k in range(different)]
    return [compared(name, curve) for name, curve in measured]


def compared(name: str, curve: np.ndarray) -> CurveAgreement:
    """A curve against the wave."""
    own = asdict(curve_agreement(PERCENT, curve, WAVE))
    peak, reference = own.pop("peak"), own.pop("reference_peak")
    peaks = {"peak_predicted": reference + peak, "peak_measured": reference}
    return CurveAgreement(variable=name, side="left", unit="deg", **own, **peaks)


@pytest.mark.parametrize(("different", "poor"), [(1, False), (2, True)])
def test_a_quarter_of_curves_of_different_shape_is_marked(different: int, poor: bool) -> None:
    found = agreements(rows(8 - different, different))
    assert found is not None
    assert found.sentence == f"of 8 curves, {8 - different} close, {different} of different shape"
    assert found.poor == poor


def test_without_a_measured_walk_nothing_is_said() -> None:
    assert agreements([]) is None


def test_a_task_that_its_row_gives_is_not_called_that_of_the_measured_walk() -> None:
    walk = random_walk(1)
    text = prediction_methods(replace(walk, task=replace(walk.task, walk="w1", speed=1.5)), "distal").text
    assert "at 1.5 m/s with steps of 0.600 m, 20.0 % of each in double support, to compare with the measured" in text
    assert "taken from" not in text
