"""What the reader must know before trusting a trial: warnings, what was left out and why, and how much was filled."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import SIDES
from pipeline.trial import GaitCycles, GaitSummary, InverseDynamics, Kinematics, Note, NoteKind

HEADINGS: dict[NoteKind, str] = {
    "warning": "Warnings",
    "left out": "Left out",
    "estimated": "Estimated",
    "assumed": "Assumed",
    "filled": "Filled",
    "info": "For information",
}
"""Kinds of notes in the order in which they are shown."""


@dataclass(frozen=True)
class Quality:
    """Counts and sentences for the top of a page.

    Attributes:
        notes: of all stages, each once, by kind, in the order of `HEADINGS`.
        cycles, kinetic_cycles: by side: all, and those with a clean step on a plate.
        no_kinetics: why a side has no kinetics, by side; empty for a side that has some.
        gaps, filled_frames: marker gaps filled, and frames of markers in them.
    """

    notes: dict[str, tuple[Note, ...]]
    cycles: dict[str, int]
    kinetic_cycles: dict[str, int]
    no_kinetics: dict[str, str]
    gaps: int
    filled_frames: int

    @property
    def warnings(self) -> tuple[Note, ...]:
        """Notes that warn."""
        return self.notes.get(HEADINGS["warning"], ())

    @property
    def without_kinetics(self) -> str:
        """Why no side has kinetics, both sides in one sentence; empty if one has."""
        if all(self.no_kinetics.values()):
            return "; ".join(dict.fromkeys(f"{side}: {reason}" for side, reason in self.no_kinetics.items()))
        return ""


def assess(kinematics: Kinematics, loads: InverseDynamics, cycles: GaitCycles, summary: GaitSummary) -> Quality:
    """Collect what a trial's stages noted."""
    every = dict.fromkeys(
        (*kinematics.notes, *kinematics.calibration.notes, *loads.notes, *cycles.notes, *summary.notes)
    )
    count = {side: [c.cycle for c in cycles.cycles if c.cycle.side == side] for side in SIDES}
    kinetic = {side: sum(bool(cycle.plate) for cycle in own) for side, own in count.items()}
    return Quality(
        notes=by_heading(every),
        cycles={side: len(own) for side, own in count.items()},
        kinetic_cycles=kinetic,
        no_kinetics={
            side: "" if kinetic[side] else _why_no_kinetics(side, kinematics, bool(count[side])) for side in SIDES
        },
        gaps=int((np.diff(kinematics.filled.astype(np.int8), axis=0, prepend=0) == 1).sum()),
        filled_frames=int(kinematics.filled.sum()),
    )


def by_heading(notes: Iterable[Note]) -> dict[str, tuple[Note, ...]]:
    """Notes by the heading of their kind, in the order of `HEADINGS`."""
    notes = tuple(notes)
    grouped = {heading: tuple(note for note in notes if note.kind == kind) for kind, heading in HEADINGS.items()}
    return {heading: group for heading, group in grouped.items() if group}


def _why_no_kinetics(side: str, kinematics: Kinematics, has_cycle: bool) -> str:
    """The nearest reason: no plates, no step of this foot on one, a step that was left out, or no whole cycle."""
    if not kinematics.plates:
        return "the recording has no force plate"
    steps = [s for s in kinematics.stances if s.side in (side, "")]
    if not steps:
        return f"the {side} foot is on no plate"
    left_out = [f"plate {s.plate}: {s.rejected}" for s in steps if s.rejected]
    if len(left_out) == len(steps):
        return "; ".join(left_out)
    if not has_cycle:
        return "no complete gait cycle: two initial contacts and a foot off are needed"
    return "the clean step is not the stance of a whole gait cycle"
