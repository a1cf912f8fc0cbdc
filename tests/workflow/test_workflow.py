"""The workflow on small studies: a failed trial stops no other, edits rerun what they affect, and nothing else runs."""

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

pytestmark = pytest.mark.long

ROOT = Path(__file__).resolve().parents[2]
PARTS = ("Snakefile", "pipeline", "profiles", "config", "reports/templates")


DEMO = ROOT / "data/demo"
QUICK = "whole_body: {enabled: false}\n"
"""What these tests are about does not need the whole skeleton, which costs most of a walk's time."""


TRIALS = (
    "trial\tsubject\tsession\tcondition\tkind\tfile\n"
    "still\tAnn\tday1\t\tstatic\tstill.c3d\nw\tAnn\tday1\tbarefoot\twalk\tit's $HOME; 1.c3d\n"
    "still\tAnn\tday2\t\tstatic\tstill.c3d\nw\tAnn\tday2\t\twalk\tw2.c3d\n"
)


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
            [*command, "--directory", str(self.study), "--cores", "2", "--quiet", "rules", *options],
            cwd=self.study,
            env={**os.environ, "PYTHONPATH": ""},
            capture_output=True,
            text=True,
            timeout=900,
        )
        return Run(done.returncode, done.stdout + done.stderr)

    def file(self, session: str, stage: str, trial: str) -> Path:
        return self.study / f"data/results/Ann/{session}/{stage}/{trial}.h5"

    def page(self, session: str, name: str) -> str:
        return (self.study / f"reports/Ann/{session}/walks/{name}.html").read_text()

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
    (config / "trials.tsv").write_text(TRIALS)
    (bench.study / "data/raw").mkdir(parents=True)
    for source, name in (("static", "still"), ("walk", "it's $HOME; 1"), ("walk_back", "w2")):
        shutil.copy(DEMO / f"{source}.c3d", bench.study / f"data/raw/{name}.c3d")
    return bench


def test_broken_and_missing_files_are_named_after_all_else_is_done(bench: Bench) -> None:
    broken = bench.study / "data/raw/w2.c3d"
    broken.write_bytes(b"garbage")
    table = bench.study / "config/trials.tsv"
    table.write_text(TRIALS + "standing\tAnn\tday2\t\twalk\tstill.c3d\ngone\tAnn\tday2\t\twalk\tgone.c3d\n")

    run = bench.run()
    assert run.status != 0
    assert "2 of 6 trials failed" in run.text
    assert re.search(r"Ann/day2/w failed at ingest: w2\.c3d: .+", run.text)
    assert "Ann/day2/gone failed at ingest: gone.c3d: there is no such file" in run.text
    assert "Traceback" not in run.text
    assert "ingest, Ann/day2: standing done" in run.text, "progress by name"
    assert "ingest, Ann/day2: w failed" in run.text
    page = (bench.study / "reports/index.html").read_text()
    assert "w2.c3d" in page, "the broken file's reason is on the study's page"
    assert re.search(r"standing.*begins or ends outside the recording", page, re.DOTALL), (
        "so is that of the walk without a step"
    )
    for name in ("w", "gone", "standing", "average"):
        assert bench.page("day2", name)
    for session, trial in (("day1", "w"), ("day2", "still")):
        assert read_stage(bench.file(session, "raw", trial), RawTrial).name == trial
    assert open_trial(bench.study / "data/results/Ann/day1/w")["summary"].attrs["status"] == "ok"
    for stage in ("raw", "kinematics", "summary"):
        _, failure = read_status(bench.file("day2", stage, "w"))
        assert failure is not None
        assert (failure.trial, failure.step, failure.defect) == ("w", "ingest", False)
    scalars = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    assert set(scalars.trial) == {"w", "standing", ""}, "gone and broken files are in no table"

    assert bench.run().status != 0, "a failed trial stays one until it is mended"
    shutil.copy(DEMO / "walk_back.c3d", broken)
    shutil.copy(DEMO / "walk.c3d", bench.study / "data/raw/gone.c3d")
    run = bench.run()
    assert run.status == 0, run.text
    assert "all 6 trials are complete" in run.text
    assert run.jobs()["ingest"] == run.jobs()["report"] == 1, "the other session is not computed again"
    assert read_stage(bench.file("day2", "raw", "w"), RawTrial).name == "w"

    (bench.study / "data/raw/gone.c3d").unlink()
    run = bench.run()
    assert "1 of 6 trials failed" in run.text
    scalars = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    assert "gone" not in set(scalars.trial), "what was computed from it is kept out until it is back"


def test_edits_rerun_what_they_affect_and_a_damaged_or_older_file_is_never_used(bench: Bench) -> None:
    assert bench.run().status == 0
    assert "Nothing to be done" in bench.run().text
    bench.edit("stages/inverse_dynamics.py")
    jobs = bench.run("--dry-run").jobs()
    assert jobs["inverse_dynamics"] == 2
    assert "kinematics" not in jobs
    bench.edit("math3d/rotations.py")
    assert bench.run("--dry-run").jobs()["ingest"] == 2
    assert bench.run().status == 0
    before = bench.file("day1", "cycles", "w").read_bytes()
    (bench.study / "config/config.yaml").write_text(QUICK + "axes: {up: +z}\n")
    assert bench.run("--dry-run").jobs()["ingest"] == 2

    stored = bench.file("day1", "kinematics", "w")
    content = bytearray(stored.read_bytes())
    content[len(content) // 2] ^= 3
    stored.write_bytes(content)
    (bench.study / "config/config.yaml").write_text(QUICK + "loads: {axes: proximal}\n")
    jobs = bench.run("--dry-run").jobs()
    assert jobs["cycles"] == 2
    assert "inverse_dynamics" not in jobs
    run = bench.run()
    assert run.status != 0
    assert re.search(r"kinematics/w\.h5: is damaged.+Run the workflow again.+kinematics\.damaged", run.text)
    assert "Traceback" not in run.text
    (bench.study / "config/config.yaml").write_text(QUICK)
    run = bench.run()
    assert run.status == 0, run.text
    assert run.jobs()["kinematics"] == 1, "only what was damaged is computed again"
    assert bench.file("day1", "cycles", "w").read_bytes() == before

    older = bench.study / "data/raw/w2.c3d"
    shutil.copy(DEMO / "walk.c3d", older)
    os.utime(older, (1e9, 1e9))
    assert bench.run("--dry-run").jobs()["ingest"] == 1, "a file that was replaced by an older one"


def test_a_killed_job_fails_only_its_session_until_the_next_run(bench: Bench) -> None:
    module = bench.home / "pipeline/stages/ingest.py"
    source = module.read_text()
    kill = "    import os\n    if file == 'w2.c3d':\n        os.kill(os.getpid(), 9)\n"
    head, body = source.split("    before = file_digest", 1)
    module.write_text(f"{head}{kill}    before = file_digest{body}")
    run = bench.run()
    assert run.status != 0
    assert not bench.file("day2", "raw", "still").parent.exists()
    assert "Ann/day2/w failed at run: its session was not computed" in run.text
    page = (bench.study / "reports/index.html").read_text()
    assert "its session was not computed" in page
    assert bench.page("day1", "w")
    scalars = pd.read_parquet(bench.study / "data/results/study_scalars.parquet")
    assert set(scalars.trial) == {"w", ""}
    module.write_text(source)
    run = bench.run()
    assert run.status == 0, run.text
    assert bench.file("day2", "raw", "w").exists()
    assert "its session was not computed" not in (bench.study / "reports/index.html").read_text()


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


def test_predictions_are_one_job_for_a_session_and_need_what_they_name(bench: Bench) -> None:
    table = bench.study / "config/predictions.tsv"
    table.write_text(
        "prediction\tsubject\tsession\tspeed_m_s\tstep_length_m\tpreset\nraw\tAnn\tday1\t1.2\t0.6\thuman\n"
        "b\tAnn\tday1\t1.1\t0.6\t\nc\tAnn\tday2\t1.2\t0.6\tthesis\n"
    )
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["predict"], jobs["compare"], jobs["predicted_vs_measured"]) == (2, 2, 1)
    assert jobs["ingest"] == jobs["report"] == 2
    assert "whole_body" not in jobs, "no prediction names a measured walk"
    table.write_text("prediction\tsession\ttrial\nown\tday1\tw\n")
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["predict"], jobs["whole_body"]) == (1, 1)
    table.unlink()
    (bench.study / "config/config.yaml").write_text("prediction: {walks: all}\n")
    jobs = bench.run("--dry-run").jobs()
    assert (jobs["whole_body"], jobs["compare"]) == (2, 2)


def test_a_prediction_that_fails_is_named_after_all_else_is_done(bench: Bench) -> None:
    (bench.study / "config/predictions.tsv").write_text(
        "prediction\tsubject\tsession\tspeed_m_s\tstep_length_m\ntoo_fast\tAnn\tday1\t3\t0.3\n"
    )
    run = bench.run()
    assert run.status != 0
    assert "1 of 1 predictions failed" in run.text
    assert re.search(r"prediction Ann/day1/too_fast failed: .+the minimum is 0\.2 s", run.text)
    assert "Traceback" not in run.text
    for page in ("index", "Ann/day1/predictions/too_fast"):
        assert "the minimum is 0.2 s" in (bench.study / f"reports/{page}.html").read_text()
    assert bench.page("day1", "w")
    assert "too_fast: 3 m/s" in (bench.study / "logs/Ann/day1/predict.log").read_text()
    (bench.study / "config/predictions.tsv").unlink()
    run = bench.run()
    assert run.status == 0, run.text
    assert "too_fast" not in (bench.study / "reports/index.html").read_text()


def test_a_walk_without_skeleton_has_the_reason_and_all_other_results(bench: Bench) -> None:
    """The second walk's marker set has no attachments: no failure of the study, and its own page is whole."""
    (bench.study / "config/config.yaml").write_text("whole_body: {residual_reduction: false}\n")
    (bench.study / "config/marker_sets").mkdir()
    shutil.copy(ROOT / "config/marker_sets/plug_in_gait.yaml", bench.study / "config/marker_sets/own.yaml")
    (bench.study / "config/trials.tsv").write_text(
        "trial\tsubject\tsession\tkind\tfile\tmarker_set\nstill\tAnn\tday1\tstatic\tstill.c3d\t\n"
        "w1\tAnn\tday1\twalk\tit's $HOME; 1.c3d\t\nw2\tAnn\tday1\twalk\tw2.c3d\town\n"
    )
    run = bench.run()
    assert run.status == 0, run.text
    assert "1 of 2 walks not on the whole skeleton; all else of them is complete" in run.text
    reason = "Add config/marker_attachments/own.yaml"
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

    (bench.study / "config/config.yaml").write_text("whole_body: {residual_reduction: false, symmetric: true}\n")
    jobs = bench.run("--dry-run").jobs()
    assert jobs["whole_body"] == 1
    assert "cycles" not in jobs
