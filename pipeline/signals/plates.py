"""Loads of the plates, filtered and at the marker frames."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from pipeline.acquisition import centre_of_pressure, free_moment, surface_normal
from pipeline.config.settings import EventSettings
from pipeline.conventions import GRAVITY_G, Y
from pipeline.math3d import Wrench
from pipeline.signals.contact import contact_intervals
from pipeline.signals.filters import low_pass
from pipeline.trial import Cycle, ForcePlate, Note, PlateLoad

FITS = {1: 0.25, 2: 0.12}
"""Part of the body mass by which steps of one side, or of both, may miss it: 6 % and 3 % on published walks; a leg that
is spared carries less than half."""


def load_of_plate(
    plate: ForcePlate, analog_rate: float, time: np.ndarray, cutoff: float, order: int, settings: EventSettings
) -> tuple[PlateLoad, np.ndarray]:
    """Filter one plate and bring it to the marker frames.

    Force and moment are filtered about the fixed centre of the surface and only then turned into a centre of pressure.

    Args:
        plate: unfiltered, at ``analog_rate`` (Hz).
        time: (T,) s, the marker frames.
        cutoff, order: Hz, and order over both passes.
        settings: thresholds.

    Returns:
        The plate's load at the marker frames, and the times (N, 2) s of its contacts.
    """
    wrench = plate.wrench
    contacts = contact_intervals(wrench.force_G[:, Y], analog_rate, settings) / analog_rate
    in_contact = np.zeros(len(time), dtype=bool)
    for start, stop in contacts:
        in_contact |= (time >= start - 1e-9) & (time < stop - 1e-9)
    smooth = low_pass(np.hstack([wrench.force_G, wrench.moment_G]), analog_rate, cutoff, order)
    at_frames = np.full((len(time), 6), np.nan)
    samples = np.arange(len(smooth)) / analog_rate
    inside = time <= samples[-1] + 1e-9
    for column in range(6):
        at_frames[inside, column] = np.interp(time[inside], samples, smooth[:, column])
    at_frames[~in_contact & np.isfinite(at_frames[:, 0])] = 0.0
    load = Wrench(at_frames[:, :3], at_frames[:, 3:], wrench.point_G[0])
    cop = centre_of_pressure(load, plate.corners_G, settings.cop_force)
    twist = free_moment(load, plate.corners_G, settings.cop_force) @ surface_normal(plate.corners_G)
    return PlateLoad(plate.number, plate.corners_G, load, in_contact, cop, twist), contacts


def mass_notes(mass: float, cycles: Sequence[Cycle], loads: Sequence[PlateLoad], time: np.ndarray) -> Iterator[Note]:
    """A doubt about a body mass (kg) that the steps on plates contradict.

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
                stance = (time >= cycle.strike) & (time < cycle.foot_off)
                half = 0.5 * (cycle.next_strike - cycle.strike)
                mean = np.nansum(load.wrench.force_G[stance, Y]) * (time[1] - time[0]) / half
                carried.setdefault(cycle.side, []).append(float(mean) / -GRAVITY_G[Y])
    if not carried:
        return
    found = float(np.mean([np.mean(side) for side in carried.values()]))
    if abs(found / mass - 1.0) > FITS[len(carried)]:
        text = (
            f"{mass:.1f} kg are used, but the steps on plates carry {found:.1f} kg, which moments per body mass depend "
            "on: correct mass_kg in subjects.tsv or the plates' settings, unless an aid carries the rest"
        )
        yield Note("warning", "body mass", text)
