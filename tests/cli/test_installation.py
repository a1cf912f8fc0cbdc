"""The workflow runs from a wheel in an environment that has no checkout, with all that ships."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from tests.studies.bench import FIRST_DAY, PARTS, ROOT, make_bench

pytestmark = pytest.mark.long

BUILT_FROM = (*PARTS, "gaitpipe.py", "pyproject.toml", "setup.py", "MANIFEST.in", "README.md", "LICENSE")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of the source distribution, of a copy of the sources, as a build leaves files beside them."""
    source, packed, built = (tmp_path_factory.mktemp(name) for name in ("source", "packed", "built"))
    for name in BUILT_FROM:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, source / name)
    pack = f"from setuptools.build_meta import build_sdist; build_sdist({str(packed)!r})"
    subprocess.run([sys.executable, "-c", pack], cwd=source, check=True, capture_output=True)
    (archive,) = packed.glob("*.tar.gz")
    pip("wheel", "--no-build-isolation", "--wheel-dir", str(built), str(archive))
    (made,) = built.glob("*.whl")
    return made


def pip(*words: str) -> None:
    command = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *words, "--no-deps", "--no-index"]
    subprocess.run(command, check=True)


def test_a_wheel_in_an_empty_environment_runs_a_study(wheel: Path, tmp_path: Path) -> None:
    """Its libraries are those of this environment, on the path but not installed; blanks are in the program's path."""
    place = tmp_path / "the program's own place"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(place)], check=True)
    installed = Path(sysconfig.get_path("purelib", vars={"base": str(place)}))
    (installed / "libraries.pth").write_text(sysconfig.get_path("purelib"))
    pip("--python", str(place / "bin/python"), "install", str(wheel))
    study = make_bench(tmp_path, FIRST_DAY).study

    def gait(*words: str) -> str:
        done = subprocess.run(
            [str(place / "bin/gait"), *words],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": ""},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    (tmp_path / "pipeline.py").write_text("raise ImportError('of another project')")
    code = "import gaitpipe; print(gaitpipe.norm('schwartz2008').attrs['name'])"
    subprocess.run(
        [str(place / "bin/python"), "-c", code], cwd=tmp_path, env={**os.environ, "PYTHONPATH": ""}, check=True
    )
    (tmp_path / "pipeline.py").unlink()
    told = gait("doctor", str(study))
    assert f"from a wheel: {installed}" in told
    assert str(installed / "pipeline/home/Snakefile") in told
    told = gait("run", str(study), "--target", "data/results/Ann/day1/raw")
    assert "pipeline/home/Snakefile" in told, "the equivalent command"
    assert (study / "data/results/Ann/day1/raw/w.h5").is_file()
    shipped = {path.relative_to(ROOT) for path in (ROOT / "config").rglob("*.*")}
    shipped -= {
        Path("config", name) for name in ("config.yaml", "subjects.tsv", "trials.tsv", "predictions.tsv", "README.md")
    }
    shipped |= {path.relative_to(ROOT) for path in (ROOT / "reports/templates").iterdir()}
    assert len(shipped) > 20
    assert all((installed / "pipeline/home" / path).is_file() for path in shipped)
