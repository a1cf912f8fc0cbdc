"""Round stored values to save space, to a precision finer than that of any measurement.

A marker's position in a C3D file has 23 binary digits after the leading one, about 7 decimal digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

KEPT_BITS = 36
"""Binary digits kept after the leading one: the relative rounding error is at most 7e-12."""

COMPRESSED_ABOVE = 4096
"""Minimum size of compressed arrays, bytes. Smaller ones would gain nothing, and keep all digits."""

KEPT_DIGITS = 9
"""Significant decimal digits of a value in a text file: the relative rounding error is at most 5e-9."""


def to_bits(values: np.ndarray) -> np.ndarray:
    """Round doubles to `KEPT_BITS` bits, ties to even; NaN and infinities are unchanged.

    The bits set to zero are the same in all values and compress to almost nothing (C. S. Zender, Geosci. Model Dev. 9,
    3199, 2016; netCDF's "bit rounding").
    """
    step = 1 << 52 - KEPT_BITS
    bits = np.ascontiguousarray(values).view(np.int64)
    nearest = (bits + step // 2 - 1 + (bits // step & 1)) & -step
    return np.where(np.isfinite(values), nearest.view(np.float64), values)


def rounded(value: Any) -> Any:
    """Round an array of doubles that will be compressed; return any other value unchanged."""
    if not isinstance(value, np.ndarray) or value.dtype != np.float64 or value.nbytes < COMPRESSED_ABOVE:
        return value
    return to_bits(value)


def to_digits(values: np.ndarray) -> np.ndarray:
    """Round doubles to `KEPT_DIGITS` decimal digits; NaN and infinities are unchanged.

    Values are scaled by exact powers of ten (up to 1e22), so that the quotient is the double nearest to the decimal
    number and its shortest text has no more digits. Values below 1e-13 or from 1e9 keep all their digits.
    """
    size = np.abs(values)
    fits = (size >= 1e-13) & (size < 10.0**KEPT_DIGITS)
    exponent = KEPT_DIGITS - 1 - np.floor(np.log10(size, where=fits, out=np.zeros_like(size)))
    scale = 10.0 ** np.where(fits, np.minimum(exponent, 22.0), 0.0)
    return np.where(fits, np.round(values * scale) / scale, values)
