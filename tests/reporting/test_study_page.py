"""The study's page: a line for each trial, and every failure and missing result with its reason."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from urllib.parse import quote

import numpy as np
import pytest

from pipeline.reporting import ComparisonLink, ReportRun, StudyEntry, study_entry, write_study_report
from pipeline.reporting.entries import SideLoads
from pipeline.reporting.numbers import MISSING
from pipeline.reporting.trial.entry import thumbnail
from pipeline.trial import Finding, Findings, Note
from tests.reporting.conftest import HOSTILE, NOTHING_FOUND

RUN = ReportRun("Study", {}, {"filter": {"markers": 6.0}}, {})
GOOD = StudyEntry(
    "S1",
    "walk10",
    "walk10.html",
    cycles=(2, 1),
    kinetic_cycles=(1, 1),
    speed=1.234,
    cadence=111.6,
    gps=6.31,
    average="S1/1/walks/average.html",
)
BAD = StudyEntry("S2", "walk9", "walk9.html", failed_step="ingest", reason="the header claims 65535 points")
UNLOADED = StudyEntry("S2", "walk2", "walk2.html", cycles=(1, 1), speed=0.9, cadence=98.0, limits=("left: no plate",))


def cells_of(page) -> list[list[str]]:
    columns = 11
    cells = [text for attrs, text in page.all("td")][: columns * 3]
    return [cells[k : k + columns] for k in range(0, len(cells), columns)]


def test_a_trial_has_one_line_with_its_figures(page_of):
    page = page_of(write_study_report, [GOOD, BAD, UNLOADED], RUN)
    rows = cells_of(page)
    assert rows[0] == ["S1", "walk10", "ok", "2 (1)", "1 (1)", "1.23", "112", "6.3", "0", "0", ""]
    assert rows[1] == ["S2", "walk9", "failed", "", "", "", "", "", "", "", "ingest: the header claims 65535 points"]
    assert rows[2][:8] == ["S2", "walk2", "no kinetics", "1 (0)", "1 (0)", "0.90", "98", MISSING]
    assert rows[2][8:] == ["0", "0", "left: no plate"]
    assert {a["href"] for a, _ in page.all("a")} == {
        *("walk10.html", "walk9.html", "walk2.html"),
        *("S1/1/walks/average.html", "S1/1/walks/average.pdf"),
    }


def test_loads_of_each_side_are_counted_with_the_reason_for_none(page_of):
    loads = (SideLoads("left", 1, 2, 0, ()), SideLoads("right", 0, 0, 1, ("plate 1: two feet",)))
    page = page_of(write_study_report, [replace(GOOD, loads=loads), BAD], RUN)
    cells = [text for _, text in page.all("td")][-14:]
    assert cells[:7] == ["S1", "walk10", "left", "1", "2", "0", ""]
    assert cells[7:] == ["S1", "walk10", "right", "0", "0", "1", "plate 1: two feet"]


def test_the_status_separates_no_complete_cycle_from_no_kinetics():
    assert UNLOADED.status == "no kinetics"
    assert replace(UNLOADED, cycles=(0, 0)).status == "no complete gait cycle"
    assert replace(UNLOADED, kinetic_cycles=(0, 1)).status == "ok"
    assert replace(UNLOADED, loads=(SideLoads("left", 0, 1, 0, ()),)).status == "ok"
    assert replace(UNLOADED, loads=(SideLoads("left", 0, 0, 1, ()),)).status == "no kinetics"


def test_sessions_and_conditions_have_columns_where_a_study_has_some(page_of):
    entries = [GOOD, replace(UNLOADED, session="day2", condition="orthosis")]
    page = page_of(write_study_report, entries, RUN)
    cells = [text for _, text in page.all("td")]
    assert cells[:3] == ["S1", "1", ""]
    assert cells[13:17] == ["S2", "day2", "orthosis", "walk2"]


def test_every_failure_and_every_trial_without_kinetics_is_named_with_its_reason_above_the_table(page_of):
    page = page_of(write_study_report, [GOOD, BAD, UNLOADED], RUN)
    failed, lacking = (page.all("section", f"quality {kind}")[0][1] for kind in ("failed", "warned"))
    assert "walk9, at ingest: the header claims 65535 points" in failed
    assert "walk2: left: no plate" in lacking
    assert "walk10" not in failed + lacking


def test_hostile_text_appears_as_text_and_links_stay_relative(page_of):
    entries = [
        StudyEntry(HOSTILE, HOSTILE, "javascript:alert(1)", failed_step=HOSTILE, reason=HOSTILE),
        StudyEntry(HOSTILE, HOSTILE, "a#b?c.html", cycles=(1, 0), limits=(HOSTILE,), average=HOSTILE),
    ]
    page = page_of(write_study_report, entries, replace(RUN, title=HOSTILE))
    assert page.all("script") == [({"src": "report.js"}, "")]
    assert {a["href"] for a, _ in page.all("a")} == {
        "javascript%3Aalert%281%29",
        "a%23b%3Fc.html",
        quote(HOSTILE, safe="/"),
    }
    assert " ".join(HOSTILE.split()) in page.visible
    assert HOSTILE in [attrs.get("data-value") for attrs, _ in page.all("td")]


def test_a_walk_with_implausible_results_is_refused_with_its_reasons(walk, page_of):
    what = ("left knee", "flexion reaches 178 degrees", 178.0, 115.0, "degrees", "", "wrong labels", "check")
    finding = Finding(*what, grade="refusal")
    entry = study_entry(*walk, Findings("walk1", "S1", (finding,)), "walk1.html")
    assert entry.status == "refused"
    assert entry.refusals == (
        "left knee: flexion reaches 178 degrees (limit 115 degrees), probably wrong labels: check",
    )
    page = page_of(write_study_report, [entry], RUN)
    assert "Refused because the results are not plausible: 1" in page.visible
    assert "flexion reaches 178 degrees" in page.visible


def test_a_walk_whose_skeleton_or_estimated_loads_are_warned_of_is_not_ok(walk):
    """As its page is: a note informs, a warning counts."""
    notes = Note("info", "markers", "moved"), Note("warning", "plates", "the fore-aft force is 0.84 of what is needed")
    for source in ("body", "estimated"):
        entry = study_entry(*walk, NOTHING_FOUND, "walk1.html", **{source: SimpleNamespace(notes=notes)})
        assert (entry.status, entry.warnings) == ("warnings", 1)
        assert entry.alarms == ("plates: the fore-aft force is 0.84 of what is needed",)


def test_trials_that_the_study_does_not_classify_are_named_with_what_to_do(page_of):
    page = page_of(write_study_report, [GOOD], RUN, 0, ["S1/1/cut_off", HOSTILE])
    [(_, left_out)] = page.all("section", "quality warned")
    assert "Left out because their kind is blank in config/trials.tsv: 2" in left_out
    assert "S1/1/cut_off" in left_out
    assert " ".join(HOSTILE.split()) in " ".join(left_out.split())
    assert "Left out" not in page_of(write_study_report, [GOOD], RUN).visible


def test_trials_of_one_name_are_told_apart_where_they_are_listed(page_of):
    twice = [replace(one, session=visit, trial="w") for one in (BAD, UNLOADED) for visit in ("pre", "post")]
    listed = " ".join(text for _, text in page_of(write_study_report, twice, RUN).all("section"))
    assert all(listed.count(f"S2/{visit}/w") == 2 for visit in ("pre", "post"))


def test_a_study_without_trials_has_a_page(page_of):
    assert "Walks0" in page_of(write_study_report, [], RUN).visible.replace(" ", "")


def test_the_line_of_a_trial_has_the_values_of_its_stages(walk, stepless):
    entry = study_entry(*walk, NOTHING_FOUND, "walk1.html")
    assert (entry.subject, entry.trial, entry.page, entry.status) == ("S1", "walk1", "walk1.html", "ok")
    assert (entry.cycles, entry.kinetic_cycles) == ((2, 1), (1, 1))
    # Gaps: frames 11-13 and 51-52 of one marker, frame 101 of the other. Both heels go at 1.2 m/s.
    assert entry.gaps == 3
    assert entry.speed == pytest.approx(1.2, rel=1e-12)
    assert entry.cadence == pytest.approx((120 / 1.038 + 120 / 1.038 + 120 / 1.05) / 3, rel=1e-12)
    unloaded = study_entry(*stepless, NOTHING_FOUND, "walk1.html")
    assert unloaded.status == "no kinetics"
    assert unloaded.limits == ("left: plate 1: two feet on the plate", "right: plate 2: two feet on the plate")


@pytest.mark.long
def test_a_click_on_a_heading_sorts_in_a_browser(tmp_path, browse):
    """Trial names sort by their numbers, missing speeds stay last."""
    path = tmp_path / "index.html"
    write_study_report(path, [GOOD, BAD, UNLOADED], RUN)
    told = browse(
        path,
        """[1, 5, 5, 2].forEach(function (column) {
          document.querySelectorAll("thead button")[column].click();
          var rows = document.querySelectorAll("table.sortable tbody tr:not(.group)");
          tell([].map.call(rows, function (row) { return row.cells[1].textContent; }).join(","));
        });
        tell(document.querySelectorAll("tr.group:not([hidden])").length);
        document.querySelector("form.filter").elements.grouped.click();
        tell(document.querySelectorAll("tr.group:not([hidden])").length);""",
    )
    assert told.split("\n") == [
        "walk2,walk9,walk10",
        "walk2,walk10,walk9",
        "walk10,walk2,walk9",
        "walk10,walk2,walk9",
        "0",
        "2",
    ], "rows of sessions return with the order of the table"


@pytest.mark.long
def test_words_and_statuses_filter_the_trials_in_a_browser(tmp_path, browse):
    path = tmp_path / "index.html"
    write_study_report(path, [GOOD, BAD, UNLOADED], RUN)
    told = browse(
        path,
        """var form = document.querySelector("form.filter");
        function look() {
          form.dispatchEvent(new Event("input"));
          var rows = [].slice.call(document.querySelectorAll("table.sortable tbody tr:not(.group)"));
          var seen = rows.filter(function (row) { return row.offsetParent !== null && row.offsetHeight > 0; });
          var trials = seen.map(function (row) { return row.cells[1].textContent; });
          tell(trials + "; " + form.querySelector("output").textContent);
        }
        look();
        form.elements.words.value = "S2 WALK"; look();
        form.querySelector("[value=failed]").checked = false; look();
        form.elements.words.value = "absent"; look();""",
    )
    assert told.split("\n") == [
        "walk10,walk9,walk2; 3 of 3 trials",
        "walk9,walk2; 2 of 3 trials",
        "walk2; 1 of 3 trials",
        "; 0 of 3 trials",
    ]


def test_trials_stand_under_their_session_with_its_averages_and_comparisons(page_of):
    later = replace(GOOD, trial="walk11", session="post", average="S1/post/walks/average.html")
    link = ComparisonLink("S1", "post", "x", "session 1", "session post", "S1/post/comparisons/x.html")
    page = page_of(write_study_report, [GOOD, UNLOADED, later], replace(RUN, comparisons=(link,)))
    groups = [text for attrs, text in page.all("th") if attrs.get("scope") == "rowgroup"]
    assert [" ".join(text.split()).split(" · ")[0] for text in groups] == [
        "S1, session 1",
        "S1, session post",
        "S2, session 1",
    ]
    hrefs = [attrs["href"] for attrs, _ in page.all("a")]
    assert {"S1/post/walks/average.pdf", "S1/post/comparisons/x.html"} <= set(hrefs)


def test_the_thumbnail_is_the_knees_flexion(walk):
    """First point of the drawing: 24 less the flexion's share of 85 degrees above -10, rounded."""
    *_, summary = walk
    left, _ = thumbnail(summary)
    flexion = summary.mean["left"]["knee_flexion"][0]
    assert left.startswith(f"M0 {24 * (1 - (np.clip(flexion, -10, 75) + 10) / 85):.0f} ")
    assert len(left.removeprefix("M").split()) == 2 * 26
