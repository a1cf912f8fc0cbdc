"""The demo's walk on a treadmill with a belt under either foot: consistent recordings of any length."""

from __future__ import annotations

import numpy as np

from pipeline.conventions import SIDES
from pipeline.math3d import Wrench
from pipeline.skeleton import point_motion
from pipeline.synthetic import BalancedWalk, Contact, DemoSubject, Gait, balanced
from pipeline.trial import ForcePlate, RawTrial

ANALOG_RATE = 1000.0
NOISE = 0.0006
"""m, standard deviation along each axis."""


def treadmill(seconds: float, rate: float, gait: Gait | None = None) -> RawTrial:
    """A recording of the demo's subject in steady walking, by default the demo's, in axes that move with the walk."""
    design = balanced(gait or Gait(), DemoSubject(), Contact())
    subject = design.subject
    time, analog_time = (np.arange(round(seconds * f)) / f for f in (rate, ANALOG_RATE))
    carriers, places = zip(*subject.markers.values(), strict=True)
    q = design.motion(time)
    q[:, 0] -= design.gait.speed * time
    markers = point_motion(subject.skeleton, list(carriers), np.array(places), q).position_G
    plates = []
    for number, side in enumerate(SIDES, start=1):
        corners = np.array([[1.0, 0.0, 0.5 * z] for z in (-1, 1)] + [[-1.0, 0.0, 0.5 * z] for z in (1, -1)])
        plates.append(ForcePlate(number, 2, corners, _load(design, side, analog_time)))
    return RawTrial(
        name="treadmill",
        file_name="treadmill.c3d",
        sha256="treadmill",
        first_frame=1,
        rate=rate,
        analog_rate=ANALOG_RATE,
        marker_names=tuple(subject.markers),
        analog_names=(),
        analog_units=(),
        analog_plate=np.zeros(0, dtype=int),
        time=time,
        analog_time=analog_time,
        markers_G=markers + NOISE * np.random.default_rng(0).standard_normal(markers.shape),
        analog=np.zeros((len(analog_time), 0)),
        R_GL=np.eye(3),
        plates=tuple(plates),
        events=(),
        parameters=subject.parameters(),
        model_outputs={},
        notes=(),
    )


def _load(design: BalancedWalk, side: str, time: np.ndarray) -> Wrench:
    """Load (T, 3) of a foot's steps about the middle of its belt."""
    gait = design.gait
    force, moment = np.zeros((len(time), 3)), np.zeros((len(time), 3))
    first = 0.0 if side == "right" else 0.5 * gait.cycle
    for contact in np.arange(first - gait.cycle, time[-1], gait.cycle):
        frames = (time >= contact) & (time <= contact + gait.cycle * gait.stance / 100)
        own = design.on_foot(side, contact, time[frames])
        point = own.point_G - np.outer(gait.speed * time[frames], [1.0, 0.0, 0.0])
        force[frames] = own.force_G
        moment[frames] = own.moment_G + np.cross(point, own.force_G)
    return Wrench(force, moment, np.zeros(3))
