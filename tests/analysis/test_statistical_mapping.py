"""Statistical parametric mapping through spm1d, where it is installed: against Student's t at each node."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
import scipy.ndimage
import scipy.stats

from pipeline.analysis import PARAMETERS, PERCENT, installed, pooled, sides_compared, summarise
from pipeline.analysis.statistical_mapping import MappingError, paired, two_sample
from pipeline.provenance import Provenance
from pipeline.results import read_stage, write_stage
from pipeline.trial import Cycle, CycleCurves, GaitCycles, GaitSummary


@pytest.fixture
def spm1d():
    return pytest.importorskip("spm1d", reason="spm1d is not installed: its licence makes it an optional extra")


def smooth(rng: np.random.Generator, count: int) -> np.ndarray:
    """Smooth random curves (count, 101)."""
    return scipy.ndimage.gaussian_filter1d(rng.normal(size=(count, 101)), 8.0, axis=1, mode="wrap")


def test_its_own_example_data_give_its_own_numbers(spm1d):
    """Arch angles of ten feet in two speeds (Caravaggi et al. 2010), the package's example of a paired test."""
    fast, slow = spm1d.data.uv1d.tpaired.PlantarArchAngle().get_data()
    found = paired(fast, slow)
    assert found.degrees == 9
    assert (found.first, found.second) == (10, 10)
    np.testing.assert_allclose(found.t, scipy.stats.ttest_rel(fast, slow).statistic, rtol=1e-10)
    (cluster,) = found.clusters
    # Values of spm1d 0.4; the last digits depend on its estimate of smoothness.
    assert found.threshold == pytest.approx(3.939, abs=0.002)
    assert cluster.p == pytest.approx(0.037, abs=0.001)
    assert (cluster.start, cluster.stop) == pytest.approx((95.57, 100.0), abs=0.01)


def test_two_sets_have_students_t_and_a_threshold_between_that_of_one_test_and_of_a_hundred(spm1d, rng):
    one, other = smooth(rng, 9), smooth(rng, 7)
    one[:, 40:60] += 5.0
    found = two_sample(one, other)
    np.testing.assert_allclose(found.t, scipy.stats.ttest_ind(one, other).statistic, rtol=1e-10)
    assert found.degrees == 9 + 7 - 2
    single, hundred = (scipy.stats.t.isf(0.025 / tests, found.degrees) for tests in (1, 101))
    assert single < found.threshold < hundred
    assert [c.start < 50 < c.stop and c.p < 0.01 for c in found.clusters] == [True]
    beyond = np.flatnonzero(np.abs(found.t) > found.threshold)
    assert found.clusters[0].start == pytest.approx(beyond[0], abs=1.0)
    assert found.clusters[0].stop == pytest.approx(beyond[-1], abs=1.0)


def test_curves_without_a_difference_pass_the_threshold_at_the_chosen_rate(spm1d, rng):
    """Of 200 comparisons about 10; more than 20 or none would happen less than once in a thousand times."""
    passed = sum(bool(paired(smooth(rng, 8), smooth(rng, 8)).clusters) for _ in range(200))
    assert 1 <= passed <= 20


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        (np.ones((2, 101)), np.ones((2, 101)), "2 and 2 curves are too few"),
        (np.full((3, 101), np.nan), np.ones((3, 101)), "missing values"),
        (np.ones((3, 101)), np.ones((3, 101)), "do not vary"),
        (np.ones((3, 101)), np.ones((3, 51)), "51"),
    ],
)
def test_curves_that_cannot_be_compared_are_refused_with_the_reason(one, other, message):
    for test in (paired, two_sample):
        with pytest.raises(MappingError, match=message):
            test(one, other)


def test_one_set_that_does_not_vary_at_one_percent_is_refused(rng):
    varying = rng.normal(size=(3, 101))
    still = varying + 1.0
    still[:, 40] = 2.0
    for one, other in ((varying, still), (still, varying)):
        with pytest.raises(MappingError, match="do not vary"):
            two_sample(one, other)
    with pytest.raises(MappingError, match="do not vary"):
        paired(varying, varying + 1.0)
    for missing in (np.where(np.arange(101) == 7, np.nan, varying), np.full((3, 101), np.nan)):
        for one, other in ((varying, missing), (missing, varying)):
            with pytest.raises(MappingError, match="missing values"):
                two_sample(one, other)


def test_without_spm1d_the_error_gives_the_remedy(rng, monkeypatch):
    monkeypatch.setitem(sys.modules, "spm1d", None)
    with pytest.raises(MappingError, match=r"spm1d is not installed\. Install it with: pip install \.\[spm\]"):
        two_sample(smooth(rng, 4), smooth(rng, 4))
    assert isinstance(installed(), bool)


def walk_of(*cycles: CycleCurves) -> GaitCycles:
    return GaitCycles("walk", "S", "distal", cycles, ())


def test_a_side_without_a_whole_curve_is_not_compared(rng, monkeypatch):
    """`two_sample` refuses it before spm1d is called, which is not needed here."""
    monkeypatch.setattr("pipeline.analysis.statistical_mapping._spm1d", lambda: None)
    nothing = {joint: np.full((101, 3), np.nan) for joint in ("pelvis", "hip", "knee", "ankle", "foot")}
    curves = [
        CycleCurves(
            Cycle(side, 0.0, 0.6, 1.0, 0.1, 0.5, "", 0),
            PERCENT,
            nothing if side == "left" else {name: smooth(rng, 3).T for name in nothing},
            {},
            {},
            np.full((101, 3), np.nan),
            dict.fromkeys(PARAMETERS, 1.0),
        )
        for side in ("left", "right", "right", "right")
    ]
    assert sides_compared([walk_of(*curves)]) == {}


def test_both_sides_of_a_subject_are_compared_and_kept_with_the_summary(spm1d, rng, tmp_path):
    def cycle(side: str, more: float) -> CycleCurves:
        angles = {joint: np.tile(smooth(rng, 1).T, 3) for joint in ("pelvis", "hip", "knee", "ankle", "foot")}
        angles["knee"][40:60, 0] += more
        moments = {joint: np.full((101, 3), np.nan) for joint in ("hip", "knee", "ankle")}
        parameters = dict.fromkeys(PARAMETERS, 1.0)
        times = Cycle(side, 0.0, 0.6, 1.0, 0.1, 0.5, "", 0)
        return CycleCurves(times, PERCENT, angles, moments, {}, np.full((101, 3), np.nan), parameters)

    cycles = (*(cycle("left", 5.0) for _ in range(6)), *(cycle("right", 0.0) for _ in range(6)))
    walks = [GaitCycles(f"walk{k}", "S", "distal", cycles[k::2], ()) for k in range(2)]
    found = sides_compared(walks)
    assert set(found) == {"pelvic_tilt", "hip_flexion", "knee_flexion", "ankle_dorsiflexion"}, "moments are missing"
    assert any(c.start < 50 < c.stop for c in found["knee_flexion"].clusters)
    assert (found["knee_flexion"].first, found["knee_flexion"].second) == (6, 6)
    summary = replace(summarise(pooled("S", walks), 0.9, None), sides_compared=found)
    write_stage(tmp_path / "subject.h5", summary, Provenance("subject"))
    again = read_stage(tmp_path / "subject.h5", GaitSummary).sides_compared
    assert again["knee_flexion"].clusters == found["knee_flexion"].clusters
    np.testing.assert_array_equal(again["hip_flexion"].t, found["hip_flexion"].t)
