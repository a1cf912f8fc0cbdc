"""Faults of a recording session, planted in memory in a walk, its static trial or the subject's values.

A fault has a magnitude; 1 is the size that occurs in laboratories. Signs and directions are those of G.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from pipeline.math3d import Wrench, unit
from pipeline.trial import ForcePlate, RawTrial
from tests.recordings import with_markers


@dataclass(frozen=True)
class Recordings:
    """Input of a walk: recordings, the walk's file, and ``values`` instead of subjects.tsv, in SI."""

    walk: RawTrial
    static: RawTrial
    file: Path
    values: dict[str, float] = field(default_factory=dict)


TRANSDUCER_DEPTH = 0.04
"""m, of a plate's transducers below its surface."""

Fault = Callable[[Recordings, float], Recordings]
"""The recordings with a fault of a magnitude."""

Pairs = Callable[[Sequence[str]], Sequence[tuple[str, str]]]
"""The labels to exchange, from those of a recording."""


def pair(a: str, b: str) -> Pairs:
    """Two labels."""
    return lambda _: ((a, b),)


def sides(names: Sequence[str]) -> Sequence[tuple[str, str]]:
    """All labels of left and right."""
    return [(name, f"R{name[1:]}") for name in names if name[0] == "L" and f"R{name[1:]}" in names]


def legs(names: Sequence[str]) -> Sequence[tuple[str, str]]:
    """Left and right labels of the legs."""
    return [(a, b) for a, b in sides(names) if a[1:] in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")]


def frozen(name: str, seconds: float) -> Fault:
    """A marker that keeps its position for a time from the middle of the walk onwards."""

    def plant(given: Recordings, scale: float) -> Recordings:
        walk = given.walk
        track = walk.marker(name).copy()
        count = min(len(track), round(scale * seconds * walk.rate))
        start = max(0, min(round(0.45 * len(track)), len(track) - count))
        track[start : start + count] = track[start]
        return replace(given, walk=with_markers(walk, **{name: track}))

    return plant


def exchanged(pairs: Pairs, part: float, *, events: bool = True) -> Fault:
    """Labels exchanged over a part of the middle of the walk, with or without the file's events."""

    def plant(given: Recordings, scale: float) -> Recordings:
        walk = given.walk
        columns = {}
        count = round(min(1.0, part * scale) * len(walk.time))
        frames = slice((len(walk.time) - count) // 2, (len(walk.time) - count) // 2 + count)
        for a, b in pairs(walk.marker_names):
            columns[a], columns[b] = walk.marker(a).copy(), walk.marker(b).copy()
            columns[a][frames], columns[b][frames] = walk.marker(b)[frames], walk.marker(a)[frames]
        walk = with_markers(walk, **columns)
        return replace(given, walk=walk if events else replace(walk, events=()))

    return plant


def both_exchanged(given: Recordings, scale: float) -> Recordings:
    """All labels of left and right exchanged in static trial and walk."""
    walk = exchanged(sides, 1.0)(given, scale).walk
    return replace(given, walk=walk, static=exchanged(sides, 1.0)(replace(given, walk=given.static), scale).walk)


def moved(name: str, shift: tuple[float, float, float]) -> Fault:
    """A marker that was attached elsewhere after the static trial, by a vector (m) in a segment of the leg."""

    def plant(given: Recordings, scale: float) -> Recordings:
        walk, side = given.walk, name[0]
        up = unit(walk.marker(f"{side}KNE") - walk.marker(f"{side}ANK"))
        lateral = unit(np.cross(unit(walk.marker(f"{side}TOE") - walk.marker(f"{side}HEE")), up))
        lateral *= -1.0 if side == "L" else 1.0
        forward = np.cross(up, lateral) * (-1.0 if side == "L" else 1.0)
        axes = np.stack([forward, up, lateral], axis=2)
        return replace(given, walk=with_markers(walk, **{name: walk.marker(name) + scale * axes @ np.array(shift)}))

    return plant


def with_plates(given: Recordings, change: Callable[[ForcePlate], ForcePlate]) -> Recordings:
    """The recordings with each plate of the walk changed."""
    return replace(given, walk=replace(given.walk, plates=tuple(map(change, given.walk.plates))))


def channel(axis: int, factor: float) -> Fault:
    """One force channel of every plate multiplied by a factor, in the plate's axes, at its transducer."""

    def plant(given: Recordings, scale: float) -> Recordings:
        def change(plate: ForcePlate) -> ForcePlate:
            corners = plate.corners_G
            x, y = unit(corners[0] - corners[1]), unit(corners[0] - corners[3])
            R = np.column_stack([x, y, np.cross(x, y)])
            at = plate.wrench.about(corners.mean(axis=0) - np.array([0.0, TRANSDUCER_DEPTH, 0.0]))
            force = at.force_G @ R
            force[:, axis] *= factor if factor < 0.0 else 1.0 + scale * (factor - 1.0)
            return replace(plate, wrench=Wrench(force @ R.T, at.moment_G, at.point_G).about(plate.wrench.point_G))

        return with_plates(given, change)

    return plant


def delayed(seconds: float) -> Fault:
    """Plates delayed relative to the markers by a time; early if it is negative."""

    def plant(given: Recordings, scale: float) -> Recordings:
        count = round(scale * seconds * given.walk.analog_rate)

        def change(plate: ForcePlate) -> ForcePlate:
            force, moment = (np.roll(part, count, axis=0) for part in (plate.wrench.force_G, plate.wrench.moment_G))
            return replace(plate, wrench=Wrench(force, moment, plate.wrench.point_G))

        return with_plates(given, change)

    return plant


def moved_plate(plate: ForcePlate, by: np.ndarray) -> ForcePlate:
    """The plate with its load at a place that is off by a vector (3,), m, in G."""
    wrench = replace(plate.wrench, point_G=plate.wrench.point_G + by)
    return replace(plate, corners_G=plate.corners_G + by, wrench=wrench)


def shifted_plates(shift: tuple[float, float, float]) -> Fault:
    """Corners of all plates off by a vector (m) in G."""

    def plant(given: Recordings, scale: float) -> Recordings:
        return with_plates(given, lambda plate: moved_plate(plate, scale * np.array(shift)))

    return plant


def parameter(name: str, factor: float = 1.0, add: float = 0.0) -> Fault:
    """A subject value of both files times a factor, or plus an addend in its unit; {S} is each side."""

    def plant(given: Recordings, scale: float) -> Recordings:
        def change(trial: RawTrial) -> RawTrial:
            names = {name.replace("{S}", side) for side in "LR"}
            own = {
                key: (1.0 + scale * (factor - 1.0)) * value + scale * add
                if key in names and (value or key.endswith("Rotation"))
                else value
                for key, value in trial.parameters.items()
            }
            return replace(trial, parameters=own)

        return replace(given, walk=change(given.walk), static=change(given.static))

    return plant


def shifted_events(seconds: float) -> Fault:
    """All events of the file later by a time."""

    def plant(given: Recordings, scale: float) -> Recordings:
        events = tuple(replace(event, time=event.time + scale * seconds) for event in given.walk.events)
        return replace(given, walk=replace(given.walk, events=events))

    return plant


def every_second_missing(given: Recordings, scale: float) -> Recordings:
    """Every second frame without markers."""
    markers = given.walk.markers_G.copy()
    markers[1::2] = np.nan
    return replace(given, walk=replace(given.walk, markers_G=markers))


def rate(factor: float) -> Fault:
    """The file states a wrong rate for both markers and plates."""

    def plant(given: Recordings, scale: float) -> Recordings:
        by = factor**scale
        walk = given.walk
        events = tuple(replace(event, time=event.time / by) for event in walk.events)
        changed = {"rate": by * walk.rate, "analog_rate": by * walk.analog_rate, "events": events}
        return replace(given, walk=replace(walk, time=walk.time / by, analog_time=walk.analog_time / by, **changed))

    return plant


def other_person(given: Recordings, scale: float) -> Recordings:
    """The static trial of a person who is 8 % larger and a fifth heavier."""
    static = given.static
    own = {
        key: value * (1.0 + 0.2 * scale if key == "Bodymass" else 1.0 + 0.08 * scale)
        if key.endswith(("mass", "Length", "Width", "Height"))
        else value
        for key, value in static.parameters.items()
    }
    return replace(given, static=replace(static, markers_G=(1.0 + 0.08 * scale) * static.markers_G, parameters=own))


FAULTS: dict[str, Fault] = {
    "LKNE frozen, 5 frames": frozen("LKNE", 0.05),
    "LKNE frozen, 0.5 s": frozen("LKNE", 0.5),
    "LKNE frozen, whole": frozen("LKNE", 1e3),
    "LTOE frozen, 0.5 s": frozen("LTOE", 0.5),
    "LASI frozen, 0.5 s": frozen("LASI", 0.5),
    "LANK-RANK exchanged, part": exchanged(pair("LANK", "RANK"), 0.3),
    "LANK-RANK exchanged, whole": exchanged(pair("LANK", "RANK"), 1.0),
    "LKNE-RKNE exchanged, part": exchanged(pair("LKNE", "RKNE"), 0.3),
    "LKNE-RKNE exchanged, whole": exchanged(pair("LKNE", "RKNE"), 1.0),
    "RHEE-RTOE exchanged, part": exchanged(pair("RHEE", "RTOE"), 0.3),
    "RHEE-RTOE exchanged, whole": exchanged(pair("RHEE", "RTOE"), 1.0),
    "LHEE-RHEE exchanged, whole": exchanged(pair("LHEE", "RHEE"), 1.0),
    "LTHI-LTIB exchanged, whole": exchanged(pair("LTHI", "LTIB"), 1.0),
    "sides exchanged, part": exchanged(sides, 0.3),
    "sides exchanged, whole": exchanged(sides, 1.0),
    "sides exchanged, whole, no events": exchanged(sides, 1.0, events=False),
    "legs exchanged, pelvis not": exchanged(legs, 1.0),
    "legs exchanged, pelvis not, no events": exchanged(legs, 1.0, events=False),
    "sides exchanged, static too": both_exchanged,
    "LKNE moved forward 20 mm": moved("LKNE", (0.02, 0.0, 0.0)),
    "LKNE moved back 20 mm": moved("LKNE", (-0.02, 0.0, 0.0)),
    "LKNE moved up 20 mm": moved("LKNE", (0.0, 0.02, 0.0)),
    "LTHI moved forward 20 mm": moved("LTHI", (0.02, 0.0, 0.0)),
    "LTHI moved back 20 mm": moved("LTHI", (-0.02, 0.0, 0.0)),
    "LANK moved forward 20 mm": moved("LANK", (0.02, 0.0, 0.0)),
    "LTOE moved up 20 mm": moved("LTOE", (0.0, 0.02, 0.0)),
    "LASI moved forward 20 mm": moved("LASI", (0.02, 0.0, 0.0)),
    "channel Fx reversed": channel(0, -1.0),
    "channel Fy reversed": channel(1, -1.0),
    "channel Fz reversed": channel(2, -1.0),
    "channel Fx -20 %": channel(0, 0.8),
    "channel Fy -20 %": channel(1, 0.8),
    "channel Fz -20 %": channel(2, 0.8),
    "channel Fz +20 %": channel(2, 1.2),
    "plates 20 ms late": delayed(0.02),
    "plates 20 ms early": delayed(-0.02),
    "plates shifted forward 30 mm": shifted_plates((0.03, 0.0, 0.0)),
    "plates shifted backward 30 mm": shifted_plates((-0.03, 0.0, 0.0)),
    "plates shifted mediolaterally 30 mm": shifted_plates((0.0, 0.0, 0.03)),
    "plates raised 50 mm": shifted_plates((0.0, 0.05, 0.0)),
    "plates lowered 50 mm": shifted_plates((0.0, -0.05, 0.0)),
    "body mass +10 %": parameter("Bodymass", 1.1),
    "body mass -10 %": parameter("Bodymass", 0.9),
    "knee width +20 mm": parameter("{S}KneeWidth", add=20.0),
    "knee width -20 mm": parameter("{S}KneeWidth", add=-20.0),
    "leg length +50 mm": parameter("{S}LegLength", add=50.0),
    "leg length -50 mm": parameter("{S}LegLength", add=-50.0),
    "thigh rotation +15 degrees": parameter("{S}ThighRotation", add=float(np.radians(15.0))),
    "file events 50 ms late": shifted_events(0.05),
    "file events 150 ms late": shifted_events(0.15),
    "every second frame missing": every_second_missing,
    "rate doubled": rate(2.0),
    "rate halved": rate(0.5),
    "static of another person": other_person,
}
