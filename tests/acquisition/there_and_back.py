"""A recording of a walk there and back across the demo's plates."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.math3d import Wrench, rotation_about
from pipeline.synthetic import ANALOG_RATE, RATE, AnalogData, DemoTruth, write_c3d

TURN = 100
"""Frames in which the subject turns round."""


def write_there_and_back(path: Path, there: DemoTruth, back: DemoTruth) -> None:
    """One recording of two walks, between which the subject turns about the vertical."""
    names = list(there.markers_G)
    ways = [np.stack([way.markers_G[name] for name in names], axis=1) @ way.R_LG.T for way in (there, back)]
    (last, first), up = (ways[0][-1], ways[1][0]), np.array([0.0, 0.0, 1.0])
    turning = []
    for share in np.linspace(0.0, 1.0, TURN + 2)[1:-1]:
        of_last = rotation_about(up, np.pi * share) @ (last - last.mean(axis=0)).T
        of_first = rotation_about(up, np.pi * (share - 1.0)) @ (first - first.mean(axis=0)).T
        centre = (1.0 - share) * last.mean(axis=0) + share * first.mean(axis=0)
        turning.append(((1.0 - share) * of_last + share * of_first).T + centre)
    samples = TURN * round(ANALOG_RATE / RATE)
    loads = []
    for one, other in zip(there.plate_loads_G, back.plate_loads_G, strict=True):
        a, b = one.rotated(there.R_LG), other.rotated(back.R_LG)
        none = np.zeros((samples, 3))
        loads.append(
            Wrench(
                np.concatenate([a.force_G, none, b.force_G]),
                np.concatenate([a.moment_G, none, b.moment_G]),
                np.concatenate([a.point_G, none, b.point_G]),
            )
        )
    begin = (len(there.time) + TURN) / RATE
    write_c3d(
        path,
        marker_names=names,
        markers_L=np.concatenate([ways[0], turning, ways[1]]),
        rate=RATE,
        analog=AnalogData(ANALOG_RATE, there.plates, loads),
        events=(*there.events, *(replace(event, time=event.time + begin) for event in back.events)),
        parameters={"PROCESSING": there.subject.parameters()},
        screen_axes=("+Y", "+Z"),
        first_frame=41,
    )
