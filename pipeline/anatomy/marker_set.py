"""Marker sets: definitions of points, frames, segments and joints from markers and subject values.

A marker set is a YAML file that a user copies and changes (config/marker_sets/plug_in_gait.yaml explains the format).
`pipeline.anatomy.marker_set_file` reads it into a `MarkerSet`; `pipeline.anatomy.pose` evaluates it on recordings.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from pipeline.anatomy.attachments import Attachments
from pipeline.anatomy.hip_centre import HipMethod
from pipeline.anatomy.part import Part
from pipeline.config import Subject
from pipeline.conventions import SIDES
from pipeline.sides import both_sides

POINT_RULES = ("mean", "chord", "hip_regression")
AxisName = Literal["x", "y", "z"]
Unit = Literal["m", "cm", "mm", "rad", "deg", "kg"]


class Linear(Part):
    """A subject value computed from another one: offset + slope * value (SI)."""

    of: str
    slope: float
    offset: float = 0.0
    estimated: bool = Field(False, description="whether the report notes it as estimated")


class Otherwise(Part):
    """How a subject value is found if it is not given; exactly one of the fields."""

    distance: tuple[str, str] | None = Field(None, description="mean distance of two points in the static trial")
    width: tuple[str, str] | None = Field(
        None,
        description="distance of a lateral and a medial marker minus a marker's diameter; noted as estimated",
    )
    path: tuple[str, ...] | None = Field(
        None, min_length=2, description="mean length of the path over points in the static trial; noted as estimated"
    )
    linear: Linear | None = None
    value: float | None = None
    standing_force: bool | None = Field(None, description="mass from the plates' vertical force in the static trial")
    alignment: str | None = Field(
        None, description="offset of this point's wand from the alignment device of its marker; zero without one"
    )

    @model_validator(mode="after")
    def _one(self) -> Otherwise:
        if len(self.model_fields_set) != 1:
            raise ValueError("give exactly one of distance, width, path, linear, value, standing_force, alignment")
        return self


class SubjectValue(Part):
    """A value of the subject, in SI units within the pipeline; minimum and maximum are also in SI units.

    Those of values with a column in subjects.tsv are the column's unless the set states others.
    """

    parameter: str | None = Field(None, description="name among the C3D file's subject parameters")
    unit: Unit = Field(description="unit of the file's parameter")
    minimum: float
    maximum: float
    otherwise: Otherwise | None = None
    required: bool = Field(True, description="whether there is no body without it; otherwise, what uses it is left out")

    @property
    def si_unit(self) -> str:
        """kg, rad or m."""
        return {"kg": "kg", "rad": "rad", "deg": "rad"}.get(self.unit, "m")


class Chord(Part):
    """A joint centre by the chord construction; width, rotation and abduction name subject values.

    Abduction is the excess over a right angle of the angle at the centre between marker and proximal joint.
    """

    proximal: str
    marker: str
    wand: str
    width: str
    rotation: str | None = None
    abduction: str | None = None


class Point(Part):
    """A point built from markers and other points; exactly one of mean, chord and hip_regression."""

    mean: tuple[str, ...] | None = Field(None, min_length=1)
    chord: Chord | None = None
    hip_regression: str | None = Field(None, description="name of the pelvis frame")
    otherwise: str | None = Field(None, description="point or marker to use if the file lacks a marker of this one")
    fixed_in: str | None = Field(None, description="frame in which the point keeps its position in the static trial")

    @model_validator(mode="after")
    def _one(self) -> Point:
        if sum(getattr(self, rule) is not None for rule in POINT_RULES) != 1:
            raise ValueError(f"give exactly one of {', '.join(POINT_RULES)}")
        return self

    @property
    def rule(self) -> str:
        """Name of the rule that builds the point."""
        return next(rule for rule in POINT_RULES if getattr(self, rule) is not None)


class AlignmentDevice(Part):
    """Three markers that replace one in a static trial, at the ends of three orthogonal wires of equal length."""

    axis: str = Field(description="marker on the joint's flexion axis")
    others: tuple[str, str]

    @property
    def labels(self) -> tuple[str, str, str]:
        """Labels of all three markers, the one on the axis first."""
        return (self.axis, *self.others)


class Direction(Part):
    """A direction between two points, or the same axis of another frame."""

    start: str | None = Field(None, alias="from")
    end: str | None = Field(None, alias="to")
    axis: str | None = Field(None, description="frame whose axis of the same name is meant")
    lateral: bool = Field(False, description="points to the body's outside: reversed on the left")
    horizontal: bool = Field(False, description="without its vertical part")

    @model_validator(mode="after")
    def _one(self) -> Direction:
        if (self.axis is None) == (self.start is None or self.end is None):
            raise ValueError("give either from and to, or axis")
        return self


class Turned(Part):
    """A frame turned about one of its own axes by a subject value: as signed on the left, reversed on the right."""

    frame: str
    about: AxisName
    by: str


class Frame(Part):
    """A frame from an origin and two directions (the first exact), turned from another, or fitted to a cluster."""

    origin: str | None = None
    axes: dict[AxisName, Direction] | None = Field(None, min_length=2, max_length=2)
    turned: Turned | None = None
    cluster: tuple[str, ...] | None = Field(
        None,
        min_length=3,
        description="markers that move as one body: the frame is fitted to them by least squares, with the axes of G "
        "in the static trial; such a frame carries points that are fixed in it",
    )
    static: dict[AxisName, Direction] | None = Field(
        None, min_length=1, max_length=1, description="exact axis in the static trial: fixes the constant turn"
    )
    offsets: dict[AxisName, str] | None = Field(
        None,
        min_length=1,
        description="that turn from subject values about its own axes, in this order, if no static trial shows it; "
        "signs as of clinical angles: flexion forwards (z), adduction (x) and internal rotation (y) of the anatomical "
        "relative to the tracked axes are positive",
    )

    @model_validator(mode="after")
    def _complete(self) -> Frame:
        kinds = (self.origin is not None and self.axes is not None, self.turned is not None, self.cluster is not None)
        if sum(kinds) != 1:
            raise ValueError("give an origin and two axes, or turned, or cluster")
        if self.offsets and not self.static:
            raise ValueError("'offsets' needs 'static', whose turn it replaces")
        return self


class Segment(Part):
    """A rigid segment between two points, with its row in the inertia tables."""

    frame: str
    proximal: str
    distal: str
    heel: str | None = Field(None, description="rear end of a foot, for tables that measure it from the heel")
    table: Literal["thigh", "shank", "foot"]
    long_axis: AxisName


class Joint(Part):
    """A joint: its centre and the frames of the segments on both sides."""

    centre: str
    proximal: str
    distal: str
    sequence: Literal["zxy", "zyx"] = Field("zxy", description="Cardan sequence; zxy is Grood and Suntay's")


class Foot(Part):
    """Points used for gait events and to assign feet to plates."""

    heel: str
    toe: str
    pelvis: str


class MarkerSet(Part):
    """A checked marker set with its {side} entries expanded."""

    name: str
    title: str
    sides: dict[Literal["left", "right"], str]
    marker_radius: Annotated[float, Field(ge=0.0, le=0.03)]
    aliases: dict[str, tuple[str, ...]] = Field(
        default_factory=dict, description="other names of a label; case, blanks and punctuation are ignored"
    )
    estimated: bool = Field(
        False, description="whether positions are estimates from video, in which segments change their lengths"
    )
    confirmed: bool = Field(
        True, description="whether a person has checked its labels; until then each page says that it is unconfirmed"
    )
    hip_centre: HipMethod = Field("davis", description="regression for hip centres, unless config.yaml names another")
    alignment_devices: dict[str, AlignmentDevice] = Field(
        default_factory=dict, description="by the label of the marker that a device replaces in static trials"
    )
    subject_values: dict[str, SubjectValue]
    points: dict[str, Point]
    frames: dict[str, Frame]
    segments: dict[str, Segment]
    joints: dict[str, Joint]
    feet: dict[Literal["left", "right"], Foot]
    skeleton: Attachments | None = None

    @model_validator(mode="before")
    @classmethod
    def _expand_sides(cls, data: Any) -> Any:
        sides = data.get("sides") if isinstance(data, dict) else None
        return both_sides(data, sides, mirrored="at") if isinstance(sides, dict) and set(sides) == set(SIDES) else data

    @field_validator("subject_values", mode="before")
    @classmethod
    def _limits_of_the_table(cls, values: Any) -> Any:
        """Values with the limits of the subjects' table, unless they state their own."""
        if not isinstance(values, dict):
            return values
        limits = {name: {"minimum": low, "maximum": high} for name, (low, high) in Subject.limits_si().items()}
        return {name: limits.get(name, {}) | own if isinstance(own, dict) else own for name, own in values.items()}

    @field_validator("sides")
    @classmethod
    def _both_sides(cls, sides: dict[str, str]) -> dict[str, str]:
        if set(sides) != set(SIDES):
            raise ValueError("'sides' needs a label prefix for left and for right")
        return sides

    @model_validator(mode="after")
    def _clusters(self) -> MarkerSet:
        members: list[str] = [label for frame in self.frames.values() for label in frame.cluster or ()]
        twice = sorted({label for label in members if members.count(label) > 1})
        if twice:
            raise ValueError(f"{', '.join(twice)} cannot be in two clusters")
        if points := sorted(set(members) & set(self.points)):
            raise ValueError(f"a cluster consists of markers: {', '.join(points)} is a point")
        return self

    @property
    def labels(self) -> set[str]:
        """Labels of the markers from which points and frames are built, without alternatives."""
        used = {part for point in self.points.values() for part in point.mean or ()}
        used |= {c for p in self.points.values() if p.chord for c in (p.chord.proximal, p.chord.marker, p.chord.wand)}
        for frame in self.frames.values():
            used |= set(frame.cluster or ())
            for direction in (*(frame.axes or {}).values(), *(frame.static or {}).values()):
                used |= {end for end in (direction.start, direction.end) if end}
        return used - set(self.points)

    @property
    def all_labels(self) -> set[str]:
        """Labels of all markers that the set knows, including alternatives and those of the skeleton."""
        attached = set(self.skeleton.markers) if self.skeleton else set()
        devices = {label for device in self.alignment_devices.values() for label in device.labels}
        return (self.labels | self.alternatives | attached | devices | set(self.aliases)) - set(self.points)

    @property
    def alternatives(self) -> set[str]:
        """Points and labels used instead of points whose markers a file lacks."""
        return {point.otherwise for point in self.points.values() if point.otherwise}

    def knee_axis_offset(self, side: str) -> str | None:
        """Subject value that turns a knee's axis about the thigh: rotation of its wand, or turn of its frame."""
        joint = self.joints.get(f"{side}_knee")
        if joint is None:
            return None
        centre, turned = self.points.get(joint.centre), self.frames[joint.proximal].turned  # a centre may be a marker
        return centre.chord.rotation if centre and centre.chord else turned.by if turned else None
