"""What makes a study fail: trials and predictions without results, results that are not whole; and what does not."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.config import Comparison, Configuration, Prediction, SessionKey, Study, Subject, Trial, TrialKey
from pipeline.provenance import Provenance
from pipeline.reporting import PredictionEntry, StudyEntry
from pipeline.results import Failure, write_failure
from pipeline.stages.study import tell_verdict
from pipeline.workflow.audit import Fault
from pipeline.workflow.framework import Request, execute


def study_of(root: Path, trials: tuple[Trial, ...] = (), predictions: tuple[Prediction, ...] = ()) -> Study:
    return Study(
        root,
        root,
        Configuration(),
        {"Ann": Subject(subject="Ann")},
        {trial.key: trial for trial in trials},
        {row.key: row for row in predictions},
    )


@pytest.mark.parametrize(("step", "status"), [("measured walk", 0), ("predict", 1)])
def test_a_prediction_of_an_unusable_walk_is_reported_and_does_not_fail_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], step: str, status: int
) -> None:
    row = Prediction(prediction="p", subject="Ann", session="day1", trial="w")
    reason = "walk w: it has no whole gait cycle to predict"
    write_failure(tmp_path / "Ann/day1/predictions/p.h5", Failure("p", step, reason), Provenance("predict"))
    study = study_of(tmp_path, predictions=(row,))
    assert tell_verdict(study, tmp_path, tmp_path / "verdict.txt") == status
    assert reason in capsys.readouterr().err
    assert (tmp_path / "verdict.txt").exists() == (status == 0)


def test_a_trial_whose_job_was_stopped_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk = Trial(trial="w", subject="Ann", session="day1", kind="walk", file="w.c3d")
    assert tell_verdict(study_of(tmp_path, (walk,)), tmp_path, None) == 1
    assert "Ann/day1/w failed at run: its session was not computed" in capsys.readouterr().err


def test_a_reason_that_several_trials_share_is_told_once(tmp_path: Path, capsys, monkeypatch) -> None:
    static, own = "static trial s: no leg length", "trial d: no cycle"
    reasons = {"a": static, "b": static, "d": own, "c": static, "e": "trial e: no cycle"}
    entries = [
        StudyEntry("Ann", name, reason=reason, failed_step="kinematics", cycles=(0, 0))
        for name, reason in reasons.items()
    ]
    monkeypatch.setattr("pipeline.workflow.verdict.entries_of", lambda study, results: entries)
    trials = tuple(Trial(trial=name, subject="Ann", kind="walk", file=f"{name}.c3d") for name in reasons)
    assert tell_verdict(study_of(tmp_path, trials), tmp_path, None) == 1
    told = capsys.readouterr().err.splitlines()
    at = told.index("5 of 5 trials failed; the others are complete:")
    assert told[at + 1 : at + 5] == [
        f"  Ann/1/a failed at kinematics: {static}",
        "    2 more failed for the same reason: Ann/1/b, Ann/1/c",
        f"  Ann/1/d failed at kinematics: {own}",
        "    1 more failed for the same reason: Ann/1/e",
    ]


def test_a_refused_walk_fails_the_study_with_its_reason(tmp_path: Path, capsys, monkeypatch) -> None:
    entry = StudyEntry("Ann", "w", refusals=("legs: on the other side", "left knee: bent backwards"), cycles=(1, 1))
    monkeypatch.setattr("pipeline.workflow.verdict.entries_of", lambda study, results: [entry])
    walk = Trial(trial="w", subject="Ann", session="day1", kind="walk", file="w.c3d")
    study = study_of(tmp_path, (walk,))
    assert tell_verdict(study, tmp_path, tmp_path / "verdict.txt") == 1
    told = capsys.readouterr().err
    assert "1 of 1 walks refused" in told
    assert "Ann/1/w: legs: on the other side" in told
    assert not (tmp_path / "verdict.txt").exists()


def test_a_walk_that_lacks_results_for_a_defect_of_the_program_fails_the_study(tmp_path, capsys, monkeypatch) -> None:
    lacking = "muscles: a defect of the program, ValueError: planted"
    entry = StudyEntry("Ann", "w", defects=(lacking,), cycles=(1, 1), kinetic_cycles=(1, 1))
    assert entry.status == "incomplete"
    monkeypatch.setattr("pipeline.workflow.verdict.entries_of", lambda study, results: [entry])
    walk = Trial(trial="w", subject="Ann", session="day1", kind="walk", file="w.c3d")
    assert tell_verdict(study_of(tmp_path, (walk,)), tmp_path, tmp_path / "verdict.txt") == 1
    told = capsys.readouterr().err
    assert "1 of 1 trials incomplete because of a defect of the program" in told
    assert f"Ann/1/w lacks {lacking}" in told
    assert not (tmp_path / "verdict.txt").exists()


@pytest.mark.parametrize("stage", ["walks_comparison", "walks_comparison_report"])
def test_a_comparison_that_a_defect_of_the_program_took_fails_the_study(stage, tmp_path, capsys, monkeypatch) -> None:
    """In its values, or in its page alone, which leaves no file of values."""
    monkeypatch.chdir(tmp_path)
    row = Comparison(comparison="c", subject="Ann", first_session="pre", second_session="post")
    study = replace(study_of(Path()), comparisons=(row,))
    results = Path("data/results")
    values, page = results / "Ann/post/walks_compared/c.h5", Path("reports/Ann/post/comparisons/c.html")

    def planted() -> None:
        raise ValueError("planted")

    module = SimpleNamespace(run=planted)
    if stage == "walks_comparison_report":
        module.on_failure = lambda output, failure: output.write_text(failure.reason)
    monkeypatch.setitem(sys.modules, f"pipeline.stages.{stage}", module)
    execute(Request(stage, "c", {}, page if hasattr(module, "on_failure") else values))
    assert tell_verdict(study, results, Path("verdict.txt")) == 1
    assert f"Ann/post/c lacks {stage}: a defect of the program, ValueError: planted" in capsys.readouterr().err


def test_results_that_are_not_whole_fail_the_study_and_a_session_that_was_not_computed_is_told_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    walk = Trial(trial="w", subject="Ann", session="day1", kind="walk", file="w.c3d")
    study, output = study_of(tmp_path, (walk,)), tmp_path / "verdict.txt"
    own = Fault(Path("data/results/Ann/day1/raw"), "is missing", SessionKey("Ann", "day1"))
    assert tell_verdict(study, tmp_path, output, [own]) == 1
    assert "out-of-date" not in capsys.readouterr().err
    entry = StudyEntry("Ann", "w", session="day1", cycles=(1, 1))
    monkeypatch.setattr("pipeline.workflow.verdict.entries_of", lambda study, results: [entry])
    assert tell_verdict(study, tmp_path, output, [own]) == 1
    told = capsys.readouterr().err
    assert "missing, damaged or out-of-date results: 1; run again" in told
    assert "data/results/Ann/day1/raw: is missing" in told
    assert not output.exists()
    assert tell_verdict(study, tmp_path, output) == 0
    assert output.exists()


def test_what_people_do_not_show_of_a_prediction_is_told_and_does_not_fail_the_study(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    slips = ("contact of the feet: a contact point slips at 17.7 cm/s", "ankle power: reaches 7.7 W/kg")
    entry = PredictionEntry("p", "Ann", "day1", "", 1.2, 0.6, "thesis", warnings=slips)
    monkeypatch.setattr("pipeline.workflow.verdict.predictions_of", lambda study, results: (entry,))
    assert tell_verdict(study_of(tmp_path), tmp_path, tmp_path / "verdict.txt") == 0
    told = "".join(capsys.readouterr())
    assert "1 of 1 predicted walks have features that people do not show" in told
    assert "prediction Ann/day1/p: contact of the feet: a contact point slips at 17.7 cm/s; and 1 more" in told


def test_one_skipped_trial_is_one_of_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    walk = Trial(trial="w", subject="Ann", session="day1", kind="walk", file="w.c3d")
    study = replace(study_of(tmp_path, (walk,)), skipped=(TrialKey("Ann", "day1", "cut"),))
    tell_verdict(study, tmp_path, None)
    told = "1 of 2 trials skipped, because 'kind' is blank in config/trials.tsv:\n  Ann/day1/cut\n"
    assert told in capsys.readouterr().err
