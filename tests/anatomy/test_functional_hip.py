"""The common centre of two moving bodies, against one that is known."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.anatomy import common_centre


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
