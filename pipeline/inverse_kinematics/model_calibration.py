"""A person's skeleton refined by walking: joints and markers where standing and walking frames together want them.

The standing posture shows sizes and places once, and soft tissue, wands and a bent knee mislead it. Here all of it is
free within what is plausible: the places of markers on their segments, and of chosen joints their places and the
directions of their axes. Minimised is

    mean over walking frames of the markers' cost   +   that of the standing frame   +   sum of (s0 p / s)^2 / 2,

p the change of a parameter, s how far it plausibly is from its scaled value and s0 the markers' error. The coordinates
of the frames are eliminated from Gauss and Newton's equations (Golub and Pereyra 1973, SIAM J Numer Anal 10:413-432;
Reinbolt et al. 2005, J Biomech 38:621-626 do the same by two nested optimisations).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from pipeline.inverse_kinematics.frame_fit import (
    HUBER,
    STIFFNESS,
    FrameFit,
    fit_frames,
    marker_costs,
    model_marker_positions,
)
from pipeline.inverse_kinematics.model_markers import Freedom, ModelMarkers
from pipeline.inverse_kinematics.observability import MARKER_ERROR, marker_jacobians
from pipeline.math3d import rotation_about, skew
from pipeline.skeleton.points import joint_axes, link_poses
from pipeline.skeleton.tree import Skeleton

PLAUSIBLE_MOVE = 0.01
"""m; a joint's place, or a marker's, is about as uncertain."""

PLAUSIBLE_TURN = 0.1
"""rad; an axis of a joint is about as uncertain."""

_ROUNDS = 10
_SMALL = 1e-3
"""Relative decrease of the cost at which the search ends."""


@dataclass(frozen=True)
class Postures:
    """Frames to refine by, and what holds their coordinates.

    Attributes:
        markers: (F, K, 3) m; NaN where not seen.
        weights: (F, K) of the squared distances; zero leaves out.
        reference: (n,) coordinates to which the joints are held.
        regularisation: (n,) factors of the stiffness that holds them.
    """

    markers: np.ndarray
    weights: np.ndarray
    reference: np.ndarray
    regularisation: np.ndarray


@dataclass(frozen=True)
class Refined:
    """A refined skeleton.

    Attributes:
        skeleton, attachments: refined.
        changes: by freedom, (6,): its move (m) and its turn (a rotation vector, rad) in the axes of its segment.
        standing: (n,) coordinates of the standing frame.
        rounds: of Gauss and Newton.
    """

    skeleton: Skeleton
    attachments: ModelMarkers
    changes: dict[str, np.ndarray]
    standing: np.ndarray
    rounds: int


def refine(
    skeleton: Skeleton,
    attachments: ModelMarkers,
    freedoms: Mapping[str, Freedom],
    walking: Postures,
    standing: Postures,
    *,
    fixed: tuple[str, ...] = (),
) -> Refined:
    """Refine a skeleton and the places of its markers.

    Args:
        skeleton: of one person, scaled.
        attachments: of K markers and joint centres.
        freedoms: joints that may change, by name.
        walking: frames of one or several walks.
        standing: one frame.
        fixed: names whose places on the skeleton stay, such as joint centres.

    Raises:
        DynamicsError: a freedom's joint does not leave from its segment, or a frame shows too few markers.
    """
    parameters = _Parameters(skeleton, attachments, freedoms, fixed)
    value = np.zeros(parameters.count)
    cost, fits = _cost(parameters, value, walking, standing)
    rounds = 0
    for rounds in range(1, _ROUNDS + 1):  # noqa: B007
        step = _step(parameters, value, fits, walking, standing)
        fraction, before = 1.0, cost
        cost, found = _cost(parameters, value + step, walking, standing, fits)
        while cost > before and fraction > 0.1:
            fraction *= 0.5
            cost, found = _cost(parameters, value + fraction * step, walking, standing, fits)
        if cost > before:
            break
        value, fits = value + fraction * step, found
        if before - cost < _SMALL * before:
            break
    body, marks = parameters.applied(value)
    return Refined(body, marks, parameters.changes(value), fits[1].q[0], rounds)


def parameter_jacobians(
    skeleton: Skeleton,
    attachments: ModelMarkers,
    freedoms: Mapping[str, Freedom],
    q: np.ndarray,
    changes: Mapping[str, np.ndarray],
) -> np.ndarray:
    """Derivatives (T, K, 3, P) of the markers' places in G by the parameters.

    Args:
        skeleton, attachments: with the changes.
        freedoms: joints that may change.
        q: (T, n).
        changes: (6,) of each freedom so far.

    The P parameters are moves (m) and turns (rad) of the freedoms in their order, and then the markers' places (m) in
    link axes, three each.
    """
    R, r = link_poses(skeleton, q)
    o = joint_axes(skeleton, q)[1]
    places = r[:, attachments.joint] + np.einsum("tkij,kj->tki", R[:, attachments.joint], attachments.point)
    columns: list[np.ndarray] = []
    for name, freedom in freedoms.items():
        j, carrier = skeleton.index(freedom.joint), skeleton.segment(freedom.segment)
        carried = skeleton.is_ancestor[j, attachments.joint][None, :, None]
        axes = R[:, carrier.joint] @ carrier.pose[:3, :3]
        turning = axes @ _turning_axes(changes[name][3:])
        moves = [axes[:, None, :, "xyz".index(axis)] for axis in freedom.move]
        turns = [np.cross(turning[:, None, :, "xyz".index(axis)], places - o[:, j, None]) for axis in freedom.turn]
        columns += [carried * column for column in moves + turns]
    count, n_own = len(attachments.names), 3 * len(attachments.names)
    own = np.zeros((len(q), count, 3, n_own))
    for k in range(count):
        own[:, k, :, 3 * k : 3 * k + 3] = R[:, attachments.joint[k]]
    return np.concatenate([np.stack(columns, axis=3), own], axis=3) if columns else own


def _turning_axes(vector: np.ndarray) -> np.ndarray:
    """Axes (columns of (3, 3)) about which a body turns as the components of its rotation vector (3,) grow.

    The left Jacobian of the rotation group (Chirikjian 2012, Stochastic models, information theory, and Lie groups,
    vol. 2, section 10.7.1).
    """
    angle = float(np.linalg.norm(vector))
    if angle < 1e-8:
        return np.eye(3) + 0.5 * skew(vector)
    K = skew(vector / angle)
    return np.eye(3) + (1.0 - np.cos(angle)) / angle * K + (1.0 - np.sin(angle) / angle) * K @ K


class _Parameters:
    """The parameters, what they change, and how far they may."""

    def __init__(
        self, skeleton: Skeleton, attachments: ModelMarkers, freedoms: Mapping[str, Freedom], fixed: tuple[str, ...]
    ) -> None:
        self.skeleton, self.attachments, self.freedoms = skeleton, attachments, freedoms
        spread = [s for f in freedoms.values() for s in [PLAUSIBLE_MOVE] * len(f.move) + [PLAUSIBLE_TURN] * len(f.turn)]
        self.joints = len(spread)
        self.count = self.joints + 3 * len(attachments.names)
        self.hold = (MARKER_ERROR / np.append(spread, np.full(self.count - self.joints, PLAUSIBLE_MOVE))) ** 2
        self.free = np.append(np.ones(self.joints, dtype=bool), np.repeat(~np.isin(attachments.names, fixed), 3))

    def changes(self, value: np.ndarray) -> dict[str, np.ndarray]:
        """Moves and turns (6,) by freedom."""
        found, at = {}, 0
        for name, freedom in self.freedoms.items():
            found[name] = np.zeros(6)
            for column in [*freedom.move, *(axis.upper() for axis in freedom.turn)]:
                found[name]["xyzXYZ".index(column)] = value[at]
                at += 1
        return found

    def applied(self, value: np.ndarray) -> tuple[Skeleton, ModelMarkers]:
        """Skeleton and attachments with the changes; turns are rotation vectors."""
        origin = self.skeleton.origin.copy()
        for name, change in self.changes(value).items():
            freedom = self.freedoms[name]
            j, R = self.skeleton.index(freedom.joint), self.skeleton.segment(freedom.segment).pose[:3, :3]
            origin[j, :3, 3] += R @ change[:3]
            angle = float(np.linalg.norm(change[3:]))
            if angle > 0.0:
                origin[j, :3, :3] = rotation_about(R @ change[3:] / angle, angle) @ origin[j, :3, :3]
        point = self.attachments.point + value[self.joints :].reshape(-1, 3)
        return replace(self.skeleton, origin=origin), replace(self.attachments, point=point)


def _cost(
    parameters: _Parameters,
    value: np.ndarray,
    walking: Postures,
    standing: Postures,
    near: tuple[FrameFit, FrameFit] | None = None,
) -> tuple[float, tuple[FrameFit, FrameFit]]:
    """Cost at the best coordinates, and those; near those of another value, lest a limb settles elsewhere."""
    body, marks = parameters.applied(value)
    total = 0.5 * float((parameters.hold * value**2).sum())
    fits = []
    for k, frames in enumerate((walking, standing)):
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
    walking: Postures,
    standing: Postures,
) -> np.ndarray:
    """Gauss and Newton's step (P,) of the parameters, the coordinates eliminated frame by frame."""
    body, marks = parameters.applied(value)
    n = len(body)
    A, b = np.diag(parameters.hold), -parameters.hold * value
    for frames, fit in zip((walking, standing), fits, strict=True):
        J_q = marker_jacobians(body, marks, fit.q)
        J_p = parameter_jacobians(body, marks, parameters.freedoms, fit.q, parameters.changes(value))
        error = model_marker_positions(body, marks, fit.q) - frames.markers
        pull = np.minimum(1.0, HUBER / np.maximum(fit.distance, HUBER)) * frames.weights / len(frames.markers)
        pull[~np.isfinite(pull)] = 0.0
        error[pull == 0.0] = 0.0
        hold = STIFFNESS * frames.regularisation / len(frames.markers)
        free = (fit.q > body.q_lower) & (fit.q < body.q_upper)
        hold[body.global_joints] = 0.0
        for t in range(len(fit.q)):
            weight = np.repeat(pull[t], 3)[:, None]
            Jq = J_q[t].reshape(-1, n)[:, free[t]]
            Jp = J_p[t].reshape(-1, parameters.count)
            H = Jq.T @ (weight * Jq) + np.diag(hold[free[t]])
            B = Jq.T @ (weight * Jp)
            A += Jp.T @ (weight * Jp) - B.T @ np.linalg.solve(H, B)
            b -= Jp.T @ (weight[:, 0] * error[t].ravel())
    step = np.zeros(parameters.count)
    free = parameters.free
    step[free] = np.linalg.solve(A[np.ix_(free, free)], b[free])
    return step
