"""Markers from labelled points: subject prefixes removed, unseen or far points set to missing, copies joined."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pipeline.errors import AcquisitionError
from pipeline.trial import Note

_SAME_MARKER = 0.001
"""m: points of one label that differ by more are different markers; the step of an integer file is below half of it."""

_MAX_DISTANCE = 1e4
"""m from the laboratory's origin: up to here a stored real number resolves a millimetre."""

_MIN_BODY = 12
"""Points from which on they are a body's: the legs and pelvis have 15 or more in Plug-in Gait, and a cane, a box or a
wheelchair carries 3 to 8."""

_NAMED = 8
"""Largest number of names listed in a message."""


def unprefixed(labels: Sequence[str], positions: np.ndarray, *, where: str) -> tuple[list[str], np.ndarray, list[Note]]:
    """Labels without the subject's prefix, which ends in a colon; whose points are an object's; and notes on both.

    Objects that are measured beside the subject, such as a cane, have prefixes of their own, few points, and none of
    the subject's labels. Their labels keep the prefix.

    Args:
        labels: of all N points.
        positions: (T, N, 3) of these points; NaN where not seen.
        where: the file, for errors.

    Returns:
        N labels, whether each point is an object's (N,), and notes.

    Raises:
        AcquisitionError: the file has measured points of several subjects.
    """
    split = [label.split(":", 1) for label in labels]
    measured: dict[str, list[str]] = {}
    for (first, *rest), seen in zip(split, np.isfinite(positions).any(axis=(0, 2)), strict=True):
        if rest and seen:
            measured.setdefault(first, []).append(rest[0])
    objects = _objects(measured)
    if len(measured) > 1 and not objects:
        raise AcquisitionError(
            f"the file holds the points of {len(measured)} subjects ({', '.join(sorted(measured)[:_NAMED])})",
            where=where,
            remedy="Export each subject to a file of its own",
        )
    notes = []
    if prefixes := {first for first, *rest in split if rest} - objects:
        text = f"subject prefix removed from the labels: {', '.join(sorted(prefixes))}"
        notes.append(Note("info", "labels", text))
    for name in sorted(objects):
        text = f"{', '.join(measured[name])} are taken as points of an object beside the subject, and not as markers"
        notes.append(Note("assumed", name, text))
    is_object = np.array([bool(rest) and first in objects for first, *rest in split], dtype=bool)
    own = [label if other else parts[-1] for label, other, parts in zip(labels, is_object, split, strict=True)]
    return own, is_object, notes


def _objects(measured: Mapping[str, Sequence[str]]) -> set[str]:
    """Prefixes of objects, given the labels by prefix; none if it is not clear which one is the subject's."""
    bodies = [name for name, labels in measured.items() if len(labels) >= _MIN_BODY]
    others = set(measured) - set(bodies)
    if len(bodies) != 1 or any(set(measured[name]) & set(measured[bodies[0]]) for name in others):
        return set()
    return others


def seen_positions(positions: np.ndarray) -> np.ndarray:
    """Positions (T, N, 3) m where a point was seen, NaN elsewhere.

    A point exactly at the origin was not seen: many programs write zeros for a gap. A point too far away is damaged.
    """
    missing = (positions == 0.0).all(axis=-1) | _beyond_reach(positions)
    return np.where(missing[..., None], np.nan, positions)


def joined_markers(labels: Sequence[str], positions: np.ndarray) -> tuple[tuple[str, ...], np.ndarray, list[Note]]:
    """One marker for each label, joined from the points with that label if they agree.

    Args:
        labels: N labels, possibly repeated.
        positions: (T, N, 3) m; NaN where not seen.

    Returns:
        K names, their positions (T, K, 3) m, and notes on labels with several points.
    """
    points: dict[str, list[int]] = {}
    for index, label in enumerate(labels):
        points.setdefault(label, []).append(index)
    columns: dict[str, np.ndarray] = {}
    contradictory: dict[str, float] = {}
    for label, copies in points.items():
        column, apart = _join_copies(positions[:, copies])
        if apart > _SAME_MARKER:
            contradictory[label] = apart
        else:
            columns[label] = column
    joined = {label: len(points[label]) for label in columns if len(points[label]) > 1}
    stacked = np.stack(list(columns.values()), axis=1) if columns else np.zeros((len(positions), 0, 3))
    return tuple(columns), stacked, list(_copies_notes(joined, contradictory))


def far_notes(labels: Sequence[str], positions: np.ndarray) -> Iterator[Note]:
    """A warning on markers with positions (T, N, 3) m too far from the origin."""
    damaged = _beyond_reach(positions)
    far = {label for label, frames in zip(labels, damaged.T, strict=True) if frames.any()}
    if far:
        text = (
            f"{', '.join(sorted(far))} have positions beyond {_MAX_DISTANCE:g} m in up to {damaged.sum(axis=0).max()} "
            "frames, which are taken as missing, because the file is damaged or its unit is wrong: export it again"
        )
        yield Note("warning", "markers", text)


def _beyond_reach(positions: np.ndarray) -> np.ndarray:
    return np.any(np.abs(positions) > _MAX_DISTANCE, axis=-1)


def _join_copies(copies: np.ndarray) -> tuple[np.ndarray, float]:
    """One column (T, 3) from the copies (T, n, 3) of a label, and the largest distance (m) of a copy from it."""
    joined, apart = copies[:, 0], 0.0
    for k in range(1, copies.shape[1]):
        distance = np.linalg.norm(copies[:, k] - joined, axis=-1)
        apart = max(apart, float(np.max(distance, initial=0.0, where=np.isfinite(distance))))
        joined = np.where(np.isnan(joined), copies[:, k], joined)
    return joined, apart


def _copies_notes(joined: dict[str, int], contradictory: dict[str, float]) -> Iterator[Note]:
    if joined:
        text = "points with the same label agree wherever two are seen at once, and were joined to one marker each: "
        yield Note("info", "markers", text + ", ".join(f"{label} ({count} points)" for label, count in joined.items()))
    if contradictory:
        apart = ", ".join(f"{label} ({1000.0 * distance:.0f} mm)" for label, distance in contradictory.items())
        text = (
            f"points with the same label are apart (limit {1000.0 * _SAME_MARKER:.0f} mm), so none of them is used: "
            f"{apart}; rename them in the recording software"
        )
        yield Note("left out", "markers", text)
