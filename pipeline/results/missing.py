"""Substitutes for a stage's value after a defect of the program: all values are missing, and a note gives the reason.

With them, everything that does not depend on the value is still computed, shown and written.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.analysis import mean_leg_length, summarise
from pipeline.conventions import SIDES
from pipeline.math3d import Wrench
from pipeline.results.status import Failure
from pipeline.trial import (
    Findings,
    GaitCycles,
    GaitSummary,
    InverseDynamics,
    JointLoad,
    JointMoment,
    JointMoments,
    MotionAndPlates,
    Note,
)

LOADS, CYCLES, AVERAGES = "joint loads", "gait cycles", "averages"
"""Subjects of the notes."""


def why_missing(value: InverseDynamics | GaitCycles) -> str:
    """The reason why loads or cycles are missing as a whole; empty if a stage computed them."""
    return next((note.text for note in value.notes if note.subject in (LOADS, CYCLES)), "")


def loads_or_missing(found: InverseDynamics | Failure, kinematics: MotionAndPlates) -> InverseDynamics:
    """The joint loads of a walk, or missing loads for every joint and missing ground reactions on both feet."""
    if not isinstance(found, Failure):
        return found
    unknown = _unknown(kinematics)
    load = JointLoad(*(unknown,) * 5, power=unknown[:, 0], contributions={})
    return InverseDynamics(
        name=kinematics.name,
        subject=kinematics.subject,
        mass=kinematics.calibration.values["mass"],
        time=kinematics.time,
        ground={side: Wrench(unknown, unknown, unknown) for side in SIDES},
        joints=dict.fromkeys(kinematics.joints, load),
        equations={},
        notes=(_note(LOADS, found),),
    )


def moments_or_missing(found: JointMoments | Failure, kinematics: MotionAndPlates) -> JointMoments:
    """The joint moments of a walk, or missing moments for every joint."""
    if not isinstance(found, Failure):
        return found
    joints = dict.fromkeys(kinematics.joints, JointMoment(_unknown(kinematics)))
    return JointMoments(kinematics.calibration.values["mass"], joints)


def cycles_or_missing(found: GaitCycles | Failure, kinematics: MotionAndPlates) -> GaitCycles:
    """The gait cycles of a walk, or none."""
    if not isinstance(found, Failure):
        return found
    return GaitCycles(kinematics.name, kinematics.subject, "distal", (), (_note(CYCLES, found),))


def averages_or_missing(found: GaitSummary | Failure, kinematics: MotionAndPlates) -> GaitSummary:
    """The averages of a walk, or averages over no cycle and without a norm."""
    if not isinstance(found, Failure):
        return found
    nothing = GaitCycles(kinematics.name, kinematics.subject, "distal", (), ())
    return replace(summarise(nothing, mean_leg_length(kinematics.calibration), None), notes=(_note(AVERAGES, found),))


def findings_or_unchecked(found: Findings | Failure, walk: MotionAndPlates) -> Findings:
    """The findings on a walk, or a finding that its checks were not made."""
    return Findings.unchecked(walk.name, walk.subject, found.reason) if isinstance(found, Failure) else found


def _unknown(kinematics: MotionAndPlates) -> np.ndarray:
    return np.full((len(kinematics.time), 3), np.nan)


def _note(what: str, failure: Failure) -> Note:
    return Note("left out", what, failure.reason)
