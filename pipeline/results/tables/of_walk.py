"""The tables of one walk in memory, from its tree of labelled arrays: `pipeline.tables`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import pandas as pd

from pipeline.results.labelled_values import has_value, session_of, value_of
from pipeline.results.tables.walks import WalkResults, WholeBodyWalk, walk_tables
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


def tables(walk: xarray.DataTree) -> dict[str, pd.DataFrame]:
    """The tables that a study has of a walk: every curve, scalar, feature, event and finding, one value a row.

    >>> import pipeline
    >>> walk = pipeline.analyse("data/demo/walk.c3d", "data/demo/static.c3d", mass=70)
    >>> curves = pipeline.tables(walk)["curves"].query("kind == 'whole body kinematic'")
    >>> "trunk_flexion" in set(curves.variable)
    True

    Args:
        walk: of `pipeline.analyse` or `pipeline.open_trial`.

    Returns:
        The tables that `pipeline.open_study` gives, by the same names, with the rows of this walk; `times` where it is
        on the skeleton. The column `condition` is empty, as one walk does not know it.

    Raises:
        ResultsError: the tree has no gait cycles, or is of another version.
    """
    whole = None
    if has_value(walk, "whole_body"):
        whole = WholeBodyWalk(
            value_of(walk, "whole_body", WholeBody), value_of(walk, "inverse_dynamics", InverseDynamics)
        )
    results = WalkResults(
        value_of(walk, "kinematics", MotionAndPlates),
        value_of(walk, "cycles", GaitCycles),
        value_of(walk, "summary", GaitSummary),
        value_of(walk, "plausibility", Findings),
        whole,
        session_of(walk),
        uncertainty=_known(walk, "uncertainty", CurveUncertainty),
        muscles=_known(walk, "muscles", MuscleLoads) if whole else None,
        estimated=_known(walk, "ground_from_motion", GroundFromMotion) if whole else None,
    )
    return {name.removeprefix("study_"): rows for name, rows in walk_tables(results).items()}


def _known(walk: xarray.DataTree, stage: str, cls: type[T]) -> T | None:
    return value_of(walk, stage, cls) if has_value(walk, stage) else None
