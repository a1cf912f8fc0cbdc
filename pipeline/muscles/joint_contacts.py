"""Contact forces of a leg's joints in a walk from the net joint loads and the muscle forces."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from pipeline.conventions import GRAVITY
from pipeline.muscles.contact import beyond, contact_force, contact_moment, muscle_load
from pipeline.muscles.distribution import MuscleForces
from pipeline.muscles.knee_parts import CONTACT_DISTANCE, knee_parts
from pipeline.muscles.linkage import body_poses
from pipeline.muscles.loaded_walk import LoadedWalk
from pipeline.muscles.paths import MuscleModel
from pipeline.skeleton import ADULT_LEG, Skeleton, leg_length

CONTACTS = {"hip": "thigh", "knee": "shank", "ankle": "foot"}
"""The distal segment of each joint with a contact force."""


def contact_forces(
    body: LoadedWalk,
    skeleton: Skeleton,
    own: MuscleModel,
    side: str,
    found: MuscleForces,
    known: np.ndarray,
) -> Iterator[tuple[str, np.ndarray]]:
    """Contact forces (F, 3) of a leg's joints over body weight, in the axes of the distal segment, by joint.

    Args:
        body, skeleton: the walk.
        own: muscles and joints of the leg.
        side: of the leg.
        found: its muscle forces in F frames.
        known: (T,) mask of these frames.
    """
    weight = body.mass * GRAVITY
    R_GP = body.kinematic.segments["pelvis"].R_GS[known]
    for joint, segment in CONTACTS.items():
        first = f"{side}_{joint}_flexion"
        load = muscle_load(found.lines, found.force, beyond(own, first))
        in_G = contact_force(body.kinematic.force_G[known, skeleton.index(first)], load, R_GP)
        R_GS = body.kinematic.segments[f"{side}_{segment}"].R_GS[known]
        yield f"{side}_{joint}", np.einsum("tji,tj->ti", R_GS, in_G) / weight


def compartment_forces(
    body: LoadedWalk,
    skeleton: Skeleton,
    own: MuscleModel,
    side: str,
    q: Mapping[str, np.ndarray],
    found: MuscleForces,
    known: np.ndarray,
) -> np.ndarray:
    """Medial and lateral part (F, 2) of the knee's contact force over body weight; ``q`` in rad, the rest as above."""
    name = f"{side}_knee_flexion"
    (joint,) = (joint for joint in own.joints if joint.child == name)
    thigh = body_poses(own.root, own.joints, q)[joint.parent]
    centre = thigh.r + thigh.R @ joint.before[:3, 3]
    load, j = muscle_load(found.lines, found.force, beyond(own, name)), skeleton.index(name)
    R_GP, R_GS = (body.kinematic.segments[s].R_GS[known] for s in ("pelvis", f"{side}_shank"))
    force_G = contact_force(body.kinematic.force_G[known, j], load, R_GP)
    moment_G = contact_moment(body.kinematic.moment_G[known, j], load, centre, R_GP)
    force, moment = (np.einsum("tji,tj->ti", R_GS, values) for values in (force_G, moment_G))
    distance = CONTACT_DISTANCE * leg_length(skeleton, side) / ADULT_LEG
    return knee_parts(force, moment, side, distance) / (body.mass * GRAVITY)
