"""Joint moments and powers beyond those of walking."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis import flight_time
from pipeline.signals import step_frames
from pipeline.trial import Finding, InverseDynamics, Kinematics

MAX_MOMENT: dict[str, tuple[float, float, float]] = {
    "hip": (1.6, 0.8, 3.0),
    "knee": (1.5, 0.8, 2.4),
    "ankle": (0.8, 0.8, 3.0),
}
"""Nm/kg about the distal segment's axes x, y, z (frontal, transverse, sagittal): 1.5 to 2.3 times the largest mean plus
standard deviation of 83 children and 20 adults at five speeds each (Schwartz et al. 2008, J Biomech 41, 1639-1650; Bovi
et al. 2011, Gait Posture 33, 6-13): 2.0, 1.1 and 1.6 in the sagittal plane of hip, knee and ankle, 1.0 and 0.6 in the
frontal plane of hip and knee. Neither gives transverse moments or the ankle's frontal one; they are smaller."""

MAX_POWER = {"hip": 6.0, "knee": 8.0, "ankle": 8.0}
"""W/kg: 1.3 to 1.9 times the largest in those samples (3.4, 4.1 and 6.1)."""

IMPOSSIBLE = 2.0
"""Multiple of the limit that no walk reaches."""

RUNNING = 2.5
"""Multiple of the limits in running, a margin without a table behind it: ground reactions are two to three times those
of walking, so moments and powers of a run should not be refused as if it were a walk."""

SOURCE = "1.3 to 2.3 times those of walkers at all speeds (Schwartz et al. 2008, Bovi et al. 2011)"
AXES = ("frontal", "transverse", "sagittal")


def joint_loads(kinematics: Kinematics, loads: InverseDynamics) -> Iterator[Finding]:
    """Moments and powers beyond the limits in the frames of clean stances; at most one finding for each joint."""
    runs = flight_time(kinematics.events) > 0.0
    scale = RUNNING if runs else 1.0
    for name, load in loads.joints.items():
        side, _, joint = name.partition("_")
        frames = step_frames(side, kinematics.stances, kinematics.time)
        if joint not in MAX_MOMENT or not frames.any():
            continue
        moments = np.abs(load.moment_distal[frames]) / loads.mass
        power = np.abs(load.power[frames]) / loads.mass
        found = [
            (f"{plane} moment", _peak(values), scale * limit, "Nm/kg")
            for plane, values, limit in zip(AXES, moments.T, MAX_MOMENT[joint], strict=True)
        ]
        found.append(("power", _peak(power), scale * MAX_POWER[joint], "W/kg"))
        what, value, limit, units = max(found, key=lambda one: one[1] / one[2])
        if value > limit:
            yield Finding(
                grade="refusal" if value > IMPOSSIBLE * limit else "warning",
                subject=name.replace("_", " "),
                text=f"{what} reaches {value:.1f} {units}",
                value=value,
                limit=limit,
                units=units,
                source=f"{RUNNING:g} times the limits of walking" if runs else SOURCE,
                cause="from wrong channels, corners or foot assignment of a plate, or a wrong joint centre"
                + ("" if runs else ", unless the subject runs"),
                remedy="check the plate's settings and the labels of the leg",
            )


def _peak(values: np.ndarray) -> float:
    return float(np.max(values, where=np.isfinite(values), initial=0.0))
