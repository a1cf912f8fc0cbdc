"""`gait weights`: the file that it writes is one that predictions can name, and unknown walks are refused."""

from pathlib import Path

import pytest

from pipeline.cli import own_weights
from pipeline.cli.app import main
from pipeline.config import StoredWeights, load_yaml
from pipeline.prediction import FittedWeights, Weights, find_preset
from pipeline.prediction.gait.presets import with_weights
from tests.small_study import write_files, write_study

TRIALS = "trial\tsubject\tkind\tfile\nwalk\tann\twalk\twalk.c3d\nother\tann\twalk\tother.c3d\n"


@pytest.fixture
def study(tmp_path) -> Path:
    return write_study(tmp_path, TRIALS, "subject\tsex\nann\tf\n")


def test_fitted_weights_are_stored_for_predictions(study, monkeypatch) -> None:
    found = FittedWeights(Weights(hip=1.2345678), {"a": 1.0, "b": 1.0}, {"a": 0.5, "b": 1.1}, ("a",), 3.0)
    asked = []
    monkeypatch.setattr(own_weights, "walk_to_fit", lambda sweep, name: asked.append(name))
    monkeypatch.setattr(own_weights, "fit_weights", lambda walks, judged, report: found)
    assert main(["weights", str(study), "own", "ann/1/walk", "ann/1/walk", "--judge", "ann/1/other"]) == 0
    assert asked == ["ann/1/walk", "ann/1/other"]
    stored = load_yaml(study / "config/weights/own.yaml", "own.yaml", StoredWeights)
    assert stored.source.startswith("fitted to a (-50 %); judged on b (+10 %)")
    assert with_weights(find_preset("human"), stored.weights).weights.hip == pytest.approx(1.235)


def test_a_walk_that_is_fitted_to_is_no_judge(study, capsys) -> None:
    assert main(["weights", str(study), "own", "ann/1/walk", "--judge", "ann/1/walk"]) == 2
    assert "ann/1/walk is fitted to, so it cannot judge the weights" in " ".join(capsys.readouterr().err.split())


def test_a_subject_without_sex_is_told(study, capsys) -> None:
    (study / "config/subjects.tsv").write_text("subject\nann\n")
    assert main(["weights", str(study), "own", "ann/1/walk"]) == 2
    assert "subject 'ann' has no sex in config/subjects.tsv" in " ".join(capsys.readouterr().err.split())


@pytest.mark.parametrize(("name", "told"), [("../own", "may contain only letters"), ("kept", "already exists")])
def test_a_name_that_is_no_files_or_is_taken_is_refused_before_the_fit(study, capsys, name, told) -> None:
    write_files(study, {"config/weights/kept.yaml": "source: by hand\n"})
    assert main(["weights", str(study), name, "ann/1/walk"]) == 2
    assert told in capsys.readouterr().err
