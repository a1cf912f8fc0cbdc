"""Events and subject parameters stored in a C3D file."""

from __future__ import annotations

import numpy as np

from pipeline.acquisition.c3d_file import C3DFile
from pipeline.trial import Event, Note

_KINDS = {
    "foot strike": "initial contact",
    "heel strike": "initial contact",
    "foot off": "foot off",
    "toe off": "foot off",
}
"""Kind of event by its label in the file."""
_GROUPS = ("PROCESSING", "SUBJECTS", "SUBJECT", "ANALYSIS")
_BOOKKEEPING = {"USED", "IS_STATIC", "USES_PREFIXES"}


def read_events(file: C3DFile) -> tuple[tuple[Event, ...], list[Note]]:
    """Initial contacts and foot offs in EVENT:TIMES, in s from the first frame of the file; notes name other events.

    EVENT:TIMES holds minutes and seconds from frame 1 of the recording (time 0), which a cropped file does not contain.
    """
    times = file.numbers("EVENT", "TIMES")
    times = times[:, None] if times.ndim == 1 else times  # a file of one event may drop the last index
    if times.ndim != 2 or times.shape[0] != 2:
        return (), []
    start = (file.layout.first_frame - 1) / file.layout.rate
    end = file.layout.frames / file.layout.rate
    events, others, outside = [], [], []
    count = min(times.shape[1], file.parameters.integer("EVENT", "USED", times.shape[1]))
    labels, contexts = (file.texts_of("EVENT", name, count) for name in ("LABELS", "CONTEXTS"))
    for (minutes, seconds), label, context in zip(times.T[:count], labels, contexts, strict=False):
        time = float(60.0 * minutes + seconds - start)
        kind, side = _KINDS.get(label.lower()), context.lower()
        if kind is None or side not in ("left", "right") or not np.isfinite(time):
            others.append(f"{context} {label} at {time:.3f} s".strip())
        elif not -0.5 / file.layout.rate < time < end:
            outside.append(f"{context} {label} at {time:.3f} s")
        else:
            events.append(Event(time, side, kind, "file"))
    notes = []
    if others:
        text = f"not used because they are not initial contacts or foot offs of a side: {'; '.join(others)}"
        notes.append(Note("info", "events", text))
    if outside:
        text = (
            f"not used because they are outside the {end:.3f} s that the file holds: {'; '.join(outside)}; correct "
            "them in the recording software"
        )
        notes.append(Note("warning", "events", text))
    return tuple(sorted(events, key=lambda event: event.time)), notes


def read_parameters(file: C3DFile) -> dict[str, float]:
    """Single numbers in the groups that describe the subject, by name without ``$`` signs, in the file's units.

    If names are then the same, the first is kept; case is ignored, since C3D parameter names are case-insensitive.
    """
    parameters: dict[str, float] = {}
    taken: set[str] = set()
    for group in _GROUPS:
        for (owner, key), entry in file.parameters.entries.items():
            values = file.numbers(owner, key)
            if owner != group or key in _BOOKKEEPING or values.size != 1:
                continue
            name = entry.spelling.strip("$")
            if np.isfinite(values).all() and name.lower() not in taken:
                taken.add(name.lower())
                parameters[name] = values.item()
    return parameters
