"""Normative curves by dimensionless speed: mean and standard deviation of a sample, kept as spline coefficients.

A norm is a JSON file in ``config/norms``; `pipeline.analysis.norm_fit` makes one from a table of curves.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pipeline.analysis.muscles import MUSCLES
from pipeline.analysis.variables import CYCLE_VARIABLES
from pipeline.conventions import GRAVITY
from pipeline.errors import ConfigError

DEGREE = 3

NORM_SPEEDS = (0.172, 0.290, 0.429, 0.560, 0.694)
"""Speeds of the children of Schwartz et al. (2008), v / sqrt(g L), from very slow to very fast."""


@dataclass(frozen=True)
class Band:
    """Mean and standard deviation (N,) of a variable in its reported units."""

    mean: np.ndarray
    sd: np.ndarray


@dataclass(frozen=True)
class NormCurves:
    """Spline coefficients of one variable: (S, K) each, a row for every speed of the norm.

    Attributes:
        knots: (K + 4,) of a cubic spline over 0 to 100 %.
        fit_error: root mean square of spline minus table over the cycle and all speeds, in the variable's units.
    """

    knots: np.ndarray
    mean: np.ndarray
    sd: np.ndarray
    fit_error: float


@dataclass(frozen=True)
class Norm:
    """A sample's curves at several walking speeds.

    Attributes:
        name: short name for legends.
        source, sample: the publication, and who was measured.
        speeds: (S,) ascending, v / sqrt(g L).
        free: the comfortable one of them, for a walk of unknown speed.
        variables: by a name of `pipeline.analysis.variables.CYCLE_VARIABLES`.
        muscles: EMG envelopes by a name of `pipeline.analysis.muscles.MUSCLES`, as fractions of any amplitude.
        ages: years, from (inclusive) and below; None if not stated.
        other_zeros: variables with another zero than this pipeline's marker sets: only their shape is compared.
    """

    name: str
    source: str
    sample: str
    speeds: np.ndarray
    free: float
    variables: dict[str, NormCurves]
    muscles: dict[str, NormCurves] = field(default_factory=dict)
    ages: tuple[float, float] | None = None
    other_zeros: tuple[str, ...] = ()

    def band(self, variable: str, speed: float, percent: np.ndarray) -> Band | None:
        """Mean and standard deviation at a dimensionless speed, linear between the norm's speeds, constant beyond them.

        Args:
            variable: name of a curve or muscle; None is returned if the norm does not have it.
            speed: v / sqrt(g L).
            percent: (N,) of the gait cycle.
        """
        from scipy.interpolate import BSpline

        curves = self.variables.get(variable) or self.muscles.get(variable)
        if curves is None:
            return None
        weights = np.array([np.interp(speed, self.speeds, row) for row in np.eye(len(self.speeds))])
        coefficients = np.stack([weights @ curves.mean, weights @ curves.sd], axis=-1)
        mean, sd = BSpline(curves.knots, coefficients, DEGREE)(percent).T
        return Band(mean, np.maximum(sd, 0.0))

    def is_of_age(self, age: float) -> bool:
        """Whether its sample includes an age in years."""
        return self.ages is not None and self.ages[0] <= age < self.ages[1]

    def covers(self, speed: float) -> bool:
        """Whether a speed lies between the slowest and the fastest of the norm."""
        return bool(self.speeds[0] <= speed <= self.speeds[-1])


def dimensionless_speed(speed: float, leg_length: float) -> float:
    """Speed (m/s) over sqrt(g L), L in m (Hof 1996, Gait and Posture 4, 222-223); NaN if one is unknown."""
    if not (speed == speed and leg_length > 0.0):
        return math.nan
    return speed / math.sqrt(GRAVITY * leg_length)


def norm_from(stored: Mapping[str, Any], where: str) -> Norm:
    """A norm from the content of its file.

    Args:
        stored: as made by `pipeline.analysis.norm_fit.fit_norm`.
        where: name of the file, for error messages.

    Raises:
        ConfigError: the content is no norm, or a variable is not in the registry or has other units.
    """
    try:
        knots = {name: np.array(values, dtype=float) for name, values in stored["knots"].items()}
        norm = Norm(
            name=str(stored["name"]),
            source=str(stored["source"]),
            sample=str(stored["sample"]),
            speeds=np.array(stored["speeds"], dtype=float),
            free=float(stored["free"]),
            variables=_curves(stored["variables"], knots),
            muscles=_curves(stored.get("muscles", {}), knots),
            ages=(float(stored["ages"][0]), float(stored["ages"][1])) if "ages" in stored else None,
            other_zeros=tuple(map(str, stored.get("other_zeros", ()))),
        )
        units = {name: item["units"] for name, item in stored["variables"].items()}
    except (ValueError, LookupError, TypeError, AttributeError, OverflowError) as error:
        raise not_a_norm(error, where) from error
    _check(norm, units, where)
    return norm


def _curves(stored: Mapping[str, Any], knots: Mapping[str, np.ndarray]) -> dict[str, NormCurves]:
    return {
        name: NormCurves(
            knots[item["knots"]],
            np.array(item["mean"], dtype=float),
            np.array(item["sd"], dtype=float),
            float(item["fit_error"]),
        )
        for name, item in stored.items()
    }


def not_a_norm(error: Exception, where: str) -> ConfigError:
    """The error for a file that is no norm."""
    return ConfigError(
        f"is not a norm ({type(error).__name__}: {error})",
        where=where,
        remedy="Make it with python -m pipeline.analysis.norm_fit",
    )


def _check(norm: Norm, units: dict[str, str], where: str) -> None:
    if norm.speeds.ndim != 1 or not norm.speeds.size or not np.all(np.diff(norm.speeds, prepend=-np.inf) > 0.0):
        raise ConfigError("has speeds that do not ascend", where=where)
    for name in norm.muscles:
        if name not in MUSCLES:
            raise ConfigError(f"has a muscle '{name}', which is none of {', '.join(MUSCLES)}", where=where)
    for name in norm.variables:
        if name not in CYCLE_VARIABLES:
            raise ConfigError(f"has a variable '{name}', which is none of {', '.join(CYCLE_VARIABLES)}", where=where)
        if units[name] != CYCLE_VARIABLES[name].units:
            raise ConfigError(f"has '{name}' in {units[name]}, expected {CYCLE_VARIABLES[name].units}", where=where)
    for name, curves in (norm.variables | norm.muscles).items():
        if curves.knots.ndim != 1 or not np.isfinite(curves.knots).all() or np.any(np.diff(curves.knots) < 0.0):
            raise ConfigError(f"has knots of '{name}' that are not ascending numbers", where=where)
        expected = (len(norm.speeds), len(curves.knots) - DEGREE - 1)
        if curves.mean.shape != expected or curves.sd.shape != expected:
            raise ConfigError(f"has {curves.mean.shape} coefficients of '{name}', expected {expected}", where=where)
        if not (np.isfinite(curves.mean).all() and np.isfinite(curves.sd).all()):
            raise ConfigError(f"has coefficients of '{name}' that are not finite numbers", where=where)
