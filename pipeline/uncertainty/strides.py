"""Spread of a person's strides, as measured on reference walks: one file; the walks themselves are not distributed.

`python -m tests.benchmarks.stride_spread --write` measures it, and evaluates it by leaving persons out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from pipeline.config import HOME
from pipeline.errors import PipelineError

SHIPPED = HOME / "config" / "stride_spread.json"


@dataclass(frozen=True)
class StrideSpread:
    """Standard deviations of a curve over the gait cycle at each percent, in reported units, by the curve's name.

    Attributes:
        stride: (101,) of single strides about the mean of their walk.
        walk: (101,) of walks' means over infinitely many strides, about the person's mean of a recording session.
    """

    stride: Mapping[str, np.ndarray]
    walk: Mapping[str, np.ndarray]

    def variance(self, name: str, strides: int) -> np.ndarray:
        """Variance of the mean (101,) of some strides of one walk about the person's mean; missing without a stride."""
        if not strides:
            return np.full(len(self.stride[name]), np.nan)
        return self.walk[name] ** 2 + self.stride[name] ** 2 / strides


@cache
def load_stride_spread() -> StrideSpread:
    """Read the file.

    Raises:
        PipelineError: the file is missing or not of this format.
    """
    try:
        content = json.loads(SHIPPED.read_text(encoding="utf-8"))
        parts = ({name: np.array(row, dtype=float) for name, row in content[of].items()} for of in ("stride", "walk"))
        return StrideSpread(*parts)
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        reason = f"is not a file of the spread of strides ({error})"
        raise PipelineError(reason, where=str(SHIPPED), remedy="Restore it, or measure it anew") from error
