"""Recordings of dynamically similar bodies: at equal gravity, time goes with the root of length."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pipeline.math3d import Wrench
from pipeline.trial import RawTrial


def similar(trial: RawTrial, length: float, mass: float) -> RawTrial:
    """The recording of a body whose lengths and mass are those of the trial's, times these factors."""
    pace = np.sqrt(length)
    plates = tuple(
        replace(
            p,
            corners_G=length * p.corners_G,
            wrench=Wrench(mass * p.wrench.force_G, mass * length * p.wrench.moment_G, length * p.wrench.point_G),
        )
        for p in trial.plates
    )
    return replace(
        trial,
        rate=trial.rate / pace,
        analog_rate=trial.analog_rate / pace,
        time=trial.time * pace,
        analog_time=trial.analog_time * pace,
        markers_G=length * trial.markers_G,
        plates=plates,
        events=tuple(replace(event, time=pace * event.time) for event in trial.events),
        parameters={},
    )


def similar_values(values: Mapping[str, float], length: float, mass: float) -> dict[str, float]:
    """The subject's values of such a body in Plug-in Gait, with its markers."""
    lengths, angles = ("leg_length", "knee_width", "ankle_width", "height"), ("thigh", "shank_rot", "tibial")
    own = {name: value * length for name, value in values.items() if name.startswith(lengths)}
    own |= {name: value for name, value in values.items() if name.startswith(angles)}
    return own | {"mass": mass * values["mass"], "marker_diameter": 0.014 * length}
