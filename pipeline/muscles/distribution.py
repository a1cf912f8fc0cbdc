"""Muscle forces of a walk from its joint moments: paths, forces with rigid tendons, static optimisation in one call."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.muscles.forces import rigid_tendon_forces
from pipeline.muscles.hill import Curves
from pipeline.muscles.paths import Line, MuscleModel, geometry_of, path_lines
from pipeline.muscles.static_optimisation import static_optimisation


@dataclass(frozen=True)
class MuscleForces:
    """Muscles over T frames; muscles and coordinates are in the model's order.

    Attributes:
        activation: (T, m).
        force: (T, m) N along the tendon, active and passive.
        passive: (T, m) N, the passive part.
        reserve: (T, J) Nm, the part of each moment that no muscle gives.
        fibre_length: (T, m), fraction of the optimal one.
        arm: (T, J, m) m.
        lines: straight parts of the muscles' paths, for `muscle_load`.
    """

    activation: np.ndarray
    force: np.ndarray
    passive: np.ndarray
    reserve: np.ndarray
    fibre_length: np.ndarray
    arm: np.ndarray
    lines: tuple[Line, ...]


def muscle_forces(
    model: MuscleModel,
    q: Mapping[str, np.ndarray],
    qd: Mapping[str, np.ndarray],
    moment: Mapping[str, np.ndarray],
    *,
    curves: Curves | None = None,
    passive: bool = True,
    power: int = 2,
    reserve: float = 1.0,
    low: float | np.ndarray = 0.0,
    high: float | np.ndarray = 1.0,
) -> MuscleForces:
    """Muscle forces that give the joint moments of a walk.

    Args:
        model: muscles and their linkage.
        q, qd, moment: (T,) by coordinate of the model, rad, rad/s and Nm.
        curves: those of gait2392 if omitted.
        passive: whether stretched fibres pull without activation.
        power, reserve, low, high: as for `static_optimisation`.

    Raises:
        DynamicsError: a coordinate is missing, a value is not finite, or no distribution is found.
    """
    missing = [name for name in model.coordinates for values in (q, qd, moment) if name not in values]
    if missing:
        remedy = "Give angle, velocity and moment of each coordinate of the model"
        raise DynamicsError(f"no {missing[0]}", where="muscle forces", remedy=remedy)
    lines = tuple(path_lines(model, q))
    geometry = geometry_of(lines, model, len(next(iter(q.values()))))
    speeds, asked = (np.stack([values[name] for name in model.coordinates], axis=1) for values in (qd, moment))
    speed = -np.einsum("tjm,tj->tm", geometry.arm, speeds)
    hill = rigid_tendon_forces(model.muscles, curves or Curves.gait2392(), geometry.length, speed)
    at_rest = hill.passive if passive else np.zeros_like(hill.passive)
    solution = static_optimisation(
        geometry.arm * hill.active[:, None],
        asked - np.einsum("tjm,tm->tj", geometry.arm, at_rest),
        power=power,
        reserve=reserve,
        low=low,
        high=high,
    )
    force = solution.activation * hill.active + at_rest
    return MuscleForces(solution.activation, force, at_rest, solution.reserve, hill.fibre_length, geometry.arm, lines)
