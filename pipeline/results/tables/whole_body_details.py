"""The whole skeleton's numbers of each marker, segment, joint and coordinate."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis.whole_body.measures import marker_errors
from pipeline.trial import WholeBody


def body_details(body: WholeBody) -> Iterator[tuple[str, str, float, str]]:
    """Kind, name of the marker, segment, joint or coordinate, value and unit; `WholeBody` says what each is."""
    for label, motion in (("kinematic", body.kinematic), ("residual_reduced", body.residual_reduced)):
        if motion is not None:
            errors = marker_errors(motion)
            for marker, rms, largest in zip(body.fitted_markers, errors.rms, errors.largest, strict=True):
                yield f"marker rms {label}", marker, 1000.0 * float(rms), "mm"
                yield f"marker largest {label}", marker, 1000.0 * float(largest), "mm"
    for name, size in body.scale_factors.items():
        yield "segment size", name, 100.0 * size, "%"
    for name, factor in body.mass_factors.items():
        yield "mass factor", name, factor, "1"
    for name, angle in body.joint_offsets.items():
        yield "constant turn", name, float(np.degrees(angle)), "deg"
    for name, error in body.joint_centre_errors.items():
        yield "joint from standing centre", name, 1000.0 * error, "mm"
    for j, name in enumerate(body.joint_names):
        if body.model.kind[j] == "R":
            yield "coordinate may be off", name, float(np.degrees(body.uncertainty[j])), "deg"
            yield "coordinate at limit", name, 100.0 * float(body.at_limit[j]), "%"
