"""Wall time and peak memory of one trial from C3D to report, and how much of it is starting processes.

Run from the repository's root: python tests/benchmarks/one_trial.py [STATIC.c3d WALK.c3d]
Without arguments the demo's trial is used. Prints a table; asserts nothing.
"""

from __future__ import annotations

import csv
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))


def workflow(study: Path) -> float:
    """Wall time of the whole workflow, s."""
    start = time.perf_counter()
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--directory", str(study)]
    subprocess.run([*command, "--cores", "2"], check=True, capture_output=True)
    return time.perf_counter() - start


def jobs(study: Path) -> list[tuple[str, float, float]]:
    """Name, wall time in s and peak memory in MB of every job."""
    found = []
    for path in sorted(study.glob("logs/**/*.tsv")):
        (row,) = csv.DictReader(path.read_text().splitlines(), delimiter="\t")
        found.append((f"{path.parent.name}/{path.stem}", float(row["s"]), float(row["max_rss"])))
    return found


def start_of_a_process(module: str) -> float:
    """Wall time of a process that imports a step and does nothing, s; the better of two."""
    times = []
    for _ in range(2):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-c", f"import {module}"], check=True, cwd=ROOT)
        times.append(time.perf_counter() - start)
    return min(times)


def numerical_work(static: Path, walk: Path) -> dict[str, float]:
    """Time of the science alone, in this process, s."""
    from pipeline.acquisition import read_trial
    from pipeline.analysis.cycles import gait_cycles
    from pipeline.anatomy import load_marker_set
    from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
    from pipeline.kinematics import kinematics
    from pipeline.stages import inverse_dynamics

    marker_set = load_marker_set(ROOT / "config/marker_sets/plug_in_gait.yaml")
    subject = Subject(subject="one")
    settings = (AnatomySettings(), FilterSettings(), EventSettings())
    took = {}
    for _ in range(2):  # the first time also loads libraries
        clock = [time.perf_counter()]
        recordings = [read_trial(path) for path in (walk, static)]
        clock.append(time.perf_counter())
        motion = kinematics(*recordings, marker_set, subject, *settings)
        clock.append(time.perf_counter())
        loads = inverse_dynamics.run(motion)
        gait_cycles(motion, loads)
        clock.append(time.perf_counter())
        names = ("reading both files", "kinematics", "loads and cycles")
        took = {name: after - before for name, before, after in zip(names, clock, clock[1:], strict=False)}
    return took


def main() -> None:
    """Print the table."""
    static, walk = (
        (Path(argument) for argument in sys.argv[1:3])
        if len(sys.argv) > 2
        else (
            ROOT / "data/demo/static.c3d",
            ROOT / "data/demo/walk.c3d",
        )
    )
    with tempfile.TemporaryDirectory() as folder:
        study = Path(folder)
        (study / "config").mkdir()
        (study / "data/raw").mkdir(parents=True)
        shutil.copy(static, study / "data/raw/static.c3d")
        shutil.copy(walk, study / "data/raw/walk.c3d")
        (study / "config/config.yaml").write_text("")
        (study / "config/subjects.tsv").write_text("subject\none\n")
        rows = "trial\tsubject\tkind\tfile\nstill\tone\tstatic\tstatic.c3d\nwalk\tone\twalk\twalk.c3d\n"
        (study / "config/trials.tsv").write_text(rows)
        wall = workflow(study)
        done = jobs(study)
    print(f"{'job':28}{'wall s':>8}{'peak MB':>9}")
    for name, seconds, memory in done:
        print(f"{name:28}{seconds:8.2f}{memory:9.0f}")
    steps = ("ingest", "ingest", "kinematics", "inverse_dynamics", "cycles", "gather", "report", "study", "study")
    starting = sum(start_of_a_process(f"pipeline.stages.{step}") for step in steps)
    print(f"\nwhole workflow {wall:.1f} s on two cores; its jobs one after another {sum(s for _, s, _ in done):.1f} s,")
    print(f"of which starting Python and importing {starting:.1f} s; the rest is snakemake and files.")
    work = numerical_work(static, walk)
    print(f"numerical work {sum(work.values()):.2f} s: " + ", ".join(f"{name} {t:.2f}" for name, t in work.items()))
    print(
        f"peak memory of a job {max(m for _, _, m in done):.0f} MB, of this process "
        f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB"
    )


if __name__ == "__main__":
    main()
