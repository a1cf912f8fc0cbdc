"""MATLAB files have what the stages' files have, under names that MATLAB takes."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from scipy.io import loadmat

from pipeline.results import export_trial, write_stage
from pipeline.results.exports.mat import _unused
from tests.results.test_stage_files import PROVENANCE, everything, recording


@pytest.fixture
def session(tmp_path: Path) -> Path:
    session = tmp_path / "Ann/day1"
    write_stage(session / "raw/w.h5", recording(), PROVENANCE)
    write_stage(session / "kinematics/w.h5", everything(), PROVENANCE)
    return session


def test_a_mat_file_has_all_arrays_with_their_units_and_dimensions(session: Path, tmp_path: Path) -> None:
    for name in ("one.mat", "two.mat"):
        export_trial(session, "w", tmp_path / name)
    assert (tmp_path / "one.mat").read_bytes() == (tmp_path / "two.mat").read_bytes()
    found = loadmat(tmp_path / "one.mat", simplify_cells=True)
    assert (found["subject"], found["session"], found["trial"]) == ("Ann", "day1", "w")
    raw, expected = found["raw"], recording()
    np.testing.assert_array_equal(raw["markers_G"], expected.markers_G)
    assert tuple(raw["marker"]) == expected.marker_names
    assert raw["first_frame"] == 12
    assert found["units"]["raw"]["markers_G"] == "m"
    assert list(found["dimensions"]["raw"]["markers_G"])[:2] == ["time", "marker"]
    assert found["dimensions"]["raw"]["time"] == "time"
    stored = dict(zip(raw["output"], raw["model_outputs"]["values"], strict=True))
    np.testing.assert_array_equal(stored["b/LAngles"], expected.model_outputs["b/LAngles"].values)
    assert list(found["dimensions"]["raw"]["model_outputs"]["values"]) == ["output", "time", "component"]
    np.testing.assert_array_equal(found["kinematics"]["seen"], [1, 0, 1])


def test_names_are_those_that_matlab_takes_and_differ() -> None:
    taken: dict[str, object] = {}
    for key in ("b/LAngles", "b_LAngles", "b LAngles", "1", "_x", "œ", "", "y" * 70, "y" * 80):
        taken[_unused(key, taken)] = None
    assert len(taken) == 9
    assert all(re.fullmatch("[A-Za-z][A-Za-z0-9_]{0,62}", name) for name in taken)


@pytest.mark.long
@pytest.mark.skipif(shutil.which("octave-cli") is None, reason="GNU Octave is not installed")
def test_octave_reads_a_mat_file(session: Path, tmp_path: Path) -> None:
    export_trial(session, "w", tmp_path / "w.mat")
    shown = "w.raw.marker{1}, size(w.raw.markers_G), w.raw.rate"
    script = f"w = load('{tmp_path / 'w.mat'}'); printf('%s %d %d %d %g', {shown})"
    told = subprocess.run(
        ["octave-cli", "--quiet", "--eval", script], check=True, capture_output=True, text=True
    ).stdout
    assert told == "LASI 5 3 3 100"
