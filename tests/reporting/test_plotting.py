"""Curves of a trial as matplotlib figures, for notebooks, PDF and PNG."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray
from matplotlib.colors import to_hex
from matplotlib.figure import Figure

import pipeline
from pipeline.analysis import compare
from pipeline.provenance import Provenance
from pipeline.results import write_stage

from .conftest import make_predicted_walk, make_walk

pytestmark = pytest.mark.long

STORED = 2.0**-36
"""Of a value, the largest part by which results files may change it; conversions of units add rounding of their own."""


def stored(path: Path, value: Any) -> xarray.DataTree:
    """A value as it is opened after it was written."""
    write_stage(path, value, Provenance(path.stem))
    return pipeline.open_trial(path)


@pytest.fixture(scope="module")
def trial(tmp_path_factory) -> xarray.DataTree:
    """A trial with its cycles and their summary."""
    folder = tmp_path_factory.mktemp("trial")
    stages = dict(zip(("cycles", "summary"), make_walk()[2:], strict=True))
    return xarray.DataTree(children={name: stored(folder / f"{name}.h5", value) for name, value in stages.items()})


def test_a_curve_is_drawn_with_both_sides_the_norm_units_and_foot_offs(trial, walk):
    figure = pipeline.plot(trial, "knee_flexion")
    assert isinstance(figure, Figure)
    (axes,) = figure.axes
    assert axes.get_title(loc="left") == "Knee flexion (°)"
    assert [text.get_text() for text in axes.texts] == ["Flexion (+)", "Extension (\N{MINUS SIGN})"]
    summary = walk[3]
    by_label = {line.get_label(): line for line in axes.lines}
    for label, colour in (("Left", "#c8202f"), ("Right", "#1a5fb4")):
        mean = summary.mean[label.lower()]["knee_flexion"]
        np.testing.assert_allclose(by_label[label].get_ydata(), mean, rtol=STORED)
        assert to_hex(by_label[label].get_color()) == colour
    offs = [float(line.get_xdata()[0]) for line in axes.lines if str(line.get_gid()).startswith("vertical")]
    assert offs == pytest.approx([(60.694 + 59.619) / 2, 62.139], abs=0.01)
    band = next(area for area in axes.collections if area.get_label() == "Norm ± 1 SD")
    corners = band.get_paths()[0].vertices
    at_half = corners[corners[:, 0] == 50.0, 1]
    mean, sd = summary.norm_mean["knee_flexion"][50], summary.norm_sd["knee_flexion"][50]
    assert [at_half.min(), at_half.max()] == pytest.approx([mean - sd, mean + sd])
    (legend,) = figure.legends
    assert {text.get_text() for text in legend.get_texts()} >= {"Norm ± 1 SD", "Left", "Right"}


def test_a_page_has_every_curve_over_the_gait_cycle(trial):
    figure = pipeline.plot_page(trial)
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    assert len(titles) == 12 + 9 + 3 + 3
    assert titles[:4] == [
        f"{title} (°)" for title in ("Pelvic tilt", "Pelvic obliquity", "Pelvic rotation", "Hip flexion")
    ]
    assert "Vertical (% BW)" in titles
    boxes = [axes.get_position() for axes in figure.axes]
    assert all(0 < box.x0 < box.x1 < 1 and 0 < box.y0 < box.y1 < 1 for box in boxes)
    assert not any(a.overlaps(b) for k, a in enumerate(boxes) for b in boxes[:k])


@pytest.mark.parametrize(("ending", "magic"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("svg", b"<?xml")])
def test_figures_are_saved_with_the_same_bytes_each_time(trial, tmp_path, ending, magic):
    contents = []
    for k in range(2):
        path = tmp_path / f"{k}.{ending}"
        pipeline.plot(trial, "hip_power").savefig(path)
        contents.append(path.read_bytes())
    assert contents[0].startswith(magic)
    assert contents[0] == contents[1]
    if ending == "pdf":
        assert b"/Type3" not in contents[0], "text stays text in a font that can be edited"


def test_a_notebook_shows_the_figure(trial):
    assert pipeline.plot(trial, "hip_power")._repr_png_().startswith(b"\x89PNG")


def test_predicted_curves_are_drawn_against_measured_ones(walk, tmp_path):
    both = compare(make_predicted_walk(), walk[2])
    stored(tmp_path / "p.h5", both)
    figure = pipeline.plot(tmp_path / "p.h5", "knee_flexion")
    row = both.variable_names.index("knee_flexion")
    drawn = {line.get_label(): line.get_ydata() for line in figure.axes[0].lines}
    np.testing.assert_allclose(drawn["Measured, left"], both.measured[0, row], rtol=STORED)
    np.testing.assert_allclose(drawn["Predicted"], both.predicted[0, row], rtol=STORED)
    assert len(pipeline.plot_page(tmp_path / "p.h5").axes) == 27


def test_a_coordinate_of_the_skeleton_is_drawn_over_time(demo_walk, tmp_path):
    body = stored(tmp_path / "body.h5", demo_walk.body)
    figure = pipeline.plot(xarray.DataTree(children={"whole_body": body}), "left_knee_flexion")
    column = demo_walk.body.joint_names.index("left_knee_flexion")
    drawn = figure.axes[0].lines[0]
    np.testing.assert_array_equal(drawn.get_xdata(), demo_walk.body.time)
    np.testing.assert_allclose(drawn.get_ydata(), np.degrees(demo_walk.body.kinematic.q[:, column]), rtol=STORED)
    assert figure.axes[0].get_title(loc="left") == "Left knee flexion (°)"


def test_a_name_that_is_not_known_is_refused_with_the_nearest_ones(trial):
    with pytest.raises(ValueError, match="no curve is called 'knee_flexon': did you mean knee_flexion"):
        pipeline.plot(trial, "knee_flexon")


def test_importing_the_package_and_reading_results_does_not_load_matplotlib():
    statements = "import sys, pipeline, pipeline.results; assert 'matplotlib' not in sys.modules"
    subprocess.run([sys.executable, "-c", statements], check=True)
