"""Stage: muscle and joint contact forces of a walk on the skeleton, and muscle fatigue."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pipeline.analysis import (
    AS_WALKED,
    WITH_LOAD,
    WITH_WEAK_MUSCLES,
    by_actuator,
    fatigue_of,
    muscle_activity,
    muscle_method,
    recorded_muscles,
)
from pipeline.config import EmgSettings, MuscleSettings
from pipeline.ground_from_motion import FilledWalk, with_estimated_loads
from pipeline.muscles import carrying, muscles_of, typical_load, walk_muscles
from pipeline.results import Failure
from pipeline.trial import AnalogSignals, GroundFromMotion, MuscleLoads, WalkCycles, WholeBody

MAY_FAIL = ("ground_from_motion",)
"""If the loads of a walk cannot be estimated, muscle forces are computed only where plates measured."""


def run(
    whole_body: WholeBody,
    kinematics: WalkCycles,
    muscles: MuscleSettings,
    ground_from_motion: GroundFromMotion | Failure | None = None,
    walk: AnalogSignals | None = None,
    emg: EmgSettings | None = None,
) -> MuscleLoads:
    """Distribute the joint moments to muscles, for the walk and for the cases whose fatigue is compared with it.

    Where no plate measured, moments come from loads estimated from motion if the study wants these; otherwise they are
    missing. If ``walk`` and ``emg`` are given, the distribution tracks the recorded EMG. The cases track none, since
    EMG was recorded only in the unchanged walk; they are compared with a distribution without EMG.

    Raises:
        DynamicsError: the skeleton lacks a joint, or no distribution is found.
    """
    filled = FilledWalk(whole_body, {}, ())
    if isinstance(ground_from_motion, GroundFromMotion):
        filled = with_estimated_loads(whole_body, ground_from_motion)
        whole_body = filled.body
    solve = partial(walk_muscles, method=muscle_method(muscles), muscles=muscles_of(whole_body))
    loads = plain = solve(whole_body)
    if walk and emg:
        recorded = recorded_muscles(muscle_activity(walk, kinematics, emg), whole_body.time)
        loads = solve(whole_body, recorded=recorded)
    cases = {AS_WALKED: ("as walked", plain)}
    carried = typical_load(whole_body.mass) if muscles.carried is None else muscles.carried
    if carried > 0.0:
        cases[WITH_LOAD] = f"carrying {carried:.3g} kg", solve(carrying(whole_body, carried))
    if muscles.weak:
        named = (f"{name.replace('_', ' ')} at {100 * share:.0f} %" for name, share in muscles.weak.items())
        cases[WITH_WEAK_MUSCLES] = ", ".join(named), solve(whole_body, strength=by_actuator(muscles.weak))
    fatigue = fatigue_of(cases, kinematics.cycles)
    notes = *filled.notes, *loads.notes
    return replace(loads, notes=notes, fatigue=fatigue, loads_estimated=filled.estimated)
