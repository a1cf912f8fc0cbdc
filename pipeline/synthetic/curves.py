"""Smooth periodic curves through a few key points, as Fourier series with exact derivatives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Curve = dict[float, float]
"""Value by phase in percent of a cycle."""


def through_points(points: Curve, phase: np.ndarray, smoothing: float = 0.0) -> np.ndarray:
    """Sample a periodic curve through key points without overshoot.

    Monotone cubic interpolation (Fritsch and Carlson 1980) keeps flat parts flat; convolution with a Gaussian then
    makes the curve infinitely differentiable.

    Args:
        points: value by phase; phases in percent of the cycle, from 0 to below 100.
        phase: (n,) equidistant phases of one cycle, percent, starting anywhere.
        smoothing: standard deviation of the Gaussian in percent of the cycle.

    Returns:
        (n,) samples.
    """
    from scipy.interpolate import PchipInterpolator

    at, value = np.array(sorted(points.items())).T
    curve = PchipInterpolator(np.concatenate([at - 100, at, at + 100]), np.tile(value, 3))
    return smooth(curve(np.mod(phase, 100.0)), smoothing)


def smooth(samples: np.ndarray, smoothing: float) -> np.ndarray:
    """Convolve one cycle of samples (n, ...) with a Gaussian of standard deviation ``smoothing`` percent of it."""
    k = np.fft.rfftfreq(len(samples), 1.0 / len(samples))
    gain = np.exp(-0.5 * (2 * np.pi * k * smoothing / 100) ** 2)
    spectrum = np.fft.rfft(samples, axis=0) * gain.reshape(-1, *[1] * (samples.ndim - 1))
    return np.fft.irfft(spectrum, len(samples), axis=0)


@dataclass(frozen=True)
class FourierSeries:
    """A real periodic function of time plus a constant drift, with its exact derivatives.

    f(t) = sum_k Re(c_k exp(2 pi i k t / period)) + drift t

    Attributes:
        coefficients: (K, ...) complex.
        period: s.
        drift: (...) per s.
    """

    coefficients: np.ndarray
    period: float
    drift: np.ndarray | float = 0.0

    @classmethod
    def through(cls, samples: np.ndarray, period: float, drift: np.ndarray | float = 0.0) -> FourierSeries:
        """The series through one cycle of equidistant samples (n, ...) of the periodic part, n odd."""
        n = len(samples)
        if n % 2 == 0:
            raise ValueError(f"{n} samples: with an even number the highest harmonic's phase is undetermined")
        coefficients = np.fft.rfft(samples, axis=0) / n
        coefficients[1:] *= 2.0
        return cls(coefficients, period, drift)

    def __call__(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        """Values or derivatives (T, ...) at ``time`` (T,) s."""
        time = np.asarray(time, dtype=float)
        omega = 2j * np.pi * np.arange(len(self.coefficients)) / self.period
        wave = omega**derivative * np.exp(np.outer(time, omega))
        out = np.tensordot(wave, self.coefficients, axes=1).real
        if derivative == 0:
            out = out + time.reshape(-1, *[1] * (out.ndim - 1)) * self.drift
        elif derivative == 1:
            out = out + self.drift
        return out


def over_stance(curve: Curve, percent: np.ndarray) -> np.ndarray:
    """Monotone cubic interpolation of the curve's points, constant before and after; continuously differentiable."""
    from scipy.interpolate import PchipInterpolator

    phase, value = np.array(sorted(curve.items())).T
    phase = np.concatenate([[-10.0], phase, [110.0]])  # flat pieces on both sides give slope 0 at both ends
    value = np.concatenate([value[:1], value, value[-1:]])
    return PchipInterpolator(phase, value)(np.clip(percent, 0.0, 100.0))
