"""A defect of the program, planted in each stage of a walk in turn, takes what depends on that stage alone."""

from __future__ import annotations

import functools
import importlib
import io
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from pipeline import open_trial, tables
from pipeline.config import HOME, Study, load_study
from pipeline.reporting import read_entry
from pipeline.results import read_failure
from pipeline.workflow.jobs import JOBS
from pipeline.workflow.progress import Progress
from pipeline.workflow.session import run_stages
from pipeline.workflow.verdict import verdict
from tests.studies.bench import FIRST_DAY, make_bench

pytestmark = pytest.mark.long

RULES = ("ingest", "kinematics", "inverse_dynamics", "cycles", "whole_body", "report")
RESULTS = Path("data/results")
WALK = RESULTS / "Ann/day1/w"
REASON = "a defect of the program, ValueError: planted"

AFTER = {
    "ingest": RULES,
    "kinematics": RULES[1:],
    "inverse_dynamics": ("inverse_dynamics", "cycles", "whole_body", "report"),
    "cycles": ("cycles", "report"),
    "summary": ("cycles", "report"),
    "plausibility": ("cycles", "report"),
    "whole_body": ("whole_body", "report"),
    "ground_from_motion": ("whole_body", "report"),
    "report": ("report",),
    "whole_body_report": ("report",),
    "average_report": ("report",),
    "study_tables": ("report",),
    "averages": ("report",),
}
"""Rules that are run again where a stage has a defect; of EMG and peaks by cut-off `test_failures` has one."""

FURTHER = ("cycles", "summary", "plausibility", "ground_from_motion", "whole_body_report", "averages")
"""Stages beside which another of their rule is among the long tests, or in `test_failures`."""

OF_WALKS = {"kinematics", "inverse_dynamics", "cycles", "cutoff_peaks", "summary", "emg", "plausibility", "average"}
OF_WALKS |= {"whole_body", "ground_from_motion"}

TAKEN = {
    "ingest": {"raw", *OF_WALKS},
    "kinematics": OF_WALKS,
    "inverse_dynamics": {"inverse_dynamics", "average"},
    "cycles": {"cycles", "summary", "average"},
    "summary": {"summary", "average"},
    "plausibility": {"plausibility", "average"},
    "whole_body": {"whole_body", "ground_from_motion"},
}
"""Stages without a value; of others that stage alone, or none where it writes pages or tables."""


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A study of one walk on the skeleton, all but its pages."""
    study = make_bench(tmp_path_factory.mktemp("computed"), FIRST_DAY).study
    (study / "config/config.yaml").write_text("whole_body: {residual_reduction: false}\nmuscles: {enabled: false}\n")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(study)
        run(RULES[:-1])
    return study


def run(rules: tuple[str, ...]) -> Study:
    """Rules of the study in the current folder, in this process."""
    study = load_study(Path(), HOME)
    (session,) = study.sessions
    for rule in rules:
        run_stages(JOBS[rule](study, session), "", Progress(io.StringIO()))
    if "report" in rules:
        importlib.import_module("pipeline.stages.study_tables").write_tables_of_session(study, session, RESULTS)
    return study


def failing(function: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(function)
    def planted(*_args: object, **_named: object) -> None:
        raise ValueError("planted")

    return planted


@pytest.mark.parametrize(
    "stage", [pytest.param(name, marks=[pytest.mark.exhaustive] * (name in FURTHER)) for name in AFTER]
)
def test_a_defect_takes_what_depends_on_its_stage_alone(
    stage: str, computed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(shutil.copytree(computed, tmp_path / "study"))
    tables_of = {"study_tables": "walk_tables", "averages": "subject_tables"}
    module = importlib.import_module(f"pipeline.stages.{'study_tables' if stage in tables_of else stage}")
    name = tables_of.get(stage, "run")
    monkeypatch.setattr(module, name, failing(getattr(module, name)))
    study = run(AFTER[stage])

    named = {"study_tables": "tables", "averages": "tables of averages"}.get(stage, stage)
    lines, complete = verdict(study, RESULTS)
    assert not complete
    assert f"  Ann/day1/{'still' if stage == 'ingest' else 'w'} lacks {named}: {REASON}" in lines
    assert ("    1 more lacks the same: Ann/day1/w" in lines) == (stage == "ingest")
    assert any("incomplete because of a defect of the program; please report" in line for line in lines)
    assert not any("failed" in line for line in lines)
    assert read_entry(RESULTS / "Ann/day1/report/w.json").status == "incomplete"

    of_walk = [path for path in RESULTS.rglob("*.h5") if path.stem in ("w", "average.barefoot")]
    failed = {path.parent.name for path in of_walk if read_failure(path)}
    assert len(of_walk) == 11
    assert failed == TAKEN.get(stage, {stage} & {path.parent.name for path in of_walk})

    page = Path("reports/Ann/day1/walks/w.html").read_text()
    assert ('class="failure"' in page) == (stage in {"ingest", "kinematics", "report"})
    assert (REASON in page) == (stage in {*TAKEN, "ground_from_motion", "report"})
    if stage in ("cycles", "inverse_dynamics"):
        assert f"Left not measured: {REASON}" in re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
        assert "no complete gait cycle" not in page
    for written in Path("reports").rglob("*.html"):
        assert written.read_bytes().startswith(b"<!DOCTYPE html>"), written.name
    assert Path("reports/Ann/day1/walks/average.barefoot.pdf").read_bytes().startswith(b"%PDF")

    events = pd.read_parquet(RESULTS / "Ann/day1/tables/study_events.parquet")
    assert (len(events) > 0) == (stage not in {"ingest", "kinematics", "study_tables"})
    if stage == "averages":
        scalars = pd.read_parquet(RESULTS / "Ann/day1/tables/study_scalars.parquet")
        assert set(scalars.trial) == {"w"}, "without the rows of the averages"
    if stage in TAKEN and stage not in {"ingest", "kinematics"}:
        found = tables(open_trial(WALK))
        assert len(found["events"]) > 0
        assert ("checks" in set(found["findings"].about)) == (stage != "whole_body")
        angles = found["curves"].query("variable == 'knee_flexion' and kind == 'cycle'")
        assert (len(angles) > 0) == (stage != "cycles")
        moments = found["curves"].query("variable == 'knee_extensor_moment' and kind == 'cycle'")
        assert (len(moments) > 0) == (stage not in ("cycles", "inverse_dynamics"))
