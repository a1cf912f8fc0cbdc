"""Compare the tidy tables of two runs of one study, value by value: before and after a change of the code.

    python -m tests.benchmarks.compare_studies BEFORE AFTER [--tolerance 1e-9] [--all]

BEFORE and AFTER are folders of a study, or of its results. Rows are joined on their names, cycle and percent, rows with
equal ones in their order. A difference is relative to the largest magnitude before of the same quantity. The exit
status is 1 if a difference exceeds the tolerance, or if rows or a table are lost; rows that only AFTER has are counted.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pandas as pd

from pipeline.results.tables import open_study
from pipeline.results.tables.frames import DTYPES

QUANTITY = ("kind", "variable", "parameter", "measure", "event")
"""Columns that name the quantity of a row; the others name subject and place."""


def compared(before: pd.DataFrame, after: pd.DataFrame) -> tuple[pd.DataFrame, int, int]:
    """Largest relative difference by quantity and column, and the numbers of rows that only one of the runs has."""
    names = [name for name in before if name not in DTYPES or name in ("cycle", "percent")]
    sides = []
    for rows in (before, after):
        rows = rows.astype(dict.fromkeys(names, str))
        sides.append(rows.assign(order=rows.groupby(names, sort=False).cumcount()))
    both = sides[0].merge(sides[1], on=[*names, "order"], how="outer", suffixes=("", " after"), indicator=True)
    lost, added = (int((both["_merge"] == side).sum()) for side in ("left_only", "right_only"))
    both = both[both["_merge"] == "both"]
    called = both[[name for name in QUANTITY if name in both]].agg(" / ".join, axis=1)
    found = {}
    for column in before.columns.difference(names):
        one, other = (both[name].astype(float) for name in (column, f"{column} after"))
        apart = (other - one).abs().mask((one == other) | (one.isna() & other.isna()), 0.0).fillna(np.inf)
        largest = one.abs().groupby(called).transform("max")
        found[column] = (apart / largest.where(largest > 0.0, 1.0)).groupby(called).max()
    return pd.DataFrame(found).stack().rename("difference"), lost, added


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, metavar="BEFORE", help="folder of a study, or of its results")
    parser.add_argument("after", type=Path, metavar="AFTER", help="folder of the other run")
    parser.add_argument("--tolerance", type=float, default=1e-9, help="largest relative difference; 1e-9")
    parser.add_argument("--all", action="store_true", help="list every quantity, changed or not")
    options = parser.parse_args()
    before, after, same = open_study(options.before), open_study(options.after), True
    for name in before:
        if name not in after:
            print(f"{name}: only before")
            same = False
            continue
        differences, lost, added = compared(before[name], after[name])
        beyond = differences > options.tolerance
        same &= not (lost or beyond.any())
        print(f"{name}: {lost} rows only before, {added} only after, {beyond.sum()} quantities beyond the tolerance")
        shown = differences[differences > (-1.0 if options.all else 0.0)].sort_values(ascending=False)
        for (called, column), difference in shown.items():
            print(f"  {called}, {column}: {difference:.3g}")
    print(f"{'within' if same else 'NOT within'} the tolerance")
    sys.exit(int(not same))


if __name__ == "__main__":
    main()
