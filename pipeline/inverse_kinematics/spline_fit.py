"""Inverse kinematics of all frames at once: one smooth motion, including its velocities and accelerations.

The coordinates are quintic splines. Their coefficients minimise

    sum over frames of   marker cost   +   q̈' H q̈ / (2 w^4)   +   |r(q, q̇, q̈)|^2 / 2,

with H the mean of the markers' normal matrix J' W J. Near the solution the first two terms low-pass filter every
combination of coordinates with the gain 1 / (1 + (f / f0)^4), that of a second-order Butterworth filter run forwards
and backwards. With f0 the cut-off over (sqrt(2) - 1)^(1/4) the motion is filtered as markers and forces are (Winter
2009, eq. 3.10), but a missing marker causes no step and a gap is bridged. r is any additional residual of the motion,
such as the pelvis residuals. The Gauss-Newton method is used; the normal equations are banded and factorised while they
are assembled.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.interpolate import BSpline, make_lsq_spline
from scipy.linalg.blas import dsyrk

from pipeline.errors import DynamicsError
from pipeline.inverse_kinematics.banded_cholesky import BlockBandedCholesky
from pipeline.inverse_kinematics.frame_fit import HUBER, REGULARISATION_WEIGHT, marker_distances
from pipeline.inverse_kinematics.kernels import add_span_kernel, normal_equations_kernel
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.skeleton import Skeleton

DEGREE = 5
_SUPPORT = DEGREE + 1

KNOTS_PER_CUTOFF = 3.0
"""Knots per period of the cut-off: the spline then represents all frequencies below 1.5 times the cut-off."""

MAX_CUTOFF = 0.3
"""Maximum cut-off over the frame rate: beyond it there are nearly as many coefficients as frames."""

LIMIT_PENALTY = 1.0
"""m^2/rad^2, penalty of joint limits: 0.01 rad beyond a limit costs as much as one marker off by 10 mm."""

_MAX_ITERATIONS = 40
_TOLERANCE = 1e-3
"""Predicted relative decrease of the cost at convergence. A further step moves markers by micrometres; only weakly
observable coordinates, such as the axial rotation of a straight arm, still change by degrees."""

_ROUNDING = 1e-20
"""m^2; predicted decrease of the cost, that of one marker moved by 1e-10 m, below which rounding explains it."""

_DAMPING = 1e-2
"""Levenberg-Marquardt damping, relative to the diagonal, used once a full step has increased the cost."""


Residual = Callable[[slice, np.ndarray, np.ndarray, np.ndarray], tuple[np.ndarray, Sequence[np.ndarray]]]
"""An additional weighted residual (F, m) of the coordinates, rates and accelerations (F, n) of some frames, and its
derivatives (F, m, n) with respect to the three."""


@dataclass(frozen=True)
class SplineFit:
    """A smooth motion of T frames, (T, n) each, and the distances of K markers from their model markers.

    Attributes:
        q, qd, qdd: coordinates and their rates.
        spline: the motion at any time, s from the first frame.
        distance: (T, K) m; NaN if the marker is missing.
        iterations: number of Gauss-Newton steps.
        converged: whether the decrease of the cost predicted by the last step is below the tolerance; not if even the
            shortest part of a step increased it.
    """

    q: np.ndarray
    qd: np.ndarray
    qdd: np.ndarray
    spline: BSpline
    distance: np.ndarray
    iterations: int
    converged: bool


def fit_spline(
    skeleton: Skeleton,
    model_markers: ModelMarkers,
    markers_G: np.ndarray,
    rate: float,
    cutoff: float,
    start: np.ndarray,
    *,
    weights: np.ndarray | None = None,
    left_out: np.ndarray | None = None,
    reference: np.ndarray | None = None,
    regularisation: np.ndarray | None = None,
    residual: Residual | None = None,
) -> SplineFit:
    """Fit a smooth motion to markers.

    Args:
        skeleton: tree of n joints.
        model_markers: K.
        markers_G: (T, K, 3) m, unfiltered; NaN if missing.
        rate: Hz.
        cutoff: Hz at which the motion's gain is -3 dB.
        start: (T, n) initial coordinates, such as those of `fit_frames`; NaN rows are interpolated.
        weights: (K,) of the squared distances.
        left_out: (T, K) markers to leave out.
        reference, regularisation: as for `fit_frames`.
        residual: an additional residual to minimise.

    Raises:
        DynamicsError: there are fewer frames than the spline needs, or the cut-off is too near the frame rate.
    """
    if not 0.0 < cutoff <= MAX_CUTOFF * rate:
        raise DynamicsError(
            f"cut-off {cutoff:g} Hz is not between 0 and {MAX_CUTOFF * rate:g} Hz, {MAX_CUTOFF:g} of the frame rate",
            where="inverse kinematics",
            remedy="Lower the cut-off of the markers in config.yaml (filter)",
        )
    frames, n = len(markers_G), len(skeleton)
    time = np.arange(frames) / rate
    spans = max(1, round(KNOTS_PER_CUTOFF * cutoff * time[-1])) if frames > 1 else 0
    spans = min(spans, frames - _SUPPORT)
    if spans < 1:
        raise DynamicsError(f"{frames} frames are too few for a spline of degree {DEGREE}", where="inverse kinematics")
    inner = np.linspace(0.0, time[-1], spans + 1)
    knots = np.concatenate([np.full(DEGREE, inner[0]), inner, np.full(DEGREE, inner[-1])])
    weight = np.where(np.isfinite(markers_G).all(axis=2), 1.0 if weights is None else weights, 0.0)
    if left_out is not None:
        weight[left_out] = 0.0
    regularisation_by_joint = REGULARISATION_WEIGHT * (np.ones(n) if regularisation is None else regularisation)
    regularisation_by_joint[skeleton.global_joints] = 0.0
    problem = _Problem(
        skeleton,
        model_markers,
        np.ascontiguousarray(markers_G, dtype=float),
        weight,
        np.zeros(n) if reference is None else np.asarray(reference, dtype=float),
        regularisation_by_joint,
        time,
        knots,
        residual,
    )
    whole = np.isfinite(start).all(axis=1)
    bridged = np.stack([np.interp(time, time[whole], start[whole, j]) for j in range(n)], axis=1)
    problem.measure_smoothness(bridged, 2.0 * np.pi * cutoff / (np.sqrt(2.0) - 1.0) ** 0.25)
    coefficients = make_lsq_spline(time, bridged, knots, k=DEGREE).c
    coefficients, iterations, converged = problem.minimise(coefficients)
    spline = BSpline(knots, coefficients, DEGREE)
    q = spline(time)
    distance = marker_distances(skeleton, model_markers, q, markers_G)
    return SplineFit(q, spline(time, nu=1), spline(time, nu=2), spline, distance, iterations, converged)


@dataclass
class _Problem:
    """The cost of a motion and the normal equations of its spline coefficients (M, n), assembled span by span."""

    skeleton: Skeleton
    model_markers: ModelMarkers
    markers: np.ndarray
    weight: np.ndarray
    reference: np.ndarray
    regularisation_by_joint: np.ndarray
    time: np.ndarray
    knots: np.ndarray
    residual: Residual | None

    def __post_init__(self) -> None:
        inner = self.knots[DEGREE:-DEGREE]
        span = np.clip(np.searchsorted(inner, self.time, side="right") - 1, 0, len(inner) - 2)
        edges = np.searchsorted(span, np.arange(len(inner)))
        self.spans = [slice(int(a), int(b)) for a, b in pairwise(edges)]
        identity = np.eye(_SUPPORT)
        self.bases = []
        for s, frames in enumerate(self.spans):
            local = BSpline(self.knots[s : s + 2 * _SUPPORT], identity, DEGREE)
            self.bases.append([local(self.time[frames], nu=order) for order in range(3)])
        self.coupled = tuple(np.ascontiguousarray(k) for k in np.nonzero(self.skeleton.is_ancestor.T))
        self.smooth = np.zeros((len(self.skeleton),) * 2)

    def measure_smoothness(self, q: np.ndarray, omega: float) -> None:
        """Set the weight of the accelerations from the mean of the markers' normal matrix over frames q (T, n)."""
        some = slice(None, None, max(1, len(q) // 200))
        H, _, _ = self._marker_equations(some, q[some])
        self.smooth = H.mean(axis=0) / omega**4

    def minimise(self, coefficients: np.ndarray) -> tuple[np.ndarray, int, bool]:
        """Gauss-Newton with step halving; damped from the first step that had to be halved."""
        damping = 1e-10
        cost, equations = self._equations(coefficients, damping)
        for count in range(1, _MAX_ITERATIONS + 1):
            step = equations.solve()
            predicted = 0.5 * equations.decrease
            del equations  # the largest array: never two of them at a time
            if predicted < max(_TOLERANCE * cost, _ROUNDING):
                return coefficients + step, count, True
            before, fraction = cost, 1.0
            trial = coefficients + step
            cost, equations = self._equations(trial, damping)
            while cost > before and fraction > 1e-3:
                fraction, damping = 0.5 * fraction, _DAMPING
                trial = coefficients + fraction * step
                del equations
                cost, equations = self._equations(trial, damping)
            if cost > before:
                return coefficients, count, False
            coefficients = trial
        return coefficients, _MAX_ITERATIONS, False

    def _motion(self, s: int, coefficients: np.ndarray) -> list[np.ndarray]:
        """Coordinates and their derivatives in the frames of span s."""
        return [basis @ coefficients[s : s + _SUPPORT] for basis in self.bases[s]]

    def _marker_equations(self, frames: slice, q: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        n = len(self.skeleton)
        H, g = np.empty((len(q), n, n)), np.empty((len(q), n))
        cost = normal_equations_kernel(
            self.skeleton.arrays,
            self.model_markers.joint,
            self.model_markers.point,
            np.ascontiguousarray(self.markers[frames]),  # another layout would be compiled separately
            np.ascontiguousarray(self.weight[frames]),
            HUBER,
            self.reference,
            self.regularisation_by_joint,
            self.skeleton.q_lower,
            self.skeleton.q_upper,
            LIMIT_PENALTY,
            np.ascontiguousarray(q),
            H,
            g,
        )
        return H, g, cost

    def _equations(self, coefficients: np.ndarray, damping: float) -> tuple[float, BlockBandedCholesky]:
        """Cost, and the normal equations of the Gauss-Newton step."""
        n = len(self.skeleton)
        equations = BlockBandedCholesky(len(coefficients), n, _SUPPORT, damping)
        total = 0.0
        for s, frames in enumerate(self.spans):
            equations.begin_span()
            if frames.start < frames.stop:
                q, qd, qdd = self._motion(s, coefficients)
                B, B1, B2 = self.bases[s]
                H, g, cost = self._marker_equations(frames, q)
                add_span_kernel(equations.window, B, H, B2.T @ B2, self.smooth, *self.coupled)
                smoothing = qdd @ self.smooth
                equations.rhs -= (B.T @ g + B2.T @ smoothing).ravel()
                total += cost + 0.5 * float((smoothing * qdd).sum())
                if self.residual:
                    r, derivatives = self.residual(frames, q, qd, qdd)
                    K = sum(
                        basis[:, None, :, None] * derivative[:, :, None, :]
                        for basis, derivative in zip((B, B1, B2), derivatives, strict=True)
                    ).reshape(r.size, _SUPPORT * n)
                    dsyrk(1.0, K.T, beta=1.0, c=equations.window, lower=1, overwrite_c=1)
                    equations.rhs -= K.T @ r.ravel()
                    total += 0.5 * float((r**2).sum())
            equations.end_span()
        return total, equations
