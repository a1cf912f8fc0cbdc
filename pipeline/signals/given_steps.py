"""Events and steps given by the study in trials.tsv: applied to a walk and noted, or refused if the walk lacks them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from pipeline.config import GivenEvent, GivenSteps, PlateContact
from pipeline.errors import SignalError
from pipeline.signals.event_check import nearest_alike
from pipeline.trial import Event, Note, Stance

GIVEN = "trials.tsv"
"""Source of the events that the study gives."""


def given_events(events: Sequence[GivenEvent], time: np.ndarray, where: str) -> list[Event]:
    """Events given by the study.

    Raises:
        SignalError: an event is not within the recording.
    """
    for event in events:
        if not time[0] <= event.time <= time[-1]:
            raise SignalError(
                f"column 'events': {event.side} {event.kind} at {event.time:g} s is not within the recording, "
                f"which lasts {time[-1]:.3f} s",
                where=f"{where} in {GIVEN}",
                remedy="Give times in seconds from the first frame of the trial",
            )
    return [Event(event.time, event.side, event.kind, GIVEN) for event in events]


def without_rejected(stances: Sequence[Stance], rejected: Sequence[PlateContact], where: str) -> tuple[Stance, ...]:
    """Contacts with plates; those that the study rejects are marked as rejected.

    Raises:
        SignalError: there is no contact with that plate at that time.
    """
    meant = meant_stances(stances, rejected, "rejected_steps", where)
    return tuple(
        replace(stance, rejected=f"excluded in {GIVEN}", rejection="excluded") if stance in meant else stance
        for stance in stances
    )


def meant_stances(
    stances: Sequence[Stance], contacts: Sequence[PlateContact], column: str, where: str
) -> tuple[Stance, ...]:
    """The stances named in a column of trials.tsv by their plates and times.

    Raises:
        SignalError: there is no contact with that plate at that time.
    """
    found = []
    for contact in contacts:
        of_plate = [stance for stance in stances if contact.plate in stance.plates]
        meant = [stance for stance in of_plate if stance.onset <= contact.time <= stance.end]
        if not meant:
            known = ", ".join(f"{s.onset:.3f} to {s.end:.3f} s" for s in of_plate) or "none"
            raise SignalError(
                f"column '{column}': no contact with plate {contact.plate} at {contact.time:g} s "
                f"(its contacts: {known})",
                where=f"{where} in {GIVEN}",
                remedy="Give a time within the contact",
            )
        found += meant
    return tuple(found)


def given_steps_notes(steps: GivenSteps, plates: Sequence[Event]) -> Iterator[Note]:
    """Notes on what the study decided, with the time between a given event and that of a plate."""
    for plate, foot in steps.feet.items():
        text = "not used" if foot == "none" else f"assigned to the {foot} foot"
        yield Note("info", f"plate {plate}", f"{text}, as given in {GIVEN}")
    for step in steps.rejected:
        yield Note("info", f"plate {step.plate}", f"the contact at {step.time:g} s is not used, as given in {GIVEN}")
    for event in steps.events:
        near = nearest_alike(event, plates)
        apart = f", {1000 * abs(near.time - event.time):.0f} ms from {near.source}" if near else ""
        yield Note("info", "events", f"{event.side} {event.kind} at {event.time:g} s is given in {GIVEN}{apart}")
