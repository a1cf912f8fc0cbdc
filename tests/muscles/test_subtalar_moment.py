"""The moment about the subtalar axis of a force on the foot, in a general posture of a pelvis that is turned, and what
it is uncertain by."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.math3d import rotation_about, unit
from pipeline.muscles import muscles_on_skeleton
from pipeline.muscles.on_skeleton import SUBTALAR
from pipeline.muscles.subtalar import subtalar_moments
from pipeline.skeleton import joint_axes, link_poses, segment_pose
from pipeline.trial import SegmentPose

FRAMES = 3


@pytest.mark.parametrize("off_axis", [False, True])
def test_a_force_has_its_lever_about_the_axis_as_its_moment(model, human, off_axis: bool) -> None:
    """Ankle loads of one force at a point of the axis, moved off it by a known vector d: axis . (d x F), or nothing."""
    mapped, rng = muscles_on_skeleton(model, human), np.random.default_rng(3)
    q = np.zeros((FRAMES, len(human)))
    q[:, 3:] = rng.uniform(-0.4, 0.4, (FRAMES, len(human) - 3))
    R, _ = link_poses(human, q)
    still, _ = link_poses(human, np.zeros((1, len(human))))
    centres = joint_axes(human, q)[1]
    force, moment, expected = np.zeros((FRAMES, len(human), 3)), np.zeros((FRAMES, len(human), 3)), {}
    for ankle, hinge in SUBTALAR.items():
        j = human.index(ankle)
        foot = human.segment(f"{ankle.split('_')[0]}_foot").joint
        turned = R[:, foot] @ still[0, foot].T
        joint = next(one for one in mapped.joints if one.child == hinge)
        direction, place = turned @ joint.axes[0].direction, turned @ joint.before[:3, 3]
        apart = rng.normal(size=(FRAMES, 3)) * 0.1 * off_axis
        at = centres[:, j] + place + 0.07 * direction + apart
        force[:, j] = rng.normal(size=(FRAMES, 3)) * 500.0
        moment[:, j] = np.cross(at - centres[:, j], force[:, j])
        expected[hinge] = np.sum(direction * np.cross(apart, force[:, j]), axis=1)
        assert np.abs(np.cross(place, force[:, j])).max() > 1.0, "the axis does not pass through the ankle's centre"
    segments = {"pelvis": SegmentPose(*segment_pose(human, "pelvis", q))}
    body = SimpleNamespace(kinematic=SimpleNamespace(segments=segments, force_G=force, moment_G=moment))
    angles = {n: q[:, human.index(n)] if n in human.joint_names else np.zeros(FRAMES) for n in mapped.coordinates}
    found = subtalar_moments(body, human, mapped, angles, np.ones(FRAMES, dtype=bool))  # type: ignore[arg-type]
    for hinge, values in expected.items():
        np.testing.assert_allclose(found[hinge].value, values, atol=1e-9)


def test_its_uncertainty_is_the_spread_over_the_axes_of_many_feet(model, human) -> None:
    """Axes turned at random about the foot's upward axis, and towards it, by the published standard deviations.

    Thousands of feet tell a standard deviation to one part in a hundred; the first order holds to a few of 11 degrees.
    """
    mapped, rng = muscles_on_skeleton(model, human), np.random.default_rng(5)
    joint = next(one for one in mapped.joints if one.child == "right_subtalar")
    axis, up = joint.axes[0].direction, np.array([0.0, 1.0, 0.0])
    inward, level = rng.normal(0.0, np.radians(11.0), 4000), unit(np.cross(axis, up))
    raised = [rotation_about(level, angle) @ axis for angle in rng.normal(0.0, np.radians(9.0), 4000)]
    axes = np.array([rotation_about(up, angle) @ one for angle, one in zip(inward, raised, strict=True)])
    still = np.zeros((1, len(human)))
    segments = {"pelvis": SegmentPose(*segment_pose(human, "pelvis", still))}
    at, none = {name: np.zeros(1) for name in mapped.coordinates}, np.zeros((1, len(human), 3))
    for moment in ([0.0, 0.0, -100.0], [30.0, 0.0, -80.0], [20.0, 10.0, 60.0]):
        moments = np.zeros((1, len(human), 3))
        moments[0, human.index("right_ankle_inversion")] = moment
        body = SimpleNamespace(kinematic=SimpleNamespace(segments=segments, force_G=none, moment_G=moments))
        found = subtalar_moments(body, human, mapped, at, np.ones(1, dtype=bool))["right_subtalar"]  # type: ignore[arg-type]
        assert found.sd[0] == pytest.approx((axes @ moment).std(), rel=0.05)
