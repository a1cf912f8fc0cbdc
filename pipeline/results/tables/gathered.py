"""Gather the results of a walk for its tables, from a study's files or from a tree in memory: `pipeline.tables`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Protocol, TypeVar

import pandas as pd

from pipeline.results.labelled_values import outcome_of, session_of
from pipeline.results.missing import (
    averages_or_missing,
    cycles_or_missing,
    findings_or_unchecked,
    loads_or_missing,
)
from pipeline.results.status import Failure, needed
from pipeline.results.tables.walks import WalkResults, walk_tables
from pipeline.trial import (
    CurveUncertainty,
    Findings,
    GaitCycles,
    GaitSummary,
    GroundFromMotion,
    InverseDynamics,
    MotionAndPlates,
    MuscleLoads,
    WholeBody,
)

if TYPE_CHECKING:
    import xarray

T = TypeVar("T")


class Outcome(Protocol):
    """Returns the value of a stage, by its name and class, or its failure; None if the stage is not there."""

    def __call__(self, stage: str, cls: type[T], /) -> T | Failure | None:
        """The outcome of one stage."""


def walk_results(outcome: Outcome, session: str, condition: str = "") -> WalkResults:
    """The results of a walk for its tables; after a defect of the program, what depends on it is missing.

    If the checks were not made, a finding says so.

    Raises:
        ResultsError: the walk has no kinematics; or cycles, averages, findings or, for a walk on the skeleton, joint
            loads are missing for a reason other than a defect of the program.
    """
    kinematics = needed(outcome("kinematics", MotionAndPlates), "kinematics")
    loads, body = None, _known(outcome, "whole_body", WholeBody)
    if body:
        loads = loads_or_missing(_or_defect(outcome, "inverse_dynamics", InverseDynamics), kinematics)
    checked = outcome("plausibility", Findings)
    findings = checked if isinstance(checked, Failure) else needed(checked, "plausibility")
    return WalkResults(
        kinematics,
        cycles_or_missing(_or_defect(outcome, "cycles", GaitCycles), kinematics),
        averages_or_missing(_or_defect(outcome, "summary", GaitSummary), kinematics),
        findings_or_unchecked(findings, kinematics),
        body,
        loads,
        session,
        condition,
        uncertainty=_known(outcome, "uncertainty", CurveUncertainty),
        muscles=_known(outcome, "muscles", MuscleLoads) if body else None,
        estimated=_known(outcome, "ground_from_motion", GroundFromMotion) if body else None,
    )


def tables(walk: xarray.DataTree) -> dict[str, pd.DataFrame]:
    """The study's tables for one walk: every curve, scalar, feature, event and finding, one value per row.

    >>> import pipeline
    >>> walk = pipeline.analyse("data/demo/walk.c3d", "data/demo/static.c3d", mass=70)
    >>> curves = pipeline.tables(walk)["curves"].query("kind == 'whole body kinematic'")
    >>> "trunk_flexion" in set(curves.variable)
    True

    Args:
        walk: from `pipeline.analyse` or `pipeline.open_trial`.

    Returns:
        The tables that `pipeline.open_study` returns, by the same names, with the rows of this walk; `times` only if it
        is on the skeleton. The column `condition` is empty, because a single walk does not know its condition.

    Raises:
        ResultsError: the tree has no gait cycles, or is of another version.
    """
    results = walk_results(partial(outcome_of, walk), session_of(walk))
    return {name.removeprefix("study_"): rows for name, rows in walk_tables(results).items()}


def _known(outcome: Outcome, stage: str, cls: type[T]) -> T | None:
    found = outcome(stage, cls)
    return None if isinstance(found, Failure) else found


def _or_defect(outcome: Outcome, stage: str, cls: type[T]) -> T | Failure:
    """The value of a stage that every walk has, or its failure if that is a defect of the program."""
    found = outcome(stage, cls)
    return found if isinstance(found, Failure) and found.defect else needed(found, stage)
