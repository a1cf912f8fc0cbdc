"""The table of features of curves, from a walk's cycles or from its tree of labelled arrays."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from pipeline.analysis import PROFILE, walk_features
from pipeline.results.labelled_values import session_of, value_of
from pipeline.results.tables.frames import Row, frame
from pipeline.trial import GaitCycles, GaitSummary

if TYPE_CHECKING:
    import xarray


def feature_rows(cycles: GaitCycles, summary: GaitSummary | None = None) -> Iterator[Row]:
    """A row for each curve, phase and kind; with a summary that has a norm, also its profile and scores."""
    for found in walk_features(cycles, summary):
        what = {"side": found.side, "kind": found.kind, "cycle": found.cycle, "variable": found.variable.name}
        yield {**what, "phase": found.phase, **vars(found.features), "unit": found.variable.units}
    if summary is not None:
        yield from _scores(summary)


SCORE = "gait_profile_score"
"""Name of the score among the curves of the profile."""


def _scores(summary: GaitSummary) -> Iterator[Row]:
    """Movement Analysis Profile and Gait Profile Score of each side, and their RMS in the norm's sample."""
    of_norm = summary.norm_profile
    for side, own in summary.profile.items():
        for kind, values, score in (("score", own, summary.gps[side]), ("norm score", of_norm, summary.norm_gps)):
            for name, value in (*((name, values[name]) for name in PROFILE), (SCORE, score)):
                if np.isfinite(value):
                    what = {"side": side, "kind": kind, "cycle": None, "variable": name, "phase": "cycle"}
                    yield {**what, "start": 0.0, "end": 100.0, "mean": float(value), "unit": "deg"}


def features(walk: xarray.DataTree) -> pd.DataFrame:
    """Features of a walk's curves by phase of the gait cycle: minimum, maximum, their times, range and mean.

    >>> import pipeline
    >>> legs_only = {"whole_body": {"enabled": False}}
    >>> walk = pipeline.analyse("data/demo/walk.c3d", "data/demo/static.c3d", mass=70, settings=legs_only)
    >>> peaks = pipeline.features(walk).query("kind == 'mean' and variable == 'knee_flexion' and phase == 'swing'")
    >>> bool((peaks.maximum > 45.0).all())
    True

    Args:
        walk: from `pipeline.analyse` or `pipeline.open_trial`.

    Returns:
        The columns of the table ``study_features`` (`study_dictionary.csv`), without the rows of the norm.

    Raises:
        ResultsError: the tree has no gait cycles.
    """
    cycles = value_of(walk, "cycles", GaitCycles)
    who = {"subject": cycles.subject, "session": session_of(walk), "condition": "", "trial": cycles.name}
    return frame("study_features", feature_rows(cycles), **who)
