"""Time and memory to plan, check and judge studies of many sessions of one walk.

``python -m tests.benchmarks.scale FOLDER --sessions 100 1000 10000`` makes studies without results, whose recordings
are links to the demo's, and runs each until its first job starts. ``--finished COUNT`` also runs one session, copies
its results to COUNT sessions, and measures an idle run: the audit, Snakemake, and the verdict. Times are processor
times.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import time
from pathlib import Path

import h5py
import psutil

from pipeline.config import HOME, RESULTS, load_study
from pipeline.provenance import file_digest
from pipeline.results import seal_folder, verified_digest
from pipeline.results.integrity import seal
from pipeline.workflow.audit import audit
from pipeline.workflow.jobs import JOBS
from pipeline.workflow.origin import code_of, origin_of, write_origin
from pipeline.workflow.session_folders import folders_by_rule
from pipeline.workflow.verdict import verdict

RAW = HOME / "data/demo"
FIRST = "S00000"
STAGES = (
    "raw",
    "kinematics",
    "inverse_dynamics",
    "cycles",
    "cutoff_peaks",
    "summary",
    "emg",
    "plausibility",
    "average",
)


def make(root: Path, sessions: int) -> Path:
    """Make a study of a number of subjects with a static trial and a walk each, in matrix form only."""
    shutil.rmtree(root, ignore_errors=True)
    for part in ("config", "data/raw"):
        (root / part).mkdir(parents=True)
    subjects, trials = ["subject\tsex"], ["trial\tsubject\tkind\tfile"]
    for kind in ("static", "walk"):
        shutil.copy(RAW / f"{kind}.c3d", root / "data/raw")
    for number in range(sessions):
        subjects.append(f"S{number:05}\tf")
        for kind in ("static", "walk"):
            os.link(root / f"data/raw/{kind}.c3d", root / f"data/raw/S{number:05}_{kind}.c3d")
            trials.append(f"{kind}\tS{number:05}\t{kind}\tS{number:05}_{kind}.c3d")
    (root / "config/config.yaml").write_text("whole_body: {enabled: false}\n")
    (root / "config/subjects.tsv").write_text("\n".join(subjects) + "\n")
    (root / "config/trials.tsv").write_text("\n".join(trials) + "\n")
    return root


def timed(*words: str) -> tuple[float, float]:
    """Processor seconds and peak memory, MB, of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, "-m", *words], cwd=HOME, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1024.0  # the largest of all children: studies are measured in rising order


def planned(root: Path) -> tuple[float, float]:
    """Processor seconds and resident memory, MB, of Snakemake when its first job starts; it is ended then."""
    words = [sys.executable, "-m", *snakemake(root, "--quiet", "all")]
    with subprocess.Popen(words, cwd=HOME, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        main = psutil.Process(process.pid)
        while not (jobs := main.children(recursive=True)):
            assert process.poll() is None, "Snakemake ended without a job"
            time.sleep(0.05)
        seconds, memory = sum(main.cpu_times()[:2]), main.memory_info().rss / 2**20
        for child in (main, *jobs):
            child.kill()
    return seconds, memory


def snakemake(root: Path, *options: str) -> tuple[str, ...]:
    """Command line of a run of the workflow."""
    return "snakemake", "--snakefile", str(HOME / "Snakefile"), "--directory", str(root), "--cores", "1", *options


def rename(session: Path, name: str) -> None:
    """Make copied results those of another subject: their trial, and the digests of their inputs, which change too."""
    now: dict[str, str] = {}
    for stage in STAGES:
        for path in sorted((session / stage).glob("*.h5")):
            before = verified_digest(path)
            with h5py.File(path, "r+") as file:
                file.attrs["trial_key"] = file.attrs["trial_key"].replace(FIRST, name)
                inputs = json.loads(file.attrs["inputs"])
                file.attrs["inputs"] = json.dumps(
                    {key: now.get(old, old) for key, old in inputs.items()}, sort_keys=True
                )
            seal(path)
            now[before] = verified_digest(path)


def finish(root: Path, sessions: int) -> None:
    """Results of the first session under the names of all: what an idle run looks at, without computing it.

    Only the study's tables and page are made by a run, from the copies.
    """
    make(root, 1)
    timed("pipeline", "run", str(root), "--cores", "1")
    kept = root.with_name(f"{root.name}.first")
    shutil.rmtree(kept, ignore_errors=True)
    root.rename(kept)
    make(root, sessions)
    os.chdir(root)  # lists and origins name files from the study's folder
    study = load_study(Path(), HOME)
    codes = {rule: code_of(rule) for rule in folders_by_rule(study, next(iter(study.sessions)))}
    for session in study.measured_sessions:
        for part in ("data/results", "reports"):
            shutil.copytree(kept / part / FIRST, Path(part, session.subject), ignore=shutil.ignore_patterns(".digests"))
        rename(session.folder(RESULTS), session.subject)
        for rule, folders in folders_by_rule(study, session).items():
            origin = origin_of(JOBS[rule](study, session), codes[rule], file_digest)
            for folder in folders:
                write_origin(folder, origin)
                seal_folder(folder)
    os.chdir(HOME)
    timed(*snakemake(root, "--touch", "--quiet", "host", "--until", "report"))
    timed("pipeline", "run", str(root), "--cores", "1")


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sessions", type=int, nargs="*", default=[100, 1000])
    parser.add_argument("--finished", type=int, nargs="*", default=[])
    options = parser.parse_args()
    print(f"{'sessions':>10} {'planning s':>11} {'ms a session':>13} {'MB':>7}")
    for count in sorted(options.sessions):
        root = make(options.folder / f"planned{count}", count)
        seconds, memory = planned(root)
        print(f"{count:>10} {seconds:>11.1f} {1000.0 * seconds / count:>13.1f} {memory:>7.0f}", flush=True)
        shutil.rmtree(root)
    for count in sorted(options.finished):
        root = options.folder / f"finished{count}"
        finish(root, count)
        jobs = [json.loads(line) for line in (root / "logs/run.jsonl").read_text().splitlines()]
        for what in ("tables", "page"):
            seconds = sum(job["seconds"] for job in jobs if job["step"] == what)
            print(f"{count:>10} {what}: {seconds:.1f} s, {1000.0 * seconds / count:.1f} ms a walk")
        for what, words in (
            ("Snakemake finds nothing to do", snakemake(root, "--quiet", "host", "--dry-run")),
            ("idle rerun (gait run)", ("pipeline", "run", str(root), "--cores", "1")),
        ):
            seconds, memory = timed(*words)
            print(f"{count:>10} {what}: {seconds:.1f} s, {memory:.0f} MB", flush=True)
        study = load_study(root, HOME)
        for what in ("audit", "verdict"):
            before = os.times()
            lines, complete = (audit(study), True) if what == "audit" else verdict(study, root / "data/results")
            after = os.times()
            assert complete, lines[-1]
            assert what == "verdict" or not lines, lines[0]
            spent = after.user + after.system - before.user - before.system
            print(f"{'':>10} {what}: {spent:.2f} s, {1000.0 * spent / count:.2f} ms a walk", flush=True)


if __name__ == "__main__":
    main()
