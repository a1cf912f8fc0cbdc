"""Build a subject's skeleton from the skeleton's file: scaling, mirroring, and placing bodies on links."""

from __future__ import annotations

from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path

import numpy as np

from pipeline.conventions import HEIGHT_LIMITS, MASS_LIMITS
from pipeline.errors import ConfigError
from pipeline.skeleton.definition import BodyTable, Chain, Joint, Sex, SkeletonDefinition, read_definition
from pipeline.skeleton.inertia import body_slice
from pipeline.skeleton.parameters import Segment
from pipeline.skeleton.transforms import dh_transform, transform
from pipeline.skeleton.tree import Skeleton

_MIRROR = np.diag([1.0, 1.0, -1.0])
_MIRROR4 = np.diag([1.0, 1.0, -1.0, 1.0])


@dataclass(frozen=True)
class _Row:
    """A joint with resolved numbers, and its link's pose and own origin in G at q = 0."""

    name: str
    parent: str | None
    kind: str
    dh: tuple[float, float, float, float]
    origin: np.ndarray
    mass: float
    com: np.ndarray
    inertia: np.ndarray
    limits: tuple[float, float, float]
    segment: str | None
    segment_pose: np.ndarray
    link_pose: np.ndarray


def load_skeleton(
    path: Path | str,
    *,
    mass: float | None = None,
    height: float | None = None,
    sex: Sex | None = None,
) -> Skeleton:
    """Read a skeleton and scale it to a subject.

    Lengths scale with height, masses with mass, and inertias with mass times height squared, from the file's table for
    the sex. Omitted values are those of the file's own subject.

    Args:
        path: YAML file, such as ``config/skeleton.yaml``.
        mass: kg, within MASS_LIMITS.
        height: m, within HEIGHT_LIMITS.
        sex: "male" or "female".

    Raises:
        ConfigError: the file is malformed, names something unknown, or lacks the subject or the tables it needs, or a
            mass or height is beyond its limits.
        DynamicsError: the numbers do not define a mechanical system.
    """
    definition = read_definition(path)
    builder = _Builder(definition, Path(path).name, mass, height, sex)
    return builder.build()


class _Builder:
    """Resolves a definition for one subject."""

    def __init__(
        self, definition: SkeletonDefinition, where: str, mass: float | None, height: float | None, sex: Sex | None
    ) -> None:
        self.definition, self.where = definition, where
        subject = definition.subject
        self.mass = mass if mass is not None else subject.mass if subject else 1.0
        self.sex: Sex = sex or (subject.sex if subject else "male")
        if self.sex not in ("male", "female"):
            raise self._error(f"sex is {self.sex!r}", "Give 'male' or 'female'")
        self.scale = 1.0
        if definition.reference_height and height is None and subject is None:
            raise self._error("no height is given", "Give a height, or a subject in the file")
        if height is not None and not definition.reference_height:
            raise self._error("a height is given, but nothing in the file scales with it", "Leave it out")
        if mass is not None and not definition.bodies:
            raise self._error("a mass is given, but the file has no table of bodies", "Leave it out")
        scaled_to = ("mass", mass, MASS_LIMITS, "kg"), ("height", height, HEIGHT_LIMITS, "m")
        for name, value, (low, high), unit in scaled_to:
            if value is not None and not (isinstance(value, Real) and low <= value <= high):
                raise self._error(f"{name} is {value}, not a number from {low:g} to {high:g} {unit}", f"Give {unit}")
        if definition.reference_height:
            own = height if height is not None else subject.height  # type: ignore[union-attr]
            self.scale = own / getattr(definition.reference_height, self.sex)
        self.rows: dict[str, _Row] = {}
        self.total = self._total_fraction()

    def build(self) -> Skeleton:
        for chain in self.definition.chains:
            rows = self._chain(chain)
            self._add(rows)
            if chain.mirror:
                self._add([self._mirrored(row, chain) for row in rows])
        rows = list(self.rows.values())
        names = [row.name for row in rows]
        frozen = self.definition.frozen.joints if self.definition.frozen else []
        for name in frozen:
            if name not in names:
                raise self._error(f"frozen joint {name!r} does not exist", "Correct the name")
        numbers = dict(zip(("theta", "d", "a", "alpha"), np.array([row.dh for row in rows]).T, strict=True))
        limits = np.array([row.limits for row in rows]).T
        numbers |= dict(zip(("q_lower", "q_upper", "tau_limit"), limits, strict=True))
        return Skeleton(
            joint_names=tuple(names),
            parent=np.array([-1 if row.parent is None else names.index(row.parent) for row in rows]),
            kind=tuple(row.kind for row in rows),
            **{name: np.array([getattr(row, name) for row in rows]) for name in ("origin", "mass", "com", "inertia")},
            **numbers,
            frozen=np.isin(names, frozen),
            segments={row.segment: Segment(j, row.segment_pose) for j, row in enumerate(rows) if row.segment},
        )

    def _error(self, problem: str, remedy: str, part: str = "") -> ConfigError:
        return ConfigError(problem, where=f"{self.where}{part}", remedy=remedy)

    def _add(self, rows: list[_Row]) -> None:
        for row in rows:
            if row.name in self.rows:
                raise self._error(f"two joints are called {row.name!r}", "Rename one")
            self.rows[row.name] = row

    def _length(self, value: float | str, where: str) -> float:
        return self.definition.length(value, self.sex, self.scale, f"{self.where}, {where}")

    def _total_fraction(self) -> float:
        """Sum of the table's mass fractions over all links, 0.9999 or 1 in print; masses are divided by it."""
        total = 0.0
        for chain in self.definition.chains:
            for joint in chain.joints:
                if joint.body:
                    body = self._body(joint)
                    share = joint.body.slice[1] - joint.body.slice[0]
                    total += getattr(body.mass, self.sex) * share * (2 if chain.mirror else 1)
        return total

    def _body(self, joint: Joint) -> BodyTable:
        assert joint.body is not None
        body = self.definition.lookup("bodies", joint.body.name, f"{self.where}, joint {joint.name}")
        assert isinstance(body, BodyTable)
        return body

    def _chain(self, chain: Chain) -> list[_Row]:
        parent, pose = chain.parent, np.eye(4)
        if parent is not None:
            if parent not in self.rows:
                problem = f"it starts from {parent!r}, which is in no earlier chain"
                raise self._error(problem, "Order the chains from the root outwards", f", chain {chain.name}")
            pose = self.rows[parent].link_pose
        rows = []
        for joint in chain.joints:
            rows.append(self._row(joint, parent, pose))
            parent, pose = joint.name, rows[-1].link_pose
        return rows

    def _row(self, joint: Joint, parent: str | None, parent_pose: np.ndarray) -> _Row:
        where = f"joint {joint.name}"
        origin = np.eye(4)
        if joint.origin:
            axes = np.stack([_direction(axis) for axis in joint.origin.axes], axis=1)
            at = np.array([self._length(value, where) for value in joint.origin.at])
            rotation = _snap(parent_pose[:3, :3].T @ axes)
            origin = transform(rotation, _snap(parent_pose[:3, :3].T) @ at)
        dh = (
            np.deg2rad(joint.theta),
            self._length(joint.d, where),
            self._length(joint.a, where),
            np.deg2rad(joint.alpha),
        )
        own = parent_pose @ origin
        pose = own @ dh_transform(*dh)
        to_link = np.linalg.inv(pose)
        rotation = _snap(to_link[:3, :3])
        mass, com, inertia = self._mass(joint, own[:3, 3], rotation, pose[:3, 3])
        return _Row(
            name=joint.name,
            parent=parent,
            kind=joint.kind,
            dh=dh,
            origin=origin,
            mass=mass,
            com=com,
            inertia=inertia,
            limits=self._limits(joint),
            segment=joint.segment,
            segment_pose=transform(rotation, rotation @ (own[:3, 3] - pose[:3, 3])),
            link_pose=pose,
        )

    def _mass(
        self, joint: Joint, own: np.ndarray, to_link: np.ndarray, link: np.ndarray
    ) -> tuple[float, np.ndarray, np.ndarray]:
        if joint.body and joint.link:
            raise self._error("it has both a body and a link", "Keep one", f", joint {joint.name}")
        if joint.link:
            xx, yy, zz, xy, xz, yz = joint.link.inertia
            inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            return joint.link.mass, np.array(joint.link.com), inertia
        if not joint.body:
            return 0.0, np.zeros(3), np.zeros((3, 3))
        body, where = self._body(joint), f"joint {joint.name}"
        part = body_slice(
            mass=self.mass * getattr(body.mass, self.sex) / self.total,
            com=getattr(body.com, self.sex) * self._length(body.span, where),
            radii=np.array(getattr(body.radii, self.sex)) * self.scale * getattr(body.length, self.sex),
            share=(joint.body.slice[0], joint.body.slice[1]),
        )
        along = _direction(joint.body.along)
        at = np.array([self._length(value, where) for value in joint.body.at])
        com = to_link @ (own + at + part.com * along - link)
        sagittal, transverse, longitudinal = part.moments
        k = int(np.flatnonzero(along)[0])
        moments = np.zeros(3)
        moments[k] = longitudinal
        moments[2 if k != 2 else 0] = transverse  # z to the right, unless the body lies along it
        moments[3 - k - (2 if k != 2 else 0)] = sagittal
        return part.mass, com, to_link @ np.diag(moments) @ to_link.T

    def _limits(self, joint: Joint) -> tuple[float, float, float]:
        if joint.range is None:
            return -np.inf, np.inf, np.inf
        found = self.definition.lookup("ranges", joint.range, f"{self.where}, joint {joint.name}")
        unit = np.pi / 180 if joint.kind == "R" else 1.0
        return found.lower * unit, found.upper * unit, found.torque * self.mass  # type: ignore[attr-defined]

    def _mirrored(self, row: _Row, chain: Chain) -> _Row:
        """The image of a joint in the sagittal plane z = 0: d, alpha and the z axes of all frames change sign."""
        (right, left), *more = chain.mirror.items()
        if more or not row.name.startswith(f"{right}_"):
            remedy = f"Give one pair of prefixes, and start every name with '{right}_'"
            raise self._error(
                f"joint {row.name!r} cannot be mirrored by {chain.mirror}", remedy, f", chain {chain.name}"
            )
        parent = row.parent
        if parent == chain.parent:
            if parent is not None and not np.isclose(abs(self.rows[parent].link_pose[2, 2]), 1.0):
                problem = f"the link of {parent!r} is not symmetric: its z axis must point sideways"
                raise self._error(problem, "Change theta and alpha of that joint", f", chain {chain.name}")
        else:
            parent = parent and _swap(parent, right, left)
        theta, d, a, alpha = row.dh
        return replace(
            row,
            name=_swap(row.name, right, left),
            parent=parent,
            dh=(theta, -d, a, -alpha),
            origin=_MIRROR4 @ row.origin @ _MIRROR4,
            com=_MIRROR @ row.com,
            inertia=_MIRROR @ row.inertia @ _MIRROR,
            segment=row.segment and _swap(row.segment, right, left),
            segment_pose=_MIRROR4 @ row.segment_pose @ _MIRROR4,
            link_pose=_MIRROR4 @ row.link_pose @ _MIRROR4,
        )


def _swap(name: str, right: str, left: str) -> str:
    return name.replace(f"{right}_", f"{left}_", 1)


def _direction(name: str) -> np.ndarray:
    out = np.zeros(3)
    out["xyz".index(name[1])] = 1.0 if name[0] == "+" else -1.0
    return out


def _snap(rotation: np.ndarray) -> np.ndarray:
    """The rotation with entries that are 0 or +-1 to rounding made exact, as meant by right angles in degrees."""
    whole = np.round(rotation)
    return np.where(np.abs(rotation - whole) < 1e-12, whole, rotation) + 0.0
