"""Figures against the stages' values: curves read back from the drawing by its own ticks are the same numbers."""

from __future__ import annotations

import io
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_hex
from matplotlib.figure import Figure
from matplotlib.path import Path

from pipeline.analysis import gait_cycles, summarise
from pipeline.conventions import SIDES
from pipeline.reporting.figures.axes import SIZES, add_axes, draw_panel, settings
from pipeline.reporting.figures.curves import (
    KINEMATICS,
    KINETICS,
    MAX_SINGLES,
    contribution_row,
    ground_row,
    norm_of,
    trial_sides,
    variable_rows,
)
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, XAxis, YAxis
from pipeline.reporting.figures.plate_map import UNITS_PER_METRE, plate_map
from pipeline.reporting.figures.styles import STYLES, style_of, style_sheet
from pipeline.reporting.figures.svg import page_figure
from pipeline.reporting.figures.svg_renderer import PanelRenderer, short_path

from .conftest import with_cycles

ANGLE = YAxis("Angle", "°", -10.0, 30.0, 1, "Up", "Down")
PERCENT = np.arange(101.0)


def as_number(text: str) -> float:
    return float(re.sub(r"[%s ]", "", text.replace("\N{MINUS SIGN}", "-")))


def points_of(data: str) -> list[np.ndarray]:
    """The points (N, 2) of each piece of a path as pages have it: relative lines after an absolute begin."""
    pieces = []
    for begin, steps in re.findall(r"M([^lMz]*)(?:l([^Mz]*))?", data):
        numbers = [[float(v) for v in re.findall(r"-?[\d.]+", part)] for part in (begin, steps)]
        pieces.append(np.cumsum(np.reshape([*numbers[0], *numbers[1]], (-1, 2)), axis=0))
    return pieces


class Drawn:
    """A panel as a page has it: points are turned into values by its own grid and the labels of its ticks."""

    def __init__(self, panel: Panel) -> None:
        self.figure = page_figure([Row("", (panel,))], 4, "figure")
        ((_, (svg,)),) = self.figure.rows
        self.root = ElementTree.fromstring(svg)
        grid = points_of(self.paths("grid")[0].get("d", ""))
        places = (
            [line[0, 0] for line in grid if np.ptp(line[:, 0]) == 0],
            [line[0, 1] for line in grid if np.ptp(line[:, 1]) == 0],
        )
        labels = [as_number(text.text or "") for text in self.root.iter("text") if text.get("class") == "tick"]
        values = labels[: len(places[0])], labels[len(places[0]) :]
        self.scales = [np.polyfit(at, value, 1) for at, value in zip(places, values, strict=True)]
        self.resolution = 0.2 * abs(self.scales[1][0])
        """What a tenth of a point, to which all places are rounded, is worth in the panel's units, twice."""

    def paths(self, style: str) -> list[ElementTree.Element]:
        return [path for path in self.root.iter("path") if path.get("class") == style]

    def read(self, style: str) -> list[np.ndarray]:
        """Values (N, 2) of the paths of one style."""
        found = [np.concatenate(points_of(path.get("d", ""))) for path in self.paths(style)]
        return [np.stack([np.polyval(s, p[:, k]) for k, s in enumerate(self.scales)], axis=1) for p in found]

    def readable(self, label: str) -> list[list[float | None]]:
        """What the page shows of the curve or band of this label."""
        (panel,) = self.figure.values.values()
        (curve,) = (curve for curve in panel["curves"] if curve["label"] == label)
        assert curve["id"] in {path.get("id") for path in self.root.iter("path")}
        return curve["values"]


def curves_on_axes(panel: Panel, style: str) -> list[np.ndarray]:
    """Points (N, 2) of the curves of one style as they are given to matplotlib, of which it leaves some out."""
    with settings():
        axes = add_axes(Figure(), SIZES[4])
        draw_panel(axes, panel)
    gid = re.compile(r"curve\.\d+\." + re.escape(style.replace(" ", ".")))
    return [np.column_stack(line.get_data()) for line in axes.lines if gid.fullmatch(str(line.get_gid()))]


def drawn(walk) -> tuple:
    """What the rows of a trial's figures take."""
    return trial_sides(walk[2], walk[3]), norm_of(walk[3])


def test_angles_are_drawn_in_degrees_with_their_sign(walk):
    cycles = walk[2]
    for joint, row in zip(("pelvis", "hip", "knee", "ankle"), variable_rows(KINEMATICS, *drawn(walk), ""), strict=True):
        joints = (joint, joint, "foot" if joint == "ankle" else joint)
        for plane, (joint, panel) in enumerate(zip(joints, row.panels, strict=True)):
            found = Drawn(panel)
            for side in SIDES:
                own = [np.rad2deg(c.angles[joint][:, plane]) for c in cycles.cycles if c.cycle.side == side]
                (line,) = found.read(f"curve {side}")
                assert np.allclose(line[:, 0], np.arange(101), atol=0.1)
                assert np.allclose(line[:, 1], np.mean(own, axis=0), atol=found.resolution)
                singles = found.read(f"curve {side} single")
                assert len(singles) == (len(own) if len(own) > 1 else 0)
                for single, values in zip(singles, own, strict=False):
                    assert np.allclose(single[:, 1], values, atol=found.resolution)


def test_moments_powers_and_ground_reaction_are_drawn_as_they_are(walk):
    cycles = walk[2]
    right = next(c for c in cycles.cycles if c.cycle.side == "right")
    rows = variable_rows(KINETICS, *drawn(walk), "")
    for row, joint in zip(rows, ("hip", "knee", "ankle"), strict=True):
        wanted = [*right.moments[joint].T, right.powers[joint]]
        for panel, values in zip(row.panels, wanted, strict=True):
            found = Drawn(panel)
            (line,) = found.read("curve right")
            assert np.allclose(line[:, 1], values, atol=found.resolution)
    for panel, values in zip(ground_row(*drawn(walk), "").panels, 100.0 * right.ground.T, strict=True):
        found = Drawn(panel)
        (line,) = found.read("curve right")
        assert np.allclose(line[:, 1], values, atol=found.resolution)


def test_foot_off_is_drawn_at_its_percent_of_the_cycle(walk):
    found = Drawn(variable_rows(KINEMATICS, *drawn(walk), "")[0].panels[0])
    shown = {side: found.read(f"vertical {side} foot-off")[0] for side in SIDES}
    # left: mean of 0.630 / 1.038 and 0.626 / 1.050; right: 0.645 / 1.038; 0.05 points are 0.02 %
    assert shown["left"][:, 0] == pytest.approx((60.694 + 59.619) / 2, abs=0.05)
    assert shown["right"][:, 0] == pytest.approx(62.139, abs=0.05)


@pytest.mark.parametrize("axes", ["distal", "proximal", "joint", "global"])
def test_contributions_add_up_to_the_sagittal_moment_of_the_kinetics(walk, axes):
    kinematics, loads, *_ = walk
    *_, cycles, summary = with_cycles(kinematics, loads, gait_cycles(kinematics, loads, axes))
    row = contribution_row(summary, dict.fromkeys(SIDES, ""))
    order = [(joint, side) for joint in ("ankle", "knee") for side in SIDES]
    for (joint, side), panel in zip(order, row.panels, strict=True):
        found = Drawn(panel)
        parts = {style: found.read(f"curve {style}")[0][:, 1] for style in ("inertia", "gravity", "ground", "total")}
        sum_of_parts = parts["inertia"] + parts["gravity"] + parts["ground"]
        assert np.ptp(parts["total"]) > 0.1, "something is left to compare"
        assert np.allclose(sum_of_parts, parts["total"], atol=4 * found.resolution)
        curves = next(c for c in cycles.cycles if c.cycle.side == side and c.cycle.plate)
        off = (
            100
            * (curves.cycle.foot_off - curves.cycle.initial_contact)
            / (curves.cycle.next_initial_contact - curves.cycle.initial_contact)
        )
        over_stance = np.interp(np.arange(101) / 100 * off, curves.percent, curves.moments[joint][:, 0])
        # Linear between percents of the cycle instead of between frames: a curvature of at most 0.01 Nm/kg.
        assert np.allclose(parts["total"], over_stance, atol=0.01 + found.resolution)


def test_missing_values_interrupt_a_line_and_are_never_drawn():
    y = np.array([0.0, 10.0, np.nan, 20.0, 30.0, np.nan])
    panel = Panel(ANGLE, (Curve(20.0 * np.arange(6.0), y, "left", "Left"),))
    (path,) = Drawn(panel).paths("curve left")
    assert [len(piece) for piece in points_of(path.get("d", ""))] == [2, 2]
    (line,) = Drawn(panel).read("curve left")
    np.testing.assert_allclose(line, [[0, 0], [20, 10], [60, 20], [80, 30]], atol=Drawn(panel).resolution)
    (told,) = Drawn(panel).readable("Left")
    assert (told[0], told[20], told[40], told[80], told[100]) == (0.0, 10.0, None, 30.0, None)


def test_a_panels_range_is_widened_to_the_values_and_never_narrowed():
    small = Drawn(Panel(ANGLE, (Curve(PERCENT, np.zeros(101), "left"),)))
    labels = [text.text for text in small.root.iter("text") if text.get("class") == "tick"]
    assert labels[:6] == ["0", "20", "40", "60", "80", "100%"]
    assert labels[6:] == ["\N{MINUS SIGN}10", "0", "10", "20", "30"]
    large = Panel(ANGLE, (Curve(PERCENT, np.linspace(0, 90, 101), "left"),))
    assert large.limits == (-10.0, 90.0 + 0.03 * 40.0)
    (field,), (line,) = (points_of(Drawn(large).paths(name)[0].get("d", "")) for name in ("field", "curve left"))
    assert field[:, 1].min() < line[:, 1].min() < field[:, 1].mean()


@pytest.mark.parametrize(
    ("low", "high", "labels"),
    [
        (-0.3, 0.3, ["\N{MINUS SIGN}0.3", "\N{MINUS SIGN}0.2", "\N{MINUS SIGN}0.1", "0.0", "0.1", "0.2", "0.3"]),
        (0, 125, ["0", "50", "100"]),
        (-2, 4, ["\N{MINUS SIGN}2", "\N{MINUS SIGN}1", "0", "1", "2", "3", "4"]),
    ],
)
def test_ticks_are_round_and_labelled_with_the_decimals_of_their_step(low, high, labels):
    found = Drawn(Panel(replace(ANGLE, low=low, high=high), (Curve(PERCENT, np.full(101, low), "left"),)))
    texts = [text.text for text in found.root.iter("text") if text.get("class") == "tick"]
    assert texts[6:] == labels
    horizontal = [line[0, 1] for line in points_of(found.paths("grid")[0].get("d", "")) if np.ptp(line[:, 1]) == 0]
    assert [as_number(text) for text in labels] == pytest.approx(
        np.polyval(found.scales[1], horizontal), abs=found.resolution
    )
    (field,) = points_of(found.paths("field")[0].get("d", ""))
    bounds = np.polyval(found.scales[1], [field[:, 1].max(), field[:, 1].min()])
    assert bounds == pytest.approx([low, high], abs=found.resolution)


def test_times_late_in_a_long_recording_are_written_in_full():
    """Half a second after twenty minutes: matplotlib would give the ticks without what they have in common."""
    time = np.linspace(1200.0, 1200.5, 51)
    found = Drawn(Panel(ANGLE, (Curve(time, np.zeros(51), "left"),), across=XAxis(1200.0, 1200.5, "s")))
    texts = [text.text for text in found.root.iter("text") if text.get("class") == "tick"]
    assert texts[:6] == ["1200.0", "1200.1", "1200.2", "1200.3", "1200.4", "1200.5 s"]


def test_the_norm_is_drawn_as_the_band_between_its_bounds(walk):
    summary = walk[3]
    found = Drawn(variable_rows(KINEMATICS, *drawn(walk), "")[2].panels[0])
    (area,) = found.read("band norm")
    mean, sd = summary.norm_mean["knee_flexion"], summary.norm_sd["knee_flexion"]
    assert sd.min() > 1
    for percent in range(101):
        at = area[np.abs(area[:, 0] - percent) < 0.05, 1]
        assert at.min() == pytest.approx(mean[percent] - sd[percent], abs=found.resolution)
        assert at.max() == pytest.approx(mean[percent] + sd[percent], abs=found.resolution)
    told = found.readable("Norm ± 1 SD")
    np.testing.assert_allclose(told, [np.round(mean - sd, 1), np.round(mean + sd, 1)], atol=1e-9)


def test_a_band_is_interrupted_where_a_bound_is_missing():
    low, high = np.array([0.0, 1, np.nan, 3, 4]), np.array([1.0, 2, 3, 4, 5])
    x = 25.0 * np.arange(5.0)
    found = Drawn(Panel(ANGLE, (Curve(x, low, "left"),), (Band(x, low, high, "norm"),)))
    pieces = points_of(found.paths("band norm")[0].get("d", ""))
    across = [np.polyval(found.scales[0], piece[:, 0]) for piece in pieces]
    assert [(round(x.min()), round(x.max())) for x in across] == [(0, 25), (75, 100)]


def test_over_time_the_nearest_sample_is_shown_and_a_long_line_keeps_its_peaks():
    """Of many samples matplotlib leaves out those that lie within a ninth of a pixel of the line through the others."""
    time = np.linspace(2.0, 5.0, 1501)
    y = 10.0 * np.sin(3.0 * time)
    y[700] = 29.0
    panel = Panel(ANGLE, (Curve(time, y, "kinematic", "Kinematic"),), across=XAxis(2.0, 5.0, "s"))
    found = Drawn(panel)
    (line,) = found.read("curve kinematic")
    assert len(line) < len(time)
    assert line[:, 1].max() == pytest.approx(29.0, abs=2 * found.resolution)
    smooth = np.abs(np.arange(1501) - 700) > 5
    np.testing.assert_allclose(np.interp(time, *line.T)[smooth], y[smooth], atol=3 * found.resolution)
    (told,) = found.readable("Kinematic")
    np.testing.assert_allclose(told, np.round(y[::15], 1), atol=1e-9)
    assert [text.text for text in found.root.iter("text") if (text.text or "").endswith(" s")] == ["5.0 s"]


def test_title_units_and_signs_are_written_at_the_axis():
    found = Drawn(Panel(ANGLE, (Curve(PERCENT, PERCENT / 10, "left"),)))
    (title,) = (text for text in found.root.iter("text") if text.get("class") == "title")
    assert "".join(title.itertext()) == "Angle (°)"
    words = {text.text: text for text in found.root.iter("text") if text.get("class") == "words"}
    assert list(words) == ["Up (+)", "Down (\N{MINUS SIGN})"]
    (field,) = points_of(found.paths("field")[0].get("d", ""))
    ends = [float(re.findall(r"[\d.]+", word.get("transform", ""))[1]) for word in words.values()]
    assert ends == pytest.approx([field[:, 1].min(), field[:, 1].max()], abs=0.1)


def test_a_panel_without_a_value_gives_the_reason():
    nothing = Curve(PERCENT, np.full(101, np.nan), "left", "Left")
    panel = Panel(ANGLE, (nothing,), missing="not measured: plate 1: two feet & <one> plate " + "and more " * 9)
    figure = page_figure([Row("Heading", (panel,))], 4, "figure")
    ((heading, (svg,)),) = figure.rows
    root = ElementTree.fromstring(svg)
    lines = [text.text or "" for text in root.iter("text") if text.get("class") == "missing"]
    assert heading == "Heading"
    assert " ".join(lines) == panel.missing.strip()
    assert root.get("aria-label") == f"Angle, °, {panel.missing}"
    assert [path.get("class") for path in root.iter("path")] == ["field"]
    assert figure.values == {}


def test_the_same_panels_give_the_same_bytes_and_ids_are_unique(walk):
    rows = variable_rows(KINEMATICS, *drawn(walk), "")
    first, again = (page_figure(rows, 4, "angles") for _ in range(2))
    assert first == again
    text = "".join(svg for _, panels in first.rows for svg in panels)
    ids = re.findall(r'\bid="([^"]*)"', text)
    assert len(ids) == len(set(ids)) > 12
    assert all(identity.startswith("angles-") for identity in ids)
    assert not re.search(r"style=|<use|<defs|clip-path|font-family|nan", text)


def test_styles_are_the_same_for_matplotlib_and_for_the_page():
    sheet = style_sheet()
    assert style_of("left single") == {"color": "#c8202f", "linewidth": 0.9, "alpha": 0.5}
    assert ".left { color: #c8202f; }" in sheet
    assert ".right { color: #1a5fb4; }" in sheet
    assert "svg .single { stroke-width: 0.9; opacity: 0.5; }" in sheet
    assert sheet.index(".total {") < sheet.index("svg .single {"), "a later style replaces an earlier one"
    figure = Figure()
    with settings():
        axes = add_axes(figure, SIZES[4])
        draw_panel(
            axes,
            Panel(ANGLE, tuple(Curve(PERCENT, PERCENT / 10, style) for style in STYLES if "color" in STYLES[style])),
        )
    by_style = {str(line.get_gid()).rpartition(".")[2]: line for line in axes.lines}
    for style, properties in STYLES.items():
        if "color" in properties:
            assert to_hex(by_style[style].get_color()) == properties["color"]
            assert by_style[style].get_linewidth() == properties.get("linewidth", 1.9)
    with pytest.raises(ValueError, match="nonsense"):
        style_of("left nonsense")


def test_lines_and_texts_are_where_matplotlibs_own_svg_has_them():
    curves = (
        Curve(PERCENT, 10.0 + 15.0 * np.sin(PERCENT / 9.0), "left", "Left"),
        Curve(PERCENT, PERCENT / 10, "right"),
    )
    panel = Panel(ANGLE, curves, (Band(PERCENT, PERCENT / 9 - 4.0, PERCENT / 9, "norm"),))
    ours = ElementTree.fromstring(page_figure([Row("", (panel,))], 4, "p").rows[0][1][0])
    stream = io.StringIO()
    with settings():
        figure = Figure(figsize=(SIZES[4][0] / 72.0, SIZES[4][1] / 72.0))
        draw_panel(add_axes(figure, SIZES[4]), panel)
        FigureCanvasSVG(figure).print_svg(stream)
    theirs = ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", stream.getvalue()))
    for kind, gid in {"curve-0": "curve.0.left", "curve-1": "curve.1.right", "band-0": "band.0.norm"}.items():
        (found,) = points_of(next(path for path in ours.iter("path") if path.get("id") == f"p-0-{kind}").get("d", ""))
        (group,) = (group for group in theirs.iter("g") if group.get("id") == gid)
        numbers = [float(v) for v in re.findall(r"-?[\d.]+", next(group.iter("path")).get("d", ""))]
        expected = np.round(np.reshape(numbers, (-1, 2)), 1)
        kept = np.r_[True, (np.abs(np.diff(expected, axis=0)) > 0.05).any(axis=1)]  # a step of nothing is left out
        np.testing.assert_allclose(found, expected[kept], atol=1e-9)
    texts = [
        sorted(("".join(t.itertext()), float(t.get("x", "0")), float(t.get("y", "0"))) for t in root.iter("text"))
        for root in (ours, theirs)
    ]
    assert [text for text, *_ in texts[0]] == [text for text, *_ in texts[1]]
    level = [(a, b) for (_, *a), (_, *b) in zip(*texts, strict=True) if a != [0.0, 0.0]]  # others have a transform
    assert len(level) > 9
    np.testing.assert_allclose(*np.swapaxes(level, 0, 1), atol=0.05 + 1e-9)


def test_a_drawing_that_is_not_known_is_refused():
    axes = Figure().add_axes((0.1, 0.1, 0.8, 0.8))
    axes.text(0.5, 0.5, "aslant", rotation=30.0)
    with pytest.raises(ValueError, match="'aslant'"):
        PanelRenderer((100.0, 100.0)).draw([axes])
    with pytest.raises(ValueError, match="straight"):
        short_path(Path.unit_circle())


def test_a_short_path_is_the_same_path_and_rounding_errors_do_not_add_up():
    points = np.cumsum(np.random.default_rng(1).uniform(-3.0, 3.0, (500, 2)), axis=0) + 100.0
    (found,) = points_of(short_path(Path(points, [Path.MOVETO] + [Path.LINETO] * 499)))
    steps = np.round(points, 1)
    moved = np.r_[True, (np.abs(np.diff(steps, axis=0)) > 0.05).any(axis=1)]
    np.testing.assert_allclose(found, steps[moved], atol=1e-9)
    closed = Path([(1, 2), (1.04, 2), (1.5, -2.5), (0, 0)], [Path.MOVETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY])
    assert short_path(closed) == "M1 2l.5-4.5z"


def test_the_map_goes_up_the_page_with_the_subjects_right_on_the_right(walk):
    plan = plate_map(walk[0])
    styles = ("plate", "foot left", "foot right")
    by_style = {style: [path for of, path in plan.shapes if of == style] for style in styles}

    def points(path: str) -> np.ndarray:
        return np.array([[float(v) for v in p.split()] for p in re.findall(r"[ML]([^MLZ]+)", path)])

    first, second = (points(path) for path in by_style["plate"])
    assert np.ptp(first, axis=0) == pytest.approx(UNITS_PER_METRE * np.array([0.6, 0.5]))
    # Plate 2 lies 0.6 m farther along the walk: up the page, where y is smaller.
    assert (first - second).mean(axis=0) == pytest.approx([0.0, 0.6 * UNITS_PER_METRE], abs=0.1)
    left, right = points(by_style["foot left"][0]), points(by_style["foot right"][0])
    assert right[:, 0].mean() - left[:, 0].mean() == pytest.approx(0.13 * UNITS_PER_METRE, abs=0.2)
    assert left[1, 1] < left[0, 1], "the toe is ahead of the heel"
    assert [text for _, _, text in plan.labels] == ["1", "2"]
    everything = np.concatenate([points(path) for _, path in plan.shapes])
    assert (everything >= 0).all()
    assert (everything <= [plan.width, plan.height]).all()


def test_a_contact_that_was_left_out_is_drawn_in_another_style(walk, stepless):
    def of_paths(kinematics) -> list[str]:
        return [style for style, _ in plate_map(kinematics).shapes if style.startswith("cop")]

    assert of_paths(walk[0]) == ["cop left", "cop right"]
    assert of_paths(stepless[0]) == ["cop rejected", "cop rejected"]
    assert not plate_map(replace(walk[0], plates=(), stances=(), events=())).shapes


def test_of_hundreds_of_cycles_some_are_drawn_evenly_spread(walk):
    """The mean is of all; the first and the last are drawn."""
    _, _, cycles, summary = walk
    left = next(c for c in cycles.cycles if c.cycle.side == "left" and c.cycle.plate)
    many = [replace(left, powers={**left.powers, "hip": np.full(101, float(k))}) for k in range(200)]
    panel = trial_sides(replace(cycles, cycles=tuple(many)), summary)("hip_power")["left"]
    assert len(panel.singles) == MAX_SINGLES
    drawn = [line[0] for line in panel.singles]
    assert (drawn[0], drawn[-1]) == (0.0, 199.0)
    assert max(np.diff(drawn)) - min(np.diff(drawn)) <= 1.0


def test_the_only_cycle_of_a_side_is_drawn_where_it_is_in_no_average(walk) -> None:
    """A curve that is doubtful, and the moments of a step that is set aside; another curve has its mean alone."""
    own = next(curves for curves in walk[2].cycles if curves.cycle.plate)
    side = own.cycle.side
    for marked, shown in (
        (replace(own, doubtful={"hip_rotation": "why"}), "hip_rotation"),
        (replace(own, set_aside="why"), "hip_power"),
    ):
        cycles = replace(walk[2], cycles=(marked,))
        read = trial_sides(cycles, summarise(cycles, 0.9, None))
        assert len(read(shown)[side].singles) == 1
        assert not np.isfinite(read(shown)[side].mean).any()
        assert not read("knee_flexion")[side].singles
