"""What a run need not look at again: only where nothing that it depends on differs."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.config import HOME, load_study
from pipeline.workflow import completed


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the workflow with its templates, and an empty folder of results."""
    for name in ("reports/templates", "config"):
        shutil.copytree(HOME / name, tmp_path / name)
    shutil.copy(HOME / "Snakefile", tmp_path)
    (tmp_path / "data/results").mkdir(parents=True)
    monkeypatch.setattr(completed, "HOME", tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["Snakefile", "reports/templates/report.css", "config/config.yaml"])
def test_a_changed_file_of_the_workflow_or_configuration_is_looked_at_again(here: Path, name: str) -> None:
    study = replace(load_study(HOME, HOME), root=here)
    assert not completed.was_completed(study)
    completed.note_completed(study)
    assert completed.was_completed(study)
    with (here / name).open("a") as file:
        file.write("\n")
    assert not completed.was_completed(study)


def test_a_changed_library_or_program_is_looked_at_again(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    study = replace(load_study(HOME, HOME), root=here)
    for what, now in (("extra_versions", {"mokka": "2"}), ("version", "99"), ("state_of_code", "ab")):
        completed.note_completed(study)
        monkeypatch.setattr(completed, what, lambda *_, now=now: now)
        assert not completed.was_completed(study)
