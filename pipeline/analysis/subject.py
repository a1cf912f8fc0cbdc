"""Values of a subject, as measured or given, in the units in which they are reported."""

from __future__ import annotations

import numpy as np

from pipeline.trial import Calibration


def subject_values(calibration: Calibration) -> dict[str, tuple[float, str]]:
    """Value and unit by name, in kg, m and degrees."""
    units = calibration.units
    return {
        name: (float(np.degrees(value)), "deg") if units[name] == "rad" else (value, units[name])
        for name, value in calibration.values.items()
    }
