"""The page of all predicted walks of a study against the measured walks that they predict."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.analysis import MAIN, VARIABLES, Graded, graded
from pipeline.reporting.figures.statistical_mapping import paired_section
from pipeline.reporting.pages import write_page
from pipeline.reporting.prediction.tables import GROUPS, LIMITS, CurveRow, agreement_rows, curve_rows
from pipeline.reporting.prediction.what_if import cost_change, main_changes
from pipeline.reporting.run import ReportRun
from pipeline.trial import PredictedComparison, PredictedStudy, PredictedWalk

KNOWN_DIFFERENCES = (
    "One symmetric step represents both sides: differences between the sides are not predicted, and two free steps of "
    "a symmetric body converge to the same walk.",
    "Peak ankle power is 0.7 to 1.0 of the measured in three published trials, and 1.4 to 1.8 times that of a norm's "
    "mean curve from free speed on, where persons have 1.4: the rate of a muscle's work is penalised but not limited.",
    "Pelvic obliquity and rotation and hip adduction agree least: they are kept small, and their effort is small.",
    "The thorax leans to the side by 4 to 11 degrees, in three published trials by up to 7: it is kept near upright, "
    "and its effort is small.",
    "The foot falls flat in half of people's time, so that the ankle is more plantarflexed in loading response.",
    "The vertical force of both feet together is 1.0 to 1.2 times body weight in double support, in people 1.2 to 1.4: "
    "people's leg lands with an impact.",
    "The knee extends a few degrees further in stance than in a norm by speed.",
    "Knee and ankle rotations have opposite offsets: the skeleton's knee is a hinge, the matrix form's has three axes.",
)
"""Known differences of the preset human from measured walks, and their causes, as in docs/predicted.md."""


def write_predicted_study_report(
    path: Path,
    comparisons: Sequence[tuple[str, PredictedComparison]],
    cases: Sequence[tuple[str, PredictedWalk]],
    failed: Sequence[tuple[str, str, str]],
    together: PredictedStudy,
    run: ReportRun,
) -> None:
    """Write the page.

    Args:
        path: HTML file to write.
        comparisons: for each prediction of a measured walk, the folder of its page and its comparison.
        cases: for each what-if case, the folder of its page and its predicted walk.
        failed: folder of the page, name and reason of each failed prediction.
        together: statistics over several walks.
        run: the study, configuration and versions.
    """
    by_walk = [{one.variable: one for one in graded(both.agreement)} for _, both in comparisons]
    by_gait: dict[str, list[tuple[PredictedComparison, dict[str, Graded]]]] = {}
    for (_, both), own in zip(comparisons, by_walk, strict=True):
        by_gait.setdefault(_gait(both), []).append((both, own))
    write_page(
        path,
        "predicted_vs_measured.html.j2",
        run=run,
        failed=failed,
        cases=[
            (folder, walk, cost_change(walk.what_if), main_changes(walk.what_if))
            for folder, walk in cases
            if walk.what_if
        ],
        gaits=[
            (gait, agreement_rows([row for both, _ in own for row in both.agreement]), _measures([g for _, g in own]))
            for gait, own in sorted(by_gait.items(), reverse=True)
        ],
        limits=LIMITS,
        together=[paired_section(sample, together.percent) for sample in together.samples],
        notes=together.notes,
        known_differences=KNOWN_DIFFERENCES,
        decimals=[VARIABLES[name].decimals for name in MAIN],
        columns=[_columns(list(names)) for _, names in groupby(MAIN, lambda name: VARIABLES[name].quantity)],
        trials=[
            (folder, both, {found.name: found for found in both.parameters}, tuple(map(own.get, MAIN)))
            for (folder, both), own in zip(comparisons, by_walk, strict=True)
        ],
    )


def _columns(names: Sequence[str]) -> tuple[str, str, list[str]]:
    """Heading and units of a group of curves, and the curves' titles without the words of the heading."""
    titles = [VARIABLES[name].title.removesuffix(" moment").removesuffix(" power") for name in names]
    return GROUPS[VARIABLES[names[0]].quantity], VARIABLES[names[0]].display_units, titles


def _gait(both: PredictedComparison) -> str:
    """What is predicted, walks or runs: in a run the feet stand for less than half of the cycle."""
    stance = both.predicted_foot_off
    return "runs" if len(stance) and stance.mean() < 50.0 else "walks"


def _measures(by_walk: Sequence[dict[str, Graded]]) -> tuple[CurveRow[dict[str, Any]], ...]:
    """A row for each curve with its agreement over several predictions."""
    names = dict.fromkeys(name for walk in by_walk for name in walk)
    return curve_rows({name: _over_walks([walk[name] for walk in by_walk if name in walk]) for name in names})


def _over_walks(own: Sequence[Graded]) -> dict[str, Any]:
    """A curve's agreement over all walks: their number, means over them, and ranges from minimum to maximum."""
    values = {name: [getattr(one, name) for one in own] for name in ("rmse", "offset", "rmse_shape", "nrmse", "r")}
    means = {name: float(np.mean(of_walks)) for name, of_walks in values.items()}
    ranges = {f"{name}_range": (min(values[name]), max(values[name])) for name in ("rmse", "r")}
    return {"count": len(own), **means, **ranges}
