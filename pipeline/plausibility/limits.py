"""Limits of residuals, from their quantiles on reference walks: one file, whose walks do not ship.

A residual is how far two ways of knowing the same thing are apart. Each has a middle value and a spread to either side
on the reference walks. All are judged at one multiple of their spreads, chosen such that a stated share of the
reference walks, each judged by the others, has any residual beyond it: the false alarms are those of a whole walk, not
of each check. A smaller multiple, which more walks are beyond, makes a note.
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
    """What a finding says of a value that is beyond its limit: fields of `Finding`."""

    value: float
    limit: float
    source: str
    residual: str


@dataclass(frozen=True)
class Spread:
    """A residual on the reference walks.

    Attributes:
        middle: median of all values, in the residual's units; of its logarithm where ``log``.
        below, above: spread to either side, such that 95 % of the values on a side are within 1.645 of it; infinite
            where small, or large, values mean nothing.
        log: whether the spreads are those of the natural logarithm.
        values, walks, people, laboratories: numbers of each that it was measured on.
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
        """Distance from the middle in spreads; NaN for a value that is not known, or not positive of a logarithm."""
        if self.log:
            if not value > 0.0:
                return -math.inf if value == 0.0 else math.nan
            value = math.log(value)
        return (value - self.middle) / self.above if value > self.middle else (self.middle - value) / self.below

    def limit(self, multiple: float, *, high: bool) -> float:
        """The value at a multiple of the spread above, or below, the middle."""
        at = self.middle + multiple * (self.above if high else -self.below)
        return math.exp(at) if self.log else at

    @property
    def usual(self) -> float:
        """The middle value in the residual's units."""
        return math.exp(self.middle) if self.log else self.middle


@dataclass(frozen=True)
class Limits:
    """Spreads by residual, and the multiple of them that is a finding.

    Attributes:
        spreads: by the residual's name.
        multiple: of the spread, beyond which there is a warning.
        noted: of the spread, beyond which there is a note; minus infinity lets every value be a finding, which is how
            residuals are measured.
        false_alarms: share of the reference walks with a residual beyond the first multiple.
    """

    spreads: Mapping[str, Spread]
    multiple: float
    noted: float
    false_alarms: float

    def crossed(self, name: str, value: float) -> float | None:
        """The limit, of a warning or else of a note, that a value is beyond; None where it is within, or not known."""
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
        """A value with the limit that it is beyond, as `crossed`, and what that rests on."""
        limit = self.crossed(name, value)
        return None if limit is None else Beyond(value=value, limit=limit, source=self.source(name), residual=name)

    def warns(self, name: str, value: float) -> bool:
        """Whether a value is beyond the limit of a warning."""
        spread = self.spreads.get(name)
        return spread is None or spread.score(value) > self.multiple

    def usual(self, name: str) -> float:
        """The middle value on the reference walks; NaN where none was measured."""
        spread = self.spreads.get(name)
        return spread.usual if spread else math.nan

    def source(self, name: str) -> str:
        """What a limit rests on, in words."""
        spread = self.spreads.get(name)
        if spread is None:
            return "no walk"
        laboratories = f"{spread.laboratories} laborator{'y' if spread.laboratories == 1 else 'ies'}"
        return f"{spread.walks} walks of {spread.people} people in {laboratories}"


OPEN = Limits({}, -math.inf, -math.inf, 1.0)
"""Every value is a finding: what the command that measures residuals judges by."""


@lru_cache(maxsize=4)
def load_limits(path: Path = SHIPPED) -> Limits:
    """Read the file that ``python -m tests.benchmarks.residuals`` writes.

    Raises:
        LimitsError: there is none, or it is no such file.
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
            f"is no file of residuals ({error})", where=str(path), remedy="Restore it, or measure it anew"
        ) from error
