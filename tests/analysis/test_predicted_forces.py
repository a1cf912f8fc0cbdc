"""Net joint forces of a predicted walk beside the measured ones on the skeleton, which are known here."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pipeline.analysis import JOINT_FORCES, PERCENT, compare, predicted_cycle, whole_stride
from pipeline.analysis.cycles import JOINTS
from pipeline.results.tables import comparison_tables
from pipeline.trial import GaitCycles, PredictedWalk
from tests.analysis.predicted_walks import hand_made_walk


def true_force(joint: str, side: str, percent: np.ndarray) -> np.ndarray:
    """Body weights over the gait cycle of a side, different for each joint and side."""
    seed = 3 * JOINTS.index(joint) + len(side)
    return 0.7 + 0.3 * np.sin(2.0 * np.pi * percent / 100.0 + seed)


def with_forces(walk: PredictedWalk) -> PredictedWalk:
    """A walk in the form ``stride`` whose net joint forces are the true ones of each side's own cycle."""
    weight, direction = walk.task.mass * 9.81, np.array([0.36, 0.48, -0.8])
    # The left foot's initial contact is half a stride after the right one's.
    percent = {"right": 100.0 * walk.time / (2.0 * walk.task.step_time)}
    percent["left"] = percent["right"] - 50.0
    joints = {
        f"{side}_{joint}": replace(
            walk.joints[f"{side}_{joint}"],
            force_G=weight * true_force(joint, side, percent[side])[:, None] * direction,
        )
        for side in ("left", "right")
        for joint in JOINTS
    }
    return replace(walk, joints=joints)


def on_skeleton(cycles: GaitCycles, joint_errors: dict[int, float]) -> Any:
    """A body with the true forces in each of the cycles and a known error, in body weights, in some: by their number.

    The first is from 0 to 1 s, the second from 2 to 3 s.
    """
    count, mass = len(cycles.cycles), 81.0
    time = np.linspace(0.0, 2.0 * count, 2000 * count + 1)
    names = [f"{side}_{joint}_flexion" for side in ("left", "right") for joint in JOINTS]
    force_G = np.full((len(time), len(names), 3), np.nan)
    for number, cycle in enumerate(cycles.cycles):
        own = (time >= 2 * number) & (time <= 2 * number + 1)
        for joint in JOINTS:
            at = names.index(f"{cycle.cycle.side}_{joint}_flexion")
            size = true_force(joint, cycle.cycle.side, 100.0 * (time[own] - 2 * number)) + joint_errors.get(number, 0.0)
            force_G[own, at] = mass * 9.81 * size[:, None] * np.array([0.0, -0.6, 0.8])
    body = {"mass": mass, "time": time, "joint_names": tuple(names), "uncertainty": np.full(len(names), 0.01)}
    return SimpleNamespace(**body, kinematic=SimpleNamespace(force_G=force_G))


def one_second_each(walk: PredictedWalk, *sides: str, off_plates: tuple[int, ...] = ()) -> GaitCycles:
    """Predicted cycles as if measured in one second of two each; those with some numbers on no plate."""
    cycles = []
    for number, side in enumerate(sides):
        own = predicted_cycle(walk, side)
        start = 2.0 * number
        times = {"initial_contact": start, "foot_off": start + 0.6, "next_initial_contact": start + 1.0}
        plate = 0 if number in off_plates else 1
        cycles.append(replace(own, cycle=replace(own.cycle, **times, plate=plate)))
    return GaitCycles("w", "s", "distal", tuple(cycles), ())


def test_net_joint_forces_are_compared_with_the_mean_of_the_measured_cycles_on_the_skeleton() -> None:
    """Measured ones are the true ones plus 0.15 and 0.05 body weights on the right, 0.2 less on the left."""
    walk = with_forces(whole_stride(hand_made_walk()))
    cycles = one_second_each(walk, "right", "right", "left", "left", off_plates=(3,))
    both = compare(walk, cycles, on_skeleton(cycles, {0: 0.15, 1: 0.05, 2: -0.2, 3: 9.0}))
    forces = {(row.variable, row.side): row for row in both.agreement if row.variable in JOINT_FORCES}
    assert set(forces) == {(f"{joint}_force", side) for joint in JOINTS for side in ("left", "right")}
    for joint in JOINTS:
        row = both.variable_names.index(f"{joint}_force")
        for k, (side, error) in enumerate({"left": -0.2, "right": 0.1}.items()):
            found = forces[f"{joint}_force", side]
            truth = true_force(joint, side, PERCENT)
            # Linear between 80 frames of the stride: within (2 pi / 80)^2 / 8 of the sine's height of 0.3.
            np.testing.assert_allclose(both.predicted[k, row], truth, atol=2.4e-4)
            np.testing.assert_allclose(both.measured[k, row], truth + error, atol=1e-5)
            assert (found.unit, found.count) == ("BW", 101)
            assert found.offset == pytest.approx(-error, abs=2.4e-4)
            assert found.rmse == pytest.approx(abs(error), abs=2.4e-4)
            assert found.r == pytest.approx(1.0, abs=1e-6)
        # Of 0.15 and 0.05; a single cycle has no spread.
        np.testing.assert_allclose(both.measured_sd[1, row], 0.1 / np.sqrt(2.0), atol=1e-6)
        assert np.isnan(both.measured_sd[0, row]).all()
    kinds = comparison_tables(both, walk)["predicted_curves"]
    ours = kinds[(kinds.variable == "knee_force") & (kinds.side == "right")]
    row = both.variable_names.index("knee_force")
    for kind, values in (("measured mean", both.measured), ("measured sd", both.measured_sd)):
        np.testing.assert_array_equal(ours[ours.kind == kind].value, values[1, row])
    assert set(kinds[kinds.kind == "measured mean"].variable) == set(JOINT_FORCES), "others are in the study's table"


def test_without_the_skeleton_there_are_no_net_joint_forces_and_a_note_says_so() -> None:
    walk = hand_made_walk()
    both = compare(walk, one_second_each(walk, "left", "right"))
    assert not set(JOINT_FORCES) & set(both.variable_names)
    (note,) = (note for note in both.notes if note.subject == "net joint forces")
    assert (note.kind, note.text) == (
        "left out",
        "not compared: the measured walk was not fitted to the whole skeleton",
    )
    cycles = one_second_each(walk, "left", "right")
    assert "net joint forces" not in {note.subject for note in compare(walk, cycles, on_skeleton(cycles, {})).notes}


def test_a_joint_that_no_marker_shows_has_no_measured_force() -> None:
    walk = with_forces(whole_stride(hand_made_walk()))
    cycles = one_second_each(walk, "left", "right")
    body = on_skeleton(cycles, {})
    body.uncertainty[body.joint_names.index("left_ankle_flexion")] = np.inf
    found = {(row.variable, row.side) for row in compare(walk, cycles, body).agreement if row.variable in JOINT_FORCES}
    assert len(found) == 5
    assert ("ankle_force", "left") not in found
