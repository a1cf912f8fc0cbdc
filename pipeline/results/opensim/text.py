"""Text tables of OpenSim: storage files (.mot, .sto) and marker files (.trc)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np


def storage_text(name: str, time: np.ndarray, columns: Mapping[str, np.ndarray], remarks: Sequence[str] = ()) -> str:
    """A storage file of columns (T,) over time (T,) s, in radians, m, N and Nm, at full precision.

    Remarks are lines of its header, where OpenSim's own files have theirs on units.
    """
    table = np.column_stack([time, *columns.values()])
    header = [
        name,
        "version=1",
        f"nRows={len(table)}",
        f"nColumns={table.shape[1]}",
        "inDegrees=no",
        *remarks,
        "endheader",
    ]
    rows = ("\t".join(f"{value:.15g}" for value in row) for row in table)
    return "\n".join([*header, "\t".join(["time", *columns]), *rows]) + "\n"


def component_names(labels: Sequence[str]) -> dict[str, str]:
    """Names of markers in OpenSim, by label: without blanks, slashes, asterisks and plus signs, and all different.

    A name that would be that of another marker gets a number.

    >>> component_names(["L.ASIS 2", "A B", "A_B", "A+B"])
    {'L.ASIS 2': 'L.ASIS_2', 'A B': 'A_B_2', 'A_B': 'A_B', 'A+B': 'A_B_3'}
    """
    names = {label: _component_name(label) for label in labels}
    taken = {label for label, name in names.items() if name == label}
    for label, name in names.items():
        number = 1
        while names[label] != label and names[label] in taken:
            number += 1
            names[label] = f"{name}_{number}"
        taken.add(names[label])
    return names


def numbered_names(names: Mapping[str, str]) -> list[str]:
    """Sentences on the names of `component_names` that have a number."""
    return [
        f"marker '{label}' is named {name}, since {_component_name(label)} is another marker"
        for label, name in names.items()
        if name != _component_name(label)
    ]


def _component_name(label: str) -> str:
    return re.sub(r"[\s\\/*+]", "_", label)


def trc_text(
    name: str, rate: float, first_frame: int, time: np.ndarray, markers: Iterable[str], positions: np.ndarray
) -> str:
    """A marker file, in mm, of positions (T, K, 3) m; markers as `component_names` names them, blank where missing."""
    hertz, count, markers = f"{rate:.10g}", len(time), list(markers)
    header = {"DataRate": hertz, "CameraRate": hertz, "NumFrames": count, "NumMarkers": len(markers), "Units": "mm"}
    header |= {"OrigDataRate": hertz, "OrigDataStartFrame": first_frame, "OrigNumFrames": count}
    columns = [f"{axis}{k}" for k in range(1, len(markers) + 1) for axis in "XYZ"]
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{name}",
        "\t".join(header),
        "\t".join(map(str, header.values())),
        "\t".join(["Frame#", "Time", *(cell for marker in markers for cell in (marker, "", ""))]),
        "\t".join(["", "", *columns]),
        "",
    ]
    for k, (instant, frame) in enumerate(zip(time, 1000.0 * positions.reshape(len(positions), -1), strict=True)):
        cells = ("" if np.isnan(value) else f"{value:.6f}" for value in frame)
        lines.append("\t".join([str(first_frame + k), f"{instant:.8g}", *cells]))
    return "\n".join(lines) + "\n"
