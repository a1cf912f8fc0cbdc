"""The row of a walk in the study's table, from its results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import numpy as np

from pipeline.analysis import LOADS, loads_of_cycles
from pipeline.analysis.variables import VARIABLES
from pipeline.conventions import SIDES
from pipeline.reporting.entries import SideLoads, StudyEntry, WholeBodySummary
from pipeline.reporting.trial.quality import assess
from pipeline.trial import (
    Findings,
    GaitCycles,
    GaitSummary,
    GroundFromMotion,
    InverseDynamics,
    Kinematics,
    MuscleActivity,
    WholeBody,
)


def study_entry(
    kinematics: Kinematics,
    loads: InverseDynamics,
    cycles: GaitCycles,
    summary: GaitSummary,
    findings: Findings,
    page: str,
    whole_body: WholeBodySummary | None = None,
    emg: MuscleActivity | None = None,
    body: WholeBody | None = None,
    estimated: GroundFromMotion | None = None,
) -> StudyEntry:
    """The row of a computed trial, with all warnings of the walk's page and of its page on the skeleton (``body``)."""
    notes = (*(body.notes if body else ()), *(estimated.notes if estimated else ()))
    of_skeleton = [note for note in notes if note.kind == "warning"]
    quality = assess(kinematics, loads, cycles, summary, findings, emg)
    return StudyEntry(
        subject=kinematics.subject,
        trial=kinematics.name,
        page=page,
        cycles=(quality.cycles["left"], quality.cycles["right"]),
        kinetic_cycles=(quality.kinetic_cycles["left"], quality.kinetic_cycles["right"]),
        kinetic_stances=(quality.stances["left"], quality.stances["right"]),
        speed=summary.walking_speed,
        cadence=summary.cadence,
        gaps=quality.gaps,
        warnings=len(quality.warnings) + len(of_skeleton),
        alarms=tuple(f"{note.subject}: {note.text}" for note in (*quality.refusals, *quality.warnings, *of_skeleton)),
        refusals=tuple(f"{note.subject}: {note.text}" for note in quality.refusals),
        limits=tuple(f"{side}: {quality.no_kinetics[side]}" for side in SIDES if quality.no_kinetics[side]),
        gps=summary.gps_overall,
        whole_body=whole_body,
        thumbnail=thumbnail(summary),
        loads=tuple(side_loads(kinematics, cycles)),
    )


def side_loads(kinematics: Kinematics, cycles: GaitCycles) -> Iterator[SideLoads]:
    """Loads of the cycles of each side that has cycles, and why cycles have none, with how many if not only one."""
    every = list(loads_of_cycles(cycles.cycles, kinematics.stances, len(kinematics.plates)))
    for side in SIDES:
        own = [one for one in every if one.side == side]
        measured, estimated, none = (sum(one.loads == kind for one in own) for kind in LOADS)
        reasons = Counter(one.reason for one in own if one.reason)
        if own:
            texts = (f"{text} ({count} cycles)" if count > 1 else text for text, count in reasons.items())
            yield SideLoads(side, measured, estimated, none, tuple(texts))


THUMBNAIL = 80, 24
"""Width and height of the drawing of a walk in the study's table."""


def thumbnail(summary: GaitSummary) -> tuple[str, str]:
    """SVG path of each side's mean knee flexion, in the range of its panels; empty if values are missing."""
    low, high = VARIABLES["knee_flexion"].axis or (0.0, 1.0)
    width, height = THUMBNAIL
    paths = []
    for side in SIDES:
        curve = summary.mean[side]["knee_flexion"][::4]
        y = height * (1.0 - (np.clip(curve, low, high) - low) / (high - low))
        points = " ".join(f"{width * k / (len(y) - 1):.0f} {v:.0f}" for k, v in enumerate(y))
        paths.append(f"M{points}" if np.isfinite(y).all() else "")
    return paths[0], paths[1]
