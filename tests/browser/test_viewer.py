"""The 3-D view in a browser: every control by mouse and keyboard, and no motion before play is pressed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.analysis import compare
from pipeline.conventions import SIDES
from pipeline.reporting import MeasuredWalk, ReportRun, write_prediction_report, write_trial_report
from tests.browser.chromium import Chromium, Tab, copy_scripts
from tests.reporting.conftest import NOTHING_FOUND, make_predicted_walk, make_walk

pytestmark = pytest.mark.long

PICTURE = "document.querySelector('.scene canvas').toDataURL()"
FOCUS = "document.querySelector('.scene canvas').focus()"


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A trial's page, and that of a prediction beside the same trial."""
    folder = tmp_path_factory.mktemp("pages")
    copy_scripts(folder)
    kinematics, loads, cycles, summary = make_walk()
    hips = np.stack([kinematics.joints[f"{side}_hip"].centre_G for side in SIDES], axis=1)
    kinematics = replace(kinematics, markers_G=hips + np.array([0.1, 0.9, 0.0]))
    write_trial_report(folder / "trial.html", kinematics, loads, cycles, summary, NOTHING_FOUND, ReportRun("Study"))
    walk = make_predicted_walk()
    write_prediction_report(
        folder / "prediction.html", walk, compare(walk, cycles), ReportRun("Study"), MeasuredWalk(kinematics)
    )
    return folder


@pytest.fixture(params=["trial", pytest.param("prediction", marks=pytest.mark.exhaustive)])
def tab(request: pytest.FixtureRequest, chromium: Chromium, pages: Path):
    """One page after the other, whose controls are the same script's; none may log an error."""
    tab = chromium.open(pages / f"{request.param}.html")
    yield tab
    assert tab.console_errors == []
    tab.close()


def time_of(tab: Tab) -> float:
    return float(tab.run("document.querySelector('.scene output').textContent.split(' ')[0]"))


def changes(tab: Tab, act) -> bool:
    """Whether the picture becomes another one; a busy machine may draw it a while later."""
    before = tab.run(PICTURE)
    act()
    for _ in range(60):
        if tab.run(PICTURE) != before:
            return True
        tab.settle()
    return False


@pytest.mark.parametrize("tab", ["trial", "prediction"], indirect=True)
def test_a_body_is_drawn_and_does_not_move_before_play(tab: Tab) -> None:
    colours = tab.run(
        """(function () { var canvas = document.querySelector(".scene canvas");
        var data = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, seen = {};
        for (var k = 0; k < data.length; k += 4) { seen[data[k] + "," + data[k + 1] + "," + data[k + 2]] = 1; }
        return Object.keys(seen).length; })()"""
    )
    assert colours > 50
    before = tab.run(PICTURE)
    tab.run("new Promise(function (done) { setTimeout(done, 300); })")
    assert tab.run(PICTURE) == before


def test_every_control_has_a_name_and_the_focus_is_seen(tab: Tab) -> None:
    names = tab.run(
        """[].map.call(document.querySelectorAll(".scene canvas, .scene form button, .scene input, .scene select"),
        function (node) {
          return node.getAttribute("aria-label") || (node.labels && node.labels.length && node.labels[0].textContent)
            || node.textContent; })"""
    )
    assert len(names) >= 14
    assert all(name.strip() for name in names)
    # By the keyboard from the canvas through the whole form.
    tab.run(FOCUS)
    seen = set()
    for _ in range(len(names) - 1):
        tab.press("Tab")
        outline = tab.run("getComputedStyle(document.activeElement).outlineStyle")
        assert outline != "none"
        seen.add(tab.run("[].indexOf.call(document.querySelectorAll('.scene *'), document.activeElement)"))
    assert len(seen - {-1}) == len(names) - 1


def test_it_plays_and_pauses_by_mouse_and_by_keyboard(tab: Tab) -> None:
    label = "document.querySelector('[name=play]').textContent"
    wait = "new Promise(function (done) { setTimeout(done, 250); })"

    def plays() -> bool:
        before = tab.run(PICTURE)
        tab.run(wait)
        return tab.run(PICTURE) != before

    tab.click("[name=play]")
    assert tab.run(label) == "Pause"
    assert plays()
    tab.click("[name=play]")
    assert tab.run(label) == "Play"
    assert not plays()
    tab.run("document.querySelector('[name=play]').focus()")
    tab.press("Enter")
    assert plays()
    tab.run(FOCUS)
    tab.press(" ")
    assert not plays()


def test_time_is_scrubbed_by_slider_and_keys(tab: Tab) -> None:
    slider = "document.querySelector('.scene [name=frame]')"
    tab.run(f"{slider}.focus()")
    tab.press("Home")
    begin = time_of(tab)
    assert changes(tab, lambda: tab.press("ArrowRight", 3))
    assert time_of(tab) > begin
    assert tab.run(f"{slider}.getAttribute('aria-valuetext')") == tab.run(
        "document.querySelector('.scene output').textContent"
    )
    drag = (
        f"(function (s) {{ s.value = s.max / 2; s.dispatchEvent(new Event('input', {{bubbles: true}})); }})({slider})"
    )
    assert changes(tab, lambda: tab.run(drag))
    middle = time_of(tab)
    tab.run(FOCUS)
    assert changes(tab, lambda: tab.press("."))
    assert time_of(tab) > middle
    tab.press(",", 2)
    assert time_of(tab) < middle


def test_it_turns_by_dragging_and_by_arrow_keys_and_comes_nearer_by_wheel_keys_and_buttons(tab: Tab) -> None:
    canvas = ".scene canvas"
    # Without the focus the wheel scrolls the page as everywhere.
    assert not changes(tab, lambda: tab.wheel(canvas, -200))
    assert changes(tab, lambda: tab.drag(canvas, 80, 10))
    tab.run(FOCUS)
    for key in ("ArrowLeft", "ArrowUp", "+", "-", "ArrowRight", "ArrowDown"):
        assert changes(tab, lambda key=key: tab.press(key)), key
    assert changes(tab, lambda: tab.wheel(canvas, -200))
    tab.run(FOCUS)
    tab.press("Home")
    home = tab.run(PICTURE)
    for button in ("[data-zoom='1.25']", "[data-zoom='0.8']", *(f"[data-view={v}]" for v in ("right", "top", "front"))):
        before = tab.run(PICTURE)
        tab.click(f".scene {button}")
        assert tab.run(PICTURE) != before, button
    tab.click(".scene [name=reset]")
    assert tab.run(PICTURE) == home


def test_check_boxes_select_what_is_shown(tab: Tab) -> None:
    boxes = tab.run(
        "[].map.call(document.querySelectorAll('.scene [type=checkbox]'), function (box) { return box.name; })"
    )
    assert {"follow", "forces", "markers", "names"} <= set(boxes)
    for name in boxes:
        selector = f".scene [name={name}]"
        assert changes(tab, lambda selector=selector: tab.click(selector)), name
        tab.run(f"document.querySelector('{selector}').focus()")
        assert changes(tab, lambda: tab.press(" ")), name


def test_with_reduced_motion_preferred_it_plays_once_and_slowly(chromium: Chromium, pages: Path) -> None:
    tab = chromium.open(pages / "prediction.html", features={"prefers-reduced-motion": "reduce"})
    assert tab.run("document.querySelector('[name=speed]').value") == "0.25"
    tab.run("document.querySelector('[name=speed]').value = '1', document.querySelector('[name=frame]').focus()")
    tab.press("End")
    tab.press("ArrowLeft", 3)
    tab.click("[name=play]")
    tab.run("new Promise(function (done) { setTimeout(done, 600); })")
    assert tab.run("document.querySelector('[name=play]').textContent") == "Play"
    assert time_of(tab) == 100
    tab.close()


def test_it_fits_a_narrow_screen(chromium: Chromium, pages: Path) -> None:
    tab = chromium.open(pages / "prediction.html", width=400, height=800)
    assert tab.run("document.documentElement.scrollWidth") <= 400
    box = tab.run(
        "(function () { var b = document.querySelector('.scene canvas').getBoundingClientRect(); return b.width; })()"
    )
    assert 300 < box <= 400
    tab.close()
