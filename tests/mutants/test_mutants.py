"""The tool that changes lines: what it changes, and which tests it runs for a line."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.mutants import cover, draw
from tests.mutants.__main__ import table
from tests.mutants.cover import Covered, pytest_words, surroundings
from tests.mutants.draw import Mutant

SOURCE = '''"""A package."""
import numpy as np
X, Y, Z = range(3)


def half_turn(moment, arm):
    """Of a pose."""
    if arm > 2.5:
        return np.degrees(moment[X]) - 1000.0 * arm
    return -arm
'''


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one file."""
    path = tmp_path / "pipeline" / "package" / "turns.py"
    path.parent.mkdir(parents=True)
    path.write_text(SOURCE, encoding="utf-8")
    monkeypatch.setattr(draw, "ROOT", tmp_path)
    monkeypatch.setattr(cover, "ROOT", tmp_path)
    return tmp_path


def test_signs_factors_units_and_indices_change_one_at_a_time(package: Path) -> None:
    found = {(mutant.line, mutant.text.strip()) for mutant in draw.mutants_of("package")}
    line = "return np.degrees(moment[X]) - 1000.0 * arm"
    assert found == {
        (8, "if arm > 5.0:"),
        (9, line.replace("np.degrees", "")),
        (9, line.replace("X", "Y")),
        (9, line.replace(" - ", " + ")),
        (9, line.replace("1000.0", "1.0")),
        (9, line.replace(" * ", " / ")),
        (10, "return arm"),
    }


def test_a_draw_repeats_with_its_seed(package: Path) -> None:
    again = [[mutant.text for mutant in draw.drawn(3, seed, ["package"])] for seed in (1, 1, 2, 3, 4)]
    assert again[0] == again[1]
    assert any(other != again[0] for other in again[2:])
    assert {len(texts) for texts in again} == {3}


def test_the_draw_of_a_line_does_not_change_with_lines_before_it_or_with_other_packages(package: Path) -> None:
    before = [mutant.text for mutant in draw.drawn(3, 1, ["package"])]
    path = package / "pipeline" / "package" / "turns.py"
    longer = path.read_text(encoding="utf-8").replace("def half", "WEIGHT = 9.81\n\n\ndef half")
    path.write_text(longer, encoding="utf-8")
    (package / "pipeline" / "signals").mkdir()
    (package / "pipeline" / "signals" / "sum.py").write_text("def both(a, b):\n    return a + b\n", encoding="utf-8")
    assert [mutant.text for mutant in draw.drawn(3, 1, ["signals", "package"])][1:] == before


def test_the_tests_of_a_line_run_with_the_fastest_first(package: Path) -> None:
    file = "pipeline/package/turns.py"
    slow = Covered("tests/package/test_a.py::test_slow", 2.0, {file: 1 << 9})
    fast = Covered("tests/package/test_b.py::test_fast", 1.0, {file: 1 << 9 | 1 << 10})
    other = Covered("tests/package/test_c.py::test_other", 0.1, {file: 1 << 10})
    chosen = cover.selected(Mutant("package", Path(file), 9, "sign", ""), [slow, other, fast])
    assert chosen == [fast, slow]


def test_lines_of_a_shared_fixture_count_for_every_test_that_asks_for_it(tmp_path: Path) -> None:
    trace = tmp_path / "tests" / "mutants" / "trace.py"
    trace.parent.mkdir(parents=True)
    trace.write_bytes((Path(cover.__file__).parent / "trace.py").read_bytes())
    turns = tmp_path / "pipeline" / "turns.py"
    turns.parent.mkdir()
    turns.write_text("def quarter():\n    return 90.0\n\n\ndef half():\n    return 180.0\n", encoding="utf-8")
    (tmp_path / "tests" / "test_turns.py").write_text(
        "import pytest\nfrom pipeline.turns import half, quarter\n\n"
        "@pytest.fixture(scope='module')\ndef turn():\n    return quarter()\n\n"
        "def test_first(turn):\n    assert turn\n\n"
        "def test_second(turn):\n    assert half() == 2 * turn\n\n"
        "def test_third():\n    assert True\n",
        encoding="utf-8",
    )
    recorded = tmp_path / "recorded.json"
    environment = surroundings(tmp_path, MUTANTS_RECORD=str(recorded))
    words = pytest_words("-o", "addopts=--import-mode=importlib", "tests")
    done = subprocess.run(words, cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    tests = json.loads(recorded.read_text(encoding="utf-8"))["tests"]
    ran = {
        name.partition("::")[2]: int(test["lines"].get("pipeline/turns.py", "0"), 16) for name, test in tests.items()
    }
    assert {name: [line for line in (2, 6) if mask >> line & 1] for name, mask in ran.items()} == {
        "test_first": [2],
        "test_second": [2, 6],
        "test_third": [],
    }


def test_a_folder_without_tests_of_a_kind_covers_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cover, "_READ", {})
    monkeypatch.setattr(cover, "pytest_words", lambda *words: [sys.executable, "-m", "pytest", "-q", *words])
    folder = tmp_path / "tests" / "package"
    folder.mkdir(parents=True)
    (folder / "test_turns.py").write_text("def test_first():\n    assert True\n", encoding="utf-8")
    assert cover.covered(tmp_path, "package", "long") == []


def test_the_table_fails_below_the_least_share(capsys: pytest.CaptureFixture[str]) -> None:
    assert table({"signals": [19, 3, 1]}) == 0
    assert "| signals | 23 | 19 | 3 | 1 |" in capsys.readouterr().out
    assert table({"signals": [18, 3, 1]}) == 1
