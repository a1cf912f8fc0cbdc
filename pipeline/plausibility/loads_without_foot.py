"""Loads of a step on a plate where neither foot is: such contacts are left out, and with them their kinetics."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.conventions import GRAVITY, SIDES, Y
from pipeline.plausibility.light_steps import MIN_PEAK, MIN_TIME
from pipeline.signals import load_of
from pipeline.trial import Finding, Kinematics, Stance

MIN_SEEN = 0.8
"""Fraction of a contact in which both feet must be seen: one that is not seen may be on the plate."""


def loads_without_foot(kinematics: Kinematics) -> Iterator[Finding]:
    """A finding for each plate that bears the load of a step while both feet are elsewhere."""
    weight = kinematics.calibration.values["mass"] * GRAVITY
    reported: set[int] = set()
    for stance in kinematics.stances:
        long = stance.end - stance.onset >= MIN_TIME
        if stance.side or not long or stance.plate in reported or stance.rejected.startswith("excluded"):
            continue
        vertical = load_of(stance, kinematics.plates).wrench.force_G[stance.start : stance.stop, Y]
        peak = float(np.nanmax(vertical, initial=0.0)) / weight if weight > 0.0 else 0.0
        if peak < MIN_PEAK or not _both_feet_seen(kinematics, stance):
            continue
        reported.add(stance.plate)
        yield Finding(
            grade="warning",
            subject=f"plate {stance.plate}",
            text=f"carries {100.0 * peak:.0f} % of body weight from {stance.onset:.2f} to {stance.end:.2f} s, but "
            f"{stance.rejected}, so that this load has no kinetics",
            value=100.0 * peak,
            limit=100.0 * MIN_PEAK,
            units="%",
            source="reference walks: steps exert 100 % and more",
            cause="because its corners, origin or channels are wrong, in another order, in another unit or those of "
            "another plate, or someone else stood on it",
            remedy="correct the plate's settings, or exclude the plate (feet in trials.tsv)",
        )


def _both_feet_seen(kinematics: Kinematics, stance: Stance) -> bool:
    points = [kinematics.points.get(f"{side}_{part}") for side in SIDES for part in ("heel", "toe")]
    frames = slice(stance.start, stance.stop)
    return all(p is not None and np.isfinite(p[frames]).all(axis=1).mean() >= MIN_SEEN for p in points)
