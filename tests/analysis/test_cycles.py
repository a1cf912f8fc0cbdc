"""Curves over the gait cycle, clinical signs, and spatiotemporal parameters of a walk whose steps are known."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import PARAMETERS, PERCENT, clinical_moments, flight_time, foot_angles, gait_cycles
from pipeline.analysis.resampling import resample
from pipeline.math3d import Wrench, rotation_about
from pipeline.trial import Cycle, Event, JointLoad, LowPass

TIME = np.arange(301) / 100.0
SIDES = ("left", "right")
LATERAL = {"left": -1.0, "right": 1.0}


def test_resampling_keeps_straight_lines_and_hits_both_ends():
    values = np.stack([3.0 * TIME, 1.0 - TIME], axis=1)
    curve = resample(values, TIME, 0.503, 1.611)
    expected = 0.503 + PERCENT / 100 * (1.611 - 0.503)
    assert curve.shape == (101, 2)
    np.testing.assert_allclose(curve, np.stack([3.0 * expected, 1.0 - expected], axis=1), atol=1e-12)


def test_resampling_a_sine_errs_by_the_square_of_the_frame():
    """Linear interpolation: w^2 h^2 / 8 = (2 pi)^2 1e-4 / 8 = 5e-4 at 1 Hz and 100 Hz."""
    curve = resample(np.sin(2 * np.pi * TIME), TIME, 0.5, 1.5)
    assert np.max(np.abs(curve - np.sin(2 * np.pi * (0.5 + PERCENT / 100)))) < 5.1e-4


def test_a_missing_frame_is_missing_in_the_curve_and_no_further():
    values = TIME.copy()
    values[100] = np.nan
    curve = resample(values, TIME, 0.5, 1.5)  # a frame at every percent
    assert set(np.flatnonzero(np.isnan(curve))) == {50}
    curve = resample(values, TIME, 0.505, 1.505)  # between frames
    assert set(np.flatnonzero(np.isnan(curve))) == {49, 50}


def test_a_cycle_beyond_the_recording_is_missing_there_not_extrapolated():
    curve = resample(TIME, TIME, 2.5, 3.5)
    np.testing.assert_allclose(curve[:51], 2.5 + PERCENT[:51] / 100)
    assert np.isnan(curve[51:]).all()
    assert resample(TIME, TIME, 2.0, 3.0)[100] == pytest.approx(3.0)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    ("joint", "axis", "plane", "sign", "name"),
    [
        # A right-handed moment about z (to the right) turns what hangs below forwards, and toes up.
        ("hip", 2, 0, -1.0, "extensor"),
        ("knee", 2, 0, +1.0, "extensor"),
        ("ankle", 2, 0, -1.0, "plantarflexor"),
    ],
)
def test_sagittal_moments_are_positive_for_extensors_on_both_sides(side, joint, axis, plane, sign, name):
    moment = np.zeros((1, 3))
    moment[0, axis] = 10.0
    found = clinical_moments(f"{side}_{joint}", moment)[0]
    assert found[plane] == sign * 10.0, name
    assert np.count_nonzero(found) == 1


@pytest.mark.parametrize("joint", ["hip", "knee", "ankle"])
def test_abductors_and_external_rotators_are_positive_and_turn_about_opposite_axes_on_both_sides(joint):
    """About x (forwards), positive: below swings to the left, which adducts the right limb and abducts the left one.
    About y (upwards), positive: the front turns to the left, which rotates the right limb inwards."""
    for axis, plane in ((0, 1), (1, 2)):
        moment = 10.0 * np.eye(3)[[axis]]
        assert clinical_moments(f"right_{joint}", moment)[0, plane] == -10.0
        assert clinical_moments(f"left_{joint}", moment)[0, plane] == 10.0


SPEED, STRIDE_TIME, STEP_WIDTH, BODY_MASS = 1.2, 1.1, 0.16, 60.0


def heel(side, contacts, foot_offs, step_ahead):
    """A heel, stationary in stance and of constant speed in swing; step n begins at ``step_ahead[n]``."""
    knots = [
        (t, x)
        for contact, foot_off, x in zip(contacts, [*foot_offs, 9.9], step_ahead, strict=True)
        for t, x in ((contact, x), (foot_off, x))
    ]
    times, positions = zip(*knots, strict=True)
    x = np.interp(TIME, times, positions)
    return np.stack([x, np.full(301, 0.03), np.full(301, LATERAL[side] * STEP_WIDTH / 2)], axis=1)


LEFT = Cycle("left", 0.1, 0.8, 1.2, 0.25, 0.65, "plate 1, plate 1, markers", 1)
RIGHT = Cycle("right", 0.65, 1.35, 1.75, 0.8, 1.2, "plate 2, plate 2, markers", 0)


@pytest.fixture
def walk():
    """Left initial contacts at 0.1, 1.2, 2.3 s at 0, 1.32, 2.64 m; right ones at 0.65, 1.75 s, 0.60 and 1.92 m: the
    right step is 0.60 m long, the left one 0.72 m. Offs of the left at 0.8, 1.9; of the right at 0.25, 1.35 s."""
    points = {
        "left_heel": heel("left", [0.1, 1.2, 2.3], [0.8, 1.9], [0.0, 1.32, 2.64]),
        "right_heel": heel("right", [-0.45, 0.65, 1.75], [0.25, 1.35], [-0.72, 0.60, 1.92]),
    }
    names = [f"{side}_{joint}" for side in SIDES for joint in ("hip", "knee", "ankle")]
    angle = np.stack([TIME, 2 * TIME, 3 * TIME], axis=1)
    kinematics = SimpleNamespace(
        name="walk",
        subject="S01",
        time=TIME,
        points=points,
        joints=dict.fromkeys(names),
        segments={},
        angles=dict.fromkeys([*names, "pelvis"], angle),
        cycles=(LEFT, RIGHT),
        stances=(),
        events=(),
        low_pass=LowPass(6.0, 6.0, 4),
    )
    moment = np.tile([6.0, 12.0, 60.0], (301, 1))
    load = JointLoad(moment, moment, moment, 2 * moment, 3 * moment, np.full(301, 120.0), {})
    ground = Wrench(np.tile([58.86, 588.6, 29.43], (301, 1)), np.zeros(3), np.zeros(3))
    loads = SimpleNamespace(joints=dict.fromkeys(names, load), ground=dict.fromkeys(SIDES, ground), mass=BODY_MASS)
    return kinematics, loads


def test_spatiotemporal_parameters_of_a_constructed_walk(walk):
    """By hand. Left cycle 0.1 to 1.2 s: stride 1.32 m in 1.1 s; stance 0.7 / 1.1; both feet on the ground 0.1 to 0.25
    and 0.65 to 0.8 s, 0.3 s in all; its step ends at 1.2 s at 1.32 m, the right heel stands at 0.60 m since 0.65 s."""
    left, right = (curves.parameters for curves in gait_cycles(*walk).cycles)
    expected = {
        "speed": 1.2,
        "cadence": 120 / 1.1,
        "stride_time": 1.1,
        "stride_length": 1.32,
        "step_length": 0.72,
        "step_time": 0.55,
        "step_width": 0.16,
        "stance": 70 / 1.1,
        "swing": 40 / 1.1,
        "double_support": 30 / 1.1,
        "walk_ratio": 660 / (120 / 1.1),
    }
    assert set(left) == set(PARAMETERS) == set(expected)
    for name, value in expected.items():
        assert left[name] == pytest.approx(value, abs=1e-9), name
    assert right["step_length"] == pytest.approx(0.60)
    assert right["stride_length"] == pytest.approx(left["step_length"] + right["step_length"])
    assert right["double_support"] == pytest.approx(100 * ((0.8 - 0.65) + (1.35 - 1.2)) / 1.1)


def test_parameters_that_need_the_other_foots_events_are_missing_without_them(walk):
    kinematics, loads = walk
    kinematics.cycles = (replace(LEFT, opposite_foot_off=np.nan, opposite_initial_contact=np.nan),)
    parameters = gait_cycles(kinematics, loads).cycles[0].parameters
    missing = {name for name, value in parameters.items() if np.isnan(value)}
    assert missing == {"step_time", "step_length", "step_width", "double_support"}


@pytest.mark.parametrize("degrees", [-8.0, 4.0])
@pytest.mark.parametrize("belt", [0.0, 1.2])
def test_a_walk_at_an_angle_to_the_progression_has_steps_of_the_same_width(walk, degrees, belt):
    """Along Z, the steps of a walk turned by 4 degrees would be 0.21 and 0.12 m wide."""
    kinematics, loads = walk
    turn = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(degrees))
    moving = np.outer(belt * TIME, [1.0, 0.0, 0.0])
    kinematics.points = {name: point @ turn.T - moving for name, point in kinematics.points.items()}
    for curves in gait_cycles(kinematics, loads).cycles:
        assert curves.parameters["step_width"] == pytest.approx(0.16)


def test_step_lengths_are_between_the_places_of_contact_though_the_heel_behind_rises_and_moves_forward(walk):
    """From 0.1 s after each contact, by 20 mm until foot off; the next contact is where it was."""
    kinematics, loads = walk
    for side, contacts, ends in (("left", [0.1, 1.2], [0.8, 1.9]), ("right", [0.65, 1.75], [1.35, 2.9])):
        rolls = sum(
            np.interp(TIME, [a + 0.1, b, b + 0.1], [0.0, 0.02, 0.0]) for a, b in zip(contacts, ends, strict=True)
        )
        kinematics.points[f"{side}_heel"] = kinematics.points[f"{side}_heel"] + np.outer(rolls, [1.0, 2.0, 0.0])
    left, right = (curves.parameters for curves in gait_cycles(kinematics, loads).cycles)
    assert (left["step_length"], right["step_length"]) == pytest.approx((0.72, 0.60))


def test_moments_powers_and_ground_are_scaled_and_signed(walk):
    """60 Nm about z, 60 kg: 1 Nm/kg extensor at the left knee; 12 / 60 about y: left external rotator +0.2; 588.6 N is
    one body weight; 29.43 N to the right are towards the midline of the left foot."""
    left, right = gait_cycles(*walk).cycles
    np.testing.assert_allclose(left.moments["knee"], np.tile([1.0, 0.1, 0.2], (101, 1)))
    np.testing.assert_allclose(left.moments["ankle"], np.tile([-1.0, 0.1, 0.2], (101, 1)))
    np.testing.assert_allclose(left.powers["hip"], 2.0)
    np.testing.assert_allclose(left.ground, np.tile([0.1, 1.0, 0.05], (101, 1)))
    assert right.moments == right.powers == {}  # no clean plate under this cycle
    assert np.isnan(right.ground).all()
    proximal = gait_cycles(*walk, moment_axes="proximal").cycles[0]
    np.testing.assert_allclose(proximal.moments["knee"], 2 * left.moments["knee"])
    assert gait_cycles(*walk, moment_axes="joint").moment_axes == "joint"


def test_the_ground_pushes_a_right_foot_towards_the_midline_to_the_left(walk):
    kinematics, loads = walk
    kinematics.cycles = (replace(RIGHT, plate=2),)
    np.testing.assert_allclose(gait_cycles(kinematics, loads).cycles[0].ground[:, 2], -0.05)


def test_angles_run_over_the_cycle_and_pelvis_angles_are_those_of_the_own_side(walk):
    left, right = gait_cycles(*walk).cycles
    over = 0.1 + PERCENT / 100 * 1.1
    np.testing.assert_allclose(left.angles["knee"], np.stack([over, 2 * over, 3 * over], axis=1), atol=1e-12)
    np.testing.assert_allclose(left.angles["pelvis"], left.angles["knee"] * [1, -1, -1], atol=1e-12)
    np.testing.assert_allclose(right.angles["pelvis"], right.angles["knee"], atol=1e-12)


def test_sides_without_a_cycle_or_without_a_clean_step_are_named(walk):
    kinematics, loads = walk
    (note,) = gait_cycles(kinematics, loads).notes
    assert (note.kind, note.subject) == ("left out", "right side")
    assert "no kinetics" in note.text
    kinematics.cycles = (LEFT,)
    (note,) = gait_cycles(kinematics, loads).notes
    assert "no complete gait cycle" in note.text


def test_a_foot_that_turns_in_is_positive_on_both_sides_and_its_pitch_is_that_of_the_toes(walk):
    """About y by +10 degrees the toes go to the left: in for the right foot. Then about its own z by 20: toes up."""
    turned = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(10.0))
    pitched = rotation_about(np.array([0.0, 0.0, 1.0]), np.radians(20.0))
    for side, sign in (("right", 1.0), ("left", -1.0)):
        pitch, _, inward = np.degrees(foot_angles(side, (pitched @ turned)[None])[0])
        assert (pitch, inward) == pytest.approx((20.0, sign * 10.0))
    kinematics, loads = walk
    kinematics.segments = {"left_foot": SimpleNamespace(R_GS=np.tile(turned, (301, 1, 1)))}
    left, right = gait_cycles(kinematics, loads).cycles
    np.testing.assert_allclose(np.degrees(left.angles["foot"][:, 2]), -10.0)
    assert "foot" not in right.angles


def events_of(*given):
    kinds = {"contact": "initial contact", "off": "foot off"}
    return tuple(Event(time, side, kinds[kind], "plate 1") for time, side, kind in given)


RUNNING = events_of(
    (0.1, "left", "contact"),
    (0.35, "left", "off"),
    (0.5, "right", "contact"),
    (0.75, "right", "off"),
    (0.9, "left", "contact"),
)


def test_flight_is_the_time_from_a_foot_off_to_the_contact_of_the_other_foot():
    """0.15 s each; none where the other foot is on the ground, and none is known of what was not seen."""
    assert flight_time(RUNNING) == pytest.approx(0.15)
    walking = events_of((0.1, "left", "contact"), (0.6, "right", "contact"), (0.75, "left", "off"))
    assert flight_time(walking) == 0.0
    assert flight_time(RUNNING[:2]) == flight_time(()) == 0.0
    contacts = ((0.0, "left"), (0.5, "right"), (1.0, "left"), (1.5, "right"), (2.4, "left"))
    hops = sorted((at + late, side, kind) for at, side in contacts for late, kind in ((0.0, "contact"), (0.3, "off")))
    assert flight_time(events_of(*hops)) == pytest.approx(0.2), "the median of 0.2, 0.2 and 0.6"


def test_running_has_no_double_support_and_says_so(walk):
    """Contacts of 0.25 s, 0.4 s apart from foot to foot: 0.15 s of flight."""
    kinematics, loads = walk
    left = Cycle("left", 0.1, 0.35, 0.9, 0.75, 0.5, "plate 1", 1)
    right = Cycle("right", 0.5, 0.75, 1.3, 1.15, 0.9, "plate 2", 2)
    kinematics.cycles = (left, right)
    kinematics.events = RUNNING
    cycles = gait_cycles(kinematics, loads)
    assert [c.parameters["double_support"] for c in cycles.cycles] == [0.0, 0.0]
    assert [c.parameters["stance"] for c in cycles.cycles] == pytest.approx([100 * 0.25 / 0.8] * 2)
    (note,) = [note for note in cycles.notes if note.subject == "running"]
    assert "in the air for 150 ms" in note.text


def test_double_support_of_one_end_is_not_reduced_by_a_flight_at_the_other(walk):
    """20 ms after initial contact, and 50 ms of flight after foot off: 0.02 of 0.8 s."""
    kinematics, loads = walk
    kinematics.cycles = (Cycle("left", 0.1, 0.45, 0.9, 0.12, 0.5, "markers, markers, markers", 0),)
    (found,) = gait_cycles(kinematics, loads).cycles
    assert found.parameters["double_support"] == pytest.approx(2.5)


@pytest.mark.parametrize(
    ("source", "degrees", "foot_off", "warned"),
    [
        ("markers, markers, markers", -5.0, 0.8, True),
        ("markers, plate 1, markers", -5.0, 0.8, True),
        ("markers, markers, markers", 0.1, 0.8, False),
        ("markers, markers, markers", -5.0, 0.6, False),  # a run
        ("markers, shifted by -0.004 s, markers, markers", -5.0, 0.8, False),
        ("plate 1, plate 1, markers", -5.0, 0.8, False),
        ("file, markers, markers", -5.0, 0.8, False),
    ],
)
def test_contacts_from_markers_of_a_foot_that_lands_on_its_toes_are_a_warning(walk, source, degrees, foot_off, warned):
    kinematics, loads = walk
    kinematics.cycles = (replace(LEFT, source=source, foot_off=foot_off, plate=0),)
    pitched = rotation_about(np.array([0.0, 0.0, 1.0]), np.radians(np.full(len(TIME), degrees)))
    kinematics.segments = {"left_foot": SimpleNamespace(R_GS=pitched)}
    notes = [note for note in gait_cycles(kinematics, loads).notes if note.subject == "landing"]
    assert [note.kind for note in notes] == ["warning"] * warned
    assert all(note.text.startswith("the left foot's toes are 5 degrees down") for note in notes)


def test_a_run_whose_foot_offs_come_from_markers_is_a_warning(walk):
    kinematics, loads = walk
    kinematics.cycles = (Cycle("left", 0.1, 0.5, 0.9, 0.12, 0.5, "markers, markers, markers", 0),)
    for source, count in (("plate 1", 0), ("markers, shifted by -0.045 s", 0), ("markers", 1)):
        kinematics.events = tuple(replace(event, source=source) for event in RUNNING[:2])
        notes = [note for note in gait_cycles(kinematics, loads).notes if note.kind == "warning"]
        assert len(notes) == count
    assert "double support is 2.5 % of the cycle (limit 5 %)" in notes[0].text


def test_the_speed_of_a_belt_under_a_runner_is_that_of_the_flat_foot(walk):
    """2.5 m/s; the heel rises, and with it the foot slows down, from 60 % of a stance of 40 % of the cycle."""
    kinematics, loads = walk
    rising = np.maximum(0.0, TIME - (0.1 + 0.6 * 0.32))
    track = np.outer(-2.5 * TIME + 2.0 * rising, [1.0, 0.0, 0.0])
    kinematics.points = dict.fromkeys(("left_heel", "left_toe", "right_heel", "right_toe"), track)
    kinematics.cycles = (Cycle("left", 0.1, 0.42, 0.9, 0.82, 0.5, "plate 1", 1),)
    (note,) = [note for note in gait_cycles(kinematics, loads).notes if note.subject == "treadmill"]
    assert "moves back at 2.50 m/s on the left" in note.text


def test_over_a_belt_speed_and_stride_length_are_those_of_the_belt(walk):
    """The feet of the constructed walk in axes that move with it at 1.2 m/s: what it has over ground."""
    kinematics, loads = walk
    over_ground = [c.parameters for c in gait_cycles(kinematics, loads).cycles]
    moving = np.outer(1.2 * TIME, [1.0, 0.0, 0.0])
    kinematics.points = {name: point - moving for name, point in kinematics.points.items()}
    cycles = gait_cycles(kinematics, loads)
    for own, expected in zip(cycles.cycles, over_ground, strict=True):
        assert own.parameters == pytest.approx(expected, nan_ok=True)
    (note,) = [note for note in cycles.notes if note.subject == "treadmill"]
    assert note.text == (
        "the foot on the ground moves back at 1.20 m/s on the left and 1.20 m/s on the right: speed and stride length "
        "are relative to the belt"
    )


def test_each_side_s_speed_and_stride_are_those_over_its_own_belt(walk):
    """The constructed walk with belts of 0.2 and 0.8 m/s: each side has what it has over ground, also the speed of its
    heel, and the note says so, though the slow belt alone would be none."""
    kinematics, loads = walk
    over_ground = gait_cycles(kinematics, loads).cycles
    belts = {"left": 0.2, "right": 0.8}
    kinematics.points = {
        name: point - np.outer(belts[name.split("_")[0]] * TIME, [1.0, 0.0, 0.0])
        for name, point in kinematics.points.items()
    }
    cycles = gait_cycles(kinematics, loads)
    assert {c.cycle.side for c in cycles.cycles} == {"left", "right"}
    for own, expected in zip(cycles.cycles, over_ground, strict=True):
        for name in ("speed", "stride_length"):
            assert own.parameters[name] == pytest.approx(expected.parameters[name])
        np.testing.assert_allclose(own.of_points["heel_speed"], expected.of_points["heel_speed"], atol=1e-9)
    (note,) = [note for note in cycles.notes if note.subject == "treadmill"]
    assert "0.20 m/s on the left and 0.80 m/s on the right, as on two belts of different speeds" in note.text
