"""A predicted step becomes a gait cycle in clinical terms: against mirror images, and against angles put in by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import PERCENT, nearest_walk, predicted_cycle, whole_stride
from pipeline.analysis.predicted.cycle import predicted_side
from pipeline.analysis.predicted.motion import _foot_off
from pipeline.math3d import rotation_about
from pipeline.sides import other_side
from pipeline.skeleton import load_skeleton, segment_pose
from pipeline.trial import Cycle, CycleCurves, GaitCycles, PredictedJoint, SegmentPose
from tests.analysis.predicted_walks import (
    ANGLES,
    GROUND,
    MOMENTS,
    PELVIS,
    SIDES,
    STEP_TIME,
    hand_made_walk,
    mirrored,
    random_walk,
)


def test_clinical_curves_of_a_mirrored_walk_are_those_of_the_other_side() -> None:
    walk = random_walk(1)
    image = mirrored(walk)
    for side, opposite in (SIDES, SIDES[::-1]):
        own, seen = predicted_side(walk, side), predicted_side(image, opposite)
        for field in ("angles", "moments", "powers", "force"):
            for joint, values in getattr(own, field).items():
                # Identical up to the rounding of the reflections.
                np.testing.assert_allclose(getattr(seen, field)[joint], values, atol=1e-12, err_msg=f"{field} {joint}")
        np.testing.assert_allclose(seen.ground, own.ground, atol=1e-12)


def test_a_hand_made_step_has_its_curves_over_the_whole_cycle() -> None:
    cycle = predicted_cycle(hand_made_walk())
    u = PERCENT / 100.0
    # Linear interpolation between 41 frames of a step: amplitude times (2 pi 2 / 80)^2 / 8 is 0.003 of it.
    close = {"atol": 2e-3}
    for joint, curves in {"pelvis": PELVIS, **ANGLES}.items():
        for plane, curve in enumerate(curves):
            np.testing.assert_allclose(cycle.angles[joint][:, plane], curve(u), **close, err_msg=f"{joint} {plane}")
    for joint, curves in MOMENTS.items():
        for plane, curve in enumerate(curves):
            np.testing.assert_allclose(cycle.moments[joint][:, plane], curve(u), atol=4e-3, err_msg=f"{joint} {plane}")
    for direction, curve in enumerate(GROUND):
        np.testing.assert_allclose(cycle.ground[:, direction], curve(u), **close)


def test_the_cycle_lasts_two_steps_and_its_toe_off_is_the_end_of_the_second_double_support() -> None:
    cycle = predicted_cycle(random_walk(2)).cycle
    assert cycle.next_initial_contact == pytest.approx(2 * STEP_TIME)
    assert cycle.foot_off == pytest.approx(1.2 * STEP_TIME)
    assert cycle.opposite_foot_off == pytest.approx(0.2 * STEP_TIME)
    assert cycle.opposite_initial_contact == pytest.approx(STEP_TIME)


def test_a_foot_of_a_run_leaves_the_ground_before_the_other_lands() -> None:
    """Left step 0.4 s, right step 0.6 s, flight for a quarter of each.

    By hand: the right foot stands from 0 to 0.3, the left one from 0.4 to 0.85 s.
    """
    walk = random_walk(2)
    task = replace(walk.task, form="stride", step_time_share=0.4, double_support=0.0, flight=0.25)
    walk = replace(walk, task=task)
    assert [task.foot_off(side) for side in ("right", "left")] == pytest.approx([0.3, 0.85])
    events = {side: predicted_cycle(walk, side).cycle for side in SIDES}
    times = ("foot_off", "opposite_initial_contact", "opposite_foot_off", "next_initial_contact")
    assert [getattr(events["right"], name) for name in times] == pytest.approx([0.3, 0.4, 0.85, 1.0])
    assert [getattr(events["left"], name) for name in times] == pytest.approx([0.45, 0.6, 0.9, 1.0])
    found = predicted_cycle(walk, "right").parameters
    assert (found["stance"], found["double_support"]) == pytest.approx((30.0, 0.0))


def test_steps_of_unequal_times_give_each_side_its_own_events() -> None:
    """The left foot steps in 0.4 s, the right one in 0.6 s; each double support is 0.2 of the step that it begins.

    By hand: the right foot lands at 0, swings from 0.52 (the left step and a fifth of the right one) to 1.0 s, and the
    left foot is off from 0.08 to 0.4 s; for the left foot the steps change places.
    """
    walk = random_walk(2)
    walk = replace(walk, task=replace(walk.task, form="stride", step_time_share=0.4))
    events = {side: predicted_cycle(walk, side).cycle for side in SIDES}
    times = ("opposite_foot_off", "opposite_initial_contact", "foot_off", "next_initial_contact")
    assert [getattr(events["right"], name) for name in times] == pytest.approx([0.08, 0.4, 0.52, 1.0])
    assert [getattr(events["left"], name) for name in times] == pytest.approx([0.12, 0.6, 0.68, 1.0])
    slower = replace(walk.task, speed=0.5 * walk.task.speed)  # in percent of the stride nothing changes
    for task in (walk.task, slower):
        assert [_foot_off(replace(walk, task=task), side) for side in SIDES] == pytest.approx([8.0, 52.0])


def test_parameters_of_a_predicted_cycle_by_hand() -> None:
    """Steps of 0.6 m in 0.5 s are 120 a minute and 1.2 m/s, and 5 mm per step a minute; a stride is two of them.

    Both feet are on the ground for 0.2 of each step, and the right one for another 0.8 of one. The left heel is 0.55 m
    ahead of the right one, and 0.1 m beside it.
    """
    found = predicted_cycle(random_walk(2)).parameters
    expected = {
        "cadence": 120.0,
        "stride_time": 1.0,
        "step_time": 0.5,
        "stance": 60.0,
        "swing": 40.0,
        "double_support": 20.0,
        "speed": 1.2,
        "stride_length": 1.2,
        "walk_ratio": 5.0,
        "step_length": 0.55,
        "step_width": 0.1,
    }
    assert found == pytest.approx(expected)


def test_a_predicted_cycle_may_begin_at_any_time() -> None:
    fields = ("initial_contact", "opposite_foot_off", "opposite_initial_contact", "foot_off", "next_initial_contact")
    for side in SIDES:
        one, late = (predicted_cycle(random_walk(2), side, start=start) for start in (0.0, 3.0))
        assert [getattr(late.cycle, name) - getattr(one.cycle, name) for name in fields] == pytest.approx([3.0] * 5)
        assert late.parameters == pytest.approx(one.parameters)


def test_internal_forces_are_magnitudes_in_body_weights() -> None:
    curves = predicted_side(hand_made_walk(), "left")
    np.testing.assert_allclose(curves.force["knee"], 500.0 / (60.0 * 9.81))


def test_power_is_that_of_the_moment_on_the_turn_in_watts_per_kilogram() -> None:
    """30 Nm and 40 Nm about two axes of a turn by 2 and 3 rad/s: 180 W of 60 kg, whichever way the laboratory lies."""
    walk = hand_made_walk()
    ones = np.ones((len(walk.time), 1))
    for R in (np.eye(3), rotation_about(np.array([1.0, 2.0, 3.0]), 0.7)):
        joint = PredictedJoint(0.0 * ones, ones * (R @ [30.0, 0.0, 40.0]), ones * (R @ [2.0, 5.0, 3.0]))
        turned = replace(walk, joints=walk.joints | {"left_knee": joint})
        np.testing.assert_allclose(predicted_side(turned, "left").powers["knee"], 3.0)


def test_coordinates_of_a_stride_are_those_of_its_segments(pytestconfig) -> None:
    """A step of any coordinates at all: where the mirrored ones place segments is where these are mirrored."""
    skeleton = load_skeleton(pytestconfig.rootpath / "config/skeleton.yaml", mass=60.0, height=1.7, sex="female")
    names = ("pelvis", "left_hand", "right_hand")
    walk, rng = random_walk(1), np.random.default_rng(3)
    q, force_G = (
        rng.uniform(-0.5, 0.5, (len(walk.time), len(skeleton))),
        rng.normal(size=(len(walk.time), len(skeleton), 3)),
    )
    poses = {name: SegmentPose(*segment_pose(skeleton, name, q)) for name in names}
    walk = replace(walk, q=q, qd=q, qdd=q, tau=q, force_G=force_G, moment_G=force_G, segments=poses)
    stride = whole_stride(walk, skeleton)
    assert len(stride.q) == 2 * len(q) - 1
    for name in names:
        R_GS, origin_G = segment_pose(skeleton, name, stride.q)
        np.testing.assert_allclose(R_GS, stride.segments[name].R_GS, atol=1e-12)
        np.testing.assert_allclose(origin_G, stride.segments[name].origin_G, atol=1e-12)
    for own, flip in ((stride.force_G, [1.0, 1.0, -1.0]), (stride.moment_G, [-1.0, -1.0, 1.0])):
        np.testing.assert_array_equal(own[: len(q)], force_G)
        for joint, name in enumerate(skeleton.joint_names):
            image = force_G[1:, skeleton.index(other_side(name))]
            np.testing.assert_array_equal(own[len(q) :, joint], image * flip)


def measured_walk(
    name: str,
    speed: float,
    *,
    plate: int = 1,
    gap: bool = False,
    stride: float = 1.2,
    sides: tuple[str, ...] = ("left",),
) -> GaitCycles:
    angles = np.zeros((101, 3))
    angles[50:60] = np.nan if gap else 0.0
    curves = (
        CycleCurves(
            Cycle(side, 0.0, 0.6, 1.0, 0.1, 0.5, "", plate),
            PERCENT,
            {"hip": angles},
            {"hip": np.zeros((101, 3))},
            {},
            np.zeros((101, 3)),
            {"speed": speed, "stride_length": stride},
        )
        for side in sides
    )
    return GaitCycles(name, "s", "distal", tuple(curves), ())


def test_the_walk_to_compare_with_is_complete_and_the_nearest() -> None:
    walk = random_walk(3)  # at 1.2 m/s
    far, near, with_gap = measured_walk("far", 1.5), measured_walk("near", 1.25), measured_walk("gap", 1.2, gap=True)
    no_plate, nothing = measured_walk("no plate", 1.2, plate=0), replace(far, cycles=())
    assert nearest_walk(walk, [nothing, no_plate, with_gap, far, near]) is near
    one_sided_with_gap = replace(with_gap, cycles=(*near.cycles, *with_gap.cycles))
    assert nearest_walk(walk, [one_sided_with_gap, far]) is far, "the mean of a side has the gaps of its cycles"
    assert nearest_walk(walk, [nothing, far]) is far
    assert nearest_walk(walk, [nothing, no_plate]) is no_plate
    assert nearest_walk(walk, [nothing]) is None
    strides = (replace(one, cycle=replace(one.cycle, foot_off=0.4)) for one in near.cycles)
    measured_run = replace(near, name="run", cycles=tuple(strides))
    assert nearest_walk(walk, [measured_run, far]) is far, "walks are compared with walks"
    run = replace(walk, task=replace(walk.task, double_support=0.0, flight=0.2))
    assert nearest_walk(run, [near, measured_run, far]) is measured_run
    assert nearest_walk(run, [near, far]) is None
    named = replace(walk, task=replace(walk.task, walk="run"))
    assert nearest_walk(named, [measured_run]) is measured_run, "it is the one that was asked for"


@pytest.mark.parametrize(
    ("speed", "stride"), [(1.26, 1.2), (1.14, 1.2), (1.2, 1.26), (1.2, 1.14), (1.24, 1.24), (1.24, 1.16)]
)
def test_the_nearest_walk_is_so_in_speed_and_in_the_length_of_its_strides(speed: float, stride: float) -> None:
    """To a step of 0.6 m at 1.2 m/s, one that differs by a twentieth is nearer than any that differs by a quarter."""
    walk, near = random_walk(3), measured_walk("near", speed, stride=stride)
    far = [
        measured_walk(f"{v} {s}", v, stride=s) for v, s in ((1.5, 1.2), (0.9, 1.2), (1.2, 1.5), (1.2, 0.9), (1.2, 0.6))
    ]
    unknown, slow = measured_walk("unknown", np.nan), measured_walk("slow", 0.1, stride=0.1)
    for other in (*far, unknown, slow):
        assert nearest_walk(walk, [other, near]) is near
        assert nearest_walk(walk, [unknown, other]) is other
    both = measured_walk("both sides", speed, stride=stride, sides=SIDES)
    assert nearest_walk(walk, [near, both]) is both, "of equally near ones that with more complete sides"
    assert nearest_walk(walk, [*(measured_walk("far", v, sides=SIDES) for v in (0.9, 1.5)), near]) is near
