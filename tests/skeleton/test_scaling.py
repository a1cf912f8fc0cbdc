"""A stretched skeleton against the file scaled to another height, point masses, and worked geometry."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.errors import DynamicsError
from pipeline.math3d import rotation_about
from pipeline.skeleton import Segment, Skeleton, load_skeleton, rotate_joint, scale_mass, scale_segments, segment_pose


@pytest.fixture(scope="module")
def human(request):
    return load_skeleton(request.config.rootpath / "config" / "skeleton.yaml", mass=60.0, height=1.6, sex="female")


def test_stretching_all_segments_is_scaling_to_another_height(human, request):
    """To rounding: the file scales lengths with height, and inertias with its square."""
    taller = load_skeleton(request.config.rootpath / "config" / "skeleton.yaml", mass=60.0, height=1.76, sex="female")
    stretched = scale_segments(human, {name: np.full(3, 1.1) for name in human.segments})
    for name in ("theta", "d", "a", "alpha", "origin", "mass", "com", "inertia"):
        np.testing.assert_allclose(getattr(stretched, name), getattr(taller, name), atol=1e-12)
    for name, segment in stretched.segments.items():
        np.testing.assert_allclose(segment.pose, taller.segments[name].pose, atol=1e-12)


def test_a_longer_thigh_moves_the_knee_and_all_distal_segments_only(human, rng):
    """In a flexed posture the shank moves along the thigh by the added length, and keeps its direction."""
    longer = scale_segments(human, {"right_thigh": np.array([1.0, 1.2, 1.0])})
    q = rng.uniform(-0.5, 0.5, (1, len(human)))
    hip = segment_pose(human, "right_thigh", q)[1]
    shank_R, knee = segment_pose(human, "right_shank", q)
    new_R, new_knee = segment_pose(longer, "right_shank", q)
    np.testing.assert_allclose(new_R, shank_R, atol=1e-12)
    np.testing.assert_allclose(new_knee, hip + 1.2 * (knee - hip), atol=1e-12)
    np.testing.assert_allclose(segment_pose(longer, "left_shank", q)[1], segment_pose(human, "left_shank", q)[1])


def test_stretched_mass_is_that_of_a_stretched_segment_whose_joints_stay(human):
    """Relative to the segment's own joint; the trunk's links have offsets of their own, the thigh's has none."""
    factors = {"right_thigh": np.array([1.1, 1.2, 0.9]), "lower_thorax": np.array([1.0, 1.3, 1.0])}
    whole, mass_only = scale_segments(human, factors), scale_mass(human, factors)
    for name in ("theta", "d", "a", "alpha", "origin", "mass"):
        np.testing.assert_array_equal(getattr(mass_only, name), getattr(human, name))
    for name in factors:
        j = human.segment(name).joint
        from_joint = [body.com[j] - body.segment(name).pose[:3, 3] for body in (whole, mass_only)]
        np.testing.assert_allclose(*from_joint, atol=1e-12)
        np.testing.assert_allclose(whole.inertia[j], mass_only.inertia[j], atol=1e-12)
        assert np.abs(mass_only.com[j] - human.com[j]).max() > 0.005


def test_mass_properties_are_those_of_stretched_point_masses(rng):
    """Any cloud of points with the link's mass, centre and inertia, stretched point by point, in oblique axes."""
    points, mass = rng.normal(size=(40, 3)), rng.uniform(0.1, 1.0, 40)
    R = rotation_about(rng.normal(size=3), 1.1)
    factor = np.array([0.7, 1.3, 1.1])

    def body(cloud):
        com = mass @ cloud / mass.sum()
        apart = cloud - com
        second = np.einsum("p,pi,pj->ij", mass, apart, apart)
        return com, np.trace(second) * np.eye(3) - second

    com, inertia = body(points)
    pose = np.eye(4)
    pose[:3, :3] = R
    one = dict.fromkeys(("theta", "d", "a", "alpha"), np.zeros(1))
    skeleton = Skeleton(
        joint_names=("joint",),
        parent=np.array([-1]),
        kind=("R",),
        **one,
        origin=np.eye(4)[None],
        mass=np.array([mass.sum()]),
        com=com[None],
        inertia=inertia[None],
        segments={"body": Segment(0, pose)},
    )
    stretched = scale_segments(skeleton, {"body": factor})
    expected_com, expected_inertia = body(points @ R @ np.diag(factor) @ R.T)
    np.testing.assert_allclose(stretched.com[0], expected_com, atol=1e-12)
    np.testing.assert_allclose(stretched.inertia[0], expected_inertia, atol=1e-10)


def test_a_turned_joint_turns_its_branch_about_its_own_origin(human):
    """A shank turned outwards by 10 degrees about the thigh's forward axis puts the ankle aside by sin 10 of it."""
    turned = rotate_joint(human, "right_knee_flexion", "right_thigh", rotation_about(np.array([1.0, 0, 0]), -0.1745))
    rest = np.zeros((1, len(human)))
    knee, ankle = (segment_pose(turned, name, rest)[1][0] for name in ("right_shank", "right_foot"))
    straight_knee, straight_ankle = (segment_pose(human, name, rest)[1][0] for name in ("right_shank", "right_foot"))
    length = np.linalg.norm(straight_ankle - straight_knee)
    np.testing.assert_allclose(knee, straight_knee, atol=1e-12)
    np.testing.assert_allclose(ankle - knee, length * np.array([0, -np.cos(0.1745), np.sin(0.1745)]), atol=1e-12)


@pytest.mark.parametrize("factor", [np.array([1.0, -1.0, 1.0]), np.array([1.0, np.nan, 1.0]), np.ones(2)])
def test_impossible_factors_are_refused(human, factor):
    with pytest.raises(DynamicsError, match="right_thigh"):
        scale_segments(human, {"right_thigh": factor})


def test_a_joint_that_does_not_leave_from_the_segment_is_not_turned(human):
    with pytest.raises(DynamicsError, match="is not attached to"):
        rotate_joint(human, "right_knee_flexion", "right_shank", np.eye(3))
