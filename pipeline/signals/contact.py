"""Contacts of feet with force plates, from force thresholds and foot markers: when, which foot, and whether clean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.config.settings import EventSettings
from pipeline.conventions import SIDES, Y
from pipeline.signals.runs import runs_of
from pipeline.trial import PlateLoad, Stance

HORIZONTAL = [0, 2]
"""Indices of the horizontal axes of G."""

MIN_FOOT_HEIGHT, MAX_FOOT_HEIGHT = -0.03, 0.15
"""m; range of the height of the lower one of heel and toe above the plate that the foot is on."""


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
    """Contacts with the foot that each belongs to, and why one cannot be used.

    Args:
        loads: of all plates.
        contacts: their contact times, (N, 2) s each.
        feet: by side.
        time: (T,) s.
        body_weight: N.
        settings: thresholds.
        assigned: side by plate number where the study decides it; "none" excludes the plate.
    """
    stances = [
        _stance(load, interval, feet, time, body_weight, settings, (assigned or {}).get(load.number))
        for load, intervals in zip(loads, contacts, strict=True)
        for interval in intervals
    ]
    return tuple(sorted(_without_overlaps(stances), key=lambda stance: stance.start))


def _stance(
    load: PlateLoad,
    interval: np.ndarray,
    feet: Mapping[str, Foot],
    time: np.ndarray,
    body_weight: float,
    settings: EventSettings,
    assigned: str | None,
) -> Stance:
    start, stop = (int(n) for n in np.searchsorted(time, interval - 1e-9))
    frames = slice(start, stop)
    there = {side: Foot(foot.heel[frames], foot.toe[frames]) for side, foot in feet.items()}
    distances = {side: _distance_to_foot(load.cop_G[frames], foot) for side, foot in there.items()}
    medians = {side: float(np.nanmedian(d)) if np.isfinite(d).any() else np.nan for side, d in distances.items()}
    near = [side for side, median in medians.items() if median <= settings.foot_distance]
    side = assigned if assigned in SIDES else min(near, key=lambda s: medians[s], default="")
    peak = float(np.nanmax(load.wrench.force_G[frames, Y], initial=0.0)) / body_weight
    if assigned == "none":
        rejected = "excluded in trials.tsv"
    elif start == 0 or stop >= len(time):
        rejected = "begins or ends outside the recording"
    elif not side:
        rejected = _no_foot(medians, settings.foot_distance)
    elif peak < settings.min_peak:
        share = f"{100 * peak:.0f} % of body weight ({body_weight:.0f} N), below {100 * settings.min_peak:.0f} %"
        rejected = f"peak force {share}: only part of the foot, or a light touch"
    elif np.isfinite(medians[side]) and np.nanpercentile(distances[side], 95) > 1.5 * settings.foot_distance:
        rejected = "centre of pressure leaves the foot: two feet on the plate, or the foot across its edge"
    elif not MIN_FOOT_HEIGHT <= (height := _height(load.corners_G, there[side])) <= MAX_FOOT_HEIGHT:
        position = "above" if height > 0.0 else "below"
        rejected = f"the foot stands {1000 * abs(height):.0f} mm {position} the plate's corners, which is impossible"
    elif _beyond_edge(load.corners_G, there[side]):
        rejected = "heel or toe beyond the plate's edge"
    else:
        rejected = ""
    onset, end = (float(t) for t in interval)
    return Stance(load.number, side, start, stop, onset, end, medians.get(side, np.nan), rejected)


def _no_foot(medians: Mapping[str, float], limit: float) -> str:
    """Why no foot is named, by the median distance (m) of each from the centre of pressure; NaN where not seen."""
    unseen = [side for side, median in medians.items() if np.isnan(median)]
    if len(unseen) == len(medians):
        return "no foot marker seen during the contact"
    text = f"no foot within {1000 * limit:.0f} mm of the centre of pressure"
    return text + "".join(f"; the {side} foot is not seen" for side in unseen)


def _without_overlaps(stances: Sequence[Stance]) -> list[Stance]:
    """Reject steps of one foot that two plates share."""

    def shared(one: Stance, other: Stance) -> bool:
        common = min(one.stop, other.stop) - max(one.start, other.start)
        return one is not other and one.side == other.side != "" and common > 2

    out = []
    for stance in stances:
        other = next((other for other in stances if shared(stance, other)), None)
        if other and not stance.rejected:
            reason = f"the {stance.side} foot is on plates {stance.plate} and {other.plate} at once"
            stance = replace(stance, rejected=reason)
        out.append(stance)
    return out


def _distance_to_foot(cop_G: np.ndarray, foot: Foot) -> np.ndarray:
    """Horizontal distance (T,) m of the centre of pressure from the line between heel and toe."""
    heel, toe, cop = (p[:, HORIZONTAL] for p in (foot.heel, foot.toe, cop_G))
    along = toe - heel
    share = np.clip(np.sum((cop - heel) * along, axis=1) / np.sum(along**2, axis=1), 0.0, 1.0)
    return np.linalg.norm(cop - heel - share[:, None] * along, axis=1)


def _height(corners_G: np.ndarray, foot: Foot) -> float:
    """Height (m) of the lower one of heel and toe above a plate's middle in the middle of the contact; 0 if unseen."""
    middle = _middle(foot)
    lower = np.fmin(foot.heel[middle, Y], foot.toe[middle, Y]) - corners_G[:, Y].mean()
    seen = lower[np.isfinite(lower)]
    return float(np.median(seen)) if len(seen) else 0.0


def _middle(foot: Foot) -> slice:
    return slice(int(0.3 * len(foot.heel)), int(0.6 * len(foot.heel)) + 1)


def _beyond_edge(corners_G: np.ndarray, foot: Foot) -> bool:
    """Whether heel or toe is beyond the plate's edges in the middle of the contact."""
    middle = _middle(foot)
    corners = corners_G[:, HORIZONTAL]
    edges = np.roll(corners, -1, axis=0) - corners
    inward = np.stack([-edges[:, 1], edges[:, 0]], axis=1)
    inward *= np.sign(np.sum(inward * (corners.mean(axis=0) - corners), axis=1))[:, None]
    inward /= np.linalg.norm(inward, axis=1)[:, None]
    points = np.concatenate([foot.heel[middle], foot.toe[middle]])[:, None, HORIZONTAL]
    return bool(np.nanmin(np.sum((points - corners) * inward, axis=2), initial=0.0) < 0.0)
