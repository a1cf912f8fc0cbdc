"""Contacts of feet with force plates, from force thresholds and foot markers: when, which foot, and whether clean."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.acquisition import surface_normal
from pipeline.config import EventSettings
from pipeline.conventions import SIDES, Y
from pipeline.signals.joined_plates import joined
from pipeline.signals.runs import runs_of
from pipeline.trial import PlateLoad, Stance

HORIZONTAL = [0, 2]
"""Indices of the horizontal axes of G."""

MAX_STEP = 0.01
"""m; maximum difference in height of two plates whose loads are added: the foot must stand on one surface."""

MAX_SEAM = 0.03
"""m; maximum distance of heel or toe from the nearer of two plates: the seam between them."""

MIN_FOOT_HEIGHT, MAX_FOOT_HEIGHT = -0.03, 0.15
"""m; limits of the height of heel or toe, whichever is lower, above the plate that the foot is on."""

MAX_SHARED = 2
"""Frames for which a foot may be on two plates, or two feet on one: the uncertainty of events."""

MAX_REST_SPEED = 0.3
"""m/s relative to the floor; maximum speed of a heel or toe that bears load. One that swings over a plate is faster."""

MIN_OTHER_INSIDE = 0.01
"""m; minimum distance inside the plate's edge at which heel or toe of the contralateral foot counts as on the plate. It
is outside by 6 mm or more in 74 clean steps of 32 walks from five laboratories, and inside by 46 mm in the second walk
of `implant_gc5`."""


@dataclass(frozen=True)
class Foot:
    """Heel and toe of a foot, (T, 3) m in G each."""

    heel: np.ndarray
    toe: np.ndarray


def contact_intervals(vertical: np.ndarray, rate: float, settings: EventSettings) -> np.ndarray:
    """Start and stop (exclusive) samples (N, 2) of contacts in an unfiltered vertical force (Ta,), with hysteresis."""
    above_off = np.nan_to_num(vertical) > settings.off_force
    runs = runs_of(above_off)
    kept = []
    for start, stop in runs:
        strong = np.flatnonzero(vertical[start:stop] > settings.on_force)
        if len(strong) and stop - start >= settings.min_contact * rate:
            kept.append((start + strong[0], stop))
    return np.array(kept, dtype=int).reshape(-1, 2)


def find_stances(
    loads: Sequence[PlateLoad],
    contacts: Sequence[np.ndarray],
    feet: Mapping[str, Foot],
    time: np.ndarray,
    body_weight: float,
    settings: EventSettings,
    assigned: Mapping[int, str] | None = None,
) -> tuple[Stance, ...]:
    """Contacts with plates, each with its foot, and the reason if it cannot be used.

    Args:
        loads: of all plates.
        contacts: contact times of each plate, (N, 2) s each.
        feet: by side.
        time: (T,) s.
        body_weight: N.
        settings: thresholds.
        assigned: side by plate number if the study decides it; "none" excludes the plate.
    """

    placed = [load for load in loads if np.isfinite(load.corners_G).all()]

    def stance(load: PlateLoad, interval: np.ndarray, plates: Sequence[PlateLoad]) -> Stance:
        numbers = [plate.number for plate in plates]
        given = [(assigned or {}).get(number) for number in numbers]
        foot = "none" if "none" in given else next((foot for foot in given if foot), None)
        own, others = (
            [plate.corners_G for plate in placed if (plate.number in numbers) == wanted] for wanted in (True, False)
        )
        found = _stance(load, interval, own, feet, time, body_weight, settings, foot)
        if found.rejected or not own:
            return found
        return replace(found, rejected=_other_foot(own, others, feet, found, time))

    found = [
        stance(load, interval, [load])
        for load, intervals in zip(loads, contacts, strict=True)
        for interval in intervals
    ]
    by_number = {load.number: load for load in loads}

    def both(one: Stance, other: Stance) -> Stance:
        first, second = by_number[one.plate], by_number[other.plate]
        step = abs(float(height_above(second.wrench.point_G[:1], first.corners_G, first.wrench.point_G[0])[0]))
        if step > MAX_STEP:
            return replace(one, rejected=f"the heights of the plates differ by {1000 * step:.0f} mm")
        interval = np.array([min(one.onset, other.onset), max(one.end, other.end)])
        across = stance(joined(first, second), interval, [first, second])
        return replace(across, second_plate=second.number)

    return tuple(sorted(_across_plates(found, both), key=lambda stance: stance.start))


def _stance(
    load: PlateLoad,
    interval: np.ndarray,
    outlines: Sequence[np.ndarray],
    feet: Mapping[str, Foot],
    time: np.ndarray,
    body_weight: float,
    settings: EventSettings,
    assigned: str | None,
) -> Stance:
    start, stop = (int(n) for n in np.searchsorted(time, interval - 1e-9))
    frames = slice(start, stop)
    there = {side: Foot(foot.heel[frames], foot.toe[frames]) for side, foot in feet.items()}
    distances = {side: distance_to_foot(load.cop_G[frames], foot) for side, foot in there.items()}
    medians = {side: float(np.nanmedian(d)) if np.isfinite(d).any() else np.nan for side, d in distances.items()}
    near = [side for side, median in medians.items() if median <= settings.foot_distance]
    side = assigned if assigned in SIDES else min(near, key=lambda s: medians[s], default="")
    peak = float(np.nanmax(load.wrench.force_G[frames, Y], initial=0.0)) / body_weight
    rejection = ""
    if assigned == "none":
        rejected, rejection = "excluded in trials.tsv", "excluded"
    elif start == 0 or stop >= len(time):
        rejected = "begins or ends outside the recording"
    elif not side:
        rejected = _no_foot(medians, settings.foot_distance)
    elif peak < settings.min_peak:
        share = f"{100 * peak:.0f} % of body weight ({body_weight:.0f} N), below {100 * settings.min_peak:.0f} %"
        rejected = f"peak force {share}: only part of the foot, or a light touch"
    elif np.isfinite(medians[side]) and np.nanpercentile(distances[side], 95) > 1.5 * settings.foot_distance:
        rejected = "centre of pressure leaves the foot: two feet on the plate, or the foot across its edge"
    elif not MIN_FOOT_HEIGHT <= (height := _height(load, there[side])) <= MAX_FOOT_HEIGHT:
        rejection = "below" if height < 0.0 else "above"
        why = "which is impossible" if height < 0.0 else "so not on its surface"
        rejected = f"the foot stands {1000 * abs(height):.0f} mm {rejection} the plate's corners, {why}"
    elif _beyond_edge(outlines, there[side]):
        rejected = "heel or toe beyond the plate's edge"
    else:
        rejected = ""
    onset, end = (float(t) for t in interval)
    return Stance(load.number, side, start, stop, onset, end, medians.get(side, np.nan), rejected, rejection=rejection)


def _no_foot(medians: Mapping[str, float], limit: float) -> str:
    """Why no foot is identified, from each foot's median distance (m) to the centre of pressure; NaN if not seen."""
    unseen = [side for side, median in medians.items() if np.isnan(median)]
    if len(unseen) == len(medians):
        return "no foot marker seen during the contact"
    text = f"no foot within {1000 * limit:.0f} mm of the centre of pressure"
    return text + "".join(f"; the {side} foot is not seen" for side in unseen)


def _across_plates(stances: Sequence[Stance], both: Callable[[Stance, Stance], Stance]) -> list[Stance]:
    """Merge contacts of one foot with two plates at once, if their common load is that of a clean step.

    Args:
        stances: one for each contact with a plate.
        both: returns the common contact of two of them; the one that began first is the first argument.
    """
    out = []
    ordered = sorted(stances, key=lambda stance: (stance.start, stance.plate))
    starts, stops = (np.array([getattr(one, name) for one in ordered], dtype=int) for name in ("start", "stop"))
    for stance in ordered:
        overlapping = np.flatnonzero((starts < stance.stop) & (stops > stance.start))
        shared = [ordered[k] for k in overlapping if _at_once(stance, ordered[k])]
        if not shared:
            out.append(stance)
            continue
        first, *rest = sorted([stance, *shared], key=ordered.index)
        across = both(first, rest[0])
        if len(rest) == 1 and not across.rejected:
            out += [across] if stance is first else []
            continue
        numbers = " and ".join(str(other.plate) for other in (stance, *shared))
        why = f", and their common load is not that of a clean step ({across.rejected})" if len(rest) == 1 else ""
        reason = f"the {stance.side} foot is on plates {numbers} at once{why}"
        out.append(stance if stance.rejected else replace(stance, rejected=reason))
    return out


def _at_once(one: Stance, other: Stance) -> bool:
    """Whether one foot is on two plates for more than `MAX_SHARED` frames."""
    common = min(one.stop, other.stop) - max(one.start, other.start)
    return one.plate != other.plate and one.side == other.side != "" and common > MAX_SHARED


def distance_to_foot(cop_G: np.ndarray, foot: Foot) -> np.ndarray:
    """Horizontal distance (T,) m of the centre of pressure from the line between heel and toe."""
    heel, toe, cop = (p[:, HORIZONTAL] for p in (foot.heel, foot.toe, cop_G))
    along = toe - heel
    share = np.clip(np.sum((cop - heel) * along, axis=1) / np.sum(along**2, axis=1), 0.0, 1.0)
    return np.linalg.norm(cop - heel - share[:, None] * along, axis=1)


def height_above(points_G: np.ndarray, corners_G: np.ndarray, centre_G: np.ndarray) -> np.ndarray:
    """Vertical distance (N,) m of points (N, 3) from a plate's surface, which may slope; level if corners are unknown.

    Args:
        points_G: m.
        corners_G: (4, 3) m, NaN if unknown.
        centre_G: (3,) m, of the surface.
    """
    normal = surface_normal(corners_G)
    return (points_G - centre_G) @ normal / normal[Y]


def _height(plate: PlateLoad, foot: Foot) -> float:
    """Height (m) of heel or toe, whichever is lower, above a plate's surface in mid-contact; 0 if neither is seen."""
    middle = _middle(len(foot.heel))
    surface = plate.corners_G, plate.wrench.point_G[0]
    lower = np.fmin(height_above(foot.heel[middle], *surface), height_above(foot.toe[middle], *surface))
    seen = lower[np.isfinite(lower)]
    return float(np.median(seen)) if len(seen) else 0.0


def _middle(frames: int) -> slice:
    return slice(int(0.3 * frames), int(0.6 * frames) + 1)


def _beyond_edge(outlines: Sequence[np.ndarray], foot: Foot) -> bool:
    """Whether heel or toe is beyond the edges of all plates, corners (4, 3) each, in the middle of the contact.

    False if no edges are known.
    """
    if not outlines:
        return False
    middle = _middle(len(foot.heel))
    points = np.concatenate([foot.heel[middle], foot.toe[middle]])
    outside = np.min([beyond_edges(corners_G, points) for corners_G in outlines], axis=0)
    limit = MAX_SEAM if len(outlines) > 1 else 0.0
    return bool(np.nanmax(outside, initial=0.0) > limit)


def _other_foot(
    own: Sequence[np.ndarray], others: Sequence[np.ndarray], feet: Mapping[str, Foot], stance: Stance, time: np.ndarray
) -> str:
    """Which other foot also bears load on the plates of a stance, and when; empty if none does.

    Args:
        own: corners (4, 3) of the stance's plates.
        others: corners of the other plates; a marker inside these as well may be on either.
        feet: by side.
        stance: of an identified foot.
        time: (T,) s.
    """
    frames = slice(stance.start, stance.stop)
    if stance.stop - stance.start < 2:  # no velocity
        return ""
    markers_G = {side: [part[frames] for part in (foot.heel, foot.toe)] for side, foot in feet.items()}
    velocity = {side: np.gradient(parts, time[frames], axis=1) for side, parts in markers_G.items()}
    of_stance = velocity[stance.side][:, _middle(stance.stop - stance.start)]
    if not np.isfinite(of_stance).any():
        return ""
    floor = np.nanmedian(of_stance, axis=(0, 1))  # a belt moves
    for side in markers_G.keys() - {stance.side}:
        on = np.zeros(stance.stop - stance.start, bool)
        for marker_G, moving in zip(markers_G[side], velocity[side], strict=True):
            height = np.mean([height_above(marker_G, corners, corners.mean(axis=0)) for corners in own], axis=0)
            resting = (np.abs(height) < MAX_FOOT_HEIGHT) & (np.linalg.norm(moving - floor, axis=1) < MAX_REST_SPEED)
            on |= resting & _within(own, marker_G, MIN_OTHER_INSIDE) & ~_within(others, marker_G, 0.0)
        if on.sum() > MAX_SHARED:
            first, last = time[frames][on][[0, -1]]
            return f"the {side} foot also stands on the plate, from {first:.2f} to {last:.2f} s"
    return ""


def _within(outlines: Sequence[np.ndarray], points_G: np.ndarray, margin: float) -> np.ndarray:
    """Whether points (N, 3) are inside the edges of any plate by more than a margin, m."""
    outside = [beyond_edges(corners_G, points_G) for corners_G in outlines]
    return np.min(outside, axis=0) < -margin if outlines else np.zeros(len(points_G), bool)


def beyond_edges(corners_G: np.ndarray, points_G: np.ndarray) -> np.ndarray:
    """Distance (N,) m by which points are beyond a plate's edges, negative inside."""
    corners = corners_G[:, HORIZONTAL]
    edges = np.roll(corners, -1, axis=0) - corners
    inward = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    inward *= np.sign(np.sum(inward * (corners.mean(axis=0) - corners), axis=1))[:, None]
    inward /= np.linalg.norm(inward, axis=1)[:, None]
    return -np.min(np.sum((points_G[:, None, HORIZONTAL] - corners) * inward, axis=2), axis=1)
