"""Schemas of a what-if case, which changes body or task of a predicted walk, and of stored weights."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from pipeline.config.fields import Section, Side, setting
from pipeline.sides import other_side

JointName = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,79}$")]
"""A joint or segment of the skeleton; a name that begins with both_ means left_ and right_."""


FREE_SPEED_OF_A_RUN = (
    "the speed of a run cannot be free: people's cost of running per metre is nearly the same at all speeds (Margaria "
    "et al. 1963), so that none is of least cost"
)


class Range(Section):
    """Range of motion of a joint; equal values lock it, and the brace or fusion bears its torque."""

    lower: float | None = setting(None, "Lowest angle; the skeleton's own if blank.", "deg", ge=-180, le=180)
    upper: float | None = setting(None, "Highest angle; the skeleton's own if blank.", "deg", ge=-180, le=180)

    @model_validator(mode="after")
    def _check(self) -> Range:
        if self.lower is None and self.upper is None:
            raise ValueError("neither lower nor upper is given: give one of them or both, in degrees")
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise ValueError(f"lower ({self.lower:g} deg) is above upper ({self.upper:g} deg)")
        return self


class PassiveSpring(Section):
    """A passive torque on a joint, -stiffness (angle - rest), such as that of an orthosis or a prosthetic foot."""

    stiffness: float = setting(..., "Stiffness of the joint's spring.", "Nm/deg", ge=0, le=100)
    rest: float = setting(0.0, "Angle at which it carries no torque.", "deg", ge=-180, le=180)


def _has_effect(key: str, value: object) -> bool:
    """Whether a value of a joint or segment changes a walk; a factor of 1 and no mass or stiffness do not."""
    neutral = {"strength": 1.0, "added_mass": 0.0}
    return value.stiffness != 0.0 if isinstance(value, PassiveSpring) else value != neutral.get(key)


class WhatIf(Section):
    """How body and task of a predicted walk differ from the subject's own.

    Joints and segments are named as in skeleton.yaml (left_ankle_flexion, right_thigh); both_ means both sides, trunk
    the thorax.
    """

    description: str = setting("", "What the case represents, shown on the page.")
    strength: dict[JointName, Annotated[float, Field(gt=0, le=10)]] = setting(
        {}, "Factors of joints' torque limits, such as `{left_ankle_flexion: 0.5}`; 0.02 if no muscle is left."
    )
    range: dict[JointName, Range] = setting(
        {}, "Range of motion of joints, such as `{left_knee_flexion: {upper: 20}}`; flexion is positive."
    )
    springs: dict[JointName, PassiveSpring] = setting(
        {}, "Passive springs on joints, such as `{left_ankle_flexion: {stiffness: 3, rest: 0}}` for an orthosis."
    )
    added_mass: dict[JointName, Annotated[float, Field(ge=-20, le=60)]] = setting(
        {}, "Mass added at the centres of mass of segments, such as `{left_foot: 2}`; negative for less.", "kg"
    )
    slope: float = setting(0.0, "Slope of the ground, uphill positive.", "deg", ge=-15, le=15)
    max_vertical_force: dict[Side, Annotated[float, Field(gt=0.5, le=3)]] = setting(
        {},
        "Largest vertical force of a foot, for example if a side hurts, such as `{left: 0.9}`. The weight includes "
        "added mass, here and in max_joint_force; curves are over the body's own weight.",
        "body weight",
    )
    max_joint_force: dict[JointName, Annotated[float, Field(gt=0.3, le=10)]] = setting(
        {},
        "Largest net force of a hip, knee or ankle, for example if it hurts or is replaced, such as `{left_knee: "
        "1.0}`; it does not include the compression by muscles across the joint.",
        "body weight",
    )
    joint_force_weight: dict[JointName, Annotated[float, Field(gt=0, le=100)]] = setting(
        {}, "Weight of a joint's squared net force in body weights, relative to effort, such as `{left_hip: 0.2}`."
    )
    free: tuple[Literal["speed", "step_length", "step_times"], ...] = setting(
        (),
        "What the optimisation chooses: speed (not of a run) or step length, or both, by the least cost per metre; or, "
        "in the form stride, how the stride's time is divided between its two steps.",
        strict=False,
    )

    @property
    def one_sided(self) -> str:
        """What differs between left and right, or is free in a stride alone; empty if a step can show the case."""
        for key, every in self:
            values = {n: v for n, v in every.items() if _has_effect(key, v)} if isinstance(every, dict) else {}
            for name, value in values.items():
                if other_side(name) != name and values.get(other_side(name)) != value:
                    return f"{key} of {name}"
        return "free step_times" if "step_times" in self.free else ""

    @model_validator(mode="after")
    def _check(self) -> WhatIf:
        for key, values in self:
            for name in values if isinstance(values, dict) else ():
                both = f"both_{name.partition('_')[2]}"
                if name.startswith(("left_", "right_")) and both in values:
                    raise ValueError(f"{key} has both '{name}' and '{both}': name each side, or {both} alone")
        return self


class StoredWeights(Section):
    """Weights of the preset human that were fitted to a measured walk (`gait weights`)."""

    source: str = setting("", "What they were fitted to, and what was gained.")
    weights: dict[str, Annotated[float, Field(gt=0)]] = setting(
        {}, "Weights by name; the preset's own for absent names."
    )
