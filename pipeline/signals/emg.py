"""Linear envelope of surface EMG: band-pass, full-wave rectification, low-pass, all without phase shift.

The band follows De Luca et al. (2010), J Biomech 43, 1573: a high-pass at 20 Hz removes artefacts from movement of
electrodes and cables. The envelope's cut-off follows Winter and Yack (1987), Electroencephalogr Clin Neurophysiol 67,
402.
"""

from __future__ import annotations

import numpy as np

from pipeline.signals.filters import high_pass, low_pass

LINE_WIDTH = 1.0
"""Hz to either side of a line of the mains that count as the line; the background is taken from 2 to 5 times that."""

PILE = 10
"""Samples at the largest value from which a signal may be clipped; a signal that is not rarely reaches it twice."""


def linear_envelope(signal: np.ndarray, rate: float, band: tuple[float, float], cutoff: float) -> np.ndarray:
    """Envelope (T, n) of EMG signals (T, n) in their unit; never negative.

    The envelope of a sinusoid in the band is 2/pi times its amplitude; that of noise with standard deviation s has the
    mean sqrt(2/pi) s.

    Args:
        signal: as sampled; constant offsets are removed.
        rate: Hz.
        band: Hz, lower and upper limit.
        cutoff: Hz, of the low-pass of the rectified signal.
    """
    offset_free = signal - signal.mean(axis=0)
    in_band = low_pass(high_pass(offset_free, rate, band[0]), rate, band[1])
    return np.maximum(low_pass(np.abs(in_band), rate, cutoff), 0.0)


def clipped_samples(signal: np.ndarray) -> int:
    """Samples (of T) at which a signal is clipped: its extreme values occur far more often than those next to them.

    An extreme less than half as far from the mean as the other one is none: a rectified signal rests at zero.
    """
    values, counts = np.unique(signal, return_counts=True)
    if len(values) < 3:
        return len(signal)
    distance = np.abs(values[[0, -1]] - signal.mean())
    piles = ((counts[0], counts[1], distance[0]), (counts[-1], counts[-2], distance[1]))
    return int(sum(at for at, inside, far in piles if at >= PILE and at > 2 * inside and far > 0.5 * distance.max()))


def mains_share(signal: np.ndarray, rate: float, band: tuple[float, float], mains: float) -> float:
    """Fraction of the power of a signal (T,) within a band (Hz) that is in lines at multiples of the mains frequency.

    The background next to a line is subtracted.
    """
    power = np.abs(np.fft.rfft((signal - signal.mean()) * np.hanning(len(signal)))) ** 2
    frequency = np.fft.rfftfreq(len(signal), 1.0 / rate)
    inside = (frequency >= band[0]) & (frequency <= band[1])
    away = np.abs(frequency - mains * np.maximum(1.0, np.round(frequency / mains)))
    in_line, beside = inside & (away <= LINE_WIDTH), inside & (away >= 2 * LINE_WIDTH) & (away <= 5 * LINE_WIDTH)
    total = power[inside].sum()
    if not (total > 0.0 and in_line.any() and beside.any()):
        return 0.0
    return float(max(0.0, power[in_line].sum() - in_line.sum() * power[beside].mean()) / total)
