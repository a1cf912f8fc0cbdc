"""Cut-off of the markers' low-pass filter from their own noise, by residual analysis or generalised cross-validation.

Residual analysis (Winter 2009, section 3.4.4.3) finds the cut-off at which the residual is that of noise alone.
Generalised cross-validation (Craven and Wahba 1979; Woltring 1986) minimises the expected error, here with the zero-lag
Butterworth filter as the linear smoother: its score is the root mean square residual over the fraction of degrees of
freedom that the filter removes.
"""

from __future__ import annotations

import numpy as np

from pipeline.errors import SignalError
from pipeline.signals.filters import MAX_OF_RATE, MIN_RUN_S, low_pass
from pipeline.signals.runs import runs_of
from pipeline.trial import CutoffEvidence

LOWEST, HIGHEST, STEP = 2.0, 30.0, 0.5
"""Hz; range and step of the cut-offs tried, up to `MAX_OF_RATE`."""

MIN_TRIED = 3
"""Smallest number of cut-offs to choose from: fewer show no linear part of the residual."""

LINEAR = 0.98
"""Coefficient of determination at which the residual counts as linear in the cut-off, that is, as noise alone."""


def cutoff_evidence(markers_G: np.ndarray, rate: float, order: int, by: str | float) -> CutoffEvidence:
    """Choose one cut-off for all markers of a trial, and keep the evidence for it.

    Args:
        markers_G: (T, K, 3) m, unfiltered; NaN where missing.
        rate: Hz.
        order: of the filter, both passes together.
        by: method of the choice, "residual" or "gcv"; or the cut-off itself, Hz, and then no other one is tried.

    Raises:
        SignalError: a cut-off is to be chosen, but no marker is seen long enough, or the rate is too low.
    """
    if not isinstance(by, str):
        removed = np.array([_residual(markers_G, rate, by, order)])
        return CutoffEvidence(by, "given", np.array([by]), removed, np.full(1, np.nan))
    tried = np.arange(LOWEST, min(HIGHEST, MAX_OF_RATE * rate) + 1e-9, STEP)
    if len(tried) < MIN_TRIED:
        raise SignalError(
            f"{rate:g} frames per second are too few to choose a cut-off from {LOWEST:g} Hz up",
            remedy="Give the cut-off in Hz in config.yaml (filter: markers)",
        )
    lengths = _run_lengths(markers_G, rate)
    if not len(lengths):
        raise SignalError(
            f"no marker is seen for {MIN_RUN_S:g} s without a gap, so its noise gives no cut-off",
            remedy="Give the cut-off in Hz in config.yaml (filter: markers)",
        )
    residual = np.array([_residual(markers_G, rate, cutoff, order) for cutoff in tried])
    kept = np.array([_degrees_of_freedom(lengths, rate, cutoff, order) for cutoff in tried])
    score = residual / (1.0 - kept / lengths.sum())
    chosen = float(tried[np.argmin(score)]) if by == "gcv" else _by_residual(tried, residual)
    return CutoffEvidence(chosen, by, tried, residual, score)


def _run_lengths(markers_G: np.ndarray, rate: float) -> np.ndarray:
    """Lengths, in frames, of all runs of all markers that the filter keeps."""
    seen = np.isfinite(markers_G).all(axis=2)
    runs = np.concatenate([np.zeros((0, 2), dtype=int), *(runs_of(seen[:, k]) for k in range(seen.shape[1]))])
    lengths = runs[:, 1] - runs[:, 0]
    return lengths[lengths >= max(4, round(MIN_RUN_S * rate))]


def _residual(markers_G: np.ndarray, rate: float, cutoff: float, order: int) -> float:
    """Root mean square (m) of what the filter removes, over all coordinates."""
    removed = markers_G - low_pass(markers_G, rate, cutoff, order)
    return float(np.sqrt(np.nanmean(removed**2))) if np.isfinite(removed).any() else np.nan


def _degrees_of_freedom(lengths: np.ndarray, rate: float, cutoff: float, order: int) -> float:
    """Trace of the filter's matrix, summed over the runs, from the filter's impulse response h(j).

    With point reflection at the ends, the diagonal is h(0) - h(2 i) in row i from an end, and 1 in the end row. Since h
    sums to 1, half of it at even j (nothing passes at half the frame rate), the trace for n rows is
    (n - 1) h(0) + 3 / 2.
    """
    impulse = np.zeros(2 * round(rate) + 1)
    impulse[round(rate)] = 1.0
    middle = low_pass(impulse, rate, cutoff, order)[round(rate)]
    return float(((lengths - 1) * middle + 1.5).sum())


def _by_residual(tried: np.ndarray, residual: np.ndarray) -> float:
    """Cut-off at which the residual equals the noise: the intercept at 0 Hz of the line through its linear part."""
    for start in range(len(tried) - MIN_TRIED + 1):
        x, y = tried[start:], residual[start:]
        noise = np.polyfit(x, y, 1)[1]
        if np.corrcoef(x, y)[0, 1] ** 2 >= LINEAR:
            break
    below = np.flatnonzero(residual <= noise)
    return float(tried[below[0]] if len(below) else tried[-1])
