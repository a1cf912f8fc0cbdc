"""Muscle forces of a predicted walk by static optimisation, as for measured walks (Barman 2020, 6.2.1)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from pipeline.analysis import AS_WALKED, fatigue_of, muscle_method, repeated_muscles, whole_stride
from pipeline.config import MuscleSettings
from pipeline.errors import DynamicsError
from pipeline.muscles import PredictedLoads, load_muscle_model, muscle_loads, muscles_on_skeleton
from pipeline.prediction.gait.walker import Spring
from pipeline.skeleton import Skeleton
from pipeline.trial import MuscleLoads, Note, PredictedWalk, SegmentPose


def with_muscles(
    walk: PredictedWalk,
    skeleton: Skeleton,
    muscles: MuscleSettings,
    springs: Sequence[Spring] = (),
    locked: Collection[str] = (),
) -> PredictedWalk:
    """The walk with its muscle forces, joint contact forces and fatigue, or with a note if there are none.

    Args:
        walk: a converged prediction.
        skeleton: of its coordinates.
        muscles: how moments are distributed to muscles, as for a measured walk.
        springs: passive springs; the muscles need not produce their torque, and as in the prediction they replace the
            passive moments of their joints.
        locked: joints without a range of motion, with a torque that a brace or bone carries.
    """
    tau = walk.tau.copy()
    for spring in springs:
        joint = skeleton.index(spring.joint)
        tau[:, joint] += spring.stiffness * (walk.q[:, joint] - spring.rest)
    try:
        model = muscles_on_skeleton(load_muscle_model(), skeleton)
        repeated = _repeated(replace(walk, tau=tau), skeleton)
        loads = muscle_loads(
            PredictedLoads(walk.name, walk.subject, walk.task.mass, repeated.time, skeleton.joint_names, repeated),
            skeleton,
            model,
            muscle_method(muscles),
            borne=locked,
            without_passive=[spring.joint for spring in springs if spring.stiffness],
        )
    except DynamicsError as error:
        return replace(walk, notes=(*walk.notes, Note("left out", "muscles", f"no muscle forces: {error}")))
    loads = _last(loads, walk)
    found = replace(walk, muscles=loads)
    cyclic, cycles = repeated_muscles(found)
    words = "what-if" if walk.what_if else "as predicted"
    fatigue = fatigue_of({AS_WALKED: (words, cyclic)}, tuple(curves.cycle for curves in cycles))
    return replace(found, muscles=replace(loads, fatigue=fatigue))


def _repeated(walk: PredictedWalk, skeleton: Skeleton) -> PredictedWalk:
    """The inputs of the muscles over a stride followed by the walk.

    Fibres with elastic tendons depend on the motion before; after a stride their initial state no longer matters.
    """
    stride = whole_stride(walk, skeleton)

    def joined(before: object, after: object, *names: str) -> dict[str, np.ndarray]:
        return {name: np.concatenate([getattr(before, name), getattr(after, name)[1:]]) for name in names}

    poses = {
        name: SegmentPose(**joined(stride.segments[name], pose, "R_GS", "origin_G"))
        for name, pose in walk.segments.items()
    }
    time = np.concatenate([stride.time, stride.time[-1] + walk.time[1:]])
    curves = joined(stride, walk, "q", "qd", "tau", "force_G", "moment_G")
    return replace(walk, time=time, segments=poses, **curves)  # type: ignore[arg-type]


def _last(loads: MuscleLoads, walk: PredictedWalk) -> MuscleLoads:
    """The loads of the walk after its preceding stride, at its own times."""
    names = ("activation", "force", "contact_force", "compartment_force", "reserve")
    return replace(loads, time=walk.time, **{name: getattr(loads, name)[-len(walk.time) :] for name in names})
