"""A page as a single file: it loads nothing else, and its controls work as on the page in its folder."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import PipelineError
from pipeline.reporting import ComparisonLink, ReportRun, StudyEntry, write_study_report, write_trial_report
from pipeline.reporting.single import POLICY, write_single_page
from pipeline.reporting.study import ROWS
from tests.browser.chromium import Chromium, copy_scripts
from tests.reporting.conftest import NOTHING_FOUND, make_walk

pytestmark = pytest.mark.long

HOSTILE = "</script><script>document.title = 'bad'</script>\"'& \N{RIGHT-TO-LEFT OVERRIDE}ü 漢"


@pytest.fixture(scope="module")
def single(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study")
    copy_scripts(folder)
    kinematics, *rest = make_walk()
    page = folder / "walk.html"
    run = ReportRun(HOSTILE, index="index.html")
    write_trial_report(
        page, replace(kinematics, name=HOSTILE, marker_names=(HOSTILE, "RHEE")), *rest, NOTHING_FOUND, run
    )
    output = tmp_path_factory.mktemp("else where #1 ü'") / "sent.html"
    write_single_page(page, output)
    return output


def test_it_loads_nothing_and_works_alone(chromium: Chromium, single: Path) -> None:
    tab = chromium.open(single)
    assert tab.requests == [single.as_uri()]
    canvas = "document.querySelector('.scene canvas').toDataURL()"
    before = tab.run(canvas)
    tab.click(".scene [data-view=front]")
    assert tab.run(canvas) != before
    drawn = tab.run(canvas)
    tab.click(".scene [name=names]")
    assert tab.run(canvas) != drawn, "the markers' labels are drawn, as text"
    tab.run("document.querySelector('svg[tabindex]').focus()")
    tab.press("ArrowRight")
    assert "%" in tab.run("document.querySelector('.readout').textContent")
    assert tab.run("[].every.call(document.querySelectorAll('a'), (a) => a.getAttribute('href')[0] === '#')")
    assert tab.run("document.title").startswith(HOSTILE[:40])
    assert tab.console_errors == []
    tab.close()


def test_it_runs_its_own_scripts_and_no_other(chromium: Chromium, single: Path, tmp_path: Path) -> None:
    planted = tmp_path / "planted.html"
    text = single.read_text(encoding="utf-8")
    planted.write_text(text.replace("</body>", "<script>document.title = 'planted'</script></body>"), encoding="utf-8")
    tab = chromium.open(planted)
    assert tab.run("document.title") != "planted"
    assert any("Content Security Policy" in error for error in tab.console_errors)
    tab.close()


def test_a_missing_page_or_script_is_named(tmp_path: Path) -> None:
    with pytest.raises(PipelineError, match=r"walk\.html: is not a page"):
        write_single_page(tmp_path / "walk.html", tmp_path / "out.html")
    page = tmp_path / "page.html"
    write_trial_report(page, *make_walk(), NOTHING_FOUND, ReportRun("Study"))
    assert POLICY in page.read_text()
    with pytest.raises(PipelineError, match=r"report\.js: is missing"):
        write_single_page(page, tmp_path / "out.html")
    assert not (tmp_path / "out.html").exists()


def test_no_link_to_another_page_is_left_on_a_study_s_page(tmp_path: Path) -> None:
    """Neither of comparisons, whose links have a title, nor of trials whose rows are stored until they are shown."""
    copy_scripts(tmp_path)
    names = [f"w{number}" for number in range(ROWS + 5)]
    entries = [StudyEntry("S1", name, f"S1/1/walks/{name}.html", average="S1/1/walks/average.html") for name in names]
    link = ComparisonLink("S1", "1", "therapy", "before <1>", "after", "S1/1/comparisons/therapy.html")
    write_study_report(tmp_path / "index.html", entries, ReportRun("Study", comparisons=(link,)))
    write_single_page(tmp_path / "index.html", tmp_path / "out.html")
    text = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert "href" not in re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert "<span><bdi>therapy</bdi></span>" in text
    (stored,) = re.findall(r'<script type="application/json" class="rows">(.*?)</script>', text, re.DOTALL)
    last = json.loads(stored)[-1]["html"]
    assert f"<span><bdi>{names[-1]}</bdi></span>" in last
