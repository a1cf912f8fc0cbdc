"""The whole stride of a predicted step: the step, followed by its mirror image one step length ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TypeVar

import numpy as np

from pipeline.conventions import X
from pipeline.math3d import Wrench
from pipeline.sides import other_side
from pipeline.skeleton import Skeleton, joint_axes, mirror_map
from pipeline.trial import PredictedJoint, PredictedWalk, SegmentPose

T = TypeVar("T")

_FLIP = np.array([1.0, 1.0, -1.0])
"""Mirror image of a vector in the plane z = 0 of G."""

_AXIAL = -_FLIP
"""Mirror image of an axial vector: a moment or an angular velocity."""


def whole_stride(walk: PredictedWalk, skeleton: Skeleton | None = None) -> PredictedWalk:
    """A stride from the right foot's initial contact: segments, points, ground reaction, loads of the legs' joints.

    A predicted stride is returned as it is. Unless the skeleton is given, the coordinates of the skeleton and their
    loads are NaN in the mirrored step.

    Raises:
        DynamicsError: the sides of the skeleton are not mirror images of each other.
    """
    if walk.task.steps == 2:
        return walk
    ahead = np.array([walk.task.step_length, 0.0, 0.0])

    def after(own: np.ndarray, image: np.ndarray) -> np.ndarray:
        return np.concatenate([own, image[1:]])

    def place(own: np.ndarray, image: np.ndarray) -> np.ndarray:
        return after(own, image * _FLIP + ahead)

    def with_image(by_name: Mapping[str, T]) -> Iterator[tuple[str, T, T]]:
        return ((name, own, by_name[other_side(name)]) for name, own in by_name.items())

    count = walk.q.shape[1]
    index, sign = mirror_map(skeleton) if skeleton else (np.arange(count), np.full(count, np.nan))
    advance = walk.task.step_length * _along_x(skeleton) if skeleton else np.zeros(count)

    def coordinates(values: np.ndarray, advance: np.ndarray | float = 0.0) -> np.ndarray:
        return after(values, sign * values[:, index] + advance)

    def internal(values: np.ndarray, flip: np.ndarray) -> np.ndarray:
        return after(values, np.abs(sign)[:, None] * values[:, index] * flip)

    return replace(
        walk,
        task=replace(walk.task, form="stride"),
        time=after(walk.time, walk.task.step_time + walk.time),
        zmp_G=place(walk.zmp_G, walk.zmp_G),
        q=coordinates(walk.q, advance),
        qd=coordinates(walk.qd),
        qdd=coordinates(walk.qdd),
        tau=coordinates(walk.tau),
        force_G=internal(walk.force_G, _FLIP),
        moment_G=internal(walk.moment_G, _AXIAL),
        points={name: place(own, image) for name, own, image in with_image(walk.points)},
        segments={
            name: SegmentPose(after(own.R_GS, _FLIP[:, None] * image.R_GS * _FLIP), place(own.origin_G, image.origin_G))
            for name, own, image in with_image(walk.segments)
        },
        ground={
            name: Wrench(
                after(own.force_G, image.force_G * _FLIP),
                after(own.moment_G, image.moment_G * _AXIAL),
                place(own.point_G, image.point_G),
            )
            for name, own, image in with_image(walk.ground)
        },
        joints={
            name: PredictedJoint(
                after(own.force_G, image.force_G * _FLIP),
                after(own.moment_G, image.moment_G * _AXIAL),
                after(own.omega_G, image.omega_G * _AXIAL),
            )
            for name, own, image in with_image(walk.joints)
        },
    )


def _along_x(skeleton: Skeleton) -> np.ndarray:
    """(n,) growth of each coordinate as the body moves by one along X of G."""
    axes, _ = joint_axes(skeleton, np.zeros((1, len(skeleton))))
    return np.array([axis[X] if kind == "P" else 0.0 for axis, kind in zip(axes[0], skeleton.kind, strict=True)])
