"""Text tables of OpenSim: storage files (.mot, .sto) and marker files (.trc)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

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


def component_name(label: str) -> str:
    """A marker's name in OpenSim, where names have no blanks, slashes, asterisks and plus signs.

    >>> component_name("L.ASIS 2")
    'L.ASIS_2'
    """
    return re.sub(r"[\s\\/*+]", "_", label)


def trc_text(
    name: str, rate: float, first_frame: int, time: np.ndarray, labels: Sequence[str], positions: np.ndarray
) -> str:
    """A marker file, in mm, of positions (T, K, 3) m, with the names of the model; a missing marker is blank."""
    hertz, count = f"{rate:.10g}", len(time)
    header = {"DataRate": hertz, "CameraRate": hertz, "NumFrames": count, "NumMarkers": len(labels), "Units": "mm"}
    header |= {"OrigDataRate": hertz, "OrigDataStartFrame": first_frame, "OrigNumFrames": count}
    columns = [f"{axis}{k}" for k in range(1, len(labels) + 1) for axis in "XYZ"]
    lines = [
        f"PathFileType\t4\t(X/Y/Z)\t{name}",
        "\t".join(header),
        "\t".join(map(str, header.values())),
        "\t".join(["Frame#", "Time", *(cell for label in labels for cell in (component_name(label), "", ""))]),
        "\t".join(["", "", *columns]),
        "",
    ]
    for k, (instant, frame) in enumerate(zip(time, 1000.0 * positions.reshape(len(positions), -1), strict=True)):
        cells = ("" if np.isnan(value) else f"{value:.6f}" for value in frame)
        lines.append("\t".join([str(first_frame + k), f"{instant:.8g}", *cells]))
    return "\n".join(lines) + "\n"
