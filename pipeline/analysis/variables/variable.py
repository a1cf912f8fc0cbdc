"""Entry of the registry for a curve: name, unit, sign, label, axis range, and how its values are read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

import numpy as np

from pipeline.analysis.resampling import resample
from pipeline.analysis.variables.points import PointReading
from pipeline.analysis.variables.skeleton import SkeletonReading
from pipeline.analysis.variables.units import Reported
from pipeline.trial import BodyDynamics, Cycle, CycleCurves, StanceCurves, WholeBody

Quantity = Literal[
    "angles", "moments", "powers", "forces", "ground", "speeds", "markers", "residual_force", "residual_moment"
]

Plane = Literal["sagittal", "frontal", "transverse", ""]

PLANES: tuple[Plane, ...] = ("sagittal", "frontal", "transverse")
"""The planes in the order of the columns of a cycle's angles and moments."""


class OverPercent(Protocol):
    """Curves over percent of a cycle, of a stance, or of a step with estimated loads."""

    @property
    def percent(self) -> np.ndarray:
        """Percent (101,) at which they are given."""


@dataclass(frozen=True)
class Column:
    """Location of a curve in an object with arrays by joint, such as `pipeline.trial.CycleCurves`.

    Attributes:
        field, joint: the array, or the dictionary of arrays and the key in it.
        index: column of the array; None if it has one dimension.
        factor: reported value over stored value.
    """

    field: str
    joint: str = ""
    index: int | None = None
    factor: float = 1.0

    def is_in(self, stored: Any) -> bool:
        """Whether the joint is there."""
        return not self.joint or self.joint in getattr(stored, self.field)

    def of(self, stored: Any) -> np.ndarray:
        """Values (N,) in reported units."""
        values = getattr(stored, self.field)
        values = values[self.joint] if self.joint else values
        return self.factor * (values if self.index is None else values[:, self.index])


@dataclass(frozen=True)
class Variable(Reported):
    """A curve by name.

    Attributes:
        name: such as "knee_flexion"; names the positive direction.
        quantity: kind of curve.
        units: as reported and stored in tables.
        symbol: as in the literature; for angles after Wu et al. 2002, J Biomech 35(4), 543-548.
        title: of its panels.
        positive, negative: meaning of each sign; empty for a sign without a name.
        axis: lower and upper end of a panel's axis; None for a curve that no figure shows.
        plane: anatomical plane; empty if it has none.
        cycle: where it is stored in a gait cycle, measured or predicted; None if it is not.
        skeleton: how it is computed from a motion of the skeleton; None if it is not.
        step: where it is stored in `pipeline.analysis.predicted.cycle.PredictedSide`, for curves over the predicted
            step or stride.
        points: how it is computed from points of the body, in a measured or a predicted walk; None if it is not.
        time: function that gives values (T,) over the whole recording from a motion of the skeleton.
    """

    name: str
    quantity: Quantity
    units: str
    symbol: str
    title: str
    axis: tuple[float, float] | None
    positive: str = ""
    negative: str = ""
    plane: Plane = ""
    cycle: Column | None = None
    skeleton: SkeletonReading | None = None
    step: Column | None = None
    points: PointReading | None = None
    time: Callable[[WholeBody, BodyDynamics], np.ndarray] | None = None

    @property
    def label(self) -> str:
        """The title, complete without a heading for the quantity."""
        return f"{self.title} ground reaction" if self.quantity == "ground" else self.title

    @property
    def sign(self) -> str:
        """Meaning of the signs, as in "flexion positive, extension negative"."""
        words = ((self.positive, "positive"), (self.negative, "negative"))
        return ", ".join(f"{word.lower()} {sign}" for word, sign in words if word)

    def of(self, curves: OverPercent) -> np.ndarray:
        """Values (101,) over one gait cycle or one stance; NaN where there are none."""
        if self.cycle and self.cycle.is_in(curves):
            return self.cycle.of(curves)
        of_points: dict[str, np.ndarray] = getattr(curves, "of_points", {}) if self.points else {}
        if self.name in of_points:
            return of_points[self.name]
        return np.full(len(curves.percent), np.nan)

    def averaged(self, curves: CycleCurves | StanceCurves) -> np.ndarray:
        """Values (101,) for an average: NaN if the curve, or the step on a plate, is set aside."""
        values = self.of(curves)
        return np.full_like(values, np.nan) if self.is_set_aside(curves) else values

    def is_set_aside(self, curves: CycleCurves | StanceCurves) -> bool:
        """Whether the curve is shown but not averaged."""
        return self.name in curves.doubtful or (bool(curves.set_aside) and self.is_kinetic)

    @property
    def is_kinetic(self) -> bool:
        """Whether it follows from the loads of a step on a plate."""
        return self.cycle is not None and self.cycle.field in ("moments", "powers", "ground")

    def over_cycles(self, body: WholeBody, motion: BodyDynamics, cycles: Sequence[Cycle]) -> list[np.ndarray]:
        """Values (101,) from a motion of the skeleton over gait cycles of their sides; NaN where missing."""
        if self.skeleton is None:
            raise ValueError(f"{self.name} is not computed from the skeleton")
        of_side = {side: self.skeleton.read(body, motion, side) for side in {cycle.side for cycle in cycles}}
        return [
            resample(of_side[cycle.side], body.time, cycle.initial_contact, cycle.next_initial_contact)
            for cycle in cycles
        ]
