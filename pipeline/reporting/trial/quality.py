"""Data quality of a trial, from its stages' notes and findings: warnings, missing kinetics, filled gaps."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pipeline.conventions import SIDES
from pipeline.reporting.notes import HEADINGS, by_heading
from pipeline.results import why_missing
from pipeline.trial import (
    CurveUncertainty,
    Finding,
    Findings,
    GaitCycles,
    GaitSummary,
    Grade,
    InverseDynamics,
    Kinematics,
    MuscleActivity,
    Note,
    NoteKind,
)


@dataclass(frozen=True)
class Quality:
    """Counts and sentences for the quality section of a page.

    Attributes:
        notes: of all stages and findings, each once, by kind, in the order of `HEADINGS`.
        cycles, kinetic_cycles: number of all cycles, and of those with a clean step on a plate, by side.
        no_cycle: sides without a complete gait cycle; empty if it is not known whether there is one.
        stances: number of clean steps on a plate outside complete cycles, by side.
        no_kinetics: why a side has no kinetics, by side; empty for a side with kinetics.
        gaps, filled_frames: number of filled marker gaps, and of marker frames in them.
    """

    notes: dict[str, tuple[Note, ...]]
    cycles: dict[str, int]
    kinetic_cycles: dict[str, int]
    no_cycle: tuple[str, ...]
    stances: dict[str, int]
    no_kinetics: dict[str, str]
    gaps: int
    filled_frames: int

    @property
    def refusals(self) -> tuple[Note, ...]:
        """Notes after which the results must not be used."""
        return self.notes.get(HEADINGS["refusal"], ())

    @property
    def warnings(self) -> tuple[Note, ...]:
        """Warnings."""
        return self.notes.get(HEADINGS["warning"], ())

    @property
    def without_kinetics(self) -> str:
        """Why no side has kinetics, both sides in one sentence; empty if one side has."""
        if all(self.no_kinetics.values()):
            return "; ".join(dict.fromkeys(f"{side}: {reason}" for side, reason in self.no_kinetics.items()))
        return ""


NO_CYCLE_ON_PLATE = "the clean step is not the stance of a complete gait cycle"

KINDS: dict[Grade, NoteKind] = {"refusal": "refusal", "warning": "warning", "note": "info"}
"""Kind of the note made from a finding, by the finding's grade."""


def note_of(finding: Finding) -> Note:
    """A finding as a note."""
    return Note(KINDS[finding.grade], finding.subject, finding.sentence)


def assess(
    kinematics: Kinematics,
    loads: InverseDynamics,
    cycles: GaitCycles,
    summary: GaitSummary,
    findings: Findings,
    emg: MuscleActivity | None = None,
    uncertainty: CurveUncertainty | None = None,
) -> Quality:
    """Collect the notes of a trial's stages and the findings of its checks."""
    of_stages = (*kinematics.notes, *kinematics.calibration.notes, *loads.notes, *cycles.notes, *summary.notes)
    of_stages += tuple(note for result in (emg, uncertainty) if result for note in result.notes)
    every = dict.fromkeys((*map(note_of, findings.findings), *of_stages))
    count = {side: [c.cycle for c in cycles.cycles if c.cycle.side == side] for side in SIDES}
    taken, without_loads = why_missing(cycles) or why_missing(loads), bool(why_missing(loads))
    kinetic = {side: 0 if without_loads else sum(bool(cycle.plate) for cycle in own) for side, own in count.items()}
    estimated = {c.cycle.side for c in cycles.cycles if c.estimated}
    stances = {side: 0 if without_loads else sum(s.stance.side == side for s in cycles.stances) for side in SIDES}
    return Quality(
        notes=by_heading(every),
        cycles={side: len(own) for side, own in count.items()},
        kinetic_cycles=kinetic,
        no_cycle=() if why_missing(cycles) else tuple(side for side, own in count.items() if not own),
        stances=stances,
        no_kinetics={
            side: ""
            if kinetic[side] or side in estimated
            else taken or _why_no_kinetics(side, kinematics, bool(count[side]), stances[side])
            for side in SIDES
        },
        gaps=int((np.diff(kinematics.filled.astype(np.int8), axis=0, prepend=0) == 1).sum()),
        filled_frames=int(kinematics.filled.sum()),
    )


def _why_no_kinetics(side: str, kinematics: Kinematics, has_cycle: bool, alone: int) -> str:
    """The most direct reason: no plates, no step of this foot on one, an excluded step, or no complete cycle."""
    if not kinematics.plates:
        return "the recording has no force plate"
    steps = [s for s in kinematics.stances if s.side in (side, "")]
    if not steps:
        return f"the {side} foot did not contact a plate"
    excluded = [f"{s.on}: {s.rejected}" for s in steps if s.rejected]
    if len(excluded) == len(steps):
        return "; ".join(excluded)
    if alone:
        return f"{NO_CYCLE_ON_PLATE}; moments and powers over stance are given under Kinetics"
    if not has_cycle:
        return "no complete gait cycle: two initial contacts and a foot off are needed"
    return NO_CYCLE_ON_PLATE
