"""Compare labelled curves in Python: a walk with another walk, or with a norm."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from pipeline.analysis import CYCLE_VARIABLES, PERCENT, Agreement, curve_agreement
from pipeline.analysis.agreement import MIN_COUNT
from pipeline.config import HOME
from pipeline.errors import ConfigError, ResultsError
from pipeline.results.norms import load_norm

if TYPE_CHECKING:
    import xarray

FOLDER = HOME / "config/norms"
"""Folder of the norms that ship with the pipeline."""


def norm(name: str | Path, speed: float | None = None) -> xarray.Dataset:
    """Mean curves and standard deviations of a norm over the gait cycle.

    >>> import pipeline
    >>> knee = pipeline.norm("schwartz2008", speed=0.4).sel(variable="knee_flexion")
    >>> 50.0 < float(knee["mean"].max()) < 70.0
    True

    Args:
        name: of a shipped norm (a file of ``config/norms``), or the path of a file written by `gait norm`.
        speed: dimensionless walking speed v / sqrt(g L), with leg length L, at which the norm is evaluated. The norm is
            interpolated linearly between its own speeds and constant beyond them. Its comfortable speed if omitted.

    Returns:
        ``mean`` and ``sd`` (variable, percent) in reported units, with the publication and the sample as attributes.

    Raises:
        ConfigError: there is no such norm, or the file is not a norm.
    """
    import xarray

    read = load_norm(_file(name))
    at = read.free if speed is None else float(speed)
    names = list(read.variables)
    bands = [band for variable in names if (band := read.band(variable, at, PERCENT))]
    units = ("variable", [CYCLE_VARIABLES[variable].units for variable in names])
    other_zeros = " ".join(read.other_zeros)
    return xarray.Dataset(
        {
            "mean": (("variable", "percent"), np.array([band.mean for band in bands])),
            "sd": (("variable", "percent"), np.array([band.sd for band in bands])),
        },
        {"variable": names, "percent": ("percent", PERCENT, {"units": "%"}), "unit": units},
        {"name": read.name, "source": read.source, "sample": read.sample, "speed": at, "other_zeros": other_zeros},
    )


def norms() -> pd.DataFrame:
    """The norms that ship with the pipeline, by the name that `norm` takes.

    >>> import pipeline
    >>> "schwartz2008" in pipeline.norms().index
    True

    Returns:
        Title, sample, number of curves, lowest and highest dimensionless speed, and source of each.
    """
    rows = []
    for path in sorted(FOLDER.glob("*.json")):
        read = load_norm(path)
        speeds = {"lowest_speed": min(read.speeds), "highest_speed": max(read.speeds)}
        own = {"title": read.name, "sample": read.sample, "curves": len(read.variables), **speeds}
        rows.append({"name": path.stem, **own, "source": read.source})
    return pd.DataFrame(rows).set_index("name")


def compare(walk: xarray.DataTree, reference: xarray.DataTree | xarray.Dataset) -> pd.DataFrame:
    """Agreement of a walk's mean curves with those of another walk, or with a norm.

    >>> import pipeline
    >>> legs_only = {"whole_body": {"enabled": False}}
    >>> walk = pipeline.analyse("data/demo/walk.c3d", "data/demo/static.c3d", mass=70, settings=legs_only)
    >>> beside = pipeline.compare(walk, pipeline.norm("schwartz2008", speed=0.4)).set_index(["side", "variable"])
    >>> bool(beside.loc[("left", "knee_flexion"), "r"] > 0.9)
    True

    Args:
        walk: from `pipeline.analyse` or `pipeline.open_trial`.
        reference: another walk, for example of another visit, or a norm from `pipeline.norm`.

    Returns:
        A row for each side and curve that both have: ``rmse``, ``offset`` (walk minus reference), ``rmse_shape``
        (without the offset), ``nrmse`` (over the reference's range), ``r``, ``peak`` and ``timing`` (differences of the
        peak, the latter in percent of the cycle), ``reference_peak`` and ``unit``.

    Raises:
        ResultsError: one of them has no mean curves.
    """
    own, other = _means(walk, "the walk"), _means(reference, "the reference")
    common = [str(name) for name in own["variable"].to_numpy() if name in other["variable"].to_numpy()]
    measures = [field.name for field in fields(Agreement) if field.name != "count"]
    rows = []
    for name, side in product(common, own["side"].to_numpy()):
        beside = other.sel(variable=name)
        beside = beside.sel(side=side) if "side" in beside.dims else beside
        curve = own.sel(side=side, variable=name)
        agreement = curve_agreement(PERCENT, curve.to_numpy(), beside.to_numpy())
        if agreement.count >= MIN_COUNT:
            found = {measure: getattr(agreement, measure) for measure in measures}
            rows.append({"side": str(side), "variable": name, **found, "unit": CYCLE_VARIABLES[name].units})
    return pd.DataFrame(rows, columns=["side", "variable", *measures, "unit"])


def _means(curves: xarray.DataTree | xarray.Dataset, where: str) -> xarray.DataArray:
    """Mean curves: (side, variable, percent) of a walk, (variable, percent) of a norm."""
    averages: Any = curves
    if isinstance(curves, Mapping) and "summary" in curves:
        averages = averages["summary"]
    if not {"variable", "percent"} <= set(getattr(averages, "dims", ())) or "mean" not in averages:
        raise ResultsError("has no mean curves", where=where, remedy="Give what analyse, open_trial or norm returned")
    return averages["mean"]


def _file(name: str | Path) -> Path:
    if str(name).endswith(".json"):
        return Path(name)
    path = FOLDER / f"{name}.json"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in FOLDER.glob("*.json")))
        raise ConfigError(f"no norm '{name}'; give one of {known}, or the path of a file", where="norm")
    return path
