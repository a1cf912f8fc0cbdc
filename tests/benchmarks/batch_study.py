"""Studies of any number of synthetic walks, and runs of the workflow on them.

The walks are the demo's, each at another place in the laboratory, slightly scaled and with other noise; no two are the
same.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from pipeline.math3d import Wrench
from pipeline.synthetic import (
    ANALOG_RATE,
    PROCESSING,
    RATE,
    AnalogData,
    DemoTruth,
    PlateSetup,
    standing,
    walk,
    write_c3d,
)

ROOT = Path(__file__).resolve().parents[2]

SESSION = 10
"""Walks of a session."""

NOISE = 0.0006
"""m, standard deviation of the markers' noise along each axis, as in the demo's walk_back.c3d."""

PLACE = 0.2
"""m, largest horizontal distance between the laboratory's origin and that of the demo, along each axis."""

SCALE = 0.002
"""Standard deviation of the relative scale of a session, as of a camera calibration."""

CONDITIONS = ("barefoot", "shod")

WRITTEN = ("data/results", "reports", "logs", ".snakemake")
"""Folders that a run writes in a study."""


def make_study(
    folder: Path,
    walks: int,
    *,
    predictions: bool = False,
    seconds: float | None = None,
    session: int = SESSION,
) -> None:
    """Write a study of sessions of so many walks, each session of another subject and with its own static trial.

    Args:
        folder: folder of the study, which does not exist yet.
        walks: number of walks.
        predictions: predict the first walk of each session.
        seconds: duration of the walks; that of the demo's if None.
        session: walks of a session.
    """
    files = folder / "data/raw"
    files.mkdir(parents=True)
    (folder / "config").mkdir()
    random = np.random.default_rng(0)
    subjects, trials, predicted = ["subject\tsex"], ["trial\tsubject\tsession\tcondition\tdate\tkind\tfile"], []
    for first in range(0, walks, session):
        subject = f"s{first // session + 1:04}"
        subjects.append(f"{subject}\tm")
        predicted.append(f"{subject}\t{subject}\tw01")
        scale, date = 1.0 + SCALE * random.standard_normal(), "2024-05-31"
        _write(files / f"{subject}_static.c3d", standing(), scale, random)
        trials.append(f"static\t{subject}\t1\t\t{date}\tstatic\t{subject}_static.c3d")
        for number in range(min(session, walks - first)):
            name, condition = f"w{number + 1:02}", CONDITIONS[number % len(CONDITIONS)]
            _write(files / f"{subject}_{name}.c3d", _walk(number % 2 == 1, seconds), scale, random)
            trials.append(f"{name}\t{subject}\t1\t{condition}\t{date}\twalk\t{subject}_{name}.c3d")
    tables = {"subjects": subjects, "trials": trials}
    if predictions:
        tables["predictions"] = ["prediction\tsubject\ttrial", *predicted]
    for name, rows in tables.items():
        (folder / f"config/{name}.tsv").write_text("\n".join(rows) + "\n")
    (folder / "config/config.yaml").write_text("study:\n  title: Synthetic walks\n")


@cache
def _walk(back: bool, seconds: float | None) -> DemoTruth:
    given = {} if seconds is None else {"seconds": seconds}
    return walk(first_side="right" if back else "left", back=back, **given)


def _write(path: Path, truth: DemoTruth, scale: float, random: np.random.Generator) -> None:
    """Write a trial at a random place in the laboratory, scaled about its origin, with noise on the markers."""
    place = np.append(random.uniform(-PLACE, PLACE, 2), 0.0)
    names = list(truth.markers_G)
    markers_L = np.stack([truth.markers_G[name] for name in names], axis=1) @ truth.R_LG.T
    loads_L = [load.rotated(truth.R_LG) for load in truth.plate_loads_G]
    write_c3d(
        path,
        marker_names=names,
        markers_L=scale * markers_L + place + NOISE * random.standard_normal(markers_L.shape),
        rate=RATE,
        analog=AnalogData(
            ANALOG_RATE,
            [
                PlateSetup(scale * plate.corners_L + place, plate.origin, plate.type, plate.calibration)
                for plate in truth.plates
            ],
            [Wrench(load.force_G, load.moment_G, scale * load.point_G + place) for load in loads_L],
        ),
        events=truth.events,
        parameters={PROCESSING: truth.subject.parameters()},
        subject=path.stem,
        screen_axes=("+Y", "+Z"),
    )


@dataclass(frozen=True)
class Run:
    """A run of the workflow.

    Attributes:
        wall: s.
        processor: s, of all its processes.
        snakemake: s, of these in snakemake's own process.
        peak: MB, largest memory of a process.
    """

    wall: float
    processor: float
    snakemake: float
    peak: float


def command(study: Path, *options: str) -> list[str]:
    """The workflow on a study."""
    return [sys.executable, "-m", "snakemake", "--snakefile", f"{ROOT}/Snakefile", "--directory", str(study), *options]


def run(study: Path, cores: int = 1) -> Run:
    """Run the workflow to its end; on Linux, where a process that ended can still be asked for its times."""
    log = study / "console.log"
    began = time.perf_counter()
    with log.open("w") as output:
        process = subprocess.Popen(command(study, "--cores", str(cores)), stdout=output, stderr=output)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    wall = time.perf_counter() - began
    own = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        sys.exit(f"the workflow failed:\n{log.read_text()[-3000:]}")
    snakemake = sum(map(int, own)) / os.sysconf("SC_CLK_TCK")
    return Run(wall, used.ru_utime + used.ru_stime, snakemake, used.ru_maxrss / 1024)


def fresh(study: Path) -> None:
    """Delete everything that runs have written in a study."""
    for name in WRITTEN:
        shutil.rmtree(study / name, ignore_errors=True)
