"""Notes on a walk's kinematics: cut-off, missing labels, static trial, and plates assigned to feet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import numpy as np

from pipeline.anatomy import BodyMotion, MarkerSet
from pipeline.conventions import Y
from pipeline.trial import CUTOFF_METHODS, CutoffEvidence, Note, RawTrial

MAX_TILT = 1.0
"""Degrees between the verticals of walk and static trial above which there is a warning: the feet turn by as much."""


def cutoff_notes(cutoff: CutoffEvidence) -> Iterator[Note]:
    """A note on a cut-off chosen from the markers' noise; a warning if it is at the limit of the range tried."""
    if cutoff.method == "given":
        return
    name = CUTOFF_METHODS[cutoff.method]
    if cutoff.value in (cutoff.tried[0], cutoff.tried[-1]):
        text = (
            f"{cutoff.value:g} Hz, the limit of what {name} tries, because the markers' noise is not white (they were "
            "probably smoothed before): give the cut-off in config.yaml (filter)"
        )
        yield Note("warning", "cut-off", text)
    else:
        yield Note("estimated", "cut-off", f"{cutoff.value:g} Hz from the noise of the markers, by {name}")


def gaps_together(notes: Iterable[Note], marker_set: MarkerSet) -> Iterator[Note]:
    """The notes of `fill_gaps`, with one warning for all markers that are missing in the same frames.

    A gap is a warning if the legs' results need the marker, unless most of the set's markers share it: then the body
    had not yet come or had already left.
    """
    needed = marker_set.labels | marker_set.alternatives
    gaps: dict[tuple[str, bool], list[str]] = {}
    for note in notes:
        if note.kind == "warning":
            name = note.subject.removeprefix("marker ")
            gaps.setdefault((note.text, name in needed), []).append(name)
        else:
            yield note
    for (text, is_needed), names in gaps.items():
        away = is_needed and len(names) > 0.5 * len(needed)
        subject = f"marker{'s' if len(names) > 1 else ''} {', '.join(names)}"
        yield Note("warning" if is_needed and not away else "info" if away else "left out", subject, text)


def absent_markers(motion: BodyMotion) -> Iterator[Note]:
    """Warnings on labels of the marker set that the walk lacks."""
    for name in motion.absent:
        yield Note("warning", "walk", f"has no marker {name}, so what needs it is missing: check the labels")


def static_trial_notes(static: RawTrial, jump_notes: tuple[Note, ...], walk: RawTrial) -> Iterator[Note]:
    """Warnings about the static trial, which has no page of its own, and about a vertical other than the walk's."""
    if static.name == walk.name:
        return
    for note in (*static.notes, *jump_notes):
        if note.kind in ("warning", "left out") and note not in walk.notes:
            yield replace(note, subject=f"{static.name}, {note.subject}")
    tilted = np.degrees(np.arccos(np.clip(walk.R_GL[Y] @ static.R_GL[Y], -1.0, 1.0)))
    if tilted > MAX_TILT:
        text = (
            f"the vertical differs by {tilted:.0f} degrees (limit {MAX_TILT:g}) between {static.name} and {walk.name} "
            "in the laboratory's axes, which turns the feet: give 'up' in config.yaml (axes) or trials.tsv"
        )
        yield Note("warning", "lab axes", text)


def unknown_plates(walk: RawTrial, assigned: Mapping[int, str]) -> Iterator[Note]:
    """Warnings on plates that trials.tsv assigns to a foot but that the recording does not have."""
    known = [plate.number for plate in walk.plates]
    for number, foot in assigned.items():
        if number not in known and foot != "none":
            usable = ", ".join(map(str, known)) or "none"
            text = (
                f"assigned to the {foot} foot in trials.tsv, but the usable plates of the recording are {usable}: "
                "correct trials.tsv"
            )
            yield Note("warning", f"plate {number}", text)
