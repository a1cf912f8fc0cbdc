"""What-if predictions: the walk of a subject whose body, ground or task is changed in specified ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np

from pipeline.config import FREE_SPEED_OF_A_RUN, WhatIf, nearest
from pipeline.conventions import SIDES
from pipeline.optimisation import SQP, Progress, Solver, SolverError, SolverResult, require_success
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.least_cost import least_cost_walk, standing_cost
from pipeline.prediction.gait.nearest_case import each_side, nearest_case
from pipeline.prediction.gait.predict import GaitPrediction, predict_gait
from pipeline.prediction.gait.presets import Preset, find_preset
from pipeline.prediction.gait.problem import GaitProblem
from pipeline.prediction.gait.sidedness import differences, lock, lock_one_sided
from pipeline.prediction.gait.start import start_from
from pipeline.prediction.gait.task import GaitTask
from pipeline.prediction.gait.walker import CLINICAL_JOINTS, JointForce, Spring, make_walker
from pipeline.skeleton import Skeleton, merge_frozen

NM_PER_DEG = 180.0 / np.pi
"""Stiffness in Nm/rad of 1 Nm/deg."""

TRUNK = ("lower_thorax", "upper_thorax")
"""Segments that share the mass added to the trunk."""

SEARCH = SQP(patience=4)
"""Search for a case from the walk without it. If it ends early, a feasible motion is sought by parts of the changes,
which finds more walks than patience does. Of twenty cases, eight of them not used to choose this value, all end alike
with twice the patience here and in parts; refused ones then end later."""

FROM_MOTION = SQP(penalties=(30.0, 300.0))
"""From a motion that satisfies all constraints; a search at lower penalties leaves it and may not find it again."""

T = TypeVar("T")

Motion = tuple[GaitProblem, SolverResult]
"""A problem and a motion that satisfies its constraints, whatever its objective."""


@dataclass(frozen=True)
class ChangedWalker:
    """Body and task with the changes of a case.

    Attributes:
        skeleton, task, springs, joint_forces: after the changes.
        changes: each change in words.
    """

    skeleton: Skeleton
    task: GaitTask
    springs: tuple[Spring, ...]
    joint_forces: tuple[JointForce, ...]
    changes: tuple[str, ...]


@dataclass(frozen=True)
class WhatIfPrediction:
    """The result of a what-if prediction.

    Attributes:
        changes: of body and task, in words.
        unchanged: the walk of the subject's own body at its own task.
        changed: the walk with the changes.
    """

    changes: tuple[str, ...]
    unchanged: GaitPrediction
    changed: GaitPrediction


def predict_what_if(
    skeleton: Skeleton,
    task: GaitTask,
    case: WhatIf,
    preset: str | Preset = "human",
    *,
    unchanged: GaitPrediction | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> WhatIfPrediction:
    """Predict a walk with and without the changes of a case.

    Args:
        skeleton: the subject's own body.
        task: its own task; of form ``stride`` if the case makes the sides differ.
        case: the changes.
        preset: of both walks.
        unchanged: the walk without the changes, if it is known.
        progress: as for `predict_gait`.

    Raises:
        PredictionError: the case names a joint or segment that the skeleton does not have, the task is impossible,
            the sides differ in the form ``step``, or the speed of a run is free.
        SolverError: no walk was found; the message names the violated constraints, and the largest part of the changes
            for which there is a walk.
    """
    if "speed" in case.free and find_preset(preset).runs:
        raise PredictionError(FREE_SPEED_OF_A_RUN, where="what-if case", remedy="Give the speed")
    changed = changed_walker(case, skeleton, task)
    # The stride of a symmetric body is a step and its mirror image, which is found in a fraction of the time.
    alike = not differences(make_walker(merge_frozen(lock_one_sided(skeleton))), task)
    own = replace(task, form="step") if alike else task
    before = unchanged or predict_gait(skeleton, own, preset, progress=progress)

    def walk(search: Solver, own_task: GaitTask, start: GaitPrediction) -> GaitPrediction:
        return predict_gait(
            changed.skeleton,
            own_task,
            preset,
            springs=changed.springs,
            joint_forces=changed.joint_forces,
            solver=search,
            start=start,
            retry=False,
            progress=progress,
        )

    def motion_of(smaller: WhatIf, start: Motion) -> Motion:
        own = changed_walker(smaller, skeleton, task)
        problem = GaitProblem.make(own.skeleton, own.task, preset, own.springs, own.joint_forces)
        x = start_from(problem, start[0], start[1].x)
        assert x is not None, "the search from this walk has begun"
        result = problem.feasible(x, progress)
        return problem, require_success(result, problem.problem, where=problem.title, remedy="")

    def answer(search: Solver, start: GaitPrediction) -> GaitPrediction:
        if case.free:
            return least_cost_walk(partial(walk, search), changed.task, start, case.free, standing_cost(before))
        return walk(search, changed.task, start)

    try:
        after = answer(SEARCH, before)
    except SolverError as failed:
        found = nearest_case(case, skeleton, (before.problem, before.result), motion_of)
        if found is None or found.share < 1.0:
            remedy = "With a quarter of the changes there is no walk either: ask for another speed or step length"
            if found:
                texts = "; ".join(changed_walker(found.case, skeleton, task).changes)
                share = f"{100 * found.share:.0f} %"
                remedy = f"With {share} of the changes there is a walk ({texts}): use these, or ask for another speed"
            raise SolverError(failed.problem, best=failed.best, where=failed.where, remedy=remedy) from failed
        try:
            after = answer(FROM_MOTION, GaitPrediction.of(*found.walk))
        except SolverError as lost:
            remedy = "A motion within all limits was found, but no walk of minimum objective: ask for another speed"
            raise SolverError(lost.problem, best=lost.best, where=lost.where, remedy=remedy) from lost
    return WhatIfPrediction(changed.changes, before, after)


def changed_walker(case: WhatIf, skeleton: Skeleton, task: GaitTask) -> ChangedWalker:
    """Body and task with the changes of a case.

    Raises:
        PredictionError: the skeleton lacks a joint or segment of the case, or a segment would have no mass left.
    """
    own = float(skeleton.mass.sum())
    skeleton = _with_masses(case, _with_ranges(case, _with_strength(case, skeleton)))
    springs = tuple(
        Spring(joint, spring.stiffness * NM_PER_DEG, float(np.radians(spring.rest)))
        for joint, spring in _of_joints(case.springs, skeleton)
    )
    limits = {f"{side}_force_limit": value for side, value in case.max_vertical_force.items()}
    slope = float(np.radians(case.slope)) if case.slope else task.slope
    added = task.added_mass + float(skeleton.mass.sum()) - own
    task = replace(task, slope=slope, added_mass=added, **limits)  # type: ignore[arg-type]
    return ChangedWalker(skeleton, task, springs, _joint_forces(case), tuple(_texts(case)))


def check_names(case: WhatIf, skeleton: Skeleton) -> None:
    """Raise PredictionError if the skeleton lacks a joint or segment of the case."""
    for given in (case.strength, case.range, case.springs):
        list(_of_joints(given, skeleton))
    list(_of_segments(case.added_mass, skeleton))
    _joint_forces(case)


def _joint_forces(case: WhatIf) -> tuple[JointForce, ...]:
    known = {f"{side}_{joint}" for side in SIDES for joint in CLINICAL_JOINTS}
    limits = dict(_sided(case.max_joint_force, known, "joint"))
    weights = dict(_sided(case.joint_force_weight, known, "joint"))
    return tuple(JointForce(name, limits.get(name, np.inf), weights.get(name, 0.0)) for name in limits | weights)


def _with_strength(case: WhatIf, skeleton: Skeleton) -> Skeleton:
    limits = skeleton.tau_limit.copy()
    for joint, factor in _of_joints(case.strength, skeleton):
        limits[skeleton.index(joint)] *= factor
    return replace(skeleton, tau_limit=limits)


def _with_ranges(case: WhatIf, skeleton: Skeleton) -> Skeleton:
    lower, upper, locked = skeleton.q_lower.copy(), skeleton.q_upper.copy(), {}
    for joint, given in _of_joints(case.range, skeleton):
        j = skeleton.index(joint)
        lower[j] = lower[j] if given.lower is None else np.radians(given.lower)
        upper[j] = upper[j] if given.upper is None else np.radians(given.upper)
        if lower[j] > upper[j]:
            raise PredictionError(
                f"a range of motion from {np.degrees(lower[j]):g} to {np.degrees(upper[j]):g} degrees is empty",
                where=f"joint {joint}",
                remedy="Give both limits, flexion positive",
            )
        if lower[j] == upper[j]:
            locked[j] = float(lower[j])
    return lock(replace(skeleton, q_lower=lower, q_upper=upper), locked)


def _with_masses(case: WhatIf, skeleton: Skeleton) -> Skeleton:
    mass = skeleton.mass.copy()
    for segment, added in _of_segments(case.added_mass, skeleton):
        link = skeleton.segment(segment).joint
        if mass[link] + added <= 0.0:
            raise PredictionError(
                f"{added:g} kg would leave it without mass: it has {mass[link]:.2f} kg",
                where=f"segment {segment}",
                remedy="Remove less mass",
            )
        mass[link] += added
    return replace(skeleton, mass=mass)


def _of_joints(given: Mapping[str, T], skeleton: Skeleton) -> Iterator[tuple[str, T]]:
    for name, value in _sided(given, set(skeleton.joint_names[6:]), "joint"):
        if skeleton.frozen[skeleton.index(name)]:
            raise PredictionError(
                f"joint '{name}' is held at zero in predicted walks, since the skeleton's file lists it as frozen",
                where="what-if case",
                remedy="Leave it out of the case, or take it from 'frozen' in skeleton.yaml",
            )
        yield name, value


def _of_segments(given: Mapping[str, float], skeleton: Skeleton) -> Iterator[tuple[str, float]]:
    spread = {name: mass for name, mass in given.items() if name != "trunk"}
    if "trunk" in given:
        spread |= {part: spread.get(part, 0.0) + given["trunk"] / len(TRUNK) for part in TRUNK}
    return _sided(spread, set(skeleton.segments), "segment")


def _sided(given: Mapping[str, T], known: set[str], kind: str) -> Iterator[tuple[str, T]]:
    """Entries with both_ expanded to left_ and right_. Raises PredictionError for an unknown name."""
    for name, value in given.items():
        for own in each_side(name):
            if own not in known:
                raise PredictionError(f"there is no {kind} '{own}'; {nearest(own, known)}", where="what-if case")
            yield own, value


def _words(name: str) -> str:
    return name.replace("_", " ")


def _texts(case: WhatIf) -> Iterator[str]:
    """Each change in words."""
    for joint, factor in case.strength.items():
        yield f"{_words(joint)}: {100 * factor:.3g} % of the strength"
    for joint, given in case.range.items():
        if given.lower is not None and given.lower == given.upper:
            yield f"{_words(joint)}: locked at {given.lower:g} degrees"
        else:
            low = "" if given.lower is None else f" at least {given.lower:g}"
            high = "" if given.upper is None else f" at most {given.upper:g}"
            yield f"{_words(joint)}:{low}{' and' if low and high else ''}{high} degrees"
    for joint, spring in case.springs.items():
        yield f"{_words(joint)}: spring of {spring.stiffness:g} Nm/deg about {spring.rest:g} degrees"
    for segment, added in case.added_mass.items():
        yield f"{_words(segment)}: {added:+g} kg"
    if case.slope:
        yield f"slope of {abs(case.slope):g} degrees {'uphill' if case.slope > 0 else 'downhill'}"
    loaded = " with the added mass" if any(case.added_mass.values()) else ""
    for side, limit in case.max_vertical_force.items():
        yield f"{side} foot: vertical force at most {limit:g} body weights{loaded}"
    for joint, limit in case.max_joint_force.items():
        yield f"{_words(joint)}: net force at most {limit:g} body weights{loaded}"
    for joint, weight in case.joint_force_weight.items():
        yield f"{_words(joint)}: net force penalised with weight {weight:g}"
    if case.free:
        yield f"{' and '.join(map(_words, case.free))} free: least cost per metre"
