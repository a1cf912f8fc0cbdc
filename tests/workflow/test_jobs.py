"""What the rules run on a session, and by what they know that it changed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.config import RESULTS, FilterSettings, MuscleSettings, Study, Subject, UncertaintySettings, load_study
from pipeline.workflow import __main__ as command
from pipeline.workflow.audit import shared_files
from pipeline.workflow.jobs import JOBS, MODULES, described, job_digest
from pipeline.workflow.origin import inputs_of
from pipeline.workflow.session_folders import all_sessions, folders_by_rule
from tests.small_study import write_study

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def study() -> Study:
    return load_study(ROOT, ROOT)


def test_a_setting_changes_the_jobs_that_use_it_and_no_other(study: Study) -> None:
    configuration = study.configuration.model_copy(update={"filter": FilterSettings(markers=5.0)})
    other = replace(study, configuration=configuration)
    session = study.measured_sessions[0]
    changed = {rule for rule, job in JOBS.items() if job_digest(job(study, session)) != job_digest(job(other, session))}
    # peak moments at other cut-offs are computed with the cycles; the pages say how it was computed
    assert changed == {"kinematics", "cycles", "whole_body", "uncertainty", "compare", "comparison_pages", "report"}


def test_every_job_has_its_stages_and_each_walk_is_in_them(study: Study) -> None:
    session = study.measured_sessions[0]
    walks = {walk.trial for walk in study.walks_of(session)}
    for rule, job in JOBS.items():
        if rule == "predict":
            continue
        stages = job(study, session)
        modules = [module for module in MODULES.get(rule, (rule,)) if module != "study_tables"]  # written beside them
        assert [stage.stage for stage in stages] == modules
        assert rule in ("compare", "compare_walks", "comparison_pages") or walks <= set(stages[0].trials)


def test_a_comment_that_several_walks_have_is_given_once(study: Study) -> None:
    session = study.measured_sessions[0]
    own = {key: trial.model_copy(update={"notes": "slow"}) for key, trial in study.trials.items()}
    (average, *_) = (stage for stage in JOBS["report"](replace(study, trials=own), session) if "average" in stage.stage)
    names = ", ".join(walk.trial for walk in study.walks_of(session))
    assert [each.settings["comments"] for each in average.trials.values()] == [[f"{names}: slow"]]


def test_without_muscles_no_stage_computes_or_reads_them(study: Study) -> None:
    configuration = study.configuration.model_copy(update={"muscles": MuscleSettings(enabled=False)})
    other, session = replace(study, configuration=configuration), study.measured_sessions[0]
    for own, there in ((study, True), (other, False)):
        assert ("muscles" in [stage.stage for stage in JOBS["whole_body"](own, session)]) is there
        assert ("muscles" in JOBS["report"](own, session)[0].inputs) is there


@pytest.mark.parametrize("weight", [0.0, 3.0])
def test_muscles_read_emg_where_it_is_followed(study: Study, weight: float) -> None:
    muscles = MuscleSettings(emg_weight=weight)
    own = replace(study, configuration=study.configuration.model_copy(update={"muscles": muscles}))
    stages = JOBS["whole_body"](own, study.measured_sessions[0])
    muscles_of_walks = next(stage for stage in stages if stage.stage == "muscles")
    assert ("walk" in muscles_of_walks.inputs) is ("emg" in muscles_of_walks.settings) is (weight > 0.0)


def test_a_setting_of_fatigue_beside_a_walk_does_not_solve_predictions_again(study: Study) -> None:
    """Predictions have no case with a load or with weak muscles, nor EMG; how moments are distributed concerns them."""
    session = next(iter(study.predicted_sessions))

    def digest(**changes: object) -> str:
        muscles = MuscleSettings().model_copy(update=changes)
        configuration = study.configuration.model_copy(update={"muscles": muscles})
        return job_digest(JOBS["predict"](replace(study, configuration=configuration), session))

    assert digest() == digest(carried=5.0, weak={"soleus": 0.3}, emg_weight=3.0)
    assert digest() != digest(weights={})


def test_a_job_of_another_configuration_than_the_workflow_read_is_refused(study: Study, monkeypatch, capsys) -> None:
    monkeypatch.chdir(ROOT)
    subject, session = study.measured_sessions[0]
    arguments = ["workflow", "kinematics", subject, session, "--job", "0" * 16]
    monkeypatch.setattr("sys.argv", arguments)
    assert command.main() == 1
    assert "changed while the workflow ran" in capsys.readouterr().err


def test_an_interpretation_is_read_by_the_pages_of_comparisons_alone(tmp_path: Path) -> None:
    rows = ["trial\tsubject\tsession\tcondition\tkind\tfile"]
    rows += [f"{s}{c}\tAnn\t{s}\t{c}\twalk\t{s}{c}.c3d" for s in ("pre", "post") for c in ("shoes", "bare")]
    study = load_study(write_study(tmp_path, "\n".join(rows)), ROOT)
    session = study.measured_sessions[1]
    before = {rule: job_digest(job(study, session)) for rule, job in JOBS.items() if rule != "compare"}
    path = tmp_path / "data/sessions/Ann/post/interpretation.md"
    path.parent.mkdir(parents=True)
    path.write_text("Better.")
    after = {rule: job_digest(JOBS[rule](study, session)) for rule in before}
    assert {rule for rule in before if before[rule] != after[rule]} == {"comparison_pages"}
    pairs, fours = JOBS["comparison_pages"](study, session)
    assert (len(pairs.trials), len(fours.trials)) == (3, 1)
    assert pairs.inputs["interpretation"] == fours.inputs["interpretation"] == path


@pytest.mark.parametrize(("age", "text"), [(0.9, "0 years"), (1.0, "1 year"), (1.9, "1 year"), (12.0, "12 years")])
def test_an_age_is_in_whole_years_in_the_singular_or_plural(age, text):
    assert dict(described(Subject(subject="Ann", age_years=age), None)) == {"Age": text}


def test_the_audit_notices_a_change_of_every_file_that_jobs_read(study: Study) -> None:
    """Results and recordings it compares for themselves, and the study's configuration as a whole."""
    configuration = study.configuration.model_copy(update={"uncertainty": UncertaintySettings(enabled=True)})
    whole = replace(study, configuration=configuration)
    recordings = {path for trial in whole.trials.values() for path in whole.files_of(trial).values()}
    for session in all_sessions(whole):
        read = {path for rule in folders_by_rule(whole, session) for path in inputs_of(JOBS[rule](whole, session))}
        data = {path for path in read - recordings if path.parts[:2] != RESULTS.parts}
        assert len(data) >= 8
        assert data <= set(shared_files(whole, session))
