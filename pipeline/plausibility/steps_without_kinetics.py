"""Steps without kinetics: a body mass that none carries, so that all look like light touches, and loads without a foot.

A contact with a plate on whose surface no foot is, is left out, and with it its kinetics.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.config import EventSettings
from pipeline.conventions import GRAVITY, SIDES, Y
from pipeline.plausibility.balance import KEEP_MASS
from pipeline.signals import Foot, beyond_edges, distance_to_foot, load_of
from pipeline.trial import Finding, Kinematics, PlateLoad, Stance

MIN_PEAK = 0.75
"""Fraction of body weight that the strongest step exceeds: 1.0 to 1.3 on the reference walks, above 0.9 in slow
walking. Those who lean on an aid may stay below."""

MIN_TIME = 0.3
"""s; shorter contacts are no steps."""

MIN_SEEN = 0.8
"""Fraction of a contact in which both feet must be seen: one that is not seen may be on the plate."""

AWAY = EventSettings().foot_distance
"""m from the heel-toe lines of both feet beyond which a centre of pressure is of neither, whatever the study sets."""

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


def loads_without_foot(kinematics: Kinematics) -> Iterator[Finding]:
    """A finding for each plate that bears the load of a whole step while no foot is on its surface.

    A plate on which both feet step or stand is not meant: its load is of neither foot alone, but of both.
    """
    weight = kinematics.calibration.values["mass"] * GRAVITY
    reported: set[int] = set()
    for stance in kinematics.stances:
        is_step = stance.end - stance.onset >= MIN_TIME and stance.start > 0 and stance.stop < len(kinematics.time)
        off_surface = stance.rejection in ("above", "below")
        elsewhere = not stance.side and stance.rejection != "excluded"
        if not (off_surface or elsewhere) or not is_step or stance.plate in reported:
            continue
        load = load_of(stance, kinematics.plates)
        vertical = load.wrench.force_G[stance.start : stance.stop, Y]
        peak = float(np.nanmax(vertical, initial=0.0)) / weight if weight > 0.0 else 0.0
        if peak < MIN_PEAK:
            continue
        if elsewhere and (not _both_feet_seen(kinematics, stance) or _of_both_feet(kinematics, stance, load)):
            continue
        reported.add(stance.plate)
        yield Finding(
            subject=f"plate {stance.plate}",
            text=f"carries {100.0 * peak:.0f} % of body weight from {stance.onset:.2f} to {stance.end:.2f} s, but "
            f"{stance.rejected}, so that this load has no kinetics",
            value=100.0 * peak,
            limit=100.0 * MIN_PEAK,
            units="%",
            source="reference walks: steps exert 100 % and more",
            cause="because the height of its corners is wrong"
            + (", or a step lies on it" if stance.rejection == "above" else "")
            if off_surface
            else "because its corners, origin or channels are wrong, in another order, in another unit or those of "
            "another plate, or someone else stood on it",
            remedy="correct the plate's settings, or exclude the plate (feet in trials.tsv)",
        )


def _both_feet_seen(kinematics: Kinematics, stance: Stance) -> bool:
    points = [kinematics.points.get(f"{side}_{part}") for side in SIDES for part in ("heel", "toe")]
    frames = slice(stance.start, stance.stop)
    return all(p is not None and np.isfinite(p[frames]).all(axis=1).mean() >= MIN_SEEN for p in points)


def _of_both_feet(kinematics: Kinematics, stance: Stance, load: PlateLoad) -> bool:
    """Whether the centre of pressure is mostly at one foot or the other, or both feet are mostly on the plate."""
    frames = slice(stance.start, stance.stop)
    feet = [Foot(*(kinematics.points[f"{side}_{part}"][frames] for part in ("heel", "toe"))) for side in SIDES]
    nearest = np.fmin(*(distance_to_foot(load.cop_G[frames], foot) for foot in feet))
    inside = [beyond_edges(load.corners_G, point) < 0.0 for foot in feet for point in (foot.heel, foot.toe)]
    return bool(np.mean((nearest <= AWAY) | np.all(inside, axis=0)) > 0.5)
