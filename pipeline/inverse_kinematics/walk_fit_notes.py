"""Notes on a walk's markers: swapped labels, markers left out of the fit, and gaps that the model bridges."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from pipeline.inverse_kinematics.frame_fit import OUTLIER, FrameFit
from pipeline.inverse_kinematics.marker_swaps import MarkerSwap
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.inverse_kinematics.observability import observability
from pipeline.signals import frame_ranges, runs_of
from pipeline.skeleton import Skeleton
from pipeline.trial import Note

UNOBSERVED = np.radians(15.0)
"""rad; a coordinate with a larger uncertainty, for marker errors of 5 mm, counts as unobserved."""


def swap_notes(swaps: Iterable[MarkerSwap]) -> list[Note]:
    """Notes on swapped labels that were corrected."""
    return [
        Note(
            "warning",
            f"markers {', '.join(f'{a} and {b}' for a, b in swap.pairs)}",
            f"their labels are swapped in frames {frame_ranges(runs_of(swap.frames))} and were corrected for the "
            f"skeleton, which reduces their distance from the model markers from {1000 * swap.rms_labelled:.0f} to "
            f"{1000 * swap.rms_swapped:.0f} mm; the matrix form corrects only swaps that show as a "
            "jump, so correct the labels in the file",
        )
        for swap in swaps
    ]


def outlier_notes(names: Sequence[str], fit: FrameFit) -> list[Note]:
    """Notes on markers that were left out of the fit in some frames."""
    notes = []
    for k, name in enumerate(names):
        out = fit.left_out[:, k]
        if out.any():
            far = np.nanmax(fit.distance[out, k], initial=0.0)
            text = (
                f"left out in frames {frame_ranges(runs_of(out))}, up to {1000 * far:.0f} mm from its model marker or "
                f"jumping (soft tissue moves a marker by less than {1000 * OUTLIER:.0f} mm): check the trajectory"
            )
            notes.append(Note("left out", f"marker {name}", text))
    return notes


def gap_notes(
    skeleton: Skeleton, model_markers: ModelMarkers, count: int, q: np.ndarray, used: np.ndarray, longest: int
) -> list[Note]:
    """Notes on joints that follow no marker in gaps longer than ``longest`` frames; warnings for pelvis and legs.

    Args:
        skeleton: tree of n joints.
        model_markers: K, of which the first ``count`` are markers and the others joint centres.
        q: (T, n) fitted coordinates, NaN in frames that are not fitted.
        used: (T, K) markers and centres used in the fit.
    """
    missing = np.zeros((len(used), count), dtype=bool)
    for k in range(count):
        for first, last in runs_of(~used[:, k]):
            missing[first:last, k] = last - first > longest
    missing &= np.isfinite(q).all(axis=1)[:, None]
    notes = []
    for pattern in np.unique(missing[missing.any(axis=1)], axis=0):
        frames = (missing == pattern).all(axis=1)
        pose = q[frames][[frames.sum() // 2]]
        rest = np.append(~pattern, np.ones(used.shape[1] - count, dtype=bool))[None] & used[frames][:1]
        complete, reduced = (
            observability(skeleton, model_markers, mask, pose).uncertainty > UNOBSERVED
            for mask in (np.ones_like(rest), rest)
        )
        unseen = np.flatnonzero(reduced & ~complete)
        lost = ", ".join(skeleton.joint_names[j] for j in unseen)
        text = f"missing in frames {frame_ranges(runs_of(frames))}, " + (
            f"where {lost} follow no marker and are interpolated: fill the gap or read these angles with care"
            if lost
            else "where other markers suffice for every joint"
        )
        subject = (
            f"marker{'s' if pattern.sum() > 1 else ''} {', '.join(np.array(model_markers.names[:count])[pattern])}"
        )
        notes.append(Note("warning" if skeleton.moves_feet[unseen].any() else "info", subject, text))
    return notes
