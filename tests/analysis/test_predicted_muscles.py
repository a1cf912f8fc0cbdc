"""Muscle forces of a predicted step over the steps that repeat it, by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import repeated_muscles
from pipeline.trial import MuscleLoads
from tests.analysis.predicted_walks import FRAMES, STEP_TIME, random_walk

SIDED = ("soleus_l", "soleus_r")


def loads_of(values: np.ndarray) -> MuscleLoads:
    """Of a pair of muscles with activations (T, 2); contact forces have one of them in each component."""
    return MuscleLoads(
        name="p",
        subject="s",
        mass=60.0,
        model="",
        tendons="rigid",
        time=np.linspace(0.0, STEP_TIME, len(values)),
        muscle_names=SIDED,
        contact_joints=("left_knee", "right_knee"),
        coordinates=("left_knee_flexion", "right_knee_flexion"),
        maximum_force=np.ones(2),
        activation=values,
        force=values,
        contact_force=np.repeat(values[:, :, None], 3, axis=2),
        compartments=("left_knee_medial", "right_knee_medial"),
        compartment_force=values,
        reserve=values,
        peak_moment=np.ones(2),
        notes=(),
    )


def test_three_steps_follow_one_another_with_the_sides_exchanged_in_the_second() -> None:
    """A step of half a second: the next begins where it ends; the lateral contact force turns over with the side."""
    values = np.random.default_rng(2).uniform(size=(FRAMES, 2))
    found, cycles = repeated_muscles(replace(random_walk(1), muscles=loads_of(values)))
    np.testing.assert_allclose(found.time, np.linspace(0.0, 3.0 * STEP_TIME, 3 * FRAMES - 2), atol=1e-12)
    second = slice(FRAMES, 2 * FRAMES - 1)
    for name in ("activation", "force", "compartment_force", "reserve"):
        each = getattr(found, name)
        np.testing.assert_array_equal(each[:FRAMES], values)
        np.testing.assert_array_equal(each[second], values[1:, ::-1])
        np.testing.assert_array_equal(each[2 * FRAMES - 1 :], values[1:])
    lateral = np.array([1.0, 1.0, -1.0])
    np.testing.assert_allclose(found.contact_force[second], values[1:, ::-1, None] * lateral, rtol=1e-6)
    assert [one.cycle.initial_contact for one in cycles] == [STEP_TIME, 0.0], "left, right"
    assert [one.cycle.next_initial_contact for one in cycles] == [3.0 * STEP_TIME, 2.0 * STEP_TIME]


def test_two_strides_follow_one_another_and_the_left_foot_s_cycle_begins_with_the_second_step() -> None:
    """Of a stride of 1 s, whose first step takes 0.4 s."""
    values = np.random.default_rng(2).uniform(size=(FRAMES, 2))
    walk = random_walk(1)
    task = replace(walk.task, form="stride", step_time_share=0.4)
    walk = replace(walk, task=task, time=np.linspace(0.0, 2.0 * STEP_TIME, FRAMES), muscles=loads_of(values))
    found, cycles = repeated_muscles(walk)
    np.testing.assert_allclose(found.time, np.linspace(0.0, 4.0 * STEP_TIME, 2 * FRAMES - 1), atol=1e-12)
    np.testing.assert_array_equal(found.activation, np.concatenate([values, values[1:]]))
    assert [one.cycle.initial_contact for one in cycles] == pytest.approx([0.4, 0.0]), "left, right"
    assert [one.cycle.next_initial_contact for one in cycles] == pytest.approx([1.4, 1.0])
