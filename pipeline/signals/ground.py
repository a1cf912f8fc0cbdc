"""Loads of the plates on the feet, at the marker frames."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.acquisition import centre_of_pressure, free_moment, surface_normal
from pipeline.conventions import Y
from pipeline.math3d import Wrench
from pipeline.signals.contact import ContactSettings, contact_intervals
from pipeline.signals.filters import low_pass
from pipeline.trial import ForcePlate, PlateLoad, Stance


def load_of_plate(
    plate: ForcePlate, analog_rate: float, time: np.ndarray, cutoff: float, settings: ContactSettings
) -> tuple[PlateLoad, np.ndarray]:
    """Filter one plate and bring it to the marker frames.

    Force and moment are filtered about the fixed centre of the surface and only then turned into a centre of pressure.

    Args:
        plate: unfiltered, at ``analog_rate`` (Hz).
        time: (T,) s, the marker frames.
        cutoff: Hz.
        settings: thresholds.

    Returns:
        The plate's load at the marker frames, and the times (N, 2) s of its contacts.
    """
    wrench = plate.wrench
    contacts = contact_intervals(wrench.force_G[:, Y], analog_rate, settings) / analog_rate
    in_contact = np.zeros(len(time), dtype=bool)
    for start, stop in contacts:
        in_contact |= (time >= start - 1e-9) & (time < stop - 1e-9)
    smooth = low_pass(np.hstack([wrench.force_G, wrench.moment_G]), analog_rate, cutoff)
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


def ground_load(side: str, stances: Sequence[Stance], loads: Sequence[PlateLoad], swing: np.ndarray) -> Wrench:
    """Load of the ground on one foot: the plate's in clean stances, zero in swing, missing where it is not known.

    Args:
        side: "left" or "right".
        stances: contacts with the plates.
        loads: of the plates.
        swing: (T,) frames in which this foot is in the air.
    """
    force, moment, point = (np.full((len(swing), 3), np.nan) for _ in range(3))
    force[swing], moment[swing], point[swing] = 0.0, 0.0, 0.0
    for stance in stances:
        if stance.side == side and not stance.rejected:
            load = next(load for load in loads if load.number == stance.plate)
            frames = slice(stance.start, stance.stop)
            force[frames] = load.wrench.force_G[frames]
            moment[frames] = load.wrench.moment_G[frames]
            point[frames] = load.wrench.point_G[frames]
    return Wrench(force, moment, point)
