"""Results that the study no longer asks for: folders are named, and tables of the study are removed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.cli.following import Followed
from pipeline.cli.running import _tell_verdict
from pipeline.config import HOME, RESULTS, Study, load_study
from pipeline.results import SUMS
from pipeline.stages.study import remove_former
from pipeline.workflow.audit import left_over
from tests.small_study import write_study

TRIALS = "trial\tsubject\tsession\tkind\tfile\nw\tAnn\tpre\twalk\ta.c3d\nw\tAnn\tpost\twalk\tb.c3d\n"


def study(root: Path, settings: str = "", **more: str) -> Study:
    return load_study(write_study(root, TRIALS, "subject\tsex\nAnn\tf\n", settings, **more), HOME)


def written(root: Path, *folders: str) -> None:
    for folder in folders:
        (root / folder).mkdir(parents=True)
        (root / folder / SUMS).touch()


def test_folders_that_no_table_or_setting_asks_for_are_named(tmp_path: Path, capsys: pytest.CaptureFixture) -> None:
    written(tmp_path, "data/results/Ann/pre/raw", "data/results/Ann/post/whole_body", "reports/Ann/post/comparisons")
    written(tmp_path, "data/results/Ann/mid/raw", "data/results/Bob/pre/raw", "data/results/Bob/post/raw")
    (tmp_path / "reports/single/Ann/pre/walks").mkdir(parents=True)  # pages on request
    assert [str(path) for path in left_over(study(tmp_path))] == ["data/results/Ann/mid", "data/results/Bob"]
    legs = study(tmp_path, "whole_body: {enabled: false}\n", comparisons="comparison\tsubject\n")
    former = [str(path) for path in left_over(legs)]
    assert former == [
        "data/results/Ann/mid",
        "data/results/Ann/post/whole_body",
        "data/results/Bob",
        "reports/Ann/post/comparisons",
    ]
    _tell_verdict(legs, Followed(), 0)
    told = " ".join(capsys.readouterr().out.split())
    assert "since the study no longer asks for them" in told
    assert told.count(", ".join(former)) == 1


def test_tables_of_the_study_that_it_no_longer_has_are_removed(tmp_path: Path, monkeypatch) -> None:
    """They would be read with the others, by `open_study` too."""
    asked = study(tmp_path, predictions="prediction\ttrial\tsubject\tsession\np\tw\tAnn\tpre\n")
    monkeypatch.chdir(tmp_path)
    kept, former = RESULTS / "study_curves.parquet", RESULTS / "study_comparisons.csv"
    predicted = [
        RESULTS / "predicted_curves.csv.gz",
        RESULTS / "predicted.sha256",
        Path("reports/predicted_vs_measured.html"),
    ]
    for path in (kept, former, *predicted):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    remove_former(asked, RESULTS, [kept])
    assert [path.exists() for path in (kept, former, *predicted)] == [True, False, True, True, True]
    (tmp_path / "config/predictions.tsv").unlink()
    remove_former(study(tmp_path), RESULTS, [kept])
    assert [path.exists() for path in (kept, *predicted)] == [True, False, False, False]
