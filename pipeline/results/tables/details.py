"""Scalars of the subject, and of each segment, marker, joint and coordinate of its models."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis import marker_errors, motions, subject_values
from pipeline.results.tables.frames import Row, scalar
from pipeline.trial import Calibration, WholeBody


def subject_details(calibration: Calibration) -> Iterator[Row]:
    """Values of the subject, in kg, m and degrees."""
    for name, (value, unit) in subject_values(calibration).items():
        yield scalar("subject", name, value, unit)


def segment_details(calibration: Calibration) -> Iterator[Row]:
    """Mass and length of every segment of the matrix form."""
    for name, segment in calibration.segments.items():
        yield scalar("segment mass", name, segment.mass, "kg")
        yield scalar("segment length", name, segment.length, "m")


def whole_body_details(body: WholeBody) -> Iterator[Row]:
    """Scalars of every marker, segment, joint and coordinate of the skeleton; see `WholeBody`."""
    for label, motion in motions(body).items():
        errors = marker_errors(motion)
        for marker, rms, maximum in zip(body.fitted_markers, errors.rms, errors.maximum, strict=True):
            yield scalar(f"marker error rms {label}", marker, 1000.0 * float(rms), "mm")
            yield scalar(f"marker error maximum {label}", marker, 1000.0 * float(maximum), "mm")
    for name, size in body.scale_factors.items():
        yield scalar("segment scale factor", name, 100.0 * size, "%")
    for name, factor in body.mass_factors.items():
        yield scalar("mass factor", name, factor, "1")
    for name, angle in body.joint_offsets.items():
        yield scalar("joint offset", name, float(np.degrees(angle)), "deg")
    for name, error in body.joint_centre_errors.items():
        yield scalar("joint centre error", name, 1000.0 * error, "mm")
    for j, name in enumerate(body.joint_names):
        if body.model.kind[j] == "R":
            yield scalar("coordinate uncertainty", name, float(np.degrees(body.uncertainty[j])), "deg")
            yield scalar("coordinate at limit", name, 100.0 * float(body.at_limit[j]), "%")
