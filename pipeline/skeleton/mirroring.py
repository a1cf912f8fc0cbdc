"""Mirror image of motions, and symmetric skeletons, in the sagittal plane."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.math3d import nearest_rotation
from pipeline.sides import other_side
from pipeline.skeleton.parameters import Segment
from pipeline.skeleton.points import joint_axes
from pipeline.skeleton.transforms import transform
from pipeline.skeleton.tree import Skeleton

_MIRROR = np.diag([1.0, 1.0, -1.0])
_MIRROR4 = np.diag([1.0, 1.0, -1.0, 1.0])


def mirror_map(skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """Index (n,) and sign (n,) such that ``sign * q[:, index]`` is the mirror image of q in the plane z = 0 of G.

    Joints "right_*" and "left_*" are swapped. The axis of a prismatic joint is mirrored as a vector, that of a revolute
    joint as an axial vector, with the opposite sign.

    Raises:
        DynamicsError: a joint of one side has no partner, or its axis is not its partner's mirror image at q = 0.
    """
    names = skeleton.joint_names
    axes, _ = joint_axes(skeleton, np.zeros((1, len(skeleton))))
    index, sign = np.arange(len(skeleton)), np.ones(len(skeleton))
    for j, name in enumerate(names):
        index[j] = _partner(skeleton, j)
        partner = names[index[j]]
        image = axes[0, index[j]] * [1.0, 1.0, -1.0] * (-1.0 if skeleton.kind[j] == "R" else 1.0)
        sign[j] = np.round(image @ axes[0, j])
        if not np.allclose(image * sign[j], axes[0, j], atol=1e-9) or sign[j] == 0:
            raise DynamicsError(
                f"its axis is not the mirror image of that of {partner!r}",
                where=f"joint {name}",
                remedy="Mirror the chain, and give midline joints axes along or across the midline",
            )
    return index, sign


def symmetric(skeleton: Skeleton) -> Skeleton:
    """A skeleton whose sides are mirror images: the mean of each side and the other side's image.

    Lengths, positions, masses, inertias and limits are averaged; for fixed rotations, the rotation nearest to their
    mean is taken. Midline links keep their geometry; their centres of mass and inertias lose their asymmetric part.

    Args:
        skeleton: tree whose joints "left_*" are built as images of "right_*", as `load_skeleton` does: d and alpha
            have the opposite sign, and all frames are mirrored along their z axis.

    Raises:
        DynamicsError: a joint of one side has no partner.
    """
    n = len(skeleton)
    partner = np.array([_partner(skeleton, j) for j in range(n)])
    middle = partner == np.arange(n)
    flip = np.where(middle, 1.0, -1.0)
    origin = skeleton.origin.copy()
    image = _MIRROR4 @ skeleton.origin[partner] @ _MIRROR4
    sides = np.flatnonzero(~middle)
    origin[sides, :3, 3] = 0.5 * (origin + image)[sides, :3, 3]
    origin[sides, :3, :3] = nearest_rotation(origin[sides, :3, :3] + image[sides, :3, :3])
    # A link on the midline has its z axis across the body, so its own image is the same reflection.
    com = 0.5 * (skeleton.com + skeleton.com[partner] @ _MIRROR)
    inertia = 0.5 * (skeleton.inertia + _MIRROR @ skeleton.inertia[partner] @ _MIRROR)
    segments = {}
    for name, segment in skeleton.segments.items():
        pose = segment.pose
        if not middle[segment.joint]:
            other = _MIRROR4 @ skeleton.segments[other_side(name)].pose @ _MIRROR4
            rotation = nearest_rotation((pose + other)[:3, :3])
            pose = transform(rotation, 0.5 * (pose + other)[:3, 3])
        segments[name] = Segment(segment.joint, pose)

    alike = {name: getattr(skeleton, name) for name in ("theta", "a", "mass", "q_lower", "q_upper", "tau_limit")}
    turned = {name: getattr(skeleton, name) for name in ("d", "alpha")}
    return replace(
        skeleton,
        origin=origin,
        com=com,
        inertia=inertia,
        segments=segments,
        **{name: 0.5 * (values + values[partner]) for name, values in alike.items()},
        **{name: 0.5 * (values + flip * values[partner]) for name, values in turned.items()},
    )


def _partner(skeleton: Skeleton, j: int) -> int:
    """Index of the joint on the other side. Raises DynamicsError if there is none."""
    name = skeleton.joint_names[j]
    partner = other_side(name)
    if partner not in skeleton.joint_names:
        raise DynamicsError(f"there is no joint {partner!r}", where=f"joint {name}", remedy="Mirror the chain")
    return skeleton.joint_names.index(partner)
