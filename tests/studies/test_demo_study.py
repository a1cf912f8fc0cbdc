"""The demo study: every number of a page is in its file and its table."""

from __future__ import annotations

import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import matplotlib.pyplot
import numpy as np
import pandas as pd
import pytest
import xarray

import pipeline
from pipeline import open_trial
from pipeline.analysis import (
    CYCLE_VARIABLES,
    JOINT_FORCES,
    SAGITTAL_MOMENTS,
    SKELETON_VARIABLES,
    STEP_VARIABLES,
    VARIABLES,
    average,
)
from pipeline.cli import main
from pipeline.reporting.figures.whole_body import NEARLY_ALL
from pipeline.results import read_stage
from pipeline.trial import MuscleLoads, PredictedComparison
from tests.docs.snippets import blocks, commands, pages_with_snippets
from tests.reporting.test_figures import points_of
from tests.studies.bench import ROOT, files_of

SIDES = ("left", "right")


@cache
def opened(path: Path) -> xarray.DataTree:
    """A file or trial of the study, opened once for all tests."""
    return open_trial(path)


def results_files(demo: Path) -> list[Path]:
    return sorted((demo / "data/results").rglob("*.h5"))


def assert_opens_without_this_package(files: Iterable[Path]) -> None:
    """The dimensions of each group are found in it or above, as netCDF has them."""
    for path in files:
        own = opened(path)
        with xarray.open_datatree(path) as plain:
            assert {node.path for node in own.subtree} == {node.path for node in plain.subtree}, path.name
            for node in own.subtree:
                for name, values in node.dataset.data_vars.items():
                    there = plain[node.path].dataset[name]
                    assert there.dims == values.dims, (path.name, node.path, name)
                    np.testing.assert_array_equal(there.values.astype(values.dtype), values.values)
                    assert there.attrs["units"] == values.attrs["units"]


def test_every_results_file_opens_as_labelled_arrays(demo):
    """Those of the second walk, which are alike, without this package in test_demo_pages.py."""
    files = results_files(demo)
    assert all(opened(path).attrs["status"] == "ok" for path in files)
    own = [path for path in files if path.stem != "walk_back"]
    assert len(own) > 15
    assert_opens_without_this_package(own)


def assert_walk_in_memory_is_stored(demo: Path, whole_body: bool) -> None:
    """All numbers and labels; names of the inputs differ in their paths, and so do digests of the code."""
    recordings = demo / "data/demo"
    walk = pipeline.analyse(
        recordings / "walk.c3d",
        static=recordings / "static.c3d",
        sex="m",
        settings={"whole_body": {"enabled": whole_body}},
    )
    stored = opened(demo / "data/results/demo/1/walk")
    assert {"kinematics", "summary", "cycles", "plausibility"} <= set(walk.children)
    assert ("whole_body" in walk.children) is whole_body
    compared = 0
    for node in walk.subtree:
        if node.path.split("/")[1] in ("plausibility", ""):  # its findings on the skeleton need the skeleton
            continue
        for name, values in node.to_dataset(inherit=False).variables.items():
            xarray.testing.assert_identical(values, stored[node.path].to_dataset(inherit=False).variables[name])
            compared += 1
    assert compared > 200


def test_a_walk_analysed_in_memory_is_that_of_the_study(demo):
    """Of the legs; with the whole skeleton in test_demo_pages.py."""
    assert_walk_in_memory_is_stored(demo, whole_body=False)


def test_muscles_give_the_moments_of_the_demo_and_are_on_its_page_and_in_its_tables(demo):
    """Reserves of all joints but the toes stay below 5 % of the joint's peak moment (Hicks et al. 2015), and about the
    subtalar axes, which no marker shows, below 1.96 sevenths of the ankle's."""
    loads = read_stage(demo / "data/results/demo/1/muscles/walk.h5", MuscleLoads)
    share = np.abs(np.nan_to_num(loads.reserve)).max(axis=0) / np.nan_to_num(loads.peak_moment, nan=1.0)
    known = np.array([not name.endswith(("toe_extension", "subtalar")) for name in loads.coordinates])
    assert share[known].max() < 0.05
    for side in SIDES:
        ankle, hinge = (loads.coordinates.index(f"{side}_{name}") for name in ("ankle_flexion", "subtalar"))
        assert np.nanmax(np.abs(loads.reserve[:, hinge])) < 1.96 / 7.0 * loads.peak_moment[ankle]
    assert (demo / "data/results/demo/1/muscles/walk.h5").stat().st_size < 300_000
    assert "Estimated muscle" in (demo / "reports/demo/1/walks/walk.html").read_text(encoding="utf-8")
    curves = pd.read_parquet(demo / "data/results/study_curves.parquet")
    estimated = curves[(curves["kind"] == "estimated") & (curves["trial"] == "walk")]
    soleus = estimated.loc[estimated["variable"] == "soleus_activation", "value"].dropna()
    assert len(soleus) > 300
    assert soleus.between(0, 1 + 1e-6).all()  # in single precision
    assert estimated.loc[estimated["variable"] == "hip_contact_force", "value"].max() > 2.0


def test_the_run_log_has_every_job_and_the_pages_its_times(demo):
    jobs = [json.loads(line) for line in (demo / "logs/run.jsonl").read_text().splitlines()]
    steps = ("ingest", "kinematics", "inverse_dynamics", "cycles", "summary", "plausibility", "whole_body", "report")
    assert {("demo/1/walk", step) for step in steps} <= {(job["name"], job["step"]) for job in jobs}
    assert {"predict", "average", "tables", "page", "prediction_report"} <= {job["step"] for job in jobs}
    assert all(job["seconds"] > 0.0 and job["outcome"] != "failed" for job in jobs)
    (own,) = (job for job in jobs if (job["name"], job["step"]) == ("demo/1/walk", "kinematics"))
    assert f"kinematics {own['seconds']:.2f} s" in (demo / "reports/demo/1/walks/walk.html").read_text(encoding="utf-8")


def test_no_page_or_result_holds_a_path_of_this_machine(demo):
    for name, content in files_of(demo).items():
        for path in (demo, ROOT, Path.home()):
            assert str(path).encode() + b"/" not in content, name


def attribute(tag: str, name: str) -> str:
    found = re.search(rf'\b{name}="([^"]*)"', tag)
    return html.unescape(found[1]) if found else ""


PATH_PRECISION = 4e-4
"""Part of an axis: places are rounded to a tenth of a point, panels are 146 points high."""


@dataclass(frozen=True)
class Line:
    """A labelled line or band on a page.

    Attributes:
        drawn: (N, 2) the points of its path, in the units of the axes.
        shown: (1 or 2, 101) the values that the page shows on request.
        axis: length of the vertical axis.
        decimals: with which values are shown.
    """

    drawn: np.ndarray
    shown: np.ndarray
    axis: float
    decimals: int

    def holds(self, *wanted: np.ndarray) -> None:
        """Assert that the page shows these values over the gait cycle at its precision, and draws them."""
        np.testing.assert_allclose(self.shown, wanted, atol=0.5001 * 10.0**-self.decimals)
        known = np.isfinite(wanted[0])
        if len(wanted) == 1:
            np.testing.assert_allclose(self.drawn[:, 0], np.arange(101)[known], atol=0.1)
            np.testing.assert_allclose(self.drawn[:, 1], wanted[0][known], atol=PATH_PRECISION * self.axis)


def panels(page: str) -> dict[str, dict[str, Line]]:
    """The labelled lines and bands of a page by their panel's title and their label."""
    paths = {attribute(path, "id"): attribute(path, "d") for path in re.findall(r"<path id=[^>]*>", page)}
    titles = {attribute(svg, "id"): attribute(svg, "aria-label") for svg in re.findall(r"<svg id=[^>]*>", page)}
    found: dict[str, dict[str, Line]] = {}
    for text in re.findall(r'<script type="application/json" class="curves">(.*?)</script>', page, re.DOTALL):
        for name, panel in ((name, panel) for name, panel in json.loads(text).items() if name in titles):
            left, top, right, bottom = panel["box"]
            (first, last), (low, high) = panel["x"], panel["y"]
            lines = {}
            for curve in panel["curves"]:
                points = np.concatenate(points_of(paths[curve["id"]]))
                x = first + (points[:, 0] - left) / (right - left) * (last - first)
                y = high - (points[:, 1] - top) / (bottom - top) * (high - low)
                shown = np.array(curve["values"], dtype=float)
                lines[curve["label"]] = Line(np.stack([x, y], axis=1), shown, high - low, panel["decimals"])
            found[titles[name].rpartition(", ")[0]] = lines
    return found


@pytest.fixture(scope="module")
def tables(demo) -> dict[str, pd.DataFrame]:
    return {
        what: pd.read_parquet(demo / f"data/results/study_{what}.parquet").astype({"side": str, "kind": str})
        for what in ("curves", "scalars")
    }


@pytest.mark.parametrize("trial", ["walk", "walk_back"])
def test_every_averaged_and_normative_curve_of_a_page_is_in_the_file_and_in_the_table(demo, tables, trial):
    """The file and the table to the last bit, the page within what a hundredth of a drawing unit is worth."""
    summary = opened(demo / f"data/results/demo/1/{trial}")["summary"]
    page = panels((demo / f"reports/demo/1/walks/{trial}.html").read_text(encoding="utf-8"))
    table = tables["curves"]
    table = table[table.trial == trial]
    compared = 0
    for name, variable in CYCLE_VARIABLES.items():
        if variable.axis is None:
            continue
        lines = page[variable.title]
        for side in SIDES:
            stored = summary["mean"].sel(side=side, variable=name).values
            rows = table[(table.kind == "mean") & (table.side == side) & (table.variable == name)]
            np.testing.assert_array_equal(rows.value.to_numpy(), stored)
            assert np.isfinite(stored).sum() > 40
            lines[side.capitalize()].holds(stored)
            compared += 1
        mean, sd = (summary[f"norm_{part}"].sel(variable=name).values for part in ("mean", "sd"))
        assert ("Norm ± 1 SD" in lines) == np.isfinite(mean).all()
        if "Norm ± 1 SD" in lines:
            rows = table[(table.kind == "norm mean") & (table.variable == name)]
            np.testing.assert_array_equal(rows.value.to_numpy(), mean)
            lines["Norm ± 1 SD"].holds(mean - sd, mean + sd)
    assert compared == 2 * sum(variable.axis is not None for variable in CYCLE_VARIABLES.values())
    for name, joint in (("ankle_plantarflexor_moment", "Ankle"), ("knee_extensor_moment", "Knee")):
        for side in SIDES:
            for part, label in (
                ("total", "Moment"),
                ("ground", "Ground"),
                ("gravity", "Gravity"),
                ("inertia", "Inertia"),
            ):
                kind = "stance moment" if part == "total" else f"stance contribution of {part}"
                stored = summary["contributions"].sel(moment=name, side=side, contribution=part).values
                rows = table[(table.kind == kind) & (table.side == side) & (table.variable == name)]
                np.testing.assert_array_equal(rows.value.to_numpy(), stored)
                drawn = page[f"{joint}, {side}"][label]
                drawn.holds(stored)


def test_single_cycles_of_the_table_are_those_of_the_file_in_reported_units(demo, tables):
    tree = opened(demo / "data/results/demo/1/walk")
    table = tables["curves"]
    own = table[(table.trial == "walk") & (table.kind == "cycle") & (table.cycle == 1)]
    knee = own[own.variable == "knee_flexion"].value.to_numpy()
    first = tree["cycles/cycles"].sel(gait_cycle=1)
    np.testing.assert_allclose(knee, np.degrees(first["angles"].sel(angle="knee").values[:, 0]), rtol=1e-11)
    moment = own[own.variable == "knee_extensor_moment"].value.to_numpy()
    np.testing.assert_allclose(moment, first["moments"].sel(joint="knee").values[:, 0], rtol=1e-11)


@pytest.mark.parametrize("trial", ["walk", "walk_back"])
def test_every_parameter_and_score_of_a_page_is_in_the_file_and_in_the_table(demo, tables, trial):
    summary = opened(demo / f"data/results/demo/1/{trial}")["summary"]
    page = (demo / f"reports/demo/1/walks/{trial}.html").read_text(encoding="utf-8")
    table = tables["scalars"]
    table = table[table.trial == trial]

    def in_table(kind: str, side: str, parameter: str) -> float:
        rows = table[(table.kind == kind) & (table.side == side) & (table.parameter == parameter)]
        return float(rows.value.iloc[0]) if len(rows) else np.nan

    def number(text: str) -> float:
        return float(text.replace("\N{MINUS SIGN}", "-")) if text != "\N{EN DASH}" else np.nan

    section = page[page.index('<section id="parameters"') : page.index('<section id="kinematics"')]
    compared = 0
    for row, name in enumerate(summary["parameter"].values):
        cells = re.findall(r"<td class=\"number[^>]*>([^<]*)</td>", section)[3 * row : 3 * row + 3]
        for side, cell in zip(SIDES, cells, strict=False):
            for kind, text in zip(("mean", "sd"), cell.split(" ± "), strict=False):
                stored = float(summary[f"parameter_{kind}"].sel(side=side, parameter=name))
                half_a_digit = 0.5001 * 10.0 ** -len(text.partition(".")[2])
                assert number(text) == pytest.approx(stored, abs=half_a_digit, nan_ok=True)
                assert in_table(kind, side, name) == pytest.approx(stored, abs=0, nan_ok=True)
                compared += 1
        symmetry = float(summary["symmetry"].sel(parameter=name))
        assert number(cells[2]) == pytest.approx(symmetry, abs=0.0501, nan_ok=True)
        assert in_table("symmetry", "", name) == pytest.approx(symmetry, abs=0, nan_ok=True)
    assert compared >= 30
    sample = re.findall(r'<td class="sample">([^<]*)</td>', section)
    assert len(sample) == 10
    assert number(sample[9]) == pytest.approx(float(summary["norm_gps"]), abs=0.0501)
    assert in_table("norm score", "", "gps") == float(summary["norm_gps"])
    hip = float(summary["norm_profile"].sel(variable="hip_flexion"))
    assert number(sample[3]) == pytest.approx(hip, abs=0.0501)
    assert in_table("norm profile", "", "hip_flexion") == hip
    bars = re.findall(r'<span class="value">([^<]*)</span>', section)
    assert len(bars) == 2 * 10
    for k, side in enumerate(SIDES):
        gps = float(summary["gps"].sel(side=side))
        assert number(bars[18 + k]) == pytest.approx(gps, abs=0.0501, nan_ok=True)
        assert in_table("score", side, "gps") == pytest.approx(gps, abs=0, nan_ok=True)
        hip = float(summary["profile"].sel(side=side, variable="hip_flexion"))
        assert number(bars[6 + k]) == pytest.approx(hip, abs=0.0501, nan_ok=True)
        assert in_table("profile", side, "hip_flexion") == pytest.approx(hip, abs=0, nan_ok=True)
    speed = float(summary["walking_speed"])
    assert f"<dd>{speed:.2f} m/s</dd>" in page
    assert in_table("trial", "", "walking_speed") == speed


def test_the_dictionary_explains_every_name_of_the_tables(demo):
    """With the unit that stands in the tables, where there is one; names of the person's own things have their kind."""
    dictionary = pd.read_csv(demo / "data/results/study_dictionary.csv", keep_default_na=False)
    known = {tuple(row[:3]): row[3] for row in dictionary.itertuples(index=False)}
    assert len(known) == len(dictionary), "each name once"
    own = ("whole body", "marker", "segment", "subject", "mass", "joint", "coordinate", "left against")
    compared = set()
    of_study = [path.stem for path in (demo / "data/results").glob("study_*.parquet")]
    of_sessions = {path.stem for path in (demo / "data/results").glob("*/*/tables/*.parquet")}
    assert of_sessions <= set(of_study), "each table of the sessions is joined"
    for table in (*of_study, "predicted_curves"):
        rows = pd.read_parquet(demo / f"data/results/{table}.parquet").astype(str)
        for column in ("kind", "event", "variable", "parameter", "phase"):
            if column not in rows:
                continue
            told = rows if column != "parameter" else rows[~rows.kind.str.startswith(own)]
            if column == "parameter":  # a symmetry is in percent whatever it is of
                told = told[~told.parameter.isin(CYCLE_VARIABLES) & (told.kind != "symmetry")]
            for name, unit in told[[column, "unit" if "unit" in rows else column]].drop_duplicates().to_numpy():
                assert (table, column, name) in known
                assert column == "phase" or known[table, column, name] in ("", unit)  # a phase is in percent
                compared.add((table, column, name))
    assert len(compared) > 100
    measures = pd.read_parquet(demo / "data/results/predicted_vs_measured.parquet").astype(str)
    told = measures[~measures.variable.isin(("objective", "constraint")) & ~measures.measure.str.contains(" ")]
    assert set(told.measure) <= set(dictionary[dictionary.column == "measure"].name)


def test_every_file_that_the_documentation_names_is_there(demo):
    """But for comparisons, as the demo has one visit and one condition."""
    named = []
    for cells in re.findall(r"^\| (`.+?) \|", (ROOT / "docs/results.md").read_text(encoding="utf-8"), re.MULTILINE):
        folder = ""
        for path in re.findall(r"`([^`]+)`", cells):
            folder = folder if "/" not in path else path.rpartition("/")[0]
            named.append(path if "/" in path else f"{folder}/{path}")
    assert len(named) > 15
    for path in named:
        if "/comparisons/" in path or ".CONDITION." in path:
            continue
        pattern = re.sub(r"\b(SUBJECT|SESSION|TRIAL|STAGE|NAME)\b", "*", path)
        # Names of tables are given without their kinds.
        assert list(demo.glob(pattern)) or list(demo.glob(f"{pattern}.*")), path


def test_a_subject_s_averages_are_in_its_file_and_in_the_tables_without_a_trial(demo, tables):
    summary = opened(demo / "data/results/demo/1/average/average.h5")
    page = panels((demo / "reports/demo/1/walks/average.html").read_text(encoding="utf-8"))
    curves, scalars = (table[table.trial == ""] for table in tables.values())
    for name, variable in CYCLE_VARIABLES.items():
        if variable.axis is None or variable.quantity == "ground":
            continue
        for side in SIDES:
            stored = summary["mean"].sel(side=side, variable=name).values
            rows = curves[(curves.kind == "mean") & (curves.side == side) & (curves.variable == name)]
            np.testing.assert_array_equal(rows.value.to_numpy(), stored)
            drawn = page[variable.title][side.capitalize()]
            drawn.holds(stored)
    (gps,) = scalars[(scalars.kind == "score") & (scalars.side == "left")].value
    assert gps == float(summary["gps"].sel(side="left"))


def test_what_was_predicted_is_on_the_page_in_the_file_and_in_the_table(demo):
    """Over the step and over the gait cycle, with the same values."""
    both = opened(demo / "data/results/demo/1/comparisons/as_walked.h5")
    table = pd.read_parquet(demo / "data/results/predicted_curves.parquet").astype({"side": str, "kind": str})
    page = (demo / "reports/demo/1/predictions/as_walked.html").read_text(encoding="utf-8")
    over_step, beside = map(panels, page.split('<section id="comparison">'))

    def same(stored: np.ndarray, drawn: Line, kind: str, side: str, name: str) -> None:
        rows = table[(table.kind == kind) & (table.side == side) & (table.variable == name)]
        np.testing.assert_array_equal(rows.value.to_numpy(), stored)
        drawn.holds(stored)

    labels = {"left": "Left", "right": "Right", "both": "Both feet"}
    compared = 0
    for name, variable in STEP_VARIABLES.items():
        for side, label in labels.items():
            if label in over_step[variable.title]:
                stored = both["motion/values"].sel(motion_side=side, motion_variable=name).values
                same(stored, over_step[variable.title][label], "predicted motion", side, name)
                compared += 1
    assert compared == 2 * 9 + 3
    for name, variable in CYCLE_VARIABLES.items():
        if variable.axis is None or variable.quantity == "ground":
            continue
        stored = both["predicted"].sel(side="left", variable=name).values
        same(stored, beside[variable.title]["Predicted"], "predicted", "left", name)
    for name, variable in JOINT_FORCES.items():
        for side in ("left", "right"):
            for stored, kind in (("predicted", "predicted"), ("measured", "measured mean")):
                label = "Predicted" if stored == "predicted" else f"Measured, {side}"
                values = both[stored].sel(side=side, variable=name).values
                same(values, beside[variable.title][label], kind, side, name)


def test_every_measure_on_a_prediction_s_page_is_in_the_file_and_in_the_table(demo):
    both = read_stage(demo / "data/results/demo/1/comparisons/as_walked.h5", PredictedComparison)
    assert (both.asked, both.walk) == (True, "walk")
    table = pd.read_parquet(demo / "data/results/predicted_vs_measured.parquet")
    as_text = pd.read_csv(demo / "data/results/predicted_vs_measured.csv", keep_default_na=False)
    names = dict.fromkeys(table.columns.difference(["value", "asked"]), str)
    pd.testing.assert_frame_equal(table.astype(names), as_text.astype(names))
    known = {(row.variable, row.side, row.measure): row.value for row in table.itertuples()}
    page = (demo / "reports/demo/1/predictions/as_walked.html").read_text(encoding="utf-8")
    rows = re.findall(r'<tr><th scope="row">[^<]*</th><td>[^<]*</td>(.*?)</tr>', page[page.index('id="measures"') :])
    variables = dict.fromkeys(one.variable for one in both.agreement)
    assert len(rows) >= len(variables) > 25
    measures = ("rmse", "offset", "rmse_shape", "nrmse", "r", "peak_predicted", "peak_measured", "timing")
    for row, variable in zip(rows, sorted(variables, key=both.variable_names.index), strict=False):
        cells = iter(re.findall(r"<td[^>]*>([^<]*)</td>", row))
        for side in both.side_names:
            (one,) = (a for a in both.agreement if (a.variable, a.side) == (variable, side))
            for measure in measures:
                text, stored = next(cells), getattr(one, measure)
                assert known.get((variable, side, measure), np.nan) == pytest.approx(stored, abs=0, nan_ok=True)
                if text != "\N{EN DASH}":
                    half_a_digit = 0.5001 * 10.0 ** -len(text.partition(".")[2])
                    shown = 100.0 * stored if measure == "nrmse" else stored
                    assert float(text.replace("\N{MINUS SIGN}", "-")) == pytest.approx(shown, abs=half_a_digit)


def test_leg_moments_by_both_methods_are_on_the_page_and_in_the_table(demo, tables):
    page = (demo / "reports/demo/1/walks/whole_body.walk.html").read_text(encoding="utf-8")
    figure = page[page.index('<section id="overlay"') : page.index('id="skeleton"')]
    table = tables["curves"]
    labels = {
        "matrix form": "Matrix form",
        "whole body kinematic": "Whole body, kinematic",
        "whole body residual-reduced": "Whole body, residual-reduced",
    }
    values_of_both = figure[figure.index("<script") : figure.index("</script>")] + "</script>"
    for side, part in zip(SIDES, figure.split("<h3>")[1:3], strict=True):
        for name in SAGITTAL_MOMENTS.values():
            lines = panels(part.partition("<script")[0] + values_of_both)[VARIABLES[name].title]
            for way, label in labels.items():
                rows = table[(table.trial == "walk") & (table.kind == f"stance {way}") & (table.side == side)]
                values = rows[rows.variable == name].value.to_numpy()
                assert (label in lines) == (len(values) > 0)
                if len(values):
                    lines[label].holds(values)
            assert "Matrix form" in lines
            assert "Whole body, kinematic" in lines


def test_residuals_over_time_are_on_the_page_and_in_the_table(demo):
    table = pd.read_parquet(demo / "data/results/study_times.parquet").astype({"kind": str, "variable": str})
    table = table[(table.trial == "walk") & (table.variable == "residual_force_fore_aft")]
    page = (demo / "reports/demo/1/walks/whole_body.walk.html").read_text(encoding="utf-8")
    drawn = panels(page[page.index('<section id="residual"') : page.index('<section id="forward_check"')])["Fore-aft"]
    assert {"Kinematic"} <= set(drawn)
    for label, line in drawn.items():
        own = table[table.kind == label.lower()]
        assert len(own) > 40
        # A path is rounded, and simplified by up to 1/9 point, in both directions: where it is steep, both count.
        precision = PATH_PRECISION + 1.0 / 9.0 / 146.0
        late, within = precision * np.ptp(line.drawn[:, 0]), precision * line.axis
        near = np.stack([np.interp(own.time + shift, *line.drawn.T) for shift in (-late, 0.0, late)])
        assert np.all(own.value >= near.min(axis=0) - within)
        assert np.all(own.value <= near.max(axis=0) + within)


def test_curves_of_the_whole_skeleton_are_the_same_in_the_table_and_on_the_page(demo, tables):
    """The thick line is the mean of the complete cycles, or of all where none is complete."""
    page = panels((demo / "reports/demo/1/walks/whole_body.walk.html").read_text(encoding="utf-8"))
    table = tables["curves"]
    table = table[(table.trial == "walk") & (table.kind == "whole body kinematic")]
    compared = 0
    for name, variable in SKELETON_VARIABLES.items():
        title = variable.title
        lines = next((lines for shown, lines in page.items() if shown == title or shown.startswith(f"{title},")), {})
        for side in SIDES:
            rows = table[(table.side == side) & (table.variable == name)]
            cycles = [own.value.to_numpy() for _, own in rows.groupby("cycle")]
            drawn = lines.get(side.capitalize())
            if drawn is None or not cycles:
                continue
            most = max(np.isfinite(cycle).sum() for cycle in cycles)
            mean = average([c for c in cycles if np.isfinite(c).sum() >= NEARLY_ALL * most], (101,)).mean
            drawn.holds(mean)
            compared += 1
    assert compared >= 10


def snakemake(study: Path, *options: str) -> str:
    command = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--directory", str(study)]
    done = subprocess.run([*command, *options], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": ""})
    return done.stdout + done.stderr


def test_the_linter_names_nothing_but_what_is_explained(demo: Path) -> None:
    found = set(re.findall(r"^    \* (.*?):?$", snakemake(demo, "--lint"), re.MULTILINE))
    assert found == {
        "Specify a conda environment or container for each rule.",
        "Shell command directly uses variable rule from outside of the rule",
    }
    explained = (ROOT / "docs/howto/cluster.md").read_text()
    assert "conda environment or container" in explained
    assert "`{rule}`" in explained


def test_the_report_of_snakemake_has_the_pages(demo: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    assert "Report created" in snakemake(demo, "--report", str(report))
    text = report.read_text()
    for page in ("index.html", "walk.html", "average.html"):
        assert page in text


def test_the_measured_walk_beside_a_prediction_has_its_fitted_body(demo):
    """The same bones as the predicted one."""
    page = (demo / "reports/demo/1/predictions/as_walked.html").read_text(encoding="utf-8")
    scenes = [json.loads(text) for text in re.findall(r'<script type="application/json">(\{.*?\})</script>', page)]
    (figures,) = (scene["figures"] for scene in scenes if "figures" in scene)
    predicted, measured = figures
    assert (predicted["name"], measured["name"]) == ("Predicted", "Measured")
    assert len(predicted["bones"]) == len(measured["bones"]) > 12


NOT_RUN = {
    "make": "the tests' own environment is made by it; TARGET is passed to snakemake, as tests/browser does",
    ".venv/bin/gait new": "as in the tutorial, which tests/docs runs",
    ".venv/bin/gait run": "likewise",
    ".venv/bin/gait open": "starts a browser",
    "gait run my_study --workflow-profile": "tests/slurm runs it where a SLURM is installed",
    "gait run healthy_subjects": "five subjects take long; tests/analysis/test_own_norm.py makes norms of known curves",
    "gait norm": "likewise",
    "gait run part_": "parts are studies like any other; tests/cli/test_collect.py joins two",
    "gait collect": "likewise",
    ".venv/bin/python -m pipeline.reporting.pdf": "needs a browser: tests/reporting/test_pdf.py",
    "gait export my_study visits": "the demo has one visit: tests/results/test_repeatability_export.py",
}
"""Commands of the documentation that this file does not run, by their beginnings, and why."""


def test_an_export_of_results_that_are_older_than_the_tables_says_so(demo, tmp_path, capsys):
    study = tmp_path / "study"
    shutil.copytree(demo, study, symlinks=True)
    for name, expected in (("same", ""), ("other", "the results are not up to date")):
        assert main(["export", str(study), str(tmp_path / name), "--as", "wide"]) == 0
        told = " ".join(capsys.readouterr().err.split())
        assert expected in told if expected else not told, told
        subjects = study / "config/subjects.tsv"
        subjects.write_text(subjects.read_text().replace("\tm\t", "\tf\t"))


def test_commands_of_readme_and_how_tos_run_as_they_are_written(demo, tmp_path, monkeypatch, capsys):
    """On the demo; what is not run is listed with its reason, and nothing else is listed."""
    (tmp_path / "my_study").symlink_to(demo)
    monkeypatch.chdir(tmp_path)
    written = [command for page in pages_with_snippets() for command in commands(page)]
    for start in NOT_RUN:
        assert any(command.startswith(start) for command in written), start
    run = [command for command in written if not command.startswith(tuple(NOT_RUN))]
    names = {"SUBJECT": "demo", "SESSION": "1", "TRIAL": "walk", "/Ann/": "/demo/"}
    names["folder_of_the_next_visit"] = str(ROOT / "data/demo")  # of which the study has all
    for command in run:
        for name, own in names.items():
            command = command.replace(name, own)
        program, *words = command.split()
        assert program.endswith("gait"), command
        assert main(words) == 0, f"{command}: {capsys.readouterr().err}"
    assert len(run) >= 4
    assert {"walk.c3d", "walk.h5", "tidy_tables", "bids_data_set"} <= {path.name for path in tmp_path.iterdir()}


SCRIPTS = {page: "\n".join(blocks(page, "python")) for page in pages_with_snippets()}
PREDICTS_STRIDES = "docs/howto/what_if.md"
"""Two of them, which takes longer than all other scripts together: tests/prediction/test_what_if.py runs it."""


@pytest.mark.parametrize("page", [page for page, script in SCRIPTS.items() if script and page != PREDICTS_STRIDES])
def test_python_of_readme_and_docs_runs_as_it_is_written(demo, monkeypatch, page):
    """In their order within a page, in the study's folder."""
    monkeypatch.chdir(demo)
    script = SCRIPTS[page]
    if "uncertainty/" in script:  # the demo has no bands; tests/studies/test_uncertainty.py reads them
        script = script.splitlines()[0]
    values: dict[str, object] = {"pipeline": pipeline}
    exec(compile(script, page, "exec"), values)
    if page == "docs/results.md":
        assert {"walk", "curves", "loads"} <= set(values)
    matplotlib.pyplot.close("all")


def test_readme_and_results_have_python() -> None:
    assert all(SCRIPTS[page] for page in ("README.md", "docs/results.md", PREDICTS_STRIDES))
