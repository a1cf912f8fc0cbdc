"""A person's two sides made alike: the mean of the one and the mirror image of the other."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.dynamics import rnea
from pipeline.errors import DynamicsError
from pipeline.math3d import rotation_about
from pipeline.skeleton import (
    Skeleton,
    load_skeleton,
    merge_frozen,
    mirror_map,
    rotate_joint,
    scale_segments,
    segment_pose,
    symmetric,
)

SKELETON = Path(__file__).resolve().parents[2] / "config/skeleton.yaml"
MIRROR = np.array([1.0, 1.0, -1.0])


@pytest.fixture(scope="module")
def table() -> Skeleton:
    return load_skeleton(SKELETON)


@pytest.fixture(scope="module")
def person(table: Skeleton) -> Skeleton:
    """Legs of different sizes, knees of different varus, feet of different twist."""
    sizes = {"left_thigh": 1.10, "right_thigh": 1.04, "left_foot": 1.2, "left_toes": 1.2, "right_hand": 0.8}
    body = scale_segments(table, {name: np.full(3, size) for name, size in sizes.items()})
    turns = (("left_knee_flexion", "left_thigh", 0, 0.06), ("right_knee_flexion", "right_thigh", 0, 0.02))
    turns += (("left_ankle_flexion", "left_shank", 1, 0.30), ("right_ankle_flexion", "right_shank", 1, -0.20))
    for joint, segment, axis, angle in turns:
        body = rotate_joint(body, joint, segment, rotation_about(np.eye(3)[axis], angle))
    return body


def test_a_symmetric_skeleton_stays_as_it_is(table: Skeleton) -> None:
    again = symmetric(table)
    for name in ("theta", "d", "a", "alpha", "origin", "mass", "com", "inertia", "q_lower", "q_upper", "tau_limit"):
        # Entries of rotations are exact to rounding only after a singular value decomposition.
        np.testing.assert_allclose(getattr(again, name), getattr(table, name), atol=1e-14, err_msg=name)
    for name, segment in table.segments.items():
        np.testing.assert_allclose(again.segments[name].pose, segment.pose, atol=1e-14, err_msg=name)


def test_both_sides_have_the_mean_of_their_sizes_and_turns(table: Skeleton, person: Skeleton) -> None:
    both = symmetric(person)

    def place(body: Skeleton, segment: str) -> np.ndarray:
        return segment_pose(body, segment, np.zeros((1, len(body))))[1][0]

    thigh = np.linalg.norm(place(both, "left_shank") - place(both, "left_thigh"))
    usual = np.linalg.norm(place(table, "left_shank") - place(table, "left_thigh"))
    assert thigh / usual == pytest.approx(1.07)
    R, _ = segment_pose(both, "right_foot", np.zeros((1, len(both))))
    # Outwards by 0.30 and 0.20 rad, seen from above; the knees' varus, 0.04 rad, hardly changes that.
    assert -np.arctan2(-R[0, 2, 0], R[0, 0, 0]) == pytest.approx(0.25, abs=2e-3)
    assert both.mass.sum() == pytest.approx(person.mass.sum())


def test_a_mirrored_motion_of_it_is_its_motion_in_the_mirror_with_mirrored_torques(person: Skeleton) -> None:
    with pytest.raises(DynamicsError, match="not the mirror image"):
        mirror_map(person)
    both = symmetric(person)
    index, sign = mirror_map(both)
    q, qd, qdd = np.random.default_rng(5).uniform(-0.5, 0.5, size=(3, 4, len(both)))
    image = [sign * values[:, index] for values in (q, qd, qdd)]
    for name in both.segments:
        side, _, rest = name.partition("_")
        other = {"left": f"right_{rest}", "right": f"left_{rest}"}.get(side, name)
        own, seen = segment_pose(both, name, q)[1], segment_pose(both, other, image[0])[1]
        np.testing.assert_allclose(seen * MIRROR, own, atol=1e-12, err_msg=name)
    # Gravity is in the mirror's plane; torques of several hundred Nm to rounding.
    np.testing.assert_allclose(sign * rnea(both, *image).tau[:, index], rnea(both, q, qd, qdd).tau, atol=1e-9)


def test_a_side_without_a_partner_is_named(table: Skeleton) -> None:
    frozen = np.zeros(len(table), dtype=bool)
    frozen[table.index("left_wrist_deviation")] = True
    lame = merge_frozen(type(table)(**{**{f: getattr(table, f) for f in table.__dataclass_fields__}, "frozen": frozen}))
    with pytest.raises(DynamicsError, match="no joint 'left_wrist_deviation'"):
        symmetric(lame)
