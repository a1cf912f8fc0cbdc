"""Joint angles beyond the range of joints, and gait scores beyond those of walkers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.plausibility.orientation import faces_away, turns_round
from pipeline.trial import Finding, GaitSummary, Kinematics

PLANES = ("flexion", "adduction", "rotation")

WARN: dict[str, tuple[tuple[float, float], ...]] = {
    "pelvis": ((-35.0, 60.0), (-35.0, 35.0), (-60.0, 60.0)),
    "hip": ((-45.0, 95.0), (-45.0, 40.0), (-60.0, 60.0)),
    "knee": ((-25.0, 115.0), (-30.0, 30.0), (-60.0, 60.0)),
    "ankle": ((-65.0, 45.0), (-45.0, 45.0), (-60.0, 60.0)),
}
"""Degrees, minimum and maximum in each plane. Sagittal: mean passive range of the most mobile group among 674 healthy
people (Soucie et al. 2011, Haemophilia 17, 500-507; tables at archive.cdc.gov/www_cdc_gov/ncbddd/jointrom: hip 28
extension, 141 flexion; knee 5 hyperextension, 153 flexion; ankle 25 dorsiflexion); the limits are 17 to 20 degrees
beyond it in extension and dorsiflexion, and within it in flexion. Hip rotation: 38 outward and 30 inward in 120 adults
(Kouyoumdjian et al. 2012, Orthop Traumatol Surg Res 98, 17-23); the limits are 22 and 30 beyond it. Others: 12 and more
beyond mean plus standard deviation of walkers (Schwartz et al. 2008, `config/norms`; Bovi et al. 2011, Gait Posture 33,
6-13)."""

REFUSE_BEYOND = 30.0
"""Degrees beyond `WARN` that no joint can reach."""

SOURCE = "passive ranges (Soucie et al. 2011, Kouyoumdjian et al. 2012) or walkers (Schwartz et al. 2008), plus margin"

_LOADED = (0.15, 0.75)
"""Fractions of the stance between which the knee is loaded and nearly straight."""

MAX_SCORE, IMPOSSIBLE_SCORE = 30.0, 45.0
"""Degrees of the Gait Profile Score. Its median rises by 1.6 degrees from each of the ten levels of the Functional
Assessment Questionnaire to the next lower one (Baker et al. 2012, Gait Posture 35, 612-615), from 5.5 in typical gait
(`config/norms`) to 20 for a child who takes steps only with help. The limits are one and a half times that and more
than twice that."""


def joint_ranges(kinematics: Kinematics) -> Iterator[Finding]:
    """Angles outside `WARN` in more than 2 % of the frames of the cycles, or of all frames if there is no cycle.

    Pelvic rotation is not checked if the subject turns round or walks backwards; `orientation` reports that.
    """
    frames, turned = frames_of_cycles(kinematics), faces_away(kinematics) or bool(turns_round(kinematics))
    for name, angles in kinematics.angles.items():
        joint = name.rpartition("_")[2]
        if joint not in WARN:
            continue
        for plane, (low, high), values in zip(PLANES, WARN[joint], np.degrees(angles[frames]).T, strict=True):
            seen = values[np.isfinite(values)]
            if not len(seen) or (turned and (joint, plane) == ("pelvis", "rotation")):
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
                source=SOURCE,
                cause="from labels on the wrong markers, a moved marker or a wrong rotation offset",
                remedy="check the labelling of its markers over the whole walk",
            )


def gait_scores(summary: GaitSummary) -> Iterator[Finding]:
    """Gait Profile Scores beyond those of walkers."""
    for side, score in summary.gps.items():
        if score > MAX_SCORE:
            known = {name: value for name, value in summary.profile[side].items() if np.isfinite(value)}
            worst = max(known, key=lambda name: known[name])
            yield Finding(
                grade="refusal" if score > IMPOSSIBLE_SCORE else "warning",
                subject=f"Gait Profile Score, {side}",
                text=f"{score:.0f} degrees, most of it from {worst.replace('_', ' ')} ({known[worst]:.0f})",
                value=score,
                limit=MAX_SCORE,
                units="degrees",
                source="one and a half times the median of the lowest level of walking (Baker et al. 2012)",
                cause="from wrong labels, subject values or events rather than from the gait",
                remedy="check the findings below and the labelling",
            )


def frames_of_cycles(kinematics: Kinematics) -> np.ndarray:
    """Frames (T,) within gait cycles; all frames if there is no cycle."""
    within = np.zeros(len(kinematics.time), dtype=bool)
    for cycle in kinematics.cycles:
        within |= (kinematics.time >= cycle.initial_contact) & (kinematics.time <= cycle.next_initial_contact)
    return within if within.any() else ~within


def loaded_frames(kinematics: Kinematics, side: str) -> np.ndarray:
    """Frames (T,) in the middle of the side's stances within its cycles or, without a cycle, of those on plates."""
    frames = np.zeros(len(kinematics.time), dtype=bool)
    within = [(cycle.initial_contact, cycle.foot_off) for cycle in kinematics.cycles if cycle.side == side]
    for landing, leaving in within or [(s.onset, s.end) for s in kinematics.stances if s.side == side]:
        begin, stop = (landing + part * (leaving - landing) for part in _LOADED)
        frames |= (kinematics.time >= begin) & (kinematics.time <= stop)
    return frames
