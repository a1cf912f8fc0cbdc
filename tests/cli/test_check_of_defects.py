"""A defect of the program is not called a failure of the trial by the check, as the run does not."""

from __future__ import annotations

import functools
import importlib
from pathlib import Path

import pytest

from pipeline.cli import main
from tests.studies.bench import FIRST_DAY, make_bench


@pytest.mark.parametrize(
    ("stage", "named"),
    [("ingest", "2 of 2 trials will be incomplete"), ("inverse_dynamics", "1 of 2 trials will be incomplete")],
)
def test_the_check_tells_a_defect_of_the_program_from_a_failed_trial(
    stage: str, named: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    module = importlib.import_module(f"pipeline.stages.{stage}")

    @functools.wraps(module.run)
    def planted(*_args: object, **_named: object) -> None:
        raise ValueError("planted")

    monkeypatch.setattr(module, "run", planted)
    assert main(["check", str(make_bench(tmp_path, FIRST_DAY).study)]) == 1
    told = capsys.readouterr().out
    assert f"{named}, for a defect of the program, which please report" in told
    assert f"w at {stage.replace('_', ' ')}: a defect of the program, ValueError: planted" in told
    assert "will fail" not in told
