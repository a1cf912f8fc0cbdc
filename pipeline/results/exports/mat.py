"""Export a trial as a MATLAB file: a structure for each stage, with the names of its HDF5 file.

``w = load('walk.mat')`` has ``w.kinematics.time``; the variables ``units`` and ``dimensions`` have the same fields with
the unit of each array and the names of its dimensions. Text is a cell array. The format is version 5, which GNU Octave
and `scipy.io.loadmat` also read.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import h5py
import numpy as np
from scipy.io import savemat

from pipeline.errors import ResultsError
from pipeline.results.reading import opened
from pipeline.results.session_folder import stage_files
from pipeline.results.writing import OF_SCALES, unescape
from pipeline.whole_files import written_whole

_LONGEST = 63
"""Maximum length of a name in MATLAB, characters."""

_HEADER = 116
"""Length of the text at the start of a file, bytes; scipy writes the time there."""


def write(session: Path, trial: str, path: Path) -> None:
    """Write all stages of a trial.

    Raises:
        ResultsError: there is no such trial, one of its files cannot be read, or a stage is larger than 2 GB, the limit
            for a variable of this format.
    """
    values: dict[str, Any] = {
        "subject": session.absolute().parent.name,
        "session": session.absolute().name,
        "trial": trial,
        "units": {},
        "dimensions": {},
    }
    for stage, file in stage_files(session, trial).items():
        with opened(file) as source:
            values[stage], values["units"][stage], values["dimensions"][stage] = _structures(source)
    try:
        with written_whole(path) as (beside,), beside.open("w+b") as stream:
            savemat(stream, values, long_field_names=True, do_compression=True, oned_as="column")
            stream.seek(0)
            stream.write(b"MATLAB 5.0 MAT-file, gait-pipeline".ljust(_HEADER))
    except ValueError as error:  # from scipy, for a variable that is too large
        remedy = "Export it as .h5, which MATLAB reads with h5read"
        raise ResultsError(f"cannot be written ({error})", where=str(path), remedy=remedy) from None


def _structures(group: h5py.Group) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
    """Values, units and dimensions of a group's members, by their MATLAB names."""
    values, units, dimensions = dict[str, Any](), dict[str, Any](), dict[str, Any]()
    for key, value in group.attrs.items():
        if key not in OF_SCALES:
            values[_unused(key, values)] = value
    for key, item in group.items():
        name = _unused(unescape(key), values)
        if isinstance(item, h5py.Group):
            values[name], units[name], dimensions[name] = _structures(item)
        else:
            values[name] = _array(item)
            units[name] = item.attrs.get("units", "")
            along = [dim[0].name.rpartition("/")[2] if len(dim) else "" for dim in item.dims]
            dimensions[name] = np.array([key] if item.is_scale else along, dtype=object)
    return values, units, dimensions


def _array(item: h5py.Dataset) -> Any:
    """A number, a text, or an array of either."""
    if h5py.check_string_dtype(item.dtype) is None:
        return item[()]
    text = item.asstr()[()]
    return text if isinstance(text, str) else np.asarray(text, dtype=object)


def _unused(key: str, taken: dict[str, Any]) -> str:
    """A unique MATLAB name for a key: a letter, then letters, digits and underscores."""
    name = re.sub(r"\W", "_", key, flags=re.ASCII)
    name = (name if re.match("[A-Za-z]", name) else f"x{name}")[:_LONGEST]
    number = 1
    while name in taken:
        number += 1
        name = f"{name[: _LONGEST - len(str(number)) - 1]}_{number}"
    return name
