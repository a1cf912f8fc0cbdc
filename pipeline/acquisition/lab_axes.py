"""Rotation from laboratory axes to G: up from plates, screen axes and markers, progression from marker displacement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.belt import belt_velocity
from pipeline.errors import AcquisitionError
from pipeline.math3d import rotation_from_axes, unit
from pipeline.trial import Note, NoteKind

_AXIS_COSINE = np.cos(np.deg2rad(20.0))
"""Up is the laboratory's axis if plate or floor is tilted by less than this angle."""
_WALK_AXIS_COSINE = np.cos(np.deg2rad(10.0))
"""A walk that deviates from an axis of the laboratory by less than this angle is taken to go along that axis; a larger
deviation over the length of a walkway is intended."""
_OBLIQUE_COSINE = np.cos(np.deg2rad(5.0))
_MIN_TRAVEL = 0.5
_MIN_VISIBLE = 0.5
_MAX_HEIGHT = 2.5
_MIN_HEIGHT = -0.1
_MIN_HEIGHT_RATIO = 4.0 / 3.0
"""Minimum ratio of height to width or depth of a body with its arms at its sides; identifies the vertical axis."""

_PLATES, _MARKERS = "the plates' normals", "the markers above the floor"


@dataclass(frozen=True)
class AxisOverrides:
    """Directions in the laboratory's axes that replace the file's evidence, such as up="+z", progression="-y"."""

    up: str | None = None
    progression: str | None = None


def lab_to_global(
    positions_L: np.ndarray,
    normals_L: Mapping[int, np.ndarray],
    floor_L: np.ndarray,
    screen: tuple[str, str],
    overrides: AxisOverrides,
    *,
    rate: float,
    where: str,
) -> tuple[np.ndarray, list[Note]]:
    """Rotation R_GL (3, 3) from the laboratory's axes to G, and notes on how up and progression were found.

    Up is the axis on which most of these agree; ties are decided in this order: the axis of most plates' normals; the
    axis along which the markers are above the floor; POINT:Y_SCREEN, which some programs fill in whatever the axes
    are. Nobody walks under the plates, so if there are plates, up is never opposite to the markers' axis. Tilted plates
    decide only without other evidence. Progression is the direction in which the markers travel, replaced by the
    nearest laboratory axis if within 10 degrees; on a treadmill it is opposite to the velocity of the belt, found from
    the feet on it. Without travel (a static trial) it is POINT:X_SCREEN, or otherwise the first horizontal axis, which
    need not be the direction that the subject faces.

    Args:
        positions_L: (T, K, 3) m, markers.
        normals_L: upward unit normals of the plates, by plate number.
        floor_L: (3,) m, a point of the floor: the plates' median centre, or the origin.
        screen: POINT:X_SCREEN and POINT:Y_SCREEN.
        overrides: directions given by the study.
        rate: Hz, of the positions.
        where: the file, for errors.

    Raises:
        AcquisitionError: an override is not an axis, or progression is parallel to up.
    """
    up, up_note = _up(positions_L, normals_L, floor_L, screen[1], overrides.up, where)
    progression, progression_note = _progression(positions_L, up, rate, screen[0], overrides.progression, where)
    # The columns of R_LG are G's axes in laboratory coordinates: y exactly up, x along the progression.
    R_GL = rotation_from_axes(up, progression, "yx").T
    if not np.isfinite(R_GL).all():
        raise AcquisitionError(
            f"the progression {_name(progression)} is parallel to up {_name(up)}",
            where=where,
            remedy="Give another progression or up in the study's configuration",
        )
    # Adding zero turns -0.0 into 0.0 in stored rotations.
    return R_GL + 0.0, [*up_note, *progression_note]


def _up(
    positions: np.ndarray,
    normals: Mapping[int, np.ndarray],
    floor: np.ndarray,
    screen: str,
    override: str | None,
    where: str,
) -> tuple[np.ndarray, list[Note]]:
    evidence_for_up = _evidence_for_up(positions, normals, floor, screen)
    evidence = ", ".join(f"{source} {_name(axis)}" for source, axis in evidence_for_up.items()) or "none"
    kind: NoteKind = "info"
    if override is not None:
        up = _required_axis(override, "up", where)
        text = f"up is {_name(up)} by the study's configuration (evidence in the file: {evidence})"
    elif evidence_for_up:
        counts = Counter(_name(axis) for axis in evidence_for_up.values())
        up = max(evidence_for_up.values(), key=lambda axis: counts[_name(axis)])
        above = evidence_for_up.get(_MARKERS)
        up = above if above is not None and len(normals) and above @ up < -_AXIS_COSINE else up
        text = f"up is {_name(up)}: {evidence}"
    else:
        up, kind = np.array([0.0, 0.0, 1.0]), "assumed"
        text = "up is taken as +z, the most common convention, since the file gives no evidence"
    notes = [Note(kind, "lab axes", text)]
    against = [source for source, axis in evidence_for_up.items() if axis @ up < _AXIS_COSINE]
    if against:
        text = (
            f"up is taken as {_name(up)}, but {' and '.join(against)} contradict it ({evidence}): check 'up' in "
            "config.yaml (axes) or trials.tsv"
        )
        notes.append(Note("warning", "lab axes", text))
    if _PLATES not in against:
        notes += _tilt_notes(normals, up)
    return up, notes


def _evidence_for_up(
    positions: np.ndarray, normals: Mapping[int, np.ndarray], floor: np.ndarray, screen: str
) -> dict[str, np.ndarray]:
    """Up axis by source, in the order in which sources decide a tie."""
    nearest = [_nearest_axis(normal) for normal in normals.values()]
    level = [axis for axis in nearest if np.abs(axis).max() == 1.0]
    counts = Counter(_name(axis) for axis in level)
    found = {
        _PLATES: max(level, key=lambda axis: counts[_name(axis)], default=None),
        _MARKERS: axis_above_floor(positions, floor),
        "POINT:Y_SCREEN": _axis(screen),
    }
    if nearest and not level:
        found["the tilted plates"] = _nearest_axis(np.mean(list(normals.values()), axis=0))
    return {source: axis for source, axis in found.items() if axis is not None}


def _tilt_notes(normals: Mapping[int, np.ndarray], up: np.ndarray) -> list[Note]:
    """Warnings on plates whose surface does not face up."""
    notes = []
    for number, normal in normals.items():
        if normal @ up < _AXIS_COSINE:
            degrees = np.degrees(np.arccos(np.clip(normal @ up, -1.0, 1.0)))
            text = (
                f"its surface faces {degrees:.0f} degrees away from up ({_name(up)}, limit 20): if the plate lies "
                "level, its corners are wrong or in the wrong order"
            )
            notes.append(Note("warning", f"plate {number}", text))
    return notes


def _progression(
    positions: np.ndarray, up: np.ndarray, rate: float, screen: str, override: str | None, where: str
) -> tuple[np.ndarray, list[Note]]:
    travel = _travel(positions, up)
    moved = f"the markers' median displacement is {np.linalg.norm(travel):.2f} m"
    belt = belt_velocity(positions, up, rate, travel)
    if belt.any():
        back = f"{np.linalg.norm(belt):.2f} m/s (median of both feet)"
        moved = f"the feet on the ground move back at {back}, as on a treadmill"
        travel = -belt * len(positions) / rate
    distance = float(np.linalg.norm(travel))
    if override is not None:
        axis = _required_axis(override, "progression", where)
        notes = [Note("info", "lab axes", f"progression is {_name(axis)} by the study's configuration ({moved})")]
        if distance > _MIN_TRAVEL and axis @ unit(travel) < _AXIS_COSINE:
            direction = _name(_nearest_axis(travel))
            text = (
                f"progression is set to {_name(axis)}, but the markers travel along {direction} ({distance:.2f} m): "
                "check 'progression' in config.yaml (axes) or trials.tsv"
            )
            notes.append(Note("warning", "lab axes", text))
        return axis, notes
    if distance > _MIN_TRAVEL:
        axis = _nearest_axis(travel, _WALK_AXIS_COSINE)
        text = f"progression is {_name(axis)}: {moved} along {_name(unit(travel))}"
        if axis @ unit(travel) > _OBLIQUE_COSINE:
            return axis, [Note("info", "lab axes", text)]
        turned = np.degrees(np.arccos(axis @ unit(travel)))
        text += f", {turned:.0f} degrees from it; pelvis rotation, foot progression and step length refer to the axis"
        return axis, [Note("assumed", "lab axes", text)]
    candidates = [_axis(screen), *np.eye(3)]
    # Of three orthogonal axes, at least one is 54.7 degrees or more from any direction (cosine 0.577 or less).
    axis = next(axis for axis in candidates if axis is not None and abs(axis @ up) < 0.6)
    text = f"progression is {_name(axis)} by convention, since the subject does not travel ({moved})"
    return axis, [Note("assumed", "lab axes", text)]


def _travel(positions: np.ndarray, up: np.ndarray) -> np.ndarray:
    """Horizontal displacement (3,) m: median over the markers of last minus first seen position.

    A marker counts if it is seen in half of the frames that show the body; a recording may begin before the body enters
    and continue after it has left.
    """
    seen = np.isfinite(positions).all(axis=-1)
    number = seen.sum(axis=1)
    body = number >= _MIN_VISIBLE * number.max(initial=1)
    if not body.any():
        return np.zeros(3)
    columns = np.flatnonzero(seen[body].mean(axis=0) >= _MIN_VISIBLE)
    if not len(columns):
        return np.zeros(3)
    first = seen[:, columns].argmax(axis=0)
    last = len(seen) - 1 - seen[::-1, columns].argmax(axis=0)
    travel = np.median(positions[last, columns] - positions[first, columns], axis=0)
    return travel - (travel @ up) * up


def axis_above_floor(positions: np.ndarray, floor: np.ndarray) -> np.ndarray | None:
    """The axis along which nearly all markers lie above the floor, within a body's height; None if not clear.

    Of several such axes, as in a corner of the laboratory, it is the one along which the body is clearly longest.
    """
    seen = positions[np.isfinite(positions).all(axis=-1)] - floor
    if not len(seen):
        return None
    found = []
    for axis in (*np.eye(3), *-np.eye(3)):
        low, high = np.percentile(seen @ axis, [1.0, 99.0])
        if low > _MIN_HEIGHT and 0.3 < high < _MAX_HEIGHT:
            found.append(axis)
    if len(found) < 2:
        return found[0] if found else None
    shown = positions[np.isfinite(positions).all(axis=2).any(axis=1)]
    lengths = np.median(np.nanmax(shown, axis=1) - np.nanmin(shown, axis=1), axis=0)
    longest = max(found, key=lambda axis: lengths @ np.abs(axis))
    others = [lengths @ np.abs(axis) for axis in found if axis is not longest]
    return longest if lengths @ np.abs(longest) > _MIN_HEIGHT_RATIO * max(others) else None


def _nearest_axis(direction: np.ndarray, near: float = _AXIS_COSINE) -> np.ndarray:
    """The laboratory axis whose cosine with a direction is at least ``near``, otherwise the direction; of length 1."""
    direction = unit(direction)
    index = int(np.abs(direction).argmax())
    axis = np.sign(direction[index]) * np.eye(3)[index]
    return axis if direction @ axis >= near else direction


def _axis(text: str) -> np.ndarray | None:
    """Unit vector of an axis such as "+Z" or "-y", or None."""
    text = text.strip().lower()
    sign = -1.0 if text.startswith("-") else 1.0
    letter = text.lstrip("+-")
    return sign * np.eye(3)["xyz".index(letter)] if len(letter) == 1 and letter in "xyz" else None


def _required_axis(text: str, what: str, where: str) -> np.ndarray:
    axis = _axis(text)
    if axis is None:
        raise AcquisitionError(
            f"{what} is given as {text!r}, which is not an axis of the laboratory",
            where=where,
            remedy='Write it as one of "+x", "-x", "+y", "-y", "+z", "-z"',
        )
    return axis


def _name(axis: np.ndarray) -> str:
    """Name of an axis, such as "+z", or the three components of a direction that is not an axis."""
    index = int(np.abs(axis).argmax())
    if np.abs(axis[index]) > 1.0 - 1e-9:
        return f"{'+' if axis[index] > 0.0 else '-'}{'xyz'[index]}"
    return f"({axis[0]:.3f}, {axis[1]:.3f}, {axis[2]:.3f})"
