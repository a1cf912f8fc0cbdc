"""The page of a walk on the whole skeleton: figures and tables have the stage's values; missing ones have reasons."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import SKELETON_VARIABLES, gait_cycles, limits, marker_errors, residual
from pipeline.conventions import SIDES
from pipeline.reporting import (
    FurtherResults,
    ReportRun,
    StudyEntry,
    WholeBodySummary,
    read_entry,
    whole_body_summary,
    write_entry,
    write_failed_whole_body_report,
    write_study_report,
    write_trial_report,
    write_whole_body_report,
)
from pipeline.reporting.figures import whole_body as figures
from pipeline.reporting.figures.whole_body import ANGLE_ROWS, FORCE_ROWS, TORQUE_ROWS
from pipeline.reporting.whole_body import tables
from pipeline.reporting.whole_body.methods import whole_body_methods
from pipeline.results import Failure
from pipeline.trial import Note

from .conftest import HOSTILE, NOTHING_FOUND
from .test_figures import Drawn, as_number, curves_on_axes

pytestmark = pytest.mark.long

CONFIGURATION = {
    "filter": {"markers": 6.0},
    "whole_body": {"centre_weight": 0.7, "residual_reduction": True, "symmetric": False, "balance_weight": 1.0},
}
RUN = ReportRun("Study", {}, CONFIGURATION, {}, "index.html")


@pytest.fixture(scope="module")
def cycles(demo_walk):
    return gait_cycles(demo_walk.kinematics, demo_walk.loads)


@pytest.fixture(scope="module")
def reduced(demo_walk):
    """The walk with a residual-reduced motion that differs clearly from the kinematic one."""
    body = demo_walk.body
    motion = replace(
        body.kinematic,
        residual_force=0.1 * body.kinematic.residual_force,
        marker_error=body.kinematic.marker_error + 0.001,
        joint_moments={name: 1.1 * moment for name, moment in body.kinematic.joint_moments.items()},
    )
    held_out = body.loads_known & (np.arange(len(body.time)) % 4 == 0)
    return replace(
        body,
        residual_reduced=motion,
        trunk_com_shift=np.array([0.02, -0.01]),
        mass_factors={"trunk": 1.02, "arms": 0.97},
        held_out=held_out,
        held_out_residual_force=np.array([0.011, 0.022, 0.033]),
        held_out_residual_moment=np.array([0.001, 0.002, 0.003]),
    )


def test_every_variable_has_a_panel_and_every_panel_a_variable():
    shown = [v.name for rows in (ANGLE_ROWS, TORQUE_ROWS, FORCE_ROWS) for row in rows.values() for v in row]
    assert sorted(shown) == sorted(SKELETON_VARIABLES)
    for variable in SKELETON_VARIABLES.values():
        assert variable.display_units == {"deg": "°"}.get(variable.units, variable.units)


def test_curves_are_those_of_the_variables(demo_walk, cycles):
    body = demo_walk.body
    panel = figures.load_rows(TORQUE_ROWS, body, cycles)[0].panels[1]
    for side in SIDES:
        own = [c.cycle for c in cycles.cycles if c.cycle.side == side]
        lines = SKELETON_VARIABLES["knee_extensor_moment"].over_cycles(body, body.kinematic, own)
        whole = [line for line in lines if np.isfinite(line).all()]
        mean = np.mean(whole or [line for line in lines if np.isfinite(line).mean() > 0.9], axis=0)
        (drawn,) = Drawn(panel).read(f"curve {side}")
        np.testing.assert_allclose(drawn[:, 1], mean[np.isfinite(mean)], atol=Drawn(panel).resolution)


def test_a_cycle_without_its_stance_does_not_change_the_mean_of_the_others(demo_walk, cycles):
    body = demo_walk.body
    cycle = next(c for c in cycles.cycles if c.cycle.side == "left" and c.cycle.plate)
    (known,) = SKELETON_VARIABLES["ankle_plantarflexor_moment"].over_cycles(body, body.kinematic, [cycle.cycle])
    later = replace(cycle.cycle, initial_contact=body.time[-1] - 0.3, next_initial_contact=body.time[-1] + 0.7)
    both = replace(cycles, cycles=(cycle, replace(cycle, cycle=later)))
    (drawn,) = Drawn(figures.load_rows(TORQUE_ROWS, body, both)[0].panels[2]).read("curve left")
    np.testing.assert_allclose(drawn[:, 1], known[np.isfinite(known)], atol=0.01)


def test_unobservable_angles_are_dashed_and_a_row_of_them_is_only_named(demo_walk, cycles):
    """A coordinate of one leg and all of the head: the first is drawn as estimated, the others are only named."""
    body = demo_walk.body
    uncertainty = np.full(len(body.joint_names), 0.01)
    uncertainty[body.joint_names.index("left_hip_rotation")] = np.inf
    uncertainty[body.joint_names.index("right_ankle_inversion")] = np.radians(17.0)
    at_limit = np.zeros(len(body.joint_names))
    at_limit[body.joint_names.index("right_knee_flexion")] = 0.25
    carriers = ("upper_thorax",) * len(body.fitted_markers)
    body = replace(body, uncertainty=uncertainty, at_limit=at_limit, marker_segments=carriers)
    rows, held = figures.angle_rows(body, cycles)
    assert held == ["Head in thorax"]
    panels = {panel.axis.title: panel for row in rows for panel in row.panels}
    estimated = panels["Hip rotation, estimated"]
    assert {curve.style for curve in estimated.curves} >= {"left estimated", "right"}
    assert "Ankle inversion, ± 17°" in panels
    assert "Knee flexion, right at its limit in 25 %" in panels


def test_residuals_are_drawn_over_balanced_frames_between_grey_ones_with_their_limits(reduced):
    force, moment = figures.residual_rows(reduced)
    for row, field, limit in (
        (force, "residual_force", limits(reduced)[0]),
        (moment, "residual_moment", limits(reduced)[1]),
    ):
        for k, panel in enumerate(row.panels):
            for motion, style in ((reduced.kinematic, "kinematic"), (reduced.residual_reduced, "residual_reduced")):
                (drawn,) = curves_on_axes(panel, style)
                values = 100.0 * getattr(motion, field)[reduced.loads_known, k]
                known = np.isfinite(drawn[:, 1])
                np.testing.assert_array_equal(drawn[known, 1], values)
                np.testing.assert_array_equal(drawn[known, 0], reduced.time[reduced.loads_known])
            found = Drawn(panel)
            ends = [line[:, 1] for line in found.read("curve limit")]
            np.testing.assert_allclose(ends, [[limit, limit], [-limit, -limit]], atol=found.resolution)
            in_grey = np.zeros(len(reduced.time), dtype=bool)
            for begin, end in ((span[:, 0].min(), span[:, 0].max()) for span in found.read("span unknown")):
                in_grey |= (reduced.time >= begin - 0.002) & (reduced.time < end - 0.002)  # a frame is 0.01 s
            last = len(reduced.time) - 1
            np.testing.assert_array_equal(in_grey[:last], ~reduced.loads_known[:last])


def test_where_the_loads_are_known_in_no_frame_the_residual_panels_give_the_reason(reduced):
    nowhere = np.zeros_like(reduced.loads_known)
    for row in figures.residual_rows(replace(reduced, loads_known=nowhere)):
        assert [panel.empty for panel in row.panels] == [True] * 3
        assert "the loads of both feet are known in no frame" in row.panels[0].label


def test_the_overlay_has_both_methods_and_the_table_their_differences(demo_walk, reduced):
    rows = figures.overlay_rows(reduced, demo_walk.kinematics, demo_walk.loads)
    assert [row.heading for row in rows] == ["Left leg", "Right leg"]
    styles = [curve.style for curve in rows[0].panels[0].curves]
    assert styles == ["matrix", "left", "left reduced"]
    (matrix,), (skeleton,) = (Drawn(rows[0].panels[2]).read(f"curve {style}") for style in ("matrix", "left"))
    assert np.abs(matrix[:, 1] - skeleton[:, 1]).max() < 0.15
    assert matrix[:, 1].max() > 1.0, "plantarflexor moments are positive"
    (row,) = [row for row in tables.comparison_rows(reduced) if row[0] == "left ankle"]
    found = next(entry for entry in reduced.moment_comparisons if entry.joint == "left_ankle")
    assert row[1:] == (
        f"{found.correlation:.4f}",
        f"{found.rms_difference:.3f}",
        f"{-found.matrix_form_peak:.3f}",
        f"{-found.skeleton_peak:.3f}",
        f"{found.matrix_form_peak - found.skeleton_peak:.3f}".replace("-", "\N{MINUS SIGN}"),
    )


def test_angles_of_both_models_stand_side_by_side(demo_walk, cycles):
    """Each with its own mean; what is left once these are taken off is the curve's shape alone."""
    body = demo_walk.body
    rows = {row[0]: row[1:] for row in tables.two_models(body, cycles)}
    assert {"Pelvic tilt", "Hip flexion", "Knee flexion", "Ankle inversion"} <= rows.keys()
    right = next(c for c in cycles.cycles if c.cycle.side == "right")
    alone = replace(cycles, cycles=(right,))
    row = next(row for row in tables.two_models(body, alone) if row[0] == "Ankle inversion")
    (on_skeleton,) = SKELETON_VARIABLES["ankle_inversion"].over_cycles(body, body.kinematic, [right.cycle])
    by_markers = SKELETON_VARIABLES["ankle_inversion"].of(right)
    apart = on_skeleton - by_markers
    assert row[1:4] == ("\N{EN DASH}",) * 3
    shown = [as_number(cell) for cell in row[4:]]
    expected = [
        by_markers.mean(),
        on_skeleton.mean(),
        np.sqrt(np.mean((apart - apart.mean()) ** 2)),
    ]
    np.testing.assert_allclose(shown, expected, atol=0.05, err_msg="one decimal")


def test_tables_hold_the_stage_values_farthest_marker_and_worst_frame_first(reduced):
    errors = marker_errors(reduced.kinematic)
    rows = tables.marker_rows(reduced)
    assert len(rows) == len(reduced.fitted_markers)
    assert rows[0][0] == reduced.fitted_markers[int(np.argmax(errors.rms))]
    assert rows[0][2][0][0] == pytest.approx(1000.0 * errors.rms.max())
    assert rows[0][2][3][0] == pytest.approx(
        1000.0 * marker_errors(reduced.residual_reduced).rms[np.argmax(errors.rms)]
    )
    worst = tables.worst_frames(reduced)
    frame = int(np.argmax(errors.frame_rms))
    assert worst[0][1] == str(frame + 1), "frames are counted from one"
    times = np.array([float(row[0]) for row in worst])
    assert np.abs(np.subtract.outer(times, times))[~np.eye(len(times), dtype=bool)].min() > 0.09
    left = residual(reduced, reduced.kinematic)
    vertical = tables.residual_rows(reduced)[1]
    assert vertical.cells[:2] == (f"{left.force_rms[1]:.1f}", f"{left.force_peak[1]:.1f}")
    assert vertical.cells[4] == "2.2"
    assert vertical.within == (left.force_peak[1] <= limits(reduced)[0])


SCRIPTS = [{"type": "application/json"}, {"src": "report.js"}, {"src": "scene.js"}]
"""The data of the 3-D view, and the scripts that the pages share."""


def test_the_page_has_every_section_and_no_script_of_its_own(demo_walk, reduced, cycles, page_of):
    page = page_of(write_whole_body_report, reduced, demo_walk.kinematics, demo_walk.loads, cycles, RUN)
    sections = {attrs.get("id") for attrs, _ in page.all("section")}
    shown = {"quality", "view", "markers", "angles", "torques", "forces", "residual", "forward_check", "overlay"}
    assert shown <= sections
    assert {"skeleton", "notes", "methods"} <= {attrs.get("id") for attrs, _ in page.all("div", "folded")}
    assert page.scripts() == SCRIPTS
    assert {"href": "walk.html"} in [attrs for attrs, _ in page.all("a")]
    assert "Next to a grey region" in page.visible
    assert "nan" not in page.visible.lower().split()


@pytest.mark.long
def test_a_walk_without_plates_has_angles_and_a_reason_for_missing_residuals(demo_walk, analyse, on_skeleton, page_of):
    raw = replace(demo_walk.raw, plates=())
    matrix = analyse(raw, demo_walk.static, sex="f")
    body = on_skeleton(raw, demo_walk.static, matrix)
    body = replace(body, loads_known=np.zeros_like(body.loads_known), moment_comparisons=(), forward_check=None)
    cycles = gait_cycles(matrix.kinematics, matrix.loads)
    page = page_of(write_whole_body_report, body, matrix.kinematics, matrix.loads, cycles, RUN)
    assert "The loads of both feet are known in no frame" in page.visible
    assert "There is no time window in which the loads of all joints are known" in page.visible
    assert "no clean step of the left foot" in page.visible
    assert len(page.all("path", "curve")) > 20
    assert whole_body_summary("x", body).residual_peak != whole_body_summary("x", body).residual_peak


def test_hostile_text_appears_as_text(demo_walk, reduced, cycles, page_of):
    body = replace(reduced, name=HOSTILE, subject=HOSTILE, notes=(Note("warning", HOSTILE, HOSTILE),))
    page = page_of(write_whole_body_report, body, demo_walk.kinematics, demo_walk.loads, cycles, RUN)
    assert page.scripts() == SCRIPTS
    assert HOSTILE in page.visible
    failed = page_of(write_failed_whole_body_report, HOSTILE, "whole_body", HOSTILE, RUN)
    assert [attrs for attrs, _ in failed.all("script")] == [{"src": "report.js"}]
    assert HOSTILE in failed.visible


def test_methods_state_the_steps_and_the_held_out_residuals(reduced):
    text = whole_body_methods(reduced, CONFIGURATION).text
    for part in (
        "masses were kept",
        "with weight 0.7",
        "at 6 Hz",
        f"{reduced.rank} independent combinations",
        "Balance was imposed",
        "1.1, 2.2, 3.3 % of body weight",
        "0.1, 0.2, 0.3 % of body weight times height",
        "masses 0.97 to 1.02 of the table's, trunk 20 mm forwards and -10 mm to the right",
        "first the masses of seven groups of segments",
    ):
        assert part in text
    lone = replace(
        reduced, residual_reduced=None, notes=(Note("left out", "residual reduction", "markers follow only 54 %"),)
    )
    told = whole_body_methods(lone, CONFIGURATION)
    assert "Residuals were not reduced: markers follow only 54 %" in told.text
    assert not any("Delp SL, Anderson" in reference for reference in told.references)
    assert any("Hicks" in reference for reference in told.references)


def test_the_pages_of_walk_and_study_have_a_line_about_the_skeleton(reduced, walk, page_of, tmp_path):
    line = whole_body_summary("whole_body.walk1.html", reduced)
    lacking = whole_body_summary("whole_body.walk1.html", Failure("walk1", "whole_body", "too few markers"))
    assert lacking.reason == "too few markers"
    rms = f"{1000.0 * marker_errors(reduced.kinematic).overall:.1f}"
    page = page_of(write_trial_report, *walk, NOTHING_FOUND, RUN, FurtherResults(line))
    assert f"marker distance {rms} mm RMS" in page.visible
    assert {"href": "whole_body.walk1.html"} in [attrs for attrs, _ in page.all("a")]
    page = page_of(write_trial_report, *walk, NOTHING_FOUND, RUN, FurtherResults(lacking))
    assert "too few markers" in page.visible
    page = page_of(write_trial_report, *walk, NOTHING_FOUND, RUN)
    assert "skeleton" not in page.visible.lower()

    entries = []
    for name, own in (("walk1", line), ("walk2", lacking), ("walk3", None)):
        write_entry(tmp_path / "entry.json", StudyEntry("S1", name, f"{name}.html", whole_body=own))
        entries.append(read_entry(tmp_path / "entry.json"))
    assert entries[2].whole_body is None
    assert entries[1].whole_body.reason == "too few markers"
    assert np.isnan(entries[1].whole_body.marker_rms)
    assert entries[0].whole_body == pytest.approx(line) or isinstance(entries[0].whole_body, WholeBodySummary)
    page = page_of(write_study_report, entries, RUN)
    assert rms in [text for _, text in page.all("td", "number")]
    assert "no whole-body skeleton: too few markers" in page.visible
    page = page_of(write_study_report, entries[2:], RUN)
    assert "Skeleton" not in page.visible


@pytest.mark.long
def test_figures_over_time_show_the_nearest_frames_value_and_time(reduced, demo_walk, cycles, browse, tmp_path):
    path = tmp_path / "page.html"
    write_whole_body_report(path, reduced, demo_walk.kinematics, demo_walk.loads, cycles, RUN)
    told = browse(
        path,
        """var svg = document.querySelector("#residual svg"), field = svg.querySelector(".field");
        var rect = field.getBoundingClientRect(), x = rect.left + 0.5 * rect.width;
        svg.dispatchEvent(new PointerEvent("pointermove", { clientX: x, clientY: rect.top + 50 }));
        tell(Array.prototype.map.call(svg.parentNode.querySelectorAll(".readout span"), function (s) {
            return s.textContent; }).join("|"));""",
    )
    middle = 0.5 * (reduced.time[0] + reduced.time[-1])
    frame = int(np.argmin(np.abs(reduced.time - middle)))
    assert reduced.loads_known[frame]
    at, kinematic, _ = told.splitlines()[0].split("|")
    assert at == f"{middle:.2f} s"
    label, value = kinematic.rsplit(" ", 1)
    assert label == "Kinematic"
    near = 100.0 * reduced.kinematic.residual_force[frame - 1 : frame + 2, 0]
    assert near.min() - 0.1 <= as_number(value) <= near.max() + 0.1
