"""Failed trials and predictions in the workflow: each is named with its reason, and all other results are complete."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline import open_trial
from pipeline.cli import main
from pipeline.config import load_study
from pipeline.results import read_failure, read_stage
from pipeline.synthetic import standing, walk
from pipeline.trial import RawTrial
from pipeline.workflow.outcomes import failures
from tests.studies.bench import DEMO, FIRST_DAY, ROOT, TRIALS, Bench, copied_workflow, make_bench

pytestmark = pytest.mark.long


def test_broken_and_missing_files_and_a_failed_prediction_are_named_after_all_else_is_done(bench: Bench) -> None:
    broken = bench.study / "data/raw/w2.c3d"
    broken.write_bytes(b"garbage")
    table = bench.study / "config/trials.tsv"
    table.write_text(TRIALS + "standing\tAnn\tday2\t\twalk\tstill.c3d\ngone\tAnn\tday2\t\twalk\tgone.c3d\n")

    predictions = bench.study / "config/predictions.tsv"
    predictions.write_text("prediction\tsubject\tsession\tspeed_m_s\tstep_length_m\ntoo_fast\tAnn\tday1\t3\t0.3\n")

    checked = dict(failures(load_study(bench.study, ROOT), lambda key: None))
    run = bench.run()
    assert run.status != 0
    assert "2 of 6 trials failed" in run.text
    assert len(checked) == 2
    for key, failure in checked.items():
        assert f"{key} failed at {failure.step}: {failure.reason}" in run.text, "as gait check says"
    assert re.search(r"Ann/day2/w failed at ingest: w2\.c3d: .+", run.text)
    assert "Ann/day2/gone failed at ingest: gone.c3d: there is no such file" in run.text
    assert "Traceback" not in run.text
    assert "ingest, Ann/day2: standing done" in run.text, "progress by name"
    assert "ingest, Ann/day2: w failed" in run.text
    page = (bench.study / "reports/index.html").read_text()
    assert "w2.c3d" in page, "the broken file's reason is on the study's page"
    assert re.search(r"Walks</dt>\s*<dd>4</dd>.*Static trials</dt>\s*<dd>2</dd>", page, re.DOTALL), (
        "as the verdict counts"
    )
    assert re.search(r"standing.*begins or ends outside the recording", page, re.DOTALL), (
        "so is that of the walk without a step"
    )
    for name in ("w", "gone", "standing", "average"):
        assert bench.page("day2", name)
    for session, trial in (("day1", "w"), ("day2", "still")):
        assert read_stage(bench.file(session, "raw", trial), RawTrial).name == trial
    assert open_trial(bench.study / "data/results/Ann/day1/w")["summary"].attrs["status"] == "ok"
    for stage in ("raw", "kinematics", "summary"):
        failure = read_failure(bench.file("day2", stage, "w"))
        assert failure is not None
        assert (failure.trial, failure.step, failure.defect) == ("w", "ingest", False)
    scalars = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    assert set(scalars.trial) == {"w", "standing", ""}, "gone and broken files are in no table"

    assert "1 of 1 predictions failed" in run.text
    assert re.search(r"prediction Ann/day1/too_fast failed: .+the minimum is 0\.2 s", run.text)
    for name in ("index", "Ann/day1/predictions/too_fast"):
        assert "the minimum is 0.2 s" in (bench.study / f"reports/{name}.html").read_text()
    assert bench.page("day1", "w")
    assert "too_fast: 3 m/s" in (bench.study / "logs/Ann/day1/predict.log").read_text()

    predictions.unlink()
    shutil.copy(DEMO / "walk_back.c3d", broken)
    shutil.copy(DEMO / "walk.c3d", bench.study / "data/raw/gone.c3d")
    run = bench.run()
    assert run.status == 0, run.text
    assert "all 6 trials are complete" in run.text
    assert "too_fast" not in (bench.study / "reports/index.html").read_text()
    assert run.jobs()["ingest"] == run.jobs()["report"] == 1, "the other session is not computed again"
    assert read_stage(bench.file("day2", "raw", "w"), RawTrial).name == "w"

    before = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    assert "gone" in set(before.trial)
    (bench.study / "data/raw/gone.c3d").unlink()
    run = bench.run()
    assert "1 of 6 trials failed" in run.text
    scalars = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    assert "gone" not in set(scalars.trial), "what was computed from it is kept out until it is back"


def test_a_defect_in_a_stage_makes_its_walks_incomplete_and_takes_no_other_result(tmp_path: Path) -> None:
    """Planted in four stages of a copy of the workflow."""
    home = copied_workflow(tmp_path)
    stages = {"summary": "summarise", "plausibility": "replace", "emg": "muscle_activity"}
    stages |= {"cutoff_peaks": "cutoff_peaks"}
    for name, computed in stages.items():
        stage = home / f"pipeline/stages/{name}.py"
        planted = f'    raise ValueError("planted")\n    return {computed}('
        assert f"    return {computed}(" in stage.read_text()
        stage.write_text(stage.read_text().replace(f"    return {computed}(", planted))
    bench = make_bench(tmp_path, FIRST_DAY, home=home)
    run = bench.run()
    assert run.status != 0
    assert "1 of 2 trials incomplete because of a defect of the program; please report it with the logs." in run.text
    why = "a defect of the program, ValueError: planted"
    assert f"Ann/day1/w lacks summary: {why}; plausibility: {why}; emg: {why}; cutoff_peaks: {why}" in run.text
    index = (bench.study / "reports/index.html").read_text()
    assert f"emg: {why}" in index
    assert f"were not made: {why}" in bench.page("day1", "w")
    findings = pd.read_parquet(bench.study / "data/results/study_findings.parquet")
    assert list(findings.about) == ["checks"]
    assert 'data-status="incomplete"' in index
    assert open_trial(bench.study / "data/results/Ann/day1/w")["cycles"].attrs["status"] == "ok"
    assert "Knee extensor moment" in bench.page("day1", "w")
    curves = pd.read_parquet(bench.study / "data/results/study_curves.parquet")
    assert set(curves.kind) == {"cycle"}, "each cycle's, without averages"


def test_a_misspelt_key_or_a_setting_on_the_command_line_is_refused_before_any_job(bench: Bench) -> None:
    (bench.study / "config/config.yaml").write_text("filter: {marker: 5}\n")
    run = bench.run()
    assert run.status != 0
    assert "line 1, in filter: unknown key 'marker'; did you mean 'markers'?" in run.text
    assert "Traceback" not in run.text
    assert not (bench.study / "data/results").exists()
    run = bench.run("--config", "filter=5")
    assert run.status != 0
    assert "config/config.yaml only" in run.text


def test_a_walk_without_skeleton_has_the_reason_and_all_other_results(bench: Bench) -> None:
    """The second walk's marker set is not attached to the skeleton: no failure of the study, and its page is whole."""
    without = "muscles: {enabled: false}\nwhole_body: {residual_reduction: false"
    (bench.study / "config/config.yaml").write_text(without + "}\n")
    (bench.study / "config/marker_sets").mkdir()
    text = (ROOT / "config/marker_sets/plug_in_gait.yaml").read_text()
    (bench.study / "config/marker_sets/own.yaml").write_text(text[: text.index("\nskeleton:")])
    (bench.study / "config/trials.tsv").write_text(
        "trial\tsubject\tsession\tkind\tfile\tmarker_set\nstill\tAnn\tday1\tstatic\tstill.c3d\t\n"
        "w1\tAnn\tday1\twalk\tit's $HOME; 1.c3d\t\nw2\tAnn\tday1\twalk\tw2.c3d\town\n"
    )
    run = bench.run()
    assert run.status == 0, run.text
    assert "1 of 2 walks not on the whole skeleton; their other results are complete" in run.text
    reason = "Add it after the pattern of config/marker_sets/plug_in_gait.yaml"
    assert re.search(rf"Ann/day1/w2: .+{re.escape(reason)}", run.text)
    pages = {name: bench.page("day1", name) for name in ("w1", "w2", "whole_body.w1", "whole_body.w2")}
    pages["index"] = (bench.study / "reports/index.html").read_text()
    assert all(reason in pages[name] for name in ("index", "w2", "whole_body.w2"))
    assert all(reason not in pages[name] for name in ("w1", "whole_body.w1"))
    assert 'href="whole_body.w1.html"' in pages["w1"]
    assert "Knee extensor moment" in pages["w2"]

    whole, lacking = (open_trial(bench.study / f"data/results/Ann/day1/{name}") for name in ("w1", "w2"))
    assert whole["whole_body/kinematic"]["tau"].sizes["joint"] == 55
    assert reason in lacking["whole_body"].attrs["reason"]
    assert lacking["summary"].attrs["status"] == "ok"
    table = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    on_skeleton = table[table.kind.astype(str).str.startswith("whole body")]
    assert set(on_skeleton.trial) == {"w1"}
    (rms,) = on_skeleton[on_skeleton.parameter == "marker_error_rms"].value
    distance = whole["whole_body/kinematic"]["marker_error"].values
    assert rms == pytest.approx(1000.0 * np.sqrt(np.nanmean(distance**2)))
    assert f"{rms:.1f} mm" in pages["whole_body.w1"]

    (bench.study / "config/config.yaml").write_text(without + ", symmetric: true}\n")
    jobs = bench.run("--dry-run").jobs()
    assert jobs["whole_body"] == 1
    assert "cycles" not in jobs


def test_the_check_foresees_the_walks_that_the_skeleton_is_not_fitted_to(tmp_path: Path, capsys) -> None:
    """Without a plate and an entered mass nothing tells the body mass; the legs' motion is computed all the same."""
    (tmp_path / "files/Ann").mkdir(parents=True)
    for trial in (standing(), walk()):
        subject = replace(trial.subject, other_parameters=trial.subject.parameters() | {"Bodymass": 0.0})
        replace(trial, subject=subject, plates=(), plate_loads_G=()).write(tmp_path / f"files/Ann/{trial.name}.c3d")
    assert main(["new", str(tmp_path / "study"), "--from", str(tmp_path / "files")]) == 0
    capsys.readouterr()
    assert main(["check", str(tmp_path / "study")]) == 0
    text = capsys.readouterr().out
    assert "1 of 1 walks will have all results except those on the whole skeleton:" in text
    assert re.search(r"Ann/1: walk at whole body: .*the body mass is not known", text), text
    assert "ready" in text
