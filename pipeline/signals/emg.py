"""Linear envelope of surface EMG: band-pass, full-wave rectification, low-pass, all without phase shift.

The band follows De Luca et al. (2010), J Biomech 43, 1573: a high-pass at 20 Hz removes artefacts from movement of
electrodes and cables. The envelope's cut-off follows Winter and Yack (1987), Electroencephalogr Clin Neurophysiol 67,
402.
"""

from __future__ import annotations

import numpy as np

from pipeline.signals.filters import high_pass, low_pass


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
