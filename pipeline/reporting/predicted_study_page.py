"""The page that sets all predicted walks of a study beside the measured ones that they were asked to be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.comparison.grades import Graded, graded
from pipeline.comparison.variables import VARIABLES
from pipeline.reporting.pages import write_page
from pipeline.reporting.prediction_tables import DECIMALS, GROUPS, sentences, title_of
from pipeline.reporting.run import ReportRun
from pipeline.trial import PredictedComparison

COLUMNS = (
    *("pelvic_tilt", "hip_flexion", "knee_flexion", "ankle_dorsiflexion"),
    *("hip_extensor_moment", "knee_extensor_moment", "ankle_plantarflexor_moment"),
    *("hip_power", "knee_power", "ankle_power"),
    *("ground_fore_aft", "ground_vertical", "ground_medial"),
)
"""Curves that have a column in the table of walks."""


@dataclass(frozen=True)
class VariableRow:
    """A curve's agreement over all walks: means of each walk's, and the least and the largest."""

    heading: str
    title: str
    units: str
    decimals: int
    count: int
    rmse: float
    rmse_range: tuple[float, float]
    offset: float
    rmse_shape: float
    nrmse: float
    r: float
    r_range: tuple[float, float]


@dataclass(frozen=True)
class Cell:
    """A curve's agreement in one walk."""

    rmse: float
    r: float
    decimals: int


@dataclass(frozen=True)
class TrialRow:
    """One walk: values and decimals of its parameters, and a cell for each of `COLUMNS`, None where not measured."""

    subject: str
    walk: str
    prediction: str
    parameters: tuple[tuple[float, int], ...]
    cells: tuple[Cell | None, ...]


def write_predicted_study_page(
    path: Path,
    comparisons: Sequence[PredictedComparison],
    failed: Sequence[tuple[str, str]],
    run: ReportRun,
) -> None:
    """Write the page.

    Args:
        path: HTML file to write.
        comparisons: of predictions that were asked to be measured walks.
        failed: name and reason of those that were asked to be and failed.
        run: the study, configuration and versions.
    """
    by_walk = [{one.variable: one for one in graded(both.agreement)} for both in comparisons]
    write_page(
        path,
        "predicted_vs_measured.html.j2",
        run=run,
        failed=failed,
        told=sentences([row for both in comparisons for row in both.agreement]),
        variables=list(_variable_rows(by_walk)),
        columns=[title_of(name) for name in COLUMNS],
        trials=[_trial_row(both, own) for both, own in zip(comparisons, by_walk, strict=True)],
    )


def _variable_rows(by_walk: Sequence[dict[str, Graded]]) -> Iterator[VariableRow]:
    last = ""
    for name, variable in VARIABLES.items():
        own = [walk[name] for walk in by_walk if name in walk]
        if not own:
            continue
        title, units = title_of(name)
        group = GROUPS[variable.quantity]
        rmse, r = [one.rmse for one in own], [one.r for one in own]
        yield VariableRow(
            heading=group if group != last else "",
            title=title,
            units=units,
            decimals=DECIMALS[variable.units],
            count=len(own),
            rmse=float(np.mean(rmse)),
            rmse_range=(min(rmse), max(rmse)),
            offset=float(np.mean([one.offset for one in own])),
            rmse_shape=float(np.mean([one.rmse_shape for one in own])),
            nrmse=float(np.mean([one.nrmse for one in own])),
            r=float(np.mean(r)),
            r_range=(min(r), max(r)),
        )
        last = group


def _trial_row(both: PredictedComparison, own: dict[str, Graded]) -> TrialRow:
    known = {p.name: p for p in both.parameters}
    speed, stride, cadence = (known[name] for name in ("speed", "stride_length", "cadence"))
    return TrialRow(
        subject=both.subject,
        walk=both.walk,
        prediction=both.name,
        parameters=(
            (speed.measured, 2),
            (stride.measured, 2),
            (cadence.predicted, 1),
            (cadence.measured, 1),
        ),
        cells=tuple(
            Cell(own[name].rmse, own[name].r, DECIMALS[VARIABLES[name].units]) if name in own else None
            for name in COLUMNS
        ),
    )
