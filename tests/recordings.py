"""Recordings of given markers, to which a test adds what it is about, and recordings and walks with some changes."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from pipeline.math3d import Wrench, rotation_about
from pipeline.trial import GroundFromMotion, InverseDynamics, Kinematics, RawTrial, WholeBody


def recording_of(markers: Mapping[str, np.ndarray], name: str = "trial", rate: float = 100.0, **given: Any) -> RawTrial:
    """A recording of markers (T, 3) m, with the given fields; without them it has no plates, channels or events."""
    frames = len(next(iter(markers.values()), np.zeros(5)))
    bare: dict[str, Any] = {
        "sha256": "",
        "first_frame": 1,
        "analog_rate": 0.0,
        "analog_names": (),
        "analog_units": (),
        "analog_plate": np.zeros(0, dtype=int),
        "analog_time": np.zeros(0),
        "analog": np.zeros((0, 0)),
        "R_GL": np.eye(3),
        "plates": (),
        "events": (),
        "parameters": {},
        "model_outputs": {},
        "notes": (),
    }
    return RawTrial(
        name=name,
        file_name=f"{name}.c3d",
        rate=rate,
        marker_names=tuple(markers),
        time=np.arange(frames) / rate,
        markers_G=np.stack(list(markers.values()), axis=1) if markers else np.zeros((frames, 0, 3)),
        **bare | given,
    )


def with_markers(trial: RawTrial, **columns: np.ndarray) -> RawTrial:
    """The recording with some markers' positions (T, 3) replaced, and markers added that it lacks."""
    new = tuple(name for name in columns if name not in trial.marker_names)
    names, unseen = trial.marker_names + new, np.full((len(trial.time), len(new), 3), np.nan)
    markers = np.append(trial.markers_G, unseen, axis=1)
    for name, positions in columns.items():
        markers[:, names.index(name)] = positions
    return replace(trial, marker_names=names, markers_G=markers)


def only_markers(trial: RawTrial, wanted: Container[str]) -> RawTrial:
    """The recording with some markers only."""
    kept = [k for k, name in enumerate(trial.marker_names) if name in wanted]
    return replace(trial, marker_names=tuple(trial.marker_names[k] for k in kept), markers_G=trial.markers_G[:, kept])


def without_markers(trial: RawTrial, *endings: str) -> RawTrial:
    """The recording without the markers whose labels end so."""
    return only_markers(trial, [name for name in trial.marker_names if not name.endswith(endings)])


W = TypeVar("W", RawTrial, Kinematics)


def with_marker(walk: W, name: str, change: Callable[[np.ndarray], Any]) -> W:
    """The recording, or the walk, with the positions (T, 3) of one marker changed."""
    markers, column = walk.markers_G.copy(), walk.marker_names.index(name)
    markers[:, column] = change(markers[:, column])
    return replace(walk, markers_G=markers)


def with_plates(walk: W, change: Callable[[Any], Any], number: int = 0) -> W:
    """The recording, or the walk, with all of its plates changed, or that of a number."""
    return replace(walk, plates=tuple(change(p) if number in (0, p.number) else p for p in walk.plates))


def with_load(walk: W, number: int, change: Callable[[Wrench], Wrench]) -> W:
    """The recording, or the walk, with the load of one plate changed, a wrench about the plate's origin."""
    return with_plates(walk, lambda plate: replace(plate, wrench=change(plate.wrench)), number)


def shifted(metres: Sequence[float]) -> Callable[[Wrench], Wrench]:
    """Loads about a point that is displaced in G."""
    return lambda wrench: replace(wrench, point_G=wrench.point_G + np.asarray(metres))


def scaled(factors: Sequence[float]) -> Callable[[Wrench], Wrench]:
    """Forces times a factor along each axis of G."""
    return lambda wrench: replace(wrench, force_G=wrench.force_G * np.asarray(factors))


def turned(angle: float) -> Callable[[Wrench], Wrench]:
    """Loads turned to the left by an angle in rad about the vertical through their point."""
    R = rotation_about(np.array([0.0, 1.0, 0.0]), angle)
    return lambda wrench: Wrench(wrench.force_G @ R.T, wrench.moment_G @ R.T, wrench.point_G)


def late(samples: int) -> Callable[[Wrench], Wrench]:
    """Loads that come some samples later."""
    return lambda w: Wrench(np.roll(w.force_G, samples, axis=0), np.roll(w.moment_G, samples, axis=0), w.point_G)


def with_cop(walk: Kinematics, change: Callable[[np.ndarray], np.ndarray], number: int = 0) -> Kinematics:
    """The walk with the centre of pressure (T, 3) of all plates changed, or of one."""
    return with_plates(walk, lambda plate: replace(plate, cop_G=change(plate.cop_G)), number)


def with_values(walk: Kinematics, **values: float) -> Kinematics:
    """The walk with values of its subject replaced."""
    return replace(walk, calibration=replace(walk.calibration, values={**walk.calibration.values, **values}))


L = TypeVar("L", InverseDynamics, WholeBody, GroundFromMotion)


def with_ground(loads: L, change: Callable[[Wrench], Wrench]) -> L:
    """The loads with the ground reactions of both feet changed."""
    return replace(loads, ground={side: change(wrench) for side, wrench in loads.ground.items()})
