"""Columns of exported tables that say who walked, and when."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.config import HOME, load_study
from pipeline.results.study_exports.walks import described
from tests.small_study import write_study


def test_a_walk_has_what_groups_of_subjects_are_made_from(tmp_path: Path) -> None:
    """A blank cell is missing, so that it is no group of its own."""
    trials = "trial\tsubject\tkind\tfile\nw\tAnn\twalk\tw.c3d\nw\tBob\twalk\tw.c3d\n"
    subjects = "subject\tdiagnosis\taffected_side\nAnn\tstroke\tleft\nBob\t\t\n"
    study = load_study(write_study(tmp_path, trials, subjects), HOME)
    groups = [(row["diagnosis"], row["affected_side"]) for row in (described(study, walk) for walk in study.walks)]
    assert groups == [("stroke", "left"), (None, None)]


def test_a_walk_has_the_date_of_its_session_and_the_age_on_that_day(tmp_path: Path) -> None:
    """One trial of a session gives its date."""
    rows = ["trial\tsubject\tkind\tfile\tdate", "s\tAnn\tstatic\ts.c3d\t2024-05-31", "w\tAnn\twalk\tw.c3d\t"]
    study = load_study(write_study(tmp_path, "\n".join(rows), "subject\tbirth_date\nAnn\t2010-05-31\n"), HOME)
    row = described(study, study.walks[0])
    assert row["date"] == "2024-05-31"
    assert row["age_years"] == pytest.approx(14.0, abs=0.01)
