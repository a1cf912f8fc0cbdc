"""Open a trial as labelled arrays, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import h5py
import numpy as np

from pipeline.errors import ResultsError
from pipeline.results.memory import ARRAYS, GROUPS, InMemory, MemoryArray, MemoryGroup
from pipeline.results.reading import opened
from pipeline.results.session_folder import stage_files
from pipeline.results.writing import COORDINATES, OF_SCALES

if TYPE_CHECKING:
    import xarray


def open_trial(path: str | Path) -> xarray.DataTree:
    """Open all results of a trial as an xarray tree, in memory.

    ``open_trial("data/results/Ann/day1/walk01")["summary/mean"].sel(side="left", variable="knee_flexion")`` is a curve
    with its coordinate in percent. Arrays have the labels of their dimensions as coordinates, and units, frame and
    long_name as attributes. Nodes have the attributes of their groups; those of a stage include its provenance, and the
    reason if it failed.

    >>> import tempfile
    >>> import pipeline
    >>> from pipeline.acquisition import read_trial
    >>> from pipeline.provenance import Provenance
    >>> from pipeline.results import write_stage
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_stage(Path(folder, "walk.h5"), read_trial("data/demo/walk.c3d"), Provenance("ingest"))
    ...     knee = pipeline.open_trial(Path(folder, "walk.h5"))["markers_G"].sel(marker="LKNE")
    >>> knee.dims, knee.attrs["units"]
    (('time', 'xyz'), 'm')

    Args:
        path: the folder of a session's results followed by the name of the trial (the nodes are its stages), or any
            results file, such as the export of one trial (the nodes are the file's groups).

    Raises:
        ResultsError: there is no such trial or file, it cannot be read, or it is of another version of the layout.
        DamagedFileError: a file's contents changed after they were written.
        ImportError: xarray is not installed.
    """
    import xarray

    path = Path(path)
    if path.is_file() or path.suffix:
        return xarray.DataTree.from_dict(_datasets(path))
    return _tree({stage: _datasets(file) for stage, file in stage_files(path.parent, path.name).items()})


def trial_of(stages: Mapping[str, InMemory]) -> xarray.DataTree:
    """The tree that `open_trial` makes from a trial's files, made from outcomes in memory; these are by stage name."""
    return _tree({stage: _groups(outcome.root, stage) for stage, outcome in stages.items()})


def _tree(stages: Mapping[str, dict[str, Any]]) -> xarray.DataTree:
    """A tree whose nodes are stages, with the groups of their files below them."""
    import xarray

    nodes: dict[str, Any] = {"/": xarray.Dataset(attrs={"status": "ok"})}
    for stage, groups in stages.items():
        nodes |= {f"/{stage}{name}".rstrip("/"): dataset for name, dataset in groups.items()}
    return xarray.DataTree.from_dict(nodes)


def _datasets(path: Path) -> dict[str, Any]:
    """The groups of a file by their path."""
    with opened(path) as file:
        return _groups(file, str(path))


def _groups(file: h5py.File | MemoryGroup, where: str) -> dict[str, Any]:
    """The groups of an open file by their path."""
    items: list[tuple[str, Any]] = []
    file.visititems(lambda name, item: items.append((name, item)))
    nodes = {"/": file} | {f"/{name}": item for name, item in items if isinstance(item, GROUPS)}
    # For a scale reached from an array, HDF5 would search the whole file for its name.
    dims = {item.id: name.rpartition("/")[2] for name, item in items if isinstance(item, ARRAYS)}
    try:
        return {name: _dataset(group, dims) for name, group in nodes.items()}
    except ValueError as error:
        raise ResultsError(f"cannot be labelled ({error})", where=where) from error


def _dataset(group: h5py.Group | MemoryGroup, dims: Mapping[Any, str]) -> Any:
    """The arrays of one group; scales of parent groups are inherited in the tree.

    Dimensions have the names of their scales, given by the identity of the scale in the file.
    """
    import xarray

    arrays: dict[str, Any] = {}
    coordinates: dict[str, Any] = {}
    for name, item in group.items():
        if not isinstance(item, ARRAYS):
            continue
        if item.is_scale:
            coordinates[name] = _variable((name,), item)
        else:
            arrays[name] = _variable(tuple(dims[dim[0].id] for dim in item.dims), item)
    attributes = _attributes(group)
    marked = attributes.pop(COORDINATES, "").split()
    found = xarray.Dataset(arrays, coordinates, attributes)
    return found.set_coords(marked) if marked else found


def _variable(dims: tuple[str, ...], dataset: h5py.Dataset | MemoryArray) -> Any:
    import xarray

    text = h5py.check_string_dtype(dataset.dtype) is not None
    values = np.asarray(dataset.asstr()[()]).astype(str) if text else np.asarray(dataset[()])
    return xarray.Variable(dims, values, _attributes(dataset))


def _attributes(item: Any) -> dict[str, Any]:
    values = {key: item.attrs[key] for key in item.attrs if key not in OF_SCALES}
    return {key: value.item() if isinstance(value, np.generic) else value for key, value in values.items()}
