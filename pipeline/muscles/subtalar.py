"""The moment about the subtalar axis of a foot, and its uncertainty, since no marker shows a person's axis.

Directions of 46 feet vary by 9 degrees of inclination and 11 of deviation (standard deviations; Isman and Inman 1969,
Bull Prosthet Res 10-11:97-129); the muscle model has one direction for all. At push-off, when the ankle's moment is
largest, this changes the moment about the axis by more than the muscles next to it can produce.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.conventions import Y
from pipeline.math3d import unit
from pipeline.muscles.linkage import body_poses
from pipeline.muscles.loaded_walk import LoadedWalk
from pipeline.muscles.on_skeleton import SUBTALAR
from pipeline.muscles.paths import MuscleModel
from pipeline.skeleton import Skeleton

INCLINATION_SD, DEVIATION_SD = np.radians([9.0, 11.0])
"""rad, angle of the axis to the ground, and of its direction on the ground to the foot's length."""


@dataclass(frozen=True)
class SubtalarMoment:
    """Moment over F frames.

    Attributes:
        value: (F,) Nm, about the axis of the muscle model.
        sd: (F,) Nm, its standard deviation over people's axes.
    """

    value: np.ndarray
    sd: np.ndarray


def subtalar_moments(
    body: LoadedWalk, skeleton: Skeleton, own: MuscleModel, q: Mapping[str, np.ndarray], known: np.ndarray
) -> dict[str, SubtalarMoment]:
    """Moments of the ankles' net forces and moments about the subtalar hinges, by hinge.

    Args:
        body: the walk on its skeleton.
        skeleton: of the walk.
        own: muscles with their linkage; without a foot there is no moment.
        q: (F,) angles of the linkage, rad, in the known frames.
        known: (T,) mask of these F frames.
    """
    return {
        hinge: SubtalarMoment(np.sum(axis * moment, axis=1), _spread(axis, up, moment))
        for hinge, axis, up, moment in _about_hinges(body, skeleton, own, q, known)
    }


def _about_hinges(
    body: LoadedWalk, skeleton: Skeleton, own: MuscleModel, q: Mapping[str, np.ndarray], known: np.ndarray
) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """Each hinge with its direction, the foot's upward axis and the moment about the hinge's origin, all (F, 3) in the
    pelvis."""
    poses = body_poses(own.root, own.joints, q)
    R_GP = body.kinematic.segments["pelvis"].R_GS[known]
    for ankle, hinge in SUBTALAR.items():
        if hinge in own.coordinates:
            j, movement = skeleton.index(ankle), poses[hinge].movements[-1]
            force, moment = (
                np.einsum("tji,tj->ti", R_GP, v[known, j]) for v in (body.kinematic.force_G, body.kinematic.moment_G)
            )
            about_hinge = moment + np.cross(poses[ankle].r - movement.origin, force)
            yield hinge, movement.direction, poses[ankle].R[:, :, Y], about_hinge


def _spread(axis: np.ndarray, up: np.ndarray, moment: np.ndarray) -> np.ndarray:
    """Standard deviation (F,) of axis . moment: deviation turns the axis about the foot's upward axis, inclination
    towards it."""
    aside = np.cross(up, axis)
    upward = unit(up - np.sum(up * axis, axis=1, keepdims=True) * axis)
    by_deviation, by_inclination = (np.sum(change * moment, axis=1) for change in (aside, upward))
    return np.hypot(DEVIATION_SD * by_deviation, INCLINATION_SD * by_inclination)
