"""Quality checks of plates and body mass on clean steps: direction of the force, stationary foot, vertical impulse."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pipeline.conventions import GRAVITY_G, X, Y
from pipeline.signals.contact import HORIZONTAL, Foot
from pipeline.trial import Cycle, Note, PlateLoad, Stance

MIN_CORRELATION = 0.6
"""Minimum correlation of the fore-aft force with one that points at the pelvis: 0.92 and more on published walks, below
0.3 where a plate's corners or channels are in a wrong order."""

MAX_FOOT_SPEED, MAX_DURATION = 1.0, 0.035
"""Maximum speed, m/s, of the slower one of heel and toe under load, and s for which it may be exceeded: 0.01 s on
published walks, 0.04 s or more where the plates are 0.05 s late or 0.08 s early."""

MASS_TOLERANCE = {1: 0.25, 2: 0.12}
"""Maximum error, as a part of body mass, of its estimate from steps of one side, or of both: 6 % and 3 % on published
walks; a painful leg carries less than half of it."""


def plate_checks(
    stances: Sequence[Stance],
    loads: Sequence[PlateLoad],
    feet: Mapping[str, Foot],
    pelvis: np.ndarray,
    time: np.ndarray,
) -> Iterator[Note]:
    """Warnings about plates whose clean steps contradict the markers.

    The body passes over the foot, and the ground's force points near its centre: first backwards, then forwards; and
    some part of a loaded foot is stationary.

    Args:
        stances: contacts.
        loads: of all plates.
        feet: by side.
        pelvis: (T, 3) m in G, for the body's centre.
        time: (T,) s.
    """
    rate = 1.0 / (time[1] - time[0])
    for stance in stances:
        if stance.rejected or stance.stop - stance.start < 3:
            continue
        plate = f"plate {stance.plate}"
        load = next(load for load in loads if load.number == stance.plate)
        frames = slice(stance.start, stance.stop)
        correlation = _correlation_with_body(load.wrench.force_G[frames], (pelvis - load.cop_G)[frames])
        if correlation < MIN_CORRELATION:
            text = (
                f"fore-aft force under the {stance.side} foot does not follow the body as it passes over the foot "
                f"(correlation {correlation:.2f}, in walking above 0.9), probably because its corners or channels are "
                "in a wrong order or one channel is dead: check the plate's settings"
            )
            yield Note("warning", plate, text)
        foot = feet[stance.side]
        heel, toe = (np.linalg.norm(np.gradient(p[:, HORIZONTAL], axis=0), axis=1) for p in (foot.heel, foot.toe))
        slides = ((np.fmin(heel, toe) * rate)[frames] > MAX_FOOT_SPEED) & np.isfinite(load.cop_G[frames, X])
        if slides.sum() > max(MAX_DURATION * rate, 2.0):
            text = (
                f"loaded for {slides.sum() / rate:.2f} s (limit {MAX_DURATION:g} s) while the whole {stance.side} foot "
                f"moves faster than {MAX_FOOT_SPEED:g} m/s, probably because plates and markers are not synchronised, "
                "or the foot slides: check the synchronisation"
            )
            yield Note("warning", plate, text)


def _correlation_with_body(force: np.ndarray, arm: np.ndarray) -> float:
    """Correlation of the fore-aft force (T, 3) with that which points along the arm (T, 3); 1 if that is not known."""
    towards = force[:, Y] * arm[:, X] / arm[:, Y]
    both = np.isfinite(towards) & np.isfinite(force[:, X])
    if both.sum() < 3:
        return 1.0
    a, b = (values[both] - values[both].mean() for values in (force[:, X], towards))
    size = np.sqrt((a @ a) * (b @ b))
    return float(a @ b / size) if size > 0.0 else 0.0


def body_mass_check(
    mass: float, cycles: Sequence[Cycle], loads: Sequence[PlateLoad], time: np.ndarray
) -> Iterator[Note]:
    """A warning about a body mass (kg) that the steps on plates contradict.

    The ground's vertical impulse over a stride is body weight times its time; one foot gives about half of it.

    Args:
        mass: kg, that is used.
        cycles: those with a clean step on a plate count.
        loads: of all plates.
        time: (T,) s.
    """
    carried: dict[str, list[float]] = {}
    for cycle in cycles:
        for load in loads:
            if load.number == cycle.plate:
                stance = (time >= cycle.initial_contact) & (time < cycle.foot_off)
                half = 0.5 * (cycle.next_initial_contact - cycle.initial_contact)
                mean = np.nansum(load.wrench.force_G[stance, Y]) * (time[1] - time[0]) / half
                carried.setdefault(cycle.side, []).append(float(mean) / -GRAVITY_G[Y])
    if not carried:
        return
    found = float(np.mean([np.mean(side) for side in carried.values()]))
    tolerance = MASS_TOLERANCE[len(carried)]
    if abs(found / mass - 1.0) > tolerance:
        text = (
            f"{mass:.1f} kg, but the steps on plates carry {found:.1f} kg (limit {100 * tolerance:.0f} % apart), and "
            "moments per body mass depend on it: correct mass_kg in subjects.tsv or the plates' settings, unless a "
            "walking aid carries the rest"
        )
        yield Note("warning", "body mass", text)
