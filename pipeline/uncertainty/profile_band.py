"""95 % bands of curves that are not linear in the errors: profile-likelihood intervals, from second derivatives.

A band is the range of the curve over all independent normal errors that are together within 1.96 standard deviations,
around the body as measured (Venzon and Moolgavkar 1988, Appl Stat 37(1), 87-94). If the curve is linear, that is 1.96
of its standard deviations to both sides. If it is a product of two errors, the gradient and hence the standard
deviation depend on the errors; ankle inversion, for example, is mostly the turn of the knee axis times the foot's
inclination. Symmetric bands of 1.96 standard deviations then cover 90 to 98 %, depending on the true factors; the range
covers 95 % for all of them. With gradient g, Hessian H, and the standard deviation r of the linear part, its ends are

    max and min of g' x + x' H x / 2 + r y  over  x' x + y^2 <= 1.96^2,

a trust-region problem, solved by its dual (More and Sorensen 1983, SIAM J Sci Stat Comput 4(3), 553-572). H is computed
in the few directions of the body's errors in which curves with a large second-order variance change most.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.conventions import BAND_95
from pipeline.uncertainty.body_errors import BodyPerturbation, combined
from pipeline.uncertainty.recorded_walk import RecordedWalk

DIRECTIONS = 6
"""Number of directions in which second derivatives are computed: with all 32 of a Plug-in Gait body, the second order's
effect on coverage is larger by a tenth to two fifths."""

HALVINGS = 50
"""Number of halvings of the dual variable's interval: down to its rounding error."""


def profile_band(sd: np.ndarray, gradient: np.ndarray, hessian: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How far 95 % bands reach below and above the curves (...), in their units; missing where the deviation is.

    Args:
        sd: standard deviation of the curves' errors from all sources (...), with the second order counted once.
        gradient, hessian: first and second derivatives (M, ...) and (M, M, ...) by M errors of standard deviation one.
    """
    known = np.isfinite(sd)
    g, H = np.moveaxis(gradient[:, known], 0, -1), np.moveaxis(hessian[:, :, known], (0, 1), (-2, -1))
    # The squared gradient at the estimate contains the second order twice.
    linear = sd[known] ** 2 + 0.5 * np.sum(H**2, axis=(-2, -1)) - np.sum(g**2, axis=-1)
    curvature, axes = np.linalg.eigh(H)
    slopes = np.einsum("nij,ni->nj", axes, g)
    slopes = np.concatenate([slopes, np.sqrt(np.maximum(linear, 0.0))[:, None]], axis=1)
    curvature = np.concatenate([curvature, np.zeros((len(curvature), 1))], axis=1)
    below, above = np.full((2, *sd.shape), np.nan)
    below[known], above[known] = (_greatest_rise(slopes, sign * curvature) for sign in (-1.0, 1.0))
    return below, above


def _greatest_rise(slopes: np.ndarray, curvature: np.ndarray) -> np.ndarray:
    """Maximum (N,) of sum(slopes y + curvature y^2 / 2) over |y| <= BAND_95, with slopes and curvatures (N, M).

    It equals the minimum of the dual function sum(slopes^2 / (m - curvature)) / 2 + m BAND_95^2 / 2 over m >= 0 above
    all curvatures. The minimum is found by halving, since the derivative of the dual function grows with m.
    """
    low = np.maximum(curvature.max(axis=1), 0.0)
    high = low + np.linalg.norm(slopes, axis=1) / BAND_95
    above = np.spacing(np.maximum(high, np.finfo(float).tiny))

    def reach(m: np.ndarray) -> np.ndarray:
        return slopes / np.maximum(m[:, None] - curvature, above[:, None])

    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        outside = np.linalg.norm(reach(middle), axis=1) > BAND_95
        low, high = np.where(outside, middle, low), np.where(outside, high, middle)
    return 0.5 * (np.sum(slopes * reach(high), axis=1) + high * BAND_95**2)


def main_derivatives(
    walk: RecordedWalk,
    errors: Sequence[BodyPerturbation],
    changes: np.ndarray,
    variance: np.ndarray,
    second_order: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """First and second derivatives (M, 2, V, 101) and (M, M, 2, V, 101) of the mean curves, by differences, in the M
    orthogonal directions of the body's errors in which curves with a large second-order variance change most.

    Args:
        walk: the walk.
        errors: all E errors of the body.
        changes: of the mean curves by each error (E, 2, V, 101).
        variance, second_order: variance of the curves' errors (2, V, 101), and its second-order part.
    """
    known = np.isfinite(changes).all(axis=0) & (variance > 0.0)
    weight = np.sqrt(second_order[known]) / variance[known]
    directions = np.linalg.svd(changes[:, known] * weight, full_matrices=False)[0][:, :DIRECTIONS].T

    def change(amounts: np.ndarray) -> np.ndarray:
        return walk.curves(walk.with_body_error(combined(errors, amounts))) - walk.mean_curves

    up, down = (np.array([change(sign * direction) for direction in directions]) for sign in (1.0, -1.0))
    hessian = np.empty((len(directions), *up.shape))
    for i, first in enumerate(directions):
        hessian[i, i] = up[i] + down[i]
        for j in range(i):
            hessian[i, j] = hessian[j, i] = change(first + directions[j]) - up[i] - up[j]
    return 0.5 * (up - down), hessian
