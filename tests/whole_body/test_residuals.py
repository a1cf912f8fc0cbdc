"""Residuals at the pelvis of a body at rest, worked by hand."""

from __future__ import annotations

import numpy as np

from pipeline.config import HOME
from pipeline.dynamics import rnea
from pipeline.skeleton import link_poses, load_skeleton
from pipeline.whole_body.dynamics import pelvis_residuals

HEIGHT = 1.7


def test_a_body_at_rest_on_nothing_hangs_from_its_pelvis():
    """The pelvis carries the weight at its own origin: one body weight upwards, and the weight's lever over stature.

    With the weight W at (x, y, z) from the pelvis the moment on it is (-z W, 0, x W), reversed the body's on it.
    """
    body = load_skeleton(HOME / "config/skeleton.yaml", mass=70.0, height=HEIGHT, sex="female")
    q = np.zeros((1, len(body)))
    for name, value in (("right_shoulder_flexion", 1.2), ("left_hip_adduction", -0.4), ("right_hip_flexion", 0.7)):
        q[0, body.index(name)] = value
    R, r = link_poses(body, q)
    lever = (body.mass @ (r + np.einsum("tnij,nj->tni", R, body.com)) / body.mass.sum())[0] - q[0, :3]
    assert np.abs(lever[[0, 2]]).min() > 0.005
    force, moment = pelvis_residuals(body, rnea(body, q, 0.0 * q, 0.0 * q).tau, HEIGHT)
    np.testing.assert_allclose(force, [[0.0, 1.0, 0.0]], atol=1e-12)
    np.testing.assert_allclose(moment, [[0.0, -lever[2] / HEIGHT, lever[0] / HEIGHT]], atol=1e-12)
