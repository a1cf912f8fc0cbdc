"""What is known of the subject and the matrix form's segments, by name, in the units of the tidy tables."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.trial import Calibration

_ANGLES = ("rotation", "torsion", "angle")


def is_angle(name: str) -> bool:
    """Whether a subject's value is an angle, stored in rad; all others but the mass, in kg, are lengths in m."""
    return any(part in name for part in _ANGLES)


def subject_values(calibration: Calibration) -> Iterator[tuple[str, str, float, str]]:
    """Kind, name, value and unit: of the subject, and mass and length of every segment; kg, m and degrees."""
    for name, value in calibration.values.items():
        unit = "kg" if name == "mass" else "deg" if is_angle(name) else "m"
        yield "subject", name, float(np.degrees(value)) if unit == "deg" else value, unit
    for name, segment in calibration.segments.items():
        yield "segment mass", name, segment.mass, "kg"
        yield "segment length", name, segment.length, "m"
