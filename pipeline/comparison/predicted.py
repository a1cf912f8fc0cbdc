"""A predicted step as a gait cycle in clinical terms, and the measured walk beside which it stands.

The step runs from the right foot's strike to the left foot's, and the next step is its mirror image. What the right
side does in the second step is therefore what the left side did in the first, in terms that are the same for both
sides: flexion, towards the midline, own side up. A cycle is the right side's curve followed by the left side's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.anatomy.motion import joint_angles, pelvis_angles
from pipeline.comparison.cycles import JOINTS, PERCENT, clinical_moments, resample
from pipeline.conventions import GRAVITY_G, LATERAL_SIGN, SIDES, Y
from pipeline.math3d import rotation_about
from pipeline.newton_euler import in_axes, joint_power
from pipeline.trial import Cycle, CycleCurves, GaitCycles, JointPose, PredictedWalk

SEGMENTS = {"hip": ("pelvis", "thigh"), "knee": ("thigh", "shank"), "ankle": ("shank", "foot")}
"""Proximal and distal segment of each joint, without their side."""

SEQUENCES = {"hip": "zxy", "knee": "zxy", "ankle": "zyx"}
"""Cardan sequences of the joint angles, as in Plug-in Gait."""


EQUALLY_NEAR = 0.05
"""Relative difference of speed and step length that people vary by from walk to walk."""


WHOLE = 0.95
"""Part of a curve that must be known for it to be whole."""


@dataclass(frozen=True)
class SideCurves:
    """What one side does over the step in clinical terms; fields as in `pipeline.trial.CycleCurves`, over time (T,).

    Attributes:
        force: by joint, (T,) magnitude of the internal joint force, body weights.
    """

    angles: dict[str, np.ndarray]
    moments: dict[str, np.ndarray]
    powers: dict[str, np.ndarray]
    ground: np.ndarray
    force: dict[str, np.ndarray]


def side_curves(walk: PredictedWalk, side: str, moment_axes: str = "distal") -> SideCurves:
    """Angles, moments, powers and ground reaction of one side over the step.

    The pelvis is that of Plug-in Gait: leaning forward in standing by the subject's own tilt, so that pelvic tilt and
    hip flexion compare with measured ones, offset included.
    """
    mass, weight = walk.task.mass, walk.task.mass * -GRAVITY_G[Y]
    poses = {name: _pose(walk, name, side) for name in JOINTS}
    angles = {"pelvis": pelvis_angles(_pelvis(walk)) * [1.0, LATERAL_SIGN[side], LATERAL_SIGN[side]]}
    moments, powers, force = {}, {}, {}
    for joint, pose in poses.items():
        name = f"{side}_{joint}"
        load = walk.joints[name]
        angles[joint] = joint_angles(name, pose, SEQUENCES[joint])
        moments[joint] = clinical_moments(name, in_axes(load.moment_G, moment_axes, pose.R_GP, pose.R_GD)) / mass
        powers[joint] = joint_power(load.moment_G, load.omega_G) / mass
        force[joint] = np.linalg.norm(load.force_G, axis=1) / weight
    ground = walk.ground[side].force_G * [1.0, 1.0, -LATERAL_SIGN[side]] / weight
    return SideCurves(angles, moments, powers, ground, force)


def predicted_cycle(walk: PredictedWalk, moment_axes: str = "distal") -> CycleCurves:
    """The gait cycle of either side: the walk is symmetric."""
    first, second = side_curves(walk, "right", moment_axes), side_curves(walk, "left", moment_axes)
    step = walk.time[-1]
    time = np.concatenate([walk.time, step + walk.time[1:]])

    def over_cycle(one: np.ndarray, other: np.ndarray) -> np.ndarray:
        return resample(np.concatenate([one, other[1:]]), time, 0.0, 2.0 * step)

    def each(one: dict[str, np.ndarray], other: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        return {name: over_cycle(values, other[name]) for name, values in one.items()}

    double = walk.task.double_support * step
    return CycleCurves(
        # Its stance is on known ground, as on a plate.
        cycle=Cycle("right", 0.0, step + double, 2.0 * step, double, step, "predicted", 1),
        percent=PERCENT,
        angles=each(first.angles, second.angles),
        moments=each(first.moments, second.moments),
        powers=each(first.powers, second.powers),
        ground=over_cycle(first.ground, second.ground),
        parameters={
            "speed": walk.task.speed,
            "step_length": walk.task.step_length,
            "cadence": 60.0 / step,
            "stance": 50.0 * (1.0 + walk.task.double_support),
            "step_width": walk.task.step_width,
        },
    )


def _pelvis(walk: PredictedWalk) -> np.ndarray:
    """Axes (T, 3, 3) of the pelvis as Plug-in Gait defines it."""
    R_GS = walk.segments["pelvis"].R_GS
    lean = rotation_about(np.array([[0.0, 0.0, 1.0]]), np.array([-walk.task.pelvic_tilt]))
    return R_GS @ lean


def _pose(walk: PredictedWalk, joint: str, side: str) -> JointPose:
    proximal, distal = (name if name == "pelvis" else f"{side}_{name}" for name in SEGMENTS[joint])
    R_GP = _pelvis(walk) if proximal == "pelvis" else walk.segments[proximal].R_GS
    segment = walk.segments[distal]
    return JointPose(segment.origin_G, R_GP, segment.R_GS, walk.joints[f"{side}_{joint}"].omega_G)


def nearest_walk(walk: PredictedWalk, measured: Sequence[GaitCycles]) -> GaitCycles | None:
    """The measured walk nearest in speed and step length; None if none has cycles.

    A walk without a side that is whole and has kinetics comes after all others. Walks are equally near within
    `EQUALLY_NEAR` of the predicted speed and step length; then the one with more whole sides counts, then the nearer.
    """

    def rank(cycles: GaitCycles) -> tuple[bool, int, int, float]:
        speed, length = (mean_of(cycles, name) for name in ("speed", "step_length"))
        apart = np.hypot(speed / walk.task.speed - 1.0, length / walk.task.step_length - 1.0)
        apart = float(np.nan_to_num(apart, nan=1e3))
        whole = sum(_is_whole([c for c in cycles.cycles if c.cycle.side == side]) for side in SIDES)
        return whole == 0, int(apart / EQUALLY_NEAR), -whole, apart

    return min((cycles for cycles in measured if cycles.cycles), key=rank, default=None)


def _is_whole(cycles: Sequence[CycleCurves]) -> bool:
    """Whether the mean of a side's cycles is a whole curve, with kinetics: a frame may be missing at the end."""
    every = [values[:, 0] for c in cycles for group in (c.angles, c.moments) for values in group.values()]
    known = [float(np.isfinite(values).mean()) for values in every if np.isfinite(values).any()]
    return any(c.cycle.plate for c in cycles) and min(known, default=0.0) >= WHOLE


def mean_of(cycles: GaitCycles, parameter: str) -> float:
    """Mean of a spatiotemporal parameter over all cycles that have it; NaN if none has."""
    values = np.array([c.parameters[parameter] for c in cycles.cycles])
    return float(np.mean(values[np.isfinite(values)])) if np.isfinite(values).any() else float("nan")


def sides_of(cycles: GaitCycles) -> tuple[str, ...]:
    """Sides that have a cycle."""
    return tuple(side for side in SIDES if any(c.cycle.side == side for c in cycles.cycles))
