"""Force plate loads, low-pass filtered, at the marker frames, with centre of pressure and free moment."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.acquisition import centre_of_pressure, free_moment, surface_normal
from pipeline.config import EventSettings
from pipeline.conventions import Y
from pipeline.math3d import Wrench
from pipeline.signals.contact import contact_intervals
from pipeline.signals.filters import low_pass
from pipeline.trial import ForcePlate, PlateLoad, Stance


def filtered_at_frames(plate: ForcePlate, analog_rate: float, time: np.ndarray, cutoff: float, order: int) -> Wrench:
    """Low-pass filter a plate's force and moment about its surface's centre, and interpolate at the marker frames.

    Args:
        plate: unfiltered, at ``analog_rate`` (Hz).
        time: (T,) s, the marker frames.
        cutoff, order: Hz, and order of both passes together.

    Returns:
        (T, 3) each, in G; NaN after the last sample.
    """
    wrench = plate.wrench
    filtered = low_pass(np.hstack([wrench.force_G, wrench.moment_G]), analog_rate, cutoff, order)
    at_frames = np.full((len(time), 6), np.nan)
    samples = np.arange(len(filtered)) / analog_rate
    inside = time <= samples[-1] + 1e-9
    for column in range(6):
        at_frames[inside, column] = np.interp(time[inside], samples, filtered[:, column])
    return Wrench(at_frames[:, :3], at_frames[:, 3:], wrench.point_G[0])


def plate_load(
    plate: ForcePlate,
    analog_rate: float,
    time: np.ndarray,
    cutoff: float,
    order: int,
    settings: EventSettings,
    across: Sequence[Stance] = (),
) -> tuple[PlateLoad, np.ndarray]:
    """The filtered load of one plate at the marker frames.

    Force and moment are filtered about the fixed centre of the surface; the centre of pressure is computed after that.

    Args:
        plate: unfiltered, at ``analog_rate`` (Hz).
        time: (T,) s, the marker frames.
        cutoff, order: Hz, and order of both passes together.
        settings: thresholds.
        across: contacts of a foot across two plates, if known. The filtered load of both plates is kept over the whole
            contact, because the load that the filter spreads to times before the foot reaches the second plate is
            missing on the first.

    Returns:
        The plate's load at the marker frames, and the times (N, 2) s of its contacts.
    """
    contacts = contact_intervals(plate.wrench.force_G[:, Y], analog_rate, settings) / analog_rate
    in_contact = np.zeros(len(time), dtype=bool)
    common = [(stance.onset, stance.end) for stance in across if plate.number in stance.plates]
    for start, stop in (*contacts, *common):
        in_contact |= (time >= start - 1e-9) & (time < stop - 1e-9)
    filtered = filtered_at_frames(plate, analog_rate, time, cutoff, order)
    unloaded = ~in_contact & np.isfinite(filtered.force_G[:, 0])
    force_G, moment_G = (np.where(unloaded[:, None], 0.0, part) for part in (filtered.force_G, filtered.moment_G))
    load = Wrench(force_G, moment_G, filtered.point_G)
    cop = centre_of_pressure(load, plate.corners_G, settings.cop_force)
    twist = free_moment(load, plate.corners_G, settings.cop_force) @ surface_normal(plate.corners_G)
    return PlateLoad(plate.number, plate.corners_G, load, in_contact, cop, twist), contacts
