"""Export the ground reactions of a trial as OpenSim external loads: NAME.xml, with their table next to it.

The table is NAME.mot if NAME ends in _grf or _estimated, otherwise NAME_grf.mot: NAME.mot may be the walk's motion.

They act on the feet of the `osim` export's model, at the centre of pressure, in G. With a name that ends in
``_estimated.xml``, those estimated from motion are written instead of those of the plates.
"""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from pipeline.results.opensim import (
    ESTIMATED,
    estimated_wrenches,
    ground_reactions,
    loaded_frames,
    storage_text,
    stored_estimate,
    stored_results,
)
from pipeline.trial import WholeBody
from pipeline.whole_files import write_text

_TABLE = "_grf"


def table_of(path: Path) -> Path:
    """The file of the loads' table, written next to the file of external loads.

    >>> table_of(Path("walk.xml")).name, table_of(Path("walk_grf.xml")).name, table_of(Path("walk_estimated.xml")).name
    ('walk_grf.mot', 'walk_grf.mot', 'walk_estimated.mot')
    """
    return path.with_name(f"{path.stem}{'' if path.stem.endswith((_TABLE, ESTIMATED)) else _TABLE}.mot")


def write(session: Path, trial: str, path: Path) -> None:
    """Write the longest run of frames with the ground reactions of both feet.

    Raises:
        ResultsError: there is no such trial, it was not computed on the skeleton, it has no such frame, or no loads
            were estimated.
    """
    if path.stem.endswith(ESTIMATED):
        estimated = stored_estimate(session, trial)
        time, wrenches = estimated_wrenches(estimated)
    else:
        body = stored_results(session, trial, WholeBody)
        time, wrenches = body.time[loaded_frames(body)], ground_reactions(body)
    columns: dict[str, np.ndarray] = {}
    loads = []
    for side, wrench in wrenches.items():
        names = f"ground_force_{side}_v", f"ground_force_{side}_p", f"ground_torque_{side}_"
        for name, values in zip(names, (wrench.force_G, wrench.point_G, wrench.moment_G), strict=True):
            columns |= {f"{name}{axis}": column for axis, column in zip("xyz", values.T, strict=True)}
        loads.append(_external_force(side, *names))
    table = table_of(path)
    write_text(table, storage_text(table.name, time, columns))
    write_text(
        path,
        '<?xml version="1.0" encoding="UTF-8"?>\n<OpenSimDocument Version="40000"><ExternalLoads name="externalloads">'
        f"<objects>{''.join(loads)}</objects><groups/><datafile>{escape(table.name)}</datafile>"
        "</ExternalLoads></OpenSimDocument>\n",
    )


def _external_force(side: str, force: str, point: str, torque: str) -> str:
    return (
        f'<ExternalForce name="{side}"><applied_to_body>{side}_foot</applied_to_body>'
        "<force_expressed_in_body>ground</force_expressed_in_body>"
        "<point_expressed_in_body>ground</point_expressed_in_body>"
        f"<force_identifier>{force}</force_identifier><point_identifier>{point}</point_identifier>"
        f"<torque_identifier>{torque}</torque_identifier></ExternalForce>"
    )
