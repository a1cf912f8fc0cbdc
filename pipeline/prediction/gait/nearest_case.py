"""The largest part of a what-if case that has a walk, found by continuation when a direct solve fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from pipeline.config import PassiveSpring, Range, WhatIf
from pipeline.conventions import SIDES
from pipeline.optimisation import SolverError
from pipeline.skeleton import Skeleton

STEPS = 0.5, 0.25, 0.125
"""Shares of the changes that are tried in turn, each added to the largest share with a walk so far: a bisection."""

FAILURES = 2
"""Failed shares after which the search ends."""

T = TypeVar("T")


@dataclass(frozen=True)
class NearestCase(Generic[T]):
    """The largest share of a case's changes for which a walk was found.

    Attributes:
        share: of the changes, above 0; 1 for all of them.
        case: the case with that share of its changes.
        walk: the walk found for it.
    """

    share: float
    case: WhatIf
    walk: T


def nearest_case(
    case: WhatIf, skeleton: Skeleton, start: T, walk_of: Callable[[WhatIf, T], T]
) -> NearestCase[T] | None:
    """The largest share of a case's changes for which a walk is found, by continuation; None if there is none.

    Args:
        skeleton: of the unchanged body; the changes of joint limits start from its limits.
        start: walk without the changes.
        walk_of: predicts a case from another walk; raises SolverError if it finds none.
    """
    best: NearestCase[T] | None = None
    failures = 0
    for step in (*STEPS, 1.0 - sum(STEPS)):
        share = (best.share if best else 0.0) + step
        smaller = scaled_case(case, skeleton, share)
        try:
            best = NearestCase(share, smaller, walk_of(smaller, best.walk if best else start))
        except SolverError:
            failures += 1
        if failures == FAILURES or (failures and step == STEPS[-1]):
            break
    return best


def each_side(name: str) -> tuple[str, ...]:
    """The name itself, or the names on both sides if it begins with both_."""
    return tuple(name.replace("both", side, 1) for side in SIDES) if name.startswith("both_") else (name,)


def scaled_case(case: WhatIf, skeleton: Skeleton, share: float) -> WhatIf:
    """A case with a share, between 0 and 1, of every change; speed and step length are kept as requested, not free."""

    def factors(given: Mapping[str, float], none: float) -> dict[str, float]:
        return {name: none + share * (value - none) for name, value in given.items()}

    def limit(joint: str, given: float | None, own: np.ndarray) -> float | None:
        if given is None:
            return None
        return (1.0 - share) * float(np.degrees(own[skeleton.index(joint)])) + share * given

    ranges = {}
    for name, given in case.range.items():
        for joint in each_side(name):
            lower, upper = limit(joint, given.lower, skeleton.q_lower), limit(joint, given.upper, skeleton.q_upper)
            ranges[joint] = Range(lower=lower, upper=upper)
    return case.model_copy(
        update={
            "strength": factors(case.strength, 1.0),
            "range": ranges,
            "springs": {
                name: PassiveSpring(stiffness=share * spring.stiffness, rest=spring.rest)
                for name, spring in case.springs.items()
            },
            "added_mass": factors(case.added_mass, 0.0),
            "slope": share * case.slope,
            "max_vertical_force": {name: min(value / share, 3.0) for name, value in case.max_vertical_force.items()},
            "max_joint_force": {name: min(value / share, 10.0) for name, value in case.max_joint_force.items()},
            "joint_force_weight": factors(case.joint_force_weight, 0.0),
            "free": (),
        }
    )
