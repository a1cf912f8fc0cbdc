"""Repeatability over visits against published tables, an identity and known variances."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.analysis import repeatability
from pipeline.errors import PipelineError

RATINGS = np.array([[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]], dtype=float)
"""Table 2 of Shrout and Fleiss (1979): six subjects, four judges."""

FLOW = np.array(
    [
        *[(494, 512), (395, 430), (516, 520), (434, 428), (476, 500), (557, 600), (413, 364), (442, 380), (650, 658)],
        *[(433, 445), (417, 432), (656, 626), (267, 260), (478, 477), (178, 259), (423, 350), (427, 451)],
    ],
    dtype=float,
)
"""Table of Bland and Altman (1986): peak expiratory flow of 17 subjects by two meters, first readings, l/min."""


def test_the_table_of_shrout_and_fleiss_has_their_correlation() -> None:
    """0.29 (their table 4); residual mean square 1.02 (table 3); the interval is that of R's psych, 0.019 to 0.761."""
    found = repeatability(RATINGS)
    assert (found.subjects, found.visits) == (6, 4)
    assert found.icc == pytest.approx(0.29, abs=0.005)
    assert found.sem == pytest.approx(np.sqrt(1.02), abs=0.002)
    assert (found.icc_low, found.icc_high) == pytest.approx((0.019, 0.761), abs=0.001)


def test_the_table_of_bland_and_altman_has_their_limits() -> None:
    """Mean difference -2.1, standard deviation 38.8 l/min, Wright meter less mini meter."""
    found = repeatability(FLOW[:, ::-1])
    assert found.bias == pytest.approx(-2.1, abs=0.05)
    assert (found.low, found.high) == pytest.approx((-2.1 - 1.96 * 38.8, -2.1 + 1.96 * 38.8), abs=0.2)
    # With two visits the limits are as far from the bias as the smallest detectable change.
    assert found.high - found.bias == pytest.approx(found.mdc)


def test_without_a_change_between_visits_the_interval_has_the_residual_s_degrees_of_freedom() -> None:
    """Of three subjects at three visits, four for the residual; then F of (2, 4) and of (4, 2), from tables."""
    between, errors = np.array([[-3.0], [0.0], [3.0]]), np.array([[1.0, -1.0, 0.0], [0.0, 1.0, -1.0], [-1.0, 0.0, 1.0]])
    found = repeatability(10.0 + between + errors)
    assert found.sem == pytest.approx(np.sqrt(1.5))
    subjects, residual, f_below, f_above = 27.0, 1.5, 10.649, 39.248
    expected = [
        3.0 * (subjects - f_below * residual) / (3.0 * f_below * residual + 3.0 * subjects),
        3.0 * (f_above * subjects - residual) / (3.0 * residual + 3.0 * f_above * subjects),
    ]
    assert (found.icc_low, found.icc_high) == pytest.approx(expected, abs=2e-4)


def test_components_of_known_variance_are_found(rng: np.random.Generator) -> None:
    """Subjects 2, visits 0.5 and residual 1 apart; three visits of 4000 subjects, so within 3 %."""
    visits = np.array([-0.5, 0.0, 0.5])
    values = 10.0 + 2.0 * rng.normal(size=(4000, 1)) + visits + rng.normal(size=(4000, 3))
    found = repeatability(values)
    assert found.mean == pytest.approx(10.0, abs=0.1)
    assert found.sem == pytest.approx(1.0, rel=0.03)
    assert found.icc == pytest.approx(4.0 / (4.0 + visits.var(ddof=1) + 1.0), rel=0.03)
    assert found.bias == pytest.approx(1.0, abs=0.05)
    assert found.high - found.bias == pytest.approx(1.96 * np.sqrt(2.0), rel=0.03)


def test_equal_values_have_no_correlation_and_perfect_ones_no_error() -> None:
    assert np.isnan(repeatability(np.ones((4, 2))).icc)
    rounded = 112.1 + 1e-13 * np.arange(8.0).reshape(4, 2) ** 2
    assert np.ptp(rounded) > 0.0
    assert np.isnan(repeatability(rounded).icc)
    changed = repeatability(np.tile([3.0, 4.0], (4, 1)))
    assert np.isnan([changed.icc, changed.icc_low, changed.icc_high]).all(), "counts that change alike in all subjects"
    assert (changed.bias, changed.sem) == (1.0, 0.0)
    perfect = repeatability(np.tile([[1.0], [2.0], [4.0]], 2))
    assert (perfect.icc, perfect.sem, perfect.mdc) == (1.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "values", [np.ones((2, 2)), np.ones((4, 1)), np.array([[1.0, 2.0], [3.0, np.nan], [1.0, 1.0]])]
)
def test_too_few_subjects_or_visits_and_missing_values_are_refused(values: np.ndarray) -> None:
    with pytest.raises(PipelineError, match="at least two values of each of at least 3 subjects"):
        repeatability(values)
