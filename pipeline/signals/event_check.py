"""Check of a file's events against force plates: events that plates contradict are shifted or left out, and noted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipeline.config import GivenEvent
from pipeline.trial import Event, Note

MAX_APART = 0.3
"""s; an event of the file within this time of a plate's event is the same event: less than half of a step."""

NOTED = 0.02
"""s; smallest difference that is noted: the scatter of visual labels, and the time the load takes to reach the
threshold."""

MAX_DELAY = 0.03
"""s; median difference beyond which the file's clock is not that of the plates: visual labels scatter by 0.02 s."""

MAX_SCATTER = 0.03
"""s; largest median deviation from the median difference at which all events count as late by the same time."""


def events_against_plates(stored: Sequence[Event], plates: Sequence[Event]) -> tuple[list[Event], list[Note]]:
    """Events of the file that no plate shows, shifted if all are late by the same time, and notes.

    Args:
        stored: events of the file.
        plates: events of clean contacts with plates.
    """
    nearest = {event: nearest_alike(event, plates) for event in stored}
    meant = {event: near for event, near in nearest.items() if near and abs(near.time - event.time) <= MAX_APART}
    if not meant:
        return list(stored), []
    late = {event: event.time - near.time for event, near in meant.items()}
    delay = float(np.median(list(late.values())))
    if len(late) > 1 and abs(delay) > MAX_DELAY:
        return _without_delay(stored, late, delay)
    notes = [
        Note(
            "info",
            "events of the file",
            f"{event.side} {event.kind} at {event.time:.3f} s is {1000 * abs(time):.0f} ms "
            f"{'later' if time > 0.0 else 'earlier'} than by {meant[event].source}, which is used",
        )
        for event, time in late.items()
        if abs(time) > NOTED
    ]
    return [event for event in stored if event not in meant], notes


def nearest_alike(event: Event | GivenEvent, others: Sequence[Event]) -> Event | None:
    """Of other events of the same foot and kind, the nearest in time."""
    same = [other for other in others if (other.side, other.kind) == (event.side, event.kind)]
    return min(same, key=lambda other: abs(other.time - event.time), default=None)


def _without_delay(stored: Sequence[Event], late: dict[Event, float], delay: float) -> tuple[list[Event], list[Note]]:
    """Events shifted by their median delay; none if the delays scatter."""
    scatter = float(np.median(np.abs(np.array(list(late.values())) - delay)))
    which = (
        f"{1000 * abs(delay):.0f} ms {'later' if delay > 0.0 else 'earlier'} than the plates (median of {len(late)})"
    )
    if scatter > MAX_SCATTER:
        text = f"{which}, each by a different time, so none is used: set the events again in the recording software"
        return [], [Note("warning", "events of the file", text)]
    text = (
        f"{which} (limit {1000 * MAX_DELAY:.0f} ms), probably set on another clock or by another rule, so all are "
        "shifted by that time: check the synchronisation"
    )
    rest = [replace(event, time=event.time - delay) for event in stored if event not in late]
    return rest, [Note("warning", "events of the file", text)]
