"""Zero-lag low-pass and high-pass filtering by a Butterworth filter run forwards and backwards."""

from __future__ import annotations

import numpy as np

from pipeline.errors import SignalError
from pipeline.signals.runs import apply_per_run

ORDER = 4
"""Order of both passes together; the gait literature's "fourth-order zero-lag Butterworth" is a second-order filter
run twice."""

MIN_RUN_S = 0.1
"""s; shorter runs of data between gaps have no usable derivative and are dropped."""

MAX_OF_RATE = 0.4
"""Fraction of the sampling rate, largest cut-off of points: above it, the corrected cut-off of one pass approaches half
the rate."""


def butterworth_sections(cutoff: float, rate: float, order: int = ORDER, kind: str = "lowpass") -> np.ndarray:
    """Second-order sections (n, 6) of one pass, such that the -3 dB point of both passes is at ``cutoff`` (Hz).

    Two passes square the gain, so each pass of n = order / 2 poles gets a higher cut-off: the analog frequency is
    divided by (sqrt(2) - 1)^(1 / (2 n)) (Winter 2009, eq. 3.10; Robertson and Dowling 2003), before the bilinear
    transform warps it. For a high-pass filter it is multiplied by that factor.

    Raises:
        SignalError: the cut-off is not below half the sampling rate.
    """
    from scipy.signal import butter

    if not 0.0 < cutoff < rate / 2:
        raise SignalError(
            f"cut-off {cutoff:g} Hz is not between 0 and half the sampling rate, {rate / 2:g} Hz",
            remedy="Lower the cut-off in config.yaml (filter)",
        )
    poles = order // 2
    correction = (np.sqrt(2.0) - 1.0) ** (1.0 / (2 * poles))
    analog = np.tan(np.pi * cutoff / rate)
    analog = analog * correction if kind == "highpass" else analog / correction
    return butter(poles, np.arctan(analog) * rate / np.pi, kind, fs=rate, output="sos")


def low_pass(data: np.ndarray, rate: float, cutoff: float, order: int = ORDER) -> np.ndarray:
    """Low-pass (T, ...) data at ``cutoff`` (Hz, -3 dB of both passes together) without phase shift.

    Each run between gaps is filtered separately; NaN stays where it is, and short runs become NaN. Ends are extended by
    point reflection over up to one second, which keeps a trend through an end.

    Raises:
        SignalError: the cut-off is not below half the sampling rate.
    """
    return _filtered(data, rate, butterworth_sections(cutoff, rate, order))


def high_pass(data: np.ndarray, rate: float, cutoff: float) -> np.ndarray:
    """High-pass (T, ...) data at ``cutoff`` (Hz, -3 dB of both passes together), otherwise as `low_pass`.

    Raises:
        SignalError: the cut-off is not below half the sampling rate.
    """
    return _filtered(data, rate, butterworth_sections(cutoff, rate, ORDER, "highpass"))


def _filtered(data: np.ndarray, rate: float, sections: np.ndarray) -> np.ndarray:
    from scipy.signal import sosfiltfilt

    def smooth(run: np.ndarray) -> np.ndarray:
        return sosfiltfilt(sections, run, axis=0, padtype="odd", padlen=min(round(rate), len(run) - 1))

    return apply_per_run(data, smooth, min_length=max(4, round(MIN_RUN_S * rate)))
