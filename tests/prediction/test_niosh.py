"""The recommended weight limit: the manual's example, each multiplier by hand, and that of a repeated lift."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.prediction import LiftTask, PredictionError, recommended_weight
from pipeline.prediction.lifting.repeated import weight_limit


@pytest.mark.parametrize(("up", "coupling", "pounds"), [(15, 0.95, 16.3), (63, 1.0, 14.5)])
def test_the_niosh_limit_is_that_of_the_manual(up: float, coupling: float, pounds: float) -> None:
    """Applications manual (Waters et al. 1994), example 1: stock 23 in ahead, lifted by 48 in; fair coupling."""
    inch, pound = 0.0254, 0.45359237
    found = recommended_weight(23 * inch, up * inch, 48 * inch, 0.2, 1.0) * coupling / pound
    # Its inch form has 10 in for 25 cm and 51 lb for 23 kg, and it rounds each multiplier to two digits.
    assert found == pytest.approx(pounds, rel=0.05)


def test_the_niosh_limit_falls_with_rate_duration_and_distance_and_ends() -> None:
    one = recommended_weight(0.25, 0.75, 0.25, 0.2, 1.0)
    assert one == pytest.approx(23.0)
    assert recommended_weight(0.5, 0.75, 0.25, 0.2, 1.0) == pytest.approx(23.0 * 0.5)
    assert recommended_weight(0.25, 0.35, 0.25, 0.2, 1.0) == pytest.approx(23.0 * 0.88)
    assert recommended_weight(0.25, 0.75, 0.9, 0.2, 1.0) == pytest.approx(23.0 * 0.87)
    assert recommended_weight(0.25, 0.75, 0.25, 4.0, 8.0) == pytest.approx(23.0 * 0.45)
    assert recommended_weight(0.25, 0.74, 0.25, 12.5, 1.0) == 0.0
    assert recommended_weight(0.25, 0.76, 0.25, 12.5, 1.0) == pytest.approx(0.355 * 23.0 * (1.0 - 0.3 * 0.01), rel=1e-9)
    assert recommended_weight(0.64, 0.75, 0.25, 1.0, 1.0) == 0.0
    with pytest.raises(PredictionError, match="9 h"):
        recommended_weight(0.3, 0.75, 0.5, 1.0, 9.0)
    assert recommended_weight(0.3, 0.0, 0.0, 1.0, 1.0) > 0.0
    with pytest.raises(PredictionError, match=r"-0.1 m of travel.*travel of zero or more"):
        recommended_weight(0.3, 0.75, -0.1, 1.0, 1.0)


@pytest.mark.parametrize(
    ("start", "end", "kilograms"),
    [
        # 12 s apart for an hour: 5 a minute, 0.80 of the table; 0.65 m: 0.82 + 0.045 / 0.65. Start and end exchanged.
        ((0.5, 0.35), (0.3, 1.0), 23.0 * 0.5 * 0.88 * (0.82 + 0.045 / 0.65) * 0.80),
        ((0.3, 1.0), (0.5, 0.35), 23.0 * 0.5 * 0.88 * (0.82 + 0.045 / 0.65) * 0.80),
    ],
)
def test_the_limit_of_a_repeated_lift_is_the_lower_of_its_ends(start, end, kilograms: float) -> None:
    task = LiftTask(load=5.0, start=start, end=end)
    assert weight_limit(task, every=12.0, most=300) == pytest.approx(kilograms)
    assert np.isnan(weight_limit(task, every=12.0, most=2401)), "beyond 8 h the equation says nothing"
