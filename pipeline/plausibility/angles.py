"""Joint angles beyond what joints do, and gait scores beyond what walkers show."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES
from pipeline.trial import Finding, GaitSummary, Kinematics

PLANES = ("flexion", "adduction", "rotation")

WARN: dict[str, tuple[tuple[float, float], ...]] = {
    "pelvis": ((-35.0, 60.0), (-35.0, 35.0), (-60.0, 60.0)),
    "hip": ((-45.0, 95.0), (-45.0, 40.0), (-60.0, 60.0)),
    "knee": ((-25.0, 115.0), (-30.0, 30.0), (-60.0, 60.0)),
    "ankle": ((-65.0, 45.0), (-45.0, 45.0), (-60.0, 60.0)),
}
"""Degrees, lowest and highest of each plane: passive range of motion of adults (Roaas and Andersson 1982, Acta Orthop
Scand 53, 205-208: hip 9 extension to 120 flexion, 39 abduction to 31 adduction, rotation 34 outward to 33 inward; knee
2 to 144; ankle 40 plantarflexion to 15 dorsiflexion, eversion and inversion 28), with room for deformities: 25 degrees
of recurvatum or equinus, rotations by 27. Segments and wands of knee varus, knee and ankle rotation have no such table:
twice the largest offset of wands on measured walks."""

REFUSE_BEYOND = 30.0
"""Degrees beyond `WARN` where no joint can be."""

ROAAS = "passive range of motion (Roaas and Andersson 1982) with room for deformity"

MAX_SCORE, IMPOSSIBLE_SCORE = 30.0, 45.0
"""Degrees of the Gait Profile Score: a median of 16 in children of GMFCS level III, 95th percentile below 30 (Baker et
al. 2009, Gait Posture 30, 265-269, extrapolated)."""


def joint_ranges(kinematics: Kinematics) -> Iterator[Finding]:
    """Angles outside `WARN` in more than a fiftieth of the frames of the cycles, or of all frames without a cycle."""
    frames = _frames_of_cycles(kinematics)
    for name, angles in kinematics.angles.items():
        joint = name.rpartition("_")[2]
        if joint not in WARN:
            continue
        for plane, (low, high), values in zip(PLANES, WARN[joint], np.degrees(angles[frames]).T, strict=True):
            seen = values[np.isfinite(values)]
            if not len(seen):
                continue
            lowest, highest = np.percentile(seen, [2.0, 98.0])
            beyond, value, limit = max((low - lowest, lowest, low), (highest - high, highest, high))
            if beyond <= 0.0:
                continue
            yield Finding(
                grade="refusal" if beyond > REFUSE_BEYOND else "warning",
                subject=name.replace("_", " "),
                text=f"{plane} reaches {value:.0f} degrees",
                value=float(value),
                limit=limit,
                units="degrees",
                source=ROAAS,
                cause="from labels on the wrong markers, a moved marker or a wrong rotation offset",
                remedy="check the labelling of its markers over the whole walk",
            )


def gait_scores(summary: GaitSummary) -> Iterator[Finding]:
    """Gait Profile Scores beyond what walkers show."""
    for side, score in zip(summary.side_names, summary.gps, strict=True):
        if score > MAX_SCORE:
            profile = summary.profile[summary.side_names.index(side)]
            worst = list(CYCLE_VARIABLES)[int(np.nanargmax(profile))].replace("_", " ")
            yield Finding(
                grade="refusal" if score > IMPOSSIBLE_SCORE else "warning",
                subject=f"Gait Profile Score, {side}",
                text=f"{score:.0f} degrees, most of it from {worst} ({np.nanmax(profile):.0f})",
                value=float(score),
                limit=MAX_SCORE,
                units="degrees",
                source="Baker et al. 2009",
                cause="from wrong labels, subject values or events rather than from the gait",
                remedy="check the findings below and the labelling",
            )


def _frames_of_cycles(kinematics: Kinematics) -> np.ndarray:
    """Frames (T,) within gait cycles; all where there is none."""
    within = np.zeros(len(kinematics.time), dtype=bool)
    for cycle in kinematics.cycles:
        within |= (kinematics.time >= cycle.initial_contact) & (kinematics.time <= cycle.next_initial_contact)
    return within if within.any() else ~within
