"""Initial contacts and foot offs stored in a C3D file: in its parameter group EVENT and in its header.

After the C3D file format user guide (Motion Lab Systems), chapters on header events and on the EVENT group. A file may
have both, each with events of its own.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator

from pipeline.acquisition.c3d_file import C3DFile
from pipeline.trial import Event, Note

_KINDS = {
    "initial contact": "foot ?strike|heel ?strike|foot ?contact|heel ?contact|initial ?contact|hs|fs|ic|on",
    "foot off": "foot ?off|toe ?off|fo|to|off",
}
"""Names of each kind of event: those of Nexus in full, and the abbreviations of Visual3D and of header events."""
_WORDS = {
    "left": "left l links gauche sinistra sinistro izquierda izquierdo esquerda esquerdo",
    "right": "right r rechts droite droit destra destro derecha derecho direita direito",
}
"""Names of each side: English, with its initials, and the words of German, Dutch, French, Italian, Spanish and
Portuguese, in which users name the contexts of events. Other initials are left out: D is right in French, but G is
also General."""
_SIDES = {word: side for side, words in _WORDS.items() for word in words.split()}
_SIDE = "|".join(_SIDES)
_LABEL = re.compile(rf"(?:({_SIDE}) ?)?(?:({_KINDS['initial contact']})|({_KINDS['foot off']}))(?: ?({_SIDE}))?")
"""A label with its side before or after the name, if it has one."""

_HEADER_KEY = 12345
"""Marks a header whose event labels have four characters."""
_HEADER_EVENTS = 18
_KEY_AT, _COUNT_AT, _TIMES_AT, _LABELS_AT = 298, 300, 304, 396
"""Positions of the header's events in the file, bytes."""


def read_events(file: C3DFile) -> tuple[tuple[Event, ...], list[Note]]:
    """Initial contacts and foot offs of a side, in s from the first frame of the file; notes name other events."""
    end = file.layout.frames / file.layout.rate
    events, others, outside = [], [], []
    for time, context, label in (*_of_group(file), *_of_header(file)):
        side, kind = named_event(context, label)
        if not (side and kind and math.isfinite(time)):
            others.append(f"{context} {label} at {time:.3f} s".strip())
        elif not -0.5 / file.layout.rate < time < end:
            outside.append(f"{context} {label} at {time:.3f} s".strip())
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


def named_event(context: str, label: str) -> tuple[str, str]:
    """Side and kind of an event; blank if it has none, or if context and label name different sides.

    >>> named_event("Right", "Foot Strike")
    ('right', 'initial contact')
    >>> named_event("", "LTO")
    ('left', 'foot off')
    >>> named_event("Rechts", "Foot Strike")
    ('right', 'initial contact')
    >>> named_event("General", "Event")
    ('', '')
    """
    found = _LABEL.fullmatch(re.sub(r"[\s_-]+", " ", label).strip().lower())
    if found is None:
        return "", ""
    before, contact, _, after = found.groups()
    sides = {_SIDES[name] for name in (before, after, context.strip().lower()) if name in _SIDES}
    return (sides.pop() if len(sides) == 1 else ""), "initial contact" if contact else "foot off"


def _of_group(file: C3DFile) -> Iterator[tuple[float, str, str]]:
    """Time, context and label of each event of the group EVENT.

    EVENT:TIMES has minutes and seconds from frame 1 of the recording (time 0), which a cropped file does not contain.
    """
    times = file.numbers("EVENT", "TIMES")
    times = times[:, None] if times.ndim == 1 else times  # a file of one event may drop the last index
    if times.ndim != 2 or times.shape[0] != 2:
        return
    start = (file.layout.first_frame - 1) / file.layout.rate
    count = min(times.shape[1], file.parameters.integer("EVENT", "USED", times.shape[1]))
    contexts, labels = (file.texts_of("EVENT", name, count) for name in ("CONTEXTS", "LABELS"))
    for (minutes, seconds), context, label in zip(times.T[:count], contexts, labels, strict=False):
        yield float(60.0 * minutes + seconds - start), context, label


def _of_header(file: C3DFile) -> Iterator[tuple[float, str, str]]:
    """Time, an empty context and the label of each event of the header, whose times count from the first frame."""
    content, numbers = file.parameters.file.content, file.parameters.format
    count = numbers.word(content, _COUNT_AT)
    if numbers.word(content, _KEY_AT) != _HEADER_KEY or not 0 < count <= _HEADER_EVENTS:
        return
    times = numbers.reals(content, _TIMES_AT, count)
    for i, time in enumerate(times):
        label = content[_LABELS_AT + 4 * i : _LABELS_AT + 4 * i + 4].decode("ascii", "replace").strip("\0 ")
        if label:
            yield float(time), "", label
