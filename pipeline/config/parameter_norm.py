"""Norms of spatiotemporal parameters from a table: mean and standard deviation by parameter, task and age group.

The format is that of the electronic addendum of Bovi et al. (2011), Gait and Posture 33(1), 6-13: columns
``parameter``, ``task``, and ``NAME_mean`` and ``NAME_sd`` for the groups ``young`` and ``adult``. A table of one group
has ``mean`` and ``sd``.
"""

from __future__ import annotations

import csv
import math
from dataclasses import dataclass
from pathlib import Path

from pipeline.errors import ConfigError

ADULT = 18.0
"""Age in years at which the group changes from ``young`` to ``adult``."""

NAMES = {
    "Cadence [steps / min]": "cadence",
    "Stride length [m]": "stride_length",
    "Step length [m]": "step_length",
    "Stride time [s]": "stride_time",
    "Stance time [%GC]": "stance",
    "Swing time [%GC]": "swing",
}
"""The pipeline's names of the addendum's parameters with the same definition; the others are not used."""

OWN = (
    *("speed", "cadence", "stride_time", "stride_length", "step_length", "step_time", "step_width"),
    *("stance", "swing", "double_support", "walk_ratio"),
)
"""Names of parameters that a table may use, in m, s, m/s, steps/min, percent and mm/(steps/min)."""


@dataclass(frozen=True)
class ParameterNorm:
    """Norm of the spatiotemporal parameters.

    Attributes:
        values: mean and standard deviation by the parameter's name, in its reported unit.
        about: table, age group and task, as text.
    """

    values: dict[str, tuple[float, float]]
    about: str


def read_parameter_norm(path: Path, task: str, age: float | None) -> ParameterNorm:
    """The norm of a task at an age; that of adults if the age is not known.

    Args:
        path: the table, comma-separated.
        task: rows of other tasks are left out; rows without a task always count.
        age: years.

    Raises:
        ConfigError: the file is not such a table, a value is not a number, or the task has no row with a known
            parameter.
    """
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.DictReader(stream)
            rows, columns = list(reader), tuple(reader.fieldnames or ())
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(f"cannot be read ({error})", where=str(path)) from None
    group = "young" if age is not None and age < ADULT else "adult"
    prefix = "" if "mean" in columns else f"{group}_"
    needed = ("parameter", f"{prefix}mean", f"{prefix}sd")
    lacking = [name for name in needed if name not in columns]
    if lacking:
        remedy = "Name them parameter, mean, sd, or parameter, young_mean, young_sd, adult_mean, adult_sd"
        raise ConfigError(f"has no column {', '.join(lacking)}", where=str(path), remedy=remedy)
    values: dict[str, tuple[float, float]] = {}
    for line, row in enumerate(rows, start=2):
        label = (row["parameter"] or "").strip()
        name = NAMES.get(label, label)
        if name in OWN and (row.get("task") or task).strip().lower() == task.lower():
            values[name] = (
                _number(row[needed[1]], f"{path}, line {line}, {needed[1]}"),
                _number(row[needed[2]], f"{path}, line {line}, {needed[2]}", positive=True),
            )
    if not values:
        tasks = ", ".join(dict.fromkeys((row.get("task") or "").strip() for row in rows)) or "none"
        problem = f"has no known parameter of the task '{task}'; its tasks are {tasks}"
        raise ConfigError(problem, where=str(path), remedy=f"Parameters are {', '.join(OWN)}")
    return ParameterNorm(
        values, ", ".join(filter(None, (path.stem, prefix.rstrip("_"), task if "task" in columns else "")))
    )


def _number(cell: str | None, where: str, positive: bool = False) -> float:
    try:
        value = float(cell or "")
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or (positive and value <= 0.0):
        kind = "positive number" if positive else "number"
        raise ConfigError(f"'{cell}' is not a {kind}", where=where, remedy="Use a decimal point")
    return value
