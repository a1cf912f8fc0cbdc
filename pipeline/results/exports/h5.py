"""Export a trial as one self-contained HDF5 file, with a group for each stage's file."""

from __future__ import annotations

from pathlib import Path

import h5py

from pipeline.provenance import Provenance, library_versions
from pipeline.results.integrity import verified_digest
from pipeline.results.reading import opened
from pipeline.results.session_folder import stage_files
from pipeline.results.status import write_header
from pipeline.results.writing import OF_SCALES, create_dataset, new_file


def write(session: Path, trial: str, path: Path) -> None:
    """Write all stages of a trial.

    Each stage is a group with the attributes of its file's root; the root has the names of subject, session and trial.

    Raises:
        ResultsError: there is no such trial, or one of its files cannot be read.
    """
    files = stage_files(session, trial)
    inputs = {name: verified_digest(file) for name, file in files.items()}
    with new_file(path) as target:
        write_header(target, Provenance("export", inputs, versions=library_versions()), None)
        target.attrs.update(
            {"subject": session.absolute().parent.name, "session": session.absolute().name, "trial": trial}
        )
        for name, file in files.items():
            with opened(file) as source:
                _copy_stage(source, target.create_group(name))


def _copy_stage(source: h5py.File, target: h5py.Group) -> None:
    target.attrs.update(source.attrs)
    scales_of: dict[str, list[str]] = {}
    names: dict[int, str] = {}  # full names of scales by address: a name from HDF5 takes longer than a small copy

    def name_of(scale: h5py.Dataset) -> str:
        address = h5py.h5o.get_info(scale.id).addr
        if address not in names:
            names[address] = scale.name.lstrip("/")
        return names[address]

    def copy_group(group: h5py.Group, prefix: str = "") -> None:
        # visititems would omit the second name of a dataset
        for name, item in group.items():
            if isinstance(item, h5py.Group):
                target.create_group(prefix + name).attrs.update(item.attrs)
                copy_group(item, f"{prefix}{name}/")
            else:
                copy(prefix + name, item)

    def copy(name: str, item: h5py.Dataset) -> None:
        new = create_dataset(target, name, item[()], item.dtype)
        new.attrs.update({key: value for key, value in item.attrs.items() if key not in OF_SCALES})
        if item.is_scale:
            new.make_scale(name.rpartition("/")[2])
        else:
            scales_of[name] = [name_of(dim[0]) for dim in item.dims]

    copy_group(source)
    for name, along in scales_of.items():
        for index, scale in enumerate(along):
            target[name].dims[index].attach_scale(target[scale])
