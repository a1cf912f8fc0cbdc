"""Torques of `rnea` against the recursive Lagrangian form with 4 x 4 transforms, written from another derivation."""

import numpy as np

from pipeline.dynamics import rnea
from tests.oracles.random_trees import random_state, random_tree
from tests.oracles.recursive_lagrangian import arguments, lagrangian_kernel


def test_newton_euler_and_lagrange_agree_on_random_trees() -> None:
    rng = np.random.default_rng(4)
    for n in (2, 5):
        tree = random_tree(rng, n)
        state = random_state(rng, n, 1)
        tau = np.zeros((1, n))
        gravity = np.array([1.0, -9.0, 2.0])
        lagrangian_kernel(*arguments(tree), *state, gravity, tau)
        expected = rnea(tree, *state, gravity=gravity).tau
        # Rounding of sums of some hundred products.
        np.testing.assert_allclose(tau, expected, atol=1e-10 * np.abs(expected).max())
