"""A walk in memory: what is refused, and which values and marker set it is computed with."""

from __future__ import annotations

import functools
import importlib
import shutil
from pathlib import Path

import ezc3d
import pytest

import pipeline
from pipeline.errors import AcquisitionError, AnatomyError, ConfigError, ResultsError

DEMO = Path(__file__).parents[2] / "data/demo"
LEGS = {"whole_body": {"enabled": False}}


@pytest.mark.parametrize(
    ("given", "error", "message"),
    [
        ({"mass": -70}, ConfigError, "subject: 'mass_kg' should be greater than or equal to 3"),
        ({"body": {"knee_widht_left_mm": 104}}, ConfigError, "did you mean 'knee_width_left_mm'"),
        ({"settings": {"filtre": {}}}, ConfigError, "settings: unknown key 'filtre'; did you mean 'filter'"),
        ({"settings": {"filter": {"markers": -6}}}, ConfigError, "settings.filter"),
        ({"marker_set": "plug_in_gate"}, ConfigError, "no marker set 'plug_in_gate'; known are cgm2"),
        (
            {"marker_set": "isb_ior"},
            ResultsError,
            "trial walk: kinematics failed: .* lacks most labels",
        ),
    ],
)
def test_what_is_wrong_is_named(given, error, message):
    with pytest.raises(error, match=message):
        pipeline.analyse(DEMO / "walk.c3d", DEMO / "static.c3d", **{"settings": LEGS} | given)


@pytest.mark.parametrize("stage", ["inverse_dynamics", "summary"])
def test_a_defect_of_the_program_in_a_stage_leaves_the_others(stage, monkeypatch):
    module = importlib.import_module(f"pipeline.stages.{stage}")

    @functools.wraps(module.run)
    def planted(*_args: object, **_named: object) -> None:
        raise ValueError("planted")

    monkeypatch.setattr(module, "run", planted)
    walk = pipeline.analyse(DEMO / "walk.c3d", DEMO / "static.c3d", mass=70, settings=LEGS)
    failed = {name for name, node in walk.children.items() if node.attrs["status"] == "failed"}
    assert failed == {stage}
    assert walk[stage].attrs["reason"] == "a defect of the program, ValueError: planted"
    found = pipeline.tables(walk)
    assert len(found["curves"].query("variable == 'knee_flexion' and kind == 'cycle'")) > 0
    assert "were not made: a defect of the program" in found["findings"].finding.iloc[0]


def test_files_that_cannot_be_read_are_named(tmp_path):
    with pytest.raises(AcquisitionError, match="nowhere"):
        pipeline.analyse(tmp_path / "nowhere.c3d")
    (tmp_path / "text.c3d").write_text("not a recording")
    with pytest.raises((AcquisitionError, ResultsError), match="text"):
        pipeline.analyse(tmp_path / "text.c3d", marker_set="plug_in_gait")


def test_a_recording_of_foreign_labels_asks_for_a_marker_set(tmp_path):
    file = ezc3d.c3d(str(DEMO / "walk.c3d"))
    labels = file["parameters"]["POINT"]["LABELS"]
    labels["value"] = [f"M{number}" for number in range(len(labels["value"]))]
    del file["data"]["meta_points"]  # of the labels as they were
    file.write(str(tmp_path / "foreign.c3d"))
    with pytest.raises(AnatomyError, match="match no marker set"):
        pipeline.analyse(tmp_path / "foreign.c3d")


def test_a_set_of_one_s_own_and_odd_names_of_files_serve(tmp_path):
    mine, odd = tmp_path / "mine.yaml", tmp_path / "it's $HOME; 1.c3d"
    mine.write_text("extends: plug_in_gait\n", encoding="utf-8")
    shutil.copy(DEMO / "walk.c3d", odd)
    walk = pipeline.analyse(odd, DEMO / "static.c3d", mass=82.5, marker_set=mine, settings=LEGS)
    calibration = walk["kinematics/calibration"]
    assert calibration.attrs["marker_set"] == "mine"
    assert float(walk["kinematics/calibration/values"]["value"].sel(key="mass")) == 82.5
