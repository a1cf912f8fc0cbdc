"""The documentation site builds without a warning, needs no other host, and its tutorial runs as it is written."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import pipeline
from tests.docs.snippets import blocks

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--quiet", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        check=True,
    )
    return folder


def test_pages_load_nothing_from_another_host(site):
    for page in site.rglob("*.html"):
        loaded = re.findall(r'<(?:script|link|img)[^>]+(?:src|href)="(https?:[^"]*)"', page.read_text(encoding="utf-8"))
        assert not loaded, page


def test_every_equation_is_drawn(site):
    theory = "".join(page.read_text(encoding="utf-8") for page in (site / "theory").rglob("index.html"))
    assert theory.count("<math") > 50
    assert "arithmatex" not in theory
    assert "<merror" not in theory
    assert "\\" not in re.sub(r"<(script|code)\b.*?</\1>", "", theory, flags=re.DOTALL)


def test_every_public_name_is_on_the_page_of_the_python_interface(site):
    page = (site / "api/index.html").read_text(encoding="utf-8")
    described = set(re.findall(r'<h\d id="([\w.]+)" class="doc', page))
    for name in (
        *pipeline.__all__,
        "rnea",
        "rnea_sensitivities",
        "inverse_dynamics",
        "simulate",
        "read_trial",
        "read_stage",
    ):
        assert any(path.endswith(f".{name}") for path in described), name


def test_the_gallery_shows_what_its_ten_examples_make(site):
    page = (site / "gallery/index.html").read_text(encoding="utf-8")
    pictures = re.findall(r'<img src="(\d+\.svg)"', page)
    assert len(pictures) + page.count("<table") == 10
    for picture in pictures:
        drawn = (site / "gallery" / picture).read_text(encoding="utf-8")
        assert drawn.count("<path") > 10, picture


def test_the_tutorial_runs_as_it_is_written(tmp_path):
    (tmp_path / "data").symlink_to(ROOT / "data")
    gait = f"{shlex.quote(sys.executable)} -m pipeline"
    for command in "".join(blocks("docs/tutorial.md", "console")).splitlines():
        if not command.startswith("gait open"):  # it starts a browser
            run(re.sub(r"^gait\b", gait, command), tmp_path)
        if command.startswith("gait new"):  # the skeleton's part of the run is most of its time
            with (tmp_path / "my_study/config/config.yaml").open("a", encoding="utf-8") as settings:
                settings.write("\nwhole_body: {enabled: false}\n")
    (script,) = blocks("docs/tutorial.md", "python")
    run(f"{shlex.quote(sys.executable)} -c {shlex.quote(script)}", tmp_path)
    assert (tmp_path / "knee.pdf").read_bytes().startswith(b"%PDF")
    assert (tmp_path / "my_study/reports/index.html").is_file()


def run(command: str, folder: Path) -> None:
    done = subprocess.run(
        command, shell=True, cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
