"""The trial's page: all values of the stages, text escaped, and the same bytes each time."""

from __future__ import annotations

import json
import pickle
import re
import statistics
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.analysis import PARAMETERS, gait_cycles
from pipeline.conventions import SIDES
from pipeline.reporting import TEMPLATES, FurtherResults, ReportRun, write_failed_trial_report, write_trial_report
from pipeline.reporting.figures.curves import GROUND, KINEMATICS, KINETICS, POINTS
from pipeline.trial import CurveUncertainty, CutoffEvidence, Event, Note, Stance

from .conftest import HOSTILE, NORM, NOTHING_FOUND, Page, make_walk, with_cycles
from .test_figures import as_number

pytestmark = pytest.mark.long

RUN = ReportRun("Study", {"walk.c3d": "ab" * 32}, {"filter": {"markers": 6.0}}, {"numpy": "2.1"})


@pytest.fixture(scope="module")
def page(tmp_path_factory) -> Page:
    """The page of the walk as it is."""
    path = tmp_path_factory.mktemp("trial") / "walk.html"
    write_trial_report(path, *make_walk(), NOTHING_FOUND, RUN)
    return Page(path.read_text(encoding="utf-8"))


def test_angles_far_from_the_norm_are_named_and_the_mean_of_its_sample_is_drawn(walk, page_of):
    kinematics, loads, cycles, summary = walk
    profile = {side: dict.fromkeys(own, 1.0) | {"knee_flexion": 9.0} for side, own in summary.profile.items()}
    profile["left"]["hip_rotation"] = 8.1
    sample = dict.fromkeys(summary.norm_profile, 4.0)
    summary = replace(summary, profile=profile, gps=dict.fromkeys(SIDES, 5.0), norm_profile=sample, norm_gps=4.0)
    page = page_of(write_trial_report, kinematics, loads, cycles, summary, NOTHING_FOUND, RUN)
    told = [text for attrs, text in page.all("p") if attrs.get("class") == "after"]
    assert any("hip rotation (left), knee flexion (left and right)." in text for text in told)
    lines = [attrs["style"] for attrs, _ in page.all("i") if "style" in attrs]
    assert lines == ["left:44.4%"] * 20


def test_the_evidence_for_a_chosen_cut_off_is_drawn_and_a_given_one_has_none(walk, page_of, page):
    kinematics, *others = walk
    tried = np.arange(2.0, 30.5, 0.5)
    chosen = CutoffEvidence(8.5, "gcv", tried, 0.02 / tried**2, 0.02 / tried**2 + 1e-5 * tried)
    drawn = page_of(write_trial_report, replace(kinematics, cutoff=chosen), *others, NOTHING_FOUND, RUN)
    (panel,) = [text for attrs, text in drawn.all("svg") if attrs.get("id", "").startswith("cutoff-")]
    assert "Residual and score of the markers (mm)" in panel
    assert any("Cut-off used, 8.5" in text for _, text in drawn.all("span"))
    assert not [attrs for attrs, _ in page.all("svg") if attrs.get("id", "").startswith("cutoff-")]


def test_hostile_text_appears_as_text_and_nothing_else(walk, page_of):
    kinematics, loads, cycles, summary = walk
    kinematics = replace(
        kinematics,
        name=HOSTILE,
        subject=HOSTILE,
        marker_names=(HOSTILE, "RHEE"),
        notes=tuple(Note(kind, HOSTILE, HOSTILE) for kind in ("warning", "assumed", "info")),
        events=(Event(0.2, "left", "initial contact", HOSTILE),),
        stances=(Stance(1, "left", 22, 85, 0.2, 0.8, 0.01, HOSTILE),),
        calibration=replace(
            kinematics.calibration,
            marker_set=HOSTILE,
            static=HOSTILE,
            hip_method=HOSTILE,
            inertia_table=HOSTILE,
            values={"mass": 70.0, HOSTILE: 1.0},
            units={"mass": "kg", HOSTILE: "m"},
            sources={"mass": HOSTILE},
            segments={HOSTILE: next(iter(kinematics.calibration.segments.values()))},
        ),
    )
    run = ReportRun(HOSTILE, {HOSTILE: HOSTILE}, {HOSTILE: {HOSTILE: [HOSTILE]}}, {HOSTILE: HOSTILE}, HOSTILE, HOSTILE)
    page = page_of(write_trial_report, kinematics, loads, cycles, summary, NOTHING_FOUND, run)
    assert page.scripts() == [
        {"type": "application/json"},
        {"src": "report.js"},
        {"src": "scene.js"},
    ]
    assert json.loads(next(text for attrs, text in page.all("script") if "class" not in attrs))["figures"][0][
        "labels"
    ] == [HOSTILE, "RHEE"]
    assert not page.all("img")
    assert not [attrs for _, attrs, _ in page.elements for name in attrs if name.startswith("on")]
    assert " ".join(HOSTILE.split()) in page.visible
    assert "49" not in [text for _, text in page.all("h1")]


def test_the_page_loads_nothing_but_the_shared_scripts(page):
    links = [v for _, attrs, _ in page.elements for k, v in attrs.items() if k in ("src", "href", "action", "data")]
    assert links.count("report.js") == 1, "the script that the study's pages share"
    assert all(link.startswith("#") or link in ("report.js", "scene.js") for link in links)
    assert not re.search(r"@import|url\(", page.all("style")[0][1])
    policy = next(attrs["content"] for attrs, _ in page.all("meta") if attrs.get("http-equiv"))
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; script-src 'self' file:"


def test_browsers_that_darken_pages_leave_this_one_as_it_is(page):
    """They darken the ground of figures but not their text."""
    assert "color-scheme: only light;" in page.all("style")[0][1]


def test_every_figure_is_there_with_both_sides(page):
    shown = [v for figure in (KINEMATICS, KINETICS, GROUND, POINTS) for row in figure.values() for v in row]
    titles = [
        *(f"{v.title}, {v.display_units}" for v in shown),
        *(f"{joint}, {side}, Nm/kg" for joint in ("Ankle", "Knee") for side in SIDES),
    ]
    labels = [attrs["aria-label"] for attrs, _ in page.all("svg")]
    assert labels == [*titles, labels[-1]]
    assert "from above" in labels[-1]
    # Two left cycles of motion give two thin lines; one side's one cycle of kinetics gives none.
    motion = [v for figure in (KINEMATICS, POINTS) for row in figure.values() for v in row]
    assert len(page.all("path", "curve left single")) == 2 * len(motion)
    assert len(page.all("path", "curve right")) == len(shown)
    assert len(page.all("path", "vertical left foot-off")) == len(shown)
    with_norm = [v for v in shown if v.name in NORM.variables]
    assert len(page.all("path", "band norm")) == len(with_norm)
    labelled = [[curve["label"] for curve in panel["curves"]] for panel in page.curves.values()]
    own = [["Norm ± 1 SD", "Left", "Right"] if v in with_norm else ["Left", "Right"] for v in shown]
    assert sorted(labelled) == sorted([*own, *[["Inertia", "Gravity", "Ground", "Moment"]] * 4])
    ids = [attrs["id"] for _, attrs, _ in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert "Norm: Schwartz 2008, 83 typically developing children, at dimensionless speed" in page.visible
    legends = [text for _, text in page.all("p", "legend")]
    assert any("Norm ± 1 SD" in text for text in legends)
    for part in ("total", "ground", "gravity", "inertia"):
        assert len(page.all("path", f"curve {part}")) == 4


def test_panels_without_kinetics_give_the_reason(stepless, page_of):
    page = page_of(write_trial_report, *stepless, NOTHING_FOUND, RUN)
    labels = [attrs["aria-label"] for attrs, _ in page.all("svg")]
    missing = [label.partition(", not ")[2] for label in labels if ", not " in label]
    shown = [v for figure in (KINETICS, GROUND) for row in figure.values() for v in row]
    assert len(missing) == len(shown) + 4
    both = "measured: left: plate 1: two feet on the plate; right: plate 2: two feet on the plate"
    assert set(missing[:-4]) == {both}
    assert missing[-4:] == 2 * [f"measured: plate {plate}: two feet on the plate" for plate in (1, 2)]
    assert f"not {both}" in page.visible, "in the panels, to read"
    assert "excluded: two feet on the plate" in page.visible
    assert not re.search(r"\bnan\b", page.visible, re.IGNORECASE)
    assert not [attrs for attrs, _ in page.all("path") if "nan" in (attrs["d"] or "")]


def test_a_side_without_kinetics_is_named_beside_the_figures_of_the_other(walk, page_of):
    kinematics, loads, cycles, _ = walk
    curves = tuple(
        c
        if c.cycle.side == "left"
        else replace(c, cycle=replace(c.cycle, plate=0), moments={}, powers={}, ground=np.full((101, 3), np.nan))
        for c in cycles.cycles
    )
    stances = (kinematics.stances[0], replace(kinematics.stances[1], rejected="heel or toe stands beyond the edge"))
    changed = with_cycles(replace(kinematics, stances=stances), loads, replace(cycles, cycles=curves))
    page = page_of(write_trial_report, *changed, NOTHING_FOUND, RUN)
    assert "No kinetics of the right side: plate 2: heel or toe stands beyond the edge." in page.visible
    (kinetics,) = (text for attrs, text in page.all("section") if attrs.get("id") == "kinetics")
    assert "Right not measured: plate 2: heel or toe stands beyond the edge." in kinetics
    labels = [attrs["aria-label"] for attrs, _ in page.all("svg")]
    assert sum("not measured" in label for label in labels) == 2, "the right ankle's and knee's contributions"


def test_a_step_without_a_whole_cycle_is_drawn_over_stance(walk, page_of):
    kinematics, loads, _, _ = walk
    alone = replace(kinematics, cycles=())
    cycles = gait_cycles(alone, loads)
    assert [s.stance.side for s in cycles.stances] == ["left", "right"]
    page = page_of(write_trial_report, *with_cycles(alone, loads, cycles), NOTHING_FOUND, RUN)
    assert "Steps outside complete gait cycles" in page.visible
    assert "moments and powers over stance are given under Kinetics" in page.visible
    assert "No complete gait cycle of the left and right side" in page.visible
    drawn = [attrs["aria-label"] for attrs, _ in page.all("svg") if "not measured" not in attrs["aria-label"]]
    titles = [v.title for figure in (KINETICS, GROUND) for row in figure.values() for v in row]
    assert all(any(title in label for label in drawn) for title in titles)


def test_a_walk_without_plates_events_or_cycles_still_has_a_page(walk, page_of):
    kinematics, loads, cycles, _ = walk
    without = with_cycles(kinematics, loads, replace(cycles, cycles=(), notes=()))[2:]
    bare = replace(kinematics, plates=(), stances=(), events=(), cycles=(), notes=())
    page = page_of(write_trial_report, bare, loads, *without, NOTHING_FOUND, RUN)
    for text in ("no force plate", "No contact with a plate.", "No complete gait cycle.", "No event found."):
        assert text in page.visible
    assert not page.all("path", "curve")


def test_every_spatiotemporal_number_is_that_of_the_cycles_at_the_printed_precision(walk, page):
    cells = [text for _, text in page.all("td", "number")][: 3 * len(PARAMETERS)]
    symmetry = [cells.pop(k) for k in range(len(cells) - 1, 0, -3)][::-1]
    curves = walk[2].cycles
    expected = [[c.parameters[name] for c in curves if c.cycle.side == side] for name in PARAMETERS for side in SIDES]
    compared = 0
    for cell, values in zip(cells, expected, strict=True):
        printed = cell.split(" ± ")
        wanted = [statistics.mean(values), statistics.stdev(values)] if len(values) > 1 else values
        assert len(printed) == len(wanted), cell
        for text, value in zip(printed, wanted, strict=True):
            # Half a unit of the last printed digit, and rounding of the sum itself.
            assert as_number(text) == pytest.approx(value, abs=0.5001 * 10.0 ** -len(text.partition(".")[2]))
            compared += 1
    for text, value in zip(symmetry, walk[3].symmetry.values(), strict=True):
        if np.isfinite(value):
            assert as_number(text) == pytest.approx(value, abs=0.05001)
        else:
            assert text == "\N{EN DASH}"
    assert compared == 3 * len(PARAMETERS), "left has a mean and a spread, right one value"
    for name, entry in PARAMETERS.items():
        assert f"{entry.label.capitalize()} ({entry.display_units}) {entry.definition}" in page.visible, name


@pytest.mark.long
def test_same_input_gives_the_same_bytes_in_any_process(walk, tmp_path):
    stored, pages = tmp_path / "walk.pickle", []
    stored.write_bytes(pickle.dumps(((*walk, NOTHING_FOUND), RUN)))
    program = (
        "import pickle, sys; from pathlib import Path; from pipeline.reporting import write_trial_report\n"
        "walk, run = pickle.loads(Path(sys.argv[1]).read_bytes()); write_trial_report(Path(sys.argv[2]), *walk, run)"
    )
    for seed in ("1", "2"):
        path = tmp_path / f"page{seed}.html"
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": str(TEMPLATES.parents[1]), "OPENBLAS_NUM_THREADS": "1"}
        subprocess.run([sys.executable, "-c", program, str(stored), str(path)], check=True, env=environment)
        pages.append(path.read_bytes())
    assert pages[0] == pages[1]
    assert len(pages[0]) > 50_000


def test_a_failed_trials_page_has_trial_step_and_reason_and_no_other_file(tmp_path):
    path = tmp_path / "new" / "bad.html"
    write_failed_trial_report(path, HOSTILE, "ingest", HOSTILE, RUN)
    html = path.read_text(encoding="utf-8")
    assert "ingest" in html
    assert "&lt;script&gt;alert" in html
    assert "<script>" not in html, "the shared script alone, which has a source"
    assert [p.name for p in path.parent.iterdir()] == ["bad.html"]


def test_text_that_is_not_valid_unicode_is_escaped(walk, tmp_path):
    kinematics, loads, cycles, summary = walk
    write_trial_report(
        Path(tmp_path / "p.html"), replace(kinematics, subject="Mari\udce9"), loads, cycles, summary, NOTHING_FOUND, RUN
    )
    assert "Mari\\udce9" in (tmp_path / "p.html").read_text(encoding="utf-8")


@pytest.mark.long
def test_figures_show_their_values_by_keyboard_and_pointer_in_a_browser(walk, tmp_path, browse):
    """The number that the page shows is that of the stage at its printed precision; a label in the page never runs."""
    path = tmp_path / "walk.html"
    write_trial_report(path, *walk, NOTHING_FOUND, replace(RUN, title=HOSTILE))
    told = browse(
        path,
        """var figures = [].slice.call(document.querySelectorAll("svg[tabindex]"));
        var knee = figures.find(function (svg) { return svg.getAttribute("aria-label").startsWith("Knee flexion"); });
        function press(key, shift) {
          knee.dispatchEvent(new KeyboardEvent("keydown", { key: key, shiftKey: !!shift }));
        }
        function read() {
          var out = knee.parentNode.querySelector(".readout");
          if (out.hidden) { return "hidden"; }
          return [].map.call(out.children, function (row) { return row.textContent; }).join("; ");
        }
        tell(figures.length + " " + figures.every(function (svg) { return svg.tabIndex === 0; }));
        press("Home"); press("ArrowRight", true); press("ArrowRight"); press("ArrowRight"); press("ArrowLeft");
        tell(read());
        press("End"); tell(read());
        press("Escape"); tell(read());
        var box = knee.getBoundingClientRect(), field = knee.querySelector(".field").getBoundingClientRect();
        var x = field.left + 0.7 * field.width;
        knee.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: box.top + 20 }));
        tell(read());
        tell(document.querySelectorAll(".mark circle").length);""",
    ).split("\n")
    summary = walk[3]

    def expected(percent: int) -> str:
        mean, sd = summary.norm_mean["knee_flexion"][percent], summary.norm_sd["knee_flexion"][percent]
        values = [mean - sd, mean + sd, *(summary.mean[side]["knee_flexion"][percent] for side in SIDES)]
        low, high, left, right = (f"{value:.1f}".replace("-", "\N{MINUS SIGN}") for value in values)
        return f"{percent} %; Norm ± 1 SD {low} to {high}; Left {left}; Right {right}"

    points = sum(len(variables) for variables in POINTS.values())
    assert told == [f"{12 + 9 + 3 + points + 3 + 4} true", expected(11), expected(100), "hidden", expected(70), "2"]


def test_uncertainty_is_a_band_about_the_mean_with_its_largest_source_and_a_table(walk, page_of):
    """It reaches 3.5 degrees below and 4.1 above the mean curve, 3.8 on average; without it the reason is told."""
    mean = walk[3].mean["left"]["knee_flexion"]
    by_source = np.array([1.2, 1.6])[:, None, None, None] * np.ones((1, 2, 1, 101))
    of_walk = ("walk1", "S1", ("hip centre", "soft tissue"), SIDES, ("knee_flexion",))
    below, above = (np.full((2, 1, 101), reach) for reach in (3.5, 4.1))
    bands = CurveUncertainty(*of_walk, np.linspace(0.0, 100.0, 101), ("deg",), by_source, below, above, ())
    page = page_of(write_trial_report, *walk, NOTHING_FOUND, RUN, FurtherResults(uncertainty=bands))
    drawn = [curve for panel in page.curves.values() for curve in panel["curves"] if curve["label"] == "Left, 95 %"]
    assert len(drawn) == 1, "a band for the one curve that has an uncertainty"
    low, high = (np.array(values, dtype=float) for values in drawn[0]["values"])
    np.testing.assert_allclose(mean - low, 3.5, atol=0.06)  # one decimal is printed
    np.testing.assert_allclose(high - mean, 4.1, atol=0.06)
    assert "for angles soft tissue (64 % of the variance)" in page.visible
    assert "± 3.8" in page.visible
    failed = page_of(write_trial_report, *walk, NOTHING_FOUND, RUN, FurtherResults(uncertainty="no marker set"))
    assert "No uncertainty bands: no marker set." in failed.visible
    assert "95 % uncertainty" not in failed.visible
