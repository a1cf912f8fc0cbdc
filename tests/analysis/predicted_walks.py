"""Predicted walks for tests: in general position, mirrored, and made by hand from their clinical meaning."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from pipeline.analysis.predicted.cycle import SEGMENTS
from pipeline.math3d import Wrench, rotation_about
from pipeline.trial import PredictedJoint, PredictedWalk, PredictionTask, SegmentPose, SolverReport

SIDES = ("left", "right")
FRAMES, STEP_TIME = 41, 0.5
TASK = PredictionTask("human", "f", 60.0, 1.7, 0.2, 1.2, 0.6, 0.2, 0.1, 0.1, 0.6)
SOLVER = SolverReport(
    "converged",
    "",
    9,
    100,
    900,
    50,
    {"effort": 1.0},
    0.5,
    1e-3,
    0.01,
    0.001,
    0.07,
    0.18,
    0.002,
    1.0,
    0.01,
    0.02,
    1e-9,
    (),
)

Z_AXIS, X_AXIS, Y_AXIS = np.eye(3)[2], np.eye(3)[0], np.eye(3)[1]


def walk_of(
    segments: dict[str, np.ndarray], joints: dict[str, PredictedJoint], forces: dict[str, np.ndarray]
) -> PredictedWalk:
    empty = np.zeros((FRAMES, 1))
    still = np.zeros((FRAMES, 3))
    return PredictedWalk(
        name="p",
        subject="s",
        skeleton="",
        task=TASK,
        solver=SOLVER,
        joint_names=("j",),
        time=np.linspace(0.0, STEP_TIME, FRAMES),
        q=empty,
        qd=empty,
        qdd=empty,
        tau=empty,
        force_G=still[:, None],
        moment_G=still[:, None],
        ground={side: Wrench(force, still, still) for side, force in forces.items()},
        zmp_G=still,
        segments={name: SegmentPose(R, still) for name, R in segments.items()},
        points={
            "right_heel": np.tile([-0.05, 0.0, 0.06], (FRAMES, 1)),
            "left_heel": np.tile([0.5, 0.0, -0.04], (FRAMES, 1)),
        },
        joints=joints,
        notes=(),
    )


def random_walk(seed: int) -> PredictedWalk:
    """Poses and loads in general position, without any symmetry."""
    rng = np.random.default_rng(seed)

    def turned() -> np.ndarray:
        # Within a radian, so that no Cardan angle passes its singularity.
        axis = rng.normal(size=(FRAMES, 3))
        return rotation_about(axis, rng.uniform(-0.6, 0.6, FRAMES))

    def vectors() -> np.ndarray:
        return rng.normal(size=(FRAMES, 3)) * 100.0

    names = ["pelvis", *(f"{side}_{name}" for side in SIDES for name in ("thigh", "shank", "foot"))]
    loaded = [f"{side}_{joint}" for side in SIDES for joint in SEGMENTS]
    joints = {name: PredictedJoint(vectors(), vectors(), vectors()) for name in loaded}
    return walk_of({name: turned() for name in names}, joints, {side: vectors() for side in SIDES})


def mirrored(walk: PredictedWalk) -> PredictedWalk:
    """The walk seen in a mirror in the sagittal plane: sides change names, polar and axial vectors their signs."""
    S = np.diag([1.0, 1.0, -1.0])

    def other(name: str) -> str:
        side, _, rest = name.partition("_")
        return f"{SIDES[1 - SIDES.index(side)]}_{rest}" if side in SIDES else name

    return walk_of(
        {other(name): S @ segment.R_GS @ S for name, segment in walk.segments.items()},
        {
            other(name): PredictedJoint(joint.force_G @ S, -joint.moment_G @ S, -joint.omega_G @ S)
            for name, joint in walk.joints.items()
        },
        {other(side).rstrip("_"): wrench.force_G @ S for side, wrench in walk.ground.items()},
    )


def rotation(order: str, angles: dict[str, np.ndarray]) -> np.ndarray:
    """Product of elementary rotations in the order named."""
    axes = {"x": X_AXIS, "y": Y_AXIS, "z": Z_AXIS}
    R = np.eye(3)
    for axis in order:
        R = R @ rotation_about(axes[axis], angles[axis])
    return R


def wave(mean: float, amplitude: float, cycles: int, phase: float) -> Callable[[np.ndarray], np.ndarray]:
    """A curve over the gait cycle, u from 0 to 1; an odd number of waves is turned over after half a cycle."""
    return lambda u: mean + amplitude * np.sin(2.0 * np.pi * cycles * u + phase)


ANGLES = {
    "hip": (wave(0.2, 0.4, 1, 1.5), wave(0.05, 0.1, 1, 0.3), wave(-0.1, 0.1, 2, 0.8)),
    "knee": (wave(0.5, 0.4, 2, 0.1), wave(0.02, 0.05, 1, 0.5), wave(0.1, 0.06, 1, 2.0)),
    "ankle": (wave(0.0, 0.2, 1, 0.9), wave(-0.05, 0.08, 2, 1.1), wave(0.1, 0.1, 1, 0.2)),
}
"""Flexion, adduction, internal rotation over the cycle."""

PELVIS = (wave(0.25, 0.04, 2, 0.4), wave(0.0, 0.07, 1, 0.6), wave(0.0, 0.1, 1, 2.2))
"""Anterior tilt, own side up, own side forward: the last two are opposite for the two sides."""

GROUND = (wave(0.0, 0.2, 1, 0.1), wave(0.6, 0.5, 1, 0.2), wave(0.05, 0.03, 2, 0.3))
MOMENTS = {joint: tuple(wave(0.1 * k, 0.5, 1 + k, k) for k in range(3)) for joint in ANGLES}


def hand_made_walk() -> PredictedWalk:
    """A step whose segments are turned by the angles above, written out for each side from their clinical meaning."""
    s = np.linspace(0.0, 1.0, FRAMES)
    u = {"right": s / 2.0, "left": 0.5 + s / 2.0}
    lateral = {"right": 1.0, "left": -1.0}
    tilt, up, forward = (curve(u["right"]) for curve in PELVIS)
    # About z to the right a positive turn lifts the front, about x forward it lifts the left... of the right-handed
    # set x forward, y up, z right: turning about x lowers z; about y it takes z forward to x, the right side forward.
    pelvis = rotation("zxy", {"z": -tilt, "x": -up, "y": forward})
    segments = {"pelvis": pelvis @ rotation_about(Z_AXIS, TASK.pelvic_tilt)}
    joints, forces = {}, {}
    for side in SIDES:
        above = pelvis
        for joint, distal in (("hip", "thigh"), ("knee", "shank"), ("ankle", "foot")):
            flexion, adduction, internal = (curve(u[side]) for curve in ANGLES[joint])
            turns = {
                "z": -flexion if joint == "knee" else flexion,
                "x": lateral[side] * adduction,
                "y": lateral[side] * internal,
            }
            R = above @ rotation("zyx" if joint == "ankle" else "zxy", turns)
            extensor, abductor, external = (TASK.mass * curve(u[side]) for curve in MOMENTS[joint])
            about_z = extensor if joint == "knee" else -extensor
            moment_D = np.stack([-lateral[side] * abductor, -lateral[side] * external, about_z], axis=1)
            joints[f"{side}_{joint}"] = PredictedJoint(
                np.tile([0.0, 300.0, 400.0], (FRAMES, 1)), np.einsum("tij,tj->ti", R, moment_D), np.zeros((FRAMES, 3))
            )
            segments[f"{side}_{distal}"] = above = R
        fore, vertical, medial = (curve(u[side]) for curve in GROUND)
        weight = TASK.mass * 9.81
        forces[side] = weight * np.stack([fore, vertical, -lateral[side] * medial], axis=1)
    return walk_of(segments, joints, forces)
