"""Joint contact forces: the net joint force less what the muscles exert on the body beyond the joint (Newton's law).

The net force of inverse dynamics is what moves the bodies beyond a joint besides their weight and the ground. Part of
it are the muscles' pulls on them; the rest is transmitted by the joint's surfaces (and ligaments, which are left out).
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from pipeline.muscles.paths import MuscleModel, path_lines


@dataclass(frozen=True)
class MuscleLoad:
    """Sum of the muscles' forces on some bodies, in the frame of the model's first body.

    Attributes:
        force: (T, 3) N.
        moment: (T, 3) Nm, about the origin of the first body.
    """

    force: np.ndarray
    moment: np.ndarray


def muscle_load(
    model: MuscleModel, q: Mapping[str, np.ndarray], force: np.ndarray, bodies: Collection[str]
) -> MuscleLoad:
    """What muscles that pull with ``force`` (T, m), N, exert on a set of bodies, at each of their path points.

    Lines between two points of the set cancel; so what counts is where a path crosses into it.
    """
    total, moment = np.zeros((2, len(force), 3))
    members = set(bodies)
    for line in path_lines(model, q):
        pull = line.direction * (line.on * force[:, line.muscle])[:, None]
        starts = np.isin(line.start_point, [k for k, point in enumerate(line.points) if point.body in members])
        ends = line.points[line.end].body in members
        share = (starts.astype(float) - float(ends))[:, None] * pull
        total += share
        moment += np.cross(line.start, share)  # both ends lie on the line of action
    return MuscleLoad(total, moment)


def contact_force(net_force_G: np.ndarray, load: MuscleLoad, R_GP: np.ndarray) -> np.ndarray:
    """Contact force (T, 3), N, of the proximal on the distal body, in G.

    Args:
        net_force_G: (T, 3) net joint force of inverse dynamics, of the proximal on the distal body.
        load: the muscles' load on all bodies beyond the joint.
        R_GP: (T, 3, 3) rotation of the model's first body (the pelvis) to G.
    """
    return net_force_G - np.einsum("tij,tj->ti", R_GP, load.force)


def beyond(model: MuscleModel, body: str) -> frozenset[str]:
    """A body and all that it carries."""
    members = {body}
    for joint in model.joints:
        if joint.parent in members:
            members.add(joint.child)
    return frozenset(members)
