"""Muscle forces of a predicted step or stride over the gait cycles of both sides.

The muscle forces of the next step are those of this step with the sides exchanged, so three steps contain a whole cycle
of each side. A stride is repeated.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.analysis.predicted.cycle import predicted_cycle
from pipeline.conventions import SIDES
from pipeline.sides import other_side
from pipeline.trial import CycleCurves, MuscleLoads, PredictedWalk


def repeated_muscles(walk: PredictedWalk) -> tuple[MuscleLoads, tuple[CycleCurves, ...]]:
    """Muscle forces over three steps or two strides, and a gait cycle of each side within that time.

    Raises:
        ValueError: the walk has no muscle forces.
    """
    loads = walk.muscles
    if loads is None:
        raise ValueError(f"prediction {walk.name} has no muscle forces")
    parts = (loads, _mirrored(loads), loads) if walk.task.steps == 1 else (loads, loads)
    ends = walk.time[-1]
    time = np.concatenate([walk.time, *(k * ends + walk.time[1:] for k in range(1, len(parts)))])

    def joined(name: str) -> np.ndarray:
        return np.concatenate([getattr(parts[0], name), *(getattr(part, name)[1:] for part in parts[1:])])

    repeated = replace(
        loads,
        time=time,
        activation=joined("activation"),
        force=joined("force"),
        contact_force=joined("contact_force"),
        compartment_force=joined("compartment_force"),
        reserve=joined("reserve"),
    )
    starts = {"left": walk.task.step_times[0], "right": 0.0}  # the left foot's cycle begins with the second step
    return repeated, tuple(predicted_cycle(walk, side, start=starts[side]) for side in SIDES)


def _mirrored(loads: MuscleLoads) -> MuscleLoads:
    """The loads with sides exchanged. Of the contact forces only the lateral component changes its sign; reserves keep
    the sign of their joint."""

    def swapped(names: tuple[str, ...]) -> list[int]:
        return [names.index(_other(name)) for name in names]

    muscles, joints = swapped(loads.muscle_names), swapped(loads.contact_joints)
    return replace(
        loads,
        activation=loads.activation[:, muscles],
        force=loads.force[:, muscles],
        contact_force=loads.contact_force[:, joints] * np.array([1.0, 1.0, -1.0], dtype=np.float32),
        compartment_force=loads.compartment_force[:, swapped(loads.compartments)],
        reserve=loads.reserve[:, swapped(loads.coordinates)],
    )


def _other(name: str) -> str:
    """The name of the other side, such as for left_knee or soleus_l; a name without a side stays."""
    stem, suffix = name[:-2], name[-2:]
    return stem + {"_l": "_r", "_r": "_l"}.get(suffix, suffix) if other_side(name) == name else other_side(name)
