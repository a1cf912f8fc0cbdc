"""Stage: muscle and joint contact forces of a walk on the skeleton, and how its muscles tire."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pipeline.analysis import AS_WALKED, WITH_LOAD, WITH_WEAK_MUSCLES, by_actuator, fatigue_of
from pipeline.config import MuscleSettings
from pipeline.muscles import carrying, muscles_of, walk_muscles
from pipeline.trial import MuscleLoads, WalkCycles, WholeBody


def run(whole_body: WholeBody, kinematics: WalkCycles, muscles: MuscleSettings) -> MuscleLoads:
    """Distribute the joint moments to muscles, of the walk and of the cases whose fatigue is compared with its.

    Raises:
        DynamicsError: the skeleton lacks a joint, or no distribution is found.
    """
    solve = partial(
        walk_muscles,
        tendons=muscles.tendons,
        muscles=muscles_of(whole_body),
        dynamic=muscles.dynamic,
        weights=by_actuator(muscles.weights),
        passive_joints=muscles.passive_moments,
    )
    loads = solve(whole_body)
    cases = {AS_WALKED: ("as walked", loads)}
    if muscles.carried > 0.0:
        words = f"carrying {muscles.carried:g} kg"
        cases[WITH_LOAD] = words, solve(carrying(whole_body, muscles.carried))
    if muscles.weak:
        named = (f"{name.replace('_', ' ')} at {100 * share:.0f} %" for name, share in muscles.weak.items())
        cases[WITH_WEAK_MUSCLES] = ", ".join(named), solve(whole_body, strength=by_actuator(muscles.weak))
    return replace(loads, fatigue=fatigue_of(cases, kinematics.cycles))
