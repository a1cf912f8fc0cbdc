"""The tables of predicted walks: measures of agreement with measured walks, solver reports, and curves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from pipeline.analysis import JOINT_FORCES, mapped_scalars, mean_within, muscle_curves, repeated_muscles
from pipeline.results.tables.frames import Row, frame
from pipeline.trial import PredictedComparison, PredictedStudy, PredictedWalk, SolverReport

MEASURES = {
    "rmse": ("", "root mean square difference, for the ground reaction over stance"),
    "offset": ("", "mean of the predicted minus mean of the measured curve"),
    "rmse_shape": ("", "root mean square difference after the offset is subtracted"),
    "nrmse": ("1", "root mean square difference over the range of the measured curve"),
    "r": ("1", "correlation"),
    "peak_predicted": ("", "maximum predicted value in the direction of the measured peak"),
    "peak_measured": ("", "measured value farthest from zero"),
    "timing": ("%", "delay of the predicted peak in percent of the cycle"),
}
"""Measures of a curve by name: unit, empty for the curve's own, and meaning."""

NORM = "norm_"
OF_NORM = {
    "rmse": "rmse of the norm's mean curve at the measured speed, instead of the predicted curve",
    "offset": "offset of the norm's mean curve",
    "rmse_shape": "rmse_shape of the norm's mean curve",
    "nrmse": "nrmse of the norm's mean curve",
    "r": "correlation of the norm's mean curve",
}
"""Prefix, and names as in `MEASURES` with meanings, of the measures of the norm's mean curve against the measured."""

SOLVER = {
    "iterations": ("1", "iterations of the solver"),
    "variables": ("1", "design variables of the problem"),
    "constraints": ("1", "constraint rows"),
    "active": ("1", "active constraint rows"),
    "max_violation": ("1", "maximum violation at the nodes over its tolerance"),
    "optimality": ("1", "first-order optimality"),
    "slip": (
        "m/s",
        "maximum speed of a contact point while it should be at rest, times its foot's vertical force in body weights, "
        "at most 1, on the denser grid",
    ),
    "lift": ("m", "maximum distance of a point in contact from the ground, on the denser grid"),
    "leg_distance": ("m", "minimum distance of the axes of the two legs, negative if they cross, on the denser grid"),
    "hand_distance": ("m", "minimum distance of a hand from an axis of the trunk, on the denser grid"),
    "support": (
        "m",
        "maximum distance of the zero-moment point from the support polygon, times vertical force over body weight, on "
        "the denser grid",
    ),
    "torque": ("1", "maximum torque over its limit, on the denser grid"),
    "ground_work": ("J/kg", "net work of the ground on the feet over a step, per kg of body and load, denser grid"),
    "ground_work_absolute": ("J/kg", "the same of absolute powers, summed over the feet"),
    "balance": ("N, Nm", "maximum residual of whole-body balance"),
}
"""Figures of the solver by name: unit and meaning."""


def comparison_tables(
    both: PredictedComparison, walk: PredictedWalk, session: str = "1", condition: str = "", what_if: str = ""
) -> dict[str, pd.DataFrame]:
    """The rows of a prediction by table: measures against the measured walk, solver, warnings, and curves.

    Of the measured curves, only net joint forces are included; the others are the means in the study's table of curves.
    """
    who = {"subject": both.subject, "session": session, "condition": condition}
    who |= {"trial": both.walk, "prediction": both.name, "what_if": what_if}
    every = (*_measures(both), *_solver_measures(walk.solver), *_warnings(walk))
    measures = [row for row in every if np.isfinite(row["value"])]
    motion = both.motion
    shared = both.side_names, both.variable_names, both.variable_units
    forces = np.isin(both.variable_names, list(JOINT_FORCES))[:, None]
    curves = [
        *_curves("predicted", *shared, both.predicted),
        *_curves("measured mean", *shared, np.where(forces, both.measured, np.nan)),
        *_curves("measured sd", *shared, np.where(forces, both.measured_sd, np.nan)),
        *_curves("predicted motion", motion.side_names, motion.variable_names, motion.units, motion.values),
        *_muscle_curves(walk),
    ]
    return {
        "predicted_vs_measured": frame("predicted_vs_measured", measures, **who, asked=both.asked),
        "predicted_curves": frame("predicted_curves", curves, **who, percent=both.percent),
    }


def sample_tables(together: PredictedStudy) -> dict[str, pd.DataFrame]:
    """The rows of several walks together, by table: thresholds and clusters, test statistics and mean differences."""
    measures, curves = [], []
    for sample in together.samples:
        for name, own in sample.maps.items():
            who = {"subject": sample.subject, "prediction": sample.kind, "variable": name}
            clusters = enumerate(own.test.clusters, start=1)
            for measure, value, unit in (
                *mapped_scalars(own.test),
                *((f"cluster {n} difference", mean_within(own.difference, c), own.unit) for n, c in clusters),
            ):
                measures.append({**who, "measure": measure, "value": value, "unit": unit, "asked": True})
            for kind, values, unit in (("t", own.test.t, "1"), ("difference", own.difference, own.unit)):
                known = np.isfinite(values)
                along = {"percent": together.percent[known], "value": values[known]}
                curves.append({**who, "kind": kind, "unit": unit, **along})
    return {
        "predicted_vs_measured": frame("predicted_vs_measured", measures),
        "predicted_curves": frame("predicted_curves", curves),
    }


def _curves(
    kind: str, sides: Sequence[str], names: Sequence[str], units: Sequence[str], values: np.ndarray
) -> Iterator[Row]:
    """Curves of all sides that have any value."""
    for side, of_side in zip(sides, values, strict=True):
        for name, unit, curve in zip(names, units, of_side, strict=True):
            if np.isfinite(curve).any():
                yield {"side": side, "kind": kind, "variable": name, "value": curve, "unit": unit}


def _muscle_curves(walk: PredictedWalk) -> Iterator[Row]:
    """Activations, muscle and joint contact forces of both sides, in the form of `study_curves`."""
    if walk.muscles is None:
        return
    loads, cycles = repeated_muscles(walk)
    for curves in cycles:
        for name, (values, unit) in muscle_curves(loads, curves.cycle).items():
            yield {"side": curves.cycle.side, "kind": "predicted", "variable": name, "value": values, "unit": unit}


def _measures(both: PredictedComparison) -> Iterator[Row]:
    for p in both.parameters:
        for measure in ("predicted", "measured"):
            yield {"side": "", "variable": p.name, "measure": measure, "unit": p.unit, "value": getattr(p, measure)}
    for prefix, every in (("", both.agreement), (NORM, both.norm_agreement)):
        for one in every:
            for measure, (unit, _) in MEASURES.items():
                if prefix and measure not in OF_NORM:
                    continue
                what = {"side": one.side, "variable": one.variable, "measure": f"{prefix}{measure}"}
                yield {**what, "unit": unit or one.unit, "value": getattr(one, measure)}


def _warnings(walk: PredictedWalk) -> Iterator[Row]:
    for one in walk.findings:
        yield {"side": "", "variable": "warning", "measure": one.subject, "value": one.value, "unit": one.units}


def _solver_measures(solver: SolverReport) -> Iterator[Row]:
    for measure, (unit, _) in SOLVER.items():
        yield {"side": "", "variable": "solver", "measure": measure, "value": getattr(solver, measure), "unit": unit}
    for name, value in solver.objectives.items():
        yield {"side": "", "variable": "objective", "measure": name, "value": value, "unit": "1"}
    for own in solver.violations:
        for measure, value in (("", own.nodes), (", denser grid", own.dense)):
            what = {"side": "", "variable": "constraint", "measure": f"{own.constraint}{measure}"}
            yield {**what, "value": value, "unit": own.unit}
