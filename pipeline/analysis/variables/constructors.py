"""Constructors of the registry's entries, one for each kind of curve."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.variables import skeleton as read
from pipeline.analysis.variables.points import PointReading
from pipeline.analysis.variables.skeleton import SkeletonReading
from pipeline.analysis.variables.variable import PLANES, Column, Plane, Quantity, Variable
from pipeline.trial import BodyDynamics, WholeBody

SAGITTAL, FRONTAL, TRANSVERSE = PLANES

_DEGREES = 180.0 / np.pi

_ANGLE_SYMBOLS: dict[Plane, str] = {
    SAGITTAL: "\N{GREEK SMALL LETTER ALPHA}",
    FRONTAL: "\N{GREEK SMALL LETTER BETA}",
    TRANSVERSE: "\N{GREEK SMALL LETTER GAMMA}",
}

Axis = tuple[float, float]


def angle(
    name: str,
    plane: Plane,
    positive: str,
    negative: str,
    axis: Axis | None,
    cycle: str = "",
    *,
    row: str = "",
    skeleton: SkeletonReading | None = None,
    step: bool = False,
    title: str = "",
) -> Variable:
    """An angle in degrees.

    Args:
        cycle: its joint in `pipeline.trial.CycleCurves`, if it is computed from the markers' segments.
        row: heading of the row that shows the skeleton's coordinate of the same name.
        skeleton: how it is computed from other coordinates of the skeleton.
        step: whether it is shown over the predicted step.
        title: of its panels; derived from the name if empty.
    """
    symbol, title = _ANGLE_SYMBOLS[plane], title or _title(name)
    column = Column("angles", cycle, PLANES.index(plane), _DEGREES) if cycle else None
    reading = read.coordinate(row, f"{{side}}_{name}") if row else skeleton
    over_step = column if step else None
    return Variable(
        name, "angles", "deg", symbol, title, axis, positive, negative, plane, column, reading, step=over_step
    )


def segment_angles(name: str, *, row: str, proximal: str, distal: str, flexion: Axis) -> list[Variable]:
    """The three angles of a segment of the trunk relative to another one."""
    angles: tuple[tuple[str, Plane, str, str, Axis], ...] = (
        ("flexion", SAGITTAL, "Forward", "Backward", flexion),
        ("bending", FRONTAL, "Ipsilateral", "Contralateral", (-20, 20)),
        ("rotation", TRANSVERSE, "Forward", "Backward", (-20, 20)),
    )
    return [
        angle(f"{name}_{part}", plane, positive, negative, axis, skeleton=read.between(row, proximal, distal, column))
        for column, (part, plane, positive, negative, axis) in enumerate(angles)
    ]


def leg_moment(
    joint: str, part: str, plane: Plane, positive: str, negative: str, axis: Axis, title: str = ""
) -> Variable:
    """A component of a leg joint's internal moment, from the matrix form and on the skeleton."""
    name, column = f"{joint}_{part}_moment", PLANES.index(plane)
    cycle, skeleton = Column("moments", joint, column), read.leg_moment(f"Leg, {plane} plane", joint, column)
    title = title or _title(name)
    return Variable(name, "moments", "Nm/kg", "M", title, axis, positive, negative, plane, cycle, skeleton)


def torque(name: str, positive: str, negative: str, limit: float, skeleton: SkeletonReading) -> Variable:
    """The torque of a joint above the legs."""
    axis = -limit, limit
    return Variable(name, "moments", "Nm/kg", "M", _title(name), axis, positive, negative, skeleton=skeleton)


def power(joint: str, *, upper: float) -> Variable:
    """The power of a leg joint, with the upper end of its axis."""
    name, axis, cycle = f"{joint}_power", (-2, upper), Column("powers", joint)
    return Variable(name, "powers", "W/kg", "P", _title(name), axis, "Generation", "Absorption", cycle=cycle)


def force(joint: str, *, upper: float, skeleton: SkeletonReading, step: bool = False) -> Variable:
    """Magnitude of a net joint force, with the upper end of its axis."""
    name, column = f"{joint}_force", Column("force", joint) if step else None
    return Variable(name, "forces", "BW", "F", _title(name), (0, upper), skeleton=skeleton, step=column)


def ground(
    name: str,
    symbol: str,
    title: str,
    positive: str,
    negative: str,
    axis: Axis,
    *,
    cycle: int | None = None,
    step: int | None = None,
) -> Variable:
    """Ground reaction in percent of body weight, from a column in the axes of a cycle or of G."""
    of_cycle = None if cycle is None else Column("ground", "", cycle, 100.0)
    of_step = None if step is None else Column("ground_G", "", step, 100.0)
    return Variable(name, "ground", "%BW", symbol, title, axis, positive, negative, cycle=of_cycle, step=of_step)


def speed(name: str, *, upper: float, reading: PointReading) -> Variable:
    """The speed of a point of the body, with the upper end of its axis."""
    return Variable(name, "speeds", "m/s", "v", _title(name), (0, upper), points=reading)


def residual(
    quantity: Quantity,
    axis: str,
    title: str,
    positive: str = "",
    negative: str = "",
    *,
    units: str,
    limit: float,
    column: int,
) -> Variable:
    """A residual at the pelvis over time, in the frames in which the loads of both feet are known."""

    def over_time(body: WholeBody, motion: BodyDynamics) -> np.ndarray:
        return np.where(body.loads_known, 100.0 * getattr(motion, quantity)[:, column], np.nan)

    name, ends = f"{quantity}_{axis}", (-limit, limit)
    return Variable(name, quantity, units, "", title, ends, positive, negative, time=over_time)


def _title(name: str) -> str:
    return name.replace("_", " ").capitalize()
