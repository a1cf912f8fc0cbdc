"""Steps on plates whose loads are off by more than a clinician decides on: shown, but in no average.

A step counts where what the plate says is contradicted by the motion, by the foot or by its own course in time, not
where it merely differs from the walk's other steps, as those of a limp do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from pipeline.anatomy import MarkerSet
from pipeline.config import PlateContact
from pipeline.plausibility.effects import DECIDED_MOMENT, with_effects
from pipeline.plausibility.force_motion import force_motion
from pipeline.plausibility.heel_contact import heel_contact
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.plates import fore_aft_errors, plates
from pipeline.plausibility.plates_by_motion import plates_by_motion
from pipeline.plausibility.push_off import push_off
from pipeline.plausibility.suspects import PlateError, Suspicion
from pipeline.signals import meant_stances
from pipeline.trial import (
    CycleCurves,
    GaitCycles,
    InverseDynamics,
    Kinematics,
    MarkersAndPlates,
    Note,
    Stance,
    StanceCurves,
)

C = TypeVar("C", CycleCurves, StanceCurves)


@dataclass(frozen=True)
class Contradiction:
    """Why a step's loads are off, the moment that is off farthest, and by how much, Nm/kg."""

    text: str
    moment_of: str
    moment_error: float


def contradicted_steps(
    kinematics: Kinematics, loads: InverseDynamics, walk: MarkersAndPlates, marker_set: MarkerSet, limits: Limits
) -> dict[Stance, Contradiction]:
    """Clean steps that are off by more than a clinician decides on, each with the finding that says most.

    Args:
        kinematics, loads: of a walk.
        walk: its recording.
        marker_set: definitions of the labels.
        limits: of the residuals; only what is beyond that of a warning counts.
    """
    found = [
        *force_motion(kinematics, loads, walk, limits),
        *plates(kinematics, walk, limits),
        *heel_contact(kinematics, loads, walk, limits),
        *push_off(kinematics, loads, limits),
        *plates_by_motion(kinematics, loads, marker_set, limits),
    ]
    warned = [f for f in found if isinstance(f, Suspicion) and (not f.residual or limits.warns(f.residual, f.value))]
    contradicted = {
        step.stance: Contradiction("its force contradicts the body's motion", "hip's moment", error)
        for step, error in fore_aft_errors(kinematics)
        if error > DECIDED_MOMENT
    }
    for finding in with_effects(warned, kinematics, loads, marker_set):
        error = finding.error if isinstance(finding, Suspicion) else None
        if isinstance(error, PlateError) and error.known and finding.moment_error > DECIDED_MOMENT:
            for stance in error.stances:
                known = contradicted.get(stance)
                if known is None or finding.moment_error > known.moment_error:
                    contradicted[stance] = Contradiction(finding.text, finding.moment_of, finding.moment_error)
    return contradicted


def without_contradicted(
    cycles: GaitCycles,
    kinematics: Kinematics,
    contradicted: Mapping[Stance, Contradiction],
    kept: Sequence[PlateContact] = (),
) -> GaitCycles:
    """The cycles, those whose step on a plate is contradicted marked as in no average, with a note on each.

    Args:
        cycles, kinematics: of a walk.
        contradicted: its steps that are off.
        kept: steps that the study averages all the same.

    Raises:
        SignalError: ``kept`` names a contact that there is not.
    """
    of_study = meant_stances(kinematics.stances, kept, "kept_steps", f"trial {kinematics.name}")
    wrong = {stance: why for stance, why in contradicted.items() if stance not in of_study}
    notes = [
        Note(
            "left out",
            stance.on,
            f"the {stance.side} foot's step is shown but in no average: {why.text}, and the {why.moment_of} may be off "
            f"by {why.moment_error:.1f} Nm/kg (limit {DECIDED_MOMENT:g}); kept_steps "
            f"{stance.plate}:{0.5 * (stance.onset + stance.end):.2f} in trials.tsv averages it",
        )
        for stance, why in wrong.items()
    ]

    def marked(curves: C, stance: Stance | None) -> C:
        return replace(curves, set_aside=wrong[stance].text) if stance in wrong else curves

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
