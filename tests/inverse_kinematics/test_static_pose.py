"""The static pose of a trial that moves."""

from __future__ import annotations

import numpy as np

from pipeline.inverse_kinematics import static_positions


def test_the_frame_with_straight_legs_is_found_if_the_skeleton_has_no_joint_centres(demo_legs, plug_in_gait):
    """The joint centres of the set show the legs, whether or not the skeleton's attachment lists them."""
    walk, definition = demo_legs.raw, plug_in_gait.skeleton
    with_centres, _ = static_positions(walk, plug_in_gait, definition, demo_legs.kinematics)
    without = definition.model_copy(update={"centres": {}})
    positions, (note,) = static_positions(walk, plug_in_gait, without, demo_legs.kinematics)
    assert note.kind == "assumed"
    np.testing.assert_array_equal(positions["LASI"], with_centres["LASI"])


def test_the_frame_with_straight_legs_is_found_by_joints_whatever_their_points_are_called(demo_legs, plug_in_gait):
    """Only the names of joints are the same in every set."""
    walk, definition = demo_legs.raw, plug_in_gait.skeleton.model_copy(update={"centres": {}})
    points, joints = dict(plug_in_gait.points), dict(plug_in_gait.joints)
    for side in ("left", "right"):
        points[f"{side}_malleoli"] = points.pop(f"{side}_ankle")
        joints[f"{side}_ankle"] = joints[f"{side}_ankle"].model_copy(update={"centre": f"{side}_malleoli"})
    renamed = plug_in_gait.model_copy(update={"points": points, "joints": joints})
    expected, _ = static_positions(walk, plug_in_gait, definition, demo_legs.kinematics)
    positions, _ = static_positions(walk, renamed, definition, demo_legs.kinematics)
    np.testing.assert_array_equal(positions["LASI"], expected["LASI"])
