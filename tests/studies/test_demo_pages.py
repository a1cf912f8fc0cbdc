"""All pages of the demo study: the same bytes from a second run; in a browser no errors, all controls work."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.browser.chromium import Chromium, Tab
from tests.studies.bench import files_of, lasting
from tests.studies.test_demo_study import (
    assert_opens_without_this_package,
    assert_walk_in_memory_is_stored,
    results_files,
)

pytestmark = pytest.mark.long

PAGES = (
    "index",
    "demo/1/walks/walk",
    "demo/1/walks/walk_back",
    "demo/1/walks/average",
    "demo/1/walks/whole_body.walk",
    "demo/1/walks/whole_body.walk_back",
    "demo/1/predictions/as_walked",
    "predicted_vs_measured",
)


ALIKE = ("demo/1/walks/walk_back", "demo/1/walks/whole_body.walk_back")
"""Pages like those of the first walk."""


@pytest.fixture(params=[pytest.param(name, marks=[pytest.mark.exhaustive] * (name in ALIKE)) for name in PAGES])
def page(request: pytest.FixtureRequest, demo: Path) -> Path:
    return demo / f"reports/{request.param}.html"


@pytest.fixture
def tab(chromium: Chromium, page: Path) -> Iterator[Tab]:
    tab = chromium.open(page)
    yield tab
    assert tab.console_errors == [], "neither at first nor after what the test did"
    tab.close()


def test_these_are_all_pages(demo: Path) -> None:
    reports = demo / "reports"
    assert {str(path.relative_to(reports).with_suffix("")) for path in reports.rglob("*.html")} == set(PAGES)


def test_the_same_study_gives_the_same_bytes_in_another_folder(demo, run_demo, tmp_path_factory):
    other = run_demo(tmp_path_factory.mktemp("a second folder, with blanks"))
    first, second = files_of(demo), files_of(other)
    assert set(first) == set(second)
    assert {
        "reports/index.html",
        "reports/demo/1/walks/walk.html",
        "reports/demo/1/walks/whole_body.walk.html",
        "reports/demo/1/walks/average.html",
        "reports/demo/1/walks/average.pdf",
        "reports/report.js",
        "data/results/demo/1/summary/walk.h5",
        "data/results/demo/1/average/average.h5",
        "data/results/study_curves.parquet",
        "data/results/study_curves.csv.gz",
        "data/results/study_scalars.csv",
        "data/results/study_times.csv.gz",
        "reports/predicted_vs_measured.html",
        "data/results/predicted_vs_measured.parquet",
        "data/results/predicted_vs_measured.h5",
    } <= set(first)
    assert [name for name in first if lasting(first[name]) != lasting(second[name])] == []
    pages = [name for name in first if name.endswith(".html")]
    assert len(pages) == len(PAGES)
    assert {
        name: content.count(b'<section id="run">') for name, content in first.items() if b'id="run"' in content
    } == (dict.fromkeys(pages, 1)), "a page has one such block, and nothing else has any"
    assert all(b'<th scope="row">Machine</th>' in first[name] for name in pages)


def test_results_files_of_the_second_walk_open_without_this_package(demo: Path) -> None:
    files = [path for path in results_files(demo) if path.stem == "walk_back"]
    assert len(files) > 10
    assert_opens_without_this_package(files)


def test_a_walk_analysed_in_memory_is_that_of_the_study_on_the_skeleton_too(demo: Path) -> None:
    assert_walk_in_memory_is_stored(demo, whole_body=True)


def test_a_page_loads_the_shared_scripts_and_nothing_else(tab: Tab, page: Path, demo: Path) -> None:
    scripts = [(demo / "reports" / name).as_uri() for name in ("report.js", "scene.js")]
    assert tab.requests[0] == page.as_uri()
    assert set(tab.requests[1:]) <= set(scripts)
    assert scripts[0] in tab.requests


def test_every_figure_has_curves_or_a_reason(tab: Tab) -> None:
    told = tab.run(
        """[].map.call(document.querySelectorAll("figure, .scene"), function (figure) {
          var box = figure.getBoundingClientRect(), canvas = figure.querySelector("canvas");
          var lines = figure.querySelectorAll("svg path:not(.grid):not(.zero):not(.field)").length;
          var missing = figure.querySelector(".missing");
          var drawn = canvas ? canvas.width > 0 && canvas.toDataURL().length > 20000 : lines > 0;
          return [box.width > 40 && box.height > 40, drawn || (missing && missing.textContent.trim().length > 10)];
        })"""
    )
    assert all(size and content for size, content in told)
    assert tab.run("document.querySelectorAll('img, object, iframe').length") == 0


def test_every_link_leads_to_a_page_or_an_anchor(tab: Tab, page: Path) -> None:
    for link in tab.run("[].map.call(document.querySelectorAll('a'), (a) => a.getAttribute('href'))"):
        place = urlsplit(link)
        assert not place.scheme
        if place.path:
            assert (page.parent / unquote(place.path)).is_file(), link
        else:
            assert tab.run(f"document.getElementById('{place.fragment}') !== null"), link


def test_every_control_is_reached_by_keyboard_and_has_a_visible_focus(tab: Tab) -> None:
    controls = "a[href], button, input, select, summary, svg[tabindex], canvas"
    count = tab.run(f"[].filter.call(document.querySelectorAll('{controls}'), (node) => node.checkVisibility()).length")
    reached = set()
    for _ in range(count):
        tab.press("Tab")
        index, outline, matches = tab.run(
            f"""(function (node) {{
            var index = [].indexOf.call(document.querySelectorAll("*"), node);
            return [index, getComputedStyle(node).outlineStyle, node.matches("{controls}")];
            }})(document.activeElement)"""
        )
        assert matches
        assert outline != "none"
        reached.add(index)
    assert len(reached) == count


def test_figures_show_values_by_keyboard_and_by_mouse(tab: Tab, page: Path) -> None:
    if page.stem in ("index", "predicted_vs_measured"):
        pytest.skip("no figure of this page shows values")
    readout = "document.querySelector('.readout:not([hidden])').textContent"
    figure = "#angles svg[tabindex]" if page.stem.startswith("whole_body") else "svg[tabindex]"
    tab.run(f"document.querySelector('{figure}').focus()")
    tab.press("Home")
    assert tab.run(readout).startswith("0 %")
    tab.press("ArrowRight", 3)
    assert tab.run(readout).startswith("3 %")
    tab.press("Escape")
    assert tab.run("document.querySelector('.readout:not([hidden])')") is None
    tab.mouse("mouseMoved", *tab.middle(figure))
    tab.settle()
    percent = int(tab.run(readout).split(" ")[0])
    assert 35 <= percent <= 65


def test_tables_sort_by_mouse_and_by_keyboard_and_the_index_filters(chromium: Chromium, demo: Path) -> None:
    tab = chromium.open(demo / "reports/index.html")
    trials = "document.querySelectorAll('.sortable tbody tr:not(.group)')"
    rows = f"[].map.call({trials}, (row) => row.cells[1].textContent).join()"
    speed = ".sortable thead th:nth-child(7) button"
    tab.click(speed)
    rising = tab.run(rows)
    tab.run(f"document.querySelector('{speed}').focus()")
    tab.press("Enter")
    assert tab.run(rows) == ",".join(reversed(rising.split(",")))
    tab.click("form.filter input[type=search]")
    for letter in "back":
        tab.press(letter)
    assert tab.run("document.querySelector('form.filter output').textContent") == "1 of 2 trials"
    assert tab.console_errors == []
    tab.close()


@pytest.mark.parametrize("width", [400, 1200])
def test_a_page_fits_a_narrow_screen_and_a_wide_one(chromium: Chromium, page: Path, width: int) -> None:
    tab = chromium.open(page, width=width, height=800)
    assert tab.run("document.documentElement.scrollWidth") <= width
    assert tab.console_errors == []
    tab.close()


def test_a_page_of_one_file_is_made_on_request_and_needs_nothing_beside_it(
    chromium: Chromium, demo: Path, run_demo, tmp_path: Path
) -> None:
    run_demo(demo, "reports/single/demo/1/walks/walk.html")
    sent = tmp_path / "sent.html"
    (demo / "reports/single/demo/1/walks/walk.html").rename(sent)
    shutil.rmtree(demo / "reports/single")
    tab = chromium.open(sent)
    assert tab.requests == [sent.as_uri()]
    assert tab.run("document.querySelector('.scene form').hidden") is False
    assert tab.console_errors == []
    tab.close()
