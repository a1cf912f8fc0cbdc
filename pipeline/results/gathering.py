"""One file per trial: the stages' files side by side, each in its own group."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

import h5py

from pipeline.provenance import Provenance
from pipeline.results.reading import opened
from pipeline.results.status import write_header
from pipeline.results.writing import new_file

_SCALE_ATTRIBUTES = frozenset({"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"})


def gather(path: Path, stages: Mapping[str, Path], provenance: Provenance, leave_out: Collection[str] = ()) -> None:
    """Copy stages into one file.

    Args:
        path: file to write; replaced if it exists.
        stages: the stages' files by the name of the group that each becomes; its root's attributes become the group's.
        provenance: of the new file.
        leave_out: dimensions whose arrays are not copied, such as "analog_time", which holds most of a recording.

    Raises:
        ResultsError: a stage's file is missing or not HDF5.
    """
    with new_file(path) as target:
        write_header(target, provenance, None)
        for name, stage in stages.items():
            with opened(stage) as source:
                _copy_stage(source, target.create_group(name), frozenset(leave_out))


def _copy_stage(source: h5py.File, target: h5py.Group, leave_out: frozenset[str]) -> None:
    target.attrs.update(source.attrs)
    scales_of: dict[str, list[str]] = {}
    names: dict[int, str] = {}  # full names of scales by address: asking HDF5 for a name costs more than a small copy

    def scales(dataset: h5py.Dataset) -> list[str]:
        found = []
        for dim in dataset.dims:
            scale = dim[0]
            address = h5py.h5o.get_info(scale.id).addr
            if address not in names:
                names[address] = scale.name.lstrip("/")
            found.append(names[address])
        return found

    def copy(name: str, item: h5py.Group | h5py.Dataset) -> None:
        if isinstance(item, h5py.Group):
            target.create_group(name).attrs.update(item.attrs)
            return
        is_scale = item.is_scale
        along = [name] if is_scale else scales(item)
        if leave_out.intersection(scale.rpartition("/")[2] for scale in along):
            return
        new = target.create_dataset(name, data=item[()], dtype=item.dtype, track_times=False)
        new.attrs.update({key: value for key, value in item.attrs.items() if key not in _SCALE_ATTRIBUTES})
        if is_scale:
            new.make_scale(name.rpartition("/")[2])
        else:
            scales_of[name] = along

    source.visititems(copy)
    for name, along in scales_of.items():
        for index, scale in enumerate(along):
            target[name].dims[index].attach_scale(target[scale])
