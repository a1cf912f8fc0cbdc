"""Loads estimated from motion in tables and exports: marked as estimated, apart from what plates measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.acquisition import read_trial
from pipeline.analysis import gait_cycles, mean_leg_length, muscle_activity, summarise
from pipeline.config import HOME, EmgSettings, load_study
from pipeline.conventions import SIDES, Y, Z
from pipeline.provenance import Provenance
from pipeline.results import export_study, export_trial, write_stage
from pipeline.results.tables import WalkResults, dictionary_table, walk_tables
from pipeline.trial import AnalogSignals, Findings, GroundFromMotion, WalkCycles
from tests.oracles.opensim_model import read_storage

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def results(demo_walk, demo_legs, estimated, tmp_path_factory) -> Path:
    """Results of the demo's walk with its estimate."""
    folder, raw, walk = tmp_path_factory.mktemp("results"), demo_legs.raw, demo_walk.kinematics
    cycles = gait_cycles(walk, demo_legs.loads)
    analog = AnalogSignals(**{name: getattr(raw, name) for name in AnalogSignals.__dataclass_fields__})
    values = {
        "raw": raw,
        "kinematics": walk,
        "inverse_dynamics": demo_legs.loads,
        "cycles": cycles,
        "summary": summarise(cycles, mean_leg_length(walk.calibration), None),
        "emg": muscle_activity(analog, WalkCycles(walk.name, walk.subject, walk.time, walk.cycles), EmgSettings()),
        "plausibility": Findings("walk", "demo", ()),
        "whole_body": demo_walk.body,
        "ground_from_motion": estimated,
    }
    for stage, value in values.items():
        write_stage(folder / "demo/1" / stage / "walk.h5", value, Provenance(stage))
    return folder


def peak(estimated: GroundFromMotion, step, axis: int) -> float:
    """Largest force of a step in percent of body weight, straight from the file's values."""
    own = (estimated.time >= step.start) & (estimated.time <= step.stop)
    return float(np.max(estimated.ground[step.side].force_G[own, axis])) / (estimated.mass * 9.80665) * 100.0


def test_tables_have_each_step_under_kinds_of_its_own(demo_walk, demo_legs, estimated):
    cycles = gait_cycles(demo_walk.kinematics, demo_legs.loads)
    summary = summarise(cycles, mean_leg_length(demo_walk.kinematics.calibration), None)
    given = demo_walk.kinematics, cycles, summary, Findings("walk", "demo", ())
    given = *given, demo_walk.body, demo_legs.loads
    without, tables = (walk_tables(WalkResults(*given, estimated=e)) for e in (None, estimated))
    for name in ("study_curves", "study_scalars"):
        new = tables[name].kind.astype(str).str.startswith("estimated step")
        assert new.any()
        # nothing else changed: no mean has an estimated step in it
        pd.testing.assert_frame_equal(
            tables[name][~new].reset_index(drop=True).astype({"kind": str, "variable": str} if name[6] == "c" else str),
            without[name].astype({"kind": str, "variable": str} if name[6] == "c" else str),
            check_categorical=False,
        )
    curves, scalars = tables["study_curves"], tables["study_scalars"]
    for number, step in enumerate(estimated.steps, start=1):
        own = curves[(curves.kind == "estimated step") & (curves.cycle == number)]
        assert set(own.side) == {step.side}
        # between frames the curve over percent is a little lower than the highest frame
        highest = own[own.variable == "ground_vertical"].value.max()
        assert highest == pytest.approx(peak(estimated, step, Y), abs=1.0)
        plate = scalars[(scalars.kind == "estimated step") & (scalars.cycle == number) & (scalars.parameter == "plate")]
        assert plate.value.tolist() == ([step.plate] if step.plate else [])
    told = dictionary_table()["study_dictionary"]
    for column, table in (("kind", "study_curves"), ("kind", "study_scalars"), ("parameter", "study_scalars")):
        rows = tables[table]
        names = set(rows[rows.kind.astype(str).str.startswith("estimated step")][column].astype(str))
        assert names <= set(told[told.table == table].name.astype(str))


def test_study_exports_name_them_as_estimated(results, estimated, tmp_path):
    study = load_study(ROOT, HOME)
    export_study(study, results, tmp_path / "tidy", "tidy")
    curves = pd.read_parquet(tmp_path / "tidy/estimated_step_curves.parquet")
    steps = pd.read_parquet(tmp_path / "tidy/estimated_steps.parquet")
    assert len(steps) == len(estimated.steps) == curves.step.nunique()
    assert steps.measured_too.tolist() == [bool(step.plate) for step in estimated.steps]
    by_step = curves[curves.variable == "ground_fore_aft"].groupby("step").error_sd
    width = by_step.mean()[by_step.count() == 101]  # a step that begins before the first frame lacks an end
    assert len(width)
    stored = 100.0 * np.interp(np.arange(101), estimated.contact_percent, estimated.force_sd[:, 0]).mean()
    np.testing.assert_allclose(width, stored, rtol=1e-5)  # the table is rounded
    export_study(study, results, tmp_path / "wide", "wide")
    row, columns = pd.read_csv(tmp_path / "wide/walks.csv").iloc[0], pd.read_csv(tmp_path / "wide/columns.csv")
    for side in SIDES:
        own = [step for step in estimated.steps if step.side == side]
        assert row[f"estimated_steps_{side}"] == len(own)
        found = row[f"ground_vertical_{side}_estimated_stance_maximum"]
        assert found == pytest.approx(np.mean([peak(estimated, step, Y) for step in own]), abs=1.0)
    words = columns[columns.column.str.contains("estimated")].meaning
    assert len(words)
    assert words.str.contains("estimated").all()


def test_trial_exports_hold_them_beside_the_measured(results, estimated, demo_legs, tmp_path):
    session = results / "demo/1"
    export_trial(session, "walk", tmp_path / "walk.c3d")
    outputs, R_GL = read_trial(tmp_path / "walk.c3d").model_outputs, demo_legs.raw.R_GL
    weight_kg = estimated.mass
    for side in SIDES:
        force = outputs[f"Estimated{side[0].upper()}GroundReactionForce"]
        assert force.units == "N/kg"
        np.testing.assert_allclose(force.values @ R_GL.T * weight_kg, estimated.ground[side].force_G, atol=1e-3)
        ankle = outputs[f"Estimated{side[0].upper()}AnkleMoment"].values[:, 0]
        np.testing.assert_allclose(
            np.abs(ankle), 1000 / weight_kg * np.abs(estimated.joint_moments[f"{side}_ankle"][:, Z]), atol=0.01
        )
        assert f"{side[0].upper()}AnkleMoment" in outputs
    export_trial(session, "walk", tmp_path / "walk_estimated.xml")
    assert "walk_estimated.mot" in (tmp_path / "walk_estimated.xml").read_text()
    table = read_storage(tmp_path / "walk_estimated.mot")
    assert len(table["time"]) > 50
    for side in SIDES:
        measured = np.interp(table["time"], estimated.time, estimated.ground[side].force_G[:, Y])
        np.testing.assert_allclose(table[f"ground_force_{side}_vy"], measured, atol=1e-3)
