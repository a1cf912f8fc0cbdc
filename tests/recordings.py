"""Recordings of given markers, to which a test adds what it is about, and recordings with some values replaced."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial import RawTrial


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
    """The recording with some markers' positions (T, 3) replaced."""
    markers = trial.markers_G.copy()
    for name, positions in columns.items():
        markers[:, trial.marker_names.index(name)] = positions
    return replace(trial, markers_G=markers)


def with_load(trial: RawTrial, number: int, change: Callable[[Wrench], Wrench]) -> RawTrial:
    """The recording with the load of one plate, a wrench about the plate's origin, changed."""
    plates = tuple(replace(p, wrench=change(p.wrench)) if p.number == number else p for p in trial.plates)
    return replace(trial, plates=plates)
