"""Loads of muscles on bodies: a case worked by hand, action and reaction, and the moments of the moment arms."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.muscles.contact import beyond, contact_force, contact_moment, muscle_load
from pipeline.muscles.linkage import Axis, Joint, body_poses
from pipeline.muscles.paths import Muscle, MuscleModel, PathPoint, path_geometry, path_lines
from pipeline.muscles.splines import Spline


@pytest.fixture(scope="module")
def pulls(model) -> np.ndarray:
    return np.random.default_rng(7).uniform(0, 800, (6, len(model.muscles)))


def test_a_muscle_that_holds_a_bar_by_hand() -> None:
    """A bar of 20 N hangs level from a hinge at the origin, its centre 0.3 m along x; a muscle from (0, 0.4, 0) to
    the bar at (0.3, 0, 0) holds it. Moments about the hinge: 20 x 0.3 = F sin(a) 0.3 with sin(a) = 0.8, so F = 25 N; it
    pulls with (-15, 20), so the hinge pushes with (15, 0). The moment arm is 0.24 m."""
    hinge = Joint("wall", "bar", (Axis("angle", "R", np.array([0.0, 0.0, 1.0]), Spline.line(1.0)),), np.eye(4))
    path = (PathPoint("wall", np.array([0.0, 0.4, 0.0])), PathPoint("bar", np.array([0.3, 0.0, 0.0])))
    model = MuscleModel("wall", (hinge,), ("angle",), (Muscle("cable", 100, 0.1, 0.1, 0, path),), "")
    q = {"angle": np.zeros(1)}
    assert path_geometry(model, q).arm[0, 0, 0] == pytest.approx(0.24)
    load = muscle_load(path_lines(model, q), np.array([[25.0]]), beyond(model, "bar"))
    np.testing.assert_allclose(load.force, [[-15, 20, 0]], atol=1e-12)
    np.testing.assert_allclose(load.moment, [[0, 0, 6]], atol=1e-12)
    np.testing.assert_allclose(
        contact_force(np.array([[0.0, 20.0, 0.0]]), load, np.eye(3)[None]), [[15, 0, 0]], atol=1e-12
    )
    # about the hinge the cable gives the whole moment of 6 Nm; about the bar's centre, where neither the cable nor the
    # weight has an arm, the net moment is the hinge force's: 0.3 x (20 - 0) of the net force taken there
    net = np.array([[0.0, 0.0, 6.0]])
    np.testing.assert_allclose(
        contact_moment(net, load, np.zeros((1, 3)), np.eye(3)[None]), np.zeros((1, 3)), atol=1e-12
    )
    at_centre = contact_moment(np.zeros((1, 3)), load, np.array([[0.3, 0.0, 0.0]]), np.eye(3)[None])
    np.testing.assert_allclose(at_centre, np.zeros((1, 3)), atol=1e-12)


def test_action_and_reaction(model, postures, pulls) -> None:
    """On all bodies together the muscles exert nothing."""
    load = muscle_load(path_lines(model, postures), pulls, beyond(model, model.root))
    assert np.abs(load.force).max() < 1e-9
    assert np.abs(load.moment).max() < 1e-9


@pytest.mark.parametrize("body", ["femur_r", "talus_l", "calcn_r", "torso"])
def test_the_loads_moment_is_that_of_the_moment_arms(model, postures, pulls, body: str) -> None:
    """About each axis of the joint, the moment of the muscles' loads on all that is beyond it is the sum of forces
    times moment arms; conditional points act in the last posture."""
    load = muscle_load(path_lines(model, postures), pulls, beyond(model, body))
    assert np.abs(load.force).max() > 100
    generalised = np.einsum("tjm,tm->tj", path_geometry(model, postures).arm, pulls)
    own = [axis.coordinate for joint in model.joints if joint.child == body for axis in joint.axes]
    for move in body_poses(model.root, model.joints, postures)[body].movements:
        if move.axis.coordinate in own:
            about = load.moment - np.cross(move.origin, load.force)
            expected = generalised[:, model.coordinates.index(move.axis.coordinate)]
            np.testing.assert_allclose(np.sum(about * move.direction, axis=1), expected, atol=1e-8)
