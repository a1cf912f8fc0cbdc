"""Events and steps that a study decides in trials.tsv: applied to a walk, refused where it has none such, and noted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pipeline.config import GivenEvent, GivenSteps, RejectedStep
from pipeline.errors import SignalError
from pipeline.trial import Event, Note, Stance

SOURCE = "trials.tsv"


def given_events(events: Sequence[GivenEvent], time: np.ndarray, where: str) -> list[Event]:
    """Events of a study.

    Raises:
        SignalError: one is not within the recording.
    """
    for event in events:
        if not time[0] <= event.time <= time[-1]:
            raise SignalError(
                f"column 'events': {event.side} {event.kind} at {event.time:g} s is not within the recording, "
                f"which lasts {time[-1]:.3f} s",
                where=f"{where} in {SOURCE}",
                remedy="Give times in seconds from the first frame of the file",
            )
    return [Event(event.time, event.side, event.kind, SOURCE) for event in events]


def without_rejected(stances: Sequence[Stance], rejected: Sequence[RejectedStep], where: str) -> tuple[Stance, ...]:
    """Contacts with plates, those that the study rejects marked as such.

    Raises:
        SignalError: there is no contact with that plate at that time.
    """
    out = list(stances)
    for step in rejected:
        meant = [k for k, s in enumerate(out) if step.plate in s.plates and s.onset <= step.time <= s.end]
        if not meant:
            known = ", ".join(f"{s.onset:.3f} to {s.end:.3f} s" for s in out if step.plate in s.plates) or "none"
            raise SignalError(
                f"column 'rejected_steps': no contact with plate {step.plate} at {step.time:g} s "
                f"(its contacts: {known})",
                where=f"{where} in {SOURCE}",
                remedy="Give a time within the contact",
            )
        for k in meant:
            out[k] = replace(out[k], rejected=f"excluded in {SOURCE}")
    return tuple(out)


def given_steps_notes(steps: GivenSteps, plates: Sequence[Event]) -> Iterator[Note]:
    """What the study decided, with how far a given event is from that of a plate."""
    for plate, foot in steps.feet.items():
        text = "not used" if foot == "none" else f"assigned to the {foot} foot"
        yield Note("info", f"plate {plate}", f"{text}, as {SOURCE} says")
    for step in steps.rejected:
        yield Note("info", f"plate {step.plate}", f"the contact at {step.time:g} s is not used, as {SOURCE} says")
    for event in steps.events:
        same = [p for p in plates if (p.side, p.kind) == (event.side, event.kind)]
        near = min(same, key=lambda other: abs(other.time - event.time), default=None)
        apart = f", {1000 * abs(near.time - event.time):.0f} ms from {near.source}" if near else ""
        yield Note("info", "events", f"{event.side} {event.kind} at {event.time:g} s is given in {SOURCE}{apart}")
