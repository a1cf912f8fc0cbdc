"""The whole-body balance as a term of a fit: its value against Newton's law, its derivatives against differences."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.dynamics import ResidualForce
from pipeline.math3d import Wrench
from pipeline.skeleton import load_skeleton, point_motion

FRAMES = 3


@pytest.fixture(scope="module")
def human(request):
    return load_skeleton(request.config.rootpath / "config" / "skeleton.yaml", mass=60.0, height=1.6, sex="female")


@pytest.fixture
def case(human, rng):
    state = [rng.uniform(-0.4, 0.4, (FRAMES, len(human))) for _ in range(3)]
    loads = {"left_foot": Wrench(*(rng.normal(scale=scale, size=(FRAMES, 3)) for scale in (300.0, 20.0, 0.3)))}
    return state, loads


def test_the_residual_is_that_of_newtons_law_for_the_whole_body(human, case):
    """Sum of mass times acceleration, less weight and ground, in body weights, times the weight; zero where unknown."""
    (q, qd, qdd), loads = case
    residual, _ = ResidualForce(human, loads, 2.0, np.array([True, False, True]))(slice(None), q, qd, qdd)
    weight = human.mass.sum() * 9.81
    links = np.flatnonzero(human.mass)
    needed = sum(
        human.mass[j] * point_motion(human, human.joint_names[j], human.com[j], q, qd, qdd).acceleration_G
        for j in links
    )
    expected = 2.0 * (needed + np.array([0.0, weight, 0.0]) - loads["left_foot"].force_G) / weight
    np.testing.assert_allclose(residual[[0, 2]], expected[[0, 2]], atol=1e-10)
    np.testing.assert_array_equal(residual[1], 0.0)


def test_its_derivatives_are_those_of_its_value(human, case, rng):
    """Central differences of step 1e-6: 1e-6 of the residual's size is left of them."""
    state, loads = case
    term = ResidualForce(human, loads, 1.0, np.ones(FRAMES, dtype=bool))
    _, derivatives = term(slice(None), *state)
    for k in range(3):
        direction = rng.normal(size=(FRAMES, len(human)))
        values = []
        for step in (1e-6, -1e-6):
            moved = [part + step * direction if i == k else part for i, part in enumerate(state)]
            values.append(term(slice(None), *moved)[0])
        numeric = (values[0] - values[1]) / 2e-6
        np.testing.assert_allclose(np.einsum("tij,tj->ti", derivatives[k], direction), numeric, atol=1e-6)
