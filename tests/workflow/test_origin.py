"""Digests of the code behind a rule's results: recorded for one state of all source files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from pipeline.provenance import code_digest
from pipeline.workflow import origin
from pipeline.workflow.origin import code_of, code_of_modules


@pytest.fixture
def computed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """Modules whose digest was computed, with a record elsewhere."""
    found: list[Sequence[str]] = []

    def counted(modules: Sequence[str]) -> str:
        found.append(modules)
        return code_digest(modules)

    monkeypatch.setattr(origin, "CODES", tmp_path / "codes.json")
    monkeypatch.setattr(origin, "code_digest", counted)
    return found


def test_a_digest_is_computed_once_for_a_state_of_the_sources(computed, monkeypatch) -> None:
    first = code_of("ingest"), code_of_modules("pipeline.stages.cycles")
    assert first == (code_of("ingest"), code_of_modules("pipeline.stages.cycles"))
    assert first[0] == code_digest(["pipeline.stages.ingest", "pipeline.workflow.__main__"])
    assert len(computed) == 2
    monkeypatch.setattr(origin, "state_of_code", lambda: "another")
    assert code_of("ingest") == first[0]
    assert len(computed) == 3


@pytest.mark.parametrize("content", [b"", b"{", b"[1]", b"\xff"])
def test_a_damaged_record_is_written_anew(content: bytes, computed) -> None:
    before = code_of("ingest")
    origin.CODES.write_bytes(content)
    assert code_of("ingest") == code_of("ingest") == before
    assert len(computed) == 2


def test_without_a_place_to_write_the_digest_is_computed(computed, tmp_path, monkeypatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr(origin, "CODES", tmp_path / "file/codes.json")
    assert code_of("ingest") == code_of("ingest")
    assert len(computed) == 2
