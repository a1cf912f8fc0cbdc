"""Averages are of the walks that were not refused."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results import write_stage
from pipeline.stages import average
from pipeline.trial import Finding, Findings
from tests.reporting.conftest import make_walk

REFUSAL = Finding("legs", "on the other side", 1.0, 0.0, "mm", "", "labels", "correct them", grade="refusal")


def files_of(
    folder: Path, refused: dict[str, bool], masses: dict[str, float] | None = None
) -> dict[str, tuple[Path, ...]]:
    """Results files of walks by stage."""
    *_, loads, cycles, summary = make_walk()
    files: dict[str, tuple[Path, ...]] = {}
    for name, is_refused in refused.items():
        values = {
            "cycles": replace(cycles, name=name),
            "summary": replace(summary, name=name),
            "inverse_dynamics": replace(loads, mass=(masses or {}).get(name, loads.mass)),
            "plausibility": Findings(name, "S1", (REFUSAL,) if is_refused else ()),
        }
        for stage, value in values.items():
            path = folder / stage / f"{name}.h5"
            path.parent.mkdir(exist_ok=True)
            write_stage(path, value, Provenance(stage))
            files[stage] = (*files.get(stage, ()), path)
    return files


def test_a_refused_walk_is_in_no_average(tmp_path: Path) -> None:
    one = average.run("S1", **files_of(tmp_path, {"good": False, "bad": True}))
    both = average.run("S1", **files_of(tmp_path, {"good": False, "other": False}))
    twice = {side: {name: 2 * count for name, count in counts.items()} for side, counts in one.count.items()}
    assert twice == both.count
    assert max(max(counts.values()) for counts in one.count.values()) > 0


def test_without_a_plausible_walk_there_is_no_average(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match="no walk of the session and condition has plausible results"):
        average.run("S1", **files_of(tmp_path, {"bad": True}))


def test_walks_of_two_people_under_one_name_are_named(tmp_path: Path) -> None:
    walks = {"one": False, "two": False, "three": False}
    pooled = average.run("S1", **files_of(tmp_path, walks, {"one": 60.0, "two": 60.0, "three": 74.0}))
    # The files hold the same strides, of which another warning speaks.
    (note,) = [note for note in pooled.notes if note.subject == "body mass"]
    assert note.kind == "warning"
    assert note.text.startswith("60 kg in one and 74 kg in three, 23 % apart (limit 5 %)")
    same = average.run("S1", **files_of(tmp_path, walks, {"one": 60.0, "two": 60.0, "three": 62.0}))
    assert not [note for note in same.notes if note.subject == "body mass"]
