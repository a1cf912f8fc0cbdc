"""Muscle lengths as polynomials of the joint angles; moment arms are minus their analytic derivatives.

Each muscle gets a polynomial of the coordinates on which it acts, of the lowest total degree that reproduces the moment
arms of the path (as in van den Bogert et al. 2013 and De Groote et al. 2016). It is fitted by linear least squares to
moment arms and lengths at random postures.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.muscles.paths import MuscleModel, PathGeometry, path_geometry

WALKING = {
    "hip_flexion": (-30.0, 45.0),
    "hip_adduction": (-20.0, 20.0),
    "hip_rotation": (-25.0, 25.0),
    "knee_angle": (-80.0, 5.0),
    "ankle_angle": (-35.0, 30.0),
    "subtalar_angle": (-25.0, 25.0),
    "mtp_angle": (-10.0, 40.0),
    "lumbar_extension": (-35.0, 20.0),
    "lumbar_bending": (-20.0, 20.0),
    "lumbar_rotation": (-20.0, 20.0),
}
"""Range of each coordinate of gait2392, without its side, deg: that of walking, plus a margin."""

_DEGREES = range(2, 7)
_ARM_TOLERANCE = 5e-4
"""m, root mean square error of a moment arm at postures not fitted, below which the degree is no longer raised."""

_LENGTH_WEIGHT = 10.0
"""Weight of a length relative to a moment arm: an error of 1 mm in length counts like one of 10 mm per rad."""


@dataclass(frozen=True)
class MusclePolynomial:
    """A muscle's length.

    Attributes:
        coordinates: names, v of them.
        centre, half_range: (v,) rad; the variables are x = (q - centre) / half_range, between -1 and 1 in the range.
        exponents: (k, v).
        coefficients: (k,) m.
        error: (v,) m, root mean square difference of the moment arms from the path's at postures not fitted.
    """

    coordinates: tuple[str, ...]
    centre: np.ndarray
    half_range: np.ndarray
    exponents: np.ndarray
    coefficients: np.ndarray
    error: np.ndarray

    @property
    def degree(self) -> int:
        """Total degree."""
        return int(self.exponents.sum(axis=1).max())


def fit_polynomials(
    model: MuscleModel, ranges: Mapping[str, tuple[float, float]], postures: int = 800, seed: int = 0
) -> tuple[MusclePolynomial, ...]:
    """Polynomials of all muscles over ranges of the coordinates, deg by name.

    Two thirds of the postures are fitted; the others give the error.

    Raises:
        DynamicsError: a coordinate of the model has no range.
    """
    missing = [name for name in model.coordinates if name not in ranges]
    if missing:
        raise DynamicsError(f"no range for {', '.join(missing)}", where="fit of muscle lengths")
    bounds = np.radians([ranges[name] for name in model.coordinates])
    q = np.random.default_rng(seed).uniform(bounds[:, 0], bounds[:, 1], (postures, len(bounds)))
    parts = [path_geometry(model, dict(zip(model.coordinates, part.T, strict=True))) for part in np.array_split(q, 8)]
    exact = PathGeometry(*(np.concatenate([getattr(part, key) for part in parts]) for key in ("length", "arm")))
    return tuple(_fit(model, bounds, q, exact, m) for m in range(len(model.muscles)))


def _fit(model: MuscleModel, bounds: np.ndarray, q: np.ndarray, exact: PathGeometry, m: int) -> MusclePolynomial:
    acts = np.flatnonzero(np.abs(exact.arm[:, :, m]).max(axis=0) > 1e-9)
    centre, half = bounds[acts].mean(axis=1), np.ptp(bounds[acts], axis=1) / 2
    length, arm = exact.length[:, m], exact.arm[:, acts, m]
    fitted = slice(0, 2 * len(q) // 3)
    checked = slice(fitted.stop, None)
    for degree in _DEGREES:
        exponents = _exponents(len(acts), degree)
        value, slope = _terms((q[:, acts] - centre) / half, exponents, half)
        A = np.concatenate([_LENGTH_WEIGHT * value[fitted], -slope[fitted].reshape(-1, len(exponents))])
        b = np.concatenate([_LENGTH_WEIGHT * length[fitted], arm[fitted].ravel()])
        coefficients = np.linalg.solve(A.T @ A, A.T @ b)  # well enough conditioned for monomials between -1 and 1
        error = np.sqrt(np.mean((-slope[checked] @ coefficients - arm[checked]) ** 2, axis=0))
        if error.max() < _ARM_TOLERANCE:
            break
    names = tuple(model.coordinates[j] for j in acts)
    return MusclePolynomial(names, centre, half, exponents, coefficients, error)


def polynomial_geometry(
    polynomials: tuple[MusclePolynomial, ...], coordinates: tuple[str, ...], q: Mapping[str, np.ndarray]
) -> PathGeometry:
    """Lengths and moment arms of all muscles about ``coordinates``, for coordinates (T,) by name, rad."""
    frames = len(next(iter(q.values())))
    out = PathGeometry(np.empty((frames, len(polynomials))), np.zeros((frames, len(coordinates), len(polynomials))))
    for m, polynomial in enumerate(polynomials):
        x = np.stack([q[name] for name in polynomial.coordinates], axis=1)
        x = (x - polynomial.centre) / polynomial.half_range
        value, slope = _terms(x, polynomial.exponents, polynomial.half_range)
        rows = [coordinates.index(name) for name in polynomial.coordinates]
        out.length[:, m] = value @ polynomial.coefficients
        out.arm[:, rows, m] = -slope @ polynomial.coefficients
    return out


def _exponents(variables: int, degree: int) -> np.ndarray:
    """(k, v) of all monomials up to a total degree."""
    rows = [
        np.bincount(np.array(chosen, dtype=int), minlength=variables)
        for d in range(degree + 1)
        for chosen in combinations_with_replacement(range(variables), d)
    ]
    return np.array(rows)


def _terms(x: np.ndarray, exponents: np.ndarray, half_range: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Monomials (T, k), and their derivatives (T, v, k) by the coordinates in rad."""
    powers = x[:, :, None] ** np.arange(exponents.max(initial=0) + 1)  # (T, v, d)
    factors = np.stack([powers[:, j, exponents[:, j]] for j in range(x.shape[1])], axis=1)  # (T, v, k)
    slope = np.empty(factors.shape)
    for j in range(x.shape[1]):
        e = exponents[:, j]
        own = e * powers[:, j, np.maximum(e - 1, 0)] / half_range[j]
        slope[:, j] = own * np.prod(np.delete(factors, j, axis=1), axis=1)
    return np.prod(factors, axis=1), slope
