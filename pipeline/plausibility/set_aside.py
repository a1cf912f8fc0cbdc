"""Steps on plates whose loads contradict the motion by more than a clinician decides on: shown, but in no average."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeVar

from pipeline.config import PlateContact
from pipeline.plausibility.plates import fore_aft_errors
from pipeline.signals import meant_stances
from pipeline.trial import CycleCurves, GaitCycles, Kinematics, Note, Stance, StanceCurves

MAX_MOMENT_ERROR = 0.2
"""Nm/kg: differences below it are not told from those between two laboratories, whose minimum detectable one is 0.08 to
0.14 in the frontal plane of the knee (2.77 times a standard error of 0.03 to 0.05, "Knee-specific gait biomechanics are
reliable when collected in multiple laboratories by independent raters", two laboratories, twelve people)."""

C = TypeVar("C", CycleCurves, StanceCurves)


def without_contradicted(cycles: GaitCycles, kinematics: Kinematics, kept: Sequence[PlateContact] = ()) -> GaitCycles:
    """The cycles, those whose step on a plate contradicts the motion marked as in no average, with a note on each.

    Args:
        cycles, kinematics: of a walk.
        kept: steps that the study averages all the same.

    Raises:
        SignalError: ``kept`` names a contact that there is not.
    """
    of_study = meant_stances(kinematics.stances, kept, "kept_steps", f"trial {kinematics.name}")
    wrong = {
        step.stance: error
        for step, error in fore_aft_errors(kinematics)
        if error > MAX_MOMENT_ERROR and step.stance not in of_study
    }
    notes = [
        Note(
            "left out",
            stance.on,
            f"the {stance.side} foot's step is shown but in no average, as its force contradicts the body's motion "
            f"and the hip's moment may be off by {error:.1f} Nm/kg (limit {MAX_MOMENT_ERROR:g}); kept_steps "
            f"{stance.plate}:{0.5 * (stance.onset + stance.end):.2f} in trials.tsv averages it",
        )
        for stance, error in wrong.items()
    ]

    def marked(curves: C, stance: Stance | None) -> C:
        return replace(curves, set_aside="its force contradicts the motion of the body") if stance in wrong else curves

    return replace(
        cycles,
        cycles=tuple(marked(c, _stance_of(c, kinematics)) for c in cycles.cycles),
        stances=tuple(marked(s, s.stance) for s in cycles.stances),
        notes=(*cycles.notes, *notes),
    )


def _stance_of(curves: CycleCurves, kinematics: Kinematics) -> Stance | None:
    """The step on a plate of a gait cycle."""
    cycle = curves.cycle
    for stance in kinematics.stances:
        same = (stance.side, stance.plate) == (cycle.side, cycle.plate)
        if same and stance.onset < cycle.foot_off and cycle.initial_contact < stance.end:
            return stance
    return None
