"""Rotation of the knee in stance against standing: the nearly straight, loaded knee turns little about its long axis.

A wand or knee marker that was moved after the static trial turns the thigh's axes, and with them the knee's rotation.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping

import numpy as np

from pipeline.conventions import SIDES
from pipeline.signals import finite_median
from pipeline.trial import Finding, Kinematics

MAX_CHANGE = 8.0
"""Degrees: -4 to 4 on eight knees of four people; the tibia turns by 3.6 (SD 1.1) in the stance of walking (eight
people by radiography, Kefala et al. 2017, Med Sci Sports Exerc 49, 2260-2267)."""

_LOADED = (0.15, 0.75)
"""Fractions of the stance between which the knee is loaded and nearly straight."""

_TRANSVERSE = 2


def knee_rotations(kinematics: Kinematics, standing: Mapping[str, np.ndarray]) -> Iterator[Finding]:
    """Knees whose rotation in stance differs from that in `standing`: angles (T, 3) rad by joint."""
    for side in SIDES:
        name = f"{side}_knee"
        if name not in standing or name not in kinematics.angles:
            continue
        loaded = kinematics.angles[name][loaded_frames(kinematics, side)]
        change = float(np.degrees(finite_median(loaded) - finite_median(standing[name]))[_TRANSVERSE])
        if abs(change) > MAX_CHANGE:
            yield Finding(
                subject=f"{side} knee",
                text=f"rotated {abs(change):.0f} degrees farther {'inwards' if change > 0.0 else 'outwards'} in stance "
                f"than in {kinematics.calibration.static}",
                value=change,
                limit=math.copysign(MAX_CHANGE, change),
                units="degrees",
                source="eight knees of four people, and radiography (Kefala et al. 2017)",
                cause="because a wand or marker of thigh, knee or ankle was moved after the static trial",
                remedy="compare their positions in both trials: knee and hip rotation depend on them",
                angle_error=abs(change),
                angle_of=f"{side} knee rotation",
            )


def loaded_frames(kinematics: Kinematics, side: str) -> np.ndarray:
    """Frames (T,) in the middle of the side's stances within its cycles or, without a cycle, of those on plates."""
    frames = np.zeros(len(kinematics.time), dtype=bool)
    within = [(cycle.initial_contact, cycle.foot_off) for cycle in kinematics.cycles if cycle.side == side]
    for landing, leaving in within or [(s.onset, s.end) for s in kinematics.stances if s.side == side]:
        begin, stop = (landing + part * (leaving - landing) for part in _LOADED)
        frames |= (kinematics.time >= begin) & (kinematics.time <= stop)
    return frames
