"""Limits and default values of the task of a walk or run, of a leg of 0.9 m."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.prediction import GaitTask, PredictionError

LEG = 0.9
WALK, RUN = GaitTask(), GaitTask(3.0, 1.0)


def allowed(task: GaitTask, leg: float = LEG, *, runs: bool = False) -> bool:
    try:
        task.complete(leg, runs=runs)
    except PredictionError:
        return False
    return True


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("speed", 1e-3, 0.0),
        ("friction", 1e-3, 0.0),
        ("step_length", 1.07, 1.09),  # 1.2 legs
        ("step_width", 0.0, -0.01),
        ("step_width", 0.89, 0.91),  # the leg
        ("toe_out", np.radians(59.9), np.radians(60.1)),
        ("toe_out", -np.radians(59.9), -np.radians(60.1)),
        ("slope", np.radians(14.9), np.radians(15.1)),
        ("slope", -np.radians(14.9), -np.radians(15.1)),
        ("left_force_limit", 0.51, 0.5),
        ("right_force_limit", 0.51, 0.5),
        ("left_force_limit", 9.9, 10.1),
        ("right_force_limit", 9.9, 10.1),
        ("right_force_limit", np.inf, 100.0),
        ("left_heel_off", 0.11, 0.09),
        ("right_heel_off", 0.94, 0.96),
        ("left_heel_off", 0.0, -0.1),
        ("step_time_share", 0.36, 0.34),
        ("step_time_share", 0.64, 0.66),
        ("double_support", 0.021, 0.019),
        ("double_support", 0.59, 0.61),
        ("added_mass", -5.0, np.inf),
        ("flight", 0.0, 0.1),
    ],
)
def test_values_of_a_walk_have_limits(name, inside, outside) -> None:
    assert allowed(replace(WALK, **{name: inside}))
    assert not allowed(replace(WALK, **{name: outside}))


@pytest.mark.parametrize(
    ("inside", "outside", "runs"),
    [
        # A step takes at least 0.2 s; the speed of a walk is at most the root of g times the leg, 2.971 m/s.
        ((2.0, 0.41), (2.0, 0.39), False),
        ((2.96, 0.7), (2.98, 0.7), False),
        ((2.98, 0.7), (3.52, 0.7), True),
        # 2.5 legs.
        ((5.0, 2.24), (5.0, 2.26), True),
    ],
)
def test_speed_and_step_length_have_limits_together(inside, outside, runs) -> None:
    assert allowed(GaitTask(*inside), runs=runs)
    assert not allowed(GaitTask(*outside), runs=runs)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"speed": 3.0, "step_length": 0.3}, "leaves 0.100 s"),
        ({"step_length": 1.5}, "beyond 1.2 leg lengths"),
        ({"step_length": 1.9}, "longer than twice the leg"),
        ({"speed": 3.5, "step_length": 1.0}, "faster than walking.*leave the ground.*preset running"),
        ({"speed": -1.0}, "speed is -1"),
        ({"speed": "1.2"}, "speed is '1.2'. Give a number"),
        ({"friction": 60.0}, "friction is 60, above 2"),
        ({"double_support": 0.9}, "double_support is 0.9"),
        ({"double_support": 0.0}, "double_support is 0, outside.*preset running"),
        ({"flight": 0.3}, "flight is 0.3 of a step.*preset running"),
        ({"speed": 3.2, "step_length": 1.1, "flight": 0.3}, "flight is 0.3 of a step.*preset running"),
        ({"toe_out": 0.1j}, "toe_out is 0.1j"),
        ({"slope": [0.0]}, r"slope is \[0.0\]"),
        ({"left_force_limit": np.nan}, "left_force_limit is nan"),
        ({"right_force_limit": 700.0}, "700 body weights, above 10, .*not N"),
        ({"added_mass": np.inf}, "added_mass is inf kg"),
        ({"added_mass": None}, "added_mass is None"),
    ],
)
def test_a_walk_that_is_impossible_or_in_another_unit_is_refused_with_the_reason(given, message) -> None:
    """A force limit of NaN or in newtons was none."""
    with pytest.raises(PredictionError, match=message):
        replace(WALK, **given).complete(LEG)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"double_support": 0.2}, "in a run the feet never stand at the same time"),
        ({"flight": 0.6}, "flight is 0.6, outside 0.05 to 0.5"),
        ({"flight": 0.0}, "flight is 0, outside 0.05 to 0.5"),
        ({"left_heel_off": 0.65}, "left_heel_off is 0.65, outside 0.175 to 0.595"),
        ({"step_length": 2.6}, "beyond 2.5 leg lengths"),
    ],
)
def test_an_impossible_run_is_refused_with_the_reason(given, message) -> None:
    with pytest.raises(PredictionError, match=message):
        replace(RUN, **given).complete(LEG, runs=True)


@pytest.mark.parametrize(
    ("name", "inside", "outside"),
    [
        ("flight", 0.06, 0.04),
        ("flight", 0.49, 0.51),
        ("double_support", 0.0, 0.02),
        # 25 to 85 % of a stance of 0.7 steps.
        ("right_heel_off", 0.176, 0.174),
        ("left_heel_off", 0.594, 0.596),
    ],
)
def test_values_of_a_run_have_limits(name, inside, outside) -> None:
    assert allowed(replace(RUN, **{name: inside}), runs=True)
    assert not allowed(replace(RUN, **{name: outside}), runs=True)


@pytest.mark.parametrize(("leg", "known"), [(1.99, True), (2.01, False), (0.0, False)])
def test_a_leg_is_in_metres(leg, known) -> None:
    assert allowed(replace(WALK, step_length=0.3, speed=0.5), leg) == known
    with pytest.raises(PredictionError, match="leg length is 900 m, outside 0 to 2"):
        WALK.complete(900.0)


@pytest.mark.parametrize(
    ("double_support", "degrees", "heel_off"),
    [
        # 0.47 steps after contralateral foot off, but neither before 0.7 nor after 0.95.
        (0.2, 20.0, 0.7),
        (0.3, 20.0, 0.77),
        (0.5, 20.0, 0.95),
        (0.2, 10.0, 0.7),
        # When people's ankles dorsiflex by as much, but not before 1.2 times double support.
        (0.2, 6.0, 0.45),
        (0.2, 9.9, 0.695),
        (0.4, 2.0, 0.48),
        (0.2, 0.0, 0.25),
        (0.2, -0.1, 0.0),
    ],
)
def test_a_heel_leaves_the_ground_as_in_people_or_when_its_ankle_goes_no_further(
    double_support, degrees, heel_off
) -> None:
    task, notes = replace(WALK, double_support=double_support).complete(
        LEG, {"left": np.radians(degrees), "right": np.inf}
    )
    assert task.left_heel_off == pytest.approx(heel_off)
    assert task.right_heel_off == pytest.approx(max(0.7, min(double_support + 0.47, 0.95)))
    assert any(note.startswith("left") for note in notes) == (degrees < 10.0)
    assert not any(note.startswith("right") for note in notes)


def test_defaults_are_those_of_people_at_the_same_dimensionless_speed() -> None:
    """1.2 m/s over the root of 9.81 * 0.9 m is 0.4039, 0.819 of the way from 0.29, where the other foot leaves the
    ground at 12 % of the cycle, to 0.429, where it does so at 10 %."""
    task, notes = WALK.complete(LEG)
    assert task.double_support == pytest.approx(2.0 * (0.12 - 0.02 * (0.40385 - 0.29) / (0.429 - 0.29)), abs=1e-5)
    assert task.step_width == pytest.approx(0.099)
    assert (task.flight, task.overlap) == (0.0, task.double_support)
    assert any("0.099 m" in note for note in notes)
    run, _ = RUN.complete(LEG, runs=True)
    assert (run.double_support, run.flight, run.overlap) == (0.0, 0.3, -0.3)
    assert run.left_heel_off == pytest.approx(0.45 * 0.7)


def test_the_steps_of_a_stride_share_its_time() -> None:
    task = GaitTask(form="stride", step_time_share=0.4, double_support=0.2, flight=0.0)
    np.testing.assert_allclose(task.step_of(np.array([0.0, 0.2, 0.4, 0.7, 1.0])), [0.0, 0.5, 1.0, 1.5, 2.0])
    np.testing.assert_allclose(task.node_of(np.array([0.5, 1.5])), [0.2, 0.7])
    np.testing.assert_allclose(replace(task, form="step").step_of(np.array([0.3])), [0.3])
    # From 0.2 to 1 of a step.
    assert [task.swing_time(share) for share in (0.0, 0.5, 1.0)] == pytest.approx([0.2, 0.6, 1.0])
    assert task.step_time == pytest.approx(0.5)
    assert [one[2] for one in task.initial_contacts] == [0.0, 1.0]
