"""Check that a recording's markers are spaced like those of a body; otherwise its unit of length is wrong."""

from __future__ import annotations

import numpy as np

from pipeline.errors import AcquisitionError
from pipeline.trial import RawTrial

NEAREST, FARTHEST = 0.06, 3.0
"""m, limits of the median distance of the markers from their middle: it is 0.3 to 0.6 for an adult, 0.08 for a single
foot, and 4 or more if the unit is ten times too large. Stray markers do not change a median."""


def check_size(trial: RawTrial) -> None:
    """Refuse a recording if its markers cannot be those of a body.

    Raises:
        AcquisitionError: the markers are too close to each other or too far apart.
    """
    seen_G = trial.markers_G[np.isfinite(trial.markers_G).all(axis=2).any(axis=1)]
    if not seen_G.size:
        return
    middle_G = np.nanmedian(seen_G, axis=1, keepdims=True)
    distance = float(np.nanmedian(np.linalg.norm(seen_G - middle_G, axis=2)))
    if not NEAREST <= distance <= FARTHEST:
        raise AcquisitionError(
            f"its markers lie {distance:.4g} m from their middle (median; {NEAREST:g} to {FARTHEST:g} m on a body), "
            "probably because the unit of length that it declares is not that of its values",
            where=trial.file_name,
            remedy="Correct the unit (POINT:UNITS of a C3D file, Units of a TRC file) and export it again",
        )
