"""The profile of a cluster with any scheduler: Snakemake reads it, and its commands are those of a job."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from snakemake.cli import parse_args

from tests.studies.bench import ROOT, Bench

OPTIONS = ("--workflow-profile", str(ROOT / "profiles/generic"))


def test_the_generic_profile_submits_a_group_with_its_memory_and_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    _, options = parse_args(OPTIONS)
    assert (options.executor, options.jobs, options.cores) == ("cluster-generic", 100, 2)
    assert options.keep_going
    assert options.rerun_incomplete
    assert options.group_components == {"session": 8}
    job = {"resources": SimpleNamespace(mem_mb=900, runtime=42)}
    submit = options.cluster_generic_submit_cmd.format(**job)
    assert submit == "qsub -terse -V -cwd -j y -o logs -pe smp 2 -l h_vmem=900M,h_rt=00:42:00"
    assert options.cluster_generic_cancel_cmd == "qdel"


def test_a_dry_run_with_the_generic_profile_names_the_jobs_of_the_study(one_session: Bench) -> None:
    run = one_session.run(*OPTIONS, "--dry-run")
    assert run.status == 0, run.text
    assert run.jobs()["ingest"] == 1
