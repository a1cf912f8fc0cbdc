"""Contacts of the feet with the ground from gait events, and the frame on the ground in which each foot stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import LATERAL_SIGN, SIDES, X, Y, Z
from pipeline.errors import DynamicsError
from pipeline.signals import Foot, backward_speed, belt_speeds, belt_travel
from pipeline.trial import Event

FLAT = (0.15, 0.5)
"""Fractions of the contact between which the foot is flat on the ground."""

MIN_LENGTH = 0.05
"""m; smallest horizontal distance between heel and toe that gives a direction."""


@dataclass(frozen=True)
class Contact:
    """One contact of a foot with the ground.

    Attributes:
        side: "left" or "right".
        start, stop: s; initial contact and foot off.
        whole: whether both were seen; otherwise the missing one follows from the walk's median contact time.
    """

    side: str
    start: float
    stop: float
    whole: bool

    def phase(self, time: np.ndarray) -> np.ndarray:
        """Fraction of the contact (T,) that has passed at times (T,) s; below 0 before and above 1 after it."""
        return (time - self.start) / (self.stop - self.start)


@dataclass(frozen=True)
class FootFrame:
    """Position of a foot: a frame on the ground from heel and toe while the foot is flat.

    Attributes:
        heel_G: (3,) m, the heel.
        along_G, lateral_G: (3,) unit vectors, horizontal: from heel to toe, and to the foot's lateral side.
        length: m, horizontal distance from heel to toe.
        pitch: height (T,) of the heel above the toe over the length, minus that of the flat foot.
        belt: m/s along -X, velocity with which a treadmill's belt carries the frame, which is at `heel_G` at time 0.
    """

    heel_G: np.ndarray
    along_G: np.ndarray
    lateral_G: np.ndarray
    length: float
    pitch: np.ndarray
    belt: float = 0.0

    def to_ground(self, along: np.ndarray, across: np.ndarray, floor: float, time: np.ndarray) -> np.ndarray:
        """Points (T, 3) m in G at times (T,) s from coordinates (T,) in foot lengths, on a floor at a height in m."""
        point = self.heel_G + self.length * (along[:, None] * self.along_G + across[:, None] * self.lateral_G)
        point[:, Y] = floor
        return point - belt_travel(self.belt, time)

    def on_foot(self, point_G: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Coordinates along and across (T, 2) in foot lengths, of points (T, 3) in G at times (T,) s."""
        arm = point_G + belt_travel(self.belt, time) - self.heel_G
        return arm @ np.stack([self.along_G, self.lateral_G], axis=1) / self.length


@dataclass(frozen=True)
class StepOnGround:
    """Data from which the path of the centre of pressure of one contact is computed, over T frames.

    Attributes:
        contact, frame: when, and where the foot stands.
        time: (T,) s.
        centre_G: (T, 3) m, the body's centre of mass; NaN where unknown.
        height: m, stature.
    """

    contact: Contact
    frame: FootFrame
    time: np.ndarray
    centre_G: np.ndarray
    height: float


def contacts_of(events: Sequence[Event], where: str = "") -> list[Contact]:
    """Contacts by time, including those cut off by the recording's ends.

    Raises:
        DynamicsError: no contact is seen from initial contact to foot off, so that its duration is unknown.
    """
    found: list[tuple[str, float, float]] = []
    for side in SIDES:
        own = sorted((event for event in events if event.side == side), key=lambda event: event.time)
        start = np.nan
        for event in own:
            if event.kind == "foot off":
                found.append((side, start, event.time))
                start = np.nan
            elif np.isnan(start):
                start = event.time
            else:  # a foot off was missed
                found.append((side, start, np.nan))
                start = event.time
        if not np.isnan(start):
            found.append((side, start, np.nan))
    durations = [stop - start for _, start, stop in found if not np.isnan(stop - start)]
    if not durations:
        raise DynamicsError(
            "no foot is seen from its initial contact to its foot off, so ground reactions cannot be estimated",
            where=where,
            remedy="Record a longer walk, or give the events in the recording",
        )
    typical = float(np.median(durations))
    contacts = [
        Contact(
            side,
            stop - typical if np.isnan(start) else start,
            start + typical if np.isnan(stop) else stop,
            not np.isnan(stop - start),
        )
        for side, start, stop in found
    ]
    return sorted(contacts, key=lambda contact: contact.start)


def foot_frame(
    contact: Contact, heel_G: np.ndarray, toe_G: np.ndarray, time: np.ndarray, belt: float = 0.0
) -> FootFrame | None:
    """The frame in which a foot stands, from heel and toe (T, 3) m; None if too little of it is seen."""
    travel = belt_travel(belt, time)
    heel_G, toe_G = heel_G + travel, toe_G + travel
    phase = contact.phase(time)
    seen = np.isfinite(heel_G).all(axis=1) & np.isfinite(toe_G).all(axis=1) & (phase >= 0.0) & (phase <= 1.0)
    flat = seen & (phase >= FLAT[0]) & (phase <= FLAT[1])
    if flat.sum() < 2:
        return None
    heel, toe = np.median(heel_G[flat], axis=0), np.median(toe_G[flat], axis=0)
    along = (toe - heel) * [1.0, 0.0, 1.0]
    length = float(np.linalg.norm(along))
    if length < MIN_LENGTH:
        return None
    along /= length
    lateral = np.array([-along[Z], 0.0, along[X]]) * LATERAL_SIGN[contact.side]
    pitch = (heel_G - toe_G)[:, Y] / length
    return FootFrame(heel, along, lateral, length, pitch - np.median(pitch[flat]), belt)


def belts_under(contacts: Sequence[Contact], feet: Mapping[str, Foot], time: np.ndarray) -> dict[str, float]:
    """Speed, m/s, of the belt under each foot, from the flat feet of whole contacts; zero without a treadmill.

    Args:
        contacts: of the walk.
        feet: by side.
        time: (T,) s.
    """
    flat: dict[str, list[float]] = {side: [] for side in SIDES}
    for contact in contacts:
        if contact.whole:
            start, end = (contact.start + fraction * (contact.stop - contact.start) for fraction in FLAT)
            flat[contact.side].append(backward_speed(feet[contact.side], time, start, end))
    return belt_speeds(flat)
