"""Muscle forces of a walk from its joint moments: paths, Hill-type forces, static optimisation in one call."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.muscles.elastic import elastic_forces
from pipeline.muscles.emg_assisted import EmgCriterion
from pipeline.muscles.forces import rigid_tendon_forces
from pipeline.muscles.hill import Curves
from pipeline.muscles.paths import Line, MuscleModel, geometry_of, path_lines
from pipeline.muscles.static_optimisation import Criterion, static_optimisation


@dataclass(frozen=True)
class MuscleForces:
    """Muscles over T frames; muscles and coordinates are in the model's order.

    Attributes:
        activation: (T, m).
        force: (T, m) N along the tendon, active and passive.
        passive: (T, m) N, the passive part with rigid tendons.
        other: (T, J) Nm, passive moments beyond those of the muscles.
        reserve: (T, J) Nm, the part of each moment that neither supplies; NaN for coordinates that are not balanced.
        fibre_length: (T, m), fraction of the optimal length.
        arm: (T, J, m) m.
        lines: straight parts of the muscles' paths, for `muscle_load`.
        emg_scale: (C,) activation at the maximum of each followed channel's envelope.
    """

    activation: np.ndarray
    force: np.ndarray
    passive: np.ndarray
    other: np.ndarray
    reserve: np.ndarray
    fibre_length: np.ndarray
    arm: np.ndarray
    lines: tuple[Line, ...]
    emg_scale: np.ndarray


@dataclass(frozen=True)
class History:
    """Settings of muscle forces that depend on earlier frames.

    Attributes:
        time: (T,) s.
        begins: (T,) whether a frame does not follow the one before; true for the first one.
        elastic: muscles with elastic tendons, by names without side (`ELASTIC`); all others have rigid ones.
        dynamic: whether activations change no faster than excitations allow; with rigid tendons only.
    """

    time: np.ndarray
    begins: np.ndarray
    elastic: Collection[str] = ()
    dynamic: bool = False

    def __post_init__(self) -> None:
        if self.elastic and self.dynamic:
            problem = "elastic tendons cannot be combined with activation dynamics"
            raise DynamicsError(problem, where="muscle forces", remedy="Choose one of both")


def muscle_forces(
    model: MuscleModel,
    q: Mapping[str, np.ndarray],
    qd: Mapping[str, np.ndarray],
    moment: Mapping[str, np.ndarray],
    criterion: Criterion | EmgCriterion | None = None,
    *,
    passive_moment: Mapping[str, np.ndarray] | None = None,
    unbalanced: Collection[str] = (),
    history: History | None = None,
) -> MuscleForces:
    """Muscle forces that produce the joint moments of a walk.

    Args:
        model: muscles and their linkage.
        q, qd, moment: (T,) by coordinate of the model, rad, rad/s and Nm.
        criterion: of the distribution to muscles, as for `static_optimisation`, or one that follows EMG, with scales
            found for rigid tendons.
        passive_moment: (T,) Nm by coordinate, of all passive structures that cross it, muscles included; coordinates
            left out have the muscles' only. The share of the muscles' stretched fibres presses the joint with them; the
            rest, that of ligaments and capsule, presses no joint here.
        unbalanced: coordinates that change lengths, but with a moment borne by joint surfaces; they need no moment.
        history: for elastic tendons and activation dynamics; without it each frame stands alone.

    Raises:
        DynamicsError: a coordinate is missing, a value is not finite, or no distribution is found.
    """
    balanced = [name for name in model.coordinates if name not in unbalanced]
    missing = [name for name in model.coordinates for values in (q, qd) if name not in values]
    missing += [name for name in balanced if name not in moment]
    if missing:
        remedy = "Give angle, velocity and moment of each coordinate of the model"
        raise DynamicsError(f"no {missing[0]}", where="muscle forces", remedy=remedy)
    lines = tuple(path_lines(model, q))
    geometry = geometry_of(lines, model, len(next(iter(q.values()))))
    speeds = np.stack([qd[name] for name in model.coordinates], axis=1)
    joint_moments = np.stack([moment[name] for name in balanced], axis=1)
    rows = [model.coordinates.index(name) for name in balanced]
    speed = -np.einsum("tjm,tj->tm", geometry.arm, speeds)
    curves = Curves.gait2392()
    hill = rigid_tendon_forces(model.muscles, curves, geometry.length, speed)
    arm, at_rest, fibre = geometry.arm[:, rows], hill.passive, hill.fibre_length
    elastic = history.elastic if history else ()
    stretched = np.array([muscle.name.rpartition("_")[0] in elastic for muscle in model.muscles])
    other = np.zeros(geometry.arm.shape[:2])
    for name, values in (passive_moment or {}).items():
        k = model.coordinates.index(name)
        other[:, k] = values - np.sum(geometry.arm[:, k] * at_rest, axis=1)
    joint_moments -= other[:, rows]
    needed, capacity = joint_moments - np.einsum("tjm,tm->tj", arm, at_rest), arm * hill.active[:, None]
    criterion, scale = criterion or Criterion(), np.zeros(0)
    if isinstance(criterion, EmgCriterion):
        criterion, scale = criterion.best(capacity, needed)
    if history and stretched.any():
        activation, force, fibre = elastic_forces(
            model.muscles, stretched, curves, hill, arm, joint_moments, geometry.length,
            speed, history.time, history.begins, criterion,
        )  # fmt: skip
    else:
        time = history.time if history and history.dynamic else None
        activation = static_optimisation(capacity, needed, criterion, time=time).activation
        force = activation * hill.active + at_rest
    left = np.full(geometry.arm.shape[:2], np.nan)
    left[:, rows] = joint_moments - np.einsum("tjm,tm->tj", arm, force)
    return MuscleForces(activation, force, at_rest, other, left, fibre, geometry.arm, lines, scale)
