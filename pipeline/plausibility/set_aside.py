"""Steps and curves with errors larger than a clinician decides on: shown, but not averaged.

A step on a plate is left out if the motion, the foot, or the step's own course in time contradicts the plate's load,
not if it merely differs from the walk's other steps, as the steps of a limp do. A curve is left out if the walk itself
shows that a marker, wand or offset of a leg is wrong. A contradiction with the static trial is reported but does not
count, since either trial may be the wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import TypeVar

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, Variable, clinical_moments, is_of_cycle
from pipeline.anatomy import MarkerSet
from pipeline.config import PlateContact
from pipeline.conventions import SIDES
from pipeline.errors import SignalError
from pipeline.plausibility.centre_of_pressure import heel_contact, push_off
from pipeline.plausibility.crosstalk import crosstalk
from pipeline.plausibility.effects import DECIDED_ANGLE, DECIDED_MOMENT, BodyChanges, body_changes, with_effects
from pipeline.plausibility.force_motion import force_motion
from pipeline.plausibility.knees import knee_markers
from pipeline.plausibility.limits import Limits
from pipeline.plausibility.plates import fore_aft_errors, plates
from pipeline.plausibility.plates_by_motion import plates_by_motion
from pipeline.plausibility.shank_axis import shank_axes
from pipeline.plausibility.suspected_errors import BodyError, FindingWithError, PlateError
from pipeline.signals import meant_stances
from pipeline.trial import (
    CycleCurves,
    GaitCycles,
    InverseDynamics,
    Kinematics,
    MarkersAndPlates,
    MotionAndPlates,
    Note,
    Stance,
    StanceCurves,
)

C = TypeVar("C", CycleCurves, StanceCurves)


@dataclass(frozen=True)
class Contradiction:
    """Why a step's loads are wrong, the moment with the largest error, and that error, Nm/kg."""

    text: str
    moment_of: str
    moment_error: float


@dataclass(frozen=True)
class DoubtfulCurve:
    """Why a curve is wrong, the error in its unit, and the limit."""

    text: str
    size: float
    unit: str
    limit: float


def contradicted_steps(
    kinematics: Kinematics, loads: InverseDynamics, walk: MarkersAndPlates, marker_set: MarkerSet, limits: Limits
) -> dict[Stance, Contradiction]:
    """Clean steps with errors larger than a clinician decides on, each with the finding of the largest effect.

    Args:
        kinematics, loads: of a walk.
        walk: its recording.
        marker_set: definitions of the labels.
        limits: of the residuals; only residuals beyond the limit of a warning count.
    """
    found = [
        *force_motion(kinematics, loads, walk, limits),
        *plates(kinematics, walk, limits),
        *heel_contact(kinematics, loads, walk, limits),
        *push_off(kinematics, loads, limits),
        *plates_by_motion(kinematics, loads, marker_set, limits),
    ]
    warned = [
        f for f in found if isinstance(f, FindingWithError) and (not f.residual or limits.warns(f.residual, f.value))
    ]
    contradicted = {
        step.stance: Contradiction("its force contradicts the body's motion", "hip's moment", error)
        for step, error in fore_aft_errors(kinematics)
        if error > DECIDED_MOMENT
    }
    for finding in with_effects(warned, kinematics, loads, marker_set):
        error = finding.error if isinstance(finding, FindingWithError) else None
        if isinstance(error, PlateError) and error.known and finding.moment_error > DECIDED_MOMENT:
            for stance in error.stances:
                known = contradicted.get(stance)
                if known is None or finding.moment_error > known.moment_error:
                    contradicted[stance] = Contradiction(finding.text, finding.moment_of, finding.moment_error)
    return contradicted


def doubtful_curves(
    kinematics: Kinematics, loads: InverseDynamics, marker_set: MarkerSet, limits: Limits
) -> dict[tuple[str, str], DoubtfulCurve]:
    """Curves of angles and moments with errors larger than a clinician decides on, by side and name.

    Args:
        kinematics, loads: of a walk.
        marker_set: definitions of the labels.
        limits: of the residuals; only residuals beyond the limit of a warning count.
    """
    found = knee_markers(kinematics, marker_set), crosstalk(kinematics, marker_set), shank_axes(kinematics, limits)
    doubtful: dict[tuple[str, str], DoubtfulCurve] = {}
    for finding in chain(*found):
        error = finding.error if isinstance(finding, FindingWithError) else None
        if finding.grade == "note" or (finding.residual and not limits.warns(finding.residual, finding.value)):
            continue
        changes = body_changes(error, kinematics, loads, marker_set) if isinstance(error, BodyError) else None
        if changes is None:
            continue
        for side, variable in product(SIDES, CYCLE_VARIABLES.values()):
            size, unit, limit = _change_of(variable, side, changes)
            known = doubtful.get((side, variable.name))
            if size > limit and (known is None or size > known.size):
                doubtful[side, variable.name] = DoubtfulCurve(f"{finding.subject}: {finding.text}", size, unit, limit)
    return doubtful


def _change_of(variable: Variable, side: str, changes: BodyChanges) -> tuple[float, str, float]:
    """Largest change of a curve of a side, its unit, and the limit; zero for a curve that is no angle or moment."""
    column = variable.cycle
    if column is None or column.index is None or column.field not in ("angles", "moments"):
        return 0.0, "", np.inf
    joint = column.joint if column.joint == "pelvis" else f"{side}_{column.joint}"
    if column.field == "angles":
        own = changes.angles.get(joint, np.zeros(3))
        return float(own[column.index]), "degrees", DECIDED_ANGLE
    own = np.abs(clinical_moments(joint, changes.moments.get(joint, np.zeros(3))[None]))[0]
    return float(own[column.index]), "Nm/kg", DECIDED_MOMENT


def without_doubtful(
    cycles: GaitCycles, doubtful: Mapping[tuple[str, str], DoubtfulCurve], kept: Sequence[tuple[str, str]] = ()
) -> GaitCycles:
    """The cycles, with doubtful curves marked as not averaged, and a note for each reason.

    Args:
        cycles: of a walk.
        doubtful: doubtful curves, by side and name.
        kept: curves that the study averages nevertheless.

    Raises:
        SignalError: ``kept`` names a curve that is not doubtful.
    """
    for side, name in kept:
        if (side, name) not in doubtful:
            known = "; ".join(" ".join(curve) for curve in doubtful) or "none"
            raise SignalError(
                f"column 'kept_curves': '{side} {name}' is not set aside; those of this walk are: {known}",
                where=f"trial {cycles.name}",
                remedy="Correct the name, or leave the cell blank",
            )
    wrong = {curve: why for curve, why in doubtful.items() if curve not in kept}
    texts: dict[str, list[str]] = {}
    for (side, name), why in wrong.items():
        label = CYCLE_VARIABLES[name].label
        off = f"{side} {label[:1].lower()}{label[1:]} by {float(f'{why.size:.2g}'):g} {why.unit}"
        texts.setdefault(why.text, []).append(off)
    notes = [
        Note(
            "left out",
            "curves",
            f"shown but not averaged, since they may be wrong: {', '.join(curves)} (limits {DECIDED_ANGLE:g} degrees "
            f"and {DECIDED_MOMENT:g} Nm/kg); reason: {text}; kept_curves in trials.tsv, such as "
            f"'{' '.join(next(curve for curve, why in wrong.items() if why.text == text))}', averages one",
        )
        for text, curves in texts.items()
    ]

    def marked(curves: C, side: str) -> C:
        return replace(curves, doubtful={name: why.text for (own, name), why in wrong.items() if own == side})

    return replace(
        cycles,
        cycles=tuple(marked(c, c.cycle.side) for c in cycles.cycles),
        stances=tuple(marked(s, s.stance.side) for s in cycles.stances),
        notes=(*cycles.notes, *notes),
    )


def not_kept(
    contradicted: Mapping[Stance, Contradiction], kinematics: MotionAndPlates, kept: Sequence[PlateContact] = ()
) -> dict[Stance, Contradiction]:
    """Contradicted steps of a walk except those that the study averages nevertheless.

    Raises:
        SignalError: ``kept`` names a contact that does not exist.
    """
    of_study = meant_stances(kinematics.stances, kept, "kept_steps", f"trial {kinematics.name}")
    return {stance: why for stance, why in contradicted.items() if stance not in of_study}


def without_contradicted(
    cycles: GaitCycles,
    kinematics: Kinematics,
    contradicted: Mapping[Stance, Contradiction],
    kept: Sequence[PlateContact] = (),
) -> GaitCycles:
    """The cycles, with those of contradicted steps on plates marked as not averaged, and a note for each.

    Args:
        cycles, kinematics: of a walk.
        contradicted: its steps with wrong loads.
        kept: steps that the study averages nevertheless.

    Raises:
        SignalError: ``kept`` names a contact that does not exist.
    """
    wrong = not_kept(contradicted, kinematics, kept)
    notes = [
        Note(
            "left out",
            stance.on,
            f"the {stance.side} foot's step is shown but not averaged: {why.text}, and the {why.moment_of} may be "
            f"wrong by {why.moment_error:.1f} Nm/kg (limit {DECIDED_MOMENT:g}); kept_steps "
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
    """The step on a plate that belongs to a gait cycle."""
    return next((stance for stance in kinematics.stances if is_of_cycle(stance, curves.cycle)), None)
