"""Exports of a study: BIDS by its validator, and tidy tables whose values are those of the results."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline.analysis import GROUPS, KNEE_PARTS, PUBLISHED, gait_cycles, mean_leg_length, muscle_activity, summarise
from pipeline.config import HOME, EmgSettings, load_study
from pipeline.conventions import SIDES
from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results import Failure, export_study, write_failure, write_stage
from pipeline.trial import AnalogSignals, Finding, Findings, MuscleLoads, WalkCycles

pytestmark = pytest.mark.long

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def study():
    return load_study(ROOT, HOME)


@pytest.fixture(scope="module")
def results(demo_legs, tmp_path_factory):
    """Results of the demo's walk, and of its way back under a refusal."""
    folder = tmp_path_factory.mktemp("results")
    session, raw, walk = folder / "demo/1", demo_legs.raw, demo_legs.kinematics
    cycles = gait_cycles(walk, demo_legs.loads)
    analog = AnalogSignals(**{name: getattr(raw, name) for name in AnalogSignals.__dataclass_fields__})
    of_cycles = WalkCycles(walk.name, walk.subject, walk.time, walk.cycles)
    refusal = Finding(*("plate 1", "upside down", np.nan, np.nan, "1", "a test", "planted", "none"), grade="refusal")
    values = {
        "raw": raw,
        "kinematics": walk,
        "inverse_dynamics": demo_legs.loads,
        "cycles": cycles,
        "summary": summarise(cycles, mean_leg_length(walk.calibration), None),
        "emg": muscle_activity(analog, of_cycles, EmgSettings()),
    }
    for stage, value in values.items():
        for trial in ("walk", "walk_back"):
            write_stage(session / stage / f"{trial}.h5", value, Provenance(stage))
    names = tuple(f"{name}_{side}" for group in GROUPS.values() for name in group for side in "lr")
    contacts, frames = tuple(f"{side}_{joint}" for side in SIDES for joint in PUBLISHED), len(walk.time)
    half = np.full((frames, len(names)), 0.5)
    parts = tuple(f"{side}_knee_{part}" for side in SIDES for part in KNEE_PARTS)
    loads = MuscleLoads(
        *("walk", "demo", 70.0, "", "rigid", walk.time, names, contacts, (), np.ones(len(names)), half, half),
        *(np.ones((frames, len(contacts), 3)), parts, np.ones((frames, 4)), np.zeros((frames, 0)), np.zeros(0), ()),
    )
    write_stage(session / "muscles/walk.h5", loads, Provenance("muscles"))
    for trial, findings in (("walk", ()), ("walk_back", (refusal,))):
        write_stage(session / f"plausibility/{trial}.h5", Findings(trial, "demo", findings), Provenance("plausibility"))
    write_stage(session / "raw/static.h5", demo_legs.static, Provenance("ingest"))
    return folder


@pytest.fixture(scope="module")
def bids(study, results, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bids")
    export_study(study, results, folder, "bids")
    return folder


def test_the_bids_validator_finds_no_error(bids):
    """The validator of BIDS itself, with the schema it ships."""
    validator = Path(sys.executable).with_name("bids-validator-deno")
    if not validator.is_file():
        pytest.skip("bids-validator-deno is not installed")
    done = subprocess.run([validator, str(bids), "--json"], capture_output=True, text=True)
    report = json.loads(done.stdout)
    errors = [issue for issue in report["issues"]["issues"] if issue["severity"] == "error"]
    assert not errors
    assert report["summary"]["subjects"] == ["demo"]
    assert "motion" in report["summary"]["dataTypes"]


def test_bids_holds_what_was_read(bids, demo_legs):
    """Markers and forces with their channels, to the digits written; events; runs by task."""
    session, raw = bids / "sub-demo/ses-1", demo_legs.raw
    loads = [part for plate in raw.plates for part in (plate.wrench.force_G, plate.wrench.moment_G)]
    for system, values, rate in (
        ("markers", raw.markers_G.reshape(len(raw.time), -1), raw.rate),
        (
            "analog",
            np.hstack(loads),
            raw.analog_rate,
        ),
    ):
        stem = session / f"motion/sub-demo_ses-1_task-walk_tracksys-{system}_run-01"
        table = pd.read_csv(f"{stem}_motion.tsv", sep="\t", header=None, na_values="n/a").to_numpy()
        channels = pd.read_csv(f"{stem}_channels.tsv", sep="\t", keep_default_na=False)
        described = json.loads(Path(f"{stem}_motion.json").read_text())
        assert table.shape == (len(values), len(channels))
        np.testing.assert_allclose(table[:, : values.shape[1]], values, rtol=1e-5, atol=1e-8)
        assert described["SamplingFrequency"] == rate
    assert channels.units[:6].tolist() == ["N", "N", "N", "Nm", "Nm", "Nm"]
    assert set(channels.type) == {"MISC"}
    scans = pd.read_csv(session / "sub-demo_ses-1_scans.tsv", sep="\t")
    assert set(scans.trial) == {"static", "walk", "walk_back"}
    assert (bids / "derivatives/gait-pipeline/sub-demo/ses-1/motion").is_dir()


def test_tables_hold_one_kind_of_value_each(study, results, demo_legs, tmp_path):
    """Cycles, means and moments over time, as Parquet and CSV; the refused walk is in none of them, but named."""
    export_study(study, results, tmp_path, "tidy")
    tables = {path.stem: pd.read_parquet(path) for path in tmp_path.glob("*.parquet")}
    assert set(tables) >= {"cycle_curves", "cycle_parameters", "walk_mean_curves", "leg_time_series", "left_out"}
    assert tables["left_out"].trial.tolist() == ["walk_back"]
    dictionary = tables.pop("dictionary")
    for name, column in (
        ("cycle_curves", "variable"),
        ("estimated_muscle_curves", "variable"),
        ("cycle_parameters", "parameter"),
    ):
        defined = dictionary[dictionary["column"] == column].name
        assert not set(tables[name][column]) - set(defined), name
    (knee,) = dictionary[dictionary.name == "knee_flexion"].itertuples()
    assert (knee.unit, knee.meaning) == ("deg", "Knee flexion, flexion positive, extension negative")
    for name, table in tables.items():
        assert {"subject", "sex", "age_years", "session", "date", "condition", "trial"} <= set(table), name
        assert name == "left_out" or set(table.trial) == {"walk"}
        text = pd.read_csv(tmp_path / f"{name}.csv")
        assert list(text) == list(table)
        assert len(text) == len(table)
    curves = tables["cycle_curves"]
    assert not curves.duplicated(["side", "cycle", "variable", "percent"]).any(), "one value a cycle, curve and percent"
    means = tables["walk_mean_curves"].query("side == 'left' and variable == 'knee_flexion'")
    own = curves.query("side == 'left' and variable == 'knee_flexion'").groupby("percent").value.mean()
    np.testing.assert_allclose(means["mean"], own, rtol=1e-6)
    estimated = tables["estimated_muscle_curves"]
    np.testing.assert_allclose(estimated.query("variable == 'soleus_activation'").value, 0.5)
    np.testing.assert_allclose(estimated.query("variable == 'knee_contact_force'").value, np.sqrt(3.0), atol=5e-5)
    series = tables["leg_time_series"].query("side == 'right' and joint == 'ankle'")
    extensor = -demo_legs.loads.joints["right_ankle"].moment_distal[:, 2] / demo_legs.loads.mass
    np.testing.assert_allclose(series.extensor_moment_nm_kg, extensor, rtol=1e-9)
    power = demo_legs.loads.joints["right_ankle"].power / demo_legs.raw.parameters["Bodymass"]
    np.testing.assert_allclose(series.power_w_kg, power, rtol=1e-6, atol=1e-9)


def test_results_that_the_settings_switch_off_are_in_no_table(study, results, tmp_path):
    """Their files remain from an earlier run, of which subject and recording may have been corrected since."""
    off = study.configuration.model_copy(
        update={"muscles": study.configuration.muscles.model_copy(update={"enabled": False})}
    )
    export_study(replace(study, configuration=off), results, tmp_path, "tidy")
    assert not list(tmp_path.glob("estimated_muscle_curves.*"))


def test_a_wide_table_has_a_row_for_each_walk_and_names_each_column(study, results, tmp_path):
    """Values are those of the curves of the tidy tables; the refused walk has no row."""
    export_study(study, results, tmp_path / "tidy", "tidy")
    export_study(study, results, tmp_path / "wide", "wide")
    walks = pd.read_csv(tmp_path / "wide/walks.csv")
    stored = pd.read_parquet(tmp_path / "wide/walks.parquet")
    assert list(stored) == list(walks)
    numbers = list(stored.select_dtypes("number"))
    assert len(numbers) > 500
    np.testing.assert_allclose(walks[numbers], stored[numbers], rtol=1e-9)
    assert walks.trial.tolist() == ["walk"]
    columns = pd.read_csv(tmp_path / "wide/columns.csv").set_index("column")
    assert list(columns.index) == list(walks.columns)
    assert columns.meaning.notna().all()
    curves = pd.read_parquet(tmp_path / "tidy/cycle_curves.parquet").query("side == 'right'")
    knee = curves[curves.variable == "knee_flexion"].pivot_table("value", "cycle", "percent")
    assert walks.knee_flexion_right_cycle_maximum[0] == pytest.approx(knee.max(axis=1).mean(), rel=1e-6)
    assert walks.knee_flexion_right_cycle_maximum_percent[0] == pytest.approx(knee.idxmax(axis=1).mean(), rel=1e-9)
    assert columns.unit["knee_flexion_right_swing_maximum_percent"] == "%"
    assert columns.unit["knee_flexion_right_swing_range"] == "deg"
    parameters = pd.read_parquet(tmp_path / "tidy/walk_mean_parameters.parquet").query("side == 'left'")
    step = parameters.set_index("parameter")["mean"]["step_length"]
    assert walks.step_length_left[0] == pytest.approx(step, rel=1e-9)


def test_a_defect_in_one_walk_takes_only_its_own_results_from_the_tables(study, results, tmp_path):
    """Without its EMG, a walk has its other values; a walk that was not checked is left out and named."""
    planted = tmp_path / "results"
    shutil.copytree(results, planted)
    for stage, walk in (("emg", "walk"), ("plausibility", "walk_back")):
        failure = Failure(walk, stage, "a defect of the program, planted", defect=True)
        write_failure(planted / f"demo/1/{stage}/{walk}.h5", failure, Provenance(stage))
    export_study(study, planted, tmp_path / "tidy", "tidy")
    assert set(pd.read_csv(tmp_path / "tidy/cycle_curves.csv").trial) == {"walk"}
    assert not (tmp_path / "tidy/emg_cycles.csv").exists()
    (row,) = pd.read_csv(tmp_path / "tidy/left_out.csv").itertuples()
    assert row.trial == "walk_back"
    assert "checks" in row.reason
    failure = Failure("walk_back", "kinematics", "the static trial has no markers, planted")
    write_failure(planted / "demo/1/summary/walk_back.h5", failure, Provenance("summary"))
    export_study(study, planted, tmp_path / "failed", "tidy")
    assert pd.read_csv(tmp_path / "failed/left_out.csv").reason.tolist() == [f"failed: {failure.reason}"]
    (planted / "demo/1/summary/walk_back.h5").unlink()
    export_study(study, planted, tmp_path / "new", "tidy")
    (row,) = pd.read_csv(tmp_path / "new/left_out.csv").itertuples()
    assert row.reason.startswith("not computed")
    shutil.copy(results / "demo/1/summary/walk_back.h5", planted / "demo/1/summary/walk_back.h5")
    export_study(study, planted, tmp_path / "wide", "wide")
    assert pd.read_csv(tmp_path / "wide/walks.csv").trial.tolist() == ["walk"]
    shutil.copy(planted / "demo/1/plausibility/walk_back.h5", planted / "demo/1/plausibility/walk.h5")
    with pytest.raises(ResultsError, match="every computed walk was refused or not fully checked"):
        export_study(study, planted, tmp_path / "empty", "wide")


def test_a_folder_with_files_and_an_unknown_kind_are_refused(study, results, tmp_path):
    """Nothing is overwritten or guessed."""
    with pytest.raises(ResultsError, match="no study export"):
        export_study(study, results, tmp_path / "x", "csv")
    (tmp_path / "old").write_text("")
    with pytest.raises(ResultsError, match="already has files"):
        export_study(study, results, tmp_path, "bids")
    with pytest.raises(ResultsError, match="no computed trial"):
        export_study(study, tmp_path / "nothing", tmp_path / "new", "tidy")
    assert not (tmp_path / "new").exists()
    with pytest.raises(ResultsError, match="no condition has values of 3 subjects at two visits"):
        export_study(study, results, tmp_path / "new", "repeatability")
