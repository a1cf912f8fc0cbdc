"""Which installation and workflow the commands use, and what on this machine could keep them from running."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

from pipeline import __version__
from pipeline.cli.running import LITTLE_SPACE, WRITTEN, available_cores, why_not_writable
from pipeline.config import HOME
from pipeline.config.loading import CONFIG, SUBJECTS, TRIALS
from pipeline.provenance import PACKAGE_ROOT, versions_of
from pipeline.workflow.lock_owner import is_locked, reason_to_keep

DISTRIBUTION, UNRELATED = "gait-pipeline", "gait"
"""This package's name on the package index, and that of an unrelated project whose command has the same name."""


def findings(study: Path) -> tuple[list[str], bool]:
    """Lines on the installation, the machine and the study's folder; and whether nothing prevents a run."""
    problems = list(_problems(study))
    verdict = [f"PROBLEM {text}" for text in problems] or ["nothing found that prevents a run"]
    return [*_facts(study), *verdict], not problems


def _facts(study: Path) -> Iterator[str]:
    kind = "a wheel" if HOME.parent == PACKAGE_ROOT / "pipeline" else "a checkout"
    yield f"gait-pipeline {__version__}, from {kind}: {PACKAGE_ROOT}"
    yield f"Snakefile: {HOME / 'Snakefile'}"
    yield f"Python {platform.python_version()}: {sys.executable}"
    yield f"command on the path: {shutil.which('gait') or 'none; call it by its path, or python -m pipeline'}"
    names = ("snakemake", "numpy", "scipy", "numba", "ezc3d", "h5py")
    versions = versions_of(names)
    yield from (f"{name} {versions.get(name, 'is missing')}" for name in names)
    yield f"{available_cores()} processors, {platform.system()} {platform.machine()}"
    what = (
        "study" if any((study / name).exists() for name in (CONFIG, SUBJECTS, TRIALS)) else "folder, which is no study"
    )
    yield f"{what}: {study.resolve()}, {shutil.disk_usage(_existing(study)).free / 1e9:.1f} GB free on its disk"
    yield f"lock: {'held or left by a run' if is_locked(study) else 'free'}"


def _problems(study: Path) -> Iterator[str]:
    if not study.is_dir():
        yield f"there is no such folder: {study}"
    if not (HOME / "Snakefile").is_file():
        yield f"there is no Snakefile in {HOME}; install gait-pipeline again"
    needed = ("snakemake", "ezc3d", "h5py")
    versions = versions_of((*needed, UNRELATED))
    yield from (f"{name} is not installed; install gait-pipeline again" for name in needed if name not in versions)
    if UNRELATED in versions:
        yield (
            f"the unrelated package '{UNRELATED}' {versions[UNRELATED]} is installed too, and its files may replace "
            f"those of {DISTRIBUTION}; remove it (pip uninstall {UNRELATED}) and install {DISTRIBUTION} again"
        )
    if shutil.disk_usage(_existing(study)).free < LITTLE_SPACE:
        yield f"the disk of {study.resolve()} is almost full; free some space"
    for name in WRITTEN:
        reason = why_not_writable(study / name)
        if reason:
            yield f"{study / name} {reason}; make it writable"
    if is_locked(study):
        reason = reason_to_keep(study)
        yield f"the study is locked: {reason}" if reason else "a killed run left its lock; `gait run` releases it"


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    folder = folder.resolve()
    return next(place for place in (folder, *folder.parents) if place.exists())
