"""Ground reactions from the columns of an OpenSim storage file, as wrenches about a point of the floor.

Each has a force, its point of application and a free moment, in three columns each. Their names depend on the program:
"ground_force_vx", "1_ground_force_vx", "ground_force_1_vx" or "ground_force_calcn_r_vx" with "..._px" and
"ground_torque_x" or "ground_moment_1_mx" (OpenSim's examples, its C3D tool, AddBiomechanics), or "f1_1", "p1_1", "m1_1"
(OpenSim's C3DFileAdapter). OpenSim's external loads act on the subject, in N, m and Nm.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.plate_channels import LOADED
from pipeline.acquisition.storage import Storage
from pipeline.errors import AcquisitionError

_KINDS = {
    "force": re.compile(r"(.*?)ground_?force(.*?)_?v([xyz])", re.IGNORECASE),
    "point": re.compile(r"(.*?)ground_?force(.*?)_?p([xyz])", re.IGNORECASE),
    "moment": re.compile(r"(.*?)ground_?(?:torque|moment)(.*?)_?m?([xyz])", re.IGNORECASE),
}
_ADAPTER = re.compile(r"([fpm])_?(\d+)_([123xyz])", re.IGNORECASE)
_ADAPTER_KINDS = {"f": "force", "p": "point", "m": "moment"}

_MAX_POINT = 100.0
"""m; a point of application farther from the origin must be in another unit."""

_MAX_LEVER = 1.0
"""m; if free moment over force is larger, the unit must be another: the sole is a third of a metre long."""


@dataclass(frozen=True)
class GroundReaction:
    """A ground reaction in the laboratory's axes.

    Attributes:
        name: what its column names share apart from the quantity, such as "1" or "calcn_r"; may be empty.
        force_L: (Ta, 3) N, on the subject.
        moment_L: (Ta, 3) Nm, about ``point_L``.
        point_L: (3,) m, on the floor: the median point of application under load.
    """

    name: str
    force_L: np.ndarray
    moment_L: np.ndarray
    point_L: np.ndarray


def ground_reactions(storage: Storage, where: str) -> list[GroundReaction]:
    """The ground reactions of a file, in the order of its columns; those that are never loaded are left out.

    Raises:
        AcquisitionError: the file has none, a force is missing, one lacks columns, a loaded sample lacks its point of
            application or moment, or a unit is wrong.
    """
    columns: dict[str, dict[str, dict[str, str]]] = {}
    for column in storage.columns:
        found = _recognised(column)
        if found:
            name, kind, axis = found
            columns.setdefault(name, {}).setdefault(kind, {})[axis] = column
    if not columns:
        named = ", ".join(list(storage.columns)[:6])
        raise AcquisitionError(
            f"has no columns of ground reactions, such as ground_force_vx, ground_force_px and ground_torque_x; its "
            f"first columns are {named}",
            where=where,
            remedy="Rename its columns, or name the file of the ground reactions in trials.tsv",
        )
    reactions = [_reaction(storage, name, kinds, where) for name, kinds in columns.items()]
    return [reaction for reaction in reactions if reaction is not None]


def _recognised(column: str) -> tuple[str, str, str] | None:
    """Name of the reaction, kind and axis of a column; None if it is not of a ground reaction."""
    adapter = _ADAPTER.fullmatch(column)
    if adapter:
        axis = adapter[3].lower().translate(str.maketrans("123", "xyz"))
        return adapter[2], _ADAPTER_KINDS[adapter[1].lower()], axis
    for kind, pattern in _KINDS.items():
        found = pattern.fullmatch(column)
        if found:
            return "_".join(filter(None, (part.strip("_.") for part in found.groups()[:2]))), kind, found[3].lower()
    return None


def _reaction(storage: Storage, name: str, kinds: dict[str, dict[str, str]], where: str) -> GroundReaction | None:
    subject = f"{where}, ground reaction {name!r}" if name else where
    lacking = [f"{kind} along {axis}" for kind in _KINDS for axis in "xyz" if axis not in kinds.get(kind, {})]
    if lacking:
        raise AcquisitionError(f"lacks columns: {', '.join(lacking)}", where=subject, remedy="Export them too")
    force, point, moment = (
        np.stack([storage.columns[kinds[kind][axis]] for axis in "xyz"], axis=1)
        for kind in ("force", "point", "moment")
    )
    if not np.isfinite(force).all():
        time = storage.start + np.flatnonzero(~np.isfinite(force).all(axis=1))[0] / storage.rate
        raise AcquisitionError(f"its force is missing at {time:.3f} s", where=subject, remedy="Export it without gaps")
    size = np.linalg.norm(force, axis=1)
    loaded = size > LOADED
    if not loaded.any():
        return None
    unknown = np.flatnonzero(loaded & ~np.isfinite(np.hstack([point, moment])).all(axis=1))
    if len(unknown):
        time = storage.start + unknown[0] / storage.rate
        problem = f"lacks its point of application or moment under a load of {size[unknown[0]]:.0f} N at {time:.3f} s"
        raise AcquisitionError(problem, where=subject, remedy="Export it again with them")
    _check_units(point[loaded], moment[loaded], size[loaded], subject)
    on_floor = np.median(point[loaded], axis=0)
    arm = np.where(np.isfinite(point), point - on_floor, 0.0)
    about = np.where(np.isfinite(moment), moment, 0.0) + np.cross(arm, force)
    return GroundReaction(name, force, about, on_floor)


def _check_units(point: np.ndarray, moment: np.ndarray, force: np.ndarray, subject: str) -> None:
    """Raise AcquisitionError if the points (N, 3) or moments (N, 3) under load cannot be in m and Nm."""
    remedy = "External loads of OpenSim are in N, m and Nm: export it again in these units"
    far = float(np.abs(point).max())
    if far > _MAX_POINT:
        raise AcquisitionError(
            f"its points of application are up to {far:.0f} m from the origin (limit {_MAX_POINT:g} m), as if in mm",
            where=subject,
            remedy=remedy,
        )
    lever = float(np.median(np.linalg.norm(moment, axis=1) / force))
    if lever > _MAX_LEVER:
        raise AcquisitionError(
            f"its free moment over its force is {lever:.0f} m (limit {_MAX_LEVER:g} m), as if in Nmm",
            where=subject,
            remedy=remedy,
        )
