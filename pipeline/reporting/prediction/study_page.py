"""The page that sets all predicted walks of a study beside the measured ones that they were asked to be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import numpy as np

from pipeline.analysis.grades import Graded, graded
from pipeline.analysis.variables import MAIN, VARIABLES
from pipeline.reporting.figures.statistical_mapping import paired_section
from pipeline.reporting.pages import write_page
from pipeline.reporting.prediction.tables import GROUPS, curve_rows, sentences
from pipeline.reporting.run import ReportRun
from pipeline.trial import PredictedComparison, PredictedStudy

WHY = (
    "One symmetric step stands for both sides, so the sides' own differences remain; where two free steps are asked "
    "for, a symmetric body and task find the same walk twice.",
    "Effort is the square of torques and no tendon stores energy, so quick peaks are dear: the push-off at the ankle "
    "is weaker than the measured one, and the leg leaves the ground a little later.",
    "In the model the heel is at rest from initial contact on, where people's heels arrive at speed: the ankle "
    "dorsiflexes before it and turns the foot down at it.",
    "Nothing in the objective asks for the pelvis' obliquity and rotation, and their effort is small: they, and the "
    "hips' adduction and rotation, follow the measured ones only loosely.",
    "Knees are kept from extending fully, where measured ones may; their extensor moment in early stance is larger.",
    "The skeleton's knee is a hinge, that of the markers has an axis of its own: rotations of knee and ankle have "
    "offsets that cancel, the twist of the shin being counted in one joint or the other.",
)
"""What is known of why predicted walks differ from measured ones, whatever the walks."""


@dataclass(frozen=True)
class OverWalks:
    """A curve's agreement over all walks: means of each walk's, and the least and the largest."""

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
    """One walk.

    Attributes:
        folder: of its session's pages.
        speed, stride: measured, m/s and m.
        cadence: predicted and measured, steps/min.
        cells: of each curve of `MAIN`, None where not measured.
    """

    folder: str
    subject: str
    walk: str
    prediction: str
    speed: float
    stride: float
    cadence: tuple[float, float]
    cells: tuple[Cell | None, ...]


def write_predicted_study_page(
    path: Path,
    comparisons: Sequence[tuple[str, PredictedComparison]],
    failed: Sequence[tuple[str, str, str]],
    together: PredictedStudy,
    run: ReportRun,
) -> None:
    """Write the page.

    Args:
        path: HTML file to write.
        comparisons: of predictions that were asked to be measured walks, each with the folder of its session's pages.
        failed: such a folder, name and reason of those that were asked to be and failed.
        together: what several walks say together.
        run: the study, configuration and versions.
    """
    by_walk = [{one.variable: one for one in graded(both.agreement)} for _, both in comparisons]
    by_variable: dict[str, list[Graded]] = {}
    for walk in by_walk:
        for name, one in walk.items():
            by_variable.setdefault(name, []).append(one)
    write_page(
        path,
        "predicted_vs_measured.html.j2",
        run=run,
        failed=failed,
        told=sentences([row for _, both in comparisons for row in both.agreement]),
        variables=curve_rows({name: _over_walks(own) for name, own in by_variable.items()}),
        together=[paired_section(sample, together.percent) for sample in together.samples],
        notes=together.notes,
        why=WHY,
        columns=[_columns(list(names)) for _, names in groupby(MAIN, lambda name: VARIABLES[name].quantity)],
        trials=[_trial_row(folder, both, own) for (folder, both), own in zip(comparisons, by_walk, strict=True)],
    )


def _columns(names: Sequence[str]) -> tuple[str, str, list[str]]:
    """Heading and units of a group of curves, and the titles beneath it without the words that it has."""
    titles = [VARIABLES[name].title.removesuffix(" moment").removesuffix(" power") for name in names]
    return GROUPS[VARIABLES[names[0]].quantity], VARIABLES[names[0]].display_units, titles


def _over_walks(own: Sequence[Graded]) -> OverWalks:
    rmse, r = [one.rmse for one in own], [one.r for one in own]
    return OverWalks(
        count=len(own),
        rmse=float(np.mean(rmse)),
        rmse_range=(min(rmse), max(rmse)),
        offset=float(np.mean([one.offset for one in own])),
        rmse_shape=float(np.mean([one.rmse_shape for one in own])),
        nrmse=float(np.mean([one.nrmse for one in own])),
        r=float(np.mean(r)),
        r_range=(min(r), max(r)),
    )


def _cell(one: Graded) -> Cell:
    return Cell(one.rmse, one.r, VARIABLES[one.variable].decimals)


def _trial_row(folder: str, both: PredictedComparison, own: dict[str, Graded]) -> TrialRow:
    known = {p.name: p for p in both.parameters}
    speed, stride, cadence = (known[name] for name in ("speed", "stride_length", "cadence"))
    return TrialRow(
        folder=folder,
        subject=both.subject,
        walk=both.walk,
        prediction=both.name,
        speed=speed.measured,
        stride=stride.measured,
        cadence=(cadence.predicted, cadence.measured),
        cells=tuple(
            Cell(own[name].rmse, own[name].r, VARIABLES[name].decimals) if name in own else None for name in MAIN
        ),
    )
