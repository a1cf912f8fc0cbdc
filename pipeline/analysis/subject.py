"""Values of a subject, as measured or given, in the units in which they are reported."""

from __future__ import annotations

import numpy as np

from pipeline.trial import Calibration

_ANGLES = ("rotation", "torsion", "angle", "abduction", "plantarflexion", "axis")


def subject_unit(name: str) -> str:
    """Reported unit of a subject's value, from its name: kg, deg (stored in rad) or m."""
    if name == "mass":
        return "kg"
    return "deg" if any(part in name for part in _ANGLES) else "m"


def subject_values(calibration: Calibration) -> dict[str, tuple[float, str]]:
    """Value and unit by name, in kg, m and degrees."""
    return {
        name: (float(np.degrees(value)) if subject_unit(name) == "deg" else value, subject_unit(name))
        for name, value in calibration.values.items()
    }
