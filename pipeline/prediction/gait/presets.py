"""Two ways to ask for a walk: as the thesis does, and as people do it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.constraints import THESIS, Boxes, Setting
from pipeline.prediction.gait.likeness import LIKE_PEOPLE, rhythm
from pipeline.prediction.parts.torques import torques
from pipeline.prediction.problem import NodeConstraint, SquaredIntegral


@dataclass(frozen=True)
class Preset:
    """How a walk is transcribed and what it minimises.

    Attributes:
        name: of the preset.
        degree, n_intervals, ends: of the splines of one step.
        n_nodes: nodes of one step, both ends counted.
        boxes: how exactly contacts are held.
        constraints: the types of constraints.
        objectives: the terms of the objective.
        feasible_first: solve for a feasible motion with a constant objective before the optimum (thesis section 5.3).
        reasons: each addition to the thesis, and why.
    """

    name: str
    degree: int
    n_intervals: int
    ends: Literal["clamped", "wrapped"]
    n_nodes: int
    boxes: Boxes
    constraints: Sequence[Callable[[Setting], list[NodeConstraint]]]
    objectives: Sequence[Callable[[Setting], list[SquaredIntegral]]]
    feasible_first: bool
    reasons: dict[str, str] = field(default_factory=dict)


def effort(at: Setting) -> list[SquaredIntegral]:
    """Equation 5.1: squared torques as shares of their limits."""
    joints = at.walker.internal
    limits = at.walker.skeleton.tau_limit[joints]
    joints, limits = joints[np.isfinite(limits)], limits[np.isfinite(limits)]
    return [SquaredIntegral("effort", torques(joints, limits))]


PRESETS = {
    "thesis": Preset(
        name="thesis",
        degree=3,
        n_intervals=3,
        ends="clamped",
        n_nodes=31,
        boxes=Boxes(position=0.003, velocity=0.1),
        constraints=THESIS,
        objectives=(effort,),
        feasible_first=True,
        reasons={
            "unilateral and friction limits": "the zero-moment point alone lets the ground pull and hold",
            "load transfer on a ramp": "a split by distance alone lets the load jump to the leading foot within one node",
        },
    ),
    "human": Preset(
        name="human",
        degree=3,
        n_intervals=8,
        ends="wrapped",
        n_nodes=33,
        boxes=Boxes(position=0.0015, velocity=0.03),
        constraints=(*THESIS, *(part for part, _ in LIKE_PEOPLE)),
        objectives=(effort, rhythm),
        feasible_first=False,
        reasons={
            "half-wave periodic splines": "without periodic acceleration the ground reaction jumps from step to step",
            "unilateral and friction limits": "the zero-moment point alone lets the ground pull and hold",
            "load transfer on a ramp": "a split by distance alone lets the load jump to the leading foot within one node",
            **{part.__name__.replace("_", " "): reason for part, reason in LIKE_PEOPLE},
        },
    ),
}


def find_preset(name: str) -> Preset:
    """A preset by its name. Raises PredictionError if there is none."""
    if name not in PRESETS:
        known = " or ".join(repr(key) for key in PRESETS)
        raise PredictionError(f"there is no preset {name!r}", where="gait", remedy=f"Use {known}")
    return PRESETS[name]
