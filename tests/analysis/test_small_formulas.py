"""Short formulas of the analysis by hand: muscle forces, endurance, distances between heels, belt speed, angles."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from pipeline.analysis import POINT_VARIABLES, SKELETON_VARIABLES, STEP_VARIABLES, TIME_VARIABLES, VARIABLES
from pipeline.analysis.cycles import foot_off
from pipeline.analysis.muscle_fatigue import FATIGUE_MUSCLES, MINUTES, capacity_over_time, endurance_time, fatigue_of
from pipeline.analysis.muscle_groups import group_activation, group_force, known_in_stance
from pipeline.analysis.predicted.cycle import _between_heels
from pipeline.analysis.predicted.muscles import _mirrored
from pipeline.analysis.subject import subject_values
from pipeline.analysis.variables.skeleton import between
from pipeline.analysis.walk_parameters import belts_of, parameter_of, toe_out
from pipeline.math3d import rotation_about
from pipeline.muscles.fatigue import rates_of
from pipeline.plausibility.known_loads import walking_speed
from pipeline.trial import Cycle


def test_a_muscles_force_is_the_sum_of_its_actuators_in_body_weights_and_its_activation_their_weighted_mean():
    """60 kg weigh 588.6 N; iliacus and psoas of the left side pull with 200 and 388.6 N."""
    loads = SimpleNamespace(
        mass=60.0,
        muscle_names=("psoas_r", "iliacus_l", "psoas_l"),
        maximum_force=np.array([7.0, 1000.0, 3000.0]),
        force=np.array([[9.0, 200.0, 388.6]]),
        activation=np.array([[0.9, 0.2, 0.4]]),
    )
    np.testing.assert_allclose(group_force(loads, "left", "iliopsoas"), [1.0], rtol=1e-6)
    np.testing.assert_allclose(group_activation(loads, "left", "iliopsoas"), [0.35])


@pytest.mark.parametrize("load", [0.15, 0.5, 1.0])
def test_capacity_under_a_steady_load_is_that_of_another_integrator(load):
    """d(fatigued)/dt = F min(load, 1 - fatigued) - R fatigued, from none, over the hour's minutes."""
    muscle = next(iter(FATIGUE_MUSCLES))
    rates = rates_of(FATIGUE_MUSCLES[muscle])
    solution = solve_ivp(
        lambda t, y: rates.fatigue * np.minimum(load, 1.0 - y) - rates.recovery * y,
        (0.0, 60.0 * MINUTES[-1]),
        [0.0],
        t_eval=60.0 * np.asarray(MINUTES, dtype=float),
        rtol=1e-9,
        atol=1e-12,
        max_step=5.0,
    )
    np.testing.assert_allclose(capacity_over_time(muscle, np.full(101, load)), 1.0 - solution.y[0], atol=1e-4)


def test_fatigue_of_a_walk_is_that_of_the_mean_activation_of_its_cycles():
    """A soleus that is active by 0.1 in one cycle of 1 s and by 0.5 in the next, times the same wave, has the load 0.3
    times it; stored to 1e-3."""
    time = np.linspace(0.0, 2.5, 251)
    wave = 1.0 + 0.2 * np.sin(2.0 * np.pi * np.linspace(0.0, 1.0, 101))
    activation = np.where(time < 1.2, 0.1, 0.5)
    activation[:101] *= wave
    activation[130:231] *= wave
    cycles = tuple(
        Cycle("left", start, start + 0.6, start + 1.0, start + 0.1, start + 0.5, "", 0) for start in (0.0, 1.3)
    )
    names = tuple(
        f"{name}_{side}"
        for name in ("soleus", "vas_lat", "glut_med1", "glut_med2", "glut_med3", "ercspn")
        for side in "lr"
    )
    count = len(names)
    loads = SimpleNamespace(
        time=time, muscle_names=names, maximum_force=np.ones(count), activation=np.tile(activation[:, None], count)
    )
    found = fatigue_of({"as walked": ("words", loads)}, cycles)
    for m, muscle in enumerate(found.muscles):
        expected = capacity_over_time(muscle, 0.3 * wave)
        np.testing.assert_allclose(found.capacity[0, 0, m], expected, atol=2e-4)
        assert found.peak_load[0, 0, m] == pytest.approx(0.36)
        assert found.held[0, 0, m] == pytest.approx(endurance_time(expected, 0.36))
    assert (found.cases, found.case_words) == (("as walked",), ("words",))
    assert np.isnan(found.capacity[0, 1]).all(), "the right side has no cycle"


def test_endurance_ends_where_a_falling_line_meets_the_peak():
    """Capacity 1 - t / 100: 0.755 after 24.5 minutes; with a fall that steepens in that minute, by its own slope."""
    capacity = 1.0 - np.asarray(MINUTES, dtype=float) / 100.0
    assert endurance_time(capacity, 0.755) == pytest.approx(24.5)
    steep = np.where(np.asarray(MINUTES) >= 25, capacity - 0.4, capacity)
    assert endurance_time(steep, 0.76 - 0.1025) == pytest.approx(24.25)
    assert endurance_time(capacity, 0.1) == MINUTES[-1]
    assert endurance_time(capacity, 1.1) == MINUTES[0]


def test_a_step_is_between_the_heels_at_their_own_contacts():
    """At the left contact, 0.5 s, the left heel is 0.65 m ahead of where the right one landed, which has risen, moved
    forward by 30 mm and aside by 40 mm. In a stride the right heel lands 0.60 m ahead of the left one's contact."""
    time = np.linspace(0.0, 0.5, 6)
    right, left = np.zeros((6, 3)), np.zeros((6, 3))
    right[:, 0], right[:, 1], right[:, 2] = (
        np.linspace(0.0, 0.03, 6),
        np.linspace(0.0, 0.05, 6),
        np.linspace(0.08, 0.12, 6),
    )
    left[:, 0], left[:, 1], left[:, 2] = (
        np.linspace(-0.6, 0.65, 6),
        np.linspace(0.2, 0.0, 6),
        np.linspace(0.0, -0.07, 6),
    )
    points = {"right_heel": right, "left_heel": left}
    step = SimpleNamespace(time=time, task=SimpleNamespace(steps=1, step_times=(0.5, 0.5)), points=points)
    for side in ("left", "right"):
        np.testing.assert_allclose(_between_heels(step, side), [0.65, 0.0, -0.15], atol=1e-12)
    later = {"right_heel": [[1.25, 0.0, 0.08]], "left_heel": [[0.72, 0.07, -0.05]]}
    points = {name: np.concatenate([points[name], later[name]]) for name in points}
    stride = SimpleNamespace(
        time=np.append(time, 1.1), task=SimpleNamespace(steps=2, step_times=(0.5, 0.6)), points=points
    )
    np.testing.assert_allclose(_between_heels(stride, "left"), [0.65, 0.0, -0.15], atol=1e-12)
    np.testing.assert_allclose(_between_heels(stride, "right"), [0.60, 0.0, 0.15], atol=1e-12)


def feet_on_belts(left, right):
    """The motion of feet that go back at these speeds, m/s, up and aside; one cycle of either side."""
    time = np.linspace(0.0, 2.0, 201)
    points = {
        f"{side}_{part}": np.stack([ahead - back * time, 0.05 + 0.3 * time, 0.1 * time], axis=1)
        for side, back in (("left", left), ("right", right))
        for part, ahead in (("heel", 0.5), ("toe", 0.7))
    }
    times = {"initial_contact": 0.4, "foot_off": 1.1, "next_initial_contact": 1.5}
    cycles = tuple(SimpleNamespace(side=side, **times) for side in ("left", "right"))
    return SimpleNamespace(time=time, rate=100.0, points=points, cycles=cycles)


@pytest.mark.parametrize(
    ("left", "right", "of_left", "of_right"),
    [
        *[(1.2, 1.2, 1.2, 1.2), (0.0, 0.0, 0.0, 0.0), (0.1, 0.2, 0.0, 0.0), (0.5, 1.0, 0.5, 1.0), (0.2, 0.6, 0.2, 0.6)],
        *[(0.05, 1.0, 0.0, 0.0), (1.0, -2.0, 0.0, 0.0)],
    ],
)
def test_a_belts_speed_is_that_at_which_the_foot_on_it_goes_back(left, right, of_left, of_right):
    """A treadmill moves both feet; one alone goes back in swing if the events of its side are wrong."""
    assert belts_of(feet_on_belts(left, right)) == pytest.approx({"left": of_left, "right": of_right})


def test_without_a_cycle_of_one_side_its_belt_is_the_other_one_s():
    kinematics = feet_on_belts(0.5, 1.0)
    kinematics.cycles = kinematics.cycles[1:]
    assert belts_of(kinematics) == pytest.approx({"left": 1.0, "right": 1.0})


@pytest.mark.parametrize(("body", "expected"), [(0.0, 0.9), (0.3, 1.2)])
def test_the_walking_speed_is_that_over_the_belts(body, expected):
    """Belts of 0.8 and 1.0 m/s under a pelvis that stays, or that gains 0.3 m/s on them."""
    kinematics = feet_on_belts(0.8, 1.0)
    track = np.outer(body * kinematics.time, [1.0, 0.0, 0.0])
    kinematics.points |= dict.fromkeys(("left_hip", "right_hip"), track)
    assert walking_speed(kinematics) == pytest.approx(expected)


def test_toe_out_is_the_mean_over_the_flat_foot_in_degrees_and_that_of_a_walk_over_its_sides():
    """Turned out by 4 to 10 degrees from 15 to 30 % of the cycle, 7 in the mean, and in at all other times; the left
    side's two cycles have 7 and 9 degrees, the right one's 2, and (8 + 2) / 2 = 5."""

    def turned_out(side, degrees):
        inward = np.full((101, 3), 0.5)
        inward[15:31, 2] = np.radians(-np.linspace(degrees - 3.0, degrees + 3.0, 16))
        angles = np.where(np.arange(101)[:, None] < 31, inward, 0.5)
        return SimpleNamespace(cycle=SimpleNamespace(side=side), angles={"foot": angles}, parameters={"stance": 62.0})

    walk = [turned_out("left", 7.0), turned_out("left", 9.0), turned_out("right", 2.0)]
    assert toe_out(walk[0]) == pytest.approx(7.0)
    assert parameter_of(walk, "toe_out") == pytest.approx(5.0)
    assert np.isnan(toe_out(SimpleNamespace(angles={})))


@pytest.mark.parametrize("side", ["left", "right"])
def test_angles_between_segments_are_in_degrees_and_of_the_own_side(side):
    """The distal segment leans back by 20 degrees about z, then to the right by 10, then turns to the left by 5."""
    R = np.eye(3)[None]
    for axis, degrees in (([0.0, 0.0, 1.0], 20.0), ([1.0, 0.0, 0.0], 10.0), ([0.0, 1.0, 0.0], 5.0)):
        R = R @ rotation_about(np.array([axis]), np.radians([degrees]))
    tilt = rotation_about(np.array([[0.3, 0.5, 0.2]]) / np.linalg.norm([0.3, 0.5, 0.2]), np.array([0.7]))
    segments = {"pelvis": SimpleNamespace(R_GS=tilt), "trunk": SimpleNamespace(R_GS=tilt @ R)}
    lateral = 1.0 if side == "right" else -1.0
    for column, expected in enumerate((-20.0, 10.0 * lateral, 5.0 * lateral)):
        found = between("row", "pelvis", "trunk", column).read(None, SimpleNamespace(segments=segments), side)
        assert found == pytest.approx(np.array([expected]))


@pytest.mark.parametrize("variables", [VARIABLES, SKELETON_VARIABLES, STEP_VARIABLES, TIME_VARIABLES, POINT_VARIABLES])
def test_axes_go_upward(variables):
    ends = {name: variable.axis for name, variable in variables.items() if variable.axis}
    assert all(low < high for low, high in ends.values()), ends


@dataclass(frozen=True)
class Loads:
    """What mirroring changes of a walk's muscle loads."""

    muscle_names: tuple[str, ...] = ("soleus_l", "soleus_r")
    contact_joints: tuple[str, ...] = ("left_knee", "right_knee")
    compartments: tuple[str, ...] = ("left_knee_medial", "right_knee_medial")
    coordinates: tuple[str, ...] = ("left_hip_adduction", "right_hip_adduction")
    activation: object = field(default_factory=lambda: np.array([[0.1, 0.2]]))
    force: object = field(default_factory=lambda: np.array([[1.0, 2.0]]))
    contact_force: object = field(default_factory=lambda: np.array([[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]]))
    compartment_force: object = field(default_factory=lambda: np.array([[7.0, 8.0]]))
    reserve: object = field(default_factory=lambda: np.array([[9.0, 10.0]]))


def test_a_mirrored_step_has_sides_exchanged_and_what_pointed_to_the_right_points_to_the_left():
    """Mirrored twice it is itself."""
    once = _mirrored(Loads())
    np.testing.assert_allclose(once.contact_force, [[[4.0, 5.0, -6.0], [1.0, 2.0, -3.0]]])
    for name, values in (("activation", [0.2, 0.1]), ("force", [2, 1]), ("compartment_force", [8, 7])):
        np.testing.assert_allclose(getattr(once, name), [values])
    np.testing.assert_allclose(once.reserve, [[10.0, 9.0]])
    np.testing.assert_allclose(_mirrored(once).contact_force, Loads().contact_force)


def test_subject_values_are_reported_in_kilograms_metres_and_degrees():
    stored = {"mass": 70.0, "knee_width_left": 0.1, "tibial_torsion_right": np.pi / 9.0}
    reported = {
        "mass": (70.0, "kg"),
        "knee_width_left": (0.1, "m"),
        "tibial_torsion_right": (pytest.approx(20.0), "deg"),
    }
    units = {"mass": "kg", "knee_width_left": "m", "tibial_torsion_right": "rad"}
    assert subject_values(SimpleNamespace(values=stored, units=units)) == reported


def test_foot_off_is_in_percent_of_the_cycle_from_its_initial_contact() -> None:
    cycle = Cycle("left", 2.0, 2.6, 3.25, 2.1, 2.5, "", 0)
    assert foot_off(SimpleNamespace(cycle=cycle)) == pytest.approx(48.0)  # type: ignore[arg-type]


@pytest.mark.parametrize(("missing", "known"), [(0, True), (5, True), (6, False), (50, False)])
def test_a_peak_is_that_of_a_cycle_whose_first_half_is_known_but_for_a_tenth(missing: int, known: bool) -> None:
    curve = np.ones(101)
    curve[:missing] = np.nan
    curve[60:] = np.nan  # swing does not matter
    assert known_in_stance(curve) is known
