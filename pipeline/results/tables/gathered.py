"""What the tables of a walk are made of, from its stages: of a study's files, or of a tree in memory."""

from __future__ import annotations

from typing import Protocol, TypeVar

from pipeline.errors import ResultsError
from pipeline.results.status import Failure
from pipeline.results.tables.walks import WalkResults, WholeBodyWalk
from pipeline.trial import (
    CurveUncertainty,
    Findings,
    GaitCycles,
    GaitSummary,
    GroundFromMotion,
    InverseDynamics,
    MotionAndPlates,
    MuscleLoads,
    WholeBody,
)

T = TypeVar("T")


class Outcome(Protocol):
    """Gives the value of a stage, by its name and class, or why there is none; None of a stage that is not there."""

    def __call__(self, stage: str, cls: type[T], /) -> T | Failure | None:
        """Of one stage."""


def walk_results(outcome: Outcome, session: str, condition: str = "") -> WalkResults:
    """The results of a walk for its tables; one whose checks failed says that it was not checked.

    Args:
        outcome: of each stage.
        session, condition: of the walk.

    Raises:
        ResultsError: the walk has no kinematics, no cycles or no averages.
    """
    kinematics = _needed(outcome, "kinematics", MotionAndPlates)
    cycles, summary = _needed(outcome, "cycles", GaitCycles), _needed(outcome, "summary", GaitSummary)
    whole, body = None, _known(outcome, "whole_body", WholeBody)
    if body:
        whole = WholeBodyWalk(body, _needed(outcome, "inverse_dynamics", InverseDynamics))
    return WalkResults(
        kinematics,
        cycles,
        summary,
        _findings(outcome, summary),
        whole,
        session,
        condition,
        uncertainty=_known(outcome, "uncertainty", CurveUncertainty),
        muscles=_known(outcome, "muscles", MuscleLoads) if whole else None,
        estimated=_known(outcome, "ground_from_motion", GroundFromMotion) if whole else None,
    )


def _findings(outcome: Outcome, walk: GaitSummary) -> Findings:
    found = outcome("plausibility", Findings)
    if isinstance(found, Failure):
        return Findings.unchecked(walk.name, walk.subject, found.reason)
    return found or _needed(outcome, "plausibility", Findings)


def _known(outcome: Outcome, stage: str, cls: type[T]) -> T | None:
    found = outcome(stage, cls)
    return None if isinstance(found, Failure) else found


def _needed(outcome: Outcome, stage: str, cls: type[T]) -> T:
    """The value of a stage that every walk has."""
    found = outcome(stage, cls)
    if isinstance(found, Failure) or found is None:
        reason = found.reason if isinstance(found, Failure) else "it is not there"
        raise ResultsError(
            f"has no values of the stage '{stage}': {reason}",
            where="the walk",
            remedy="Give what analyse or open_trial returned",
        )
    return found
