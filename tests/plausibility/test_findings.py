"""Each check finds its fault in the demo's walk, in the values of the stages, and nothing in the walk itself."""

from __future__ import annotations

import math
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import gait_cycles, mean_leg_length, summarise
from pipeline.anatomy import body_motion
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, PlateContact, Subject
from pipeline.conventions import SIDES, Y
from pipeline.errors import SignalError
from pipeline.kinematics import kinematics
from pipeline.math3d import Wrench, rotation_about
from pipeline.plausibility import contradicted_steps, load_limits, orientation, plausibility, without_contradicted
from pipeline.plausibility.angles import frames_of_cycles, joint_ranges
from pipeline.plausibility.balance import force_balance, whole_body_balance
from pipeline.plausibility.body_sizes import joint_widths
from pipeline.plausibility.centre_of_pressure import (
    HEEL_LANDING,
    _pivot,
    ahead_of_pivot,
    heel_contact,
    heel_share,
    push_off,
)
from pipeline.plausibility.crosstalk import crosstalk, knee_crosstalk
from pipeline.plausibility.foot_height import foot_heights
from pipeline.plausibility.joint_loads import joint_loads
from pipeline.plausibility.knees import clearance, knee_clearance, knee_markers
from pipeline.plausibility.known_loads import walking_speed, windows
from pipeline.plausibility.limits import Limits, Spread
from pipeline.plausibility.orientation import heading, turns_round
from pipeline.plausibility.plate_position import mass_ahead_in_walking, plate_position
from pipeline.plausibility.plates import fore_aft_errors, plates
from pipeline.plausibility.plates_compared import plates_compared
from pipeline.plausibility.rigid import rigid_groups, segment_distances
from pipeline.plausibility.sides_compared import symmetry
from pipeline.plausibility.standing import knee_rotations, loaded_frames, pelvic_tilt, standing_angles
from pipeline.plausibility.steps_without_kinetics import light_steps, loads_without_foot
from pipeline.plausibility.synchronisation import _vertical_acceleration, plate_delay, synchronisation
from pipeline.signals import load_of
from pipeline.trial import Event, Stance
from tests.kinematics.similar import similar, similar_values
from tests.plausibility.narrow_limits import NARROW
from tests.recordings import (
    scaled,
    with_cop,
    with_ground,
    with_load,
    with_marker,
    with_markers,
    with_plates,
    with_values,
)


def only(findings, grade, subject):
    """The one finding, of that grade on that subject."""
    (finding,) = findings
    assert (finding.grade, finding.subject) == (grade, subject), finding.sentence
    return finding


def assert_is_beyond_its_limit_alone(check, kinematics, finding) -> None:
    """Value and limit of a load in percent, as told: with all loads scaled to a value just beyond the limit it is found
    with that value, and just within it is not."""
    beyond = 1.01 if finding.value > finding.limit else 0.99
    for share in (beyond, 2.0 - beyond):
        factor = share * finding.limit / finding.value
        found = list(check(with_load(kinematics, 0, scaled([factor] * 3))))
        assert len(found) == (share == beyond)
        assert all(f.value == pytest.approx(share * finding.limit) and f.limit == finding.limit for f in found)
        assert all(f"{f.value:.0f} % of" in f.text for f in found)


def test_nothing_is_found_in_a_clean_walk(clean, plug_in_gait):
    cycles = gait_cycles(clean.kinematics, clean.loads)
    summary = summarise(cycles, mean_leg_length(clean.kinematics.calibration), None)
    found = plausibility(clean.kinematics, clean.loads, summary, clean.raw, clean.static, plug_in_gait)
    assert found.findings == ()


def test_an_angle_that_no_joint_has_is_refused_and_one_near_the_range_is_warned_of(clean):
    knee = clean.kinematics.angles["left_knee"]
    for flexion, grade in ((120.0, "warning"), (178.0, "refusal")):
        angles = clean.kinematics.angles | {"left_knee": knee + np.radians([flexion - 50.0, 0.0, 0.0])}
        finding = only(joint_ranges(replace(clean.kinematics, angles=angles)), grade, "left knee")
        assert finding.value == pytest.approx(flexion, abs=1.0)


@pytest.mark.parametrize("flexion", [-60.0, 165.0])
@pytest.mark.parametrize(("share", "count"), [(0.03, 1), (0.01, 0)])
def test_an_angle_is_judged_by_the_range_of_all_but_two_percent_of_the_frames_at_either_end(
    clean, flexion, share, count
):
    """A knee that is beyond every range in 3 % of the frames of the cycles, or in 1 %."""
    frames = np.flatnonzero(frames_of_cycles(clean.kinematics))
    knee = clean.kinematics.angles["left_knee"].copy()
    knee[frames[: round(share * len(frames))], 0] = np.radians(flexion)
    angles = clean.kinematics.angles | {"left_knee": knee}
    found = [round(finding.value, 6) for finding in joint_ranges(replace(clean.kinematics, angles=angles))]
    assert found == [flexion] * count


def test_a_walk_backwards_is_one_warning_and_not_labels_on_wrong_markers(clean, plug_in_gait):
    """The same walk with all of the body turned by half a turn about the vertical, and its angles but the pelvis's."""
    kinematics, half = clean.kinematics, np.diag([-1.0, 1.0, -1.0])
    joints = {name: replace(joint, R_GP=half @ joint.R_GP) for name, joint in kinematics.joints.items()}
    points = {name: place @ half for name, place in kinematics.points.items()}
    turned = kinematics.angles["pelvis"] + np.radians([0.0, 0.0, 180.0])
    backwards = replace(kinematics, joints=joints, points=points, angles=kinematics.angles | {"pelvis": turned})
    assert heading(backwards) == pytest.approx(180.0, abs=10.0)
    summary = summarise(gait_cycles(backwards, clean.loads), mean_leg_length(kinematics.calibration), None)
    summary = replace(summary, gps=dict.fromkeys(summary.gps, 59.0))
    found = plausibility(backwards, None, summary, clean.raw, clean.static, plug_in_gait)
    of_the_pelvis = [one for one in found.findings if one.subject == "pelvis" or "Score" in one.subject]
    assert "backwards" in only(of_the_pelvis, "warning", "pelvis").cause


@pytest.mark.parametrize("gap", [0, 60])
def test_a_walk_there_and_back_is_refused_with_the_time_of_the_turn(clean, gap):
    """The walk, frames in which nobody is seen, and the walk turned by half a turn about the vertical."""
    there, half = clean.kinematics, np.diag([-1.0, 1.0, -1.0])
    count = len(there.time)

    def twice(values: np.ndarray) -> np.ndarray:
        back = half @ values if values.ndim == 3 else values @ half
        return np.concatenate([values, np.full((gap, *values.shape[1:]), np.nan), back])

    points = {name: twice(place - place[count - 1]) for name, place in there.points.items()}
    joints = {name: replace(joint, R_GP=twice(joint.R_GP)) for name, joint in there.joints.items()}
    both = replace(there, time=np.arange(2 * count + gap) / there.rate, points=points, joints=joints)
    (turn,) = turns_round(both)
    assert turn.begin == pytest.approx(there.time[-1], abs=0.3)
    assert turn.end == pytest.approx((count + gap) / there.rate, abs=0.3)
    assert turn.back == pytest.approx(there.time[-1] * 1.1, abs=0.6)
    finding = next(f for f in orientation(both) if "turns round" in f.text)
    assert finding.grade == "refusal"
    assert f"0-{turn.begin:g} and {turn.end:g}- in the column 'part'" in finding.remedy
    angles = {"pelvis": np.radians(np.tile([10.0, 0.0, 180.0], (2 * count + gap, 1)))}
    assert not list(joint_ranges(replace(both, angles=angles)))
    oblique = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(50.0))
    joints = {name: replace(joint, R_GP=oblique @ joint.R_GP) for name, joint in joints.items()}
    (askew,) = turns_round(replace(both, joints=joints))
    assert askew.back == turn.back, "also of a pelvis that faces 50 degrees aside of the way"


def test_a_walk_one_way_a_step_back_and_walking_backwards_are_no_turn(clean):
    there = clean.kinematics
    assert not turns_round(there)
    swayed = {
        name: place + 0.4 * np.sin(6.0 * there.time)[:, None] * [1.0, 0, 0] for name, place in there.points.items()
    }
    assert not turns_round(replace(there, points=swayed))
    backwards = {name: place * [-1.0, 1.0, 1.0] for name, place in there.points.items()}
    assert not turns_round(replace(there, points=backwards))


def test_rigid_groups_of_plug_in_gait_are_its_segments(plug_in_gait):
    groups = rigid_groups(plug_in_gait)
    assert groups["pelvis"] == ("LASI", "LPSI", "RASI", "RPSI", "SACR")
    assert groups["left_thigh"] == ("LKNE", "LTHI", "left_hip")
    assert groups["right_shank"] == ("RANK", "RKNE", "RTIB")
    assert groups["left_foot"] == ("LANK", "LHEE", "LTOE")


@pytest.mark.parametrize(("shift", "grade"), [(0.012, "warning"), (0.06, "refusal")])
def test_a_marker_that_was_moved_after_the_static_trial_is_named(clean, plug_in_gait, shift, grade):
    """12 mm along the pelvis's depth; a distance that is 60 mm off is of another marker."""
    moved = with_marker(clean.kinematics, "LASI", lambda p: p + np.array([shift, 0.0, 0.0]))
    finding = only(segment_distances(moved, clean.static, plug_in_gait), grade, "pelvis")
    assert "LASI" in finding.cause
    assert finding.value == pytest.approx(1000.0 * shift, rel=0.25)


def test_a_marker_that_leaves_its_segment_is_refused(clean, plug_in_gait):
    still = with_marker(clean.kinematics, "LTOE", lambda p: np.broadcast_to(p[150], p.shape))
    found = [f for f in segment_distances(still, clean.static, plug_in_gait) if f.subject == "left foot"]
    assert {f.grade for f in found} == {"refusal"}
    assert all("LTOE" in f.cause for f in found)


def test_one_marker_with_two_labels_is_refused(clean, plug_in_gait):
    thigh = clean.kinematics.markers_G[:, clean.kinematics.marker_names.index("LTHI")]
    doubled = with_marker(clean.kinematics, "LKNE", lambda _: thigh + 0.001)
    found = [f for f in segment_distances(doubled, clean.static, plug_in_gait) if "both labels" in f.cause]
    assert only(found, "refusal", "left thigh").text == "LKNE and LTHI are 1.7 mm apart"


def test_a_toe_marker_that_was_moved_up_and_a_heel_marker_moved_down_are_found(clean, plug_in_gait):
    """The heel marker of a toe walker may be higher in walking, but not lower."""
    points = clean.kinematics.points
    for point, shift, count in (("left_toe", 0.02, 1), ("left_heel", 0.02, 0), ("left_heel", -0.02, 1)):
        moved = points | {point: points[point] + np.array([0.0, shift, 0.0])}
        found = list(foot_heights(replace(clean.kinematics, points=moved), clean.static, plug_in_gait))
        assert [f.subject for f in found] == count * [point.replace("_", " ")]
        for finding in found:
            assert finding.limit == pytest.approx(np.copysign(10.0, shift)), "mm, with the sign of the value"
            (error,) = finding.error.shifts_G.values()
            np.testing.assert_allclose(error, [0.0, shift, 0.0], atol=0.002)


@pytest.mark.parametrize("length", [0.55, 1.0, 1.28])
def test_plates_shifted_by_the_same_part_of_the_leg_are_found_in_bodies_of_all_sizes(
    clean, analyse, plug_in_gait, length
):
    """By 16 mm behind, of the demo's leg of 0.91 m, together with its lean of 17 mm; bodies of 0.97 to 2.25 m."""
    walk, static = (similar(trial, length, length**3) for trial in (clean.raw, clean.static))
    values = similar_values(clean.kinematics.calibration.values, length, length**3)
    own = analyse(walk, static, "f", values, filter={"markers": 6.0 / np.sqrt(length)})
    assert not list(plate_position(own.kinematics, own.loads, static, plug_in_gait))
    by = np.array([-0.016 * length, 0.0, 0.0])
    shifted = with_ground(own.loads, lambda w: replace(w, point_G=w.point_G + by))
    (finding,) = plate_position(own.kinematics, shifted, static, plug_in_gait)
    assert finding.value == pytest.approx(-33.3 * length, rel=0.02)
    assert finding.limit == pytest.approx(-0.026 * 907.5 * length)


@pytest.mark.parametrize(("error", "count"), [(0.0, 0), (0.02, 1), (-0.02, 1), (0.008, 0)])
def test_a_knee_width_that_a_medial_marker_contradicts_is_found(clean, plug_in_gait, error, count):
    """A medial marker at the width of the file, which is right, and 14 mm of marker beyond the skin."""
    width = clean.kinematics.calibration.values["knee_width_left"]
    medial = clean.static.marker("LKNE") + np.array([0.0, 0.0, width + 0.014 + error])
    static = with_markers(clean.static, LKNM=medial)
    found = list(joint_widths(clean.kinematics, static, plug_in_gait))
    assert [f.subject for f in found] == count * ["knee width left"]
    assert all(f.value == pytest.approx(-1000.0 * error, abs=0.1) for f in found)
    assert all(f.error.values == pytest.approx({"knee_width_left": -error}, abs=1e-4) for f in found)


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("turn", [-15.0, 12.0])
def test_crosstalk_is_the_turn_of_the_axis(side, turn):
    """A hinge that flexes by 60 degrees, seen from a thigh whose axis is turned inwards in front: a known answer."""
    flexion = np.radians(np.linspace(0.0, 60.0, 40))
    hinge = rotation_about(np.array([0.0, 0.0, 1.0]), -flexion)
    inwards = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(turn if side == "right" else -turn))
    found = knee_crosstalk(inwards @ hinge, side)
    back = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(-found.turn if side == "right" else found.turn))
    # Seen from an axis that is turned inwards, the foot goes outwards as the knee bends: the opposite of varus.
    assert found.correlation * np.sign(turn) < -0.95
    assert found.turn == pytest.approx(turn, abs=0.5)
    assert knee_crosstalk(back @ inwards @ hinge, side).varus_range < 1.0


def test_a_wrong_thigh_rotation_is_found_with_the_offset_that_mends_it(clean, analyse, plug_in_gait):
    values = {f"thigh_rotation_{side}": np.radians(-1.0) for side in ("left", "right")}
    off = analyse(clean.raw, clean.static, sex="f", values=values).kinematics
    found = {f.subject: f for f in crosstalk(off, plug_in_gait)}
    assert set(found) == {"left knee", "right knee"}
    assert "add -10 degrees to thigh_rotation_left_deg" in found["left knee"].remedy, "the file has -11 degrees"
    assert found["left knee"].error.values == pytest.approx({"thigh_rotation_left": np.radians(10.0)}, abs=0.01)


def test_hips_of_a_small_child_by_a_regression_on_larger_bodies_are_a_warning(clean, plug_in_gait):
    """A leg of 0.50 m with the regression of Davis, which turns the thigh by 16 degrees."""
    values = similar_values(clean.kinematics.calibration.values, 0.55, 0.17)
    walk, static = (similar(trial, 0.55, 0.17) for trial in (clean.raw, clean.static))
    settings = AnatomySettings(), FilterSettings(markers=8.0), EventSettings()
    child = kinematics(walk, static, plug_in_gait, Subject.from_si("child", "f", values), *settings)
    found = {f.subject: f for f in crosstalk(child, plug_in_gait)}["right knee"]
    assert found.grade == "warning"
    assert "the hip centre, by a regression on larger bodies than one with a leg of 0.50 m" in found.cause
    assert "choose another hip_centre in config.yaml (anatomy), or measure it (gait hips)" in found.remedy
    given = replace(child, calibration=replace(child.calibration, hip_method="given"))
    for other in (with_values(child, leg_length_right=0.56), given):
        found = {f.subject: f for f in crosstalk(other, plug_in_gait)}["right knee"]
        assert (found.grade, "hip centre" in found.cause) == ("note", False)


def test_a_wand_moved_on_one_side_turns_one_knee_s_axis(clean, analyse, plug_in_gait):
    """Seven degrees of the left wand: too little for varus alone, but the right knee has none."""
    off = analyse(clean.raw, clean.static, sex="f", values={"thigh_rotation_left": np.radians(-4.0)}).kinematics
    finding = only(crosstalk(off, plug_in_gait), "note", "knees")
    assert "of the left knee was moved" in finding.cause
    assert 7.0 < finding.value < 14.0, "the axis turns by more than the wand (module)"


@pytest.mark.parametrize(("shift", "count"), [(0.022, 1), (-0.022, 1), (0.01, 0)])
def test_a_knee_marker_off_the_flexion_axis_is_found(clean, plug_in_gait, shift, count):
    """Moved along the shank's forward axis, where no distance to a marker changes in standing."""
    forward = clean.kinematics.joints["left_knee"].R_GD[:, :, 0]
    moved = with_marker(clean.kinematics, "LKNE", lambda p: p + shift * forward)
    found = list(knee_markers(moved, plug_in_gait))
    assert [f.subject for f in found] == count * ["marker LKNE"]
    assert all(f.value == pytest.approx(1000.0 * shift, abs=2.0) for f in found)
    for finding in found:
        error = np.sum(finding.error.shifts_G["LKNE"] * clean.kinematics.segments["left_thigh"].R_GS[:, :, 0], axis=1)
        np.testing.assert_allclose(error, shift, atol=0.002)


@pytest.mark.parametrize(("ahead", "typical"), [(0.06, 15.0), (0.0, 15.0), (0.17, 40.0)])
@pytest.mark.parametrize("lean", [-4.0, 0.0, 4.0])
@pytest.mark.parametrize(("up", "seen"), [(0.1, True), (0.02, True), (0.005, False)])
def test_a_heel_s_load_is_told_wherever_the_foot_is_and_however_its_markers_sit(ahead, typical, lean, up, seen):
    """Markers 0.2 m apart, whose line leans as the foot is flat, and by 10 degrees more while the toes are up; 40 mm
    above the plate, turned out by 20 degrees, and at last on the forefoot. A tenth of the weight is 59 N: a load of
    50 N at the toes, before, does not count."""
    time = 5.0 + np.arange(1000) / 1000.0
    pitch = np.radians(np.where(time < 5.15 + up, lean + 10.0, np.where(time < 5.42, lean, lean - 30.0)))
    place, out = np.array([3.0, 0.44, -2.0]), np.radians(20.0)
    forward = np.array([np.cos(out), 0.0, -np.sin(out)])
    heel = np.tile(place, (1000, 1))
    toe = place + 0.2 * (np.cos(pitch)[:, None] * forward + np.sin(pitch)[:, None] * [0.0, 1.0, 0.0])
    early = (time < 5.15)[:, None]
    surface = place - np.array([0.0, 0.04, 0.0])
    at = surface + np.where(early, 0.2, ahead) * forward
    corners = surface + 0.5 * np.array([[1, 0, 1], [-1, 0, 1], [-1, 0, -1], [1, 0, -1]])
    wrench = Wrench(np.where(early, 50.0, 500.0) * [0.0, 1.0, 0.0], np.zeros((1000, 3)), at).about(np.zeros(3))
    walk = SimpleNamespace(
        plates=(SimpleNamespace(number=1, corners_G=corners, wrench=wrench),), analog_time=time, analog_rate=1000.0
    )
    stance = Stance(1, "left", 100, 700, 5.1, 5.7, 0.0, "")
    motion = SimpleNamespace(
        points={"left_heel": heel, "left_toe": toe, "left_ankle": heel + 0.05}, time=time, stances=(stance,)
    )
    without_marker = SimpleNamespace(points=motion.points | {"left_ankle": heel}, time=time, stances=(stance,))
    assert np.isnan(heel_share(without_marker, walk, stance, 60.0)), "the ankle stands in for the heel"
    share = ahead / 0.2 if seen else np.nan
    assert heel_share(motion, walk, stance, 60.0) == pytest.approx(share, rel=0.02, abs=1e-9, nan_ok=True)
    limits = Limits({HEEL_LANDING: Spread(typical, 1.0, 1.0, False, 1, 1, 1, 1)}, 1.0, 1.0, 0.05)
    found = list(heel_contact(motion, SimpleNamespace(mass=60.0), walk, limits))
    assert len(found) == seen
    for finding in found:
        assert finding.value == pytest.approx(100.0 * share, rel=0.02, abs=1e-6)
        assert finding.grade == ("refusal" if share > 0.6 else "warning")
        assert finding.error.shift_G == pytest.approx((ahead - 0.002 * typical, 0.0, 0.0), abs=0.004)
        assert f"shifted {'forwards' if ahead > 0.002 * typical else 'backwards'}" in finding.cause


@pytest.mark.parametrize(("shift", "words"), [(0.04, "ahead of"), (-0.05, "behind"), (0.02, "")])
def test_a_load_that_is_not_under_the_forefoot_while_the_heel_rises_is_found(clean, shift, words):
    """On all four plates: their shift is added to what the clean walk shows."""
    shifted = with_cop(clean.kinematics, lambda cop: cop + np.array([shift, 0.0, 0.0]))
    found = list(push_off(shifted, clean.loads, NARROW))
    assert [f.subject for f in found] == ([f"plate {n}" for n in (1, 2, 3, 4)] if words else [])
    for left_out in ({"rejected": "light"}, {"second_plate": 2}):
        stances = tuple(replace(stance, **left_out) for stance in clean.kinematics.stances)
        assert not list(push_off(replace(shifted, stances=stances), clean.loads, NARROW))
    for finding, stance in zip(found, clean.kinematics.stances, strict=False):
        assert words in finding.text
        own = ahead_of_pivot(clean.kinematics, stance, clean.loads.mass)
        assert finding.value == pytest.approx(own + 1000.0 * shift, abs=1.0)  # the foot is turned out


def test_the_point_about_which_a_foot_turns_on_a_belt_is_at_rest_on_the_belt(clean):
    """The walk of a treadmill at 1.2 m/s, with plates whose centres of pressure are 40 mm too far ahead."""
    walk = clean.kinematics
    ahead = with_cop(walk, lambda cop: cop + np.array([0.04, 0.0, 0.0]))
    back = np.outer(1.2 * walk.time, [1.0, 0.0, 0.0])
    on_belt = {name: point - back for name, point in walk.points.items()}
    moving = with_cop(replace(ahead, points=on_belt), lambda cop: cop - back)
    found, expected = (list(push_off(k, clean.loads, NARROW)) for k in (moving, ahead))
    assert [f.subject for f in found] == [f.subject for f in expected] == [f"plate {n}" for n in (1, 2, 3, 4)]
    np.testing.assert_allclose([f.value for f in found], [f.value for f in expected], atol=2.0)


def test_the_point_about_which_a_foot_turns_is_found_wherever_its_markers_are():
    """A rigid foot that rolls up about a point 30 mm ahead of and 15 mm below its toe marker."""
    pitch = -np.radians(np.linspace(8.0, 25.0, 12))
    R = rotation_about(np.array([0.0, 0.0, 1.0]), pitch)
    toe = np.array([1.0, 0.0, 0.0]) - R @ np.array([0.030, -0.015, 0.0])
    place, pivot, residual = _pivot(pitch, toe[:, :2])
    assert (place, pivot, residual) == pytest.approx((0.030, 1.0, 0.0), abs=1e-12)


@pytest.mark.parametrize(("wider", "count"), [(0.02, 1), (0.005, 0), (-0.02, 0)])
def test_knees_too_wide_to_pass_each_other_are_found(clean, analyse, plug_in_gait, wider, count):
    """Each inner side is the whole width from the marker, so the room shrinks by both."""
    own = {f"{s}KneeWidth": clean.raw.parameters[f"{s}KneeWidth"] + 1000.0 * wider for s in "LR"}
    raw, static = (replace(trial, parameters=trial.parameters | own) for trial in (clean.raw, clean.static))
    changed = analyse(raw, static, sex="f").kinematics
    room = clearance(clean.kinematics, plug_in_gait)
    assert clearance(changed, plug_in_gait) == pytest.approx(room - 2000.0 * wider, abs=2.0)
    found = list(knee_clearance(changed, plug_in_gait))
    assert [f.subject for f in found] == count * ["knee widths"]


def test_a_flat_landing_says_nothing_about_the_heel(clean):
    """The demo's foot is pitched by 8 degrees at contact, and less once it is loaded."""
    assert not list(heel_contact(clean.kinematics, clean.loads, clean.raw, NARROW))


@pytest.mark.parametrize(
    ("factors", "grade", "words"),
    [
        ([-1.0, 1.0, 1.0], "refusal", "does not follow the body"),
        ([0.0, 1.0, 1.0], "warning", "does not follow the body"),
        ([0.75, 1.0, 1.0], "warning", "of that towards the hips"),
        ([1.0, 1.0, -1.0], "refusal", "points away from the body"),
    ],
)
def test_a_wrong_force_channel_is_found_on_every_plate(clean, factors, grade, words):
    found = list(plates(with_load(clean.kinematics, 0, scaled(factors)), clean.raw, NARROW))
    assert [f.subject for f in found] == [f"plate {n}" for n in (1, 2, 3, 4)]
    assert {f.grade for f in found} == {grade}
    assert all(words in f.text for f in found)


def test_plates_that_contradict_each_other_under_one_foot_are_found(clean):
    """The demo's left foot steps on plates 1 and 3."""
    assert not list(plates_compared(clean.kinematics, NARROW))
    weak = with_load(clean.kinematics, 3, scaled([1.0, 0.8, 1.0]))
    finding = only(plates_compared(weak, NARROW), "warning", "plate 3 and plate 1")
    assert finding.value == pytest.approx(25.0)
    assert finding.error.scale_G[1] == pytest.approx(0.2), "a force of 1.25 times the true one has a fifth too much"
    middle = clean.kinematics.plates[2].corners_G.mean(axis=0)
    short = with_cop(clean.kinematics, lambda cop: middle + [0.8, 1.0, 1.0] * (cop - middle), 3)
    finding = only(plates_compared(short, NARROW), "warning", "plate 1 and plate 3")
    assert "path of the centre of pressure" in finding.text
    aside = with_cop(clean.kinematics, lambda cop: cop + np.array([0.0, 0.0, 0.012]), 3)
    finding = only(plates_compared(aside, NARROW), "warning", "plate 1 and plate 3")
    assert finding.value == pytest.approx(12.0, abs=0.5)
    turned = with_plates(clean.kinematics, lambda p: replace(p, free_moment=-p.free_moment), 2)
    finding = only(plates_compared(turned, NARROW), "note", "plate 2 and plate 4")
    assert finding.value == pytest.approx(-1.0, abs=0.01)


def angles_of(static, kinematics, marker_set):
    """Joint angles (T, 3) in standing of the walk's body."""
    markers = {name: static.marker(name) for name in static.marker_names}
    return body_motion(markers, static.rate, marker_set, kinematics.calibration).angles


def test_a_wand_moved_after_the_static_trial_turns_the_knee_in_stance(clean, plug_in_gait):
    """Ten degrees of the thigh's axes, as of a wand that was moved: the knee's rotation in stance shows them."""
    standing = angles_of(clean.static, clean.kinematics, plug_in_gait)
    assert not list(knee_rotations(clean.kinematics, standing))
    knee = clean.kinematics.angles["left_knee"] + np.radians([0.0, 0.0, 10.0])
    turned = replace(clean.kinematics, angles=clean.kinematics.angles | {"left_knee": knee})
    stood = standing | {"left_knee": standing["left_knee"] - np.radians([0.0, 0.0, 10.0])}
    without_cycle = replace(turned, cycles=())  # in the stances on plates
    for walk, angles in ((turned, standing), (without_cycle, standing), (clean.kinematics, stood)):
        finding = only(knee_rotations(walk, angles), "warning", "left knee")
        assert finding.value == pytest.approx(10.0, abs=0.7)
        assert "inwards" in finding.text


def test_the_walking_speed_is_that_of_the_hips_while_they_are_seen(clean):
    walk = clean.kinematics
    track = np.outer(1.3 * walk.time + 2.0, [1.0, 0.0, 0.0])
    track[:30] = track[-20:] = np.nan
    points = walk.points | {"left_hip": track, "right_hip": track}
    assert walking_speed(replace(walk, points=points)) == pytest.approx(1.3)


@pytest.mark.parametrize(("seconds", "count"), [(0.25, 0), (0.35, 1)])
def test_a_contact_of_less_than_three_tenths_of_a_second_is_no_light_step(clean, seconds, count):
    """All steps are light of a body of three times the mass."""
    stances = tuple(replace(s, rejected="light", end=s.onset + seconds) for s in clean.kinematics.stances)
    assert len(list(light_steps(replace(with_values(clean.kinematics, mass=216.0), stances=stances)))) == count


def test_a_knee_is_loaded_from_15_to_75_percent_of_its_stance(clean):
    """Of 0.6 s from 0.4 s, 0.49 to 0.85 s; the other side's cycle, and a stance beside a cycle, do not count."""
    cycle = replace(clean.kinematics.cycles[0], side="left", initial_contact=0.4, foot_off=1.0)
    other = replace(cycle, side="right", initial_contact=1.1, foot_off=1.7)
    walk = replace(clean.kinematics, cycles=(cycle, other))
    assert clean.kinematics.stances
    loaded = walk.time[loaded_frames(walk, "left")]
    half = 0.5 / walk.rate
    assert (loaded[0], loaded[-1]) == (pytest.approx(0.49, abs=1.01 * half), pytest.approx(0.85, abs=1.01 * half))
    assert np.ptp(np.diff(loaded)) < half


@pytest.mark.parametrize("facing", [0.0, 90.0, 180.0, -130.0])
@pytest.mark.parametrize(("degrees", "way"), [(30.0, "farther forward"), (-30.0, "farther back")])
def test_a_pelvis_that_walks_otherwise_than_it_stood_is_found_wherever_the_subject_faced(
    clean, plug_in_gait, degrees, way, facing
):
    """Standing turned about the axis to the right, forward to up: leaning back, so that the walk leans forward; and
    about the vertical, with its plates."""
    assert not list(pelvic_tilt(clean.kinematics, angles_of(clean.static, clean.kinematics, plug_in_gait)))
    lean = rotation_about(np.array([0.0, 0.0, 1.0]), np.radians(degrees))
    R = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(facing))
    static = replace(clean.static, markers_G=clean.static.markers_G @ (R @ lean).T, plates=())
    standing = standing_angles(clean.kinematics.calibration, static, plug_in_gait)
    finding = only(pelvic_tilt(clean.kinematics, standing), "warning", "pelvis")
    assert finding.value == pytest.approx(degrees, abs=1.0)
    assert finding.limit == math.copysign(25.0, degrees)
    assert finding.angle_error == abs(finding.value)
    assert way in finding.text
    assert not list(knee_rotations(clean.kinematics, standing))


def test_a_step_whose_force_contradicts_the_motion_is_shown_but_in_no_average(clean, step, plug_in_gait):
    """The fore-aft force of one plate at 55 %: its cycle keeps its curves, the mean is that of the other cycles."""
    weak = with_load(clean.kinematics, step.plate, scaled([0.55, 1.0, 1.0]))
    cycles = gait_cycles(clean.kinematics, clean.loads)
    others = clean.loads, clean.raw, plug_in_gait, load_limits()
    assert not contradicted_steps(clean.kinematics, *others)
    contradicted = contradicted_steps(weak, *others)
    found = without_contradicted(cycles, weak, contradicted)
    (aside,) = [c for c in (*found.cycles, *found.stances) if c.set_aside]
    assert np.isfinite(aside.moments["hip"]).any()
    (note,) = [note for note in found.notes if "not averaged" in note.text]
    assert note.subject == step.on
    kept = PlateContact(step.plate, 0.5 * (step.onset + step.end))
    assert f"{kept.plate}:{kept.time:.2f}" in note.text
    assert not any(c.set_aside for c in without_contradicted(cycles, weak, contradicted, (kept,)).cycles)
    with pytest.raises(SignalError, match=r"column 'kept_steps': no contact with plate 9 at 0.5 s"):
        without_contradicted(cycles, weak, contradicted, (PlateContact(9, 0.5),))


@pytest.mark.parametrize(("factor", "cause"), [(2.2046, "in pounds (72.0 kg)"), (4.0, "mass_kg or the scale")])
def test_a_mass_that_no_step_carries_is_named(clean, analyse, factor, cause):
    """Every step then looks like a light touch, and no other check has a clean step to look at."""
    assert not list(light_steps(clean.kinematics))
    mass = clean.kinematics.calibration.values["mass"]
    heavy = analyse(clean.raw, clean.static, sex="f", values={"mass": factor * mass}).kinematics
    assert all(stance.rejected for stance in heavy.stances)
    finding = only(light_steps(heavy), "warning", "body mass")
    assert cause.replace("72.0", f"{factor * mass * 0.45359237:.1f}") in finding.cause
    assert_is_beyond_its_limit_alone(light_steps, heavy, finding)


def test_plates_that_bear_a_step_where_no_foot_is_are_named(clean, analyse):
    """Two plates' channels exchanged: both carry the weight while the feet are on the other, and nothing else says so.

    A light load, such as that of a cane, says nothing, nor does a foot that is not seen or a plate that is excluded.
    """
    assert not list(loads_without_foot(clean.kinematics))
    one, other, *rest = clean.raw.plates

    def with_load_of(plate, source):
        wrench = source.wrench
        point = wrench.point_G + plate.corners_G.mean(axis=0) - source.corners_G.mean(axis=0)
        return replace(plate, wrench=Wrench(wrench.force_G, wrench.moment_G, point))

    raw = replace(clean.raw, plates=(with_load_of(one, other), with_load_of(other, one), *rest))
    exchanged = analyse(raw, clean.static, sex="f").kinematics
    found = list(loads_without_foot(exchanged))
    assert sorted(finding.subject for finding in found) == ["plate 1", "plate 2"]
    assert all("no foot within" in f.text and 100.0 < f.value < 130.0 and f.grade == "warning" for f in found)
    of_one = replace(exchanged, stances=tuple(s for s in exchanged.stances if s.plate == 1))
    assert_is_beyond_its_limit_alone(loads_without_foot, of_one, only(loads_without_foot(of_one), "warning", "plate 1"))
    assert not list(loads_without_foot(with_load(exchanged, 0, scaled([0.5] * 3))))
    unseen = {name: np.nan * at if name == "left_heel" else at for name, at in exchanged.points.items()}
    assert not list(loads_without_foot(replace(exchanged, points=unseen)))
    excluded = tuple(replace(s, rejected="wording is free", rejection="excluded") for s in exchanged.stances)
    assert not list(loads_without_foot(replace(exchanged, stances=excluded)))


@pytest.mark.parametrize(("raised", "above"), [(0.2, False), (-0.2, True)])
def test_a_plate_whose_surface_is_far_from_the_foot_on_it_is_named(clean, analyse, raised, above):
    """The step has no kinetics, and nothing else says so."""
    up = np.array([0.0, raised, 0.0])
    raw = with_load(clean.raw, 1, lambda w: replace(w, point_G=w.point_G + up))
    raw = with_plates(raw, lambda p: replace(p, corners_G=p.corners_G + up), 1)
    walk = analyse(raw, clean.static, sex="f").kinematics
    finding = only(loads_without_foot(walk), "warning", "plate 1")
    reworded = tuple(replace(s, rejected=f"({s.rejected})" if s.rejected else "") for s in walk.stances)
    only(loads_without_foot(replace(walk, stances=reworded)), "warning", "plate 1")
    assert f"the foot stands {230 if above else 170} mm {'above' if above else 'below'}" in finding.text
    assert ("a step lies on it" in finding.cause) == above


@pytest.mark.parametrize(
    ("left", "right", "subjects"),
    [(0.015, 0.015, ["floor"]), (-0.03, -0.03, ["floor"]), (0.03, -0.03, ["left toe", "right heel", "right toe"])],
)
def test_markers_of_both_feet_that_are_off_by_the_same_show_the_floor(clean, plug_in_gait, left, right, subjects):
    points = dict(clean.kinematics.points)
    for side, shift in (("left", left), ("right", right)):
        for part in ("heel", "toe"):
            points[f"{side}_{part}"] = points[f"{side}_{part}"] + np.array([0.0, shift, 0.0])
    found = list(foot_heights(replace(clean.kinematics, points=points), clean.static, plug_in_gait))
    assert [f.subject for f in found] == subjects
    if subjects == ["floor"]:
        assert found[0].value == pytest.approx(1000.0 * left, abs=2.0)
        assert found[0].limit == pytest.approx(np.copysign(10.0, left))
        assert ("higher" in found[0].text) == (left > 0.0)


@pytest.mark.parametrize(("seconds", "count"), [(0.07, 0), (0.15, 1)])
def test_a_height_is_that_of_a_tenth_of_a_second_at_rest(clean, plug_in_gait, seconds, count):
    """A toe marker that is 30 mm too low, and rests once."""
    time, toe = clean.kinematics.time, clean.kinematics.points["left_toe"]
    low = np.nanmin(toe[:, Y]) - 0.03
    forward = np.where(time < 1.0, time, np.maximum(1.0, time - seconds))
    track = np.column_stack([forward, np.full(len(time), low), np.zeros(len(time))])
    walk = replace(clean.kinematics, points=clean.kinematics.points | {"left_toe": track})
    assert [f.subject for f in foot_heights(walk, clean.static, plug_in_gait)] == ["left toe"] * count


@pytest.mark.parametrize(("seconds", "count"), [(0.03, 1), (0.08, 0)])
def test_a_floor_is_uneven_if_a_foot_rests_higher_for_a_twentieth_of_a_second(clean, plug_in_gait, seconds, count):
    """A toe marker that is 30 mm too low rests twice, and once 50 mm higher; on stairs nothing can be said of it."""
    time, toe = clean.kinematics.time, clean.kinematics.points["left_toe"]
    rests = [(0.5, 0.3), (1.3, 0.3), (2.0, seconds)]
    forward = time - sum(np.clip(time - begin, 0.0, length) for begin, length in rests)
    height = np.nanmin(toe[:, Y]) - 0.03 + 0.05 * ((time > 1.8) & (time < 2.3))
    track = np.column_stack([3.0 * forward, height, np.zeros(len(time))])
    walk = replace(clean.kinematics, points=clean.kinematics.points | {"left_toe": track})
    assert [f.subject for f in foot_heights(walk, clean.static, plug_in_gait)] == ["left toe"] * count


def test_heights_of_feet_on_a_belt_are_those_while_they_rest_on_it(clean, plug_in_gait):
    """The walk of a treadmill at 1.2 m/s, with a toe marker 20 mm higher than in the static trial."""
    points = clean.kinematics.points
    points = points | {"left_toe": points["left_toe"] + np.array([0.0, 0.02, 0.0])}
    (before,) = foot_heights(replace(clean.kinematics, points=points), clean.static, plug_in_gait)
    back = np.outer(1.2 * clean.kinematics.time, [1.0, 0.0, 0.0])
    on_belt = replace(clean.kinematics, points={name: point - back for name, point in points.items()})
    (finding,) = foot_heights(on_belt, clean.static, plug_in_gait)
    assert walking_speed(on_belt) == pytest.approx(walking_speed(clean.kinematics), abs=0.03)
    assert finding.subject == "left toe"
    assert finding.value == pytest.approx(before.value, abs=1.0)


@pytest.mark.parametrize("slope", [-6.0, 4.0])
def test_heights_of_feet_on_a_ramp_say_nothing_about_their_markers(clean, plug_in_gait, slope):
    """The left toe marker is up to 0.17 m higher than in the static trial, on level ground."""
    R = rotation_about(np.array([0.0, 0.0, 1.0]), np.radians(slope))
    points = {name: point @ R.T for name, point in clean.kinematics.points.items()}
    assert not list(foot_heights(replace(clean.kinematics, points=points), clean.static, plug_in_gait))


@pytest.mark.parametrize("count", [2, 4])
def test_a_long_plate_that_both_feet_step_on_is_not_taken_for_one_without_a_foot(clean, analyse, count):
    """The centre of pressure is at each foot for less than half of the contact, but always at one of them."""
    own, others = clean.raw.plates[:count], clean.raw.plates[count:]
    corners = np.concatenate([plate.corners_G for plate in own])
    centre, half = 0.5 * (corners.min(axis=0) + corners.max(axis=0)), 0.5 * np.ptp(corners, axis=0)
    signs = np.sign(own[0].corners_G - own[0].corners_G.mean(axis=0))
    loads = [plate.wrench.about(centre) for plate in own]
    total = Wrench(sum(load.force_G for load in loads), sum(load.moment_G for load in loads), centre)
    long = replace(own[0], corners_G=centre + half * signs, wrench=total)
    found = analyse(replace(clean.raw, plates=(long, *others)), clean.static, sex="f").kinematics
    assert "no foot within" in next(stance.rejected for stance in found.stances if stance.plate == long.number)
    assert not list(loads_without_foot(found))


def test_a_load_between_both_feet_on_a_plate_is_not_taken_for_one_without_a_foot(clean, step):
    """A person who stands on one plate with the feet apart."""
    plate = load_of(step, clean.kinematics.plates)
    middle = plate.corners_G.mean(axis=0)
    at = {
        f"{side}_{part}": np.tile(middle + np.array([x, 0.03, z]), (len(clean.kinematics.time), 1))
        for side, z in (("left", -0.15), ("right", 0.15))
        for part, x in (("heel", -0.1), ("toe", 0.1))
    }
    between = replace(plate, cop_G=np.where(np.isfinite(plate.cop_G), middle, np.nan))
    stance = replace(step, side="", rejected="no foot within 100 mm of the centre of pressure")
    standing = replace(clean.kinematics, points={**clean.kinematics.points, **at}, plates=(between,), stances=(stance,))
    assert not list(loads_without_foot(standing))
    away = {name: point + np.array([1.0, 0.0, 0.0]) for name, point in at.items()}
    assert list(loads_without_foot(replace(standing, points={**standing.points, **away})))


def test_an_average_takes_the_angles_and_not_the_moments_of_a_step_that_is_set_aside(clean):
    cycles = gait_cycles(clean.kinematics, clean.loads)
    marked = replace(cycles, cycles=(replace(cycles.cycles[0], set_aside="why"), *cycles.cycles[1:]))
    side = marked.cycles[0].cycle.side
    before, after = (summarise(c, 0.9, None) for c in (cycles, marked))
    for name, fewer in (("hip_flexion", 0), ("hip_extensor_moment", 1), ("hip_power", 1), ("ground_vertical", 1)):
        assert before.count[side][name] - after.count[side][name] == fewer, name


def test_a_leg_that_moves_half_as_far_as_the_other_is_noted(clean):
    cycles = gait_cycles(clean.kinematics, clean.loads)
    summary = summarise(cycles, mean_leg_length(clean.kinematics.calibration), None)
    assert not list(symmetry(summary))
    left, right = (summary.mean[side]["knee_flexion"] for side in SIDES)

    def with_knee(curve):
        return replace(summary, mean=summary.mean | {"right": summary.mean["right"] | {"knee_flexion": curve}})

    finding = only(symmetry(with_knee(0.4 * right)), "note", "right knee")
    assert finding.value == pytest.approx(0.4 * np.ptp(right) / np.ptp(left))
    only(symmetry(with_knee(2.1 * right)), "note", "left knee")
    assert not list(symmetry(with_knee(0.55 * right)))
    assert not list(symmetry(with_knee(np.nan * right)))


def test_a_plate_that_pulls_is_found_and_a_constant_offset_is_none(clean):
    """The 98th percentile of a reversed channel, in the samples of the recording."""
    pulling = with_load(clean.raw, 1, lambda w: replace(w, force_G=-w.force_G))
    finding = only(plates(clean.kinematics, pulling, NARROW), "warning", "plate 1")
    pushes = np.sort(clean.raw.plates[0].wrench.force_G[:, Y])
    assert finding.value == pytest.approx(pushes[round(0.98 * len(pushes))], rel=0.01)
    offset = with_load(clean.raw, 1, lambda w: replace(w, force_G=0.0 * w.force_G - 150.0))
    assert not list(plates(clean.kinematics, offset, NARROW))


def later(loads, frames):
    """The loads with ground reactions that come some frames later."""
    return with_ground(loads, lambda w: Wrench(*(np.roll(part, frames, axis=0) for part in vars(w).values())))


@pytest.mark.parametrize("late", [-3, 3])
def test_plates_out_of_step_are_found_with_their_delay(clean, late):
    """Loads shifted by 30 ms; the delay is known to 10 ms."""
    seconds = 0.01 * late
    stances = tuple(replace(s, onset=s.onset + seconds, end=s.end + seconds) for s in clean.kinematics.stances)
    shifted = replace(clean.kinematics, stances=stances), later(clean.loads, late)
    finding = only(synchronisation(*shifted), "warning", "plates")
    assert finding.value == pytest.approx(1000.0 * seconds, abs=10.0)
    assert 10.0 < finding.limit * np.sign(late) < 30.0, "beyond what is known, and below what is found, in ms"
    change = plate_delay(*shifted)[0] - plate_delay(clean.kinematics, clean.loads)[0]
    assert change == pytest.approx(seconds, abs=0.002), "the offsets cancel"


def test_the_legs_count_in_the_acceleration_of_the_body(clean):
    """A pelvis at rest and a leg of a fifth of the mass, that accelerates upwards by 5 m/s^2."""
    at_rest = {name: replace(s, com_acceleration_G=0.0 * s.com_G) for name, s in clean.kinematics.segments.items()}
    shank, part = at_rest["left_shank"], clean.kinematics.calibration.segments["left_shank"]
    at_rest["left_shank"] = replace(shank, com_acceleration_G=0.0 * shank.com_G + [0.0, 5.0, 0.0])
    walk = replace(clean.kinematics, segments=at_rest)
    found = _vertical_acceleration(walk, np.zeros((len(walk.time), 3)), mass=5.0 * part.mass)
    np.testing.assert_allclose(found, 1.0)


@pytest.mark.parametrize(("late", "found"), [(2, 0), (3, 1)])
def test_one_comparison_alone_has_the_wider_limit(clean, late, found):
    """Without the feet, as in slow walking, by 20 and 30 ms; the demo's body is 4 ms ahead of its force."""
    walk = replace(clean.kinematics, stances=()), later(clean.loads, late)
    assert plate_delay(*walk)[0] > 0.014
    assert len(list(synchronisation(*walk))) == found


def test_the_plates_weigh_the_walking_body(clean):
    """The demo weighs 72 kg; the pelvis stands for the centre of mass, which costs 0.3 kg."""
    assert force_balance(clean.kinematics, clean.loads).mass == pytest.approx(72.0, abs=0.5)


def test_the_body_is_weighed_over_the_longest_time_with_known_loads(clean):
    """A frame at six tenths of that time is not known, and after it all loads are twice as large."""
    start, stop = max(windows(clean.kinematics, clean.loads), key=lambda span: span[1] - span[0])
    split = start + 6 * (stop - start) // 10
    factor = np.where(np.arange(len(clean.kinematics.time)) > split, 2.0, 1.0)[:, None]
    factor[split] = np.nan
    loads = with_ground(clean.loads, lambda w: replace(w, force_G=w.force_G * factor))
    assert len(windows(clean.kinematics, loads)) > len(windows(clean.kinematics, clean.loads))
    assert force_balance(clean.kinematics, loads).mass == pytest.approx(72.0, rel=0.05)


def test_a_body_that_gains_speed_upwards_weighs_no_more(clean):
    """By 2 m/s^2 throughout, with the force that it takes; what varies about that has the same ratio."""
    time, mass = clean.kinematics.time, clean.loads.mass
    rise = (time**2)[:, None] * [0.0, 1.0, 0.0]
    points = {name: place + rise for name, place in clean.kinematics.points.items()}
    half = np.array([0.0, mass, 0.0])
    lifted = with_ground(clean.loads, lambda load: replace(load, force_G=load.force_G + half))
    found = force_balance(replace(clean.kinematics, points=points), lifted)
    # Without its gain it would weigh 20 % more. The force that is added is that of 72 kg, not of what is weighed.
    before = force_balance(clean.kinematics, clean.loads)
    assert found.mass == pytest.approx((before.mass * 9.81 + mass * 2.0) / (9.81 + 2.0), rel=1e-4)
    assert found.ratio == pytest.approx(before.ratio, rel=1e-6)


@pytest.mark.parametrize(("factor", "grade"), [(1.1, "warning"), (0.9, "warning"), (0.5, "refusal")])
def test_another_body_mass_is_found(clean, factor, grade):
    found = whole_body_balance(clean.kinematics, replace(clean.loads, mass=factor * 72.0))
    finding = only(found, grade, "body mass")
    assert finding.source == "vertical impulse of three measured walks"
    assert (finding.value, finding.limit) == (pytest.approx(100.0 * abs(1.0 / factor - 1.0), abs=1.0), 6.0)
    largest = max(np.nanmax(np.abs(load.moment_distal)) for load in clean.loads.joints.values())
    assert finding.moment_error == pytest.approx(0.01 * finding.value * largest / (factor * 72.0))
    assert ("unless a load is carried" in finding.cause) == (factor < 1.0)
    assert ("body-weight support carries the rest" in finding.cause) == (factor > 1.0)
    assert ("with an aid or a support keep mass_kg" in finding.remedy) == (factor > 1.0)


RUN = tuple(
    Event(0.4 * step + late, side, kind, "file")
    for step, side in enumerate(("left", "right", "left"))
    for late, kind in ((0.0, "initial contact"), (0.25, "foot off"))
)


def test_running_is_not_judged_by_limits_of_walking(clean, step):
    """Mass by the impulse over a stride instead of a contact and a flight, and the force's direction less strictly."""
    run = replace(clean.kinematics, events=RUN)
    heavy = replace(clean.loads, mass=1.09 * 72.0)
    assert list(whole_body_balance(clean.kinematics, heavy))
    assert not list(whole_body_balance(run, heavy))
    weak = with_load(run, step.plate, scaled([0.7, 1.0, 1.0]))
    strong = with_load(run, step.plate, scaled([1.4, 1.0, 1.0]))  # nearly through the pelvis, as a spring's force
    for changed in (weak, strong):
        assert fore_aft_errors(replace(changed, events=clean.kinematics.events))
        assert not fore_aft_errors(changed)
    assert fore_aft_errors(with_load(run, step.plate, scaled([2.0, 1.0, 1.0])))


def test_another_body_mass_is_found_from_single_steps_with_the_limit_of_published_walks(clean):
    """Half the mass, while the loads of both feet are never known at once."""
    unknown = with_ground(clean.loads, lambda load: replace(load, force_G=np.nan * load.force_G))
    found = whole_body_balance(clean.kinematics, replace(unknown, mass=36.0))
    finding = only(found, "refusal", "body mass")
    assert (finding.limit, finding.source) == (12.0, "vertical impulse of published walks")


def test_steps_without_a_load_say_nothing_about_the_mass(clean):
    """Wrong events, as of a walk sideways, put both feet in swing for longer than any walker's, here throughout."""
    unloaded = with_ground(clean.loads, lambda load: replace(load, force_G=np.zeros_like(load.force_G)))
    assert not list(whole_body_balance(clean.kinematics, unloaded))
    assert np.isnan(mass_ahead_in_walking(clean.kinematics, unloaded))


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_a_wrong_rate_is_refused(clean, factor):
    """Accelerations change by the square of the factor; the mean force does not."""
    fast = replace(clean.kinematics, rate=factor * clean.kinematics.rate)
    finding = only(whole_body_balance(fast, clean.loads), "refusal", "vertical motion")
    assert finding.value == pytest.approx(1.18 * factor**2, rel=0.05)


def with_ankle_moment(loads, factor):
    """The loads with the moment of the left ankle times a factor."""
    ankle = loads.joints["left_ankle"]
    return replace(
        loads, joints=loads.joints | {"left_ankle": replace(ankle, moment_distal=factor * ankle.moment_distal)}
    )


@pytest.mark.parametrize(("factor", "grade"), [(3.0, "warning"), (7.0, "refusal")])
def test_moments_beyond_walking_are_found(clean, factor, grade):
    finding = only(joint_loads(clean.kinematics, with_ankle_moment(clean.loads, factor)), grade, "left ankle")
    assert finding.units == "Nm/kg"
    assert clean.kinematics.plates[0].wrench.force_G[:, Y].max() > 0.0, "there are loads"


def test_moments_of_running_are_not_refused_as_those_of_a_walk(clean):
    """Seven times the walk's ankle moment, with flights of 0.1 s between contacts."""
    steps = [(0.2 + 0.4 * k, ("left", "right")[k % 2]) for k in range(6)]
    contacts = [Event(time, side, "initial contact", "plate 1") for time, side in steps]
    foot_offs = [Event(time + 0.3, side, "foot off", "plate 1") for time, side in steps]
    events = tuple(sorted((*contacts, *foot_offs), key=lambda event: event.time))
    running = replace(clean.kinematics, events=events)
    finding = only(joint_loads(running, with_ankle_moment(clean.loads, 7.0)), "warning", "left ankle")
    assert "unless the subject runs" not in finding.sentence


@pytest.mark.parametrize(("share", "grade"), [(0.8, "warning"), (0.5, "refusal")])
def test_under_a_body_weight_support_the_mass_is_to_be_kept(clean, analyse, share, grade):
    """A support carries 20 or 50 % at all times; with half, steps count if `min_peak` is lower, as the finding says."""
    raw = with_load(clean.raw, 0, lambda w: Wrench(share * w.force_G, share * w.moment_G, w.point_G))
    if share == 0.5:
        light = only(light_steps(analyse(raw, clean.static, sex="f").kinematics), "warning", "body mass")
        assert "keep mass_kg" in light.remedy
        assert "min_peak" in light.remedy
    lower = analyse(raw, clean.static, sex="f", events={"min_peak": 0.3})
    found = [f for f in whole_body_balance(lower.kinematics, lower.loads) if f.subject == "body mass"]
    finding = only(found, grade, "body mass")
    assert f"{100 * (1 - share):.0f} % less" in finding.text
    assert "keep mass_kg" in finding.remedy
