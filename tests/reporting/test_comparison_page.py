"""The page of two groups of walks shows every value of the stage, and hostile text as text."""

from __future__ import annotations

import re
import sys
from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import Group, compare_groups, compare_sides
from pipeline.provenance import Provenance
from pipeline.reporting import ReportRun, write_group_comparison_report
from pipeline.reporting.figures.group_comparison import clear_stretches
from pipeline.results import read_stage, write_stage
from pipeline.trial import Cluster, GroupComparison, StatisticalMap
from tests.analysis import stub_spm1d

from .conftest import HOSTILE, NORM, make_walk
from .test_subject_page import shifted

pytestmark = pytest.mark.long

PEAK = [("maximum", "knee_flexion", "swing")]
RUN = ReportRun("Study", {}, {}, {}, "index.html", top="../../../", subject="S1", session="post")


def group(session: str, condition: str, *degrees: float) -> Group:
    walks = [shifted(make_walk(), f"w{k}", d) for k, d in enumerate(degrees)]
    return Group(session, condition, tuple(walk[2] for walk in walks), 0.91, NORM)


@pytest.fixture(scope="module")
def groups() -> tuple[Group, Group]:
    return group("pre", "barefoot", 0.0, 0.5, 1.0), group("post", "barefoot", 5.0, 5.5, 6.5)


def written(tmp_path, first: Group, second: Group) -> tuple[GroupComparison, str]:
    both = compare_groups("pre-post", first, second, mapped=False)
    averages = (own.whole.summary for own in (first, second))
    write_group_comparison_report(
        tmp_path / "page.html",
        both,
        *averages,
        ("2024-03-04", ""),
        RUN,
        features=[("maximum", "knee_flexion", "swing")],
    )
    return both, (tmp_path / "page.html").read_text(encoding="utf-8")


def text_of(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", page))


def test_the_page_has_each_score_with_its_change_and_interval(tmp_path, groups):
    both, page = written(tmp_path, *groups)
    shown = text_of(page)
    for change in (c for c in both.scalars if c.kind in ("score", "profile")):
        sign = "+" if change.change > 0.05 else ""
        value = f"{change.change:.1f}".replace("-", "\N{MINUS SIGN}")
        assert f"{sign}{value} ± {change.half_width:.1f}" in shown, change
    peak = next(c for c in both.scalars if (c.name, c.side) == ("maximum knee_flexion in swing", "left"))
    assert f"+{peak.change:.1f} ± {peak.half_width:.1f}" in shown
    assert "Knee flexion, max. in swing" in shown
    assert "children with cerebral palsy" in shown
    assert "1.6°" in shown
    assert "within this subject" in shown
    assert "3 walks" in shown, "few walks are named"


def test_a_single_walk_has_dashes_in_place_of_intervals(tmp_path, groups):
    _, page = written(tmp_path, group("pre", "barefoot", 0.0), groups[1])
    shown = text_of(page)
    assert "1 walk (" in shown
    assert "± \N{EN DASH}" not in shown


def test_of_single_walks_no_column_is_of_dashes(tmp_path, groups):
    _, page = written(tmp_path, group("pre", "barefoot", 0.0), group("post", "barefoot", 5.0))
    rows = re.findall(r"<tr>(.*?)</tr>", page, re.DOTALL)
    cells = [re.findall(r"<td[^>]*>([^<]*)</td>", row) for row in rows if "<td" in row and "number" in row]
    assert len(cells) > 15
    assert not any("\N{EN DASH}" in cell for row in cells for cell in row)
    assert "95 %</th>" not in page
    assert "interval excludes zero" not in page
    assert "Differences of the curves with" not in page
    assert "SD of walks" not in page
    _, page = written(tmp_path, *groups)
    assert "95 %</th>" in page
    assert "SD of walks</th>" in page


def test_the_page_says_what_its_intervals_scores_and_loads_are(tmp_path, groups):
    """Intervals are not corrected for their number; a faster group has its norm; averages include estimated steps."""
    first, second = groups
    _, page = written(tmp_path, first, second)
    assert "one in twenty excludes zero by chance" in text_of(page)
    assert "the first group's scores" not in text_of(page)
    assert "estimated steps included" not in text_of(page)
    both = compare_groups("pre-post", first, second, mapped=False)
    faster = replace(first.whole.summary, norm_speed=0.51, estimated_count={"left": 1, "right": 0})
    path = tmp_path / "faster.html"
    write_group_comparison_report(path, both, faster, second.whole.summary, ("", ""), RUN)
    shown = text_of(path.read_text(encoding="utf-8")).replace("&#39;", "'")
    assert "the first group's scores are relative to Schwartz 2008 at dimensionless speed 0.51" in shown
    assert "Kinetics (estimated steps included)" in shown
    assert "Kinematics (estimated" not in shown


def test_stretches_without_zero_are_marked_and_only_those(groups):
    both = compare_groups("x", *groups, mapped=False)
    row = both.variable_names.index("knee_flexion")
    ends = list(clear_stretches(both, 0, row))
    inside = [p for p in both.percent if any(begin <= p <= end for begin, end in ends)]
    clear = np.abs(both.difference[0, row]) > both.half_width[0, row]
    assert inside == both.percent[clear].tolist()
    assert inside


def test_results_are_kept_as_they_are(tmp_path, groups):
    both = compare_groups("x", *groups, mapped=False)
    write_stage(tmp_path / "x.h5", both, Provenance("walks_comparison"))
    back = read_stage(tmp_path / "x.h5", GroupComparison)
    assert (back.first, back.second, back.notes) == (both.first, both.second, both.notes)
    np.testing.assert_allclose(back.difference, both.difference, rtol=1e-9, atol=1e-12)
    assert [c.name for c in back.scalars] == [c.name for c in both.scalars]


def test_text_of_tables_is_shown_as_text(tmp_path, groups):
    first, second = groups
    _, page = written(tmp_path, replace(first, condition=HOSTILE), second)
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert" in page


def test_the_sides_page_names_sides_and_shows_the_map_with_its_stretches(tmp_path, groups, monkeypatch):
    monkeypatch.setitem(sys.modules, "spm1d", stub_spm1d)
    first, second = groups
    left, right = replace(first, side="left"), replace(first, side="right")
    both = compare_sides("sides", left, right, mapped=True)
    average = first.whole.summary
    write_group_comparison_report(tmp_path / "sides.html", both, average, average, ("", ""), RUN)
    shown = text_of((tmp_path / "sides.html").read_text(encoding="utf-8"))
    assert "session pre, barefoot, left → session pre, barefoot, right" in shown
    assert "one degree of freedom less than there are walks" in shown
    (gps,) = (change for change in both.scalars if change.kind == "score")
    assert f"{gps.first:.1f} {gps.second:.1f}" in shown
    both = compare_groups("visits", first, second, mapped=True)
    both = replace(
        both, maps={"left knee_flexion": StatisticalMap(both.percent, 3.0, 4.0, 3, 3, (Cluster(4, 9, 0.02),))}
    )
    write_group_comparison_report(tmp_path / "visits.html", both, average, average, ("", ""), RUN)
    shown = text_of((tmp_path / "visits.html").read_text(encoding="utf-8"))
    assert "Knee flexion 4.0 9.0 0.020" in shown
    assert "No curve is beyond its threshold" in shown, "of the right side none was tested"
