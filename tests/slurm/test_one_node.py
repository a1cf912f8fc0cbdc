"""A SLURM of one node starts on loopback, runs a job, and leaves no daemon behind."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest

from tests.slurm.one_node import ACCOUNT, PARTITION, USUAL_CONF, missing, slurm

pytestmark = pytest.mark.long


def test_a_job_runs_and_is_accounted_for() -> None:
    if missing() or os.geteuid() != 0:
        pytest.skip(f"needs root and SLURM; not installed: {', '.join(missing()) or 'nothing'}")
    if USUAL_CONF.exists():
        pytest.skip("this computer has a SLURM of its own")
    with tempfile.TemporaryDirectory() as folder, slurm(Path(folder) / "s") as environment:
        words = ["sbatch", "--wait", f"--account={ACCOUNT}", f"--partition={PARTITION}", "--output=/dev/null"]
        done = subprocess.run([*words, "--wrap=true"], env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        told = subprocess.run(["sacct", "-X", "-n", "-o", "state"], env=environment, capture_output=True, text=True)
        assert "COMPLETED" in told.stdout
