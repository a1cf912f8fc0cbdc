"""Contacts of feet with plates: hysteresis, the foot on the plate, and every reason to exclude a step."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.config import EventSettings
from pipeline.math3d import Wrench
from pipeline.signals import Foot, contact_intervals, find_stances, load_of
from pipeline.signals.contact import beyond_edges, height_above
from pipeline.trial import PlateLoad

SETTINGS = EventSettings()
RATE, WEIGHT = 100.0, 700.0
TIME = np.arange(100) / RATE
CORNERS = np.array([[0.6, 0, 0.5], [0.6, 0, 0.0], [0.0, 0, 0.0], [0.0, 0, 0.5]])
"""A plate of 0.6 m forward and 0.5 m to the right, its centre at (0.3, 0, 0.25)."""


def pulse(*edges):
    """Force at 1000 Hz: (start, stop, N) in samples."""
    force = np.zeros(1000)
    for start, stop, newton in edges:
        force[start:stop] = newton
    return force


@pytest.mark.parametrize(
    "edges",
    [
        pytest.param(((100, 110, 15.0), (110, 400, 500.0), (400, 420, 15.0), (420, 440, 9.0)), id="hysteresis"),
        pytest.param(((110, 420, 500.0), (200, 205, 12.0), (600, 900, 19.0)), id="noise between the thresholds"),
        pytest.param(((110, 515, 500.0), (420, 425, 0.0)), id="a dip that leaves 90 ms"),
        pytest.param(((110, 420, 500.0), (500, 900, np.nan)), id="missing force"),
    ],
)
def test_a_contact_begins_above_the_first_threshold_and_ends_below_the_second(edges):
    """Noise between the two neither starts nor splits it, a dip below the second does; brief contacts are noise."""
    np.testing.assert_array_equal(contact_intervals(pulse(*edges), 1000.0, SETTINGS), [[110, 420]])


def test_missing_force_is_no_contact():
    assert contact_intervals(np.full(50, np.nan), 1000.0, SETTINGS).shape == (0, 2)


def foot_at(x, z, length=0.2):
    heel = np.tile([x, 0.03, z], (len(TIME), 1))
    return Foot(heel, heel + np.array([length, 0.0, 0.0]))


def plate(start=30, stop=80, peak=750.0, cop=None, number=1, corners=CORNERS):
    """A stance from frame to frame under a centre of pressure that rolls from heel to toe of a foot at (0.2, 0.15)."""
    force = np.zeros((len(TIME), 3))
    force[start:stop, 1] = peak * np.sin(np.pi * (np.arange(start, stop) - start + 0.5) / (stop - start))
    r_cop_G = np.full((len(TIME), 3), np.nan)
    rolling = np.linspace([0.2, 0.0, 0.15], [0.4, 0.0, 0.15], stop - start)
    r_cop_G[start:stop] = rolling if cop is None else cop
    load = PlateLoad(
        number, corners, Wrench(force, np.zeros(3), corners.mean(axis=0)), force[:, 1] > 0, r_cop_G, np.zeros(len(TIME))
    )
    return load, np.array([[start / RATE, stop / RATE]])


FEET = {"right": foot_at(0.2, 0.15), "left": foot_at(-0.4, -0.05)}
SWAPPED = {"right": FEET["left"], "left": FEET["right"]}
UNSEEN = Foot(np.full((len(TIME), 3), np.nan), np.full((len(TIME), 3), np.nan))


def stances(*plates, feet=FEET, assigned=None):
    loads, contacts = zip(*plates, strict=True)
    return find_stances(loads, contacts, feet, TIME, WEIGHT, SETTINGS, assigned)


def test_a_clean_step_is_given_to_the_foot_under_the_centre_of_pressure():
    (stance,) = stances(plate())
    assert (stance.side, stance.plate, stance.rejected) == ("right", 1, "")
    assert (stance.start, stance.stop) == (30, 80)
    assert (stance.onset, stance.end) == (0.30, 0.80)
    assert stance.distance == pytest.approx(0.0, abs=1e-9)
    (stance,) = stances(plate(), feet=SWAPPED)
    assert stance.side == "left"


def test_an_onset_between_frames_counts_from_the_next_frame():
    load, _ = plate()
    (stance,) = find_stances([load], [np.array([[0.294, 0.796]])], FEET, TIME, WEIGHT, SETTINGS)
    assert (stance.start, stance.stop, stance.onset) == (30, 80, 0.294)


def test_the_distance_is_measured_sideways_from_the_line_and_beyond_its_ends():
    beside = plate(cop=[0.3, 0.0, 0.19])
    assert stances(beside)[0].distance == pytest.approx(0.04)
    ahead = plate(cop=[0.43, 0.0, 0.19])
    assert stances(ahead)[0].distance == pytest.approx(0.05)


@pytest.mark.parametrize(
    ("step", "feet", "assigned", "side", "rejected"),
    [
        ({"cop": [0.3, 0.0, 0.26]}, {}, {}, "", "no foot within 100 mm of the centre of pressure"),
        ({}, {"right": UNSEEN}, {}, "", "no foot within 100 mm of the centre of pressure; the right foot is not seen"),
        ({}, {"left": UNSEEN, "right": UNSEEN}, {}, "", "no foot marker seen during the contact"),
        ({}, {"right": UNSEEN}, {1: "right"}, "right", ""),
        ({}, SWAPPED, {1: "left"}, "left", ""),
        ({}, {}, {1: "none"}, "right", "excluded in trials.tsv"),
        ({"start": 0, "stop": 50}, {}, {}, "right", "begins or ends outside the recording"),
        ({"start": 50, "stop": 100}, {}, {}, "right", "begins or ends outside the recording"),
        ({"peak": 280.0}, {}, {}, "right", "peak force 40 % of body weight (700 N)"),
    ],
)
def test_a_step_is_left_out_for_one_reason_unless_the_study_names_its_foot(step, feet, assigned, side, rejected):
    """Also where markers are missing; the study may exclude a plate too."""
    (stance,) = stances(plate(**step), feet=FEET | feet, assigned=assigned)
    assert (stance.side, stance.rejected.partition(", below")[0]) == (side, rejected)
    assert np.isnan(stance.distance) or not rejected.startswith("no foot")


def test_two_feet_on_one_plate_are_found_by_the_centre_of_pressure_that_leaves_the_foot():
    """The left foot steps on the plate 0.25 m ahead before the right one leaves: the load goes over to it."""
    cop = np.tile([0.3, 0.0, 0.15], (50, 1))
    cop[40:] = [0.55, 0.0, 0.4]
    feet = {"right": FEET["right"], "left": foot_at(0.45, 0.4)}
    (stance,) = stances(plate(cop=cop), feet=feet)
    assert stance.side == "right"
    assert "two feet on the plate" in stance.rejected


REAR = np.array([[0.3, 0, 0.0], [0.3, 0, 0.5], [0.0, 0, 0.5], [0.0, 0, 0.0]])
"""The rear half of a plate of that size, and 10 mm before it the front half; surfaces up."""
FRONT = REAR + np.array([0.31, 0.0, 0.0])


def half(number, corners, start, stop, newton, x):
    """A constant vertical force at (x, 0.15) between two frames."""
    force, cop = np.zeros((len(TIME), 3)), np.full((len(TIME), 3), np.nan)
    force[start:stop, 1], cop[start:stop] = newton, [x, 0.0, 0.15]
    centre = corners.mean(axis=0)
    moment = np.cross(np.nan_to_num(cop - centre), force)
    load = PlateLoad(number, corners, Wrench(force, moment, centre), force[:, 1] > 0, cop, np.zeros(len(TIME)))
    return load, np.array([[start / RATE, stop / RATE]])


def test_a_foot_across_two_plates_is_one_contact_with_their_common_load():
    """300 N at x = 0.22 and 450 N at 0.37 are 750 N at (300 * 0.22 + 450 * 0.37) / 750 = 0.31, by hand."""
    plates = half(1, REAR, 30, 70, 300.0, 0.22), half(2, FRONT, 40, 80, 450.0, 0.37)
    (stance,) = stances(*plates)
    assert (stance.plates, stance.side, stance.rejected) == ((1, 2), "right", "")
    assert (stance.start, stance.stop, stance.onset, stance.end) == (30, 80, 0.30, 0.80)
    load = load_of(stance, [load for load, _ in plates])
    assert load.wrench.force_G[50, 1] == 750.0
    np.testing.assert_allclose(load.cop_G[[35, 50, 75], 0], [0.22, 0.31, 0.37])


def test_plates_that_do_not_adjoin_are_not_joined():
    apart = half(2, FRONT + np.array([0.0, 0.0, 0.6]), 40, 80, 450.0, 0.37)
    found = stances(half(1, REAR, 30, 70, 450.0, 0.22), apart)
    assert [(s.plates, s.rejected) for s in found] == [((n,), "heel or toe beyond the plate's edge") for n in (1, 2)]


def test_plates_at_different_heights_are_not_joined():
    """As two steps of stairs: the common load has no centre of pressure on one surface."""
    higher = half(2, FRONT + np.array([0.0, 0.05, 0.0]), 40, 80, 450.0, 0.37)
    whole = plate(35, 75, peak=750.0)
    found = stances(whole, higher)
    assert [s.plates for s in found] == [(1,), (2,)]
    assert "(the heights of the plates differ by 50 mm)" in found[0].rejected


def test_a_step_that_shares_its_foot_with_an_excluded_plate_is_left_out():
    (first, second) = stances(plate(), half(2, FRONT, 40, 80, 450.0, 0.37), assigned={2: "none"})
    why = "and their common load is not that of a clean step (excluded in trials.tsv)"
    assert (first.plates, first.rejected) == ((1,), f"the right foot is on plates 1 and 2 at once, {why}")
    assert (second.plates, second.rejected) == ((2,), "excluded in trials.tsv")


def test_a_foot_on_three_plates_is_left_out():
    third = half(3, FRONT, 45, 80, 10.0, 0.37)
    found = stances(half(1, REAR, 30, 70, 500.0, 0.22), half(2, FRONT, 40, 80, 450.0, 0.37), third)
    assert [s.plates for s in found] == [(1,), (2,), (3,)]
    assert all(s.rejected for s in found)


def test_both_feet_on_their_own_plates_in_double_support_are_clean():
    left = foot_at(0.2, 0.65)
    other = plate(60, 95, number=2, cop=[0.3, 0.0, 0.65], corners=CORNERS + np.array([0, 0, 0.5]))
    result = stances(plate(), other, feet={"right": FEET["right"], "left": left})
    assert [(s.side, s.rejected) for s in result] == [("right", ""), ("left", "")]


def leaving(inside, speed=0.0):
    """A left foot whose toe is so far (m) in front of the plate's rear edge until 0.4 s, and swings forward then."""
    toe = np.tile([inside, 0.03, 0.35], (len(TIME), 1))
    toe[:, 0] += speed * (TIME - TIME[30]) + np.clip(TIME - 0.4, 0.0, None) * 4.0
    return Foot(toe - [0.2, -0.1, 0.0], toe)


def test_the_tip_of_the_other_foot_on_the_plate_is_a_reason():
    """It pushes off there while the right foot is loaded: 30 mm inside, from the contact at 0.3 s to 0.4 s."""
    (stance,) = stances(plate(), feet={"right": FEET["right"], "left": leaving(0.03)})
    assert stance.rejected == "the left foot also stands on the plate, from 0.30 to 0.39 s"


def test_the_other_foot_that_swings_over_the_plate_or_stands_behind_it_is_no_reason():
    for left in (leaving(0.005), leaving(-0.03), leaving(0.03, speed=0.5)):
        assert not stances(plate(), feet={"right": FEET["right"], "left": left})[0].rejected
    low = leaving(0.03)
    higher = Foot(low.heel + np.array([0.0, 0.2, 0.0]), low.toe + np.array([0.0, 0.2, 0.0]))
    assert not stances(plate(), feet={"right": FEET["right"], "left": higher})[0].rejected


@pytest.mark.parametrize("belt", [-0.8, -0.4, 0.0, 0.4])
def test_whether_the_other_foot_rests_is_judged_relative_to_the_belt(belt):
    """On a plate of 3 m under a belt (m/s): a foot bears load that the belt carries along, not one 0.5 m/s apart."""
    long = np.array([[2.0, 0, 0.5], [2.0, 0, 0.0], [-1.0, 0, 0.0], [-1.0, 0, 0.5]])
    way = np.array([1.0, 0.0, 0.0])
    carried = belt * (TIME - TIME[30])[:, None] * way
    right = Foot(FEET["right"].heel + carried, FEET["right"].toe + carried)
    cop = np.linspace([0.2, 0.0, 0.15], [0.4, 0.0, 0.15], 50) + carried[30:80]
    for relative, rests in ((0.0, True), (0.2, True), (-0.2, True), (0.5, False), (-0.5, False)):
        moved = carried + relative * (TIME - TIME[30])[:, None] * way
        left = Foot(foot_at(0.2, 0.35).heel + moved, foot_at(0.2, 0.35).toe + moved)
        (stance,) = stances(plate(cop=cop, corners=long), feet={"right": right, "left": left})
        assert (stance.side, bool(stance.rejected)) == ("right", rests)


def test_a_foot_that_slides_as_it_pushes_off_does_not_hide_the_other():
    """The floor's speed is that of the foot in the middle of its contact, not of its last third."""
    slid = np.clip(TIME - 0.62, 0.0, None)[:, None] * np.array([1.0, 0.0, 0.0])
    right = Foot(FEET["right"].heel + slid, FEET["right"].toe + slid)
    (stance,) = stances(plate(), feet={"right": right, "left": leaving(0.03)})
    assert stance.rejected == "the left foot also stands on the plate, from 0.30 to 0.39 s"


def test_one_foot_that_steps_twice_on_a_plate_is_clean_both_times():
    load, _ = plate(10, 90)
    times = np.array([[0.10, 0.45], [0.55, 0.90]])
    result = find_stances([load], [times], FEET, TIME, WEIGHT, SETTINGS)
    assert [s.rejected for s in result] == ["", ""]


def test_a_toe_or_heel_beyond_the_edge_is_a_reason():
    moved = {"right": foot_at(-0.05, 0.15, length=0.3)}
    cop = np.linspace([0.05, 0.0, 0.15], [0.2, 0.0, 0.15], 50)
    (stance,) = stances(plate(cop=cop), feet=moved)
    assert stance.rejected == "heel or toe beyond the plate's edge"


def test_heel_and_toe_must_be_inside_the_edges_in_mid_contact_only():
    """From 30 to 60 % of a contact of frames 30 to 79: frames 45 to 60. The foot rolls before and after."""
    beyond = []
    for frame in (30, 44, 45, 52, 60, 61, 79):
        toe = FEET["right"].toe.copy()
        toe[frame, 2] = -0.1
        (stance,) = stances(plate(), feet={"right": Foot(FEET["right"].heel, toe), "left": FEET["left"]})
        beyond += [frame] if stance.rejected == "heel or toe beyond the plate's edge" else []
    assert beyond == [45, 52, 60]


@pytest.mark.parametrize("turn", [1, 2, 3])
@pytest.mark.parametrize("flip", [False, True])
def test_the_edge_is_the_same_in_whatever_order_the_corners_come(turn, flip):
    corners = np.roll(CORNERS, turn, axis=0)[:: -1 if flip else 1]
    assert stances(plate(corners=corners))[0].rejected == ""


def test_left_and_right_are_treated_alike():
    """Mirrored in the sagittal plane, the same steps get the same verdicts with the sides swapped."""
    mirror = np.array([1.0, 1.0, -1.0])
    load, times = plate(cop=[0.3, 0.0, 0.2])
    turned = replace(load, corners_G=load.corners_G * mirror, cop_G=load.cop_G * mirror)
    feet = {
        side: Foot(FEET[other].heel * mirror, FEET[other].toe * mirror)
        for side, other in (("left", "right"), ("right", "left"))
    }
    (one,), (other,) = stances((load, times)), stances((turned, times), feet=feet)
    assert (one.side, other.side) == ("right", "left")
    assert one.distance == pytest.approx(other.distance)
    assert one.rejected == other.rejected == ""


@pytest.mark.parametrize(
    ("raised", "text"),
    [
        (0.3, "270 mm below the plate's corners, which is impossible"),
        (-0.3, "330 mm above the plate's corners, so not on its surface"),
    ],
)
def test_a_foot_far_above_or_below_a_plate_cannot_stand_on_it(raised, text):
    """Heel and toe are 30 mm above the floor."""
    (stance,) = stances(plate(corners=CORNERS + np.array([0.0, raised, 0.0])))
    assert stance.rejected == f"the foot stands {text}"


@pytest.mark.parametrize("slope", [0.0, 15.0, -15.0])
def test_heights_are_those_above_the_surface_of_an_inclined_plate(slope):
    """On a belt of 3 m, 0.9 m ahead of its middle, the foot is 0.24 m above or below it at 15 degrees. The other foot
    is seen in swing 0.3 m above the belt, and on the belt if it stands there."""
    R = Rotation.from_euler("z", slope, degrees=True).as_matrix()
    load, times = plate(corners=np.array([5.0, 1.0, 1.0]) * CORNERS + np.array([-2.1, 0.0, 0.0]))
    wrench = Wrench(load.wrench.force_G @ R.T, np.zeros(3), load.wrench.point_G @ R.T)
    inclined = replace(load, corners_G=load.corners_G @ R.T, wrench=wrench, cop_G=load.cop_G @ R.T)
    for lift, rejected in ((0.3, ""), (0.0, "the left foot also stands on the plate, from 0.30 to 0.79 s")):
        left = [(part + np.array([0.0, lift, 0.2])) @ R.T for part in (FEET["left"].heel, FEET["left"].toe)]
        feet = {"left": Foot(*left), "right": Foot(FEET["right"].heel @ R.T, FEET["right"].toe @ R.T)}
        (stance,) = stances((inclined, times), feet=feet)
        assert (stance.side, stance.rejected) == ("right", rejected)


def test_thresholds_scale_with_the_weight_of_light_subjects_only():
    """At 100 N, 20, 10 and 50 N become 4, 2 and 10 N; from 500 N, and where the weight is not known, they stay."""
    child = SETTINGS.for_weight(100.0)
    assert (child.on_force, child.off_force, child.cop_force) == pytest.approx((4.0, 2.0, 10.0))
    for weight in (500.0, 900.0, np.nan):
        assert SETTINGS.for_weight(weight) == SETTINGS
    force = pulse((100, 400, 15.0))
    assert len(contact_intervals(force, 1000.0, SETTINGS)) == 0
    np.testing.assert_array_equal(contact_intervals(force, 1000.0, child), [[100, 400]])


@pytest.mark.parametrize(("left", "reached", "clean"), [(35, 60, True), (52, 50, True), (53, 50, False)])
def test_a_foot_on_one_plate_and_later_on_another_is_clean_on_both(left, reached, clean):
    """Contacts of a foot share its load if they overlap by more than the two frames by which events are uncertain."""
    ahead = CORNERS + np.array([0.6, 0.0, 0.0])
    behind, before = plate(5, left), plate(reached, 95, number=2, corners=ahead)
    foot = foot_at(0.2, 0.15)
    moved = np.where(TIME[:, None] < 0.505, 0.0, 1.0) * np.array([0.6, 0.0, 0.0])
    before[0].cop_G[reached:95] += [0.6, 0.0, 0.0]
    found = stances(behind, before, feet={"right": Foot(foot.heel + moved, foot.toe + moved), "left": FEET["left"]})
    assert [(stance.plates, stance.side) for stance in found] == [((1,), "right"), ((2,), "right")]
    assert [not stance.rejected for stance in found] == [clean, clean]


@pytest.mark.parametrize("degrees", [0.0, 30.0, 75.0, 200.0])
def test_the_distance_beyond_the_edges_of_a_plate_that_is_turned(degrees):
    """Points of the plate's own axes, 0.1 m beyond each edge and 0.05 m within, turned with it about the vertical."""
    turn = Rotation.from_rotvec([0.0, np.radians(degrees), 0.0])
    points = np.array([[0.7, 0, 0.2], [-0.1, 0, 0.2], [0.3, 0, 0.6], [0.3, 0, -0.1], [0.05, 0, 0.25], [0.3, 0, 0.45]])
    np.testing.assert_allclose(
        beyond_edges(turn.apply(CORNERS), turn.apply(points)), [0.1] * 4 + [-0.05] * 2, atol=1e-12
    )


def test_a_contact_of_one_frame_is_judged_without_velocities():
    load, _ = plate(start=30, stop=31)
    settings = EventSettings(min_contact=0.0)
    (stance,) = find_stances([load], [np.array([[0.30, 0.305]])], FEET, TIME, WEIGHT, settings)
    assert (stance.stop - stance.start, stance.side, stance.rejected) == (1, "right", "")


@pytest.mark.parametrize("slope", [0.0, 40.0, -60.0])
def test_the_height_of_a_point_is_that_straight_above_the_surface(slope):
    """0.1 m above the place on a steep plate that is 0.7 m ahead of its centre and 0.2 m beside it."""
    R = Rotation.from_euler("yz", [30.0, slope], degrees=True).as_matrix()
    centre = np.array([1.0, 0.5, -0.3])
    place = centre + R @ [0.7, 0.0, 0.2]
    found = height_above(place + np.array([[0.0, 0.1, 0.0], [0.0, -0.1, 0.0]]), centre + CORNERS @ R.T, centre)
    np.testing.assert_allclose(found, [0.1, -0.1], atol=1e-12)
