"""Calibration of a scaled skeleton from walking and static frames: marker positions, joint centres and joint axes.

The static pose alone gives segment lengths and marker positions with errors from soft tissue, wands and a flexed knee.
Here the positions of markers on their segments, and the centres and axes of chosen joints, are free within their
uncertainty. The cost that is minimised is

    mean over walking frames of the marker cost   +   that of the static frame   +   sum of (s0 p / s)^2 / 2,

with p the change of a parameter, s its prior standard deviation and s0 the marker error. The coordinates of the frames
are eliminated from the Gauss-Newton equations (variable projection: Golub and Pereyra 1973, SIAM J Numer Anal
10:413-432; Reinbolt et al. 2005, J Biomech 38:621-626 solve the same problem by two nested optimisations).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.anatomy import CalibratedJoint
from pipeline.inverse_kinematics.frame_fit import (
    HUBER,
    REGULARISATION_WEIGHT,
    FrameFit,
    fit_frames,
    marker_costs,
    model_marker_positions,
)
from pipeline.inverse_kinematics.model_markers import ModelMarkers
from pipeline.inverse_kinematics.observability import MARKER_ERROR, marker_jacobians
from pipeline.math3d import rotation_about, skew
from pipeline.skeleton import Skeleton, joint_axes, link_poses

POSITION_SD = 0.01
"""m; prior standard deviation of a joint centre's or a marker's position."""

AXIS_SD = 0.1
"""rad; prior standard deviation of a joint axis' direction."""

_MAX_ITERATIONS = 10
_TOLERANCE = 1e-3
"""Relative decrease of the cost at which the iteration ends."""


@dataclass(frozen=True)
class CalibrationFrames:
    """Frames used for calibration, and the regularisation of their coordinates.

    Attributes:
        markers: (F, K, 3) m; NaN if missing.
        weights: (F, K) of the squared distances; zero leaves a marker out.
        reference: (n,) coordinates towards which the poses are regularised.
        regularisation: (n,) relative regularisation weights.
    """

    markers: np.ndarray
    weights: np.ndarray
    reference: np.ndarray
    regularisation: np.ndarray


@dataclass(frozen=True)
class ModelCalibration:
    """A calibrated skeleton.

    Attributes:
        skeleton, markers: after calibration.
        changes: by calibrated joint, (6,): translation (m) and rotation vector (rad) in the axes of its segment.
        static_pose: (n,) coordinates of the static frame.
    """

    skeleton: Skeleton
    markers: ModelMarkers
    changes: dict[str, np.ndarray]
    static_pose: np.ndarray


def calibrate_model(
    skeleton: Skeleton,
    markers: ModelMarkers,
    joints: Mapping[str, CalibratedJoint],
    walking: CalibrationFrames,
    static: CalibrationFrames,
    *,
    fixed: tuple[str, ...] = (),
) -> ModelCalibration:
    """Calibrate a skeleton's joints and the positions of its model markers.

    Args:
        skeleton: scaled to the subject.
        markers: K model markers and joint centres.
        joints: joints to calibrate, by name.
        walking: frames of one or several walks.
        static: one frame.
        fixed: names of model markers whose position is kept, such as joint centres.

    Raises:
        DynamicsError: a joint or segment is unknown, or too few markers are measured in a frame.
    """
    parameters = _Parameters(skeleton, markers, joints, fixed)
    value = np.zeros(parameters.count)
    cost, fits = _cost(parameters, value, walking, static)
    for _ in range(_MAX_ITERATIONS):
        step = _step(parameters, value, fits, walking, static)
        fraction, before = 1.0, cost
        cost, found = _cost(parameters, value + step, walking, static, fits)
        while cost > before and fraction > 0.1:
            fraction *= 0.5
            cost, found = _cost(parameters, value + fraction * step, walking, static, fits)
        if cost > before:
            break
        value, fits = value + fraction * step, found
        if before - cost < _TOLERANCE * before:
            break
    body, marks = parameters.applied(value)
    return ModelCalibration(body, marks, parameters.changes(value), fits[1].q[0])


def parameter_jacobians(
    skeleton: Skeleton,
    markers: ModelMarkers,
    joints: Mapping[str, CalibratedJoint],
    q: np.ndarray,
    changes: Mapping[str, np.ndarray],
) -> np.ndarray:
    """Derivatives (T, K, 3, P) of the model markers' positions in G with respect to the parameters.

    Args:
        skeleton, markers: with the changes applied.
        joints: the joints to calibrate.
        q: (T, n).
        changes: (6,) of each joint so far.

    The P parameters are the translations (m) and rotations (rad) of the joints in order, followed by the positions (m)
    of the model markers in link axes, three each.
    """
    R, r = link_poses(skeleton, q)
    o = joint_axes(skeleton, q)[1]
    positions = r[:, markers.joint] + np.einsum("tkij,kj->tki", R[:, markers.joint], markers.point)
    columns: list[np.ndarray] = []
    for name, joint in joints.items():
        j, parent = skeleton.index(joint.joint), skeleton.segment(joint.segment)
        moved = skeleton.is_ancestor[j, markers.joint][None, :, None]
        axes = R[:, parent.joint] @ parent.pose[:3, :3]
        rotation_axes = axes @ _rotation_axes(changes[name][3:])
        moves = [axes[:, None, :, "xyz".index(axis)] for axis in joint.translate]
        turns = [
            np.cross(rotation_axes[:, None, :, "xyz".index(axis)], positions - o[:, j, None]) for axis in joint.rotate
        ]
        columns += [moved * column for column in moves + turns]
    count = len(markers.names)
    position_columns = np.zeros((len(q), count, 3, 3 * count))
    for k in range(count):
        position_columns[:, k, :, 3 * k : 3 * k + 3] = R[:, markers.joint[k]]
    return np.concatenate([np.stack(columns, axis=3), position_columns], axis=3) if columns else position_columns


def _rotation_axes(vector: np.ndarray) -> np.ndarray:
    """Axes, columns of (3, 3), about which a body turns when the components of its rotation vector (3,) increase.

    This is the left Jacobian of the rotation group (Chirikjian 2012, Stochastic models, information theory, and Lie
    groups, vol. 2, section 10.7.1).
    """
    angle = float(np.linalg.norm(vector))
    if angle < 1e-8:
        return np.eye(3) + 0.5 * skew(vector)
    K = skew(vector / angle)
    return np.eye(3) + (1.0 - np.cos(angle)) / angle * K + (1.0 - np.sin(angle) / angle) * K @ K


class _Parameters:
    """The free parameters, the skeleton for given values of them, and the weights of their priors."""

    def __init__(
        self, skeleton: Skeleton, markers: ModelMarkers, joints: Mapping[str, CalibratedJoint], fixed: tuple[str, ...]
    ) -> None:
        self.skeleton, self.markers, self.joints = skeleton, markers, joints
        sd = [s for f in joints.values() for s in [POSITION_SD] * len(f.translate) + [AXIS_SD] * len(f.rotate)]
        self.joint_count = len(sd)
        self.count = len(sd) + 3 * len(markers.names)
        self.prior = (MARKER_ERROR / np.append(sd, np.full(3 * len(markers.names), POSITION_SD))) ** 2
        self.free = np.append(np.ones(len(sd), dtype=bool), np.repeat(~np.isin(markers.names, fixed), 3))

    def changes(self, value: np.ndarray) -> dict[str, np.ndarray]:
        """Translation (m) and rotation vector (rad), (6,), by joint."""
        found, at = {}, 0
        for name, joint in self.joints.items():
            found[name] = np.zeros(6)
            for column in [*joint.translate, *(axis.upper() for axis in joint.rotate)]:
                found[name]["xyzXYZ".index(column)] = value[at]
                at += 1
        return found

    def applied(self, value: np.ndarray) -> tuple[Skeleton, ModelMarkers]:
        """Skeleton and model markers with the changes applied."""
        origin = self.skeleton.origin.copy()
        for name, change in self.changes(value).items():
            joint = self.joints[name]
            j, R = self.skeleton.index(joint.joint), self.skeleton.segment(joint.segment).pose[:3, :3]
            origin[j, :3, 3] += R @ change[:3]
            angle = float(np.linalg.norm(change[3:]))
            if angle > 0.0:
                origin[j, :3, :3] = rotation_about(R @ change[3:], angle) @ origin[j, :3, :3]
        point = self.markers.point + value[self.joint_count :].reshape(-1, 3)
        return replace(self.skeleton, origin=origin), replace(self.markers, point=point)


def _cost(
    parameters: _Parameters,
    value: np.ndarray,
    walking: CalibrationFrames,
    static: CalibrationFrames,
    near: tuple[FrameFit, FrameFit] | None = None,
) -> tuple[float, tuple[FrameFit, FrameFit]]:
    """Cost at the best poses, and these poses, started from those ``near`` so that each stays in its local minimum."""
    body, marks = parameters.applied(value)
    total = 0.5 * float((parameters.prior * value**2).sum())
    fits = []
    for k, frames in enumerate((walking, static)):
        fit = fit_frames(
            body,
            marks,
            frames.markers,
            start=near[k].q if near else None,
            left_out=frames.weights == 0.0,
            weights=frames.weights.max(axis=0),
            reference=frames.reference,
            regularisation=frames.regularisation,
            outlier=np.inf,
        )
        total += float((frames.weights * marker_costs(fit.distance)).sum()) / len(frames.markers)
        fits.append(fit)
    return total, (fits[0], fits[1])


def _step(
    parameters: _Parameters,
    value: np.ndarray,
    fits: tuple[FrameFit, FrameFit],
    walking: CalibrationFrames,
    static: CalibrationFrames,
) -> np.ndarray:
    """Gauss-Newton step (P,) of the parameters; coordinates are eliminated frame by frame (Schur complement)."""
    body, marks = parameters.applied(value)
    n = len(body)
    A, b = np.diag(parameters.prior), -parameters.prior * value
    for frames, fit in zip((walking, static), fits, strict=True):
        J_q = marker_jacobians(body, marks, fit.q)
        J_p = parameter_jacobians(body, marks, parameters.joints, fit.q, parameters.changes(value))
        error = model_marker_positions(body, marks, fit.q) - frames.markers
        robust_weight = np.minimum(1.0, HUBER / np.maximum(fit.distance, HUBER)) * frames.weights / len(frames.markers)
        robust_weight[~np.isfinite(robust_weight)] = 0.0
        error[robust_weight == 0.0] = 0.0
        prior = REGULARISATION_WEIGHT * frames.regularisation / len(frames.markers)
        free = (fit.q > body.q_lower) & (fit.q < body.q_upper)
        prior[body.global_joints] = 0.0
        for t in range(len(fit.q)):
            weight = np.repeat(robust_weight[t], 3)[:, None]
            Jq = J_q[t].reshape(-1, n)[:, free[t]]
            Jp = J_p[t].reshape(-1, parameters.count)
            H = Jq.T @ (weight * Jq) + np.diag(prior[free[t]])
            B = Jq.T @ (weight * Jp)
            A += Jp.T @ (weight * Jp) - B.T @ np.linalg.solve(H, B)
            b -= Jp.T @ (weight[:, 0] * error[t].ravel())
    step = np.zeros(parameters.count)
    free = parameters.free
    step[free] = np.linalg.solve(A[np.ix_(free, free)], b[free])
    return step
