"""A page as a single file: it loads nothing else, and its controls work as on the page in its folder."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.errors import PipelineError
from pipeline.reporting import ReportRun, write_trial_report
from pipeline.reporting.single import POLICY, write_single_page
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
