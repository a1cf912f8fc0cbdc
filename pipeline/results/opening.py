"""A trial's file as labelled arrays, for notebooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

from pipeline.errors import ResultsError
from pipeline.results.reading import opened

if TYPE_CHECKING:
    import xarray


def open_trial(path: str | Path) -> xarray.DataTree:
    """Everything in a results file as an xarray tree: the file's groups are its nodes, all in memory.

    ``open_trial("data/results/walk.h5")["summary/mean"].sel(side="left", variable="knee_flexion")`` is a curve with its
    coordinate in percent. Arrays have their dimensions' labels as coordinates, and units, frame and long_name as
    attributes; groups have their attributes, the stages' among them where they come from or why they failed.

    Raises:
        ResultsError: there is no such file, or it is not HDF5.
        ImportError: xarray is not installed.
    """
    import xarray

    path = Path(path)
    with opened(path) as file:
        nodes = {"/": file} | {f"/{name}": item for name, item in _items(file) if isinstance(item, h5py.Group)}
        try:
            return xarray.DataTree.from_dict({name: _dataset(group) for name, group in nodes.items()})
        except ValueError as error:
            raise ResultsError(f"cannot be labelled ({error})", where=str(path)) from error


def _items(file: h5py.File) -> list[tuple[str, Any]]:
    found: list[tuple[str, Any]] = []
    file.visititems(lambda name, item: found.append((name, item)))
    return found


def _dataset(group: h5py.Group) -> Any:
    """The arrays of one group; the labels of a dimension come along from whichever group holds its scale."""
    import xarray

    arrays: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}
    for name, item in group.items():
        if not isinstance(item, h5py.Dataset):
            continue
        if item.is_scale:
            coordinates[name] = _variable((name,), item)
            continue
        scales = [dim[0] for dim in item.dims]
        dims = tuple(scale.name.rpartition("/")[2] for scale in scales)
        coordinates |= {dim: _variable((dim,), scale) for dim, scale in zip(dims, scales, strict=True)}
        arrays[name] = _variable(dims, item)
    return xarray.Dataset(arrays, coordinates, _attributes(group))


def _variable(dims: tuple[str, ...], dataset: h5py.Dataset) -> Any:
    import xarray

    text = h5py.check_string_dtype(dataset.dtype) is not None
    values = np.asarray(dataset.asstr()[()] if text else dataset[()])
    if text:
        values = values.astype(str)
    return xarray.Variable(dims, values, _attributes(dataset))


_OWN = frozenset({"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST", "_Netcdf4Dimid"})
"""Attributes with which HDF5 keeps its dimension scales."""


def _attributes(item: Any) -> dict[str, Any]:
    return {
        key: value.item() if isinstance(value, np.generic) else value
        for key, value in item.attrs.items()
        if key not in _OWN
    }
