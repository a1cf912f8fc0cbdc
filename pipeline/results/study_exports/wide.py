"""Export a study's walks as one table with a row per walk, for statistics programs, and a table of its columns.

A row has means over the walk's cycles: spatiotemporal parameters, features of curves over cycle, stance and swing, and
the scores of the gait profile. Loads estimated from motion have separate columns, named as estimated. Walks without
results, and those that were refused or not fully checked, are left out.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from pipeline.analysis import ESTIMATED, estimated_steps
from pipeline.config import Study, TrialKey
from pipeline.conventions import SIDES
from pipeline.errors import ResultsError
from pipeline.results.reading import read_stage
from pipeline.results.study_exports.walks import computed, described, left_out, read_asked
from pipeline.results.tables.features import SCORE, feature_rows
from pipeline.trial import GaitCycles, GaitSummary, GroundFromMotion

PHASES = ("cycle", "stance", "swing")
"""Phases of the features; features of subphases are in the table ``study_features``."""

FEATURES = ("minimum", "minimum_percent", "maximum", "maximum_percent", "range", "mean")


def write(study: Study, results: Path, folder: Path) -> dict[TrialKey, str]:
    """Write ``walks`` as CSV and Parquet, and ``columns.csv`` with the unit and meaning of each column.

    Returns:
        By key, why walks are left out.

    Raises:
        ResultsError: no walk was computed, or all were refused or not fully checked.
    """
    walks, columns, reasons = walks_table(study, results)
    folder.mkdir(parents=True, exist_ok=True)
    walks.to_parquet(folder / "walks.parquet", index=False)
    walks.to_csv(folder / "walks.csv", index=False, float_format="%.10g")
    described_columns = [(name, unit, meaning) for name, (unit, meaning) in columns.items()]
    pd.DataFrame(described_columns, columns=["column", "unit", "meaning"]).to_csv(folder / "columns.csv", index=False)
    return reasons


def walks_table(study: Study, results: Path) -> tuple[pd.DataFrame, dict[str, tuple[str, str]], dict[TrialKey, str]]:
    """A row for each walk; unit and meaning of each column; and, by key, why walks are left out.

    Raises:
        ResultsError: as for `write`.
    """
    rows, columns, reasons = [], dict[str, tuple[str, str]](), left_out(study, results)
    for trial, session in computed(study, results, "summary"):
        if trial.key in reasons:
            continue
        file = f"{trial.trial}.h5"
        cycles = read_stage(session / "cycles" / file, GaitCycles)
        row = described(study, trial)
        columns |= {name: ("", "of the subject and the recording") for name in row if name not in columns}
        found = _values(cycles, read_stage(session / "summary" / file, GaitSummary))
        if estimated := read_asked(study, session / "ground_from_motion" / file, GroundFromMotion):
            found |= _of_estimated(estimated)
        for name, (value, unit, meaning) in found.items():
            row[name] = value
            columns[name] = unit, meaning
        rows.append(row)
    if not rows:
        raise ResultsError(
            "every computed walk was refused or not fully checked, so there is no row to write",
            where=str(results),
            remedy="See the study's page for the reasons",
        )
    return pd.DataFrame(rows, columns=list(columns)), columns, reasons


def _values(cycles: GaitCycles, summary: GaitSummary) -> dict[str, tuple[float, str, str]]:
    """Value, unit and meaning by column."""
    found: dict[str, tuple[float, str, str]] = {
        "walking_speed": (summary.walking_speed, "m/s", "mean over all cycles"),
        "cadence": (summary.cadence, "steps/min", "mean over all cycles"),
        SCORE: (summary.gps_overall, "deg", "of both sides"),
    }
    for side, parameters in summary.parameter_mean.items():
        for name, value in parameters.items():
            unit = summary.parameter_units[name]
            found[f"{name}_{side}"] = value, unit, f"{side} side, mean over its cycles"
    for feature in feature_rows(cycles, summary):
        found |= _of_feature(feature)
    return {name: value for name, value in found.items() if np.isfinite(value[0])}


def _of_feature(row: Any) -> dict[str, tuple[float, str, str]]:
    """The columns made from a row of the table of features; none if the row is not exported."""
    name, side, phase = row["variable"], row["side"], row["phase"]
    if row["kind"] == "score":
        what = "score" if name == SCORE else "root mean square difference from the norm, Movement Analysis Profile"
        column = f"{name}_{side}" if name == SCORE else f"{name}_profile_{side}"
        return {column: (row["mean"], row["unit"], f"{side} side, {what}")}
    mixed = f"mean, {ESTIMATED}"
    if row["kind"] not in ("mean", mixed) or phase not in PHASES:
        return {}
    said = ("_with_estimated", f", {ESTIMATED}") if row["kind"] == mixed else ("", "")
    return {
        f"{name}_{side}{said[0]}_{phase}_{feature}": (
            row[feature],
            "%" if feature.endswith("_percent") else row["unit"],
            f"{side} side, mean over its cycles of the {_meaning(feature)} in {phase}{said[1]}",
        )
        for feature in FEATURES
    }


def _of_estimated(found: GroundFromMotion) -> dict[str, tuple[float, str, str]]:
    """Columns of loads estimated from motion: means over a side's steps, named as estimated."""
    columns: dict[str, tuple[float, str, str]] = {}
    for side in SIDES:
        own = [loads for loads in estimated_steps(found) if loads.step.side == side]
        if own:
            columns[f"estimated_steps_{side}"] = float(len(own)), "1", f"{side} side, steps with loads estimated"
        curves: dict[str, list[np.ndarray]] = {}
        units: dict[str, str] = {}
        for loads in own:
            for name, unit, values in loads.curves():
                curves.setdefault(name, []).append(values)
                units[name] = unit
        for name, values_of in curves.items():
            for feature, of in (("minimum", np.nanmin), ("maximum", np.nanmax), ("mean", np.nanmean)):
                value = float(np.mean([of(values) for values in values_of]))
                meaning = f"{side} side, mean over its steps of the {feature} in stance, estimated from motion"
                columns[f"{name}_{side}_estimated_stance_{feature}"] = value, units[name], meaning
    return {name: value for name, value in columns.items() if np.isfinite(value[0])}


def _meaning(feature: str) -> str:
    """A feature in words."""
    name = feature.removesuffix("_percent")
    return name if name == feature else f"time of the {name}"
