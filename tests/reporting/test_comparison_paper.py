"""The comparison on paper: two pages whatever the input, lines that differ in grey, hostile text as text."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import combinations

import numpy as np
import pytest
from docx import Document

from pipeline.analysis import pooled, summarise
from pipeline.config import ParameterNorm
from pipeline.config.report_features import DEFAULT_FEATURES, parsed
from pipeline.reporting import (
    ComparisonContent,
    ReportedGroup,
    ReportRun,
    write_comparison_docx,
    write_comparison_pdf,
    write_crossed_report,
)
from pipeline.reporting.clinical.paper import HEIGHT, THIN, WIDTH
from pipeline.reporting.comparison.tables import value_tables
from pipeline.reporting.figures.overlaid_groups import GROUP_STYLES
from pipeline.reporting.figures.styles import LINE, printed_style
from pipeline.trial import GaitSummary, Note

from .conftest import HOSTILE, NORM, make_walk
from .test_muscles import activity_of
from .test_subject_page import shifted

RUN = ReportRun("Study")
FEATURES = [parsed(name) for name in DEFAULT_FEATURES]
LONG = "x" * 300 + " word" * 200


def group(name: str, degrees: float = 0.0, walks: int = 1, **more: object) -> ReportedGroup:
    own = [shifted(make_walk(), f"w{k}", degrees + k) for k in range(walks)]
    cycles = pooled("S1", [walk[2] for walk in own])
    return ReportedGroup(name, (("Date", "2024-03-04"),), (), cycles, summarise(cycles, 0.91, NORM), walks, **more)


@pytest.mark.long
@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_two_pages_whatever_the_input_and_all_text_on_them(tmp_path, shown, count):
    trunk = {name: np.full((2, 101), 5.0) for name in ("trunk_flexion", "trunk_bending", "trunk_rotation")}
    emg = activity_of("left", "right")
    groups = [
        replace(group(f"{k} {HOSTILE} {LONG}", 3.0 * k, 2), comments=(LONG, HOSTILE), trunk=trunk, emg=emg)
        for k in range(count)
    ]
    content = ComparisonContent(LONG, [("Diagnosis", LONG)], groups, FEATURES, [Note("warning", LONG, LONG)])
    write_comparison_pdf(tmp_path / "x.pdf", content, ReportRun(LONG))
    assert (tmp_path / "x.pdf").read_bytes().count(b"/Type /Page ") == 2
    assert len(shown) > 200
    outside = [at for at in shown if not (0.0 < at[0] < WIDTH and 15.0 <= at[1] < HEIGHT)]
    assert not outside
    words = {words for *_, words in shown}
    assert {"Trunk", "Muscle activity (EMG envelopes, of peak)"} <= words


def test_lines_on_paper_differ_by_dash_and_by_width():
    for styles in (
        ["left", "right"],
        *([f"{side} {name}" for name in names] for side in ("left", "right") for names in GROUP_STYLES.values()),
    ):
        drawn = [LINE | printed_style(words) for words in styles]
        for one, other in combinations(drawn, 2):
            assert one.get("dashes") != other.get("dashes")
            # a quarter of a point on paper is a dot of a printer of 300 dpi
            assert THIN * abs(one["linewidth"] - other["linewidth"]) > 0.24
    assert printed_style("left foot-off")["dashes"] != printed_style("right foot-off")["dashes"]


@pytest.mark.long
def test_values_stand_beside_the_norm_and_nothing_is_a_column_of_dashes(tmp_path, shown):
    groups = [group("pre"), group("post", 5.0)]
    write_comparison_pdf(tmp_path / "x.pdf", ComparisonContent("S1", (), groups, FEATURES), RUN)
    words = [words for *_, words in shown]
    for own in groups:
        for score in own.summary.gps.values():
            assert f"{score:.1f}" in words
    assert "\N{EN DASH}" not in " ".join(words)
    (scores,) = (table for table in value_tables(groups, FEATURES) if "Profile" in table.heading)
    assert scores.rows[0].norm == f"{groups[1].summary.norm_gps:.1f}"
    assert scores.rows[0].name == "Gait Profile Score"


def reordered(summary: GaitSummary) -> GaitSummary:
    """The same averages with curves and parameters in the opposite order."""

    def turned(value: object) -> object:
        return {name: turned(of) for name, of in reversed(value.items())} if isinstance(value, dict) else value

    return replace(summary, **{field.name: turned(getattr(summary, field.name)) for field in fields(summary)})


def test_values_are_looked_up_by_name_and_not_by_their_place():
    groups = [group("pre"), group("post", 5.0)]
    turned = [replace(groups[0], summary=reordered(groups[0].summary)), groups[1]]
    assert next(iter(turned[0].summary.norm_mean)) == list(groups[0].summary.norm_mean)[-1]
    assert value_tables(turned, FEATURES) == value_tables(groups, FEATURES)


@pytest.mark.long
def test_parameters_stand_beside_the_norm_that_is_given():
    norm = ParameterNorm({"cadence": (109.75, 9.125)}, "bovi, adult, Natural")
    table, *_ = value_tables([group("pre")], FEATURES, norm)
    assert table.heading == "Spatiotemporal parameters (norm: bovi, adult, Natural)"
    assert {row.name: row.norm for row in table.rows if row.norm} == {"Cadence (steps/min)": "109.8 ± 9.1"}
    table, *_ = value_tables([group("pre")], FEATURES)
    assert not any(row.norm for row in table.rows)


@pytest.mark.long
def test_a_group_without_results_is_named_with_the_reason(tmp_path, shown):
    missing = ReportedGroup("session post", missing="no results: no static trial")
    content = ComparisonContent("S1", (), [group("session pre"), missing], FEATURES)
    write_comparison_pdf(tmp_path / "x.pdf", content, RUN)
    assert "no results: no static trial" in [words for *_, words in shown]
    assert (tmp_path / "x.pdf").read_bytes().count(b"/Type /Page ") == 2


def test_more_than_four_groups_are_refused(tmp_path):
    with pytest.raises(ValueError, match="5 groups"):
        write_comparison_pdf(tmp_path / "x.pdf", ComparisonContent("S1", (), [ReportedGroup("g")] * 5), RUN)


@pytest.mark.long
def test_the_page_of_four_groups_has_their_values_and_text_as_text(tmp_path):
    groups = [group(f"{k} {HOSTILE}", 2.0 * k) for k in range(4)]
    run = replace(RUN, top="../../../", subject="S1", session="post", index="index.html")
    notes = [Note("warning", "body mass", "40 kg in pre and 43 kg in post, 8 % apart (limit 5 %), so that x")]
    content = ComparisonContent("S1", [("Diagnosis", HOSTILE)], groups, FEATURES, notes)
    write_crossed_report(tmp_path / "x.html", content, run, "x.pdf")
    page = (tmp_path / "x.html").read_text(encoding="utf-8")
    assert "40 kg in pre and 43 kg in post, 8 % apart (limit 5 %), so that x" in page
    assert content.warnings == ["Body mass: 40 kg in pre and 43 kg in post, 8 % apart."]
    assert "± their standard deviation" in page
    assert "<script>alert" not in page
    assert page.count("&lt;script&gt;alert") >= 5
    assert 'href="x.pdf"' in page
    for own in groups:
        score = own.summary.gps["left"]
        assert f'<td class="number">{score:.1f}</td>' in page


@pytest.mark.long
def test_unconfirmed_marker_sets_are_named_on_paper_and_in_the_document(tmp_path, shown):
    content = ComparisonContent("S1", [], [group("a"), group("b", 3.0)], FEATURES)
    named = "Unconfirmed marker set drafted: its labels were guessed and nobody has checked them."
    for names in ((), ("drafted",)):
        shown.clear()
        run = ReportRun("Study", unconfirmed=names)
        write_comparison_pdf(tmp_path / "x.pdf", content, run)
        write_comparison_docx(tmp_path / "x.docx", content, run)
        assert (tmp_path / "x.pdf").read_bytes().count(b"/Type /Page ") == 2
        head = " ".join(words for _, y, words in shown if y > 700.0)
        document = Document(tmp_path / "x.docx")
        described = [shape._inline.docPr.get("descr", "") for shape in document.inline_shapes]
        assert [words.split(" over ")[0] for words in described] == [
            "Joint angles",
            "Moments, powers, ground reaction and muscle activity",
        ]
        paragraphs = [paragraph.text for paragraph in document.paragraphs]
        assert (named in head) == any(text.startswith(named) for text in paragraphs) == bool(names)
        feet = [words for _, y, words in shown if y == 18.0 and "Study" in words]
        assert [foot.startswith("Unconfirmed marker set drafted") for foot in feet] == [bool(names)] * 2
