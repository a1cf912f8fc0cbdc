"""Zero-lag low-pass filtering.

Written out here, because importing scipy.signal takes a second, which every step of every trial would pay.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solve_banded

from pipeline.errors import SignalError
from pipeline.signals.runs import apply_per_run

ORDER = 4
"""Order over both passes; the gait literature's "fourth-order zero-lag Butterworth" runs a second-order one twice."""

SHORTEST_RUN_S = 0.1
"""Shorter runs of data between gaps hold no usable derivative and are dropped."""


@dataclass(frozen=True)
class Section:
    """A filter of one or two poles, of gain 1 at rest: y[n] = sum b[k] x[n - k] - sum a[k] y[n - k]; a[0] is 1.

    The recursion is a triangular system of few bands.
    """

    b: np.ndarray
    a: np.ndarray

    def once(self, x: np.ndarray) -> np.ndarray:
        """Filter (T, n), as if the first sample had been there for ever."""
        reach = len(self.a) - 1
        before = np.concatenate([np.repeat(x[:1], reach, axis=0), x])
        right = sum(b * before[reach - k : len(before) - k] for k, b in enumerate(self.b))
        for k, a in enumerate(self.a[1:], start=1):
            right[:k] -= a * x[0]
        band = np.repeat(self.a[:, None], len(x), axis=1)
        return solve_banded((reach, 0), band, right, overwrite_ab=True, overwrite_b=True, check_finite=False)


def butterworth_sections(cutoff: float, rate: float, order: int = ORDER) -> list[Section]:
    """Sections whose double pass has its -3 dB point at ``cutoff`` (Hz).

    Two passes square the gain, so each pass of n = order / 2 poles gets a higher cut-off: the analog frequency is
    divided by (sqrt(2) - 1)^(1 / (2 n)) (Winter 2009, eq. 3.10; Robertson and Dowling 2003), corrected before the
    bilinear transform warps it. A pair of analog poles at the angle t from the negative real axis is
    1 / (s^2 + 2 cos(t) s + 1).

    Raises:
        SignalError: the cut-off is not below half the sampling rate.
    """
    if not 0.0 < cutoff < rate / 2:
        raise SignalError(
            f"cut-off {cutoff:g} Hz is not between 0 and half the sampling rate, {rate / 2:g} Hz",
            remedy="Lower the cut-off in config.yaml (filter)",
        )
    poles = order // 2
    K = np.tan(np.pi * cutoff / rate) / (np.sqrt(2.0) - 1.0) ** (1.0 / (2 * poles))
    sections = []
    if poles % 2:
        sections.append(Section(K / (1.0 + K) * np.ones(2), np.array([1.0, (K - 1.0) / (1.0 + K)])))
    for pair in range(poles // 2):
        damping = 2.0 * np.cos(np.pi * (2 * pair + 1 + poles % 2) / (2 * poles))
        lead = 1.0 + damping * K + K**2
        a = np.array([1.0, 2.0 * (K**2 - 1.0) / lead, (1.0 - damping * K + K**2) / lead])
        sections.append(Section(K**2 / lead * np.array([1.0, 2.0, 1.0]), a))
    return sections


def low_pass(data: np.ndarray, rate: float, cutoff: float, order: int = ORDER) -> np.ndarray:
    """Low-pass (T, ...) data at ``cutoff`` (Hz, -3 dB of both passes together) without phase shift.

    Each run between gaps is filtered apart; NaN stays where it is. Ends are continued by point reflection over up to
    one second, so that a trend through an end is kept.
    """
    sections = butterworth_sections(cutoff, rate, order)
    pad = round(rate)

    def smooth(run: np.ndarray) -> np.ndarray:
        reach = min(pad, len(run) - 1)
        flat = run.reshape(len(run), -1)
        ends = [2.0 * flat[0] - flat[reach:0:-1], 2.0 * flat[-1] - flat[-2 : -reach - 2 : -1]]
        signal = np.concatenate([ends[0], flat, ends[1]])
        for _ in range(2):
            for section in sections:
                signal = section.once(signal)
            signal = signal[::-1]
        return signal[reach : reach + len(run)].reshape(run.shape)

    return apply_per_run(data, smooth, shortest=max(4, round(SHORTEST_RUN_S * rate)))
