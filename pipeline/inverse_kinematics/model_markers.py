"""Where markers and joint centres sit on a skeleton, read from a file beside the marker set and written out by side."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import ConfigDict, Field, model_validator

from pipeline.config.fields import Section
from pipeline.config.files import read_yaml
from pipeline.config.problems import Problems
from pipeline.conventions import SIDES

Place = str | tuple[str, ...]
"""A marker or a centre, or the mean of several."""


class _Part(Section):
    model_config = ConfigDict(strict=False)


class Site(_Part):
    """Where a marker or a centre sits on a segment."""

    segment: str
    at: tuple[float, float, float] = Field(description="in the segment's axes from its joint, in fractions of stature")
    landmark: float = Field(1.0, gt=0, le=1, description="weight of the assumed place in the standing posture")


class Size(_Part):
    """A factor by which segments are longer than the stature says."""

    segments: tuple[str, ...] = Field(min_length=1)
    axes: Annotated[str, Field(pattern="^[xyz]{1,3}$")]
    distance: tuple[Place, Place]


class Turn(_Part):
    """A joint turned about an axis of the segment that carries it, by a direction that the standing posture shows."""

    joint: str
    segment: str
    axis: Literal["x", "y", "z"]
    direction: tuple[Place, Place]


class Freedom(_Part):
    """A joint whose place, or the direction of whose axis, a walk may correct, in the axes of the segment it leaves."""

    joint: str
    segment: str
    move: Annotated[str, Field(pattern="^[xyz]{0,3}$")] = ""
    turn: Annotated[str, Field(pattern="^[xyz]{0,3}$")] = ""


class Firm(_Part):
    """Joints, by name or pattern, that are held to their reference more firmly than the others, and by how much."""

    factor: float = Field(gt=1)
    joints: tuple[str, ...]


class MarkerAttachments(_Part):
    """A checked file of attachments with all {side} entries written out."""

    name: str
    centres: dict[str, Site]
    markers: dict[str, Site]
    sizes: dict[str, Size]
    turns: dict[str, Turn] = Field(default_factory=dict)
    refine: dict[str, Freedom] = Field(default_factory=dict)
    firm: Firm | None = None
    neutral: Firm | None = None

    @model_validator(mode="before")
    @classmethod
    def _write_out_sides(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        return {key: _both_sides(value) if isinstance(value, dict) else value for key, value in data.items()}

    def regularisation(self, joint_names: tuple[str, ...], *, standing: bool = False) -> np.ndarray:
        """Factor (n,) by which each joint is held more firmly than usual, in a walk or in the standing posture."""
        factors = np.ones(len(joint_names))
        for firm in (self.firm, self.neutral if standing else None):
            if firm is not None:
                held = [any(fnmatch(name, pattern) for pattern in firm.joints) for name in joint_names]
                factors[held] *= firm.factor
        return factors

    @model_validator(mode="after")
    def _references(self) -> MarkerAttachments:
        known = {*self.centres, *self.markers}
        places = [("size", name, place) for name, size in self.sizes.items() for place in size.distance]
        places += [("turn", name, place) for name, turn in self.turns.items() for place in turn.direction]
        for kind, name, place in places:
            for part in [place] if isinstance(place, str) else place:
                if part not in known:
                    raise ValueError(f"{kind} {name} names {part!r}, which is neither a marker nor a centre")
        return self


@dataclass(frozen=True)
class ModelMarkers:
    """K markers on a skeleton.

    Attributes:
        names: K labels.
        joint: (K,) index of the joint whose link carries the marker.
        point: (K, 3) m, in the link frame.
        segments: K names of the segments that carry them.
    """

    names: tuple[str, ...]
    joint: np.ndarray
    point: np.ndarray
    segments: tuple[str, ...]

    def only(self, names: tuple[str, ...]) -> ModelMarkers:
        """Those of the given names, in their order."""
        rows = [self.names.index(name) for name in names]
        return ModelMarkers(names, self.joint[rows], self.point[rows], tuple(self.segments[row] for row in rows))


def load_attachments(path: Path) -> MarkerAttachments:
    """Read and check a file of attachments.

    Raises:
        ConfigError: everything that is wrong: not YAML, an unknown key, a missing entry, a reference to nothing.
    """
    problems = Problems()
    found = read_yaml(path, f"marker attachments {path.name}", MarkerAttachments, problems)
    problems.raise_if_any()
    assert found is not None  # else there was a problem
    return found


def _both_sides(entries: dict) -> dict:
    """Write out entries that hold {side} or {S} for both sides, the left ones mirrored."""
    out = {}
    for key, value in entries.items():
        if "{side}" in str(key) or "{S}" in str(key):
            for side in SIDES:
                out[_named(key, side)] = _mirrored(_named(value, side), side)
        else:
            out[key] = value
    return out


def _named(node: Any, side: str) -> Any:
    if isinstance(node, str):
        return node.replace("{side}", side).replace("{S}", side[0].upper())
    if isinstance(node, dict):
        return {key: _named(value, side) for key, value in node.items()}
    return [_named(value, side) for value in node] if isinstance(node, list) else node


def _mirrored(entry: Any, side: str) -> Any:
    if side == "left" and isinstance(entry, dict) and isinstance(entry.get("at"), list) and len(entry["at"]) == 3:
        x, y, z = entry["at"]
        return {**entry, "at": [x, y, -z if isinstance(z, (int, float)) else z]}
    return entry
