"""Torques of the knee beyond those of muscles of two joints, beside activations of gait2392 by least squares."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.muscles import load_muscle_model
from pipeline.muscles.paths import path_geometry
from pipeline.optimisation import NodeValues
from pipeline.prediction.gait.human_terms import TWO_JOINT, uncoupled_torques

POSES = {
    "initial contact": (33.0, 5.0, -3.0),
    "loading response": (28.0, 18.0, -3.0),
    "mid-stance": (8.0, 8.0, 6.0),
    "terminal stance": (-5.0, 8.0, 12.0),
    "preswing": (-3.0, 30.0, -5.0),
    "initial swing": (15.0, 58.0, -12.0),
    "mid-swing": (33.0, 35.0, 0.0),
    "terminal swing": (34.0, 8.0, -2.0),
}
"""Flexion of hip and knee and dorsiflexion of the ankle, degrees, of a gait cycle (Schwartz et al. 2008)."""

JOINTS = ("hip_flexion", "knee_angle", "ankle_angle")
KNEE = 1
FLEXION = np.array([1.0, -1.0, 1.0])
"""The knee's angle of gait2392 is positive in extension."""


def forces(pose: tuple[float, float, float]) -> np.ndarray:
    """(3, m) torques, Nm, of all right muscles fully active: moment arms times maximum forces; flexion positive."""
    model = load_muscle_model()
    names = [f"{joint}_r" for joint in JOINTS]
    q = {name: np.zeros(1) for name in model.coordinates}
    q |= {name: np.array([angle]) for name, angle in zip(names, FLEXION * np.radians(pose), strict=True)}
    arms = path_geometry(model, q).arm[0][[model.coordinates.index(name) for name in names]]
    return FLEXION[:, None] * arms * np.array([muscle.maximum_force for muscle in model.muscles])


def knee_by_others(torques: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(2,) knee flexor torque for one of hip and ankle, and (3,) scales of hip, ankle and the knee's remainder."""
    C = torques @ torques.T
    slopes = C[KNEE, [0, 2]] / C[[0, 2], [0, 2]]
    rest = C[KNEE, KNEE] - slopes @ C[[0, 2], KNEE]
    return slopes, np.sqrt([C[0, 0], rest, C[2, 2]])


@pytest.mark.parametrize("pose", POSES.values(), ids=POSES)
def test_the_regression_of_knee_torques_is_that_of_gait2392(pose: tuple[float, float, float]) -> None:
    torques = forces(pose)
    assert abs((torques @ torques.T)[0, 2]) < 1e-9, "no muscle spans hip and ankle"
    slopes, _ = knee_by_others(torques)
    np.testing.assert_allclose(-slopes, list(TWO_JOINT.values()), atol=0.025)  # the spread over the poses


@pytest.mark.parametrize("flexion", [1.0, -1.0])
@pytest.mark.parametrize("pose", POSES.values(), ids=POSES)
def test_squared_efforts_are_the_least_squared_activations(pose: tuple[float, float, float], flexion: float) -> None:
    fully_active = forces(pose)
    _, scales = knee_by_others(fully_active)
    drawn = np.random.default_rng(0).standard_normal((20, 3)) * scales
    drawn[:, KNEE] += 0.3 * drawn[:, 0]
    activations = np.linalg.lstsq(fully_active, drawn.T, rcond=None)[0]  # of least norm
    names = ("left_hip_flexion", "left_knee_flexion", "left_ankle_flexion")
    walker = SimpleNamespace(skeleton=SimpleNamespace(joint_names=names), knees={"left": KNEE}, flexion=flexion)
    signed = drawn * [1.0, flexion, 1.0]
    motion = SimpleNamespace(active_tau=NodeValues(signed))
    found = uncoupled_torques(SimpleNamespace(walker=walker), np.arange(3), scales)(motion).value
    least = np.sum(activations**2, axis=0)
    # Slopes differ from the constants by up to 0.025, times hip torques of up to 3 scales on the knee's of like size.
    np.testing.assert_allclose(np.sum(found**2, axis=1), least, atol=0.1 * np.mean(least))


def test_a_knee_whose_hip_and_ankle_have_no_muscles_has_its_own_torque() -> None:
    walker = SimpleNamespace(
        skeleton=SimpleNamespace(joint_names=("right_knee_flexion", "neck")), knees={"right": 0}, flexion=1.0
    )
    motion = SimpleNamespace(active_tau=NodeValues(np.array([[30.0, 4.0]])))
    found = uncoupled_torques(SimpleNamespace(walker=walker), np.arange(2), np.array([10.0, 2.0]))(motion)
    np.testing.assert_allclose(found.value, [[3.0, 2.0]])
