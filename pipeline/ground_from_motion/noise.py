"""What to use of a motion whose accelerations are noise, as in video: where the body is over its feet, not how it
accelerates along the floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pipeline.conventions import GRAVITY_G, X, Y, Z
from pipeline.errors import DynamicsError
from pipeline.ground_from_motion.contacts import FLAT
from pipeline.ground_from_motion.estimate import WalkingBody
from pipeline.ground_from_motion.learned import LearnedSplit
from pipeline.trial import Note

MAX_HORIZONTAL = 0.5
"""Of body weight; horizontal force that shoes on a floor bear. Largest in 23 walks of 16 people: 0.14 to 0.28; in two
recorded by video 0.95 and 2.45."""

LEVER = 0.1
"""m; typical distance of the ground's force from the leg's joints, by which its error changes their moments."""


def by_position(learned: LearnedSplit) -> LearnedSplit:
    """Numbers that leave out the body's acceleration along the floor.

    All of the zero-moment point's distance from the feet is taken back, which cancels every displacement that all
    markers have in common; the feet share double support by time alone.
    """
    return replace(
        learned,
        zmp_gain=0.0,
        share_gain=0.0,
        widening=learned.position_widening,
        balance_gain=np.array([1.0, 0.0, 1.0]),
        force_sd=learned.position_force_sd,
        moment_sd=learned.position_moment_sd,
    )


def usable(
    walk: WalkingBody, learned: LearnedSplit, feet: Mapping[str, tuple[np.ndarray, np.ndarray]]
) -> tuple[LearnedSplit, tuple[Note, ...]]:
    """The numbers for a walk, and what is to be said of it where its accelerations along the floor are not used.

    Bands are then widened by the vertical acceleration that the feet show while they are flat on the floor.

    Raises:
        DynamicsError: the motion needs a floor that pulls.
    """
    weight = walk.mass * -GRAVITY_G[Y]
    horizontal = np.where(walk.known, np.hypot(walk.force_G[:, X], walk.force_G[:, Z]) / weight, 0.0)
    vertical = np.where(walk.known, walk.force_G[:, Y] / weight, 1.0)
    most, least = int(np.argmax(horizontal)), int(np.argmin(vertical))
    if vertical[least] <= 0.0:
        raise DynamicsError(
            f"the fitted motion needs the ground to pull at {walk.time[least]:.2f} s (feet can only push), so that its "
            "accelerations are mostly noise and ground reactions cannot be estimated",
            where=f"trial {walk.name}",
            remedy="Lower the cut-off of the markers (filter: {markers: ...} in config.yaml), as for video, or record "
            "on plates",
        )
    if horizontal[most] <= MAX_HORIZONTAL:
        return learned, ()
    positions, noise = by_position(learned), _resting_noise(walk, feet)
    force, moment = positions.force_sd.copy(), np.hypot(positions.moment_sd, noise * LEVER * -GRAVITY_G[Y])
    force[:, Y] = np.hypot(force[:, Y], noise)
    text = (
        f"the fitted motion needs {horizontal[most]:.2f} body weights along the floor at {walk.time[most]:.2f} s "
        f"(limit {MAX_HORIZONTAL:g}, 0.14 to 0.28 in marker trials): its accelerations along the floor are mostly "
        "noise that all markers have in common, and are not used. Horizontal forces follow from where the body is over "
        f"its feet, and the feet share double support by time. Flat feet move vertically by {100.0 * noise:.0f} % of "
        "gravity (RMS), by which the bands are wider"
    )
    return replace(positions, force_sd=force, moment_sd=moment), (Note("warning", "accelerations", text),)


def _resting_noise(walk: WalkingBody, feet: Mapping[str, tuple[np.ndarray, np.ndarray]]) -> float:
    """Root mean square of the vertical acceleration of flat feet over gravity; 0 where none is seen."""
    found = []
    for contact, frame in zip(walk.contacts, walk.frames, strict=True):
        phase = contact.phase(walk.time)
        flat = (phase >= FLAT[0]) & (phase <= FLAT[1])
        if frame is not None and flat.any():
            height = np.mean([point[:, Y] for point in feet[contact.side]], axis=0)
            acceleration = np.gradient(np.gradient(height, walk.time), walk.time)
            found.append(acceleration[flat & np.isfinite(acceleration)])
    return float(np.sqrt(np.mean(np.concatenate(found) ** 2)) / -GRAVITY_G[Y]) if found else 0.0
