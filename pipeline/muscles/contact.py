"""Joint contact forces: the net joint force minus the muscles' force on the bodies beyond the joint (Newton's law).

The net force of inverse dynamics, together with weight and ground reaction, moves the bodies beyond a joint. Part of it
comes from the muscles' pulls on them; the rest is transmitted by the joint's surfaces (ligaments are left out).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from pipeline.muscles.paths import Line, MuscleModel


@dataclass(frozen=True)
class MuscleLoad:
    """Sum of the muscles' forces on some bodies, in the frame of the model's first body.

    Attributes:
        force: (T, 3) N.
        moment: (T, 3) Nm, about the origin of the first body.
    """

    force: np.ndarray
    moment: np.ndarray


def muscle_load(lines: Iterable[Line], force: np.ndarray, bodies: Collection[str]) -> MuscleLoad:
    """Load that muscles pulling with ``force`` (T, m), N, along their lines (`path_lines`) exert on a set of bodies.

    Each muscle pulls at its path points. Lines between two points of the set cancel, so only the places where a path
    crosses into the set count.
    """
    members = set(bodies)
    places, shares = [np.zeros((1, len(force), 3))], [np.zeros((1, len(force), 3))]
    for line in lines:
        inside = np.array([point.body in members for point in line.points])
        share = inside[line.start_point].astype(float) - float(inside[line.end])
        if share.any():
            pull = line.direction * (line.on * share * force[:, line.muscle])[:, None]
            places.append(line.start[None])
            shares.append(pull[None])
    r, f = np.concatenate(places), np.concatenate(shares)
    return MuscleLoad(f.sum(axis=0), np.cross(r, f).sum(axis=0))  # both ends lie on the line of action


def contact_force(net_force_G: np.ndarray, load: MuscleLoad, R_GP: np.ndarray) -> np.ndarray:
    """Contact force (T, 3), N, of the proximal on the distal body, in G.

    Args:
        net_force_G: (T, 3) net joint force of inverse dynamics, of the proximal on the distal body.
        load: the muscles' load on all bodies beyond the joint.
        R_GP: (T, 3, 3) rotation of the model's first body (the pelvis) to G.
    """
    return net_force_G - np.einsum("tij,tj->ti", R_GP, load.force)


def contact_moment(net_moment_G: np.ndarray, load: MuscleLoad, place: np.ndarray, R_GP: np.ndarray) -> np.ndarray:
    """Moment (T, 3), Nm, that joint surfaces and ligaments transmit to the distal body about a joint's centre, in G.

    Args:
        net_moment_G: (T, 3) net joint moment of inverse dynamics about the centre, of the proximal on the distal body.
        load, R_GP: as for `contact_force`.
        place: (T, 3) m, the centre in the frame of the model's first body.
    """
    return net_moment_G - np.einsum("tij,tj->ti", R_GP, load.moment - np.cross(place, load.force))


def beyond(model: MuscleModel, body: str) -> frozenset[str]:
    """A body and all bodies distal to it."""
    members = {body}
    for joint in model.joints:
        if joint.parent in members:
            members.add(joint.child)
    return frozenset(members)
