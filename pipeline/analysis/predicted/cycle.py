"""A predicted step or stride as a gait cycle in clinical terms.

A step runs from the right foot's initial contact to the left foot's, and the next step is its mirror image. The
right side's curves in the second step are therefore the left side's in the first, with signs that are the same for both
sides: flexion, towards the midline, ipsilateral side up. A cycle is the right side's curve followed by the left side's.
A stride is the right side's cycle; the left side's begins with its second step.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from pipeline.analysis.clinical import clinical_moments, foot_angles, own_side_ground, own_side_pelvis
from pipeline.analysis.cycles import JOINTS, points_over_time
from pipeline.analysis.resampling import PERCENT, resample
from pipeline.analysis.walk_parameters import timing_parameters, walk_ratio
from pipeline.anatomy import joint_angles, pelvis_angles
from pipeline.conventions import GRAVITY, X, Z
from pipeline.math3d import rotation_about
from pipeline.newton_euler import in_axes, joint_power
from pipeline.sides import other_side
from pipeline.trial import Cycle, CycleCurves, JointPose, PredictedWalk

SEGMENTS = {"hip": ("pelvis", "thigh"), "knee": ("thigh", "shank"), "ankle": ("shank", "foot")}
"""Proximal and distal segment of each joint, without their side."""

SEQUENCES = {"hip": "zxy", "knee": "zxy", "ankle": "zyx"}
"""Cardan sequences of the joint angles, as in Plug-in Gait."""


@dataclass(frozen=True)
class PredictedSide:
    """Curves of one side over time (T,) in clinical terms; fields as in `pipeline.trial.CycleCurves`.

    Attributes:
        force: by joint, (T,) magnitude of the internal joint force, body weights.
        ground_G: (T, 3) ground reaction along the axes of G, body weights.
    """

    angles: dict[str, np.ndarray]
    moments: dict[str, np.ndarray]
    powers: dict[str, np.ndarray]
    ground: np.ndarray
    force: dict[str, np.ndarray]
    ground_G: np.ndarray
    of_points: dict[str, np.ndarray]


def predicted_side(walk: PredictedWalk, side: str, moment_axes: str = "distal") -> PredictedSide:
    """Angles, moments, powers and ground reaction of one side over the step or stride.

    The pelvis is that of Plug-in Gait: in standing it leans forward by the subject's own tilt, so that pelvic tilt and
    hip flexion compare with measured ones, offset included.
    """
    mass, weight = walk.task.mass, walk.task.mass * GRAVITY
    poses = {name: _pose(walk, name, side) for name in JOINTS}
    level = rotation_about(np.array([[0.0, 0.0, 1.0]]), np.array([walk.task.slope]))
    angles = {"pelvis": own_side_pelvis(side, pelvis_angles(level @ _pelvis(walk)))}
    moments, powers, force = {}, {}, {}
    for joint, pose in poses.items():
        name = f"{side}_{joint}"
        load = walk.joints[name]
        angles[joint] = joint_angles(name, pose, SEQUENCES[joint])
        moments[joint] = clinical_moments(name, in_axes(load.moment_G, moment_axes, pose.R_GP, pose.R_GD)) / mass
        powers[joint] = joint_power(load.moment_G, load.omega_G) / mass
        force[joint] = np.linalg.norm(load.force_G, axis=1) / weight
    angles["foot"] = foot_angles(side, walk.segments[f"{side}_foot"].R_GS)
    ground_G = walk.ground[side].force_G / weight
    ground, of_points = own_side_ground(side, ground_G), points_over_time(side, walk.time, walk.points)
    return PredictedSide(angles, moments, powers, ground, force, ground_G, of_points)


def predicted_cycle(
    walk: PredictedWalk, side: str = "right", moment_axes: str = "distal", start: float = 0.0
) -> CycleCurves:
    """The gait cycle of a side; if a step was predicted, both sides have the same one. It begins at ``start``, s."""
    stride = 2.0 * walk.task.step_time
    parts = _parts(walk, side, moment_axes)
    # The right foot's cycle begins with the first step, the left foot's with the second.
    first, second = walk.task.step_times
    begins, own_step = (0.0, first) if side == "right" else (first, second)
    off, other_off = (start + (walk.task.foot_off(one) - begins) % stride for one in (side, other_side(side)))
    # The number of a plate marks the ground reaction as known.
    cycle = Cycle(side, start, off, start + stride, other_off, start + own_step, "predicted", 1)
    between_heels, timing = _between_heels(walk, side), timing_parameters(cycle)
    return CycleCurves(
        cycle=cycle,
        percent=PERCENT,
        angles=parts.each(lambda part: part.angles),
        moments=parts.each(lambda part: part.moments),
        powers=parts.each(lambda part: part.powers),
        of_points=parts.each(lambda part: part.of_points),
        ground=parts.over_cycle(parts.first.ground, parts.second.ground),
        parameters=timing
        | {
            "speed": walk.task.speed,
            "stride_length": 2.0 * walk.task.step_length,
            "walk_ratio": walk_ratio(2.0 * walk.task.step_length, timing["cadence"]),
            "step_length": abs(float(between_heels[X])),
            "step_width": abs(float(between_heels[Z])),
        },
    )


def predicted_forces(walk: PredictedWalk, side: str = "right") -> dict[str, np.ndarray]:
    """Magnitudes (101,) of the internal joint forces over the gait cycle of a side, by joint, body weights."""
    return _parts(walk, side).each(lambda part: part.force)


@dataclass(frozen=True)
class _Parts:
    """Two successive parts of a side's motion, which contain one stride as the cycle.

    Attributes:
        first, second: N frames each; the second's first frame is the first's last.
        time: (2N - 1,) s.
        start, stop: of the cycle, s.
    """

    first: PredictedSide
    second: PredictedSide
    time: np.ndarray
    start: float
    stop: float

    def over_cycle(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """Values (101, ...) over the cycle, from values (N, ...) of both parts."""
        return resample(np.concatenate([first, second[1:]]), self.time, self.start, self.stop)

    def each(self, read: Callable[[PredictedSide], dict[str, np.ndarray]]) -> dict[str, np.ndarray]:
        """Values over the cycle, by joint."""
        second = read(self.second)
        return {name: self.over_cycle(values, second[name]) for name, values in read(self.first).items()}


def _parts(walk: PredictedWalk, side: str, moment_axes: str = "distal") -> _Parts:
    (step, _), stride = walk.task.step_times, 2.0 * walk.task.step_time
    if walk.task.steps == 1:
        # The cycles of both sides equal the right side's.
        first, second = (predicted_side(walk, own, moment_axes) for own in ("right", "left"))
        return _Parts(first, second, np.concatenate([walk.time, step + walk.time[1:]]), 0.0, stride)
    both = predicted_side(walk, side, moment_axes)
    start = step if side == "left" else 0.0
    return _Parts(both, both, np.concatenate([walk.time, stride + walk.time[1:]]), start, start + stride)


def _between_heels(walk: PredictedWalk, side: str) -> np.ndarray:
    """From the other foot's heel at its initial contact to that of a side at its next one, in G, as in measured walks.

    A predicted step, which is the left foot's, gives that of both sides.
    """
    right, left = walk.points["right_heel"], walk.points["left_heel"]
    left_contact = left[np.argmin(np.abs(walk.time - walk.task.step_times[0]))]
    return left_contact - right[0] if side == "left" or walk.task.steps == 1 else right[-1] - left_contact


def _pelvis(walk: PredictedWalk) -> np.ndarray:
    """Axes (T, 3, 3) of the pelvis as defined by Plug-in Gait."""
    R_GS = walk.segments["pelvis"].R_GS
    lean = rotation_about(np.array([[0.0, 0.0, 1.0]]), np.array([-walk.task.pelvic_tilt]))
    return R_GS @ lean


def _pose(walk: PredictedWalk, joint: str, side: str) -> JointPose:
    proximal, distal = (name if name == "pelvis" else f"{side}_{name}" for name in SEGMENTS[joint])
    R_GP = _pelvis(walk) if proximal == "pelvis" else walk.segments[proximal].R_GS
    segment = walk.segments[distal]
    return JointPose(segment.origin_G, R_GP, segment.R_GS, walk.joints[f"{side}_{joint}"].omega_G)
