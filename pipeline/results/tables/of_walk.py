"""The tables of one walk from its tree of labelled arrays, in memory: `pipeline.tables`."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pandas as pd

from pipeline.results.labelled_values import outcome_of, session_of
from pipeline.results.tables.gathered import walk_results
from pipeline.results.tables.walks import walk_tables

if TYPE_CHECKING:
    import xarray


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
