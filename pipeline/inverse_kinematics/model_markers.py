"""Model markers: where markers and joint centres are attached to the skeleton, and which distances scale its segments.

A YAML file beside the marker set (config/marker_attachments/plug_in_gait.yaml explains the format).
"""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from pipeline.config import load_yaml
from pipeline.config.fields import Section
from pipeline.sides import both_sides

Landmark = str | tuple[str, ...]
"""A marker or a joint centre, or the mean of several."""

FORMER_KEYS = {
    "sizes": "scale_factors",
    "turns": "joint_offsets",
    "refine": "calibrated_joints",
    "firm": "regularisation",
    "neutral": "static_regularisation",
}
"""Keys of the first format, and what they are called now."""


class _Part(Section):
    model_config = ConfigDict(strict=False)


class Site(_Part):
    """Where a marker or a joint centre is attached to a segment."""

    segment: str
    at: tuple[float, float, float] = Field(
        description="in the segment's axes from its proximal joint, in fractions of stature"
    )
    weight: float = Field(1.0, gt=0, le=1, description="weight of the assumed position in the static calibration")


class ScaleFactor(_Part):
    """A scale factor of segments: a measured distance over that of an average subject of the same stature."""

    segments: tuple[str, ...] = Field(min_length=1)
    axes: Annotated[str, Field(pattern="^[xyz]{1,3}$")]
    distance: tuple[Landmark, Landmark]


class JointOffset(_Part):
    """A constant angle of a joint about an axis of its parent segment, from a direction in the static pose."""

    joint: str
    segment: str
    axis: Literal["x", "y", "z"]
    direction: tuple[Landmark, Landmark]


class CalibratedJoint(_Part):
    """A joint whose centre, or the direction of whose axis, a walk calibrates, in the axes of its parent segment."""

    joint: str
    segment: str
    translate: Annotated[str, Field(pattern="^[xyz]{0,3}$")] = ""
    rotate: Annotated[str, Field(pattern="^[xyz]{0,3}$")] = ""


class Regularisation(_Part):
    """Joints, by name or pattern, with a larger regularisation weight, and the factor of that weight."""

    factor: float = Field(gt=1)
    joints: tuple[str, ...]


class ModelMarkerDefinition(_Part):
    """A checked file of marker attachments, its {side} entries expanded."""

    name: str
    centres: dict[str, Site]
    markers: dict[str, Site]
    scale_factors: dict[str, ScaleFactor]
    joint_offsets: dict[str, JointOffset] = Field(default_factory=dict)
    calibrated_joints: dict[str, CalibratedJoint] = Field(default_factory=dict)
    regularised: Regularisation | None = Field(None, alias="regularisation")
    static_regularised: Regularisation | None = Field(None, alias="static_regularisation")

    @model_validator(mode="before")
    @classmethod
    def _expand_sides(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        for former, key in FORMER_KEYS.items():
            if former in data:
                raise ValueError(f"unknown key '{former}'; it is called '{key}' now")
        return {key: both_sides(value, mirrored="at") for key, value in data.items()}

    @property
    def sites(self) -> dict[str, Site]:
        """All centres and markers."""
        return {**self.centres, **self.markers}

    def regularisation(self, joint_names: tuple[str, ...], *, static: bool = False) -> np.ndarray:
        """Relative regularisation weight (n,) of each joint, for a walk or for the static pose."""
        factors = np.ones(len(joint_names))
        for entry in (self.regularised, self.static_regularised if static else None):
            if entry is not None:
                factors[[any(fnmatch(name, p) for p in entry.joints) for name in joint_names]] *= entry.factor
        return factors

    @model_validator(mode="after")
    def _references(self) -> ModelMarkerDefinition:
        landmarks = [("scale factor", name, end) for name, s in self.scale_factors.items() for end in s.distance]
        landmarks += [("joint offset", name, end) for name, o in self.joint_offsets.items() for end in o.direction]
        for kind, name, landmark in landmarks:
            for part in [landmark] if isinstance(landmark, str) else landmark:
                if part not in self.sites:
                    raise ValueError(f"{kind} {name} names {part!r}, which is neither a marker nor a centre")
        return self


@dataclass(frozen=True)
class ModelMarkers:
    """K markers attached to a skeleton.

    Attributes:
        names: K labels.
        joint: (K,) index of the joint of the link to which the marker is attached.
        point: (K, 3) m, in the link frame.
        segments: K names of the segments.
    """

    names: tuple[str, ...]
    joint: np.ndarray
    point: np.ndarray
    segments: tuple[str, ...]

    def only(self, names: tuple[str, ...]) -> ModelMarkers:
        """Those of the given names, in their order."""
        rows = [self.names.index(name) for name in names]
        return ModelMarkers(names, self.joint[rows], self.point[rows], tuple(self.segments[row] for row in rows))


def load_model_markers(path: Path) -> ModelMarkerDefinition:
    """Read and check a file of marker attachments.

    Raises:
        ConfigError: everything that is wrong: not YAML, an unknown key, a missing entry, an undefined reference.
    """
    return load_yaml(path, f"marker attachments {path.name}", ModelMarkerDefinition)
