"""Two ways to ask for a walk: as the thesis does, and as people do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Literal

import numpy as np

from pipeline.optimisation.errors import PredictionError
from pipeline.optimisation.parts.motion import difference
from pipeline.optimisation.parts.torques import torques
from pipeline.optimisation.problem import NodeConstraint, SquaredIntegral
from pipeline.prediction.gait import human_terms
from pipeline.prediction.gait.body import Walker
from pipeline.prediction.gait.constraints import THESIS, Boxes, Setting, mid_swing_knee
from pipeline.prediction.gait.task import GaitTask

DEPARTURE = 10.0
"""Weight of the first stage's objective, 1/rad^2 or 1/m^2."""


@dataclass(frozen=True)
class Preset:
    """How a walk is transcribed and what it minimises.

    Attributes:
        name: of the preset.
        degree, n_intervals, ends: of the splines of one step.
        n_nodes: about how many nodes a step has; they are placed at the changes of contact too.
        boxes: how exactly contacts are held.
        towards_pivot: whether the feet push towards a pivot above the hips in double support, or alike.
        constraints: the types of constraints.
        objectives: the terms of the objective.
        reasons: each addition to the thesis, and why.
    """

    name: str
    degree: int
    n_intervals: int
    ends: Literal["clamped", "wrapped"]
    n_nodes: int
    boxes: Boxes
    towards_pivot: bool
    constraints: Sequence[Callable[[Setting], list[NodeConstraint]]]
    objectives: Sequence[Callable[[Setting], list[SquaredIntegral]]]
    reasons: dict[str, str] = field(default_factory=dict)


def effort(at: Setting) -> list[SquaredIntegral]:
    """Equation 5.1: squared torques as shares of their limits."""
    joints = at.walker.internal
    limits = at.walker.skeleton.tau_limit[joints]
    joints, limits = joints[np.isfinite(limits)], limits[np.isfinite(limits)]
    return [SquaredIntegral("effort", torques(joints, limits))]


def departure_from_standing(at: Setting) -> list[SquaredIntegral]:
    """Squared distance of all coordinates from a standing body that glides along: q = 0 but for its progression."""
    joints = np.arange(len(at.walker.skeleton))
    standing = partial(gliding_stand, at.walker, at.task)
    return [SquaredIntegral("departure from standing", difference(standing, joints), DEPARTURE)]


def gliding_stand(walker: Walker, task: GaitTask, time: np.ndarray) -> np.ndarray:
    """Coordinates (K, n) at times (K,) s of a standing body that glides along at the asked speed."""
    q = np.zeros((len(time), len(walker.skeleton)))
    q[:, walker.progression] = task.step_length * (time / task.step_time - 0.5)
    return q


_ON_BOTH = {
    "unilateral and friction limits": "the zero-moment point alone lets the ground pull and hold",
    "load transfer over double support as measured": "a split by distance alone lets the load jump within one node",
    "a first stage for the motion nearest to q = 0": "of all feasible ones it makes any start end in the same walk",
    "the toe joint carries no load": "feet are loaded on the rear foot's link; on the toes, that joint would carry all",
}

PRESETS = {
    "thesis": Preset(
        name="thesis",
        degree=3,
        n_intervals=3,
        ends="clamped",
        n_nodes=31,
        boxes=Boxes(position=0.003, velocity=0.1),
        towards_pivot=False,
        constraints=THESIS,
        objectives=(effort,),
        reasons=_ON_BOTH,
    ),
    "human": Preset(
        name="human",
        degree=3,
        n_intervals=8,
        ends="wrapped",
        n_nodes=31,
        boxes=Boxes(position=0.0015, velocity=0.02),
        towards_pivot=True,
        constraints=(*(part for part in THESIS if part is not mid_swing_knee), *human_terms.CONSTRAINTS),
        objectives=tuple(human_terms.OBJECTIVES),
        reasons=_ON_BOTH
        | {
            "half-wave periodic splines": "without periodic acceleration the ground reaction jumps from step to step",
            "feet push towards a pivot": "in double support the legs push apart; parallel forces brake too little",
        }
        | {part.__name__.replace("_", " "): reason for part, reason in human_terms.CONSTRAINTS.items()}
        | {part.__name__.replace("_", " "): reason for part, reason in human_terms.OBJECTIVES.items()},
    ),
}


def find_preset(name: str) -> Preset:
    """A preset by its name. Raises PredictionError if there is none."""
    if name not in PRESETS:
        known = " or ".join(repr(key) for key in PRESETS)
        raise PredictionError(f"there is no preset {name!r}", where="gait", remedy=f"Use {known}")
    return PRESETS[name]
