"""A subject's page: all walks and both sides overlaid, with mean and standard deviation of all cycles."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import muscle_averages, pooled, summarise
from pipeline.reporting import ReportRun, StudyEntry, study_entry, subject, write_subject_report
from pipeline.reporting.clinical.report import ClinicalContent
from pipeline.reporting.figures.curves import GROUND, KINEMATICS, KINETICS, MAX_SINGLES, POINTS
from pipeline.trial import Cluster, StatisticalMap

from .conftest import HOSTILE, NORM, NOTHING_FOUND, with_cycles
from .test_muscle_loads import made_loads

pytestmark = pytest.mark.long

RUN = ReportRun("Study", {}, {"filter": {"markers": 6.0}}, {}, "index.html")
BAD = StudyEntry("S1", "walk9", "walk9.html", failed_step="ingest", reason="the header claims 65535 points")


def shifted(walk, name: str, degrees: float):
    """The walk under another name, with all angles larger by so much."""
    kinematics, loads, cycles, _ = walk
    curves = tuple(
        replace(c, angles={joint: values + np.radians(degrees) for joint, values in c.angles.items()})
        for c in cycles.cycles
    )
    return with_cycles(replace(kinematics, name=name), loads, replace(cycles, name=name, cycles=curves))


@pytest.fixture
def walks(walk):
    return [walk, shifted(walk, "walk2", 6.0)]


def content(walks) -> tuple:
    """Entries, stages and summary as the page takes them; one walk failed."""
    entries = [*(study_entry(*walk, NOTHING_FOUND, f"{walk[0].name}.html") for walk in walks), BAD]
    stages = [(cycles, summary) for *_, cycles, summary in walks]
    return entries, stages, summarise(pooled("S1", [cycles for cycles, _ in stages]), 0.91, NORM)


def test_walks_are_overlaid_with_means_deviations_and_norm(walks, page_of):
    page = page_of(write_subject_report, "S1", *content(walks), RUN)
    shown = [v for figure in (KINEMATICS, KINETICS, GROUND, POINTS) for row in figure.values() for v in row]
    figures = len(shown)
    for side in ("left", "right"):
        assert len(page.all("path", f"curve {side}")) == figures + 2 * figures, "a mean, and each walk's line"
        assert len(page.all("path", f"curve {side} single")) == 2 * figures
        assert len(page.all("path", f"band spread {side}")) == figures
    assert len(page.all("path", "band norm")) == sum(v.name in NORM.variables for v in shown)
    rows = [text for attrs, text in page.all("tr") if attrs == {}]
    assert any("walk9" in row and "ingest: the header claims 65535 points" in row for row in rows)
    assert {a["href"] for a, _ in page.all("a")} >= {"index.html", "walk1.html", "walk2.html", "walk9.html"}


def test_of_forty_walks_thirty_are_drawn_and_a_warning_of_all_names_the_first(walk, page_of, monkeypatch, tmp_path):
    *_, cycles, of_walk = walk
    names = [f"w{k}" for k in range(40)]
    entries = [StudyEntry("S1", name, f"{name}.html", alarms=("the plate drifts",), warnings=1) for name in names]
    stages = [(replace(cycles, name=name), replace(of_walk, name=name)) for name in names]
    summary = summarise(pooled("S1", [own for own, _ in stages]), 0.91, NORM)
    printed: list[ClinicalContent] = []
    monkeypatch.setattr(subject, "write_clinical_report", lambda path, content, run: printed.append(content))
    page = page_of(write_subject_report, "S1", entries, stages, summary, RUN, tmp_path / "page.pdf")
    figures = sum(len(row) for figure in (KINEMATICS, KINETICS, GROUND, POINTS) for row in figure.values())
    assert len(page.all("path", "curve left single")) == MAX_SINGLES * figures
    assert f"Thin lines: at most {MAX_SINGLES} walks of a side, evenly chosen; means are over all." in page.visible
    assert printed[0].alarms[-1] == "w0, w1, w2, w3, w4 and 35 more: the plate drifts"
    assert page.all("div", "scroll tall"), "the table of walks does not push the curves out of sight"


def test_walks_are_counted_that_are_in_the_averages(walks, page_of, monkeypatch, tmp_path):
    """Of three walks one failed and one has no complete gait cycle."""
    entries, ((cycles, of_first), (empty, of_second)), summary = content(walks)
    stages = [(cycles, of_first), (replace(empty, cycles=()), of_second)]
    assert "Walks 1 of 3" in page_of(write_subject_report, "S1", entries, stages, summary, RUN).visible
    printed: list[ClinicalContent] = []
    monkeypatch.setattr(subject, "write_clinical_report", lambda path, content, run: printed.append(content))
    subject.write_subject_report(tmp_path / "page.html", "S1", entries, stages, summary, RUN, tmp_path / "page.pdf")
    assert dict(printed[0].facts)["Walks"].startswith("1 of 3, 2 left")


def test_muscles_of_all_walks_have_their_mean_and_spread(walks, page_of):
    """Activations of a half and of nothing in two walks of two left cycles each: 0.25 with a deviation of
    0.5 / sqrt(3); contact forces of 3 and 5 body weights: peaks of 4 with 2 / sqrt(3)."""
    made = made_loads()
    both = [
        replace(made, name=name, activation=0 * made.activation + a, contact_force=0 * made.contact_force + [f, 0, 0])
        for name, a, f in (("walk1", 0.5, 3.0), ("walk2", 0.0, 5.0))
    ]
    found = muscle_averages([(loads, tuple(c.cycle for c in walks[0][2].cycles)) for loads in both], "left")
    np.testing.assert_allclose(found.mean["soleus_activation"], 0.25)
    np.testing.assert_allclose(found.sd["soleus_activation"], 0.5 / np.sqrt(3), atol=1e-4)
    page = page_of(lambda path: write_subject_report(path, "S1", *content(walks), RUN, muscles=both))
    rows = [text for _, text in page.all("tr")]
    assert any("Hip" in row and "4.0 ± 1.2" in row for row in rows)
    assert "mean ± SD of the cycles of 2 walks" in page.visible


def test_a_subject_whose_walks_all_failed_has_a_page(page_of):
    page = page_of(write_subject_report, "S1", [BAD], [], None, RUN)
    assert "the header claims 65535 points" in page.visible
    assert not page.all("svg")


def test_hostile_text_appears_as_text(walks, page_of):
    entries, stages, summary = content(walks)
    entries = [replace(entry, trial=HOSTILE, limits=(HOSTILE,)) for entry in entries[:2]]
    page = page_of(write_subject_report, HOSTILE, entries, stages, replace(summary, norm=HOSTILE), RUN)
    assert page.scripts() == [{"src": "report.js"}]
    assert " ".join(HOSTILE.split()) in page.visible
    assert not re.search(r"\bnan\b", page.visible, re.IGNORECASE)


def test_where_the_sides_were_compared_the_statistic_its_threshold_and_what_is_beyond_it_are_shown(walks, page_of):
    entries, stages, summary = content(walks)
    assert not page_of(write_subject_report, "S1", entries, stages, summary, RUN).all("section", "mapping")
    t = 4.0 * np.sin(np.linspace(0.0, np.pi, 101))
    # Above 3.2 where the sine is above 0.8, from 29.5 to 70.5 % of half a wave.
    clusters = (Cluster(29.52, 70.48, 0.0123), Cluster(90.0, 91.0, 0.00002))
    maps = {"knee_flexion": StatisticalMap(t, 3.2, 6.0, 4, 4, clusters)}
    page = page_of(write_subject_report, "S1", entries, stages, replace(summary, sides_compared=maps), RUN)
    (panel,) = (panel for name, panel in page.curves.items() if name.startswith("mapping"))
    told = {curve["label"]: curve["values"] for curve in panel["curves"]}
    np.testing.assert_allclose(told["t"][0], t, atol=0.005)
    assert set(told["Threshold"][0]) == {3.2}
    (area,) = page.all("path", "beyond")
    assert area[0]["d"].count("M") == 1
    assert len(page.all("path", "threshold")) == 2
    assert "Knee flexion 29.5 70.5 0.012" in page.visible
    assert "Knee flexion 90.0 91.0 < 0.001" in page.visible
