"""Bodies connected by joints with axes that are functions of coordinates (OpenSim's CustomJoint), with their Jacobians.

Pose of a body = pose of its parent . before . translations . rotations . after. Each translation or rotation is a
function of one coordinate, along or about an axis of the joint's frame. The first body is the frame of reference.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from pipeline.math3d import rotation_about
from pipeline.muscles.splines import Spline


@dataclass(frozen=True)
class Axis:
    """One movement of a joint.

    Attributes:
        coordinate: its name.
        kind: "P" along the direction, m, or "R" about it, rad.
        direction: (3,) unit vector, in the joint's frame.
        function: of the coordinate.
    """

    coordinate: str
    kind: str
    direction: np.ndarray
    function: Spline


@dataclass(frozen=True)
class Joint:
    """A joint and its distal body; translations come before rotations.

    Attributes:
        parent, child: bodies.
        axes: in their order.
        before, after: (4, 4) poses of the joint's frame in the parent, and of the child in the moved frame.
    """

    parent: str
    child: str
    axes: tuple[Axis, ...]
    before: np.ndarray
    after: np.ndarray = field(default_factory=lambda: np.eye(4))


@dataclass(frozen=True)
class Movement:
    """An axis in the frame of reference, over T frames: direction and origin (T, 3), rate (T,) by its coordinate."""

    axis: Axis
    direction: np.ndarray
    origin: np.ndarray
    rate: np.ndarray


@dataclass(frozen=True)
class BodyPose:
    """Pose of a body over T frames, and the movements between it and the first body.

    Attributes:
        R: (T, 3, 3), body to frame of reference.
        r: (T, 3) m.
        movements: from the first body outward.
    """

    R: np.ndarray
    r: np.ndarray
    movements: tuple[Movement, ...]


def body_poses(root: str, joints: tuple[Joint, ...], q: Mapping[str, np.ndarray]) -> dict[str, BodyPose]:
    """Poses of all bodies for coordinates (T,) by name, rad or m; a parent's joint must come before its child's."""
    frames = len(next(iter(q.values())))
    poses = {root: BodyPose(np.tile(np.eye(3), (frames, 1, 1)), np.zeros((frames, 3)), ())}
    for joint in joints:
        parent = poses[joint.parent]
        r = parent.r + parent.R @ joint.before[:3, 3]
        R = parent.R @ joint.before[:3, :3]
        movements = list(parent.movements)
        for axis in joint.axes:
            value, rate = axis.function(q[axis.coordinate]), axis.function(q[axis.coordinate], 1)
            direction = R @ axis.direction
            if axis.kind == "P":
                r = r + direction * value[:, None]
            else:
                R = R @ rotation_about(axis.direction, value)
            movements.append(Movement(axis, direction, r, rate))
        r = r + R @ joint.after[:3, 3]
        poses[joint.child] = BodyPose(R @ joint.after[:3, :3], r, tuple(movements))
    return poses
