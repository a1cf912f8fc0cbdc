"""Residuals at the pelvis of a body at rest, worked by hand, and the frames in which they are tested."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.config import HOME
from pipeline.dynamics import rnea
from pipeline.math3d import Wrench
from pipeline.skeleton import link_poses, load_skeleton
from pipeline.trial import BodyDynamics
from pipeline.whole_body import residual_reduction
from pipeline.whole_body.dynamics import pelvis_residuals
from pipeline.whole_body.ground import GroundReactions
from pipeline.whole_body.mass_adjustment import MassDistribution

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


@pytest.mark.parametrize("shift", [0.05, 0.07])
def test_masses_are_tested_on_the_later_half_of_the_known_frames(shift, monkeypatch):
    """A body at rest under 0.1, 0.2, ... of its weight at the pelvis; frames 2 to 9 are known, 6 to 9 the later half.

    There 0.3, 0.2, 0.1 and 0 of the weight are lacking. A shift of 60 mm or less is not noted.
    """
    body = load_skeleton(HOME / "config/skeleton.yaml", mass=70.0, height=HEIGHT, sex="female")
    still, known, asked = np.zeros((10, len(body))), np.arange(10) >= 2, []
    share = 0.1 * np.arange(1, 11)[:, None] * [0.0, 70.0 * 9.81, 0.0]
    ground = GroundReactions({"pelvis": Wrench(share, np.zeros((10, 3)), np.zeros((10, 3)))}, {}, known)
    motion = SimpleNamespace(q=still, qd=still, qdd=still, converged=True)
    fit = SimpleNamespace(skeleton=body, mass_tracked=1.0, rate=100.0, smooth=lambda residual, start: motion)

    def fitted(skeleton, q, qd, qdd, wrenches, frames, *rest):
        asked.append(np.flatnonzero(frames).tolist())
        return MassDistribution(skeleton, np.array([0.6, -0.8]) * shift, {})

    monkeypatch.setattr(residual_reduction, "fit_mass_distribution", fitted)
    made = BodyDynamics(**dict.fromkeys(BodyDynamics.__dataclass_fields__))
    monkeypatch.setattr(residual_reduction, "body_dynamics", lambda *given: made)
    walk = SimpleNamespace(calibration=SimpleNamespace(values={"height": HEIGHT}))
    settings = SimpleNamespace(residual_reduction=True, balance_weight=0.1)
    found = residual_reduction.reduce_residuals(fit, motion, ground, walk, settings)
    assert asked == [[2, 3, 4, 5, 6, 7, 8, 9], [2, 3, 4, 5]]
    np.testing.assert_array_equal(np.flatnonzero(found.held_out), [6, 7, 8, 9])
    np.testing.assert_allclose(found.held_out_residual_force, [0.0, np.sqrt(0.14 / 4.0), 0.0], atol=1e-12)
    assert [note.text.split(" mm")[0][-2:] for note in found.notes] == (["70"] if shift > 0.06 else [])
