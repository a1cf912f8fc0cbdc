"""Features of curves by phase, worked by hand, and in the table of a walk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import pipeline
from pipeline.analysis import CYCLE_VARIABLES, PROFILE, gait_cycles, reported_features, summarise, walk_features
from pipeline.analysis.features import FEATURES, cycle_features, features_in, phases
from pipeline.conventions import SIDES
from pipeline.errors import ResultsError
from pipeline.results.tables.features import feature_rows
from pipeline.trial import Cycle
from tests.conftest import ROOT

PERCENT = np.arange(101.0)
CYCLE = Cycle("right", 2.0, 2.6, 3.0, 2.1, 2.5, "", 0)


def test_phases_follow_from_the_events_of_both_feet() -> None:
    found = phases(CYCLE)
    assert found["cycle"] == (0.0, 100.0)
    assert found["stance"] == pytest.approx((0.0, 60.0))
    assert found["loading_response"] == pytest.approx((0.0, 10.0))
    assert found["single_support"] == pytest.approx((10.0, 50.0))
    assert found["terminal_stance"] == pytest.approx((30.0, 50.0))
    assert found["pre_swing"] == pytest.approx((50.0, 60.0))
    swing = [found[name] for name in ("initial_swing", "mid_swing", "terminal_swing")]
    assert np.ravel(swing) == pytest.approx(60.0 + 40.0 / 3.0 * np.array([0, 1, 1, 2, 2, 3]))
    parts = ["loading_response", "mid_stance", "terminal_stance", "pre_swing"]
    assert sum(found[name][1] - found[name][0] for name in parts) == pytest.approx(60.0)
    unknown = phases(replace(CYCLE, opposite_foot_off=np.nan))
    assert {"cycle", "stance", "swing", "pre_swing"} <= set(unknown)
    assert not {"loading_response", "single_support", "mid_stance"} & set(unknown)


def test_a_run_has_no_parts_of_stance() -> None:
    """Right stance 35 %; the left foot lands at 50 % and leaves the ground at 85 %, after the loading of the right."""
    found = phases(Cycle("right", 2.0, 2.35, 3.0, 2.85, 2.5, "", 0))
    assert set(found) == {"cycle", "stance", "swing", "initial_swing", "mid_swing", "terminal_swing"}
    assert found["stance"] == pytest.approx((0.0, 35.0))


def test_all_features_of_a_cycle_are_those_of_its_curves_and_phases(demo_legs) -> None:
    """Without the events of the other foot, phases that they bound have none."""
    own = gait_cycles(demo_legs.kinematics, demo_legs.loads).cycles[0]
    for curves in (own, replace(own, cycle=replace(own.cycle, opposite_foot_off=np.nan))):
        found = dict(zip(FEATURES, cycle_features(curves), strict=True))
        ends = phases(curves.cycle)
        for statistic, name, phase in (("maximum", "knee_flexion", "swing"), ("mean", "hip_flexion", "mid_stance")):
            values = CYCLE_VARIABLES[name].averaged(curves)
            expected = features_in(values, curves.percent, ends[phase]) if phase in ends else None
            assert found[statistic, name, phase] == pytest.approx(
                getattr(expected, statistic) if expected else np.nan, nan_ok=True
            )
        assert np.isfinite(found["maximum", "knee_flexion", "swing"])
        assert np.isfinite(found["mean", "hip_flexion", "mid_stance"]) == (curves is own)


def test_features_of_a_triangle() -> None:
    """It rises from 0 to 30 at 40 % and falls to -30 at 100 %."""
    values = np.interp(PERCENT, [0.0, 40.0, 100.0], [0.0, 30.0, -30.0])
    found = features_in(values, PERCENT, (20.5, 80.0))
    assert (found.minimum, found.minimum_percent) == (pytest.approx(-10.0), 80.0)
    assert (found.maximum, found.maximum_percent) == (30.0, 40.0)
    assert found.range == pytest.approx(40.0)
    # Trapezia: (15.375 + 30) / 2 over 19.5 %, (30 - 10) / 2 over 40 %.
    assert found.mean == pytest.approx((22.6875 * 19.5 + 10.0 * 40.0) / 59.5)
    values[50] = np.nan
    assert features_in(values, PERCENT, (20.5, 80.0)) is None
    assert features_in(values, PERCENT, (0.0, 40.0)).maximum == 30.0


@pytest.fixture(scope="module")
def walk(demo_legs):
    return gait_cycles(demo_legs.kinematics, demo_legs.loads)


def test_features_of_a_walk_are_those_of_its_cycles_and_their_mean(walk) -> None:
    found = {
        (f.side, f.kind, f.cycle, f.variable.name, f.phase): f.features
        for f in walk_features(walk, summarise(walk, 0.9, None))
    }
    right = [number for number, own in enumerate(walk.cycles, start=1) if own.cycle.side == "right"]
    peaks = []
    for number in right:
        knee = np.degrees(walk.cycles[number - 1].angles["knee"][:, 0])
        own = found["right", "cycle", number, "knee_flexion", "swing"]
        assert own.maximum == pytest.approx(knee[62:].max())
        assert knee[round(own.maximum_percent)] == own.maximum
        peaks.append(own.maximum)
    assert found["right", "mean", None, "knee_flexion", "swing"].maximum == pytest.approx(np.mean(peaks))
    assert found["right", "sd", None, "knee_flexion", "swing"].maximum == pytest.approx(np.std(peaks, ddof=1))
    assert not any(kind.startswith("norm") for _, kind, *_ in found)


def test_moments_that_are_set_aside_are_shown_and_in_no_mean(walk) -> None:
    aside = replace(walk, cycles=tuple(replace(own, set_aside="plate 1 is wrong") for own in walk.cycles))
    kinds = {(f.variable.name, f.kind) for f in walk_features(aside)}
    assert ("ankle_plantarflexor_moment", "cycle, set aside") in kinds
    assert ("ankle_plantarflexor_moment", "cycle") not in kinds
    assert ("ankle_plantarflexor_moment", "mean") not in kinds
    assert ("knee_flexion", "mean") in kinds


def test_a_tree_gives_the_features_of_the_typed_values(walk) -> None:
    tree = pipeline.analyse(
        ROOT / "data/demo/walk.c3d", ROOT / "data/demo/static.c3d", sex="f", settings={"whole_body": {"enabled": False}}
    )
    table = pipeline.features(tree)
    rows = list(feature_rows(walk))
    assert len(table) == len(rows) > 1000
    np.testing.assert_allclose(table.maximum, [row["maximum"] for row in rows], rtol=1e-6, atol=1e-7)
    assert list(table.phase) == [row["phase"] for row in rows]
    with pytest.raises(ResultsError, match="no values of the stage 'cycles'"):
        pipeline.features(tree["kinematics"])


def test_features_in_reports_are_the_means_of_the_table(walk) -> None:
    summary = summarise(walk, 0.9, None)
    table = {(f.side, f.kind, f.variable.name, f.phase): f.features for f in walk_features(walk, summary)}
    chosen = [
        ("maximum", "knee_flexion", "swing"),
        ("minimum", "hip_flexion", "stance"),
        ("range", "hip_power", "cycle"),
    ]
    for (statistic, name, phase), found in zip(chosen, reported_features(walk, summary, chosen), strict=True):
        for k, side in enumerate(("left", "right")):
            mean = table.get((side, "mean", name, phase))
            expected = getattr(mean, statistic) if mean else np.nan
            assert found.values[k] == pytest.approx(expected, nan_ok=True)
        assert np.isfinite(found.values).any()
        assert np.isnan(found.norm)


def test_the_norm_of_a_reported_feature_is_that_of_its_mean_curve(walk) -> None:
    summary = summarise(walk, 0.9, None)
    triangle = np.interp(PERCENT, [0.0, 70.0, 100.0], [0.0, 35.0, 0.0])
    norm = summary.norm_mean | {"knee_flexion": triangle}
    (found,) = reported_features(walk, replace(summary, norm_mean=norm), [("maximum", "knee_flexion", "swing")])
    assert found.norm == pytest.approx(35.0)


def test_the_table_has_profile_and_scores_of_a_walk_with_a_norm(walk) -> None:
    """Of a norm 3° below the walk in each angle every profile and score of a side is 3°."""
    summary = summarise(walk, 0.9, None)
    unknown = dict.fromkeys(summary.norm_profile, np.nan)
    profile = {side: unknown | dict.fromkeys(PROFILE, 3.0) for side in SIDES}
    norm = unknown | dict.fromkeys(PROFILE, 2.0)
    scored = replace(summary, profile=profile, norm_profile=norm, gps={"left": 3.0, "right": np.nan}, norm_gps=2.0)
    found = {
        (row["side"], row["kind"], row["variable"]): row["mean"]
        for row in feature_rows(walk, scored)
        if row["kind"] in ("score", "norm score")
    }
    assert found["left", "score", "gait_profile_score"] == 3.0
    assert ("right", "score", "gait_profile_score") not in found
    assert found["right", "norm score", "gait_profile_score"] == 2.0
    assert {name for _, _, name in found} == {*PROFILE, "gait_profile_score"}
    assert not [row for row in feature_rows(walk, summary) if row["kind"] in ("score", "norm score")]
