"""A stage's value from its labelled arrays, and the tables of a walk from its tree."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import xarray

import pipeline
from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results import Failure, InMemory, in_memory, trial_of, write_stage
from pipeline.results.labelled_values import value_of
from pipeline.trial import GaitCycles, MuscleLoads
from pipeline.workflow import analyse as stage

from .test_stage_files import assert_same

pytestmark = pytest.mark.long

DEMO = Path(__file__).parents[2] / "data/demo"


@pytest.fixture(scope="module")
def outcomes() -> dict[str, InMemory]:
    """Every stage's outcome of the demo's walk, as `pipeline.analyse` puts them into a tree."""
    found: dict[str, InMemory] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stage, "trial_of", lambda outcomes: found.update(outcomes))
        stage.analyse(DEMO / "walk.c3d", DEMO / "static.c3d", mass=70, sex="f")
    return found


@pytest.fixture(scope="module")
def walk(outcomes) -> xarray.DataTree:
    return trial_of(outcomes)


def test_every_stage_s_value_comes_back_equal(outcomes, walk):
    assert len(outcomes) >= 8
    for name, outcome in outcomes.items():
        assert not isinstance(outcome.value, Failure), name
        assert_same(value_of(walk, name, type(outcome.value)), outcome.value)


def test_times_of_events_are_shown_in_the_tree_and_not_the_frames_they_hide(outcomes, walk, tmp_path):
    times = [event.time for event in outcomes["kinematics"].value.events]
    assert walk["kinematics/events/time"].to_numpy().tolist() == times
    write_stage(tmp_path / "walk.h5", outcomes["kinematics"].value, Provenance("kinematics"))
    with xarray.open_datatree(tmp_path / "walk.h5") as plain:
        assert plain["events/time"].to_numpy().tolist() == times


def test_a_stage_that_is_not_there_or_failed_is_named(walk):
    with pytest.raises(ResultsError, match="no values of the stage 'cycles': it is not there"):
        value_of(walk["kinematics"], "cycles", GaitCycles)
    failed = walk.copy()
    failed["muscles"] = xarray.DataTree(
        xarray.Dataset(attrs={"status": "failed", "reason": "the weights do not converge"})
    )
    with pytest.raises(ResultsError, match="'muscles': the weights do not converge"):
        value_of(failed, "muscles", MuscleLoads)


def test_tables_of_a_tree_without_stages_are_refused_with_what_it_lacks():
    with pytest.raises(ResultsError, match=r"no values of the stage 'kinematics'.*Give what analyse"):
        pipeline.tables(xarray.DataTree())


def test_tables_of_a_walk_hold_the_trunk_and_the_muscles(walk, outcomes):
    tables = pipeline.tables(walk)
    assert {"curves", "scalars", "features", "events", "findings"} <= set(tables)
    curves = tables["curves"]
    trunk = curves[(curves.variable == "trunk_flexion") & (curves.side == "left")]
    assert len(trunk) % 101 == 0
    assert len(trunk) > 0
    assert set(trunk.unit) == {"deg"}
    muscle = curves[curves.variable == "soleus_force"]
    loads = outcomes["muscles"].value
    assert muscle["value"].max() <= 1.001 * np.nanmax(np.asarray(loads.force))


def test_a_walk_whose_checks_failed_has_its_other_tables_and_says_that_nothing_was_checked(outcomes, walk):
    """A defect of the program in the checks, as `pipeline.analyse` puts it into the tree."""
    failure = Failure("walk", "plausibility", "a defect of the program, ValueError: planted", defect=True)
    planted = in_memory(failure, Provenance("plausibility"), "plausibility")
    found, whole = pipeline.tables(trial_of({**outcomes, "plausibility": planted})), pipeline.tables(walk)
    assert set(found) == set(whole)
    for name in set(whole) - {"findings"}:
        assert len(whole[name]) > 0, name
        pd.testing.assert_frame_equal(found[name], whole[name])
    checked = found["findings"][~found["findings"].source.isin(["the whole skeleton", "loads estimated from motion"])]
    assert list(checked.about) == ["checks"]
    assert list(checked.grade) == ["warning"]
    assert "were not made: a defect of the program, ValueError: planted" in checked.finding.iloc[0]


@pytest.mark.parametrize("variable", ["trunk_flexion", "soleus_force", "knee_contact_force"])
def test_a_curve_of_the_tables_is_drawn_from_the_tree(walk, variable):
    (axes,) = pipeline.plot(walk, variable).axes
    rows = pipeline.tables(walk)["curves"].query(f"variable == '{variable}' and side == 'left'")
    rows = rows[rows.kind == rows.kind.iloc[0]]
    lines = {line.get_label(): np.asarray(line.get_ydata()) for line in axes.lines}
    left = next(values for label, values in lines.items() if str(label).startswith("Left"))
    cycles = rows.groupby("percent", observed=True)["value"].agg(lambda of: of.mean(skipna=False)).to_numpy()
    np.testing.assert_allclose(left, cycles, rtol=1e-9, atol=1e-9)
