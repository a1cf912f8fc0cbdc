"""Body mass that no step on a plate carries: all steps then look like light touches, and there are no kinetics."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.conventions import GRAVITY, Y
from pipeline.plausibility.balance import KEEP_MASS
from pipeline.signals import load_of
from pipeline.trial import Finding, Kinematics

MIN_PEAK = 0.75
"""Fraction of body weight that the strongest step exceeds: 1.0 to 1.3 on the reference walks, above 0.9 in slow
walking. Those who lean on an aid may stay below."""

MIN_TIME = 0.3
"""s; shorter contacts are no steps."""

POUND = 0.45359237
"""kg in a pound."""

_AS_POUNDS = (0.85, 1.6)
"""Peak force over the weight of the mass taken as pounds: range in which the finding suspects pounds."""


def light_steps(kinematics: Kinematics) -> Iterator[Finding]:
    """A finding about the strongest step, if at least two steps begin and end within the walk and all are light."""
    weight = kinematics.calibration.values["mass"] * GRAVITY
    steps = [
        s
        for s in kinematics.stances
        if s.side and s.end - s.onset >= MIN_TIME and s.start > 0 and s.stop < len(kinematics.time)
    ]
    if len(steps) < 2 or not weight > 0.0 or not all(step.rejected for step in steps):
        return
    vertical = [load_of(s, kinematics.plates).wrench.force_G[s.start : s.stop, Y] for s in steps]
    peak = max(float(np.max(force[np.isfinite(force)], initial=0.0)) for force in vertical) / weight
    if peak >= MIN_PEAK:
        return
    pounds = _AS_POUNDS[0] < peak / POUND < _AS_POUNDS[1]
    mass = kinematics.calibration.values["mass"]
    yield Finding(
        subject="body mass",
        text=f"{mass:.1f} kg, but the strongest of {len(steps)} steps exerts {100.0 * peak:.0f} % of its weight, so "
        "none has kinetics",
        value=100.0 * peak,
        limit=100.0 * MIN_PEAK,
        units="%",
        source="reference walks: 100 % and more",
        cause=(
            f"because the mass is in pounds ({mass * POUND:.1f} kg)"
            if pounds
            else "because mass_kg or the scale of the plates' vertical channels is wrong"
        )
        + ", or a walking aid or a body-weight support carries the rest",
        remedy=f"correct mass_kg in subjects.tsv{KEEP_MASS}; for kinetics of the steps, lower min_peak (events in "
        "config.yaml)",
    )
