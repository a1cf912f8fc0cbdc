"""Attachment of a marker set to the 55-joint skeleton: segments of markers and joint centres, and scaling of segments.

This is the section `skeleton` of a marker set. The position of a marker on its segment is measured in the static trial.
Assumed positions, in fractions of stature, serve only to find the pose of that trial; not every marker needs one.
"""

from __future__ import annotations

from fnmatch import fnmatch
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, model_validator

from pipeline.anatomy.part import Part
from pipeline.conventions import SIDES

Landmark = str | tuple[str, ...]
"""A marker or a joint centre, or the mean of several."""


class Site(Part):
    """Where a marker or a joint centre is attached to a segment."""

    segment: str
    at: tuple[float, float, float] | None = Field(
        None,
        description="position in the segment's axes from its proximal joint, in fractions of stature; without it, the "
        "marker is not used for the pose of the static trial",
    )
    weight: float = Field(1.0, gt=0, le=1, description="weight of the assumed position in the static calibration")


class ScaleFactor(Part):
    """A scale factor of segments: a measured distance over that of an average subject of the same stature."""

    segments: tuple[str, ...] = Field(min_length=1)
    axes: Annotated[str, Field(pattern="^[xyz]{1,3}$")]
    distance: tuple[Landmark, Landmark]


class JointOffset(Part):
    """A constant angle of a joint about an axis of its parent segment, from a direction in the static pose."""

    joint: str
    segment: str
    axis: Literal["x", "y", "z"]
    direction: tuple[Landmark, Landmark]


class CalibratedJoint(Part):
    """A joint with a centre or axis direction that is calibrated from a walk, in the axes of its parent segment."""

    joint: str
    segment: str
    translate: Annotated[str, Field(pattern="^[xyz]{0,3}$")] = ""
    rotate: Annotated[str, Field(pattern="^[xyz]{0,3}$")] = ""


class Regularisation(Part):
    """Joints, by name or pattern, with a larger regularisation weight, and the factor by which it is larger."""

    factor: float = Field(gt=1)
    joints: tuple[str, ...]


def _centres() -> dict[str, Site]:
    chain = {"hip": "thigh", "knee": "shank", "ankle": "foot"}
    return {
        f"{side}_{joint}": Site(segment=f"{side}_{segment}", at=(0.0, 0.0, 0.0), weight=1.0)
        for joint, segment in chain.items()
        for side in SIDES
    }


def _calibrated_joints() -> dict[str, CalibratedJoint]:
    """Hip in the pelvis, lengths of thigh and shank, and axes of knee (whose wand may be misaligned) and ankle."""
    chain: tuple[tuple[str, str, str, str], ...] = (
        ("hip", "pelvis", "xyz", ""),
        ("knee", "{side}_thigh", "y", "xy"),
        ("ankle", "{side}_shank", "y", "xy"),
    )
    return {
        f"{side}_{joint}": CalibratedJoint(
            joint=f"{side}_{joint}_flexion", segment=parent.format(side=side), translate=along, rotate=about
        )
        for joint, parent, along, about in chain
        for side in SIDES
    }


class Attachments(Part):
    """A checked section with its {side} entries expanded; entries that do not depend on labels have defaults."""

    markers: dict[str, Site]
    scale_factors: dict[str, ScaleFactor] = Field(default_factory=dict)
    joint_offsets: dict[str, JointOffset] = Field(default_factory=dict)
    centres: dict[str, Site] = Field(default_factory=_centres)
    calibrated_joints: dict[str, CalibratedJoint] = Field(default_factory=_calibrated_joints)
    regularised: Regularisation = Field(
        Regularisation(factor=1000.0, joints=("spine*", "*neck*", "*_toe_extension")),
        alias="regularisation",
        description="weakly observable coordinates: regularised towards the static pose",
    )
    static_regularised: Regularisation = Field(
        Regularisation(factor=100.0, joints=("*_ankle_inversion",)),
        alias="static_regularisation",
        description="regularised towards zero in the static calibration too: the sole is flat",
    )

    @property
    def sites(self) -> dict[str, Site]:
        """All centres and markers."""
        return {**self.centres, **self.markers}

    def regularisation(self, joint_names: tuple[str, ...], *, static: bool = False) -> np.ndarray:
        """Relative regularisation weight (n,) of each joint, for a walk or for the static pose."""
        factors = np.ones(len(joint_names))
        for entry in (self.regularised, *([self.static_regularised] if static else [])):
            factors[[any(fnmatch(name, p) for p in entry.joints) for name in joint_names]] *= entry.factor
        return factors

    @model_validator(mode="after")
    def _references(self) -> Attachments:
        landmarks = [("scale factor", name, end) for name, s in self.scale_factors.items() for end in s.distance]
        landmarks += [("joint offset", name, end) for name, o in self.joint_offsets.items() for end in o.direction]
        for kind, name, landmark in landmarks:
            for part in [landmark] if isinstance(landmark, str) else landmark:
                if part not in self.sites:
                    raise ValueError(f"{kind} {name} names {part!r}, which is neither a marker nor a centre")
                if self.sites[part].at is None:
                    raise ValueError(f"{kind} {name} names {part!r}, which has no position 'at' to compare with")
        return self
