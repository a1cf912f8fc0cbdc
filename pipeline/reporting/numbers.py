"""Numbers as pages print them."""

from __future__ import annotations

import numpy as np

MISSING = "\N{EN DASH}"
"""Stands for a value that is not known."""


def number(value: float, decimals: int) -> str:
    """Format with fixed decimals and a true minus sign; a dash if the value is missing."""
    if not np.isfinite(value):
        return MISSING
    text = f"{value:.{decimals}f}"
    if float(text) == 0.0:
        text = text.removeprefix("-")
    return text.replace("-", "\N{MINUS SIGN}")


def with_sd(mean: float, sd: float, decimals: int) -> str:
    """A mean with its standard deviation, if that is known."""
    return number(mean, decimals) + (f" ± {number(sd, decimals)}" if np.isfinite(sd) else "")
