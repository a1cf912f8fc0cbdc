"""The mirror image of a motion in the sagittal plane."""

from __future__ import annotations

import numpy as np

from pipeline.errors import DynamicsError
from pipeline.skeleton.points import joint_axes
from pipeline.skeleton.tree import Skeleton


def mirror_map(skeleton: Skeleton) -> tuple[np.ndarray, np.ndarray]:
    """Index (n,) and sign (n,) such that ``sign * q[:, index]`` is the mirror image of q in the plane z = 0 of G.

    Joints "right_*" and "left_*" change places. An axis is mirrored as a vector where it is prismatic, and as an axial
    vector, with the opposite sign, where it is revolute.

    Raises:
        DynamicsError: a side's joint has no partner, or its axis is not its partner's mirror image at q = 0.
    """
    names = skeleton.joint_names
    axes, _ = joint_axes(skeleton, np.zeros((1, len(skeleton))))
    index, sign = np.arange(len(skeleton)), np.ones(len(skeleton))
    for j, name in enumerate(names):
        partner = name
        for one, other in (("right_", "left_"), ("left_", "right_")):
            if name.startswith(one):
                partner = other + name.removeprefix(one)
        if partner not in names:
            raise DynamicsError(f"there is no joint {partner!r}", where=f"joint {name}", remedy="Mirror the chain")
        index[j] = names.index(partner)
        image = axes[0, index[j]] * [1.0, 1.0, -1.0] * (-1.0 if skeleton.kind[j] == "R" else 1.0)
        sign[j] = np.round(image @ axes[0, j])
        if not np.allclose(image * sign[j], axes[0, j], atol=1e-9) or sign[j] == 0:
            raise DynamicsError(
                f"its axis is not the mirror image of that of {partner!r}",
                where=f"joint {name}",
                remedy="Mirror the chain, and give midline joints axes along or across the midline",
            )
    return index, sign
