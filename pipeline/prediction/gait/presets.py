"""Presets of a predicted walk: transcription, constraints and objectives, as in the thesis or as people walk."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Literal

import numpy as np

from pipeline.optimisation import NodeConstraint, Objective, SquaredIntegral, difference
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait import human_terms, running_terms, separation
from pipeline.prediction.gait.constraints import (
    THESIS,
    ContactTolerances,
    Setting,
    arm_leg_coupling,
    mid_swing_knee,
    muscle_torques,
)
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walker import Walker
from pipeline.prediction.gait.walking_ranges import (
    ankle_in_swing,
    ankle_in_terminal_stance,
    ankle_range,
    minimum_knee_flexion,
)
from pipeline.prediction.gait.weights import Weights

HEEL_PAD = 0.0089
"""How far the heel pads yield, over leg length: 8 mm for a leg of 0.9 m. Those of barefoot people yield by 9 mm in
running (De Clercq et al. 1994) and 10 mm in walking (Wearing et al. 2014), most of it at once."""

NEUTRAL_POSE_WEIGHT = 10.0
"""Weight of the first stage's objective, 1/rad^2 or 1/m^2."""


@dataclass(frozen=True)
class Preset:
    """Transcription, constraints and objective of a predicted walk.

    Attributes:
        name: of the preset.
        degree, n_intervals, ends: of the splines of one step.
        grading: by how much their intervals at initial contact are shorter than the mean, as a share of it.
        n_nodes: approximate number of nodes of a step; every change of contact also has a node.
        tolerances: of contact points on the ground.
        virtual_pivot: whether the feet's forces in double support point to a virtual pivot point, or are parallel.
        heel_pad: how far the heel pads yield at initial contact, over leg length.
        constraints: the types of constraints.
        objectives: the terms of the objective.
        reasons: each addition to the thesis, with its justification.
        weights: of the objectives of `human`.
        runs: whether no foot is on the ground for a part of a step, its flight.
        first_stages: starts of the search when no earlier walk is given; the solution with the lower objective is kept.
            ``nearest`` is the feasible motion nearest to a translating neutral pose; ``any`` is any feasible motion,
            found from that pose with a constant objective (thesis section 5.3).
    """

    name: str
    degree: int
    n_intervals: int
    ends: Literal["clamped", "wrapped"]
    n_nodes: int
    tolerances: ContactTolerances
    virtual_pivot: bool
    heel_pad: float
    constraints: Sequence[Callable[[Setting], list[NodeConstraint]]]
    objectives: Sequence[Callable[[Setting], Sequence[Objective]]]
    reasons: dict[str, str] = field(default_factory=dict)
    weights: Weights = field(default_factory=Weights)
    grading: float = 0.0
    runs: bool = False
    first_stages: Sequence[Literal["nearest", "any"]] = ("nearest",)

    def __post_init__(self) -> None:
        for name, least in (("degree", 2), ("n_intervals", 1), ("n_nodes", 2)):
            value = getattr(self, name)
            if not isinstance(value, (int, np.integer)) or value < least:
                problem = f"{name} is {value!r}, not a whole number of at least {least}"
                raise PredictionError(problem, where="preset", remedy="The preset human has 3, 12 and 45")


def effort_over_limits(at: Setting) -> list[SquaredIntegral]:
    """Equation 5.1: squared torques relative to their limits."""
    joints = at.walker.actuated
    return [SquaredIntegral("effort", muscle_torques(joints, at.walker.skeleton.tau_limit[joints]))]


def distance_from_neutral_pose(at: Setting) -> list[SquaredIntegral]:
    """Squared distance of all coordinates from the translating neutral pose."""
    joints = np.arange(len(at.walker.skeleton))
    neutral = partial(translating_neutral_pose, at.walker, at.task)
    return [SquaredIntegral("distance from neutral pose", difference(neutral, joints), NEUTRAL_POSE_WEIGHT)]


def translating_neutral_pose(walker: Walker, task: GaitTask, time: np.ndarray) -> np.ndarray:
    """Coordinates (K, n) at times (K,) s: zero except the progression, which advances at the task's speed."""
    q = np.zeros((len(time), len(walker.skeleton)))
    q[:, walker.progression] = task.step_length * (time / task.step_time - 0.5)
    return q


_REASONS = {
    "unilateral contact and friction": "the ground can only push, and only within the friction cone",
    "load transfer in double support": "follows measured vertical forces, since sharing by distance alone transfers "
    "the load at once",
    "two stages": "without a walk to start from, the search begins at the feasible motion nearest to the neutral pose, "
    "so that the result does not depend on the initial guess",
    "toe joint": "rear foot and toes share the load according to the centre of pressure; from heel off on, the toes "
    "carry all of it",
    "periodic splines": "accelerations are continuous from step to step, and so is the ground reaction; intervals are "
    "shorter around initial contact, where the swinging leg stops",
}

_CONTACTS = ContactTolerances(position=0.0015, velocity=0.01, speed_share=0.015)

_RANGES: dict[Callable[[Setting], list[NodeConstraint]], str] = {
    human_terms.pelvis_orientation: human_terms.CONSTRAINTS[human_terms.pelvis_orientation],
    minimum_knee_flexion: "at least 3 degrees, since people walk with 3 to 5 at maximum extension (Perry and "
    "Burnfield 2010)",
    human_terms.toe_clearance: human_terms.CONSTRAINTS[human_terms.toe_clearance],
    ankle_range: "ankle flexion from -25 to 17 degrees and inversion within 12, since the light foot's torques cost "
    "hardly any effort; people use -23 to 14 and 5 (Schwartz et al. 2008)",
    ankle_in_swing: "ankle flexion of at most 6 degrees in swing, and plantarflexion in its second half, since the "
    "light foot's torques cost hardly any effort; people use -4 to 5 (Schwartz et al. 2008)",
    ankle_in_terminal_stance: "dorsiflexion at contralateral initial contact of at least the mean minus a standard "
    "deviation of walkers at this speed (Schwartz et al. 2008), since effort alone pushes off too early",
}
"""Ranges added to `thesis`, and why: the limits of the thesis' own model are not published."""


def _by_words(reasons: Mapping[Callable, str]) -> dict[str, str]:
    """Reasons by the names of the terms in words."""
    return {term.__name__.replace("_", " "): reason for term, reason in reasons.items()}


PRESETS = {
    "thesis": Preset(
        name="thesis",
        degree=3,
        n_intervals=8,
        grading=0.2,
        ends="wrapped",
        n_nodes=41,
        tolerances=_CONTACTS,
        virtual_pivot=False,
        heel_pad=0.0,
        constraints=(*THESIS, *_RANGES),
        objectives=(effort_over_limits,),
        first_stages=("nearest", "any"),
        reasons=_REASONS
        | {
            "two stages": "without a walk to start from, the search begins at the feasible motion nearest to the "
            "neutral pose, and at any feasible one as in the thesis; the solution with the lower objective is kept"
        }
        | _by_words(_RANGES),
    ),
    "human": Preset(
        name="human",
        degree=3,
        n_intervals=12,
        grading=0.2,
        ends="wrapped",
        n_nodes=45,
        tolerances=replace(_CONTACTS, unloaded=0.01),
        virtual_pivot=True,
        heel_pad=HEEL_PAD,
        constraints=(
            *(part for part in THESIS if part not in (mid_swing_knee, arm_leg_coupling)),
            *human_terms.CONSTRAINTS,
            *separation.CONSTRAINTS,
        ),
        objectives=tuple(human_terms.OBJECTIVES),
        reasons=_REASONS
        | {
            "contact points that bear hardly any load": "the heel comes to rest within 10 ms of initial contact, and "
            "the toes start to move 10 ms before they leave the ground; people's heels still move in the first 20 ms "
            "(McGorry et al. 2010)",
            "heel pads": "they yield by 8 mm in the first 60 ms for a leg of 0.9 m; people's yield by 9 to 10 mm "
            "(De Clercq et al. 1994, Wearing et al. 2014)",
            "virtual pivot point": "in double support the feet's forces point to a point above the hips, since "
            "parallel forces brake too little (Maus et al. 2010)",
        }
        | _by_words(human_terms.CONSTRAINTS)
        | _by_words(separation.CONSTRAINTS)
        | _by_words(human_terms.OBJECTIVES),
    ),
}


def _running(human: Preset) -> Preset:
    """The preset of runs: that of people's walking, without what is specific to it, and with the terms of running."""
    constraints = tuple(part for part in human.constraints if part is not human_terms.knee_flexion_in_preswing)
    left_out = ("load transfer in double support", "virtual pivot point", "knee flexion in preswing")
    reasons = {name: reason for name, reason in human.reasons.items() if name not in left_out}
    return replace(
        human,
        name="running",
        runs=True,
        constraints=(*constraints, *running_terms.CONSTRAINTS),
        objectives=(*human.objectives, *running_terms.OBJECTIVES),
        weights=running_terms.WEIGHTS,
        reasons=reasons
        | running_terms.OTHER_REASONS
        | _by_words(running_terms.CONSTRAINTS)
        | _by_words(running_terms.OBJECTIVES),
    )


PRESETS["running"] = _running(PRESETS["human"])


def with_weights(preset: Preset, weights: Mapping[str, float]) -> Preset:
    """A preset with other weights; those not given keep their values.

    Raises:
        PredictionError: a weight has no such name.
    """
    known = [one.name for one in fields(Weights)]
    for name in weights:
        if name not in known:
            raise PredictionError(f"there is no weight '{name}'", where="weights", remedy=f"Known: {', '.join(known)}")
    return replace(preset, weights=replace(preset.weights, **weights))


def find_preset(name: str | Preset) -> Preset:
    """The preset of this name, or the given one. Raises PredictionError if there is none."""
    if isinstance(name, Preset):
        return name
    if name not in PRESETS:
        known = " or ".join(repr(key) for key in PRESETS)
        raise PredictionError(f"there is no preset {name!r}", where="gait", remedy=f"Use {known}")
    return PRESETS[name]
