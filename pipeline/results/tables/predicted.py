"""Predicted against measured as two tidy tables, one value a row: measures of agreement, and the predicted curves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pyarrow as pa

from pipeline.analysis.statistical_mapping import mapped_scalars, mean_within
from pipeline.results.tables.study import table_writer
from pipeline.trial import PredictedComparison, PredictedSample, PredictedStudy, SolverReport

MEASURES = {
    "rmse": None,
    "offset": None,
    "rmse_shape": None,
    "nrmse": "1",
    "r": "1",
    "peak_predicted": None,
    "peak_measured": None,
    "timing": "%",
}
"""Measures of a curve by name, and their units; None for the curve's own."""

SOLVER = {
    "iterations": "1",
    "variables": "1",
    "constraints": "1",
    "active": "1",
    "max_violation": "1",
    "optimality": "1",
    "slip": "m/s",
    "lift": "m",
    "balance": "N, Nm",
}
"""Figures of the solver by name, and their units."""

_NAME = pa.dictionary(pa.int32(), pa.string())

AGREEMENT = pa.schema(
    [
        *((name, _NAME) for name in ("subject", "trial", "prediction", "side", "variable", "measure")),
        ("value", pa.float64()),
        ("unit", _NAME),
        ("asked", pa.bool_()),
    ]
)
"""Asked: whether the prediction was asked to be the trial; otherwise that is the subject's nearest walk. Parameters
that both walks have stand without a side, and with the measures "predicted" and "measured". How the solver ended
stands with the variable "solver" (`pipeline.trial.SolverReport`), the terms of its objective with "objective", and the
largest violations of each constraint, at the nodes and on the denser grid, with "constraint".

Of several walks together (`PredictedStudy`) there is no trial and no side, and the prediction is their preset and form:
measures "t threshold" and so on, as `pipeline.analysis.statistical_mapping.mapped_scalars` names them, and "cluster 1
difference", the mean of predicted less measured within it."""

CURVES = pa.schema(
    [
        *((name, _NAME) for name in ("subject", "trial", "prediction", "side", "kind", "variable")),
        ("percent", pa.float64()),
        ("value", pa.float64()),
        ("unit", _NAME),
    ]
)
"""Kind "predicted": over the gait cycle; the measured ones are the means of the study's own table of curves. Kind
"predicted motion": over the predicted step or stride (`pipeline.analysis.predicted.motion`). Kinds "t" and
"difference": Student's t of several walks predicted against measured, and their mean difference, named as in
`AGREEMENT`; without the percents that are not compared."""


def write_predicted_tables(
    agreement: Sequence[Path],
    curves: Sequence[Path],
    comparisons: Iterable[tuple[PredictedComparison, SolverReport]],
    together: PredictedStudy,
) -> None:
    """Write both tables, comparison by comparison, and then what they say together.

    Args:
        agreement, curves: files for each, Parquet or CSV by their suffix.
        comparisons: in the order wanted, each with how the prediction's solver ended.
        together: of all of them.
    """
    with ExitStack() as stack:
        writers = [
            [stack.enter_context(table_writer(path, schema)) for path in paths]
            for paths, schema in ((agreement, AGREEMENT), (curves, CURVES))
        ]
        tables = ((agreement_table(both, solver), curve_table(both)) for both, solver in comparisons)
        for pair in (*tables, (mapped_agreement_table(together), mapped_curve_table(together))):
            for table, files in zip(pair, writers, strict=True):
                for file in files:
                    file.write_table(table)


def agreement_table(both: PredictedComparison, solver: SolverReport) -> pa.Table:
    """All measures that are known of a comparison; see `AGREEMENT`."""
    rows = [row for row in (*_measures(both), *_solver_measures(solver)) if np.isfinite(row["value"])]
    return pa.Table.from_pylist([{**_who(both), **row, "asked": both.asked} for row in rows], schema=AGREEMENT)


def curve_table(both: PredictedComparison) -> pa.Table:
    """The predicted curves of a comparison; see `CURVES`."""
    of_motion = [
        {"side": side, "kind": "predicted motion", "variable": name, "percent": percent, "value": value, "unit": unit}
        for side, curves in zip(both.motion.side_names, both.motion.values, strict=True)
        for name, unit, values in zip(both.motion.variable_names, both.motion.units, curves, strict=True)
        if np.isfinite(values).any()
        for percent, value in zip(both.motion.percent, values, strict=True)
    ]
    rows = [
        {"side": side, "kind": "predicted", "variable": name, "percent": percent, "value": value, "unit": unit}
        for side, curves in zip(both.side_names, both.predicted, strict=True)
        for name, unit, values in zip(both.variable_names, both.variable_units, curves, strict=True)
        for percent, value in zip(both.percent, values, strict=True)
    ]
    return pa.Table.from_pylist([{**_who(both), **row} for row in (*rows, *of_motion)], schema=CURVES)


def mapped_agreement_table(together: PredictedStudy) -> pa.Table:
    """Thresholds and clusters of several walks together; see `AGREEMENT`."""
    rows = [
        {**_whose(sample), "variable": name, "measure": measure, "value": value, "unit": unit, "asked": True}
        for sample in together.samples
        for name, own in sample.maps.items()
        for measure, value, unit in (
            *mapped_scalars(own.test),
            *(
                (f"cluster {number} difference", mean_within(own.difference, cluster), own.unit)
                for number, cluster in enumerate(own.test.clusters, start=1)
            ),
        )
    ]
    return pa.Table.from_pylist(rows, schema=AGREEMENT)


def mapped_curve_table(together: PredictedStudy) -> pa.Table:
    """Statistics and differences of several walks together; see `CURVES`."""
    rows = [
        {**_whose(sample), "kind": kind, "variable": name, "percent": percent, "value": value, "unit": unit}
        for sample in together.samples
        for name, own in sample.maps.items()
        for kind, values, unit in (("t", own.test.t, "1"), ("difference", own.difference, own.unit))
        for percent, value in zip(together.percent, values, strict=True)
        if np.isfinite(value)
    ]
    return pa.Table.from_pylist(rows, schema=CURVES)


def _measures(both: PredictedComparison) -> Iterator[dict]:
    for p in both.parameters:
        for measure in ("predicted", "measured"):
            yield {"side": "", "variable": p.name, "measure": measure, "unit": p.unit, "value": getattr(p, measure)}
    for one in both.agreement:
        for measure, unit in MEASURES.items():
            what = {"side": one.side, "variable": one.variable, "measure": measure, "unit": unit or one.unit}
            yield {**what, "value": getattr(one, measure)}


def _solver_measures(solver: SolverReport) -> Iterator[dict]:
    for measure, unit in SOLVER.items():
        yield {"side": "", "variable": "solver", "measure": measure, "value": getattr(solver, measure), "unit": unit}
    for name, value in solver.objectives.items():
        yield {"side": "", "variable": "objective", "measure": name, "value": value, "unit": "1"}
    for own in solver.violations:
        for measure, value in (("", own.nodes), (", denser grid", own.dense)):
            what = {"side": "", "variable": "constraint", "measure": f"{own.constraint}{measure}"}
            yield {**what, "value": value, "unit": own.unit}


def _who(both: PredictedComparison) -> dict[str, str]:
    return {"subject": both.subject, "trial": both.walk, "prediction": both.name}


def _whose(sample: PredictedSample) -> dict[str, str]:
    return {"subject": sample.subject, "trial": "", "prediction": sample.kind, "side": ""}
