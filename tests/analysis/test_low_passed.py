"""A predicted walk behind a measured walk's filter: gains of its harmonics, contact, and the two parts of a load."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from pipeline.analysis import CYCLE_VARIABLES, compare, low_passed, predicted_cycle, whole_stride
from pipeline.math3d import Wrench
from pipeline.trial import GaitCycles, LowPass, PredictedWalk
from tests.analysis.predicted_walks import FRAMES, STEP_TIME, hand_made_walk, random_walk

FILTER = LowPass(3.0, 5.0, 4)
PHASE = np.linspace(0.0, 2.0 * np.pi, 2 * FRAMES - 1)
"""Of the stride."""

LINEAR = 0.004
"""Of an amplitude: linear interpolation between 80 frames of two waves loses (4 pi / 80)^2 / 8."""


def gain(waves: int, cutoff: float) -> float:
    """Of both passes of Butterworth filters of second order, each with a gain of 2^(-1/4) at the cut-off (Winter)."""
    frequency = waves / (2.0 * STEP_TIME)
    return 1.0 / (1.0 + (np.sqrt(2.0) - 1.0) * (frequency / cutoff) ** 4)


def symmetric(waves: int) -> dict[str, np.ndarray]:
    """A wave of each side over the first step; over the second each has the other's."""
    both = np.sin(waves * PHASE + 0.4)
    return {"right": both[:FRAMES], "left": both[FRAMES - 1 :]}


def along(axis: int, values: np.ndarray) -> np.ndarray:
    return values[:, None] * np.eye(3)[axis]


def stride_of(walk: PredictedWalk, filter: LowPass) -> PredictedWalk:
    """The filtered step and its mirror image."""
    return whole_stride(low_passed(walk, filter))


def loaded(
    force: dict[str, np.ndarray], moment: dict[str, np.ndarray], of_ankle: dict[str, np.ndarray]
) -> PredictedWalk:
    """A step with vertical forces and moments about z on the feet, and moments about z at the ankles."""
    walk, still = hand_made_walk(), np.zeros((FRAMES, 3))
    joints = {
        f"{side}_ankle": replace(walk.joints[f"{side}_ankle"], moment_G=along(2, of_ankle[side])) for side in of_ankle
    }
    ground = {side: Wrench(along(1, force[side]), along(2, moment[side]), still) for side in force}
    return replace(walk, ground=ground, joints=walk.joints | joints)


def test_a_stride_is_filtered_as_the_step_that_it_repeats() -> None:
    """With a foot that is on the ground for six tenths of the stride."""
    walk = hand_made_walk()
    ground = {
        side: replace(load, force_G=load.force_G * stands[:, None])
        for side, load, stands in (
            ("right", walk.ground["right"], (np.arange(FRAMES) > 0).astype(float)),
            ("left", walk.ground["left"], (np.arange(FRAMES) < FRAMES // 5).astype(float)),
        )
    }
    walk = replace(walk, ground=ground)
    one, other = whole_stride(low_passed(walk, FILTER)), low_passed(whole_stride(walk), FILTER)
    for name, load in one.ground.items():
        np.testing.assert_allclose(other.ground[name].force_G, load.force_G, atol=1e-3)
    for name, joint in one.joints.items():
        np.testing.assert_allclose(other.joints[name].moment_G, joint.moment_G, atol=1e-3)
        # Those of the hand-made joints along Z are no mirror images.
        np.testing.assert_allclose(other.joints[name].force_G[:, :2], joint.force_G[:, :2], atol=1e-3)
    for name, pose in one.segments.items():
        np.testing.assert_allclose(other.segments[name].R_GS, pose.R_GS, atol=1e-7)


def test_every_harmonic_has_the_gain_of_its_frequency() -> None:
    for waves in (1, 2, 4):
        wave = symmetric(waves)
        walk = loaded({side: 600.0 + 100.0 * values for side, values in wave.items()}, wave, wave)
        found = stride_of(walk, FILTER).ground["right"].force_G[:, 1]
        expected = 600.0 + 100.0 * gain(waves, FILTER.forces) * np.sin(waves * PHASE + 0.4)
        np.testing.assert_allclose(found, expected, atol=100.0 * LINEAR * waves**2)


def test_loads_behind_a_filter_of_the_plates_own_bandwidth_stay_as_they_are() -> None:
    wave = symmetric(2)
    walk = loaded(wave, wave, wave)
    found = stride_of(walk, replace(FILTER, forces=600.0)).ground["right"].force_G[:, 1]
    np.testing.assert_allclose(found, np.sin(2 * PHASE + 0.4), atol=LINEAR)


def test_the_ground_s_part_of_a_joint_moment_has_the_loads_cut_off_and_the_rest_the_markers() -> None:
    fast, slow = symmetric(4), symmetric(2)
    constant = {side: np.full(FRAMES, 600.0) for side in fast}
    of_ankle = {side: slow[side] - fast[side] for side in fast}
    found = stride_of(loaded(constant, fast, of_ankle), FILTER).joints["right_ankle"].moment_G[:, 2]
    waves = {n: np.sin(n * PHASE + 0.4) for n in (2, 4)}
    expected = gain(2, FILTER.markers) * waves[2] - gain(4, FILTER.forces) * waves[4]
    np.testing.assert_allclose(found, expected, atol=16 * LINEAR)
    wrong = gain(2, FILTER.markers) * waves[2] - gain(4, FILTER.markers) * waves[4]
    assert np.abs(found - wrong).max() > 0.3, "the two cut-offs differ by that here"


def test_a_foot_in_swing_stays_without_load_and_its_joints_without_the_ground_s() -> None:
    step = np.linspace(0.0, 1.0, FRAMES)
    force = {"right": np.where(step > 0.0, 600.0, 0.0), "left": np.where(step < 0.2, 600.0, 0.0)}
    arm = {side: 0.1 * values for side, values in force.items()}
    against = {side: -values for side, values in arm.items()}
    found = stride_of(loaded(force, arm, against), FILTER)
    right = np.concatenate([force["right"], force["left"][1:]])
    swing = (right == 0.0) & (np.roll(right, 1) == 0.0) & (np.roll(right, -1) == 0.0)
    swing[-1] = False  # the next initial contact
    assert 20 < swing.sum() < 40
    np.testing.assert_allclose(found.ground["right"].force_G[swing, 1], 0.0, atol=1e-9)
    np.testing.assert_allclose(found.joints["right_ankle"].moment_G[swing, 2], 0.0, atol=1e-9)
    # The load rises between the first two frames: half of it is there in the middle of them.
    assert found.ground["right"].force_G[:2, 1].mean() == pytest.approx(300.0, rel=0.02)
    assert found.joints["right_ankle"].moment_G[:2, 2].mean() == pytest.approx(-30.0, rel=0.02)


def test_orientations_stay_rotations_and_points_keep_their_speed() -> None:
    walk = hand_made_walk()
    found = stride_of(walk, FILTER)
    for pose in found.segments.values():
        np.testing.assert_allclose(
            pose.R_GS @ pose.R_GS.transpose(0, 2, 1), np.broadcast_to(np.eye(3), (81, 3, 3)), atol=1e-9
        )
    path = np.outer(walk.time, [walk.task.speed, 0.0, 0.0])
    moving = {f"{side}_heel": path + np.array([0.1, 0.02, z]) for side, z in (("right", 0.06), ("left", -0.06))}
    kept = stride_of(replace(walk, points=moving), FILTER).points["right_heel"]
    np.testing.assert_allclose(kept, np.arange(81)[:, None] * path[1] + [0.1, 0.02, 0.06], atol=1e-9)


def test_a_comparison_filters_the_prediction_as_the_measured_walk_was() -> None:
    walk = hand_made_walk()
    cycles = tuple(predicted_cycle(low_passed(walk, FILTER), side) for side in ("left", "right"))
    alike = compare(walk, GaitCycles("w", "s", "distal", cycles, (), low_pass=FILTER))
    assert {one.variable for one in alike.agreement} == set(CYCLE_VARIABLES)
    assert max(one.rmse for one in alike.agreement) < 1e-9
    assert [note.text for note in alike.notes if note.subject == "filter"] == [
        "predicted curves are low-pass filtered at 3 Hz, loads at 5 Hz, as the measured ones are"
    ]
    unlike = compare(walk, GaitCycles("w", "s", "distal", cycles, ()))
    assert max(one.rmse for one in unlike.agreement if one.variable == "knee_flexion") > 0.3
    assert not [note for note in unlike.notes if note.subject == "filter"]
    assert np.array_equal(*alike.predicted, equal_nan=True), "a symmetric step has one curve for both sides"


@pytest.mark.parametrize(("slower", "later"), [(2.5, 0.0), (0.4, 0.0), (1.0, 3.0)])
@pytest.mark.parametrize("filter", [LowPass(3.0, 5.0, 4), LowPass(4.0, 100.0, 2)])
def test_a_walk_in_another_time_is_filtered_alike_if_the_filter_is(
    filter: LowPass, slower: float, later: float
) -> None:
    """The same postures and loads in a multiple of the time, with that part of the cut-offs, or begun later."""
    walk = random_walk(4)
    task = replace(walk.task, speed=walk.task.speed / slower)
    other = replace(walk, task=task, time=later + slower * walk.time)
    one = low_passed(walk, filter)
    two = low_passed(other, replace(filter, markers=filter.markers / slower, forces=filter.forces / slower))
    for kind in ("segments", "points", "ground", "joints"):
        for name, expected in getattr(one, kind).items():
            found = getattr(two, kind)[name]
            for part in fields(expected) if kind != "points" else ():
                values = [getattr(own, part.name) for own in (found, expected)]
                np.testing.assert_allclose(*values, atol=1e-6, err_msg=f"{name} {part.name}")
            if kind == "points":
                np.testing.assert_allclose(found, expected, atol=1e-9)
