"""A mass carried on the trunk, and weak muscles, against Newton's laws and against forces that no longer suffice."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import GROUPS
from pipeline.config import MuscleSettings
from pipeline.config.settings import MuscleName
from pipeline.conventions import SIDES, Y
from pipeline.errors import DynamicsError
from pipeline.muscles import carrying, load_muscle_model, typical_load, walk_muscles
from pipeline.muscles.walk import _with_strength
from pipeline.skeleton import point_motion, skeleton_of

MASS = 20.0


def test_the_settings_name_the_muscles_that_forces_are_summed_by() -> None:
    assert MuscleName.__args__ == tuple(GROUPS)


def test_elastic_tendons_and_activation_dynamics_are_not_combined() -> None:
    with pytest.raises(ValueError, match="requires rigid tendons"):
        MuscleSettings(tendons="elastic", dynamic=True)


def test_hips_bear_the_load_and_the_pelvis_keeps_its_residuals(walk) -> None:
    """Weight and inertia by the acceleration of the load's point, down the legs and up the spine; none at the root.

    A foot bears its part of the vertical force on both, under the root.
    """
    known = walk.loads_known
    assert known.sum() >= 5
    loaded, own = carrying(walk, MASS).kinematic, walk.kinematic
    np.testing.assert_allclose(loaded.tau[known, :6], own.tau[known, :6], atol=1e-8)
    skeleton = skeleton_of(walk)
    link = skeleton.segment("upper_thorax").joint
    place = skeleton.com[link]
    point = point_motion(skeleton, skeleton.joint_names[link], place, own.q, own.qd, own.qdd)
    needed = MASS * (point.acceleration_G - [0.0, -9.81, 0.0])
    changed = loaded.force_G - own.force_G
    spine = skeleton.index("spine1_flexion")
    np.testing.assert_allclose(changed[known, spine], needed[known], atol=1e-8)
    hips = sum(changed[known, skeleton.index(f"{side}_hip_flexion")] for side in SIDES)
    np.testing.assert_allclose(hips, -needed[known], atol=1e-8)
    vertical = np.stack([walk.ground[side].force_G[known, Y] for side in SIDES])
    for side, part in zip(SIDES, np.clip(vertical / vertical.sum(axis=0), 0.0, 1.0), strict=True):
        hip = changed[known, skeleton.index(f"{side}_hip_flexion")]
        np.testing.assert_allclose(hip, -part[:, None] * needed[known], atol=1e-8)
    moment = loaded.moment_G[known, spine] - own.moment_G[known, spine]
    origin = point_motion(skeleton, "spine1_flexion", np.zeros(3), own.q, own.qd, own.qdd).position_G
    arm = point.position_G[known] - origin[known]
    np.testing.assert_allclose(moment, np.cross(arm, needed[known]), atol=1e-8)


def test_a_foot_beside_one_of_unknown_force_bears_its_part_of_what_the_body_needs(made_up) -> None:
    """By the vertical force at the root of a body on nothing, its mass times its acceleration and gravity."""
    skeleton, own = skeleton_of(made_up), made_up.kinematic
    left = made_up.ground["left"]
    lone = replace(made_up, ground=made_up.ground | {"left": replace(left, force_G=np.full_like(left.force_G, np.nan))})
    vertical = made_up.ground["right"].force_G[:, Y]
    part = vertical / (skeleton.mass @ accelerations_of_masses(skeleton, own))
    assert 0.1 < part.min() < part.max() < 0.9
    moved = carrying(lone, MASS).kinematic.force_G - own.force_G
    spine = moved[:, skeleton.index("spine1_flexion")]
    for side, share in (("left", np.zeros_like(part)), ("right", part)):
        hip = moved[:, skeleton.index(f"{side}_hip_flexion")]
        np.testing.assert_allclose(hip, -share[:, None] * spine, atol=1e-8)


def accelerations_of_masses(skeleton, motion) -> np.ndarray:
    """Upward acceleration (n, T) m/s^2 of each link's centre of mass, with gravity."""
    points = (
        point_motion(skeleton, name, com, motion.q, motion.qd, motion.qdd)
        for name, com in zip(skeleton.joint_names, skeleton.com, strict=True)
    )
    return np.stack([point.acceleration_G[:, Y] for point in points]) + 9.81


@pytest.mark.long
def test_a_load_makes_the_knee_bear_more_and_none_changes_nothing(body, loads) -> None:
    same = carrying(body, 0.0)
    np.testing.assert_allclose(same.kinematic.tau, body.kinematic.tau, atol=1e-9)
    loaded = walk_muscles(carrying(body, MASS))
    for joint in range(len(loads.contact_joints)):
        light, heavy = (np.nanmax(np.linalg.norm(found.contact_force[:, joint], axis=1)) for found in (loads, loaded))
        assert heavy > 1.1 * light, loads.contact_joints[joint]
    with pytest.raises(DynamicsError, match="cannot be carried"):
        carrying(body, -1.0)


@pytest.mark.long
def test_others_take_over_from_a_weak_soleus(body, loads) -> None:
    """The moments are given all the same: by a more active soleus and a stronger pull of the gastrocnemii."""
    weak = walk_muscles(body, strength={"soleus": 0.5})
    names = loads.muscle_names
    soleus, gas = ([names.index(f"{name}_{side}") for side in "lr"] for name in ("soleus", "med_gas"))
    for name, columns, factor in (("activation", soleus, 1.1), ("force", soleus, 0.9), ("force", gas, 1.1)):
        before, after = (np.nanmean(getattr(found, name)[:, columns], axis=0) for found in (loads, weak))
        assert np.all(after > factor * before) == (factor > 1), (name, before, after)
    np.testing.assert_allclose(weak.maximum_force[soleus], 0.5 * loads.maximum_force[soleus])
    one = walk_muscles(body, strength={"soleus_l": 0.5})
    right = [k for k, name in enumerate(names) if name.endswith("_r")]
    np.testing.assert_array_equal(one.force[:, right], loads.force[:, right])


@pytest.mark.parametrize(("strength", "words"), [({"soleous": 0.5}, "no muscle is called"), ({"soleus": 0.0}, "is 0")])
def test_strength_of_no_muscle_or_none_is_refused(strength: dict[str, float], words: str) -> None:
    with pytest.raises(DynamicsError, match=words):
        _with_strength(load_muscle_model(), strength)


def test_strength_is_a_factor_on_the_maximum_force_of_both_sides_or_one() -> None:
    """A factor of both sides and one of the left side multiply."""
    model = load_muscle_model()
    weak = _with_strength(model, {"soleus": 0.5, "soleus_l": 0.8, "med_gas_r": 3.0})
    factors = {"soleus_l": 0.4, "soleus_r": 0.5, "med_gas_r": 3.0}
    for before, after in zip(model.muscles, weak.muscles, strict=True):
        assert after.maximum_force == pytest.approx(factors.get(before.name, 1.0) * before.maximum_force)


def test_a_light_body_carries_less() -> None:
    assert typical_load(80.0) == 20.0
    assert typical_load(30.0) == pytest.approx(9.0)
