"""The demo study, run once for all tests that look at it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def run_study(folder: Path, *targets: str) -> Path:
    """Run the demo study in a folder of its own."""
    if not folder.joinpath("config").exists():
        shutil.copytree(ROOT / "config", folder / "config")
        shutil.copytree(ROOT / "data/demo", folder / "data/demo")
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--directory", str(folder)]
    done = subprocess.run(
        [*command, "--cores", "2", *targets],
        capture_output=True,
        text=True,
        timeout=900,
        env={**os.environ, "PYTHONPATH": ""},
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="session")
def run_demo() -> Callable[..., Path]:
    return run_study


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_study(tmp_path_factory.mktemp("first"))
