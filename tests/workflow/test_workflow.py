"""The workflow on small studies: the batch goes on, edits rerun what they touch, and nothing runs without a reason."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from pipeline import open_trial
from pipeline.results import read_stage, read_status
from pipeline.trial import RawTrial

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "pipeline", "profiles", "config", "reports/templates")


DEMO = ROOT / "data/demo"
QUICK = "whole_body: {enabled: false}\n"
"""What these tests are about does not need the whole skeleton, which costs most of a walk's time."""


@dataclass(frozen=True)
class Run:
    status: int
    text: str

    def jobs(self) -> dict[str, int]:
        """Number of jobs by rule, from the statistics that snakemake prints."""
        return {rule: int(count) for rule, count in re.findall(r"^([\w.]+) +(\d+)$", self.text, re.MULTILINE)}


@dataclass(frozen=True)
class Bench:
    """A copy of the workflow, and a study elsewhere."""

    home: Path
    study: Path

    def run(self, *options: str) -> Run:
        command = [sys.executable, "-m", "snakemake", "--snakefile", str(self.home / "Snakefile")]
        done = subprocess.run(
            [*command, "--directory", str(self.study), "--cores", "2", *options],
            cwd=self.study,
            env={**os.environ, "PYTHONPATH": ""},
            capture_output=True,
            text=True,
            timeout=300,
        )
        return Run(done.returncode, done.stdout + done.stderr)

    def raw(self, trial: str) -> Path:
        return self.study / f"data/results/{trial}/raw.h5"

    def edit(self, module: str) -> None:
        with (self.home / "pipeline" / module).open("a") as stream:
            stream.write("\n# a remark\n")


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    bench = Bench(tmp_path / "pipeline's home", tmp_path / "my study")
    ignore = shutil.ignore_patterns("__pycache__")
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, bench.home / name, ignore=ignore)
        else:
            bench.home.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, bench.home / name)
    config = bench.study / "config"
    config.mkdir(parents=True)
    (config / "config.yaml").write_text(QUICK)
    (config / "subjects.tsv").write_text("subject\tsex\nAnn\tf\n")
    (config / "trials.tsv").write_text(
        "trial\tsubject\tkind\tfile\nstill\tAnn\tstatic\tstill.c3d\n"
        "w1\tAnn\twalk\tit's $HOME; 1.c3d\nw2\tAnn\twalk\tw2.c3d\n"
    )
    (bench.study / "data/raw").mkdir(parents=True)
    for source, name in (("static", "still"), ("walk", "it's $HOME; 1"), ("walk_back", "w2")):
        shutil.copy(DEMO / f"{source}.c3d", bench.study / f"data/raw/{name}.c3d")
    return bench


def test_a_broken_file_and_a_walk_without_a_step_are_named_after_all_else_is_done(bench: Bench) -> None:
    broken = bench.study / "data/raw/w2.c3d"
    broken.write_bytes(b"garbage")
    table = bench.study / "config/trials.tsv"
    table.write_text(table.read_text() + "standing\tAnn\twalk\tstill.c3d\n")

    run = bench.run()
    assert run.status != 0
    assert "1 of 4 trials failed" in run.text
    assert re.search(r"w2 failed at ingest: w2\.c3d: .+", run.text)
    assert "Traceback" not in run.text
    page = (bench.study / "reports/index.html").read_text()
    assert "w2.c3d" in page, "the broken file's reason stands on the study's page"
    assert re.search(r"standing.*begins or ends outside the recording", page, re.DOTALL), (
        "so does that of the walk without a step"
    )
    for trial in ("w1", "standing", "w2"):
        assert (bench.study / f"reports/{trial}.html").is_file()
    for trial in ("still", "w1"):
        assert read_stage(bench.raw(trial), RawTrial).name == trial
    assert read_status(bench.study / "data/results/w1.h5")[1] is None
    for path in (bench.raw("w2"), bench.study / "data/results/w2.h5"):
        _, failure = read_status(path)
        assert failure is not None
        assert (failure.trial, failure.step, failure.defect) == ("w2", "ingest", False)

    assert bench.run().status != 0, "a failed trial stays one until it is mended"
    shutil.copy(DEMO / "walk_back.c3d", broken)
    run = bench.run()
    assert run.status == 0, run.text
    assert run.jobs()["ingest"] == run.jobs()["gather"] == 1
    assert read_stage(bench.raw("w2"), RawTrial).name == "w2"


def test_editing_a_module_that_a_step_uses_reruns_it_and_otherwise_nothing_runs(bench: Bench) -> None:
    assert bench.run().status == 0
    assert "Nothing to be done" in bench.run().text

    bench.edit("steps/gather.py")
    jobs = bench.run("--dry-run").jobs()
    assert jobs["gather"] == 2
    assert "ingest" not in jobs
    bench.edit("math3d/rotations.py")
    assert bench.run("--dry-run").jobs()["ingest"] == 3
    bench.run()
    (bench.study / "config/config.yaml").write_text(QUICK + "loads: {axes: proximal}\n")
    jobs = bench.run("--dry-run").jobs()
    assert jobs["cycles"] == 2
    assert "inverse_dynamics" not in jobs
    (bench.study / "config/config.yaml").write_text(QUICK + "axes: {up: +z}\n")
    assert bench.run("--dry-run").jobs()["ingest"] == 3


def test_a_killed_job_leaves_no_file_lets_the_others_finish_and_runs_again(bench: Bench) -> None:
    step = bench.home / "pipeline/steps/ingest.py"
    source = step.read_text()
    kill = "    import os\n    if name == 'still':\n        os.kill(os.getpid(), 9)\n"
    head, body = source.split("    try:\n", 1)
    step.write_text(f"{head}{kill}    try:\n{body}")
    run = bench.run()
    assert run.status != 0
    assert not bench.raw("still").exists()
    assert [path.name for path in (bench.study / "data/results").glob("*/*")] == ["raw.h5", "raw.h5"]
    step.write_text(source)
    run = bench.run()
    assert run.status == 0, run.text
    assert bench.raw("still").exists()


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


def test_predictions_are_jobs_by_subject_and_preset_and_a_page_each_and_rerun_with_what_they_need(bench: Bench) -> None:
    (bench.study / "config/predictions.tsv").write_text(
        "prediction\tsubject\tspeed_m_s\tstep_length_m\tpreset\nraw\tAnn\t1.2\t0.6\thuman\n"
        "b\tAnn\t1.1\t0.6\t\nc\tAnn\t1.2\t0.6\tthesis\n"
    )
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["predict_Ann_human_step"], jobs["predict_Ann_thesis_step"], jobs["prediction_report"]) == (1, 1, 3)
    assert jobs["ingest"] == 3
    assert jobs["report"] == 2, "the page of a prediction is no trial's"
    assert (jobs["prediction_comparison"], jobs["predicted_vs_measured"]) == (3, 1)
    assert "whole_body" not in jobs, "no prediction names a measured walk"


def test_a_prediction_of_a_measured_walk_brings_that_walk_s_skeleton_and_no_other(bench: Bench) -> None:
    (bench.study / "config/predictions.tsv").write_text("prediction\ttrial\nown\tw1\n")
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["predict_Ann_human_step.w1"], jobs["whole_body"]) == (1, 1)
    (bench.study / "config/predictions.tsv").unlink()
    (bench.study / "config/config.yaml").write_text("prediction: {walks: all}\n")
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["whole_body"], jobs["prediction_report"]) == (2, 2)


def test_a_prediction_that_fails_is_named_after_all_else_is_done(bench: Bench) -> None:
    (bench.study / "config/predictions.tsv").write_text(
        "prediction\tsubject\tspeed_m_s\tstep_length_m\ntoo_fast\tAnn\t3\t0.3\n"
    )
    run = bench.run()
    assert run.status != 0
    assert "1 of 1 predictions failed" in run.text
    assert re.search(r"prediction too_fast failed: .+people need at least 0\.2 s", run.text)
    assert "Traceback" not in run.text
    for page in ("index", "prediction_too_fast"):
        assert "people need at least 0.2 s" in (bench.study / f"reports/{page}.html").read_text()
    assert (bench.study / "reports/w1.html").is_file()
    assert read_status(bench.study / "data/results/w1.h5")[1] is None

    assert (bench.study / "logs/predictions/Ann_human_step.log").read_text().startswith("too_fast: 3 m/s")
    (bench.study / "config/predictions.tsv").unlink()
    run = bench.run()
    assert run.status == 0, run.text
    assert "too_fast" not in (bench.study / "reports/index.html").read_text()


def test_a_walk_that_cannot_go_on_the_skeleton_says_why_and_has_all_else(bench: Bench) -> None:
    """The second walk's marker set has no attachments: no failure of the study, and its own page is whole."""
    (bench.study / "config/config.yaml").write_text("whole_body: {residual_reduction: false}\n")
    (bench.study / "config/marker_sets").mkdir()
    shutil.copy(ROOT / "config/marker_sets/plug_in_gait.yaml", bench.study / "config/marker_sets/own.yaml")
    (bench.study / "config/trials.tsv").write_text(
        "trial\tsubject\tkind\tfile\tmarker_set\nstill\tAnn\tstatic\tstill.c3d\t\n"
        "w1\tAnn\twalk\tit's $HOME; 1.c3d\t\nw2\tAnn\twalk\tw2.c3d\town\n"
    )
    run = bench.run()
    assert run.status == 0, run.text
    assert "1 of 2 walks not on the whole skeleton; all else of them is complete" in run.text
    reason = "Add config/marker_attachments/own.yaml"
    assert re.search(rf"w2: .+{re.escape(reason)}", run.text)
    pages = {
        name: (bench.study / f"reports/{name}.html").read_text()
        for name in ("index", "w1", "w2", "whole_body.w1", "whole_body.w2")
    }
    assert all(reason in pages[name] for name in ("index", "w2", "whole_body.w2"))
    assert all(reason not in pages[name] for name in ("w1", "whole_body.w1"))
    assert 'href="whole_body.w1.html"' in pages["w1"]
    assert "Knee extensor moment" in pages["w2"]

    whole, lacking = (open_trial(bench.study / f"data/results/{name}.h5") for name in ("w1", "w2"))
    assert whole["whole_body/kinematic"]["tau"].sizes["joint"] == 55
    assert reason in lacking["whole_body"].attrs["reason"]
    assert lacking["summary"].attrs["status"] == "ok"
    table = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    on_skeleton = table[table.kind.astype(str).str.startswith("full body")]
    assert set(on_skeleton.trial) == {"w1"}
    (rms,) = on_skeleton[on_skeleton.parameter == "marker_rms"].value
    distance = whole["whole_body/kinematic"]["marker_error"].values
    assert rms == pytest.approx(1000.0 * np.sqrt(np.nanmean(distance**2)))
    assert f"{rms:.1f} mm" in pages["whole_body.w1"]

    (bench.study / "config/config.yaml").write_text("whole_body: {residual_reduction: false, symmetric: true}\n")
    jobs = bench.run("--dry-run").jobs()
    assert jobs["whole_body"] == 2
    assert "cycles" not in jobs
