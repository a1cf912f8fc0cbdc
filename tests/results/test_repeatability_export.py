"""The export of repeatability: which walks are averaged, which visits are compared, and what is left out."""

from __future__ import annotations

import datetime
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from pipeline.analysis import repeatability
from pipeline.config import SessionKey
from pipeline.errors import ResultsError
from pipeline.results.study_exports import repeatability as export

COLUMNS = {"subject": ("", ""), "session": ("", ""), "condition": ("", ""), "trial": ("", "")}
COLUMNS |= {"cadence": ("steps/min", "mean over all cycles"), "step_length_left": ("m", "left side")}
DAYS = {("A", "late"): 2, ("A", "early"): 1, ("B", "1"): 1, ("B", "2"): 2, ("C", "1"): 1, ("C", "2"): 2, ("D", "1"): 1}
DAYS |= {("D", "2"): 2, ("D", "3"): 3}


def exported(rows: list[tuple], folder: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    table = pd.DataFrame(rows, columns=list(COLUMNS))
    monkeypatch.setattr(export, "walks_table", lambda study, results: (table, COLUMNS, {}))
    study = SimpleNamespace(
        subjects=dict.fromkeys("ABCD"),
        measured_sessions=[SessionKey(*key) for key in DAYS],
        date_of=lambda key: datetime.date(2020, 1, DAYS[tuple(key)]),
    )
    assert export.write(study, folder, folder / "out") == {}
    return pd.read_csv(folder / "out/repeatability.csv", keep_default_na=False)


def test_a_visit_is_the_mean_of_its_walks_and_visits_are_in_the_order_of_time(tmp_path, monkeypatch) -> None:
    rows = [
        *[("A", "late", None, "1", 104.0, np.nan), ("A", "early", None, "1", 100.0, 0.5)],
        *[("A", "early", None, "2", 102.0, 0.5), ("B", "1", None, "1", 110.0, 0.6), ("B", "2", None, "1", 109.0, 0.6)],
        *[("C", "1", None, "1", 120.0, 0.7), ("C", "2", None, "1", 122.0, 0.7), ("D", "1", None, "1", 90.0, 0.4)],
        ("C", "2", "barefoot", "1", 130.0, 0.8),
    ]
    (row,) = exported(rows, tmp_path, monkeypatch).itertuples()
    expected = repeatability(np.array([[101.0, 104.0], [110.0, 109.0], [120.0, 122.0]]))
    assert (row.condition, row.value, row.unit, row.subjects, row.visits) == ("", "cadence", "steps/min", 3, 2)
    for name in ("icc", "icc_low", "icc_high", "sem", "mdc", "bias", "low", "high"):
        assert getattr(row, name) == pytest.approx(getattr(expected, name), rel=1e-5), name


def test_a_second_visit_is_not_taken_for_a_first_one_that_lacks_the_value(tmp_path, monkeypatch) -> None:
    known = [(subject, visit, None, "1", 100.0, 0.5) for subject in "BC" for visit in "12"]
    known += [("A", visit, None, "1", 101.0, 0.6) for visit in ("early", "late")]
    lacking = [("D", visit, None, "1", cadence, 0.7) for visit, cadence in zip("123", (np.nan, 90, 120), strict=True)]
    cadence, step_length = exported([*known, *lacking], tmp_path, monkeypatch).itertuples()
    assert (cadence.subjects, cadence.sem) == (3, 0.0)
    assert step_length.subjects == 4


def test_a_study_of_single_visits_is_told_what_it_takes(tmp_path, monkeypatch) -> None:
    rows = [(subject, "1", None, "1", 100.0, 0.5) for subject in "BCD"]
    with pytest.raises(ResultsError, match="no condition has values of 3 subjects at two visits"):
        exported(rows, tmp_path, monkeypatch)
