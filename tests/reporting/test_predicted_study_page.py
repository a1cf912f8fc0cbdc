"""The page of all predicted against measured walks: agreement, and the statistic along the cycle."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import PERCENT, compare, graded
from pipeline.reporting import ReportRun, write_predicted_study_report
from pipeline.trial import Cluster, Note, PairedMap, PredictedSample, PredictedStudy, StatisticalMap, WhatIfReport

from .conftest import HOSTILE, make_predicted_walk

pytestmark = pytest.mark.long

RUN = ReportRun("Study", index="index.html")
NOTHING = PredictedStudy(PERCENT, (), ())


@pytest.fixture
def both(walk):
    predicted = make_predicted_walk()
    return compare(replace(predicted, task=replace(predicted.task, walk=walk[2].name)), walk[2])


def sample(subject: str = "") -> PredictedSample:
    t = 4.0 * np.sin(np.linspace(0.0, np.pi, 101))
    test = StatisticalMap(t, 3.2, 2.0, 3, 3, (Cluster(29.52, 70.48, 0.0123),))
    maps = {"knee_flexion": PairedMap("deg", ("A", "B", "C"), np.full(101, 2.26), test)}
    return PredictedSample("human step", subject, maps, {"hip_power": "too few", "knee_power": "too few"})


def test_the_statistic_its_threshold_clusters_pairs_and_what_is_left_out_are_shown(both, page_of):
    page = page_of(write_predicted_study_report, [("A/1", both)], [], [], PredictedStudy(PERCENT, (sample(),), ()), RUN)
    (panel,) = page.curves.values()
    told = {curve["label"]: curve["values"] for curve in panel["curves"]}
    np.testing.assert_allclose(told["t"][0], 4.0 * np.sin(np.linspace(0.0, np.pi, 101)), atol=0.005)
    assert set(told["Threshold"][0]) == {3.2}
    assert len(page.all("path", "threshold")) == 2
    assert len(page.all("path", "beyond")) == 1
    assert "Pairs: A, B, C." in page.visible
    # 3.2 over the root of 3 pairs; the mean difference within the cluster is that of the whole curve.
    assert "Knee flexion ° 3 3.2 1.8 29.5 to 70.5: 2.3, p 0.012" in page.visible
    assert "Hip power, Knee power: too few." in page.visible
    assert "Only 3 pairs" in page.visible


def test_where_nothing_could_be_compared_the_page_gives_reason_and_remedy(both, page_of):
    text = "spm1d is not installed. Install it with: pip install .[spm]"
    study = PredictedStudy(PERCENT, (), (Note("left out", "statistical mapping", text),))
    page = page_of(write_predicted_study_report, [("A/1", both)], [], [], study, RUN)
    assert f"Not done: {text}." in page.visible
    assert not page.all("svg")


def test_agreement_of_runs_is_not_averaged_with_that_of_walks(both, page_of):
    off = np.array([38.0, 38.0])
    worse = tuple(replace(one, rmse=one.rmse + 10.0) for one in both.agreement)
    run = replace(both, name="run", predicted_foot_off=off, measured_foot_off=off, agreement=worse)
    page = page_of(write_predicted_study_report, [("A/1", both), ("A/1", run)], [], [], NOTHING, RUN)
    walks, runs = (page.visible.index(f"Agreement of the curves, {gait}") for gait in ("walks", "runs"))
    own = {one.variable: one.rmse for one in graded(both.agreement)}["knee_flexion"]
    assert f"Knee flexion {own:.1f} " in page.visible[walks:runs]
    assert f"Knee flexion {own + 10.0:.1f} " in page.visible[runs:]
    alone = page_of(write_predicted_study_report, [("A/1", both)], [], [], NOTHING, RUN)
    assert "Agreement of the curves, " not in alone.visible


def test_hostile_text_appears_as_text(both, page_of):
    hostile = replace(both, subject=HOSTILE, walk=HOSTILE, name=HOSTILE)
    study = PredictedStudy(PERCENT, (sample(HOSTILE),), ())
    page = page_of(write_predicted_study_report, [(HOSTILE, hostile)], [], [(HOSTILE, HOSTILE, HOSTILE)], study, RUN)
    assert page.scripts() == [{"src": "report.js"}]
    assert " ".join(HOSTILE.split()) in page.visible
    assert not re.search(r"\bnan\b", page.visible, re.IGNORECASE)


def test_a_study_without_measured_walks_to_predict_has_a_note(page_of):
    page = page_of(write_predicted_study_report, [], [], [], NOTHING, RUN)
    assert "No prediction names a measured walk" in page.visible


def test_a_what_if_case_has_its_row_with_the_change_of_each_curve(page_of):
    names, unchanged = ("hip_flexion", "knee_flexion"), np.zeros((2, 2, 101))
    changed = unchanged + np.array([3.0, 0.0])[None, :, None] * np.array([1.0, -1.0])[:, None, None]
    changes = ("left knee flexion: at most 20 degrees", HOSTILE)
    sides, units = ("left", "right"), ("deg", "deg")
    case = WhatIfReport("stiff", "", changes, sides, names, PERCENT, units, changed, unchanged, 1.1, 1.0)
    walk = replace(make_predicted_walk(), what_if=case)
    page = page_of(write_predicted_study_report, [], [("A/1", walk)], [], NOTHING, RUN)
    (row,) = [line for line in page.visible.splitlines() if "at most 20 degrees" in line] or [page.visible]
    # 3 degrees to either side, nothing at the knee, 10 % of cost, and no value of the other curves.
    assert re.search(r"at most 20 degrees.* 10 (\S+ )*3\.0 0\.0 ", row, re.DOTALL)
    assert page.scripts() == [{"src": "report.js"}]
