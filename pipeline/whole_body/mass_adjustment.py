"""Mass distribution of a subject from the pelvis residuals of a walk, by regularised linear least squares.

Tables give the masses of an average subject. Here the masses of groups of segments, and the forward and mediolateral
position of the trunk's centre of mass, change slightly, as in residual reduction (Delp et al. 2007, IEEE Trans Biomed
Eng 54:1940-1950), at constant body mass. The pelvis residuals are linear in masses and first moments of mass (Atkeson
et al. 1986, Int J Robot Res 5(3):101-119). A few parameters serve all frames, so what they improve in some frames can
be tested on others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.conventions import GRAVITY, SIDES
from pipeline.dynamics import Wrenches, rnea
from pipeline.errors import DynamicsError
from pipeline.skeleton import Skeleton, skeleton_of
from pipeline.trial import WholeBody

TRUNK = ("lower_abdomen", "upper_abdomen", "lower_thorax", "upper_thorax")
"""Segments whose centre of mass may shift: no marker determines its depth in the trunk."""

MASS_GROUPS = {
    "pelvis": ("pelvis",),
    "trunk": TRUNK,
    "head": ("head",),
    "arms": tuple(f"{side}_{part}" for side in SIDES for part in ("upper_arm", "forearm", "hand")),
    "thighs": tuple(f"{side}_thigh" for side in SIDES),
    "shanks": tuple(f"{side}_shank" for side in SIDES),
    "feet": tuple(f"{side}_foot" for side in SIDES),
}
"""Segments whose masses change by a common factor."""

SHIFT_SD = 0.03
"""m; prior standard deviation of the trunk's centre of mass: tables give its height but not its depth."""

MASS_SD = 0.1
"""Prior standard deviation of a segment's mass relative to the table (Rao et al. 2006, J Biomech 39:1531-1536)."""

MAX_MASS_CHANGE = 0.5
"""Relative change of a segment's mass beyond which motion and loads contradict each other."""

FORCE_ERROR, MOMENT_ERROR = 0.03, 0.006
"""Standard deviation of the residuals with the true masses, in body weights and in body weights times stature."""

INDEPENDENT_RATE = 10.0
"""Hz; number of independent residuals per second of a filtered motion."""


@dataclass(frozen=True)
class MassDistribution:
    """A skeleton with an adjusted mass distribution, and the changes.

    Attributes:
        skeleton: with the adjusted masses, centres of mass and inertias.
        shift: (2,) m, shift of the trunk's centre of mass forward and to the right.
        factors: mass over that of the table, by group.
    """

    skeleton: Skeleton
    shift: np.ndarray
    factors: dict[str, float]


def fit_mass_distribution(
    skeleton: Skeleton,
    q: np.ndarray,
    qd: np.ndarray,
    qdd: np.ndarray,
    wrenches: Wrenches,
    frames: np.ndarray,
    rate: float,
    height: float,
) -> MassDistribution:
    """The most probable mass distribution given the pelvis residual forces and moments in some frames.

    Args:
        skeleton: tree of n joints whose first six are those of the pelvis in G.
        q, qd, qdd: (T, n) motion.
        wrenches: ground loads by segment, (T, 3) each in G.
        frames: (T,) frames to fit, in which all loads are known.
        rate: Hz.
        height: m, stature.

    Raises:
        DynamicsError: motion and loads require implausible masses.
    """
    weight = float(skeleton.mass.sum()) * GRAVITY
    scale = np.array([FORCE_ERROR] * 3 + [MOMENT_ERROR * height] * 3) * weight
    names = tuple(MASS_GROUPS)

    def changed(value: np.ndarray) -> Skeleton:
        return _changed(skeleton, value[:2], dict(zip(names, 1.0 + value[2:], strict=True)))

    def residual(value: np.ndarray) -> np.ndarray:
        tau = rnea(changed(value), q, qd, qdd, wrenches=wrenches).tau[frames, :6]
        return (tau / scale).ravel()

    sd = np.append(np.full(2, SHIFT_SD), np.full(len(names), MASS_SD))
    start = np.zeros(len(sd))
    initial = residual(start)
    jacobian = np.stack([residual(s * row) - initial for s, row in zip(sd, np.eye(len(sd)), strict=True)], axis=1)
    independent = min(1.0, INDEPENDENT_RATE / rate)
    normal = independent * jacobian.T @ jacobian + np.eye(len(sd))
    value = sd * np.linalg.solve(normal, -independent * jacobian.T @ initial)
    change = value[2:]
    if np.abs(change).max() > MAX_MASS_CHANGE:
        worst = int(np.argmax(np.abs(change)))
        raise DynamicsError(
            f"motion and plates balance only if the mass of the {names[worst]} changes by {100 * change[worst]:.0f} %",
            where="mass distribution",
            remedy="Check the subject's mass, and which foot stands on which plate",
        )
    body = changed(value)
    factors = {
        name: float(body.mass[j] / skeleton.mass[j])
        for name, j in ((name, skeleton.segment(MASS_GROUPS[name][0]).joint) for name in names)
    }
    return MassDistribution(body, value[:2], factors)


def _changed(skeleton: Skeleton, shift: np.ndarray, factors: Mapping[str, float]) -> Skeleton:
    """The skeleton with mass factors, rescaled to the same body mass, and with the trunk's centre of mass shifted."""
    factor = _by_joint(skeleton, factors, 1.0)
    factor *= skeleton.mass.sum() / (factor * skeleton.mass).sum()
    return _with_masses(skeleton, factor, shift)


def reduced_skeleton(body: WholeBody) -> Skeleton:
    """The skeleton of a walk's residual-reduced motion, from its results: with the stored mass factors and the trunk's
    centre of mass shifted.

    Segments in no group share the factor that keeps the body's mass.
    """
    skeleton = skeleton_of(body)
    factor = _by_joint(skeleton, body.mass_factors, np.nan)
    rest = np.isnan(factor) & (skeleton.mass > 0.0)
    others = skeleton.mass.sum() - np.nansum(factor * skeleton.mass)
    factor[np.isnan(factor)] = others / skeleton.mass[rest].sum() if rest.any() else 1.0
    return _with_masses(skeleton, factor, body.trunk_com_shift)


def _by_joint(skeleton: Skeleton, factors: Mapping[str, float], rest: float) -> np.ndarray:
    """Factors (n,) of the groups, by name, for their segments' joints; ``rest`` for the others."""
    found = np.full(len(skeleton), rest)
    for name, segments in MASS_GROUPS.items():
        found[[skeleton.segment(segment).joint for segment in segments]] = factors[name]
    return found


def _with_masses(skeleton: Skeleton, factor: np.ndarray, shift: np.ndarray) -> Skeleton:
    """The skeleton with each link's mass and inertia times a factor (n,).

    The centres of mass of the trunk's segments are shifted (2,) forward and to the right, m.
    """
    com = skeleton.com.copy()
    for name in TRUNK:
        segment = skeleton.segment(name)
        com[segment.joint] += segment.pose[:3, :3] @ [shift[0], 0.0, shift[1]]
    return replace(skeleton, mass=factor * skeleton.mass, com=com, inertia=factor[:, None, None] * skeleton.inertia)
