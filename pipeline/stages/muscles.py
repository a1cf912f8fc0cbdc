"""Stage: muscle and joint contact forces of a walk on the skeleton, and how its muscles tire."""

from __future__ import annotations

from dataclasses import replace

from pipeline.analysis import AS_WALKED, GROUPS, WITH_LOAD, WITH_WEAK_MUSCLES, fatigue_of
from pipeline.config import MuscleSettings
from pipeline.muscles import carrying, muscles_of, walk_muscles
from pipeline.trial import MuscleLoads, WalkCycles, WholeBody


def run(whole_body: WholeBody, kinematics: WalkCycles, muscles: MuscleSettings) -> MuscleLoads:
    """Distribute the joint moments to muscles, of the walk and of the cases whose fatigue is compared with its.

    Raises:
        DynamicsError: the skeleton lacks a joint, or no distribution is found.
    """
    model = muscles_of(whole_body)
    loads = walk_muscles(whole_body, muscles.tendons, muscles=model)
    cases = {AS_WALKED: ("as walked", loads)}
    if muscles.carried > 0.0:
        loaded = carrying(whole_body, muscles.carried)
        cases[WITH_LOAD] = f"carrying {muscles.carried:g} kg", walk_muscles(loaded, muscles.tendons, muscles=model)
    if muscles.weak:
        strength = {actuator: share for name, share in muscles.weak.items() for actuator in GROUPS[name]}
        words = (f"{name.replace('_', ' ')} at {100 * share:.0f} %" for name, share in muscles.weak.items())
        cases[WITH_WEAK_MUSCLES] = ", ".join(words), walk_muscles(whole_body, muscles.tendons, strength, model)
    return replace(loads, fatigue=fatigue_of(cases, kinematics.cycles))
