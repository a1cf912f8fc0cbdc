"""Lengths and moment arms of muscle paths: straight lines through points of the bodies.

A point may move in its body as a function of a coordinate, or exist only in a range of one (Delp et al. 1990). The
moment arm about a coordinate is minus the derivative of the length with respect to it (An et al. 1984), so that force
times moment arm is the muscle's generalised force.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from pipeline.muscles.linkage import Joint, body_poses
from pipeline.muscles.splines import Spline


@dataclass(frozen=True)
class PathPoint:
    """A point of a path.

    Attributes:
        body: to which it is attached.
        place: (3,) m, in the body, if it is fixed there.
        functions: three functions of the coordinate ``mover``, if it moves in the body.
        mover: the coordinate, or "".
        condition: coordinate and range, rad, in which the path runs through the point; None if it always does.
    """

    body: str
    place: np.ndarray = field(default_factory=lambda: np.zeros(3))
    functions: tuple[Spline, ...] = ()
    mover: str = ""
    condition: tuple[str, float, float] | None = None


@dataclass(frozen=True)
class Muscle:
    """An actuator.

    Attributes:
        name: as in the source, with the side as suffix.
        maximum_force: isometric, N.
        fibre_length: optimal, m.
        tendon_length: slack, m.
        pennation: at optimal fibre length, rad.
        points: from origin to insertion.
    """

    name: str
    maximum_force: float
    fibre_length: float
    tendon_length: float
    pennation: float
    points: tuple[PathPoint, ...]


@dataclass(frozen=True)
class MuscleModel:
    """Muscles on a linkage.

    Attributes:
        root: the first body.
        joints: from the first body outward.
        coordinates: names of all coordinates, in the order of the moment arms.
        muscles: all actuators.
        credit: authors and licence of the source.
    """

    root: str
    joints: tuple[Joint, ...]
    coordinates: tuple[str, ...]
    muscles: tuple[Muscle, ...]
    credit: str


@dataclass(frozen=True)
class PathGeometry:
    """Lengths (T, m) in m, and moment arms (T, J, m) in m (or 1 for a translation)."""

    length: np.ndarray
    arm: np.ndarray


@dataclass(frozen=True)
class Line:
    """Straight part of a path between two of its points, over T frames.

    Attributes:
        muscle: its index.
        points: of the whole path.
        start_point: (T,) index of the point at which the line starts; it varies with conditional points.
        end: index of the point at which it ends.
        on: (T,) or (1,) whether the line exists.
        start: (T, 3) m.
        direction: (T, 3) unit vector from start to end.
        span: (T,) m.
        span_by_q: (T, J) derivatives of the span.
    """

    muscle: int
    points: tuple[PathPoint, ...]
    start_point: np.ndarray
    end: int
    on: np.ndarray
    start: np.ndarray
    direction: np.ndarray
    span: np.ndarray
    span_by_q: np.ndarray


def path_geometry(model: MuscleModel, q: Mapping[str, np.ndarray]) -> PathGeometry:
    """Lengths and moment arms of all muscles for coordinates (T,) by name, rad."""
    return geometry_of(path_lines(model, q), model, len(next(iter(q.values()))))


def geometry_of(lines: Iterable[Line], model: MuscleModel, frames: int) -> PathGeometry:
    """Lengths and moment arms of paths with the given lines, over T frames."""
    length = np.zeros((frames, len(model.muscles)))
    arm = np.zeros((frames, len(model.coordinates), len(model.muscles)))
    for line in lines:
        length[:, line.muscle] += line.on * line.span
        arm[:, :, line.muscle] -= line.on[:, None] * line.span_by_q
    return PathGeometry(length, arm)


def path_lines(model: MuscleModel, q: Mapping[str, np.ndarray]) -> Iterator[Line]:
    """The lines of all paths, from origin to insertion, for coordinates (T,) by name, rad."""
    places, places_by_q = point_places(model, [point for muscle in model.muscles for point in muscle.points], q)
    first = 0
    for m, muscle in enumerate(model.muscles):
        r, by_q = (values[:, first : first + len(muscle.points)] for values in (places, places_by_q))
        first += len(muscle.points)
        last, last_by_q, body = r[:, 0], by_q[:, 0], np.zeros(len(r), dtype=int)
        for k, point in enumerate(muscle.points[1:], start=1):
            on = _is_on(point, q)
            span = np.linalg.norm(r[:, k] - last, axis=1)
            direction = (r[:, k] - last) / span[:, None]
            slope = np.matmul(direction[:, None, :], by_q[:, k] - last_by_q)[:, 0]
            yield Line(m, muscle.points, body, k, on, last, direction, span, slope)
            last = np.where(on[:, None], r[:, k], last)
            last_by_q = np.where(on[:, None, None], by_q[:, k], last_by_q)
            body = np.where(on, k, body)


def _is_on(point: PathPoint, q: Mapping[str, np.ndarray]) -> np.ndarray:
    """Whether the path runs through the point, (T,), or (1,) if it always does."""
    if point.condition is None:
        return np.ones(1, dtype=bool)
    coordinate, low, high = point.condition
    return (q[coordinate] >= low) & (q[coordinate] <= high)


def point_places(
    model: MuscleModel, points: Sequence[PathPoint], q: Mapping[str, np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Positions (T, p, 3) of points in the first body, and their derivatives (T, p, 3, J) by the coordinates."""
    poses = body_poses(model.root, model.joints, q)
    index = {name: j for j, name in enumerate(model.coordinates)}
    frames = len(next(iter(q.values())))
    r = np.empty((frames, len(points), 3))
    by_q = np.zeros((frames, len(points), 3, len(index)))
    for body, pose in poses.items():
        rows = [k for k, point in enumerate(points) if point.body == body]
        local = np.empty((frames, len(rows), 3))
        for k, row in enumerate(rows):
            point = points[row]
            local[:, k] = _along(point, q, 0) if point.mover else point.place
        r[:, rows] = here = pose.r[:, None] + local @ pose.R.swapaxes(1, 2)
        for move in pose.movements:
            along, from_axis = move.direction[:, None], here - move.origin[:, None]
            slope = np.broadcast_to(along, here.shape) if move.axis.kind == "P" else np.cross(along, from_axis)
            by_q[:, rows, :, index[move.axis.coordinate]] += slope.swapaxes(0, 1) * move.rate[:, None]
        for row in (row for row in rows if points[row].mover):
            slope = np.einsum("tik,tk->ti", pose.R, _along(points[row], q, 1))
            by_q[:, row, :, index[points[row].mover]] += slope
    return r, by_q


def _along(point: PathPoint, q: Mapping[str, np.ndarray], order: int) -> np.ndarray:
    """Position (T, 3) of a moving point in its body, or its derivative by the coordinate that moves it."""
    return np.stack([function(q[point.mover], order) for function in point.functions], axis=1)
