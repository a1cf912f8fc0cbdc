"""Hip centres from a trial of hip movement, as columns of subjects.tsv."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.anatomy import functional_hips, named_or_recognised, with_set_labels
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
