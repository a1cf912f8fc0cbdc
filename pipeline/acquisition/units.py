"""SI values of the units of length, force and moment named in recordings."""

from __future__ import annotations

from pipeline.errors import AcquisitionError

_METRES = {"m": 1.0, "dm": 0.1, "cm": 0.01, "mm": 0.001, "in": 0.0254, "ft": 0.3048}
_PREFIXES = {"": 1.0, "deci": 0.1, "centi": 0.01, "milli": 0.001}
_LENGTHS = (
    _METRES
    | {f"{name}met{end}": size for name, size in _PREFIXES.items() for end in ("er", "ers", "re", "res")}
    | {"inch": 0.0254, "inches": 0.0254, "foot": 0.3048, "feet": 0.3048}
)
"""Metres in a unit by its symbol or its name."""
_FORCES = {"n": 1.0, "nt": 1.0, "newton": 1.0, "newtons": 1.0, "kn": 1000.0, "kgf": 9.80665}
_FORCES |= dict.fromkeys(("lbf", "lb", "lbs"), 4.4482216152605)
"""Newtons in a unit."""


def metres(unit: str, *, where: str, key: str = "POINT:UNITS") -> float:
    """Metres in one unit of length of a file.

    Args:
        unit: name of the unit, as in the file.
        where: the file, for errors.
        key: where the file declares the unit, for errors.

    Raises:
        AcquisitionError: the unit is unknown; a guess could be wrong by a factor of a thousand.
    """
    found = known_metres(unit)
    if found is None:
        raise AcquisitionError(
            f"{key} is {unit!r}, which is not a known unit of length ({', '.join(_METRES)})",
            where=where,
            remedy=f"Set {key} in the recording software and export again",
        )
    return found


def known_metres(unit: str) -> float | None:
    """Metres in a unit of length, or None if the name is not one."""
    return _LENGTHS.get(unit.strip().lower())


def newtons(unit: str) -> float | None:
    """Newtons in a unit of force, or None if the name is not one."""
    return _FORCES.get(unit.strip().lower())


def newton_metres(unit: str) -> float | None:
    """Newton metres in a unit of moment such as "Nmm", "N.m", "ntmm" or "ft-lb", or None if the name is not one."""
    name = unit.strip().lower().translate(dict.fromkeys(map(ord, ".*- ·⋅")))
    for force, in_newtons in _FORCES.items():
        for length, in_metres in _LENGTHS.items():
            # Length first only as in "ft-lb" and "in-lb": "mN" may be a thousandth of a newton.
            if name == force + length or (length in ("ft", "in") and name == length + force):
                return in_newtons * in_metres
    return None
