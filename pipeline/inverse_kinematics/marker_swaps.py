"""Marker swaps: labels on the wrong markers, detected from trajectories and from the better fit without them.

Trajectories show where two labels swap between frames. Whether the labels were right before or after, are swapped
throughout, or returned swapped after a gap, only the skeleton shows: labels are swapped if that improves the fit
decisively, over whole continuous stretches of their trajectories. Candidates are pairs near a marker that is far from
its model marker and, if the whole fit is poor, the limbs of the left and right side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from pipeline.inverse_kinematics.frame_fit import FrameFit, marker_costs, model_marker_positions
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.sides import other_label
from pipeline.signals import jumps_of, label_order
from pipeline.skeleton import Skeleton

SUSPECT_DISTANCE = 0.02
"""m; markers closer to their model markers are not suspected."""

MIN_IMPROVEMENT = 0.015
"""m; minimum improvement of the root mean square distance of each swapped marker; the cost must also halve."""

_SAMPLE = 100
"""Number of frames fitted to test a swap, evenly spread over its stretch."""

_TRIED = 6
"""Number of pairs of labels tested per iteration: those with the largest predicted improvement."""

_MAX_ITERATIONS = 12

Pairs = tuple[tuple[int, int], ...]
Fitter = Callable[[np.ndarray], FrameFit]
"""A function that fits some frames of markers (F, K, 3)."""


@dataclass(frozen=True)
class MarkerSwap:
    """Swapped labels.

    Attributes:
        pairs: of labels.
        frames: (T,) frames in which they are swapped.
        rms_labelled, rms_swapped: m, root mean square distance from the model markers in these frames, as labelled and
            after the correction.
    """

    pairs: tuple[tuple[str, str], ...]
    frames: np.ndarray
    rms_labelled: float
    rms_swapped: float


def find_marker_swaps(
    skeleton: Skeleton, model_markers: ModelMarkers, markers_G: np.ndarray, as_labelled: FrameFit, fitter: Fitter
) -> tuple[np.ndarray, tuple[MarkerSwap, ...]]:
    """Find the label (T, K) under which each marker is recorded in each frame, and the corresponding swaps.

    Args:
        skeleton: tree of n joints.
        model_markers: K.
        markers_G: (T, K, 3) m as labelled; NaN if missing.
        as_labelled: fit to these markers.
        fitter: fits frames.
    """
    order, fit = label_order(markers_G), as_labelled
    if (order != np.arange(order.shape[1])).any():
        fit = fitter(reordered(markers_G, order))
    for _ in range(_MAX_ITERATIONS):
        markers = reordered(markers_G, order)
        best = None
        for pairs, frames in _candidates(skeleton, model_markers, markers, fit):
            found = _test(markers, fit, fitter, pairs, frames)
            if found and (best is None or found[0] > best[0]):
                best = (*found, pairs)
        if best is None:
            break
        _, frames, pairs = best
        order[frames] = order[frames][:, _swapped_columns(pairs, order.shape[1])]
        fit = fitter(reordered(markers_G, order))
    return order, _swaps(model_markers.names, order, as_labelled, fit)


def reordered(markers_G: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Markers (T, K, 3) with their labels corrected."""
    return np.take_along_axis(markers_G, order[:, :, None], axis=1)


def _candidates(
    skeleton: Skeleton, model_markers: ModelMarkers, markers: np.ndarray, fit: FrameFit
) -> Iterable[tuple[Pairs, np.ndarray]]:
    """Swaps to test, with the frames (F,) in which they would improve the fit."""
    positions = np.full(markers.shape, np.nan)
    fitted = np.isfinite(fit.q).all(axis=1)
    positions[fitted] = model_marker_positions(skeleton, model_markers, fit.q[fitted])
    predicted: dict[tuple[int, int], float] = {}
    where: dict[tuple[int, int], np.ndarray] = {}
    own = marker_costs(fit.distance)
    for k in np.flatnonzero((fit.distance > SUSPECT_DISTANCE).any(axis=0)).tolist():
        frames = np.flatnonzero(fit.distance[:, k] > SUSPECT_DISTANCE)
        to_k = np.linalg.norm(markers[frames] - positions[frames, k][:, None], axis=2)
        of_k = np.linalg.norm(markers[frames, k][:, None] - positions[frames], axis=2)
        gain = own[frames, k][:, None] + own[frames] - marker_costs(to_k) - marker_costs(of_k)
        gain[~np.isfinite(to_k + of_k)] = 0.0
        for other in np.flatnonzero((gain > marker_costs(MIN_IMPROVEMENT)).any(axis=0)).tolist():
            pair = (min(k, other), max(k, other))
            better = gain[:, other] > 0.0
            predicted[pair] = predicted.get(pair, 0.0) + float(gain[better, other].sum())
            where[pair] = np.union1d(where.get(pair, frames[:0]), frames[better])
    for pair in sorted(predicted, key=lambda pair: -predicted[pair])[:_TRIED]:
        yield (pair,), where[pair]
    sided = _sides(skeleton, model_markers)
    members = sorted({k for pairs in sided for pair in pairs for k in pair})
    if members:
        cost = own[:, members].sum(axis=1) / np.maximum(np.isfinite(fit.distance[:, members]).sum(axis=1), 1)
        bad = np.flatnonzero(cost > marker_costs(SUSPECT_DISTANCE))
        if len(bad):
            yield from ((pairs, bad) for pairs in sided)


def _sides(skeleton: Skeleton, model_markers: ModelMarkers) -> list[Pairs]:
    """Left and right pairs of labels: of all segments, of each limb from a segment on, and of each segment alone."""
    names, row = model_markers.names, {name: k for k, name in enumerate(model_markers.names)}
    pairs = [(row[name], row[other_label(name)]) for name in names if other_label(name) in row]
    pairs = [(a, b) for a, b in pairs if a < b]
    groups = [tuple(pairs)]
    for joint in sorted({int(j) for j in model_markers.joint}):
        limb = tuple(p for p in pairs if any(skeleton.is_ancestor[joint, model_markers.joint[k]] for k in p))
        alone = tuple(p for p in pairs if joint in model_markers.joint[list(p)])
        groups += [limb, alone]
    return [group for group in dict.fromkeys(groups) if len(group) > 1]


def _swapped_columns(pairs: Pairs, count: int) -> np.ndarray:
    columns = np.arange(count)
    for a, b in pairs:
        columns[[a, b]] = columns[[b, a]]
    return columns


def _test(
    markers: np.ndarray, fit: FrameFit, fitter: Fitter, pairs: Pairs, frames: np.ndarray
) -> tuple[float, np.ndarray] | None:
    """Decrease of the cost, and the frames in which swapping the pairs improves the fit decisively; None if in none."""
    mine = sorted({k for pair in pairs for k in pair})
    stretch = _stretches(markers[:, mine])
    inside = np.flatnonzero(np.isin(stretch, stretch[frames]) & np.isfinite(fit.q).all(axis=1))
    sample = inside[:: -(-len(inside) // _SAMPLE)]
    after = marker_costs(fitter(markers[sample][:, _swapped_columns(pairs, markers.shape[1])]).distance)
    before = marker_costs(fit.distance[sample])
    gain = (before - after).sum(axis=1)
    won = np.zeros(len(markers), dtype=bool)
    for number in np.unique(stretch[sample]):
        here = stretch[sample] == number
        better = here & (gain > 0.0)
        decisive = better.any() and gain[better].mean() > len(mine) * marker_costs(MIN_IMPROVEMENT)
        halved = after[better][:, mine].sum() < 0.5 * before[better][:, mine].sum()
        if decisive and halved and gain[here].sum() > 0.0:
            won |= stretch == number
    if not won.any():
        return None
    return float(gain[won[sample]].sum() * len(inside) / len(sample)), np.flatnonzero(won)


def _stretches(markers: np.ndarray) -> np.ndarray:
    """Number (T,) of each frame's stretch of trajectories; a new one begins where a marker appears or jumps."""
    seen = np.isfinite(markers).all(axis=2)
    appears = np.diff(seen, axis=0, prepend=seen[:1]) & seen
    return np.cumsum((appears | jumps_of(markers).any(axis=2)).any(axis=1))


def _swaps(names: tuple[str, ...], order: np.ndarray, as_labelled: FrameFit, fit: FrameFit) -> tuple[MarkerSwap, ...]:
    """Swaps, grouped by the frames in which they occur."""
    by_frames: dict[bytes, list[tuple[int, int]]] = {}
    for k in range(len(names)):
        for other in np.unique(order[:, k]):
            frames = order[:, k] == other
            if other > k or (other < k and (order[frames, other] != k).any()):
                by_frames.setdefault(frames.tobytes(), []).append((k, int(other)))
    found = []
    for mask, pairs in by_frames.items():
        frames = np.frombuffer(mask, dtype=bool)
        columns = sorted({k for pair in pairs for k in pair})
        labelled, swapped = (
            float(np.sqrt(np.nanmean(f.distance[frames][:, columns] ** 2))) for f in (as_labelled, fit)
        )
        found.append(MarkerSwap(tuple((names[a], names[b]) for a, b in pairs), frames, labelled, swapped))
    return tuple(found)
