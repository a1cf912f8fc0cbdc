"""Cost of a study of many walks by use of the processor, and the time saved by more cores.

    python -m tests.benchmarks.batch table [--walks 10] [--cores 1,2] [--predictions]

The walks are synthetic (`tests.benchmarks.batch_study`), the studies are in a temporary folder or in ``--folder``, and
the workflow is run as a user runs it. Processor times include all processes of the workflow. Run from the repository's
root; numba's kernels are compiled before anything is measured.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from pipeline.workflow.jobs import MODULES
from tests.benchmarks.batch_study import ROOT, SESSION, Run, command, fresh, make_study, run

STAGES, WORKFLOW = "pipeline.stages", "pipeline.workflow"
CLIENT = "job_client.py"
"""Script that runs a job's module; in a job's command its arguments follow."""

PREDICTIONS = {"predict", "prediction_comparison", "prediction_report", "predicted_vs_measured"}
"""Steps of the run log."""


def compile_kernels(folder: Path) -> None:
    """Run a study of one walk, so that numba's kernels are on the disk."""
    make_study(folder / "first", 1)
    run(folder / "first")


def table(options: argparse.Namespace, folder: Path) -> None:
    """Cost per walk, its shares, and the time saved by more cores."""
    study, walks = folder / "study", options.walks
    make_study(study, walks, predictions=options.predictions)
    walls = {}
    for cores in options.cores:
        fresh(study)
        done = run(study, cores)
        again = run(study, cores)
        walls[cores] = done.wall
        print(f"\n{walks} walks, sessions of {SESSION}, on {cores} core{'s' * (cores > 1)}")
        print_shares(study, walks, done)
        print(f"{'wall time':44}{done.wall:10.1f} s")
        print(f"{'second run with nothing to do':44}{again.wall:10.1f} s, of the processor {again.processor:.1f} s")
        print(f"{'largest memory of a process':44}{done.peak:10.0f} MB")
    first = options.cores[0]
    for cores in options.cores[1:]:
        print(f"{f'{cores} cores instead of {first}':44}{walls[first] / walls[cores]:10.2f} times as fast")
    print_sizes(study, walks)


def print_shares(study: Path, walks: int, done: Run) -> None:
    """Processor time of a run by its use."""
    jobs = imports_of_jobs(study)
    starts = start_seconds(jobs)
    logged = (json.loads(line) for line in (study / "logs/run.jsonl").read_text().splitlines())
    predicted = sum(step["seconds"] for step in logged if step["step"] in PREDICTIONS)
    print(f"{'':44}{'s a walk':>10}{'share':>8}")
    for name, seconds in {
        "processor time, all included": done.processor,
        "  snakemake": done.snakemake,
        f"  starting Python and imports, {len(jobs)} jobs": starts,
        "  stages, tables and pages": done.processor - done.snakemake - starts - predicted,
        **({"  predictions and their pages": predicted} if predicted else {}),
    }.items():
        print(f"{name:44}{seconds / walks:10.2f}{seconds / done.processor:8.0%}")


def print_sizes(study: Path, walks: int) -> None:
    """Bytes per walk of the results by stage, of the study's tables, and of the pages."""
    sizes: dict[str, int] = defaultdict(int)
    for path in study.glob("data/results/**/*"):
        if path.is_file():
            parts = path.relative_to(study / "data/results").parts
            sizes[parts[2] if len(parts) > 1 else "study tables"] += path.stat().st_size
    sizes["pages"] = sum(path.stat().st_size for path in (study / "reports").rglob("*") if path.is_file())
    stages = sum(sizes.values()) - sizes["study tables"] - sizes["pages"]
    for name, total in {"results": stages, **dict(sorted(sizes.items()))}.items():
        print(f"{name + ' a walk':44}{total / walks / 1e6:10.2f} MB")


def imports_of_jobs(study: Path) -> list[tuple[str, ...]]:
    """Modules that each job of a completed study needs: its own, and those of its stages.

    Jobs are read from the commands that snakemake prints when forced to run all again.
    """
    dry = command(study, "--cores", "1", "--dry-run", "--forceall", "--printshellcmds", "--quiet", "host")
    told = subprocess.run(dry, check=True, capture_output=True, text=True)
    jobs = []
    for line in (told.stdout + told.stderr).splitlines():
        words = shlex.split(line) if CLIENT in line else []
        if words:
            at = next(number for number, word in enumerate(words) if word.endswith(CLIENT))
            module, rule = words[at + 1 : at + 3]
            own = MODULES.get(rule, (rule,)) if module == WORKFLOW else ()
            jobs.append((f"{WORKFLOW}.__main__" if own else module, *(f"{STAGES}.{stage}" for stage in own)))
    return jobs


def start_seconds(jobs: list[tuple[str, ...]]) -> float:
    """Processor time in s to start Python and import for jobs: of one server with all modules, and of their clients."""
    return _start(*(name for job in jobs for name in job)) + len(jobs) * _start("json", "socket", site=False)


def _start(*modules: str, site: bool = True) -> float:
    """Processor time in s of a Python that imports modules, the shorter of two runs."""
    words = [sys.executable, *([] if site else ["-S"]), "-P", "-c", f"import {', '.join(dict.fromkeys(modules))}"]
    trials = []
    for _ in range(2):
        before = _children_seconds()
        subprocess.run(words, check=True, env=_environment())
        trials.append(_children_seconds() - before)
    return min(trials)


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _environment() -> dict[str, str]:
    """Environment variables as in the workflow's rules."""
    threads = dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1")
    return {**os.environ, **threads, "PYTHONPATH": str(ROOT)}


def main() -> None:
    """Make the studies in a folder, and print the table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.batch", description=__doc__)
    parser.add_argument("what", choices=["table"])
    parser.add_argument("--walks", type=int, default=10, help="number of walks")
    parser.add_argument("--cores", type=lambda text: [int(part) for part in text.split(",")], default=[1])
    parser.add_argument("--predictions", action="store_true", help="predict the first walk of each session")
    parser.add_argument("--folder", type=Path, help="empty folder for the studies, which stay there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.folder or Path(temporary)
        compile_kernels(folder)
        table(options, folder)


if __name__ == "__main__":
    main()
