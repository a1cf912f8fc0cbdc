"""Use of a motion with noisy accelerations, such as from video: where the body is over its feet, not how it accelerates
along the floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pipeline.conventions import GRAVITY, X, Y, Z
from pipeline.errors import DynamicsError
from pipeline.ground_from_motion.contacts import FLAT
from pipeline.ground_from_motion.estimate import WalkingBody, vertical_smoothing
from pipeline.ground_from_motion.learned import LearnedSplit
from pipeline.signals import belt_travel
from pipeline.trial import Note

MAX_HORIZONTAL = 0.5
"""Fraction of body weight; largest horizontal force between shoes and floor. Maximum in 23 walks of 16 people: 0.14 to
0.28; in two walks recorded by video: 0.95 and 2.45."""

LEVER = 0.1
"""m; typical distance of the ground's force from the leg's joints, by which its error changes their moments."""


def by_position(learned: LearnedSplit) -> LearnedSplit:
    """Numbers for an estimate without the body's acceleration along the floor.

    The whole distance of the zero-moment point from the feet is corrected, which cancels every displacement along the
    floor common to all markers. Vertical accelerations are low-passed, and the feet share double support by time alone.
    """
    return replace(
        learned,
        zmp_gain=0.0,
        share_gain=0.0,
        widening=learned.position_widening,
        balance_gain=np.array([1.0, 0.0, 1.0]),
        vertical_cutoff=learned.position_cutoff,
        force_sd=learned.position_force_sd,
        moment_sd=learned.position_moment_sd,
    )


def usable(
    walk: WalkingBody, learned: LearnedSplit, feet: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> tuple[LearnedSplit, tuple[Note, ...]]:
    """The numbers for a walk, with a note if its accelerations along the floor are not used.

    In that case, bands are widened by the apparent motion of the feet while they are flat on the floor.

    Raises:
        DynamicsError: the motion needs a floor that pulls.
    """
    weight = walk.mass * GRAVITY
    horizontal = np.where(walk.known, np.hypot(walk.force_G[:, X], walk.force_G[:, Z]) / weight, 0.0)
    most = int(np.argmax(horizontal))
    noisy = horizontal[most] > MAX_HORIZONTAL
    smoothing = vertical_smoothing(walk, learned.position_cutoff) if noisy else 0.0
    vertical = np.where(walk.known, (walk.force_G[:, Y] + smoothing) / weight, 1.0)
    least = int(np.argmin(vertical))
    if vertical[least] <= 0.0:
        raise DynamicsError(
            f"the fitted motion needs the ground to pull at {walk.time[least]:.2f} s (feet can only push), so its "
            "accelerations are mostly noise and ground reactions cannot be estimated",
            where=f"trial {walk.name}",
            remedy="Lower the cut-off of the markers (filter: {markers: ...} in config.yaml), as for video, or record "
            "on plates",
        )
    if not noisy:
        return learned, ()
    positions = by_position(learned)
    rising, shift = _resting_noise(walk, feet, learned.position_cutoff)
    lean = np.sqrt(2.0) * shift  # errors of the body's position over the foot and of the foot's position
    moment = np.hypot(rising * LEVER, lean[X]) * GRAVITY
    force = lean / (learned.centre_height * walk.height)
    force[Y] = rising
    text = (
        f"the fitted motion needs {horizontal[most]:.2f} body weights along the floor at {walk.time[most]:.2f} s "
        f"(limit {MAX_HORIZONTAL:g}, 0.14 to 0.28 in marker trials): its accelerations along the floor are mostly "
        "noise that all markers have in common, and are not used. Horizontal forces follow from where the body is over "
        "its feet, the feet share double support by time, and the vertical force is low-passed at "
        f"{learned.position_cutoff:g} Hz. Flat feet move by {1000.0 * shift[X]:.0f} mm along and "
        f"{1000.0 * shift[Z]:.0f} mm across the walkway and vertically by {100.0 * rising:.0f} % of gravity (RMS); the "
        "bands are wider accordingly"
    )
    positions = replace(
        positions, force_sd=np.hypot(positions.force_sd, force), moment_sd=np.hypot(positions.moment_sd, moment)
    )
    return positions, (Note("warning", "accelerations", text),)


def _resting_noise(
    walk: WalkingBody, feet: Mapping[str, tuple[np.ndarray, np.ndarray]], cutoff: float
) -> tuple[float, np.ndarray]:
    """Apparent motion of flat feet, which are at rest: root mean squares of their vertical acceleration over gravity,
    low-passed at a cut-off in Hz, and of their distance (3,) m from each contact's median; zero if none is seen."""
    raised, shifts = [np.zeros(0)], [np.zeros((0, 3))]
    for contact, frame in zip(walk.contacts, walk.frames, strict=True):
        phase = contact.phase(walk.time)
        flat = (phase >= FLAT[0]) & (phase <= FLAT[1])
        if frame is not None and flat.any():
            middle = np.mean(feet[contact.side], axis=0) + belt_travel(frame.belt, walk.time)
            height = walk.low_passed(middle[:, Y], cutoff)
            raised.append(np.gradient(np.gradient(height, walk.time), walk.time)[flat])
            shifts.append(middle[flat] - np.nanmedian(middle[flat], axis=0))
    acceleration, shift = np.concatenate(raised), np.concatenate(shifts)
    acceleration, shift = acceleration[np.isfinite(acceleration)], shift[np.isfinite(shift).all(axis=1)]
    rising = np.sqrt(np.mean(acceleration**2)) / GRAVITY if len(acceleration) else 0.0
    return float(rising), np.sqrt(np.mean(shift**2, axis=0)) if len(shift) else np.zeros(3)
