"""`gait predict FILE`: motion, table and page of a task; what is wrong with it is told."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pipeline
from pipeline.cli import main
from pipeline.results import read_stage
from pipeline.trial import TaskMotion

ARM = """task: arm
title: "<script>alert(1)</script> arm"
gravity: [0, -9.81, 0]
links:
  - {name: upper, kind: R, a: 0.3, mass: 2, com: [-0.1, 0, 0], inertia: [1, 1, 1], max_effort: 40, move: [-90, 0]}
  - {name: slide, kind: P, theta: 90, alpha: 90, mass: 1, inertia: [0.01, 0.01, 0.01], max_effort: 30, move: [0.1, 0.3]}
load: {mass: 0.5}
weights: {time: 1, effort: 0.01}
intervals: 6
free_knots: false
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own.yaml").write_text(ARM)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_task_of_one_s_own_has_motion_table_and_page(folder: Path, capfd) -> None:
    assert main(["predict", "own.yaml"]) == 0
    assert {path.name for path in (folder / "own").iterdir()} == {"motion.h5", "motion.csv", "index.html", "report.js"}
    motion = read_stage(folder / "own/motion.h5", TaskMotion)
    tree = pipeline.open_trial(folder / "own/motion.h5")
    np.testing.assert_array_equal(tree["tau"].sel(joint="upper"), motion.tau[:, 0])
    assert tree["dtau_dq"].dims == ("time", "joint", "coordinate")
    table = pd.read_csv(folder / "own/motion.csv")
    assert len(table) == len(motion.time)
    np.testing.assert_allclose(table["upper_effort_Nm"], motion.tau[:, 0], rtol=1e-6)
    np.testing.assert_allclose(table["slide_coordinate_m"].iloc[[0, -1]], [0.1, 0.3], atol=1e-9)
    page = (folder / "own/index.html").read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page
    assert "converged" in page
    assert "Written: own/index.html" in capfd.readouterr().out


def test_results_go_to_the_folder_that_is_named(folder: Path) -> None:
    assert main(["predict", "own.yaml", "--to", "elsewhere/arm"]) == 0
    assert (folder / "elsewhere/arm/index.html").is_file()
    assert not (folder / "own").exists()


@pytest.mark.parametrize(
    ("words", "old", "new", "told"),
    [
        (["own.yaml"], "task: arm", "task: robot", "own.yaml: has task 'robot'. Give one of arm, lift, walk"),
        (["own.yaml", "Ann/1/walk"], "", "", "is a task, which has no walks"),
        (["own.yaml", "--to", "own.yaml"], "", "", "is not a folder"),
        (["own.yaml", "--to", "/proc/arm"], "", "", "/proc/arm: cannot be written"),
        (["other.yaml"], "", "", "other.yaml"),
        (["own.yaml"], "mass: 2,", "mass: 0,", "upper"),
        (["own.yaml"], "max_effort: 40", "max_effort: 0.5", "torque limits"),
    ],
)
def test_what_is_wrong_is_told_and_nothing_is_written(folder, capfd, words, old, new, told) -> None:
    (folder / "own.yaml").write_text(ARM.replace(old, new) if old else ARM)
    assert main(["predict", *words]) == 2
    shown = capfd.readouterr()
    assert told in shown.err
    assert "Traceback" not in shown.err
    assert [path.name for path in folder.iterdir()] == ["own.yaml"]
