"""Repeated lifts: strength falls with fatigue, joint by joint, and the lift is re-solved within what is left."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from pipeline.muscles import fatigue, rates_of
from pipeline.optimisation import SolverError
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.lifting.niosh import recommended_weight
from pipeline.prediction.lifting.predict import LiftPrediction, predict_lift
from pipeline.prediction.lifting.task import LiftTask
from pipeline.skeleton import Skeleton
from pipeline.trial import RepeatedTask

MAX_STRENGTH_LOSS = 0.02
"""Loss of a joint's strength since the last solution after which the lift is re-solved."""

STEADY_TOLERANCE = 2e-5
"""Change of every joint's strength from one repetition to the next below which strength counts as settled."""

MIN_LOAD = 0.02
"""Share of strength below which a joint does not tire."""

MUSCLES = {
    "ankle": "ankle",
    "toe": "ankle",
    "knee": "knee",
    "spine": "trunk",
    "neck": "trunk",
    "shoulder": "shoulder",
    "clavicle": "shoulder",
    "elbow": "elbow",
    "forearm": "elbow",
    "wrist": "hand",
}
"""Joint whose fatigue rates a coordinate takes, by a part of its name; others take the general rates."""


def repeat_lift(
    skeleton: Skeleton,
    task: LiftTask,
    every: float,
    most: int,
    progress: Callable[[int, float], None] | None = None,
) -> tuple[LiftPrediction, RepeatedTask]:
    """The rested lift, and its repetition until strength is insufficient, settles, or the requested number is done.

    The joints rest between two lifts, while another person brings the box back.

    Each joint is one group of muscles with the three-compartment fatigue model of that joint, loaded by the share of
    its rested strength that the lift takes.

    Args:
        skeleton: the body, whose torque limits are the rested strength.
        task: of one lift.
        every: time from the start of one lift to that of the next, s.
        most: number of lifts requested.
        progress: called after every lift with its number and the smallest strength left.

    Raises:
        PredictionError: the next lift would start before the first has ended, or the task is impossible.
        SolverError: not even the rested body can do the lift.
    """
    if every < task.duration:
        remedy = "Give more time from lift to lift"
        raise PredictionError(
            f"a lift every {every:g} s, but each lasts {task.duration:g} s", where="lift task", remedy=remedy
        )
    limit, fatigued = np.asarray(skeleton.tau_limit), np.zeros(len(skeleton))
    found = first = predict_lift(skeleton, task)
    solved, strengths, used = [(1, found)], [], np.ones(len(skeleton))
    ended, lifts, able = f"all {most} lifts are done", 0, True
    for number in range(1, most + 1):
        strength = 1.0 - fatigued
        beyond = np.any(np.abs(found.tau) > limit * (strength + 1e-6))
        if beyond or np.any(used - strength > MAX_STRENGTH_LOSS):
            try:
                found = predict_lift(replace(skeleton, tau_limit=limit * strength), task)
            except (SolverError, PredictionError) as error:
                weakest = skeleton.joint_names[int(np.argmin(strength))].replace("_", " ")
                reason = f"no lift is found within the remaining strength ({weakest}: {100 * strength.min():.0f} %)"
                ended, able = f"after {lifts} lifts {reason}: {error}", False
                break
            solved.append((number, found))
            used = strength
        strengths.append(strength)
        before, fatigued = fatigued, _after(skeleton.joint_names, found, limit, every, fatigued)
        lifts = number
        if progress:
            progress(number, float(1.0 - fatigued.max()))
        if np.abs(fatigued - before).max() < STEADY_TOLERANCE:
            ended = f"strength settles after {lifts} lifts: according to this model they can continue"
            break
    numbers, motions = zip(*solved, strict=True)
    return first, RepeatedTask(
        number=np.array(numbers),
        strength=np.array(strengths),
        q=np.array([own.q for own in motions]),
        tau=np.array([own.tau for own in motions]),
        lifts=lifts,
        able=able,
        ended=ended,
        every=every,
        load=task.load,
        weight_limit=weight_limit(task, every, most),
    )


def weight_limit(task: LiftTask, every: float, most: int) -> float:
    """Recommended weight, kg, of a repeated lift: the lower one of its ends; NaN beyond the 8 h of the equation."""
    travel, hours = abs(task.end[1] - task.start[1]), most * every / 3600.0
    if hours > 8.0:
        return np.nan
    return min(recommended_weight(*place, travel, 60.0 / every, hours) for place in (task.start, task.end))


def muscles_of(coordinate: str) -> str:
    """Joint whose fatigue rates a coordinate takes, such as "knee" for "left_knee_flexion"."""
    return next((joint for part, joint in MUSCLES.items() if part in coordinate), "general")


def _after(
    names: tuple[str, ...], lift: LiftPrediction, limit: np.ndarray, every: float, fatigued: np.ndarray
) -> np.ndarray:
    """Fatigued share (n,) of every joint at the start of the next lift."""
    with np.errstate(invalid="ignore"):
        share = np.where(np.isfinite(limit), np.abs(lift.tau) / limit, 0.0)
    rest = np.arange(lift.time[-1] + 0.05, every, 0.05)
    time = np.concatenate([lift.time, rest, [every]] if every > lift.time[-1] else [lift.time])
    time = time[np.concatenate([[True], np.diff(time) > 1e-9])]
    out = fatigued.copy()
    for j, name in enumerate(names):
        if share[:, j].max() < MIN_LOAD and fatigued[j] == 0.0:
            continue
        load = np.zeros(len(time))
        load[: len(lift.time)] = np.minimum(share[:, j], 1.0)
        load[len(lift.time) - 1] = 0.0 if every > lift.time[-1] else load[len(lift.time) - 1]
        rates = rates_of(muscles_of(name))
        out[j] = fatigue(rates, time, load, fatigued[j]).fatigued[-1]
    return out
