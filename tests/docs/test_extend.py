"""The page on extending the pipeline, followed: each of its blocks is put where the page says."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import yaml

from pipeline.analysis import gait_cycles, predicted_cycle, summarise
from pipeline.analysis.variables import CYCLE_VARIABLES, POINT_VARIABLES, VARIABLES, curves
from pipeline.anatomy import load_marker_set
from pipeline.optimisation import Evaluation
from pipeline.plausibility.limits import Limits, Spread, load_limits
from pipeline.prediction.gait import human_terms, presets
from pipeline.prediction.gait.walk_library import LIBRARY, WalkLibrary, lengths_of, stored_walks
from pipeline.provenance import Provenance
from pipeline.results import export_trial, exports, write_stage
from pipeline.results.exports.c3d import _of_points
from tests.analysis.predicted_walks import hand_made_walk
from tests.docs.snippets import blocks

CURVE, EXPORT, RESIDUAL, TERM = blocks("docs/howto/extend.md", "python")


def test_the_entry_of_a_curve_is_all_that_tables_export_and_prediction_need(
    demo_legs: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    variable = eval(CURVE, vars(curves))
    for registry in (VARIABLES, CYCLE_VARIABLES, POINT_VARIABLES):
        monkeypatch.setitem(registry, variable.name, variable)
    cycles = gait_cycles(demo_legs.kinematics, demo_legs.loads)
    summary = summarise(cycles, 0.9, None)
    toes = [own["toe_speed"] for own in summary.mean.values()]
    assert np.isfinite(toes).all()
    assert 2.0 < np.max(toes) < 6.0
    (scalars,) = _of_points(demo_legs.kinematics)
    assert {"LHeelSpeed", "RHeelSpeed", "LToeSpeed", "RToeSpeed"} == set(scalars.values)
    walk = hand_made_walk()
    toes = {f"{side}_toe": walk.points[f"{side}_heel"] for side in ("left", "right")}
    predicted = predicted_cycle(replace(walk, points=walk.points | toes)).of_points
    np.testing.assert_array_equal(predicted["toe_speed"], predicted["heel_speed"])


def test_an_export_is_one_module(demo_legs: SimpleNamespace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "json.py").write_text(EXPORT, encoding="utf-8")
    monkeypatch.setattr(exports, "__path__", [*exports.__path__, str(tmp_path)])
    summary = summarise(gait_cycles(demo_legs.kinematics, demo_legs.loads), 0.9, None)
    write_stage(tmp_path / "Ann/1/summary/walk.h5", summary, Provenance("summary"))
    export_trial(tmp_path / "Ann/1", "walk", tmp_path / "walk.json")
    peaks = json.loads((tmp_path / "walk.json").read_text())
    assert peaks["left"]["knee_flexion"] == pytest.approx(summary.mean["left"]["knee_flexion"].max(), abs=1e-4)


def test_a_residual_finds_its_planted_fault_once_its_spread_is_measured(demo_legs: SimpleNamespace) -> None:
    given: dict = {}
    exec(RESIDUAL, given)
    check, walk = given["heel_level"], demo_legs.kinematics
    measured = Limits({given["HEEL_LEVEL"]: Spread(0.0, 4.0, 4.0, False, 60, 30, 20, 7)}, 3.0, 2.0, 0.05)
    assert not [*check(walk, measured)]
    raised = replace(walk, points=walk.points | {"left_heel": walk.points["left_heel"] + np.array([0.0, 0.03, 0.0])})
    (finding,) = check(raised, measured)
    assert finding.value == pytest.approx(30.0, abs=5.0)
    assert not [*check(raised, load_limits())], "nothing is a finding of a residual without a spread"


def test_a_marker_set_states_only_its_difference(tmp_path: Path, plug_in_gait) -> None:
    (block,) = blocks("docs/howto/marker_set.md", "yaml")
    (tmp_path / "mine.yaml").write_text(block, encoding="utf-8")
    found, stated = load_marker_set(tmp_path / "mine.yaml"), yaml.safe_load(block)
    assert found.title == stated["title"]
    assert found.points["left_ankle"].chord.marker == "LMAL"
    assert found.segments == plug_in_gait.segments


def test_a_term_adds_to_the_objective_and_the_stored_walks_say_with_what_they_are_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = presets.PRESETS["human"]
    given = dict(vars(human_terms)) | {"OBJECTIVES": dict(human_terms.OBJECTIVES)}
    exec(TERM, given)
    objectives = given["OBJECTIVES"]
    monkeypatch.setitem(presets.PRESETS, "human", replace(before, objectives=tuple(objectives)))
    library = WalkLibrary.load(LIBRARY)
    problem = library.problem(0)
    x = library.variables[0] * lengths_of(problem)
    terms = Evaluation(problem.problem, x).objective_terms()
    assert terms["pelvic tilt"] > 0.0
    copy = tmp_path / "walks.npz"
    library.save(copy)
    said = stored_walks(copy)
    assert "another version" in said
    assert "python -m pipeline.prediction walks" in said
