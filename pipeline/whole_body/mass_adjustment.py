"""A person's mass distribution from what a walk leaves over at the pelvis.

Tables give a mean person's masses. Here the masses of groups of segments, and where the trunk's centre of mass lies
forward and sideways, change a little, as in residual reduction (Delp et al. 2007, IEEE Trans Biomed Eng 54:1940-1950),
the body's mass staying. The residual at the pelvis is linear in masses and first moments of mass (Atkeson et al. 1986,
Int J Robot Res 5(3):101-119). Few numbers serve all frames of all walks of the person, so that what they gain on some
frames can be checked on others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.conventions import GRAVITY_G, Y
from pipeline.dynamics.loads import Wrenches
from pipeline.dynamics.rnea import rnea
from pipeline.errors import DynamicsError
from pipeline.skeleton import Skeleton

PLAUSIBLE_SHIFT = 0.03
"""m; the trunk's centre of mass is about as uncertain: tables tell where it lies along the trunk, not in its depth."""

PLAUSIBLE_MASS = 0.1
"""Masses of segments differ from a table's by about this part (Rao et al. 2006, J Biomech 39:1531-1536)."""

LARGEST_CHANGE = 0.5
"""Part of its mass by which no segment differs from a table: motion and loads that ask for more are wrong."""

FORCE_ERROR, MOMENT_ERROR = 0.03, 0.006
"""Body weights, and body weights times stature, that motion and plates leave over with any mass distribution."""

PACE = 10.0
"""1/s; residuals of a motion filtered at some Hz are independent only so many times a second."""


@dataclass(frozen=True)
class MassDistribution:
    """A skeleton with another mass distribution, and what changed.

    Attributes:
        skeleton: as given, but for masses, centres of mass and inertias.
        shift: (2,) m by which the trunk's centre of mass lies farther forward and to the right.
        factors: of the masses, by group.
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
    trunk: Sequence[str],
    groups: Mapping[str, Sequence[str]],
) -> MassDistribution:
    """Find the most plausible mass distribution for the pelvis' residual forces and moments in some frames.

    Args:
        skeleton: tree of n joints whose first six are those of the pelvis in G.
        q, qd, qdd: (T, n) motion.
        wrenches: loads of the ground by segment, (T, 3) each in G.
        frames: (T,) those to fit, in which all loads are known.
        rate: Hz.
        height: m, stature.
        trunk: segments whose centre of mass may shift.
        groups: segments whose mass changes by a common factor.

    Raises:
        DynamicsError: motion and loads together ask for masses that no person has.
    """
    weight = float(skeleton.mass.sum()) * -GRAVITY_G[Y]
    scale = np.array([FORCE_ERROR] * 3 + [MOMENT_ERROR * height] * 3) * weight
    names = tuple(groups)

    def changed(value: np.ndarray) -> Skeleton:
        return _changed(skeleton, value[:2], dict(zip(names, 1.0 + value[2:], strict=True)), trunk, groups)

    def residual(value: np.ndarray) -> np.ndarray:
        tau = rnea(changed(value), q, qd, qdd, wrenches=wrenches).tau[frames, :6]
        return (tau / scale).ravel()

    spread = np.append(np.full(2, PLAUSIBLE_SHIFT), np.full(len(names), PLAUSIBLE_MASS))
    start = np.zeros(len(spread))
    here = residual(start)
    slope = np.stack([residual(s * row) - here for s, row in zip(spread, np.eye(len(spread)), strict=True)], axis=1)
    share = min(1.0, PACE / rate)
    normal = share * slope.T @ slope + np.eye(len(spread))
    value = spread * np.linalg.solve(normal, -share * slope.T @ here)
    off = value[2:]
    if np.abs(off).max() > LARGEST_CHANGE:
        worst = int(np.argmax(np.abs(off)))
        raise DynamicsError(
            f"motion and plates balance only if the mass of the {names[worst]} changes by {100 * off[worst]:.0f} %",
            where="mass distribution",
            remedy="Check the subject's mass, and which foot stands on which plate",
        )
    body = changed(value)
    factors = {
        name: float(body.mass[j] / skeleton.mass[j])
        for name, j in ((name, skeleton.segment(groups[name][0]).joint) for name in names)
    }
    return MassDistribution(body, value[:2], factors)


def _changed(
    skeleton: Skeleton,
    shift: np.ndarray,
    factors: Mapping[str, float],
    trunk: Sequence[str],
    groups: Mapping[str, Sequence[str]],
) -> Skeleton:
    """Masses times their factors, brought back to the whole body's, and the trunk's centre of mass shifted."""
    factor = np.ones(len(skeleton))
    for name, segments in groups.items():
        factor[[skeleton.segment(segment).joint for segment in segments]] = factors[name]
    factor *= skeleton.mass.sum() / (factor * skeleton.mass).sum()
    com = skeleton.com.copy()
    for name in trunk:
        segment = skeleton.segment(name)
        com[segment.joint] += segment.pose[:3, :3] @ [shift[0], 0.0, shift[1]]
    mass, inertia = factor * skeleton.mass, factor[:, None, None] * skeleton.inertia
    return replace(skeleton, mass=mass, com=com, inertia=inertia)
