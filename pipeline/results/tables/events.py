"""Initial contacts and foot offs of a walk, and the feet's contacts with plates, as a tidy table."""

from __future__ import annotations

import pyarrow as pa

from pipeline.trial import WalkOnPlates

_NAME = pa.dictionary(pa.int32(), pa.string())

EVENTS = pa.schema(
    [
        *((name, _NAME) for name in ("subject", "trial", "side", "event")),
        ("time", pa.float64()),
        ("plate", pa.int32()),
        ("source", _NAME),
        ("left_out", _NAME),
    ]
)
"""Event: "initial contact" and "foot off" of a foot, with where they come from; "contact begin" and "contact end" on a
plate, with its number, and why the contact was left out, empty for a clean step. Time in s from the first frame; the
side is empty where no foot could be named."""


def event_table(walk: WalkOnPlates) -> pa.Table:
    """All of a walk, events first; see `EVENTS`."""
    who = {"subject": walk.subject, "trial": walk.name}
    rows = [
        {**who, "side": e.side, "event": e.kind, "time": e.time, "source": e.source, "left_out": ""}
        for e in walk.events
    ]
    rows += [
        {**who, "side": s.side, "event": event, "time": time, "plate": s.plate, "source": "", "left_out": s.rejected}
        for s in walk.stances
        for event, time in (("contact begin", s.onset), ("contact end", s.end))
    ]
    return pa.Table.from_pylist(rows, schema=EVENTS)
