"""Rounding of stored values to a precision beyond that of any measurement, since the digits after it take space.

A marker's position in a C3D file has 23 binary digits after the leading one, about 7 decimal ones.
"""

from __future__ import annotations

from typing import Any

import numpy as np

KEPT_BITS = 36
"""Binary digits after the leading one: rounding changes a value by at most 7e-12 of itself."""

COMPRESSED_ABOVE = 4096
"""Size of the arrays that are compressed, bytes; a smaller one gains nothing, and keeps all its digits."""

KEPT_DIGITS = 9
"""Significant decimal digits of a value in a text file: rounding changes it by at most 5e-9 of itself."""


def to_bits(values: np.ndarray) -> np.ndarray:
    """Doubles with `KEPT_BITS` of each, ties to even; NaN and infinities as they are.

    The bits that are zero then are the same for all values, and compress to nothing (C. S. Zender, Geosci. Model Dev.
    9, 3199, 2016; the "bit rounding" of netCDF).
    """
    step = 1 << 52 - KEPT_BITS
    bits = np.ascontiguousarray(values).view(np.int64)
    nearest = (bits + step // 2 - 1 + (bits // step & 1)) & -step
    return np.where(np.isfinite(values), nearest.view(np.float64), values)


def rounded(value: Any) -> Any:
    """An array of doubles that will be compressed, at the precision that is kept; any other value as it is."""
    if not isinstance(value, np.ndarray) or value.dtype != np.float64 or value.nbytes < COMPRESSED_ABOVE:
        return value
    return to_bits(value)


def to_digits(values: np.ndarray) -> np.ndarray:
    """Doubles nearest to their values at `KEPT_DIGITS`, whose shortest text has no more; NaN and infinities stay.

    Scaled by powers of ten that are exact (up to 1e22), so that the quotient is the double nearest to the decimal.
    Values below 1e-13 or above 1e10 keep all their digits.
    """
    size = np.abs(values)
    fits = (size >= 1e-13) & (size < 10.0**KEPT_DIGITS)
    exponent = KEPT_DIGITS - 1 - np.floor(np.log10(size, where=fits, out=np.zeros_like(size)))
    scale = 10.0 ** np.where(fits, np.minimum(exponent, 22.0), 0.0)
    return np.where(fits, np.round(values * scale) / scale, values)
