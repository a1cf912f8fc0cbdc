"""Joint moments and powers beyond those of walking."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.trial import Finding, InverseDynamics, Kinematics

MAX_MOMENT: dict[str, tuple[float, float, float]] = {
    "hip": (1.6, 0.8, 3.0),
    "knee": (1.5, 0.8, 2.4),
    "ankle": (0.8, 0.8, 3.0),
}
"""Nm/kg about the distal segment's axes x, y, z (frontal, transverse, sagittal). The mean curves of Schwartz et al.
(2008, J Biomech 41, 1639-1650, `config/norms`; 83 children, largest of five speeds) have peaks of 1.6, 0.6 and 1.3 in
the sagittal plane of hip, knee and ankle and of 0.6 and 0.3 in the frontal plane of hip and knee; the limits are two
to four times these, for single walks of faster and heavier people. Transverse moments and the ankle's frontal one are
not in it."""

MAX_POWER = {"hip": 6.0, "knee": 8.0, "ankle": 8.0}
"""W/kg: two to three times the peaks of the same curves (2.4, 2.4 and 3.7)."""

IMPOSSIBLE = 2.0
"""Multiple of the limit that no walk has."""

SCHWARTZ = "two to four times the peaks of fast walking (Schwartz et al. 2008)"
AXES = ("frontal", "transverse", "sagittal")


def joint_loads(kinematics: Kinematics, loads: InverseDynamics) -> Iterator[Finding]:
    """Moments and powers beyond the limits in the frames of clean stances; one finding for each joint."""
    for name, load in loads.joints.items():
        side, _, joint = name.partition("_")
        frames = np.zeros(len(kinematics.time), dtype=bool)
        for stance in kinematics.stances:
            if stance.side == side and not stance.rejected:
                frames[stance.start : stance.stop] = True
        if joint not in MAX_MOMENT or not frames.any():
            continue
        moments = np.abs(load.moment_distal[frames]) / loads.mass
        power = np.abs(load.power[frames]) / loads.mass
        found = [
            (f"{plane} moment", _peak(values), limit, "Nm/kg")
            for plane, values, limit in zip(AXES, moments.T, MAX_MOMENT[joint], strict=True)
        ]
        found.append(("power", _peak(power), MAX_POWER[joint], "W/kg"))
        what, value, limit, units = max(found, key=lambda one: one[1] / one[2])
        if value > limit:
            yield Finding(
                grade="refusal" if value > IMPOSSIBLE * limit else "warning",
                subject=name.replace("_", " "),
                text=f"{what} reaches {value:.1f} {units}",
                value=value,
                limit=limit,
                units=units,
                source=SCHWARTZ,
                cause="from a plate's channels, corners or assignment to a foot, or a wrong joint centre, unless the "
                "subject runs",
                remedy="check the plate's settings and the labels of the leg",
            )


def _peak(values: np.ndarray) -> float:
    seen = values[np.isfinite(values)]
    return float(seen.max()) if len(seen) else 0.0
