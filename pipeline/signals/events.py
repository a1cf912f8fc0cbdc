"""Gait events and cycles from force plates, the file's events, and markers, in that order."""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import TypeVar

import numpy as np

from pipeline.config import EventSettings
from pipeline.conventions import SIDES, X
from pipeline.signals.contact import Foot
from pipeline.signals.marker_events import shifted_to
from pipeline.trial import Cycle, Event, Note, Stance

MAX_CYCLE_SWING = 1.0
"""s; the swing of a cycle is not longer than this or, in very slow walking, not longer than its stance."""

MIN_FOOT_RANGE = 0.2
"""m; minimum range of a foot relative to the pelvis along the progression, if the subject walks along it."""

MAX_SHIFT = 0.05
"""s; maximum difference between the events of a cycle and the ends of the stance that belongs to it: events of the file
may be a few frames off those of the plate."""

T = TypeVar("T")


def find_events(
    stances: Sequence[Stance],
    stored: Sequence[Event],
    from_markers: Sequence[Event],
    frames: int,
    settings: EventSettings,
    given: Sequence[Event] = (),
) -> tuple[Event, ...]:
    """Events of all sources by priority: a source adds only events that no earlier one has; each names its source.

    Args:
        stances: contacts with plates; those of an identified foot give events at the ends that were recorded.
        stored: events of the file.
        from_markers: events of `marker_events`; here they are shifted by their delay relative to the other sources.
        frames: number of frames of the recording.
        settings: priority of the sources, and limits.
        given: events given by the study; they precede all sources.
    """
    candidates = {
        "plates": plate_events(stances, frames),
        "file": [event for event in stored if event.side in SIDES],
        "markers": list(from_markers),
    }
    events = list(given)
    known: dict[tuple[str, str], list[float]] = defaultdict(list)
    for event in given:
        insort(known[event.side, event.kind], event.time)
    for source in settings.sources:
        if source == "markers":
            candidates["markers"] = shifted_to(events, candidates["markers"], settings.same_event)
        for event in candidates[source]:  # one by one, since a file may hold an event twice
            alike = known[event.side, event.kind]
            if not _between(alike, event.time - settings.same_event, event.time + settings.same_event, float):
                insort(alike, event.time)
                events.append(event)
    return tuple(sorted(events, key=lambda event: event.time))


def plausible_events(
    stored: Sequence[Event], feet: Mapping[str, Foot], pelvis: np.ndarray, time: np.ndarray
) -> tuple[list[Event], list[Note]]:
    """Events of the file that the motion of their foot does not contradict, and a note on the others.

    In any gait, initial contact occurs in the front half of the foot's range relative to the pelvis, and foot off in
    the rear half. An event that contradicts this is of the other side or at another instant.

    Args:
        stored: events of the file.
        feet: heel and toe by side.
        pelvis: (T, 3) m in G.
        time: (T,) s.
    """
    plausible: list[Event] = []
    contradicted: list[Event] = []
    for event in stored:
        ahead = (feet[event.side].heel - pelvis)[:, X] if event.side in feet else np.full(len(time), np.nan)
        low, high = (np.nanmin(ahead), np.nanmax(ahead)) if np.isfinite(ahead).any() else (0.0, 0.0)
        share = (np.interp(event.time, time, ahead) - low) / (high - low) if high - low > MIN_FOOT_RANGE else np.nan
        wrong_half = share < 0.5 if event.kind == "initial contact" else share > 0.5
        (contradicted if wrong_half else plausible).append(event)
    if not contradicted:
        return plausible, []
    named = ", ".join(f"{event.side} {event.kind} at {event.time:.3f} s" for event in contradicted)
    text = (
        f"{named} not used because the foot is then in the rear half of its range relative to the pelvis (foot off: in "
        "the front half); side or instant is probably wrong: correct them in the recording software"
    )
    return plausible, [Note("warning", "events of the file", text)]


def plate_events(stances: Sequence[Stance], frames: int) -> list[Event]:
    """Events of all contacts of identified feet with plates, in a recording of ``frames`` frames."""
    return [event for stance in stances for event in _of_stance(stance, frames)]


def _of_stance(stance: Stance, frames: int) -> list[Event]:
    """Initial contact and foot off of a clean contact; only the recorded end of a contact that the recording cuts."""
    first_seen, last_seen = stance.start > 0, stance.stop < frames
    if not stance.side or (stance.rejected and first_seen and last_seen):
        return []
    source = stance.on
    events = [Event(stance.onset, stance.side, "initial contact", source)] if first_seen else []
    return events + ([Event(stance.end, stance.side, "foot off", source)] if last_seen else [])


def find_cycles(events: Sequence[Event], stances: Sequence[Stance], settings: EventSettings) -> tuple[Cycle, ...]:
    """Cycles of both feet, each from an initial contact to the next one of the same foot."""
    of: dict[tuple[str, str], list[Event]] = defaultdict(list)
    for event in sorted(events, key=attrgetter("time")):
        of[event.side, event.kind].append(event)
    clean = sorted((stance for stance in stances if not stance.rejected), key=attrgetter("onset"))
    cycles = []
    for side, opposite in (SIDES, SIDES[::-1]):
        for begin, end in pairwise(of[side, "initial contact"]):
            if not settings.min_cycle <= end.time - begin.time <= settings.max_cycle:
                continue

            def within(side: str, kind: str, begin: Event = begin, end: Event = end) -> Sequence[Event]:
                return _between(of[side, kind], begin.time, end.time, attrgetter("time"))

            offs = within(side, "foot off")
            if len(offs) != 1:  # none: the end of stance is unknown; two: the initial contact between them was missed
                continue
            if end.time - offs[0].time > max(MAX_CYCLE_SWING, offs[0].time - begin.time):  # a whole stance was missed
                continue
            opposite_foot_off, opposite_contact = (
                next((event.time for event in within(opposite, kind)), np.nan)
                for kind in ("foot off", "initial contact")
            )
            near = _between(clean, begin.time - MAX_SHIFT, begin.time + MAX_SHIFT, attrgetter("onset"))
            own = (one for one in near if one.side == side and abs(one.end - offs[0].time) < MAX_SHIFT)
            stance = next(own, None)
            cycles.append(
                Cycle(
                    side=side,
                    initial_contact=begin.time,
                    foot_off=offs[0].time,
                    next_initial_contact=end.time,
                    opposite_foot_off=opposite_foot_off,
                    opposite_initial_contact=opposite_contact,
                    source=", ".join(event.source for event in (begin, offs[0], end)),
                    plate=stance.plate if stance else 0,
                    second_plate=stance.second_plate if stance else 0,
                )
            )
    return tuple(sorted(cycles, key=lambda cycle: cycle.initial_contact))


def _between(ordered: Sequence[T], low: float, high: float, key: Callable[[T], float]) -> Sequence[T]:
    """Items, sorted by a key, whose key lies strictly between two limits."""
    return ordered[bisect_right(ordered, low, key=key) : bisect_left(ordered, high, key=key)]
