"""The bands of a whole walk: sums of independent errors against sampling all at once, seeds, and what has none."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.config import UncertaintySettings
from pipeline.conventions import SIDES
from pipeline.uncertainty import (
    ANKLE_CENTRE,
    HIP_CENTRE,
    KNEE_AXIS,
    MARKER_NOISE,
    SOFT_TISSUE,
    SOURCES,
    VARIABLES,
    BodyError,
    body_errors,
    curve_uncertainty,
)

SAMPLED = [SOURCES.index(source) for source in (MARKER_NOISE, SOFT_TISSUE)]
NOTHING = dict.fromkeys(
    (
        *("hip_centre", "placement", "width", "offset", "marker_noise", "soft_tissue", "soft_tissue_thigh"),
        *("centre_of_pressure", "timing", "segment_mass", "segment_com", "segment_gyration"),
    ),
    0.0,
)


def test_a_walk_without_cycles_has_no_uncertainty(recorded):
    walk = replace(recorded, kinematics=replace(recorded.kinematics, cycles=()))
    assert np.isnan(curve_uncertainty(walk, UncertaintySettings()).sd).all()


@pytest.mark.long
def test_errors_of_nothing_are_nothing_and_the_same_seed_gives_the_same_result(recorded):
    none = curve_uncertainty(recorded, UncertaintySettings(draws=8, cutoff=1.0, **NOTHING))
    own = recorded.curves(recorded.kinematics, recorded.loads)
    np.testing.assert_array_equal(np.isnan(none.sd), np.isnan(own))
    np.testing.assert_allclose(none.sd[np.isfinite(own)], 0.0, atol=1e-9)
    first, again, other = (curve_uncertainty(recorded, UncertaintySettings(draws=8, seed=seed)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(first.by_source, again.by_source)
    differs = [not np.array_equal(a, b, equal_nan=True) for a, b in zip(first.by_source, other.by_source, strict=True)]
    assert [row for row, different in enumerate(differs) if different] == SAMPLED


@pytest.mark.long
def test_squares_of_single_errors_add_up_to_those_of_all_errors_of_the_body_at_once(recorded):
    """Sampled together, 100 times: standard deviations differ by their own error of 7 % and by the curvature of the
    angles. Both sides are independent, but share the pelvis; the mean ratio over a curve within 20 %, over all 6 %."""
    settings = UncertaintySettings()
    values = recorded.kinematics.calibration.values
    errors = list(body_errors(recorded.marker_set, recorded.attached_to, values, settings))
    rng = np.random.default_rng(0)
    samples = []
    for _ in range(100):
        shifts: dict[str, np.ndarray] = {}
        changes: dict[str, float] = {}
        for error, share in zip(errors, rng.standard_normal(len(errors)), strict=True):
            for label, shift in error.shifts.items():
                shifts[label] = shifts.get(label, 0.0) + share * shift
            for name, change in error.values.items():
                changes[name] = changes.get(name, 0.0) + share * change
        samples.append(recorded.curves(recorded.with_body_error(BodyError("all", shifts, changes))))
    together = np.std(samples, axis=0, ddof=1)
    bands = curve_uncertainty(recorded, UncertaintySettings(draws=8))
    rows = [SOURCES.index(source) for source in (HIP_CENTRE, KNEE_AXIS, ANKLE_CENTRE)]
    alone = np.sqrt(np.sum(bands.by_source[rows] ** 2, axis=0))
    ratio = np.nanmean(alone, axis=2) / np.nanmean(together, axis=2)
    assert ratio.shape == (len(SIDES), len(VARIABLES))
    np.testing.assert_allclose(ratio, 1.0, atol=0.2)
    assert ratio.mean() == pytest.approx(1.0, abs=0.06)
