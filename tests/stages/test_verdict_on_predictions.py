"""Which predictions make a study fail: those that were asked for and not found, not those without a walk to follow."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.config import Configuration, Prediction
from pipeline.provenance import Provenance
from pipeline.results import Failure, write_failure
from pipeline.stages.study import verdict


@pytest.mark.parametrize(("step", "status"), [("measured walk", 0), ("predict", 1)])
def test_a_prediction_without_a_walk_to_follow_is_told_and_does_not_fail_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], step: str, status: int
) -> None:
    row = Prediction(prediction="p", subject="Ann", trial="w")
    study = SimpleNamespace(trials={}, predictions={"p": row}, configuration=Configuration())
    reason = "walk w: it has no whole gait cycle to predict"
    write_failure(tmp_path / "predictions/p.h5", Failure("p", step, reason), Provenance("predict"))
    assert verdict(study, tmp_path, tmp_path / "verdict.txt") == status  # type: ignore[arg-type]
    assert reason in capsys.readouterr().err
    assert (tmp_path / "verdict.txt").exists() == (status == 0)
