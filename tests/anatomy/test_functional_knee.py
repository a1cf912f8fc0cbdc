"""Knee axes of sets that lack a joint; trials with known axes are in `tests/synthetic`."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.anatomy import calibrate, functional_knees
from pipeline.anatomy.functional_knee import common_axis, turn_about
from pipeline.errors import AnatomyError


def test_a_set_without_a_knee_is_refused(person, record, plug_in_gait) -> None:
    markers, _, _ = person.pose({})
    static = record(markers, parameters={})
    calibration = calibrate(static, plug_in_gait, person.subject)
    joints, points = (
        {name: one for name, one in getattr(plug_in_gait, kind).items() if name != "left_knee"}
        for kind in ("joints", "points")
    )
    one_sided = plug_in_gait.model_copy(update={"joints": joints, "points": points})
    with pytest.raises(AnatomyError, match="no markers that follow the segment above the knee"):
        functional_knees(static, static, one_sided, calibration)


ANGLES = np.radians(200.0) * np.sin(np.linspace(0.0, 7.0, 80))
"""A hinge that turns by more than a whole turn to and fro."""


def hinge(axis, tilt=0.0):
    """Orientations (80, 3, 3) of two bodies that tumble and turn about a shared axis, which is off by the tilt (rad)
    to one side and the other in turn, and its direction in the second body."""
    axis = np.asarray(axis) / np.linalg.norm(axis)
    R_1 = Rotation.random(len(ANGLES), rng=3)
    mounted = Rotation.from_rotvec([0.4, -0.9, 0.5])
    across = np.cross(axis, [0.3, 0.5, 0.8])
    off = np.outer(tilt * (-1.0) ** np.arange(len(ANGLES)), across / np.linalg.norm(across))
    R_2 = R_1 * Rotation.from_rotvec(np.outer(ANGLES, axis)) * Rotation.from_rotvec(off) * mounted.inv()
    return axis, R_1.as_matrix(), R_2.as_matrix(), mounted.apply(axis)


@pytest.mark.parametrize("axis", [(0.0, 0.0, 1.0), (1.0, -2.0, 0.5), (-0.2, 0.9, 0.4)])
def test_the_axis_of_a_hinge_is_one_direction_in_both_bodies_and_its_angle_turns_about_it(axis):
    axis, R_1, R_2, in_second = hinge(axis)
    a_1, a_2, spread = common_axis(R_1, R_2)
    np.testing.assert_allclose(R_1 @ a_1, R_2 @ a_2, atol=1e-9)
    assert abs(a_1 @ axis) == pytest.approx(1.0)
    assert spread == pytest.approx(0.0, abs=1e-9)
    for one, other in ((axis, in_second), (-axis, -in_second)):
        angle = turn_about(one, other, np.swapaxes(R_1, 1, 2) @ R_2)
        np.testing.assert_allclose(angle - angle[0], (ANGLES - ANGLES[0]) * (one @ axis), atol=1e-9)


def test_the_spread_of_an_axis_is_the_angle_between_the_bodies_axes():
    _, R_1, R_2, _ = hinge((1.0, -2.0, 0.5), tilt=np.radians(3.0))
    assert np.degrees(common_axis(R_1, R_2)[2]) == pytest.approx(3.0, rel=2e-3)
