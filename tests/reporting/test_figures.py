"""Figures draw the stages' values: read back from the drawing with its own ticks, they are the same numbers."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest
from pipeline.reporting.figures.drawing import (
    OF_FOUR,
    Curve,
    Panel,
    Scale,
    area_data,
    draw_panel,
    path_data,
    ticks,
)

from pipeline.analysis.cycles import gait_cycles
from pipeline.conventions import SIDES
from pipeline.reporting.figures.curves import (
    contribution_row,
    ground_row,
    kinematics_rows,
    kinetics_rows,
    norm_of,
    trial_sides,
)
from pipeline.reporting.figures.plate_map import UNITS_PER_METRE, plate_map

from .conftest import with_cycles


def as_number(text: str) -> float:
    return float(text.replace("\N{MINUS SIGN}", "-").removesuffix("%"))


def read_back(panel: Panel, style: str) -> list[np.ndarray]:
    """Values (N, 2) of the lines of one style, through the straight line that the labelled ticks define."""
    scales = []
    for labelled in (panel.x_ticks, panel.y_ticks):
        at, value = [t.at for t in labelled], [as_number(t.text) for t in labelled]
        scales.append(np.polyfit(at, value, 1))
    lines = []
    for path in (line.data for line in panel.paths if line.style == style):
        points = np.array([[float(v) for v in point.split()] for point in re.findall(r"[ML]([^ML]+)", path)])
        lines.append(np.stack([np.polyval(s, points[:, k]) for k, s in enumerate(scales)], axis=1))
    return lines


def drawn(walk) -> tuple:
    """What the rows of a trial's figures take."""
    return trial_sides(walk[2], walk[3]), norm_of(walk[3])


def resolution(panel: Panel) -> float:
    """What a tenth of a drawing unit, to which all places are rounded, is worth in the panel's units, twice."""
    first, last = panel.y_ticks[0], panel.y_ticks[-1]
    return 0.2 * abs((as_number(last.text) - as_number(first.text)) / (last.at - first.at))


def test_angles_are_drawn_in_degrees_with_their_sign(walk):
    cycles = walk[2]
    for plane, row in enumerate(kinematics_rows(*drawn(walk), "")):
        last = "foot" if plane == 2 else "ankle"
        for joint, panel in zip(("pelvis", "hip", "knee", last), row.panels, strict=True):
            for side in SIDES:
                own = [np.rad2deg(c.angles[joint][:, plane]) for c in cycles.cycles if c.cycle.side == side]
                (line,) = read_back(panel, side)
                assert np.allclose(line[:, 0], np.arange(101), atol=0.1)
                assert np.allclose(line[:, 1], np.mean(own, axis=0), atol=resolution(panel))
                singles = read_back(panel, f"{side} single")
                assert len(singles) == (len(own) if len(own) > 1 else 0)
                for single, values in zip(singles, own, strict=False):
                    assert np.allclose(single[:, 1], values, atol=resolution(panel))


def test_moments_powers_and_ground_reaction_are_drawn_as_they_are(walk):
    cycles = walk[2]
    right = next(c for c in cycles.cycles if c.cycle.side == "right")
    rows = kinetics_rows(*drawn(walk), "")
    for column, joint in enumerate(("hip", "knee", "ankle")):
        wanted = [*right.moments[joint].T, right.powers[joint]]
        for row, values in zip(rows, wanted, strict=True):
            (line,) = read_back(row.panels[column], "right")
            assert np.allclose(line[:, 1], values, atol=resolution(row.panels[column]))
    for panel, values in zip(ground_row(*drawn(walk), "").panels, 100.0 * right.ground.T, strict=True):
        (line,) = read_back(panel, "right")
        assert np.allclose(line[:, 1], values, atol=resolution(panel))


def test_toe_off_stands_at_the_percent_of_the_cycle(walk):
    panel = kinematics_rows(*drawn(walk), "")[0].panels[0]
    at, percent = [t.at for t in panel.x_ticks], [as_number(t.text) for t in panel.x_ticks]
    shown = {side: float(np.interp(x, at, percent)) for side, x in panel.uprights}
    # left: mean of 0.630 / 1.038 and 0.626 / 1.050; right: 0.645 / 1.038; 0.05 drawing units are 0.02 %
    assert shown["left"] == pytest.approx((60.694 + 59.619) / 2, abs=0.05)
    assert shown["right"] == pytest.approx(62.139, abs=0.05)


@pytest.mark.parametrize("axes", ["distal", "proximal", "joint", "global"])
def test_contributions_add_up_to_the_sagittal_moment_of_the_kinetics(walk, axes):
    kinematics, loads, *_ = walk
    *_, cycles, summary = with_cycles(kinematics, loads, gait_cycles(kinematics, loads, axes))
    row = contribution_row(summary, dict.fromkeys(SIDES, ""))
    order = [(joint, side) for joint in ("ankle", "knee") for side in SIDES]
    for (joint, side), panel in zip(order, row.panels, strict=True):
        parts = {style: read_back(panel, style)[0][:, 1] for style in ("inertia", "gravity", "ground", "total")}
        sum_of_parts = parts["inertia"] + parts["gravity"] + parts["ground"]
        assert np.ptp(parts["total"]) > 0.1, "something is left to compare"
        assert np.allclose(sum_of_parts, parts["total"], atol=4 * resolution(panel))
        curves = next(c for c in cycles.cycles if c.cycle.side == side and c.cycle.plate)
        off = (
            100
            * (curves.cycle.foot_off - curves.cycle.initial_contact)
            / (curves.cycle.next_initial_contact - curves.cycle.initial_contact)
        )
        over_stance = np.interp(np.arange(101) / 100 * off, curves.percent, curves.moments[joint][:, 0])
        # Linear between percents of the cycle instead of between frames: a curvature of at most 0.01 Nm/kg.
        assert np.allclose(parts["total"], over_stance, atol=0.01 + resolution(panel))


def test_missing_values_interrupt_a_line_and_are_never_drawn():
    y = np.array([0.0, np.nan, 2.0, 3.0, np.nan])
    assert path_data(np.arange(5.0), y) == "M0.00 0.00M2.00 2.00L3.00 3.00"


def test_a_panel_widens_its_usual_range_to_the_values_and_never_narrows_it():
    scale = Scale("Angle", "°", "up", "down", -10, 30)
    small = draw_panel(scale, [Curve(np.arange(101), np.zeros(101), "left")], missing="", size=OF_FOUR)
    assert [t.text for t in small.y_ticks] == ["\N{MINUS SIGN}10", "0", "10", "20", "30"]
    large = draw_panel(scale, [Curve(np.arange(101), np.linspace(0, 90, 101), "left")], missing="", size=OF_FOUR)
    top = min(float(v) for v in re.findall(r" ([\d.]+)", large.paths[0].data))
    assert large.top < top < large.size.height / 2


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (-0.3, 0.3, ["\N{MINUS SIGN}0.3", "\N{MINUS SIGN}0.2", "\N{MINUS SIGN}0.1", "0.0", "0.1", "0.2", "0.3"]),
        (0, 125, ["0", "50", "100"]),
        (-2, 4, ["\N{MINUS SIGN}2", "\N{MINUS SIGN}1", "0", "1", "2", "3", "4"]),
    ],
)
def test_ticks_are_round_and_labelled_with_the_decimals_of_their_step(low, high, labels):
    found = list(ticks(low, high))
    assert [text for _, text in found] == labels
    assert [as_number(text) for text in labels] == pytest.approx([value for value, _ in found])


def test_the_norm_is_drawn_as_the_area_between_its_bounds(walk):
    summary = walk[3]
    row = summary.variable_names.index("knee_flexion")
    panel = kinematics_rows(*drawn(walk), "")[0].panels[2]
    (area,) = panel.areas
    assert area.style == "norm"
    points = np.array([[float(v) for v in p.split()] for p in re.findall(r"[ML]([^MLZ]+)", area.data)])
    assert points.shape == (202, 2)
    values = panel.high - (points[:, 1] - panel.top) / (panel.size.height - panel.bottom - panel.top) * (
        panel.high - panel.low
    )
    mean, sd = summary.norm_mean[row], summary.norm_sd[row]
    assert sd.min() > 1
    assert np.allclose(values[:101], mean + sd, atol=resolution(panel))
    assert np.allclose(values[:100:-1], mean - sd, atol=resolution(panel))


def test_an_area_is_interrupted_where_a_bound_is_missing():
    low, high = np.array([0.0, 1, np.nan, 3]), np.array([1.0, 2, 3, 4])
    assert area_data(np.arange(4.0), low, high) == "M0.00 1.00L1.00 2.00L1.00 1.00L0.00 0.00ZM3.00 4.00L3.00 3.00Z"


def test_the_map_goes_up_the_page_with_the_subjects_right_on_the_right(walk):
    plan = plate_map(walk[0])
    styles = ("plate", "foot left", "foot right")
    by_style = {style: [shape.path for shape in plan.shapes if shape.style == style] for style in styles}

    def points(path: str) -> np.ndarray:
        return np.array([[float(v) for v in p.split()] for p in re.findall(r"[ML]([^MLZ]+)", path)])

    first, second = (points(path) for path in by_style["plate"])
    assert np.ptp(first, axis=0) == pytest.approx(UNITS_PER_METRE * np.array([0.6, 0.5]))
    # Plate 2 lies 0.6 m farther along the walk: up the page, where y is smaller.
    assert (first - second).mean(axis=0) == pytest.approx([0.0, 0.6 * UNITS_PER_METRE], abs=0.1)
    left, right = points(by_style["foot left"][0]), points(by_style["foot right"][0])
    assert right[:, 0].mean() - left[:, 0].mean() == pytest.approx(0.13 * UNITS_PER_METRE, abs=0.2)
    assert left[1, 1] < left[0, 1], "the toe is ahead of the heel"
    assert [label.text for label in plan.labels] == ["1", "2"]
    everything = np.concatenate([points(shape.path) for shape in plan.shapes])
    assert (everything >= 0).all()
    assert (everything <= [plan.width, plan.height]).all()


def test_a_contact_that_was_left_out_is_drawn_in_another_style(walk, stepless):
    def of_paths(kinematics) -> list[str]:
        return [shape.style for shape in plate_map(kinematics).shapes if shape.style.startswith("cop")]

    assert of_paths(walk[0]) == ["cop left", "cop right"]
    assert of_paths(stepless[0]) == ["cop rejected", "cop rejected"]
    assert not plate_map(replace(walk[0], plates=(), stances=(), events=())).shapes
