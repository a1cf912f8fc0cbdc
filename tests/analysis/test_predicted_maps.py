"""Several predicted walks against the measured ones: pairs, percents compared, and notes."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
import pytest
import scipy.stats

from pipeline.analysis import CYCLE_VARIABLES, MAIN, PERCENT, compare, mean_within, predicted_cycle, predicted_study
from pipeline.provenance import Provenance
from pipeline.results import read_stage, write_stage
from pipeline.results.tables import sample_tables
from pipeline.trial import Cluster, GaitCycles, PredictedComparison, PredictedStudy
from tests.analysis import stub_spm1d
from tests.analysis.predicted_walks import TASK, hand_made_walk


@pytest.fixture
def spm1d_replacement(monkeypatch):
    """In place of spm1d, which may not be installed."""
    monkeypatch.setitem(sys.modules, "spm1d", stub_spm1d)


@pytest.fixture
def absent(monkeypatch):
    monkeypatch.setattr("pipeline.analysis.predicted.maps.installed", lambda: False)


def comparison(subject: str, walk: str, rng: np.random.Generator, lower: float = 0.0) -> PredictedComparison:
    """A predicted and a measured walk that differs from it by noise, and is lower by so much in all curves."""
    predicted = hand_made_walk()
    predicted = replace(predicted, name=f"p_{walk}", subject=subject, task=replace(TASK, walk=walk))
    cycles = tuple(predicted_cycle(predicted, side) for side in ("left", "right"))
    both = compare(predicted, GaitCycles(walk, subject, "distal", cycles, ()))
    return replace(both, measured=both.predicted - lower + 0.1 * rng.normal(size=both.predicted.shape))


def test_three_subjects_are_a_pair_each_the_mean_of_their_walks_and_sides(spm1d_replacement, rng):
    many = [comparison(subject, walk, rng, 0.5) for subject, walk in ("Aa", "Ab", "Bc", "Cd", "Ce")]
    (sample,) = predicted_study({"human step": many}).samples
    assert (sample.kind, sample.subject, sample.left_out) == ("human step", "", {})
    assert set(sample.maps) == set(MAIN)
    own = sample.maps["hip_flexion"]
    assert (own.pairs, own.unit, own.test.first, own.test.degrees) == (("A", "B", "C"), "deg", 3, 2)
    row = many[0].variable_names.index("hip_flexion")
    pairs = [
        np.mean([many[k].predicted[:, row] - many[k].measured[:, row] for k in group], axis=(0, 1))
        for group in ((0, 1), (2,), (3, 4))
    ]
    np.testing.assert_allclose(own.difference, np.mean(pairs, axis=0), atol=1e-12)
    np.testing.assert_allclose(own.test.t, scipy.stats.ttest_1samp(pairs, 0.0).statistic, rtol=1e-9)
    assert own.difference.mean() == pytest.approx(0.5, abs=0.03), "predicted less measured"
    assert own.test.t.mean() > 0.0


def test_walks_of_fewer_subjects_are_compared_within_each_that_has_three(spm1d_replacement, rng):
    walks = [*(comparison("A", f"a{k}", rng) for k in range(4)), comparison("B", "b", rng)]
    (sample,) = predicted_study({"human step": walks}).samples
    assert sample.subject == "A"
    assert sample.maps["knee_flexion"].pairs == ("a0", "a1", "a2", "a3")


def test_presets_are_never_mixed_and_too_few_walks_are_noted(spm1d_replacement, rng):
    few = [comparison("A", "a", rng), comparison("B", "b", rng)]
    found = predicted_study({"human step": few, "thesis step": few[:1]})
    assert found.samples == ()
    assert [note.text for note in found.notes] == [
        "human step: walks of 3 subjects, or 3 of one, are needed; there are 2 of 2",
        "thesis step: walks of 3 subjects, or 3 of one, are needed; there are 1 of 1",
    ]


def test_without_spm1d_the_note_gives_the_remedy(absent, rng):
    found = predicted_study({"human step": [comparison(name, name, rng) for name in "abc"]})
    assert found.samples == ()
    (note,) = found.notes
    assert note.text == "spm1d is not installed. Install it with: pip install .[spm]"
    assert predicted_study({}).notes == ()


def test_the_ground_reaction_is_compared_over_the_shortest_stance(spm1d_replacement, rng):
    walks = [comparison(name, name, rng) for name in "abc"]
    walks[1] = replace(walks[1], measured_foot_off=np.array([60.0, 57.4]))
    (sample,) = predicted_study({"human step": walks}).samples
    known = np.isfinite(sample.maps["ground_vertical"].test.t)
    np.testing.assert_array_equal(PERCENT[known], np.arange(58.0))
    assert np.isfinite(sample.maps["hip_power"].test.t).all()


def test_ends_that_are_missing_are_left_out_of_all_pairs_and_a_curve_that_misses_more_of_its_pair(
    spm1d_replacement, rng
):
    walks = [comparison(name, name, rng, 5.0) for name in "abcd"]
    row = walks[0].variable_names.index("knee_extensor_moment")

    def without(both: PredictedComparison, *percents: int) -> PredictedComparison:
        measured = both.measured.copy()
        measured[:, row, list(percents)] = np.nan
        return replace(both, measured=measured)

    walks[0], walks[1] = without(walks[0], 0, 1), without(walks[1], 100)
    walks[2] = without(walks[2], *range(80, 101))
    (sample,) = predicted_study({"human step": walks}).samples
    own = sample.maps["knee_extensor_moment"]
    assert own.pairs == ("a", "b", "d")
    assert sample.left_out == {"knee_extensor_moment": "incomplete curves: c"}
    np.testing.assert_array_equal(np.flatnonzero(np.isfinite(own.test.t)), np.arange(2, 100))
    # All of it is beyond the threshold: the cluster is where the curve is, not counted from its first known percent.
    assert (own.test.clusters[0].start, own.test.clusters[0].stop) == (2.0, 99.0)
    walks[0] = without(walks[0], 50)
    (sample,) = predicted_study({"human step": walks}).samples
    assert "knee_extensor_moment" not in sample.maps
    assert "missing values" in sample.left_out["knee_extensor_moment"]


def test_stored_maps_are_read_and_tabulated_with_the_same_values(spm1d_replacement, rng, tmp_path):
    study = predicted_study({"human step": [comparison(name, name, rng, 0.5) for name in "abc"]})
    write_stage(tmp_path / "study.h5", study, Provenance("predicted_vs_measured"))
    again = read_stage(tmp_path / "study.h5", PredictedStudy)
    (sample,) = again.samples
    tables = sample_tables(again)
    curves, scalars = tables["predicted_curves"], tables["predicted_vs_measured"]
    assert set(curves.prediction) == set(scalars.prediction) == {"human step"}
    for name, own in study.samples[0].maps.items():
        np.testing.assert_array_equal(sample.maps[name].test.t, own.test.t)
        for kind, values, unit in (("t", own.test.t, "1"), ("difference", own.difference, CYCLE_VARIABLES[name].units)):
            rows = curves[(curves.variable == name) & (curves.kind == kind)]
            known = np.isfinite(values)
            np.testing.assert_array_equal(rows.value, values[known])
            np.testing.assert_array_equal(rows.percent, PERCENT[known])
            assert set(rows.unit) == {unit}
        values_by_measure = scalars[scalars.variable == name].set_index("measure").value
        assert (values_by_measure["t threshold"], values_by_measure["curves of the first"]) == (own.test.threshold, 3)
        for number, cluster in enumerate(own.test.clusters, start=1):
            assert values_by_measure[f"cluster {number} stop"] == cluster.stop
            assert values_by_measure[f"cluster {number} difference"] == mean_within(own.difference, cluster)


def test_the_mean_within_a_cluster_is_over_its_nodes_or_the_nearest_one():
    curve = np.arange(101.0) ** 2
    assert mean_within(curve, Cluster(2.0, 4.0, 0.01)) == pytest.approx((4 + 9 + 16) / 3)
    assert mean_within(curve, Cluster(2.2, 2.4, 0.01)) == 4.0
