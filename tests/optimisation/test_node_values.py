"""Derivatives of quantities at nodes against complex steps; products of sparse rows against dense ones."""

import numpy as np
import pytest

from pipeline.optimisation import NodeValues, SparseRows, Support
from pipeline.optimisation.sparse_rows import Supports

K, R, N = 4, 3, 5
STEP = 1e-30


def curved(q: np.ndarray, seed: int) -> np.ndarray:
    """(K, R) smooth functions of q (K, N)."""
    mix = np.random.default_rng(seed).normal(size=(R, N))
    return np.sin(q @ mix.T) + (q**2) @ np.abs(mix).T


def quantity(q: np.ndarray, seed: int) -> NodeValues:
    """The same with its derivatives by complex steps."""
    return NodeValues(curved(q, seed), by_complex_step(lambda at: curved(at, seed), q))


def by_complex_step(function, q: np.ndarray) -> np.ndarray:
    columns = [function(q + 1j * STEP * unit).imag / STEP for unit in np.eye(N)]
    return np.stack(columns, axis=2)


@pytest.mark.parametrize(
    "operation",
    ["rows", "scaled", "transformed", "transformed at each node", "plus", "minus", "times", "dot", "direction"],
)
def test_derivatives_of_every_operation_match_complex_steps(operation: str) -> None:
    rng = np.random.default_rng(3)
    q, factor, matrix, matrices = (rng.normal(size=shape) for shape in ((K, N), R, (2, R), (K, 2, R)))
    apply = {
        "rows": (lambda a, b: a.rows([2, 0]), lambda a, b: a[:, [2, 0]]),
        "scaled": (lambda a, b: a.scaled(factor), lambda a, b: a * factor),
        "transformed": (lambda a, b: a.transformed(matrix), lambda a, b: a @ matrix.T),
        "transformed at each node": (
            lambda a, b: a.transformed(matrices),
            lambda a, b: np.einsum("ksr,kr->ks", matrices, a),
        ),
        "plus": (lambda a, b: a + b, lambda a, b: a + b),
        "direction": (lambda a, b: a.direction, lambda a, b: a / np.sqrt((a**2).sum(axis=1, keepdims=True))),
        "minus": (lambda a, b: a - b, lambda a, b: a - b),
        "times": (lambda a, b: a.times(b), lambda a, b: a * b),
        "dot": (lambda a, b: a.dot(b), lambda a, b: np.sum(a * b, axis=1, keepdims=True)),
    }
    ours, plain = apply[operation]
    found = ours(quantity(q, 1), quantity(q, 2))
    np.testing.assert_allclose(found.value, plain(curved(q, 1), curved(q, 2)), atol=1e-14)
    expected = by_complex_step(lambda at: plain(curved(at, 1), curved(at, 2)), q)
    np.testing.assert_allclose(found.dq, expected, atol=1e-13)


def test_a_missing_partial_derivative_counts_as_zero() -> None:
    value, slope = np.ones((K, R)), np.full((K, R, N), 2.0)
    still, moving = NodeValues(value), NodeValues(value, dqd=slope)
    assert (still - moving).dq is None
    np.testing.assert_array_equal((still - moving).dqd, -slope)
    np.testing.assert_array_equal((moving - still).dqd, slope)
    np.testing.assert_array_equal(still.dot(moving).dqd, np.full((K, 1, N), 6.0))
    assert still.dot(still).dq is None


def test_sparse_rows_multiply_like_the_dense_matrix() -> None:
    """Supports of one range, of two that wrap round, and of scattered columns, which count as all columns."""
    rng = np.random.default_rng(5)
    n = 12
    kinds = [np.arange(3, 7), np.r_[0:2, 9:12], np.array([0, 2, 4, 6, 8])]
    which = rng.integers(0, 3, 30)
    matrix = np.zeros((30, n))
    for row, kind in zip(matrix, which, strict=True):
        row[kinds[kind]] = rng.normal(size=len(kinds[kind]))
    supports = Supports(tuple(Support.of(columns, n) for columns in kinds), which, n)
    rows = SparseRows.compact(supports.compact(matrix), supports, np.arange(30))
    np.testing.assert_array_equal(rows.toarray(), matrix)
    vector, multipliers, weights = rng.normal(size=n), rng.normal(size=30), rng.uniform(0.1, 2.0, 30)
    np.testing.assert_allclose(rows.times(vector), matrix @ vector, atol=1e-14)
    np.testing.assert_allclose(rows.transposed_times(multipliers), matrix.T @ multipliers, atol=1e-14)
    total = np.eye(n)
    rows.add_gram(weights, total)
    expected = np.eye(n) + matrix.T @ (weights[:, None] * matrix)
    np.testing.assert_allclose(np.tril(total), np.tril(expected), atol=1e-13)
    rows.add_gram(2.0, total)
    np.testing.assert_allclose(np.tril(total), np.tril(expected + 2.0 * matrix.T @ matrix), atol=1e-13)


def test_stacked_and_chosen_rows_keep_their_order_and_rows_outside_all_blocks_are_zero() -> None:
    rng = np.random.default_rng(6)
    below = rng.normal(size=(2, 5))
    supports = Supports((Support.of(np.array([1, 2]), 5),), np.zeros(1, dtype=int), 5)
    values = rng.normal(size=(3, 2))
    above = SparseRows.compact(values, supports, np.array([0, -1, 0]))
    expected = np.zeros((5, 5))
    expected[[0, 2], 1:3], expected[3:] = values[[0, 2]], below
    stacked = SparseRows.stacked([above, SparseRows.dense(below)])
    np.testing.assert_array_equal(stacked.toarray(), expected)
    np.testing.assert_allclose(stacked.times(np.arange(5.0)), expected @ np.arange(5.0), atol=1e-14)
    for keep in ([True, False, True, False, True], [False, True, False, True, False], [False] * 5):
        np.testing.assert_array_equal(stacked.chosen(np.array(keep)).toarray(), expected[keep])
