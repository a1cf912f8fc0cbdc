"""Limits of residuals, from their quantiles on reference walks: one file; the walks themselves are not distributed.

A residual is the difference between two ways of knowing the same thing. On the reference walks, each residual has a
middle value and a spread to either side. All are judged at one multiple of their spreads. It is chosen such that a
stated share of the reference walks, each judged by the others, has any residual beyond it: the false alarm rate is that
of a whole walk, not of each check. A smaller multiple, which more walks exceed, gives a note.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TypedDict

from pipeline.config import HOME
from pipeline.errors import PipelineError

SHIPPED = HOME / "config" / "residuals.json"


class LimitsError(PipelineError):
    """The file of quantiles cannot be used."""


class Beyond(TypedDict):
    """Fields of `Finding` for a value beyond its limit."""

    value: float
    limit: float
    source: str
    residual: str


@dataclass(frozen=True)
class Spread:
    """A residual on the reference walks.

    Attributes:
        middle: median of all values, in the residual's units; median of the logarithm if ``log``.
        below, above: spread to either side, such that 95 % of the values on a side are within 1.645 of it; infinite
            if small, or large, values mean nothing.
        log: whether the spreads are those of the natural logarithm.
        values, walks, people, laboratories: numbers of each from which it was measured.
    """

    middle: float
    below: float
    above: float
    log: bool
    values: int
    walks: int
    people: int
    laboratories: int

    def score(self, value: float) -> float:
        """Distance from the middle in spreads; NaN for an unknown value, or a negative one if ``log``."""
        if self.log:
            if not value > 0.0:
                return -math.inf if value == 0.0 else math.nan
            value = math.log(value)
        return (value - self.middle) / self.above if value > self.middle else (self.middle - value) / self.below

    def limit(self, multiple: float, *, high: bool) -> float:
        """The value at a multiple of the spread above or below the middle."""
        at = self.middle + multiple * (self.above if high else -self.below)
        return math.exp(at) if self.log else at

    @property
    def typical(self) -> float:
        """The middle value in the residual's units."""
        return math.exp(self.middle) if self.log else self.middle


@dataclass(frozen=True)
class Limits:
    """Spreads by residual, and the multiples of them beyond which there is a finding.

    Attributes:
        spreads: by the residual's name.
        multiple: multiple of the spread beyond which there is a warning.
        noted: multiple of the spread beyond which there is a note; minus infinity makes every value a finding, which
            is how residuals are measured.
        false_alarms: share of the reference walks with a residual beyond `multiple`.
    """

    spreads: Mapping[str, Spread]
    multiple: float
    noted: float
    false_alarms: float

    def crossed(self, name: str, value: float) -> float | None:
        """The limit that a value exceeds, of a warning or otherwise of a note; None if within limits or unknown."""
        if math.isnan(value):
            return None
        if self.noted == -math.inf:
            return math.nan
        spread = self.spreads.get(name)
        if spread is None or not spread.score(value) > self.noted:
            return None
        multiple = self.multiple if self.warns(name, value) else self.noted
        return spread.limit(multiple, high=(math.log(value) if spread.log else value) > spread.middle)

    def beyond(self, name: str, value: float) -> Beyond | None:
        """A value with the limit that it exceeds, as in `crossed`, and the source of the limit."""
        limit = self.crossed(name, value)
        return None if limit is None else Beyond(value=value, limit=limit, source=self.source(name), residual=name)

    def warns(self, name: str, value: float) -> bool:
        """Whether a value is beyond the limit of a warning."""
        spread = self.spreads.get(name)
        return spread is None or spread.score(value) > self.multiple

    def typical(self, name: str) -> float:
        """The middle value on the reference walks; NaN if none was measured."""
        spread = self.spreads.get(name)
        return spread.typical if spread else math.nan

    def source(self, name: str) -> str:
        """The source of a limit, in words."""
        spread = self.spreads.get(name)
        if spread is None:
            return "no walk"
        laboratories = f"{spread.laboratories} laborator{'y' if spread.laboratories == 1 else 'ies'}"
        return f"{spread.walks} walks of {spread.people} people in {laboratories}"


OPEN = Limits({}, -math.inf, -math.inf, 1.0)
"""Every value is a finding; used by the command that measures residuals."""


@lru_cache(maxsize=4)
def load_limits(path: Path = SHIPPED) -> Limits:
    """Read the file that ``python -m tests.benchmarks.residuals`` writes.

    Raises:
        LimitsError: the file is missing or not of this format.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        unbounded = dict.fromkeys(("below", "above"), math.inf)
        spreads = {
            name: Spread(**{**unbounded, **{key: value for key, value in row.items() if value is not None}})
            for name, row in content["residuals"].items()
        }
        return Limits(spreads, *(float(content[name]) for name in ("multiple", "noted", "false_alarms")))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise LimitsError(
            f"is not a file of residuals ({error})", where=str(path), remedy="Restore it, or measure it anew"
        ) from error
