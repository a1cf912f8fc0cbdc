"""Solve the motion of a task's file, and write its results and page."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from pipeline.cli.running import why_not_writable
from pipeline.cli.terminal import say
from pipeline.config import load_task
from pipeline.errors import ConfigError
from pipeline.prediction import solve_task
from pipeline.provenance import Provenance, file_digest, library_versions
from pipeline.reporting import TEMPLATES, ReportRun, write_task_report
from pipeline.results import write_stage
from pipeline.trial import TaskMotion


def is_task(path: Path) -> bool:
    """Whether a path is a task's file rather than a study's folder."""
    return path.suffix.lower() in (".yaml", ".yml") and not path.is_dir()


def predict_task(path: Path, folder: Path | None, walks: Sequence[str]) -> Iterator[Path]:
    """Solve a task, and write its motion and page, by default to a folder named like its file; yield the files.

    Raises:
        ConfigError: the file does not exist or is not valid, walks are named with it, or the folder cannot be written.
        PredictionError, SolverError, DynamicsError: as for `pipeline.prediction.solve_task`.
        OSError: a file cannot be written.
    """
    if walks:
        raise ConfigError("is a task, which has no walks", where=path.name, remedy="Name a study's folder, or no walk")
    task = load_task(path)
    folder = folder or path.with_suffix("")
    if folder.exists() and not folder.is_dir():
        raise ConfigError("is not a folder", where=str(folder), remedy="Name another with --to")
    if problem := why_not_writable(folder):
        raise ConfigError(problem, where=str(folder), remedy="Name another folder with --to")
    motion = solve_task(task, _print_progress)
    folder.mkdir(parents=True, exist_ok=True)
    settings = task.model_dump(mode="json")
    inputs = {path.name: file_digest(path)}
    results, table, page = (folder / name for name in ("motion.h5", "motion.csv", "index.html"))
    write_stage(results, motion, Provenance("task", inputs, json.dumps(settings), "", library_versions(), path.stem))
    motion_table(motion).to_csv(table, index=False)
    shutil.copyfile(TEMPLATES / "report.js", folder / "report.js")
    run = ReportRun(task.title, inputs=inputs, configuration=settings, versions=library_versions())
    write_task_report(page, motion, run)
    yield from (results, table, page)


def _print_progress(number: int, strength: float) -> None:
    if number % 10 == 0:
        say(f"lift {number}: minimum remaining strength {100 * strength:.0f} %")


def motion_table(motion: TaskMotion) -> pd.DataFrame:
    """A row per time, with columns for each joint's coordinate, velocity, torque or force, and internal force."""
    columns = {"time_s": motion.time}
    for j, (name, kind) in enumerate(zip(motion.joint_names, motion.joint_kinds, strict=True)):
        angle, effort = ("rad", "Nm") if kind == "R" else ("m", "N")
        columns |= {
            f"{name}_coordinate_{angle}": motion.q[:, j],
            f"{name}_velocity_{angle}_s": motion.qd[:, j],
            f"{name}_effort_{effort}": motion.tau[:, j],
            **{f"{name}_force_{axis}_N": motion.force_G[:, j, k] for k, axis in enumerate("xyz")},
        }
    return pd.DataFrame(columns)
