"""Block-banded Cholesky elimination, span by span, against a dense solve of the whole matrix."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import LinAlgError

from pipeline.inverse_kinematics.banded_cholesky import BlockBandedCholesky

N, SUPPORT, SPANS = 4, 3, 7
COUNT = SPANS + SUPPORT - 1
SIZE = SUPPORT * N


def spans(seed: int) -> list[tuple[np.ndarray, np.ndarray]]:
    """Share of each span in the matrix and the right side; one span has none, as one without frames."""
    rng = np.random.default_rng(seed)
    shares = []
    for s in range(SPANS):
        J = rng.normal(size=(0 if s == 2 else 2 * SIZE, SIZE))
        shares.append((J.T @ J, J.T @ rng.normal(size=len(J))))
    return shares


def eliminated(shares: list[tuple[np.ndarray, np.ndarray]], damping: float) -> BlockBandedCholesky:
    equations = BlockBandedCholesky(COUNT, N, SUPPORT, damping)
    for A, b in shares:
        equations.begin_span()
        equations.window += np.tril(A)
        equations.rhs += b
        equations.end_span()
    return equations


@pytest.mark.parametrize("damping", [0.0, 0.3])
def test_the_solution_is_that_of_the_whole_matrix_with_its_diagonal_damped(damping: float) -> None:
    shares = spans(5)
    A, b = np.zeros((COUNT * N, COUNT * N)), np.zeros(COUNT * N)
    for s, (part, right) in enumerate(shares):
        here = slice(s * N, s * N + SIZE)
        A[here, here] += part
        b[here] += right
    A[np.diag_indices_from(A)] *= 1.0 + damping
    expected = np.linalg.solve(A, b)
    equations = eliminated(shares, damping)
    found = equations.solve()
    assert found.shape == (COUNT, N)
    # The factor's columns have seven digits, and the matrix a condition number below a thousand.
    np.testing.assert_allclose(found.ravel(), expected, atol=1e-5 * np.abs(expected).max())
    assert equations.decrease == pytest.approx(b @ expected, rel=1e-12), "what was eliminated has all digits"


def test_an_undetermined_coefficient_is_refused() -> None:
    shares = spans(6)
    for A, _ in shares[:2]:
        A[1] = A[:, 1] = 0.0
    with pytest.raises(LinAlgError, match="coefficient 0"):
        eliminated(shares, 0.0)
