"""Compare the tidy tables of two runs of one study, value by value: before and after a change of the code.

    python -m tests.benchmarks.compare_studies BEFORE AFTER [--rename RULE] [--walks FILE]

BEFORE and AFTER are folders of a study, or of its results. Each of the tables `TABLES` is read from Parquet, from CSV
or from a gzipped file of either kind. Rows are joined on their identifying columns: all but those of `VALUES`. Rows
with equal identifying columns are joined in their order, events in the order of their times.

Each value belongs to a class, and each class has a tolerance:

matrix form   the legs' dynamics in matrix form and all that comes before them
skeleton      the fit of the whole skeleton, and what is computed from it; rows whose kind matches --skeleton
objective     the sum of the terms of a prediction's objective
prediction    predicted curves, and their agreement with measured ones; reported only, without --prediction-tol
informative   terms of the objective, violations, iterations and the like of a prediction, and the timing of its peaks,
              which jumps between peaks of one height

A difference is relative to the variable's scale: for a curve, the range of its values before, over all rows of the same
kind; for a scalar or constant, its largest magnitude. A prediction's objective is its own scale. Text, including units,
must be equal.

Names that differ between the runs are given by rules that turn those of BEFORE into those of AFTER. A rule of --rename
is one of

    table=new                 a table has another name
    table.column=new          a column has another name
    table.column:old=new      a value of an identifying column, or a text, has another name

with the names of BEFORE on the left; * instead of the table stands for every table. It may also be a tab-separated file
with columns named table, column, old and new; column or old is blank in rules that do not have it.

A file of --walks, separated by tabs, has columns before.NAME and after.NAME, and optionally the column table: rows of
BEFORE with the values of the former get the values of the latter, in columns that need not exist yet. For example
before.subject, before.trial, after.subject, after.session, after.trial; or before.kind, after.kind, after.motion, where
one column became two. A blank cell stands for a blank value.

A column that only one run has is left out with a note, unless it alone distinguishes rows; so are rows without a value.

The exit status is 1 if a difference exceeds its tolerance, if a table, row, value or column is lost, or if nothing is
left to compare; otherwise 0. Rows that only AFTER has are counted and change nothing.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pandas as pd

from tests.benchmarks.renamed_tables import Renaming, find_table, read_rules, read_table, read_walks

TABLES = (
    "study_curves",
    "study_scalars",
    "study_events",
    "study_times",
    "predicted_curves",
    "predicted_vs_measured",
)
"""Names of the tables in BEFORE; the variable is in the column of that name, or in one of `VARIABLE`."""

VALUES = {"study_events": ("time", "plate", "source", "left_out")}
"""Columns that hold values, if they are not `USUAL_VALUES`."""

USUAL_VALUES = ("value", "unit", "asked")

VARIABLE = ("kind", "variable", "parameter", "measure", "event")
"""Columns that identify the quantity; the others identify subject, place and time."""

ALONG = ("percent", "time")
"""Columns along which a variable is a curve."""

SKELETON = (
    "full body|whole body|skeleton|marker|segment size|mass factor|constant turn|joint from|coordinate|estimated|"
    "fatigue|forward|residual-reduced|muscle"
)
"""Kinds of values that come from the fit of the whole skeleton, or follow from it; so do all of study_times."""

SOLVER = ("solver", "objective", "constraint")
"""Variables of predicted_vs_measured that come from the solver."""

INFORMATIVE = ("prediction", "informative")

OWN = ("_class", "_called")
"""Columns that the comparison adds: class and name of a value."""

DIGITS = 6
"""Decimal places of a number by which rows are joined, such as a time in s."""


@dataclass(frozen=True)
class Tolerances:
    """Largest differences allowed, relative to the scale of the variable; `absolute` ones never count."""

    matrix_form: float = 1e-9
    skeleton: float = 1e-4
    objective: float = 1e-6
    prediction: float | None = None
    absolute: float = 1e-12

    def of(self, kind: str) -> float:
        """The tolerance of a class of values; infinite where it is informative."""
        limits = {"matrix form": self.matrix_form, "skeleton": self.skeleton, "objective": self.objective}
        limits["prediction"] = np.inf if self.prediction is None else self.prediction
        return limits.get(kind, np.inf)


@dataclass
class Found:
    """What the comparison of a table found.

    Attributes:
        table: its name in BEFORE.
        compared: one row for each matched value that is a number, with its class, variable, difference and scale.
        texts: matched values that are text and differ.
        lost, added: rows that only BEFORE or only AFTER has.
        notes: remarks; ``problems`` are those that make the comparison fail.
    """

    table: str
    compared: pd.DataFrame = field(default_factory=pd.DataFrame)
    texts: pd.DataFrame = field(default_factory=pd.DataFrame)
    lost: pd.DataFrame = field(default_factory=pd.DataFrame)
    added: pd.DataFrame = field(default_factory=pd.DataFrame)
    notes: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def compare_tables(
    name: str, before: pd.DataFrame, after: pd.DataFrame, renaming: Renaming, tolerances: Tolerances, skeleton: str
) -> Found:
    """Join and compare the rows of a table.

    Args:
        name: in BEFORE.
        before, after: as `read_table` gives them.
        skeleton: pattern of the kinds whose values come of the skeleton's fit.
    """
    found = Found(name)
    columns = renaming.columns(name)
    values = [columns.get(column, column) for column in VALUES.get(name, USUAL_VALUES) if column in before]
    before = before.assign(**_kinds(name, before, skeleton))
    before = renaming.applied(name, before)
    before, after = _same_types(before, after)
    shared = [column for column in before if column in after]
    identifying = [column for column in shared if column not in values]
    _note_columns(found, before, after, identifying, values)
    order = [column for column in values if column in ALONG]
    both = _joined(before, after, identifying, order)
    told = [column for column in values if column in after]
    found.lost = _unmatched(found, both, "before", [*OWN, *identifying], told)
    found.added = _unmatched(found, both, "after", identifying, told)
    matched = both[both["_merge"] == "both"]
    if matched.empty:
        found.problems.append("no row is in both runs")
        return found
    numbers, texts = [], []
    for column in values:
        if column not in after:
            continue
        one, other = matched[f"{column}.before"], matched[f"{column}.after"]
        head = {"column": column, "_class": matched["_class"], "_called": matched["_called"]}
        if pd.api.types.is_numeric_dtype(one):
            numbers.append(matched[identifying].assign(**head, before=one, after=other))
        else:
            differ = one != other
            texts.append(matched[identifying].assign(**head, before=one, after=other)[differ])
    compared = pd.concat(numbers, ignore_index=True)
    if name == "predicted_vs_measured":
        compared = pd.concat([compared, _objectives(compared, identifying)], ignore_index=True)
    found.compared = _measured(compared, tolerances, any(column in identifying for column in ALONG))
    found.texts = pd.concat(texts, ignore_index=True) if texts else pd.DataFrame()
    return found


def _kinds(name: str, rows: pd.DataFrame, skeleton: str) -> dict[str, pd.Series]:
    """Class and name of the value of each row."""
    said = [rows[column] for column in VARIABLE if column in rows]
    called = said[0].str.cat(said[1:], sep=" / ").str.strip(" /") if len(said) > 1 else said[0]
    kind = pd.Series("matrix form", index=rows.index)
    if name == "study_times":
        kind[:] = "skeleton"
    elif name.startswith("predicted"):
        kind[:] = "prediction"
        if "measure" in rows:
            kind[rows["measure"].isin(["measured", "peak_measured"])] = "matrix form"
            kind[rows["variable"].isin(SOLVER) | (rows["measure"] == "timing")] = "informative"
    elif "kind" in rows:
        kind[rows["kind"].str.contains(skeleton)] = "skeleton"
    return {"_class": kind, "_called": called}


def _same_types(before: pd.DataFrame, after: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """A column that is text in one run and numbers in the other, as text of the numbers; a blank one as numbers."""
    before, after = before.copy(), after.copy()
    for column in before.columns.intersection(after.columns):
        pair = (before, after)
        numeric = [pd.api.types.is_numeric_dtype(one[column]) for one in pair]
        if numeric[0] == numeric[1]:
            continue
        for one in pair:
            one[column] = one[column].map(_plain)
    return before, after


def _plain(value: object) -> str:
    """A number as text, without the point of a whole one; blank if it is missing."""
    if not isinstance(value, float):
        return str(value)
    return "" if np.isnan(value) else f"{value:.12g}"


def _note_columns(
    found: Found, before: pd.DataFrame, after: pd.DataFrame, identifying: Sequence[str], values: Sequence[str]
) -> None:
    """Notes on columns that only one run has."""
    for rows, others, whose in ((before, after, "before"), (after, before, "after")):
        for column in rows:
            if column in others or column in OWN:
                continue
            if rows[column].nunique(dropna=False) <= 1:
                found.notes.append(f"column {column} is only {whose}, and constant: left out")
            elif column in values:
                found.problems.append(f"column {column} with values is only {whose}")
            elif _repeated(rows, identifying) > _repeated(rows, [*identifying, column]):
                found.problems.append(f"column {column} is only {whose}, and rows are told apart by it alone")
            else:
                found.notes.append(f"column {column} is only {whose}, and rows are told apart without it: left out")
    for rows, whose in ((before, "before"), (after, "after")):
        repeated = _repeated(rows, identifying)
        if repeated:
            found.notes.append(f"{repeated} rows {whose} are told apart by their order alone")


def _repeated(rows: pd.DataFrame, identifying: Sequence[str]) -> int:
    return int(_keys(rows, identifying).duplicated().sum())


def _keys(rows: pd.DataFrame, identifying: Sequence[str]) -> pd.DataFrame:
    """Identifying columns to join by: numbers to some decimals, with an odd offset so that none is half way."""
    keys = {}
    for column in identifying:
        own = rows[column]
        if pd.api.types.is_numeric_dtype(own):
            own = np.floor(own * 10.0**DIGITS + 0.6180339887).fillna(-1e18)
        keys[column] = own
    return pd.DataFrame(keys, index=rows.index)


def _joined(
    before: pd.DataFrame, after: pd.DataFrame, identifying: Sequence[str], order: Sequence[str]
) -> pd.DataFrame:
    """Rows of both runs side by side, with pandas' column _merge."""
    sides = []
    for rows, whose in ((before, "before"), (after, "after")):
        rows = rows.sort_values(list(order), kind="stable") if order else rows
        keys = _keys(rows, identifying)
        keys["_number"] = keys.groupby(list(identifying), sort=False, dropna=False).cumcount()
        keys = keys.add_prefix("_key.")
        rows = rows.rename(columns={column: f"{column}.{whose}" for column in rows if column not in OWN})
        sides.append(pd.concat([keys, rows], axis=1))
    on = [column for column in sides[0] if column.startswith("_key.")]
    both = sides[0].merge(sides[1], on=on, how="outer", indicator=True, sort=False)
    for column in identifying:
        both[column] = both[f"{column}.before"].where(both["_merge"] != "right_only", both[f"{column}.after"])
    return both


def _unmatched(
    found: Found, both: pd.DataFrame, whose: str, columns: Sequence[str], values: Sequence[str]
) -> pd.DataFrame:
    """Rows that only one run has; those without any number are noted and left out."""
    own = both[both["_merge"] == ("left_only" if whose == "before" else "right_only")]
    own = own[[*columns, *(f"{column}.{whose}" for column in values)]]
    numbers = own[[f"{column}.{whose}" for column in values]].select_dtypes("number")
    empty = numbers.isna().all(axis=1)
    if empty.any():
        found.notes.append(f"{int(empty.sum())} rows without a value are only {whose}: left out")
    return own[~empty]


def _objectives(compared: pd.DataFrame, identifying: Sequence[str]) -> pd.DataFrame:
    """The sums of the objective's terms, one for each prediction."""
    terms = compared[compared["_called"].str.startswith("objective /")]
    if terms.empty:
        return terms
    of = [column for column in identifying if column not in VARIABLE]
    sums = terms.groupby([*of, "column"], as_index=False, dropna=False)[["before", "after"]].sum()
    return sums.assign(**{"_class": "objective", "_called": "objective"})


def _measured(compared: pd.DataFrame, tolerances: Tolerances, curves: bool) -> pd.DataFrame:
    """With difference, scale, difference relative to it, and whether it exceeds its tolerance."""
    one, other = compared["before"], compared["after"]
    groups = one.groupby([compared["_class"], compared["_called"], compared["column"]])
    magnitude = one.abs().groupby([compared["_class"], compared["_called"], compared["column"]]).transform("max")
    span = groups.transform("max") - groups.transform("min")
    scale = span.where(span > 0.0, magnitude) if curves else magnitude
    scale = scale.where(compared["_class"] != "objective", one.abs())
    difference = (other - one).abs()
    difference = difference.where(one.notna() | other.notna(), 0.0)  # missing in both
    difference = difference.where(one != other, 0.0)  # infinite in both
    vanished = one.notna() != other.notna()
    difference = difference.mask(vanished, np.inf)
    relative = (difference / scale.where(scale > 0.0)).mask(difference == 0.0, 0.0).fillna(np.inf)
    relative = relative.mask(difference <= tolerances.absolute, 0.0)
    limit = compared["_class"].map({name: tolerances.of(name) for name in compared["_class"].unique()})
    exceeds = (relative > limit) | (vanished & ~compared["_class"].isin(INFORMATIVE))
    return compared.assign(difference=difference, scale=scale, relative=relative, limit=limit, exceeds=exceeds)


def by_variable(found: Found) -> pd.DataFrame:
    """One row for each class and variable of a table: counts, and its largest differences."""
    keys = ["_class", "_called", "column"]
    largest = {"matched": ("before", "size"), "largest": ("difference", "max"), "relative": ("relative", "max")}
    rows = found.compared.groupby(keys).agg(**largest, exceeding=("exceeds", "sum")).reset_index()
    lost = found.lost.groupby(["_class", "_called"]).size().rename("only before").reset_index()
    rows = rows.merge(lost, on=["_class", "_called"], how="outer")
    counts = ["matched", "exceeding", "only before"]
    rows[counts] = rows[counts].fillna(0).astype(int)
    return rows.sort_values("relative", ascending=False, kind="stable")


def tell(found: Found, tolerances: Tolerances, count: int, everything: bool) -> bool:
    """Print what was found in a table.

    Args:
        count: of rows listed of each sort.
        everything: also variables that did not change.

    Returns:
        Whether all is within the tolerances.
    """
    compared = found.compared
    matched = 0 if compared.empty else len(compared[compared["_class"] != "objective"])
    lost, added = len(found.lost), len(found.added)
    print(f"\n{found.table}: {matched} numbers matched, {lost} rows only before, {added} only after")
    for problem in found.problems:
        print(f"  FAILS: {problem}")
    for note in found.notes:
        print(f"  note: {note}")
    if not compared.empty:
        for name, own in compared.groupby("_class"):
            _print_class(str(name), own, tolerances.of(str(name)))
        variables = by_variable(found)
        changed = (variables["relative"] > 0) | (variables["only before"] > 0)
        shown = variables if everything else variables[changed]
        _print_rows("variables" if everything else "variables that changed", shown, None if everything else count)
        _print_rows("above tolerance", _worst(compared), count)
    _print_rows("texts that differ", found.texts, count)
    _print_rows("rows only before", found.lost, count)
    _print_rows("rows only after", found.added, count)
    exceeding = not compared.empty and bool(compared["exceeds"].any())
    return not (exceeding or found.problems or len(found.texts) or len(found.lost))


def _print_class(name: str, own: pd.DataFrame, limit: float) -> None:
    """One line on the values of a class."""
    at = own.loc[own["relative"].idxmax()]
    where = f" of {at['_called']}" if at["relative"] > 0.0 else ""
    told = "only told" if np.isinf(limit) else f"tolerance {limit:g}"
    print(
        f"  {name}: {own['_called'].nunique()} variables, {len(own)} values, largest difference "
        f"{own['difference'].max():.3g}, relative {at['relative']:.3g}{where}; {told}, {own['exceeds'].sum()} above it"
    )


def _worst(compared: pd.DataFrame) -> pd.DataFrame:
    above = compared[compared["exceeds"]].sort_values("relative", ascending=False, kind="stable")
    return above.drop(columns=["exceeds", "_called"])


def _print_rows(title: str, rows: pd.DataFrame, count: int | None) -> None:
    if rows.empty:
        return
    shown = rows if count is None else rows.head(count)
    more = f", the first {len(shown)} of {len(rows)}" if len(shown) < len(rows) else ""
    print(f"  {title}{more}:")
    text = shown.rename(columns=lambda name: name.removeprefix("_")).to_string(
        index=False, na_rep="", float_format=lambda value: f"{value:.6g}"
    )
    print("\n".join(f"    {line}" for line in text.splitlines()))


def compare(
    before: Path, after: Path, renaming: Renaming, tolerances: Tolerances, skeleton: str = SKELETON
) -> list[Found]:
    """Compare all tables of two studies; a table that neither has is left out."""
    found = []
    for name in TABLES:
        new = renaming.table(name)
        files = find_table(before, name), find_table(after, new)
        if files[0] is None:
            if files[1] is not None:
                found.append(Found(name, notes=["there is no such table before"]))
            continue
        if files[1] is None:
            found.append(Found(name, problems=[f"there is no table {new} after"]))
            continue
        tables = read_table(files[0]), read_table(files[1])
        found.append(compare_tables(name, *tables, renaming, tolerances, skeleton))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("before", type=Path, metavar="BEFORE", help="folder of a study, or of its results")
    parser.add_argument("after", type=Path, metavar="AFTER", help="folder of the other run")
    parser.add_argument("--rename", action="append", default=[], metavar="RULE", help="rule or file, as said above")
    parser.add_argument("--walks", action="append", default=[], type=Path, metavar="FILE", help="rows, as said above")
    usual = Tolerances()
    for option, default, what in (
        ("--rtol", usual.matrix_form, "of the matrix form and what comes before it"),
        ("--skeleton-tol", usual.skeleton, "of the whole skeleton"),
        ("--objective-tol", usual.objective, "of a prediction's objective"),
        ("--prediction-tol", usual.prediction, "of predicted curves and their measures"),
        ("--atol", usual.absolute, "absolute, of anything: smaller differences count as none"),
    ):
        parser.add_argument(option, type=float, default=default, metavar="X", help=f"tolerance {what}; {default}")
    parser.add_argument("--skeleton", default=SKELETON, metavar="PATTERN", help="kinds of the whole skeleton's values")
    parser.add_argument("--list", type=int, default=20, metavar="N", help="rows listed of each sort; 20")
    parser.add_argument("--all", action="store_true", help="list every variable, changed or not")
    asked = parser.parse_args()
    tolerances = Tolerances(asked.rtol, asked.skeleton_tol, asked.objective_tol, asked.prediction_tol, asked.atol)
    try:
        renaming = Renaming(read_rules(asked.rename), tuple(map(read_walks, asked.walks)))
        found = compare(asked.before, asked.after, renaming, tolerances, asked.skeleton)
    except ValueError as error:
        parser.error(str(error))
    pd.set_option("display.width", 200, "display.max_colwidth", 60)
    good = [tell(one, tolerances, asked.list, asked.all) for one in found]
    if not found:
        print("nothing to compare: BEFORE has no tables")
    same = bool(found) and all(good)
    print(f"\n{'within' if same else 'NOT within'} the tolerances")
    sys.exit(int(not same))


if __name__ == "__main__":
    main()
