"""A what-if case made smaller: the largest share of its changes with which a walk is found, where all have none."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from pipeline.config import PassiveSpring, Range, WhatIf
from pipeline.conventions import SIDES
from pipeline.optimisation import SolverError
from pipeline.skeleton import Skeleton

SHARES = 0.5, 0.25
"""Of the changes, the first that is tried, and by how much the next is larger or smaller."""


def nearest_case(case: WhatIf, skeleton: Skeleton, walk_of: Callable[[WhatIf], object]) -> tuple[float, WhatIf] | None:
    """The largest share of a case's changes, of a quarter, half and three quarters, that has a walk; None if none has.

    Args:
        skeleton: of the unchanged body, whose own limits the changes start from.
        walk_of: predicts; raises SolverError where there is no walk.
    """
    best: tuple[float, WhatIf] | None = None
    share = SHARES[0]
    for step in (SHARES[1], 0.0):
        smaller = scaled_case(case, skeleton, share)
        try:
            walk_of(smaller)
        except SolverError:
            share -= step
        else:
            best = share, smaller
            share += step
    return best


def scaled_case(case: WhatIf, skeleton: Skeleton, share: float) -> WhatIf:
    """A case with a share, between 0 and 1, of every change; a free speed or step length is as asked for."""

    def factors(given: Mapping[str, float], none: float) -> dict[str, float]:
        return {name: none + share * (value - none) for name, value in given.items()}

    def limit(joint: str, given: float | None, own: np.ndarray) -> float | None:
        if given is None:
            return None
        return (1.0 - share) * float(np.degrees(own[skeleton.index(joint)])) + share * given

    ranges = {}
    for name, given in case.range.items():
        rest = name.removeprefix("both_")
        for joint in (name,) if rest == name else tuple(f"{side}_{rest}" for side in SIDES):
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
