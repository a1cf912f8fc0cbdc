"""Muscle forces of a predicted walk, by the static optimisation that serves measured walks (Barman 2020, 6.2.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.analysis import AS_WALKED, by_actuator, fatigue_of, repeated_muscles
from pipeline.config import MuscleSettings
from pipeline.errors import DynamicsError
from pipeline.muscles import load_muscle_model, muscle_loads, muscles_on_skeleton
from pipeline.prediction.gait.walker import Spring
from pipeline.skeleton import Skeleton
from pipeline.trial import Note, PredictedWalk


@dataclass(frozen=True)
class _Loaded:
    """A predicted walk as the muscles take it: every joint's motion is known."""

    name: str
    subject: str
    mass: float
    time: np.ndarray
    marker_joints: tuple[str, ...]
    kinematic: PredictedWalk


def with_muscles(
    walk: PredictedWalk, skeleton: Skeleton, muscles: MuscleSettings, springs: Sequence[Spring] = ()
) -> PredictedWalk:
    """The walk with its muscle and joint contact forces and its fatigue; with a note where there are none.

    Args:
        walk: a prediction that has converged.
        skeleton: of its coordinates.
        muscles: how moments are distributed, as for a measured walk.
        springs: passive ones, whose torque the muscles need not give.
    """
    tau = walk.tau.copy()
    for spring in springs:
        joint = skeleton.index(spring.joint)
        tau[:, joint] += spring.stiffness * (walk.q[:, joint] - spring.rest)
    body = _Loaded(walk.name, walk.subject, walk.task.mass, walk.time, skeleton.joint_names, replace(walk, tau=tau))
    try:
        loads = muscle_loads(
            body,
            skeleton,
            muscles_on_skeleton(load_muscle_model(), skeleton),
            tendons=muscles.tendons,
            dynamic=muscles.dynamic,
            weights=by_actuator(muscles.weights),
            passive_joints=muscles.passive_moments,
        )
    except DynamicsError as error:
        return replace(walk, notes=(*walk.notes, Note("left out", "muscles", f"no muscle forces: {error}")))
    found = replace(walk, muscles=loads)
    repeated, cycles = repeated_muscles(found)
    words = "what-if" if walk.what_if else "as predicted"
    fatigue = fatigue_of({AS_WALKED: (words, repeated)}, tuple(curves.cycle for curves in cycles))
    return replace(found, muscles=replace(loads, fatigue=fatigue))
