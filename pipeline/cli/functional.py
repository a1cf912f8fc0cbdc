"""Hip centres and knee axes from trials of movement, as columns of subjects.tsv."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from pipeline.anatomy import calibrate, functional_hips, functional_knees, named_or_recognised, with_set_labels
from pipeline.config import Subject
from pipeline.conventions import LATERAL_SIGN
from pipeline.trial import RawTrial


def hip_lines(trial: RawTrial, marker_set: Path | None = None) -> Iterator[str]:
    """Columns and values to enter, and the movement of both hips they come from; the set is recognised by default.

    Raises:
        AnatomyError: no set is recognised, or the trial does not show the centres.
    """
    own = named_or_recognised(trial, marker_set, walking=True)
    hips = functional_hips(with_set_labels(trial, own), own)
    yield f"columns of subjects.tsv from {trial.file_name} (marker set {own.name}):"
    for side, hip in hips.items():
        x, y, lateral = 1000.0 * hip.centre * [1.0, 1.0, LATERAL_SIGN[side]]
        yield f"hip_forward_{side}_mm {x:.1f}, hip_up_{side}_mm {y:.1f}, hip_lateral_{side}_mm {lateral:.1f}"
        yield (
            f"  from {hip.flexion:.0f} degrees of flexion and {hip.abduction:.0f} of abduction; pelvis and thigh agree "
            f"within {1000.0 * hip.residual:.1f} mm (root mean square)"
        )


def knee_lines(trial: RawTrial, static: RawTrial, marker_set: Path | None = None) -> Iterator[str]:
    """Columns and values to enter, and the movement of both knees they come from.

    The static trial's file or markers give the subject's values, and its labels, by default, the marker set.

    Raises:
        AnatomyError: no set is recognised, the static trial does not suffice for calibration, or the trial does not
            show the axes.
    """
    own = named_or_recognised(static, marker_set, walking=False)
    trial, static = with_set_labels(trial, own), with_set_labels(static, own)
    subject = Subject(subject=static.name)
    knees = functional_knees(trial, static, own, calibrate(static, own, subject, other_parameters=trial.parameters))
    yield f"columns of subjects.tsv from {trial.file_name} (marker set {own.name}):"
    for side, knee in knees.items():
        yield f"{knee.name}_deg {np.degrees(knee.value):.1f}"
        yield (
            f"  {side} axis rotated inwards by {knee.turn:+.1f} degrees from that of {static.name}; from "
            f"{knee.flexion:.0f} degrees of flexion; thigh and shank agree within {knee.spread:.1f} degrees (root mean "
            "square)"
        )
