"""What the whole skeleton's page shows over the recording's time, as a tidy table."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa

from pipeline.analysis.cycles import JOINTS
from pipeline.analysis.variables import TIME_VARIABLES
from pipeline.conventions import SIDES
from pipeline.trial import WholeBody

_NAME = pa.dictionary(pa.int32(), pa.string())

TIMES = pa.schema(
    [
        *((name, _NAME) for name in ("subject", "trial", "kind", "variable")),
        ("time", pa.float64()),
        ("value", pa.float64()),
        ("unit", _NAME),
    ]
)
"""Kind: the motion, "kinematic" or "residual_reduced", of the markers' distance and of the residual in frames in which
the loads of both feet are known; "as fitted" and "reproduced" by forward dynamics, of the legs' sagittal
coordinates."""


def time_table(body: WholeBody) -> pa.Table:
    """All values of a walk that are known; see `TIMES`."""
    tables = [pa.table(_columns(body, *item), schema=TIMES) for item in _items(body)]
    return pa.concat_tables(tables) if tables else TIMES.empty_table()


def _items(body: WholeBody) -> Iterator[tuple[str, str, np.ndarray, np.ndarray, str]]:
    """Kind, variable, times (T,), values (T,) and unit."""
    for kind, motion in (("kinematic", body.kinematic), ("residual_reduced", body.residual_reduced)):
        if motion is None:
            continue
        for name, variable in TIME_VARIABLES.items():
            assert variable.time
            yield kind, name, body.time, variable.time(body, motion), variable.units
    if body.forward_check:
        own = body.forward_check
        for name in (f"{side}_{joint}_flexion" for side in SIDES for joint in JOINTS):
            column = body.joint_names.index(name)
            for kind, values in (("as fitted", own.fitted), ("reproduced", own.simulated)):
                yield kind, name, own.window, np.degrees(values[:, column]), "deg"


def _columns(
    body: WholeBody, kind: str, variable: str, time: np.ndarray, values: np.ndarray, unit: str
) -> dict[str, pa.Array]:
    known = np.isfinite(values)

    def name(text: str) -> pa.Array:
        return pa.DictionaryArray.from_arrays(np.zeros(known.sum(), dtype=np.int32), pa.array([text], pa.string()))

    return {
        "subject": name(body.subject),
        "trial": name(body.name),
        "kind": name(kind),
        "variable": name(variable),
        "time": pa.array(time[known]),
        "value": pa.array(values[known]),
        "unit": name(unit),
    }
