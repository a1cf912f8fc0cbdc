"""Residuals of the objectives, whose sum of squares is the objective, and their Jacobians."""

from __future__ import annotations

import numpy as np

from pipeline.optimisation.node_values import NodeValues
from pipeline.optimisation.sparse_rows import SparseRows
from pipeline.optimisation.terms import SquaredIntegral, SquaredRate
from pipeline.optimisation.transcription import Rows, States


def between_nodes(at_nodes: list[np.ndarray], steps: np.ndarray) -> np.ndarray:
    """(K-1, ...) rates of the first (K, ...) over steps (K-1,), s, plus node-to-node means of the second, if given."""
    rate_of, *plus = at_nodes
    rates = np.diff(rate_of, axis=0) / np.expand_dims(steps, tuple(range(1, rate_of.ndim)))
    return sum((0.5 * (one[1:] + one[:-1]) for one in plus), start=rates)


def residuals_at_nodes(
    terms: list[tuple[SquaredIntegral, NodeValues]], states: States
) -> tuple[np.ndarray, SparseRows]:
    """Residuals (K R,), node by node, whose sum of squares is the sum of all terms, and their Jacobian.

    The quadrature weights depend on the total time and the breaks if these are free.
    """
    assert states.gradient is not None
    weights, gradient = states.quadrature, states.gradient
    supports = gradient.supports
    first = np.cumsum([0] + [values.value.shape[1] for _, values in terms])
    K, R = len(weights), int(first[-1])
    residuals, jacobian = np.zeros((K, R)), np.zeros((K * R, supports.width))
    for (part, values), start in zip(terms, first, strict=False):
        factor = np.broadcast_to(np.sqrt(part.weight * weights)[:, None], values.value.shape)
        residuals[:, start : start + values.value.shape[1]] = factor * values.value
        gradient.chain_rule(values.partials, Rows.among(factor, start, R), jacobian)
    if np.any(states.quadrature_gradient):
        relative = supports.compact(0.5 * states.quadrature_gradient / weights[:, None])
        jacobian += (residuals[:, :, None] * relative[:, None, :]).reshape(jacobian.shape)
    return residuals.ravel(), SparseRows.compact(jacobian, supports, np.repeat(np.arange(K), R))


def residuals_of_rates(
    terms: list[tuple[SquaredRate, list[NodeValues]]], states: States
) -> tuple[np.ndarray, SparseRows]:
    """Residuals ((K-1) R,), one per pair of nodes, whose sum of squares is the sum of all terms; their Jacobian.

    Time steps depend on the total time and the breaks if these are free.
    """
    assert states.gradient is not None
    steps, gradient = np.diff(states.time)[:, None], states.gradient
    supports = gradient.supports_of_pairs
    first = np.cumsum([0] + [values[0].value.shape[1] for _, values in terms])
    pairs, R = len(steps), int(first[-1])
    residuals, by_steps = np.zeros((pairs, R)), np.zeros((pairs, R))
    jacobian = np.zeros((pairs * R, supports.width))
    for (part, values), start in zip(terms, first, strict=False):
        rate_of, *plus = values
        root = np.sqrt(part.weight * steps)
        value, slope = part.function(between_nodes([one.value for one in values], steps[:, 0]))
        own, slope = slice(start, start + value.shape[1]), slope * root
        residuals[:, own] = value * root
        by_steps[:, own] = 0.5 * value * root / steps - slope * np.diff(rate_of.value, axis=0) / steps**2
        change = slope / steps
        gradient.chain_rule_of_pairs(rate_of.partials, Rows.among(-change, start, R), change.ravel(), jacobian)
        for one in plus:
            half = 0.5 * slope
            gradient.chain_rule_of_pairs(one.partials, Rows.among(half, start, R), half.ravel(), jacobian)
    if np.any(states.time_gradient):
        of_steps = supports.compact(np.diff(states.time_gradient, axis=0))
        jacobian += (by_steps[:, :, None] * of_steps[:, None, :]).reshape(jacobian.shape)
    return residuals.ravel(), SparseRows.compact(jacobian, supports, np.repeat(np.arange(pairs), R))
