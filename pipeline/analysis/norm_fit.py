"""Norm from a table of normative curves: least-squares cubic splines with dense knots where loads change fast.

    python -m pipeline.analysis.norm_fit TABLE.csv HEADER.json config/norms/NAME.json

The table has the columns variable, percent, speed, low, mean, high (one standard deviation below and above the mean),
with the variables of `pipeline.analysis.variables` and the muscles of `pipeline.analysis.muscles`. The header has name,
source, sample, free and speeds (v / sqrt(g L) by each name in the table's speed column). It may also have ages (years,
from and below) and other_zeros (variables with another zero than this pipeline's marker sets).
"""

from __future__ import annotations

import argparse
import csv
import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from scipy.interpolate import PchipInterpolator, make_lsq_spline

from pipeline.analysis.muscles import MUSCLES
from pipeline.analysis.norm import DEGREE
from pipeline.analysis.resampling import PERCENT
from pipeline.analysis.variables import CYCLE_VARIABLES
from pipeline.errors import ConfigError

KNOTS = {
    "angles": (6, 12, 18, 24, 30, 36, 42, 48, 54, 60, 66, 72, 78, 84, 90, 95),
    "loads": (2, 4, 6, 9, 12, 16, 20, 25, 30, 35, 40, 45, 49, 52, 55, 58, 61, 64, 67, 70, 75, 80, 85, 90, 94, 97),
    "muscles": tuple(range(5, 100, 5)),
}
"""Inner knots in percent of the cycle; those of loads are dense after initial contact and around foot off. Those of EMG
are evenly spaced, since its means jump from one percent to the next."""

PUBLISHED = 4.0
"""Weight of the table's own values relative to values interpolated between them."""

DECIMALS = {"deg": 3, "%BW": 3, "1": 4}
"""Decimals of the coefficients by unit, `OTHER_DECIMALS` for all other units."""

OTHER_DECIMALS = 5

Row = tuple[str, float, str, float, float, float]
"""Variable, percent, name of the speed, low, mean, high."""


def fit_norm(rows: Iterable[Row], header: Mapping[str, Any]) -> dict[str, Any]:
    """The content of a norm's file from a table of curves.

    The standard deviation is half the distance between low and high, whichever of them is larger.

    Args:
        rows: of the table, in any order.
        header: name, source, sample, free, and speeds by their names in the rows; ages and other_zeros if known.

    Raises:
        ConfigError: a variable or a speed is unknown, or a variable lacks a speed.
    """
    table: dict[str, dict[str, list[tuple[float, float, float]]]] = defaultdict(lambda: defaultdict(list))
    for variable, percent, speed, low, mean, high in rows:
        table[variable][speed].append((percent, mean, abs(high - low) / 2.0))
    speeds = dict(sorted(header["speeds"].items(), key=lambda item: item[1]))
    for name, by_speed in table.items():
        if name not in (known := (*CYCLE_VARIABLES, *MUSCLES)):
            raise ConfigError(f"has a variable '{name}', which is none of {', '.join(known)}", where="table of curves")
        if set(by_speed) != set(speeds):
            problem = f"has '{name}' at the speeds {', '.join(by_speed)}; those of the header are {', '.join(speeds)}"
            raise ConfigError(problem, where="table of curves")
    muscles = {name: _fit("1", [table[name][speed] for speed in speeds]) for name in MUSCLES if name in table}
    return {
        **{key: header[key] for key in ("name", "source", "sample", "free")},
        **{key: list(header[key]) for key in ("ages", "other_zeros") if key in header},
        "speeds": list(speeds.values()),
        "knots": {kind: [0.0] * (DEGREE + 1) + list(inner) + [100.0] * (DEGREE + 1) for kind, inner in KNOTS.items()},
        "variables": {
            name: _fit(CYCLE_VARIABLES[name].units, [table[name][speed] for speed in speeds])
            for name in CYCLE_VARIABLES
            if name in table
        },
        **({"muscles": muscles} if muscles else {}),
    }


def _fit(units: str, by_speed: list[list[tuple[float, float, float]]]) -> dict[str, Any]:
    kind, decimals = {"deg": "angles", "1": "muscles"}.get(units, "loads"), DECIMALS.get(units, OTHER_DECIMALS)
    knots = np.r_[[0.0] * (DEGREE + 1), KNOTS[kind], [100.0] * (DEGREE + 1)]
    mean, sd, squares = [], [], []
    # Knots as dense as the table would let a spline swing between its percents. Values between them are therefore
    # taken from a monotone interpolation (Fritsch and Carlson 1980).
    for rows in by_speed:
        percent, *values = np.array(sorted(rows)).T
        table = np.stack(values, axis=1)
        known = PERCENT if kind == "loads" else percent
        weights = np.where(np.isin(known, percent), PUBLISHED, 1.0)
        spline = make_lsq_spline(known, PchipInterpolator(percent, table)(known), knots, k=DEGREE, w=weights)
        squares.append(np.mean((spline(percent)[:, 0] - values[0]) ** 2))
        mean.append(_rounded(spline.c[:, 0], decimals))
        sd.append(_rounded(spline.c[:, 1], decimals))
    error = float(np.sqrt(np.mean(squares)))
    return {"units": units, "knots": kind, "fit_error": float(f"{error:.2g}"), "mean": mean, "sd": sd}


def _rounded(values: np.ndarray, decimals: int) -> list[float]:
    return [round(float(value), decimals) + 0.0 for value in values]


def as_text(norm: Mapping[str, Any]) -> str:
    """JSON with one line for each row of coefficients, so that versions can be compared line by line."""
    text = json.dumps(norm, indent=1, ensure_ascii=False)
    return re.sub(r"\[\n\s*([-\d][^\[\]]*?)\n\s*\]", lambda row: f"[{' '.join(row[1].split())}]", text) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    """Read a table and its header, and write the norm."""
    parser = argparse.ArgumentParser(
        prog="python -m pipeline.analysis.norm_fit",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("table", type=Path, help="CSV file of the curves")
    parser.add_argument("header", type=Path, help="JSON file of name, source, sample, free and speeds")
    parser.add_argument("norm", type=Path, help="file to write, such as config/norms/NAME.json")
    options = parser.parse_args(arguments)
    with options.table.open(encoding="utf-8-sig", newline="") as stream:
        rows: list[Row] = [
            (
                row["variable"],
                float(row["percent"]),
                row["speed"],
                float(row["low"]),
                float(row["mean"]),
                float(row["high"]),
            )
            for row in csv.DictReader(stream)
        ]
    norm = fit_norm(rows, json.loads(options.header.read_text(encoding="utf-8-sig")))
    options.norm.write_text(as_text(norm), encoding="utf-8")


if __name__ == "__main__":
    main()
