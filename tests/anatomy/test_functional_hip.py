"""The common centre of two moving bodies, against one that is known."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.anatomy import common_centre
from pipeline.anatomy.functional_hip import _hip
from pipeline.errors import AnatomyError

CENTRE, LATERAL = np.array([-0.05, -0.08, 0.09]), {"left": -1.0, "right": 1.0}


def test_the_point_that_two_bodies_share_is_found():
    """Exactly without noise; with noise of 2 mm on the origins, within the noise over the root of the frames."""
    rng = np.random.default_rng(8)
    c_1, c_2, frames = np.array([-0.05, -0.08, 0.09]), np.array([0.01, 0.25, -0.06]), 400
    R_1 = Rotation.from_rotvec(0.2 * rng.normal(size=(frames, 3))).as_matrix()
    R_2 = Rotation.from_rotvec(0.5 * rng.normal(size=(frames, 3))).as_matrix()
    o_1 = rng.normal(size=(frames, 3))
    o_2 = o_1 + R_1 @ c_1 - R_2 @ c_2
    found_1, found_2, residual = common_centre(R_1, o_1, R_2, o_2)
    np.testing.assert_allclose(found_1, c_1, atol=1e-9)
    np.testing.assert_allclose(found_2, c_2, atol=1e-9)
    assert residual < 1e-9
    noisy_1, _, residual = common_centre(R_1, o_1, R_2, o_2 + 0.002 * rng.normal(size=(frames, 3)))
    assert np.linalg.norm(noisy_1 - c_1) < 0.002
    assert residual == pytest.approx(0.002 * np.sqrt(3.0), rel=0.1)


def circling(flexion: float, abduction: float, side: str) -> SimpleNamespace:
    """Pose of a pelvis that turns in G and of a thigh that hangs down and swings so many degrees in all each way.

    The thigh's axes are 0.25 m below its hip's centre, which is 50 mm behind, 80 mm below and 90 mm beside the
    pelvis' origin.
    """
    phase = np.linspace(0.0, 2.0 * np.pi, 201)
    pelvis = Rotation.from_rotvec(0.2 * np.stack([np.sin(phase), np.cos(3 * phase), np.sin(2 * phase)], axis=1))
    swing = np.radians(0.5) * np.stack([abduction * np.sin(5 * phase), 0 * phase, flexion * np.sin(3 * phase)], axis=1)
    thigh = pelvis * Rotation.from_rotvec(swing)
    o_1, centre = np.stack([phase, 0 * phase + 1.0, 0 * phase], axis=1), CENTRE * [1.0, 1.0, LATERAL[side]]
    o_2 = o_1 + pelvis.apply(centre) + thigh.apply([0.0, -0.25, 0.0])
    bodies = {"pelvis": (pelvis.as_matrix(), o_1), f"{side}_thigh_cluster": (thigh.as_matrix(), o_2)}
    frames = {name: SimpleNamespace(cluster=name != "pelvis") for name in bodies}
    return SimpleNamespace(
        marker_set=SimpleNamespace(name="set", frames=frames),
        where="star",
        frame=lambda name: bodies[name][0],
        origin=lambda name: bodies[name][1],
    )


@pytest.mark.parametrize("side", LATERAL)
def test_the_movement_is_told_in_degrees_of_flexion_and_abduction(side):
    """The centre is the true one; sin(3x) and sin(5x) both reach their extremes, so ranges are the full swings."""
    found = _hip(circling(50.0, 30.0, side), side)
    np.testing.assert_allclose(found.centre, CENTRE * [1.0, 1.0, LATERAL[side]], atol=1e-9)
    assert found.flexion == pytest.approx(50.0, abs=1.5)
    # In a plane that flexion has turned by up to 25 degrees: larger by up to 1 / cos(25 degrees).
    assert 29.0 < found.abduction < 30.0 / np.cos(np.radians(25.0))


@pytest.mark.parametrize(("flexion", "abduction"), [(20.0, 40.0), (50.0, 10.0)])
def test_a_hip_that_moves_in_one_plane_is_refused(flexion, abduction):
    with pytest.raises(AnatomyError, match=r"limits 30 and 20.+does not determine its centre"):
        _hip(circling(flexion, abduction, "left"), "left")
