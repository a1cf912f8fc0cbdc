"""Constructors of the registry's entries, one for each kind of curve."""

from __future__ import annotations

import numpy as np

from pipeline.analysis.variables import skeleton as read
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
    title: str,
    positive: str,
    negative: str,
    axis: Axis | None,
    *,
    cycle: str = "",
    skeleton: SkeletonReading | None = None,
    step: bool = False,
    profile: bool = False,
) -> Variable:
    """An angle in degrees.

    Args:
        cycle: its joint in `pipeline.trial.CycleCurves`, where it is computed from the markers' segments.
        step: whether it is shown over the predicted step.
    """
    column = Column("angles", cycle, PLANES.index(plane), _DEGREES) if cycle else None
    return Variable(
        *(name, "angles", "deg", _ANGLE_SYMBOLS[plane], title, positive, negative, axis, plane),
        cycle=column,
        skeleton=skeleton,
        step=column if step else None,
        profile=profile,
    )


def segment_angles(name: str, row: str, proximal: str, distal: str, flexion: Axis) -> tuple[Variable, ...]:
    """The three angles of a segment of the trunk in another."""
    title = name.capitalize()
    own, other = "Own side", "Other side"
    return (
        angle(
            *(f"{name}_flexion", SAGITTAL, f"{title} flexion", "Forward", "Backward", flexion),
            skeleton=read.between(row, proximal, distal, 0),
        ),
        angle(
            *(f"{name}_bending", FRONTAL, f"{title} bending", own, other, (-20, 20)),
            skeleton=read.between(row, proximal, distal, 1),
        ),
        angle(
            *(f"{name}_rotation", TRANSVERSE, f"{title} rotation", "Forward", "Backward", (-20, 20)),
            skeleton=read.between(row, proximal, distal, 2),
        ),
    )


def leg_moment(
    joint: str, part: str, plane: Plane, positive: str, negative: str, axis: Axis, title: str = ""
) -> Variable:
    """A component of a leg joint's internal moment, in matrix form and on the skeleton."""
    name, column = f"{joint}_{part}_moment", PLANES.index(plane)
    title = title or name.replace("_", " ").capitalize()
    return Variable(
        *(name, "moments", "Nm/kg", "M", title, positive, negative, axis, plane),
        cycle=Column("moments", joint, column),
        skeleton=read.leg_moment(f"Leg, {plane} plane", joint, column),
    )


def torque(name: str, positive: str, negative: str, limit: float, skeleton: SkeletonReading) -> Variable:
    """The torque of a joint above the legs."""
    title = name.replace("_", " ").capitalize()
    return Variable(
        *(name, "moments", "Nm/kg", "M", title, positive, negative, (-limit, limit)),
        skeleton=skeleton,
    )


def power(joint: str, upper: float) -> Variable:
    """The power of a leg joint, with the upper end of its axis."""
    title = f"{joint.capitalize()} power"
    return Variable(
        *(f"{joint}_power", "powers", "W/kg", "P", title, "Generation", "Absorption", (-2, upper)),
        cycle=Column("powers", joint),
    )


def force(joint: str, upper: float, skeleton: SkeletonReading, step: bool = False) -> Variable:
    """Magnitude of a net joint force, with the upper end of its axis."""
    return Variable(
        *(f"{joint}_force", "forces", "BW", "F", f"{joint.capitalize()} force", "", "", (0, upper)),
        skeleton=skeleton,
        step=Column("force", joint) if step else None,
    )


def ground(
    name: str,
    title: str,
    positive: str,
    negative: str,
    axis: Axis,
    symbol: str,
    cycle: int | None = None,
    step: int | None = None,
) -> Variable:
    """Ground reaction in percent of body weight: columns in a cycle's and in G's axes."""
    return Variable(
        *(name, "ground", "%BW", symbol, title, positive, negative, axis),
        cycle=None if cycle is None else Column("ground", "", cycle, 100.0),
        step=None if step is None else Column("ground_G", "", step, 100.0),
    )


def residual(
    quantity: Quantity, axis: str, title: str, positive: str, negative: str, units: str, limit: float, column: int
) -> Variable:
    """A residual at the pelvis over time, in the frames in which the loads of both feet are known."""

    def over_time(body: WholeBody, motion: BodyDynamics) -> np.ndarray:
        return np.where(body.loads_known, 100.0 * getattr(motion, quantity)[:, column], np.nan)

    return Variable(
        *(f"{quantity}_{axis}", quantity, units, "", title, positive, negative, (-limit, limit)),
        time=over_time,
    )
