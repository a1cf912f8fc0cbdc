"""Labels that lie on the wrong markers: found by their paths and by what exchanging them does to the fit.

Paths tell where two labels change places midway. Whether they were right before or after, whether they are wrong
throughout, or came back wrong from a gap, only the body can tell: labels are exchanged where the skeleton then lies on
the markers decisively better, and over whole stretches of their paths. Pairs are tried wherever a marker is off its
place, and where the body fits badly, limbs of the left and the right side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from pipeline.inverse_kinematics.frame_fit import FrameFit, marker_costs, model_marker_positions
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.signals import jumps_of, label_order
from pipeline.skeleton.tree import Skeleton

SUSPECT = 0.02
"""m; markers nearer to their places than this are not suspected."""

DECISIVE = 0.015
"""m; root mean square distance by which each exchanged marker must come nearer, beside at least halving its cost."""

_SAMPLE = 100
"""Frames that are fitted to try an exchange, evenly spread over those in question."""

_TRIED = 6
"""Pairs of labels tried in a round, those that promise most first."""

_ROUNDS = 12

Pairs = tuple[tuple[int, int], ...]
Fitter = Callable[[np.ndarray], FrameFit]
"""Fits some frames of markers (F, K, 3)."""


@dataclass(frozen=True)
class Exchange:
    """Labels that lie on each other's markers.

    Attributes:
        pairs: of labels.
        frames: (T,) in which they do.
        named, exchanged: m, root mean square distance of their markers from their places in these frames, as labelled
            and after the exchange.
    """

    pairs: tuple[tuple[str, str], ...]
    frames: np.ndarray
    named: float
    exchanged: float


def order_labels(
    skeleton: Skeleton, attachments: ModelMarkers, markers_G: np.ndarray, as_named: FrameFit, fitter: Fitter
) -> tuple[np.ndarray, tuple[Exchange, ...]]:
    """Find the label (T, K) under which each marker is really found in each frame, and the exchanges that this takes.

    Args:
        skeleton: tree of n joints.
        attachments: of K markers.
        markers_G: (T, K, 3) m as labelled; NaN where not seen.
        as_named: fit to them.
        fitter: how frames are fitted.
    """
    order, fit = label_order(markers_G), as_named
    if (order != np.arange(order.shape[1])).any():
        fit = fitter(reordered(markers_G, order))
    for _ in range(_ROUNDS):
        markers = reordered(markers_G, order)
        best = None
        for pairs, frames in _candidates(skeleton, attachments, markers, fit):
            found = _try(markers, fit, fitter, pairs, frames)
            if found and (best is None or found[0] > best[0]):
                best = (*found, pairs)
        if best is None:
            break
        _, frames, pairs = best
        order[frames] = order[frames][:, _exchanging(pairs, order.shape[1])]
        fit = fitter(reordered(markers_G, order))
    return order, _exchanges(attachments.names, order, as_named, fit)


def reordered(markers_G: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Markers (T, K, 3) under the labels at which they are found."""
    return np.take_along_axis(markers_G, order[:, :, None], axis=1)


def _candidates(
    skeleton: Skeleton, attachments: ModelMarkers, markers: np.ndarray, fit: FrameFit
) -> Iterable[tuple[Pairs, np.ndarray]]:
    """Exchanges worth trying, with the frames (F,) in which they promise something."""
    places = np.full(markers.shape, np.nan)
    fitted = np.isfinite(fit.q).all(axis=1)
    places[fitted] = model_marker_positions(skeleton, attachments, fit.q[fitted])
    promise: dict[tuple[int, int], float] = {}
    where: dict[tuple[int, int], np.ndarray] = {}
    own = marker_costs(fit.distance)
    for k in np.flatnonzero((fit.distance > SUSPECT).any(axis=0)).tolist():
        frames = np.flatnonzero(fit.distance[:, k] > SUSPECT)
        to_k = np.linalg.norm(markers[frames] - places[frames, k][:, None], axis=2)
        of_k = np.linalg.norm(markers[frames, k][:, None] - places[frames], axis=2)
        gain = own[frames, k][:, None] + own[frames] - marker_costs(to_k) - marker_costs(of_k)
        gain[~np.isfinite(to_k + of_k)] = 0.0
        for other in np.flatnonzero((gain > marker_costs(DECISIVE)).any(axis=0)).tolist():
            pair = (min(k, other), max(k, other))
            better = gain[:, other] > 0.0
            promise[pair] = promise.get(pair, 0.0) + float(gain[better, other].sum())
            where[pair] = np.union1d(where.get(pair, frames[:0]), frames[better])
    for pair in sorted(promise, key=lambda pair: -promise[pair])[:_TRIED]:
        yield (pair,), where[pair]
    sided = _sides(skeleton, attachments)
    members = sorted({k for pairs in sided for pair in pairs for k in pair})
    if members:
        cost = own[:, members].sum(axis=1) / np.maximum(np.isfinite(fit.distance[:, members]).sum(axis=1), 1)
        bad = np.flatnonzero(cost > marker_costs(SUSPECT))
        if len(bad):
            yield from ((pairs, bad) for pairs in sided)


def _sides(skeleton: Skeleton, attachments: ModelMarkers) -> list[Pairs]:
    """Pairs of labels of both sides: of all segments, of each limb from some segment on, and of each segment alone."""
    names, row = attachments.names, {name: k for k, name in enumerate(attachments.names)}
    pairs = [(row[name], row[_other_side(name)]) for name in names if _other_side(name) in row]
    pairs = [(a, b) for a, b in pairs if a < b]
    groups = [tuple(pairs)]
    for joint in sorted({int(j) for j in attachments.joint}):
        limb = tuple(p for p in pairs if any(skeleton.is_ancestor[joint, attachments.joint[k]] for k in p))
        alone = tuple(p for p in pairs if joint in attachments.joint[list(p)])
        groups += [limb, alone]
    return [group for group in dict.fromkeys(groups) if len(group) > 1]


def _other_side(name: str) -> str:
    """The label of the other side: R for L at its beginning, left for right within it."""
    for one, other in (("left", "right"), ("right", "left")):
        if one in name:
            return name.replace(one, other)
    return {"L": "R", "R": "L"}.get(name[:1], name[:1]) + name[1:]


def _exchanging(pairs: Pairs, count: int) -> np.ndarray:
    columns = np.arange(count)
    for a, b in pairs:
        columns[[a, b]] = columns[[b, a]]
    return columns


def _try(
    markers: np.ndarray, fit: FrameFit, fitter: Fitter, pairs: Pairs, frames: np.ndarray
) -> tuple[float, np.ndarray] | None:
    """Decrease of the cost, and the frames in which exchanging pairs of labels is decisively better; None if none."""
    mine = sorted({k for pair in pairs for k in pair})
    stretch = _stretches(markers[:, mine])
    inside = np.flatnonzero(np.isin(stretch, stretch[frames]) & np.isfinite(fit.q).all(axis=1))
    sample = inside[:: -(-len(inside) // _SAMPLE)]
    after = marker_costs(fitter(markers[sample][:, _exchanging(pairs, markers.shape[1])]).distance)
    before = marker_costs(fit.distance[sample])
    gain = (before - after).sum(axis=1)
    won = np.zeros(len(markers), dtype=bool)
    for number in np.unique(stretch[sample]):
        here = stretch[sample] == number
        better = here & (gain > 0.0)
        decisive = better.any() and gain[better].mean() > len(mine) * marker_costs(DECISIVE)
        halved = after[better][:, mine].sum() < 0.5 * before[better][:, mine].sum()
        if decisive and halved and gain[here].sum() > 0.0:
            won |= stretch == number
    if not won.any():
        return None
    return float(gain[won[sample]].sum() * len(inside) / len(sample)), np.flatnonzero(won)


def _stretches(markers: np.ndarray) -> np.ndarray:
    """Number (T,) of the stretch of paths that each frame lies in: a new one begins where a marker appears or leaps."""
    seen = np.isfinite(markers).all(axis=2)
    appears = np.diff(seen, axis=0, prepend=seen[:1]) & seen
    return np.cumsum((appears | jumps_of(markers).any(axis=2)).any(axis=1))


def _exchanges(names: tuple[str, ...], order: np.ndarray, as_named: FrameFit, fit: FrameFit) -> tuple[Exchange, ...]:
    """Group the labels that are exchanged in the same frames."""
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
        named, exchanged = (float(np.sqrt(np.nanmean(f.distance[frames][:, columns] ** 2))) for f in (as_named, fit))
        found.append(Exchange(tuple((names[a], names[b]) for a, b in pairs), frames, named, exchanged))
    return tuple(found)
