"""The package can be imported where a module of its name lies beside the script."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


def python(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Runs code in a folder that is first on the path."""
    return subprocess.run(
        [sys.executable, "-c", code],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


@pytest.fixture(params=["pipeline.py", "pipeline/__init__.py"])
def folder(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    other = tmp_path / request.param
    other.parent.mkdir(exist_ok=True)
    other.write_text("of = 'another project'\n")
    assert python("import pipeline; print(pipeline.of)", tmp_path).stdout == "another project\n", "it is shadowed"
    return tmp_path


def test_the_package_is_found_beside_another_of_its_name(folder: Path) -> None:
    code = "import gaitpipe; print(gaitpipe.norm('schwartz2008').attrs['name'], sorted(dir(gaitpipe)) == dir(gaitpipe))"
    done = python(code, folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("Schwartz 2008")


def test_another_that_was_imported_first_is_named(folder: Path) -> None:
    told = python("import pipeline, gaitpipe", folder).stderr
    assert "ImportError: 'pipeline' is another module already" in told
    assert str(folder / "pipeline") in told
    assert "import gaitpipe before it, or rename it" in told


def test_both_names_are_one_package_with_the_same_public_names() -> None:
    code = (
        "import pipeline, gaitpipe; print(gaitpipe.plot is pipeline.plot, gaitpipe.__all__ == list(pipeline.__all__))"
    )
    assert python(code, ROOT).stdout == "True True\n"
