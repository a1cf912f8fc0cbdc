"""The table of features of curves, of a walk's cycles and of its tree of labelled arrays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pipeline.analysis import PROFILE, walk_features
from pipeline.errors import ResultsError
from pipeline.results.tables.frames import Row, frame
from pipeline.trial import Cycle, CycleCurves, GaitCycles, GaitSummary

if TYPE_CHECKING:
    import xarray

TABLE = "study_features"


def feature_rows(cycles: GaitCycles, summary: GaitSummary | None = None) -> Iterator[Row]:
    """A row for each curve, phase and kind, and of a summary with a norm its profile and scores."""
    for found in walk_features(cycles, summary):
        what = {"side": found.side, "kind": found.kind, "cycle": found.cycle, "variable": found.variable.name}
        yield {**what, "phase": found.phase, **asdict(found.features), "unit": found.variable.units}
    if summary is not None:
        yield from _scores(summary)


SCORE = "gait_profile_score"
"""Name of the score among the curves of the profile."""


def _scores(summary: GaitSummary) -> Iterator[Row]:
    """Movement Analysis Profile and Gait Profile Score of each side, and the means of the norm's sample."""
    of_norm = dict(zip(summary.variable_names, summary.norm_profile, strict=True))
    for k, side in enumerate(summary.side_names):
        own = dict(zip(summary.variable_names, summary.profile[k], strict=True))
        for kind, values, score in (("score", own, summary.gps[k]), ("norm score", of_norm, summary.norm_gps)):
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
        walk: of `pipeline.analyse` or `pipeline.open_trial`.

    Returns:
        The columns of the table ``study_features`` (`study_dictionary.csv`), without the rows of the norm.

    Raises:
        ResultsError: the tree has no gait cycles.
    """
    if "cycles" not in walk.children or "cycles" not in walk["cycles"].children:
        raise ResultsError("has no gait cycles", where="the walk", remedy="Give what analyse or open_trial returned")
    stage = walk["cycles"]
    curves = tuple(_curves(node) for _, node in sorted(stage["cycles"].children.items(), key=lambda item: int(item[0])))
    subject, trial = str(stage.attrs.get("subject", "")), str(stage.attrs.get("name", ""))
    cycles = GaitCycles(trial, subject, str(stage.attrs.get("moment_axes", "")), curves, ())
    session = str(stage.attrs.get("trial_key", "")).split("/")[1:2] or ["1"]
    return frame(TABLE, feature_rows(cycles), subject=subject, session=session[0], condition="", trial=trial)


def _curves(node: Any) -> CycleCurves:
    """A cycle as the stages exchange it, from its node."""
    own: dict[str, Any] = {name: float(values) for name, values in node["cycle"].dataset.data_vars.items()}
    cycle = Cycle(
        **own | {name: value for name, value in node["cycle"].attrs.items() if name in Cycle.__dataclass_fields__}
    )

    def arrays(name: str) -> dict[str, np.ndarray]:
        if name not in node.children:
            return {}
        return {str(key): values.to_numpy() for key, values in node[name].dataset.data_vars.items()}

    ground = node.dataset["ground"].to_numpy()
    percent = node.dataset["percent"].to_numpy()
    angles, moments, powers = map(arrays, ("angles", "moments", "powers"))
    return CycleCurves(cycle, percent, angles, moments, powers, ground, {}, str(node.attrs.get("set_aside", "")))
