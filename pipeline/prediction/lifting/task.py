"""The task of a predicted lift: a box, its start and end, and how the lifter stands."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields

import numpy as np

from pipeline.conventions import is_number
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.task import MAX_TOE_OUT, faults_of_friction

MAX_SPEED = 3.0
"""m/s; upper limit of the box's mean speed in a lift."""


@dataclass(frozen=True)
class LiftTask:
    """A box held at its sides and lifted in the sagittal plane, at rest at both ends.

    Positions are those of the hands' grip: forward of the ankles and above the ground.

    Attributes:
        load: mass of the box, kg, split into a point mass in each hand.
        start, end: (forward, up) m.
        duration: s.
        box_depth, box_width: m; the hands are one width apart, and the body stays at least half a depth behind them.
        step_width: between the ankles' ground points, m.
        toe_out: angle of the feet to the sagittal plane, rad.
        friction: coefficient between foot and ground.
    """

    load: float = 10.0
    start: tuple[float, float] = (0.40, 0.35)
    end: tuple[float, float] = (0.35, 1.05)
    duration: float = 1.5
    box_depth: float = 0.3
    box_width: float = 0.4
    step_width: float = 0.24
    toe_out: float = np.radians(10.0)
    friction: float = 0.6

    def check(self, reach: float) -> None:
        """Refuse a task that is impossible with this reach, m from the ground to the raised hands.

        Raises:
            PredictionError: a value is outside its limits.
        """
        for problem, remedy in self._faults(reach):
            raise PredictionError(problem, where="lift task", remedy=remedy)

    def _faults(self, reach: float) -> Iterator[tuple[str, str]]:
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name in ("start", "end"):
                if np.size(value) != 2 or not all(map(is_number, value)):
                    yield f"{item.name} is {value!r}", "Give two numbers, m forward of the ankles and above the ground"
            elif not is_number(value):
                yield f"{item.name} is {value!r}", "Give a number"
        values = {name: getattr(self, name) for name in ("duration", "box_depth", "box_width", "friction")}
        for name, value in values.items():
            if not (np.isfinite(value) and value > 0.0):
                yield f"{name} is {value:g}", "Give a positive number"
        yield from faults_of_friction(self.friction)
        if not (np.isfinite(self.load) and self.load >= 0.0):
            yield f"load is {self.load:g} kg", "Give the box's mass, or 0 for empty hands"
        for name in ("start", "end"):
            forward, up = getattr(self, name)
            if not (0.0 <= up <= reach and 0.0 < forward <= reach):
                remedy = f"Give more than 0 m ahead and 0 m or more up, both at most {reach:.2f} m"
                yield f"{name} is {forward:g} m ahead and {up:g} m up, out of reach", remedy
        for name in ("box_depth", "box_width", "step_width"):
            if not 0.0 <= getattr(self, name) <= reach:
                yield f"{name} is {getattr(self, name):g} m, outside 0 to the reach of {reach:.2f}", "Give metres"
        if not abs(self.toe_out) <= MAX_TOE_OUT:
            yield f"toe_out is {self.toe_out:g} rad, beyond {MAX_TOE_OUT:.2f} either way", "Give the angle in radians"
        if np.hypot(*np.subtract(self.end, self.start)) > MAX_SPEED * self.duration:
            yield f"{self.duration:g} s is too short for this lift", "Give more time"
