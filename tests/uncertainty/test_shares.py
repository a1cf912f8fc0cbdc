"""Which source dominates, of standard deviations chosen by hand."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.trial import CurveUncertainty
from pipeline.uncertainty import sentence, shares
from pipeline.uncertainty.shares import dominant


def uncertainty(by_source: dict[str, list[float]], variables: tuple[str, ...]) -> CurveUncertainty:
    """Standard deviations that are the same on both sides and over the cycle."""
    values = np.array(list(by_source.values()))[:, None, :, None] * np.ones((1, 2, 1, 101))
    percent, units = np.linspace(0.0, 100.0, 101), ("",) * len(variables)
    of_walk = "w", "S", tuple(by_source), ("left", "right"), variables, percent, units
    return CurveUncertainty(*of_walk, values, values[0], values[0], ())


def test_shares_are_of_the_variance_and_the_bands_are_roots_of_sums_of_squares():
    """3 and 4 degrees make 5, and 36 and 64 % of the variance; a missing value is left out on its own."""
    u = uncertainty({"hip centre": [3.0], "soft tissue": [4.0]}, ("knee_flexion",))
    np.testing.assert_allclose(u.sd, 5.0)
    u.by_source[:, 0, 0, :7] = np.nan
    np.testing.assert_allclose(shares(u)["knee_flexion"], [0.36, 0.64])


def test_the_source_with_the_largest_mean_share_dominates_and_is_named():
    """Of two angles the knee axis has 90 and 20 %, soft tissue 10 and 80 %: 55 and 45 % on average."""
    u = uncertainty(
        {"knee axis": [3.0, 1.0, 0.0], "soft tissue": [1.0, 2.0, 0.1]}, ("hip_flexion", "knee_flexion", "hip_power")
    )
    assert dominant(u)["angles"] == ("knee axis", pytest.approx(0.55))
    assert sentence(u) == (
        "the largest source is for angles the knee axis (55 % of the variance), "
        "for powers soft tissue (100 % of the variance)"
    )
    u.by_source[:] = np.nan
    assert (shares(u), dominant(u), sentence(u)) == ({}, {}, "")
