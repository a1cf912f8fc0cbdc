"""Schema of a task's file: what moves, from where to where, within which limits, and what is minimised.

The key ``task`` names its kind: an arm given by its Denavit-Hartenberg table, or the lift of a box or a walk of the
55-joint skeleton. Angles are in degrees, or text such as "0.5 rad"; everything else is in SI units.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BeforeValidator, Field, field_validator, model_validator

from pipeline.config.fields import Section, setting
from pipeline.config.files import load_yaml, yaml_content
from pipeline.conventions import MAX_FRICTION, PREDICTED_HEIGHT, PREDICTED_MASS
from pipeline.errors import ConfigError

_RADIANS = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?) ?rad")


def _degrees(value: Any) -> Any:
    """Degrees, from a number in degrees or text in radians."""
    found = _RADIANS.fullmatch(value) if isinstance(value, str) else None
    return float(np.degrees(float(found[1]))) if found else value


Angle = Annotated[float, BeforeValidator(_degrees, json_schema_input_type=float | str)]
Three = Annotated[list[float], Field(min_length=3, max_length=3)]
Place = Annotated[list[float], Field(min_length=2, max_length=2)]
Two = Annotated[list[Angle], Field(min_length=2, max_length=2)]


class ArmLink(Section):
    """A row of the Denavit-Hartenberg table (rotation theta about z, d along z, a along x, alpha about x)."""

    name: str = setting(..., "Name of joint and link.", pattern=r"^[A-Za-z][A-Za-z0-9_]{0,79}$")
    kind: Literal["R", "P"] = setting(
        ..., "R for a revolute joint, whose coordinate is added to theta; P for a prismatic joint, added to d."
    )
    theta: Angle = setting(0.0, "Angle about z.", "deg")
    d: float = setting(0.0, "Distance along z.", "m", ge=-100, le=100)
    a: float = setting(0.0, "Distance along x.", "m", ge=-100, le=100)
    alpha: Angle = setting(0.0, "Angle about x.", "deg")
    mass: float = setting(..., "Mass of the link; may be 0 if a later link has mass.", "kg", ge=0, le=10000)
    com: Three = setting([0.0, 0.0, 0.0], "Centre of mass in the link's frame, which is at its far end.", "m")
    inertia: list[float] = setting(
        [0.0, 0.0, 0.0],
        "About the centre of mass, along the link's axes: xx, yy, zz, or with xy, xz, yz.",
        "kg m^2",
        min_length=3,
        max_length=6,
    )
    max_effort: float = setting(..., "Largest torque or force of the joint's actuator, either way.", "Nm or N", gt=0)
    range: Two | None = setting(None, "Lowest and highest coordinate; none if blank.", "deg or m")
    move: Two = setting(..., "Coordinate at the beginning and at the end, both at rest.", "deg or m")

    @model_validator(mode="before")
    @classmethod
    def _no_angle_of_a_slide(cls, given: Any) -> Any:
        for name in ("range", "move") if isinstance(given, dict) and given.get("kind") == "P" else ():
            if isinstance(given.get(name), list) and any(isinstance(value, str) for value in given[name]):
                raise ValueError(f"{name} of a prismatic joint is in m: give numbers, not {given[name]}")
        return given

    @field_validator("inertia")
    @classmethod
    def _three_or_six(cls, value: list[float]) -> list[float]:
        if len(value) not in (3, 6):
            raise ValueError("give 3 or 6 numbers")
        return value

    @model_validator(mode="after")
    def _within_range(self) -> ArmLink:
        if self.range is not None:
            low, high = self.range
            if low >= high:
                raise ValueError(f"range [{low:g}, {high:g}] is empty")
            for value in self.move:
                if not low <= value <= high:
                    raise ValueError(f"move has {value:g}, outside the range {low:g} to {high:g}")
        return self


class ArmLoad(Section):
    """A point mass that the last link carries."""

    mass: float = setting(..., "Mass.", "kg", gt=0, le=10000)
    at: Three = setting([0.0, 0.0, 0.0], "Position in the last link's frame; by default the link's far end.", "m")


class ArmWeights(Section):
    """The minimised quantity: the weighted sum of time and the integral of the squared torques and forces."""

    time: float = setting(0.0, "Weight of the total time.", "1/s", ge=0)
    effort: float = setting(0.0, "Weight of the integral of the squared torques and forces.", "1/(N^2 m^2 s)", ge=0)


class ArmTask(Section):
    """An arm of joints in series that moves from rest to rest."""

    task: Literal["arm"]
    title: str = setting("Motion of an arm", "Title of the page.")
    source: str = setting("", "Source of the numbers.")
    gravity: Three = setting([0.0, 0.0, 0.0], "Gravitational acceleration in the base's frame.", "m/s^2")
    links: list[ArmLink] = setting(..., "Rows of the table, from the base to the tip.", min_length=1, max_length=60)
    load: ArmLoad | None = setting(None, "Load that the last link carries.")
    weights: ArmWeights = setting(..., "Weights of the minimised quantity.")
    duration: float | None = setting(None, "Total time; free if blank.", "s", gt=0, le=1000)
    intervals: int = setting(16, "Intervals of each spline.", ge=4, le=100)
    free_knots: bool = setting(True, "Whether the knots between them are optimised too, for torques that switch.")

    @model_validator(mode="after")
    def _has_a_least(self) -> ArmTask:
        names = [link.name for link in self.links]
        if len(set(names)) < len(names):
            raise ValueError("names of links are not unique")
        if not self.weights.time and not self.weights.effort:
            raise ValueError("weights: time, effort or both must be positive")
        if self.duration is not None and not self.weights.effort:
            raise ValueError("weights: with a given duration only effort can be minimised")
        if self.duration is None and not self.weights.time and not any(self.gravity):
            raise ValueError(
                "weights: effort alone has no minimum without gravity, since it keeps falling as the duration grows"
            )
        return self


class TaskBody(Section):
    """The person to whom the skeleton is scaled."""

    mass: float = setting(..., "Body mass.", "kg", ge=PREDICTED_MASS[0], le=PREDICTED_MASS[1])
    height: float = setting(..., "Stature.", "m", ge=PREDICTED_HEIGHT[0], le=PREDICTED_HEIGHT[1])
    sex: Literal["m", "f"] = setting(..., "Sex, for the segments' inertias.")


class Repetition(Section):
    """Repeated lifts; between two lifts the lifter rests while somebody else brings the box back."""

    every: float = setting(..., "Time from the start of one lift to that of the next.", "s", gt=0, le=3600)
    most: int = setting(..., "Requested number of lifts.", ge=1, le=5000)


class LiftTaskFile(Section):
    """A box lifted in the sagittal plane with both feet on the ground, at rest at both ends."""

    task: Literal["lift"]
    title: str = setting("Lift of a box", "Title of the page.")
    source: str = setting("", "Source of the numbers.")
    body: TaskBody = setting(..., "Who lifts.")
    load: float = setting(..., "Mass of the box.", "kg", ge=0, le=200)
    start: Place = setting(..., "Position of the grip at the start, forward of the ankles and above the ground.", "m")
    end: Place = setting(..., "The same at the end.", "m")
    duration: float = setting(1.5, "Duration of one lift.", "s", gt=0, le=20)
    box_depth: float = setting(0.3, "Depth of the box; half of it is between grip and body.", "m", gt=0, le=2)
    box_width: float = setting(0.4, "Distance between the hands.", "m", gt=0, le=2)
    repeat: Repetition | None = setting(None, "Repetition of the lift; one lift if blank.")
    friction: float = setting(0.6, "Coefficient of friction between feet and ground.", gt=0, le=MAX_FRICTION)

    @model_validator(mode="after")
    def _lasts_shorter_than_the_rate(self) -> LiftTaskFile:
        if self.repeat and self.repeat.every < self.duration:
            raise ValueError(f"repeat: a lift every {self.repeat.every:g} s, but each lasts {self.duration:g} s")
        return self


class WalkTaskFile(Section):
    """A walk or run on level ground at constant speed: one step, continued by its mirror image, or a stride."""

    task: Literal["walk"]
    title: str = setting("Walk", "Title of the page.")
    source: str = setting("", "Source of the numbers.")
    body: TaskBody = setting(..., "Who walks.")
    speed: float = setting(..., "Walking or running speed.", "m/s", gt=0, le=6)
    step_length: float = setting(..., "Step length.", "m", gt=0, le=2.5)
    preset: Literal["human", "thesis", "running"] = setting("human", "Constraints, objective and weights.")
    flight: float | None = setting(
        None,
        "Fraction of a step with neither foot on the ground, of the preset running; 0.3 if blank.",
        ge=0.05,
        le=0.5,
    )
    form: Literal["step", "stride"] = setting("step", "One step, or a stride whose two steps may differ.")
    friction: float = setting(0.6, "Coefficient of friction between feet and ground.", gt=0, le=MAX_FRICTION)


Task = ArmTask | LiftTaskFile | WalkTaskFile

KINDS: dict[str, type[Task]] = {"arm": ArmTask, "lift": LiftTaskFile, "walk": WalkTaskFile}
"""Schemas by the value of ``task``."""


def load_task(path: Path) -> Task:
    """Read a task's file.

    Raises:
        ConfigError: the file does not exist, is not YAML, is of no known kind, or violates the schema; with the lines.
    """
    content = yaml_content(path, path.name)
    kind = content.get("task") if isinstance(content, dict) else None
    if not isinstance(kind, str) or kind not in KINDS:
        has = f"has task '{kind}'" if kind is not None else "has no key 'task'"
        raise ConfigError(has, where=path.name, remedy=f"Give one of {', '.join(KINDS)}")
    return load_yaml(path, path.name, KINDS[kind])
