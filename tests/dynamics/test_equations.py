"""The terms of M q̈ = C + G + Q + E, their solution for the accelerations, and the energy."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.dynamics import (
    Wrench,
    energy,
    equations_of_motion,
    forward_dynamics,
    mass_matrix,
    rnea,
)
from pipeline.errors import DynamicsError
from pipeline.examples import double_pendulum
from pipeline.skeleton import Skeleton, load_skeleton
from tests.oracles.pinocchio_tree import PinocchioTree
from tests.oracles.random_trees import random_state, random_tree

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"


@pytest.mark.parametrize("seed", range(10))
def test_the_mass_matrix_agrees_with_pinocchio_and_is_symmetric_and_positive_definite(seed):
    rng = np.random.default_rng(seed)
    skeleton = load_skeleton(SKELETON) if seed == 0 else random_tree(rng, int(rng.integers(1, 30)))
    q, _, _ = random_state(rng, len(skeleton), 30)
    M, reference = mass_matrix(skeleton, q), PinocchioTree(skeleton)
    for t in range(30):
        expected = reference.mass_matrix(q[t])
        assert np.abs(M[t] - expected).max() <= 1e-9 * np.abs(expected).max()
        np.testing.assert_array_equal(M[t], M[t].T)
        assert np.linalg.eigvalsh(M[t])[0] > 0.0


def test_the_terms_balance_for_the_torques_of_inverse_dynamics():
    rng, skeleton = np.random.default_rng(1), load_skeleton(SKELETON)
    q, qd, qdd = random_state(rng, 55, 10)
    wrenches = {"left_foot": Wrench(*(100 * rng.normal(size=(3, 10, 3))))}
    tau = rnea(skeleton, q, qd, qdd, wrenches=wrenches).tau
    terms = equations_of_motion(skeleton, q, qd, tau, wrenches=wrenches)
    left = np.einsum("tij,tj->ti", terms.M, qdd)
    right = terms.C + terms.G + terms.Q + terms.E
    assert np.abs(terms.C).max() > 1.0
    assert np.abs(terms.E).max() > 1.0
    np.testing.assert_allclose(left, right, rtol=0, atol=1e-11 * np.abs(terms.Q).max())


def test_weight_is_minus_the_gradient_of_the_potential_energy():
    rng, skeleton, h = np.random.default_rng(3), load_skeleton(SKELETON), 1e-5
    q, qd, _ = random_state(rng, 55, 1)
    weight = equations_of_motion(skeleton, q, qd).G
    for j in range(55):
        step = np.eye(55)[[j]] * h
        slope = (energy(skeleton, q + step, qd).potential - energy(skeleton, q - step, qd).potential) / (2 * h)
        # central differences of an energy of 1 kJ: eps / h of it
        np.testing.assert_allclose(weight[:, j], -slope, atol=1e-6)


def test_the_power_of_the_torques_is_the_rate_of_the_energy():
    rng, skeleton, h = np.random.default_rng(4), load_skeleton(SKELETON), 1e-5
    q, qd, qdd = random_state(rng, 55, 1)
    power = np.sum(rnea(skeleton, q, qd, qdd).tau * qd)

    def total(t):
        return energy(skeleton, q + qd * t + qdd * t**2 / 2, qd + qdd * t).total[0]

    rate = (total(h) - total(-h)) / (2 * h)
    np.testing.assert_allclose(power, rate, rtol=1e-6)  # h^2 of the third derivative of motions of tens of rad/s^2


@pytest.mark.parametrize("seed", range(10))
def test_forward_dynamics_inverts_inverse_dynamics(seed):
    """To 1e-8 for moderate angles, and elsewhere to rounding times the condition number of M."""
    rng = np.random.default_rng(seed)
    skeleton = load_skeleton(SKELETON) if seed < 3 else random_tree(rng, int(rng.integers(2, 30)))
    n = len(skeleton)
    _, qd, qdd = random_state(rng, n, 20)
    wrenches = {skeleton.joint_names[-1]: Wrench(*(10 * rng.normal(size=(3, 20, 3))))}
    for q in (rng.uniform(-1, 1, (20, n)), rng.uniform(-3, 3, (20, n))):
        tau = rnea(skeleton, q, qd, qdd, wrenches=wrenches).tau
        back = forward_dynamics(skeleton, q, qd, tau, wrenches=wrenches)
        condition = np.linalg.cond(mass_matrix(skeleton, q)).max()
        bound = 1e-8 if np.abs(q).max() < 1 and seed < 3 else 1e-14 * condition * n
        assert np.abs(back - qdd).max() <= max(bound, 1e-11) * np.abs(qdd).max()


def test_joints_that_move_in_each_others_place_are_refused_by_name():
    """Two parallel axes through one point with no mass between them."""
    skeleton = Skeleton(
        joint_names=("first", "second"),
        parent=[-1, 0],
        kind=("R", "R"),
        theta=np.zeros(2),
        d=np.zeros(2),
        a=[0.0, 1.0],
        alpha=np.zeros(2),
        origin=np.tile(np.eye(4), (2, 1, 1)),
        mass=[0.0, 1.0],
        com=[[0, 0, 0], [-0.5, 0, 0]],
        inertia=[np.zeros((3, 3)), np.diag([0, 1 / 12, 1 / 12])],
    )
    with pytest.raises(DynamicsError, match=r"joint first: the mass matrix is singular in frame 0"):
        forward_dynamics(skeleton, np.ones((1, 2)), np.ones((1, 2)), np.ones((1, 2)))


def test_actuation_that_is_no_number_is_refused():
    """It would otherwise stand in Q, while M, C, G and E are finite."""
    with pytest.raises(DynamicsError, match="tau is nan in frame 0"):
        equations_of_motion(
            double_pendulum.tree(double_pendulum.Bars()), np.zeros((1, 2)), np.zeros((1, 2)), np.array([[0.0, np.nan]])
        )
