"""Findings with the error that each suspects, in the quantities from which results are computed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from pipeline.trial import Finding, Stance


@dataclass(frozen=True)
class PlateError:
    """Suspected error of the loads of steps on plates; the corrected load is the measured one minus this.

    Attributes:
        stances: the steps; empty if all are affected.
        shift_G: m by which the plate is displaced.
        force_G: N added to the force at the plate's origin.
        scale_G: excess fraction of each component of the force.
        turn: rad by which the plate is turned about the vertical.
        delay: s by which the plate is late.
        known: whether these steps are known to be wrong, rather than the others with which they are compared.
    """

    stances: tuple[Stance, ...] = ()
    shift_G: tuple[float, float, float] = (0.0, 0.0, 0.0)
    force_G: tuple[float, float, float] = (0.0, 0.0, 0.0)
    scale_G: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: float = 0.0
    delay: float = 0.0
    known: bool = True


@dataclass(frozen=True)
class BodyError:
    """Suspected error of markers or given body sizes; the corrected values are the measured ones minus this.

    Attributes:
        shifts_G: m, (3,) or (T, 3), by marker.
        values: in SI, by subject value.
    """

    shifts_G: Mapping[str, np.ndarray] = field(default_factory=dict)
    values: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class FindingWithError(Finding):
    """A finding whose effect on the results follows from the error that it suspects."""

    error: PlateError | BodyError | None = None


def along(axis: int, size: float) -> tuple[float, float, float]:
    """A vector of this size along one axis of G."""
    x, y, z = (size if k == axis else 0.0 for k in range(3))
    return x, y, z


def without_suspected_error(finding: Finding) -> Finding:
    """The finding without the suspected error, as it is stored."""
    return Finding(**{name: getattr(finding, name) for name in Finding.__dataclass_fields__})


def with_effect(finding: Finding, moment: tuple[float, str], angle: tuple[float, str]) -> Finding:
    """The finding with the largest changes of a moment (Nm/kg) and of an angle (degrees), each with its name."""
    return replace(finding, moment_error=moment[0], moment_of=moment[1], angle_error=angle[0], angle_of=angle[1])
