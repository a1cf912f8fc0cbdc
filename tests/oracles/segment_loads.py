"""Joint angles and loads of a synthetic trial from its known motion, by Newton-Euler equations written out by frame.

Deliberately simple and without code of the pipeline's own inverse dynamics: an independent reference for it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline import trial
from pipeline.conventions import GRAVITY_G, SIDES
from pipeline.math3d import Wrench, cardan_angles
from pipeline.synthetic import DemoTruth, SegmentMotion


@dataclass(frozen=True)
class SegmentInertia:
    """Mass properties of a rigid segment.

    Attributes:
        mass: kg.
        com_S: (3,) m, centre of mass from the segment's origin (its proximal joint centre), in segment axes.
        inertia_S: (3, 3) kg m^2 about the centre of mass, in segment axes.
    """

    mass: float
    com_S: np.ndarray
    inertia_S: np.ndarray


def joint_loads(
    chain: Sequence[str],
    segments: Mapping[str, SegmentMotion],
    inertias: Mapping[str, SegmentInertia | trial.SegmentInertia],
    external: Mapping[str, Wrench],
    gravity_G: tuple[float, float, float] = GRAVITY_G,
) -> dict[str, Wrench]:
    """Loads that the proximal segment exerts on each segment of a chain, at that segment's origin.

    For each frame, from the last segment up: the forces on a body add up to m a, and the moments about its centre of
    mass to I alpha + omega x I omega (Newton 1687; Euler 1776).

    Args:
        chain: names from proximal to distal, such as ("thigh", "shank", "foot").
        segments: motion by name, T frames.
        inertias: mass properties by name.
        external: loads on a segment from outside the body, in G, about any points.
        gravity_G: gravitational acceleration, m/s^2.

    Returns:
        By segment: force and moment on it (proximal on distal), about its origin, in G.
    """
    n_frames = len(segments[chain[0]].origin_G)
    force = {name: np.zeros((n_frames, 3)) for name in chain}
    moment = {name: np.zeros((n_frames, 3)) for name in chain}
    for frame in range(n_frames):
        distal_force, distal_moment, distal_point = np.zeros(3), np.zeros(3), np.zeros(3)
        for name in reversed(chain):
            motion, body = segments[name], inertias[name]
            R = motion.R_GS[frame]
            arm = R @ np.asarray(body.com_S, dtype=float)
            com = motion.origin_G[frame] + arm
            omega, alpha = motion.omega_G[frame], motion.alpha_G[frame]
            acceleration = motion.acceleration_G[frame] + np.cross(alpha, arm) + np.cross(omega, np.cross(omega, arm))
            inertia = R @ np.asarray(body.inertia_S, dtype=float) @ R.T

            # What must act at the proximal joint: the rates of momentum less every other load on the body.
            f = body.mass * (acceleration - np.asarray(gravity_G)) + distal_force
            m = inertia @ alpha + np.cross(omega, inertia @ omega)
            m = m + distal_moment + np.cross(distal_point - com, distal_force)
            if name in external:
                load = external[name]
                f = f - load.force_G[frame]
                m = m - load.moment_G[frame] - np.cross(load.point_G[frame] - com, load.force_G[frame])
            m = m - np.cross(-arm, f)
            force[name][frame], moment[name][frame] = f, m
            distal_force, distal_moment, distal_point = f, m, motion.origin_G[frame]
    return {name: Wrench(force[name], moment[name], segments[name].origin_G) for name in chain}


def true_loads(
    truth: DemoTruth,
    inertias: Mapping[str, SegmentInertia | trial.SegmentInertia],
    gravity_G: tuple[float, float, float] = GRAVITY_G,
) -> dict[str, Wrench]:
    """Loads of the proximal on the distal segment at each joint centre, in G: "left_hip", "left_knee" and so on.

    Of legs with the given inertia. The feet bear the whole ground reaction; compare with a pipeline that knows the
    plates only where ``truth.on_plates`` is true.

    Args:
        truth: the trial.
        inertias: for "left_thigh", "left_shank", "left_foot" and the right ones.
        gravity_G: gravitational acceleration, m/s^2.
    """
    loads: dict[str, Wrench] = {}
    for side in SIDES:
        chain = [f"{side}_{part}" for part in ("thigh", "shank", "foot")]
        of_side = joint_loads(chain, truth.segments, inertias, {chain[-1]: truth.ground[side]}, gravity_G)
        loads |= {f"{side}_{joint}": of_side[part] for joint, part in zip(("hip", "knee", "ankle"), chain, strict=True)}
    return loads


def known_frames(truth: DemoTruth, joint: str, moment_G: np.ndarray) -> np.ndarray:
    """Frames (T,) where a pipeline has the moment and should have it: 25 ms from the steps' edges, 0.1 s from the ends.

    At initial contact and foot off a wide-open filter still rounds the corner of the load over some 25 ms.
    """
    side = joint.split("_")[0]
    edges = [event.time for event in truth.events if event.side == side]
    away = np.min(np.abs(truth.time[:, None] - np.array(edges)), axis=1) > 0.025
    known = np.isfinite(moment_G).all(axis=1) & truth.on_plates[side] & away
    known[:10] = known[-10:] = False
    assert known.sum() > 100, "little is left to compare"
    return known


def true_angles(truth: DemoTruth) -> dict[str, np.ndarray]:
    """Cardan angles z-x-y (T, 3) in rad of hip, knee and ankle in Plug-in Gait's axes (Grood and Suntay 1983).

    As the rotation matrices give them: the second and third have opposite anatomical meaning left and right.
    """
    angles = {}
    for side in SIDES:
        frames = ("pelvis", *(f"{side}_{part}" for part in ("thigh", "tibia", "shank", "foot")))
        pelvis, thigh, tibia, shank, foot = (truth.segments[name].R_GS for name in frames)
        for joint, proximal, distal in (("hip", pelvis, thigh), ("knee", thigh, tibia), ("ankle", shank, foot)):
            angles[f"{side}_{joint}"] = cardan_angles(np.swapaxes(proximal, -1, -2) @ distal, "zxy")
    return angles
