"""The task of a predicted walk, its defaults, and the limits of its values."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from pipeline.prediction.errors import PredictionError

NORM_SPEED = (0.172, 0.290, 0.429, 0.560, 0.694)
NORM_OPPOSITE_FOOT_OFF = (0.18, 0.12, 0.10, 0.08, 0.07)
"""Opposite foot off, share of the gait cycle, against speed / sqrt(g leg length), typically developing walkers:
Schwartz, Rozumalski and Trost (2008), J Biomech 41(8), 1639-1650, supplement."""

MIN_STEP_TIME = 0.2
"""s; the cadence of sprinting, about five steps a second."""

MAX_TOE_OUT = np.radians(60.0)
"""rad; about the sum of hip rotation and tibial torsion."""

MAX_FROUDE = 1.0
"""speed^2 / (g leg length) above which the inverted pendulum of stance would leave the ground (Alexander 1989)."""


@dataclass(frozen=True)
class GaitTask:
    """A walk at constant speed on level ground.

    Attributes:
        speed: m/s.
        step_length: m.
        double_support: share of a step with both feet on the ground; by default that of people at the same
            dimensionless speed.
        step_width: between the lines on which the ankles' ground points lie, m; by default 0.11 of the leg.
        toe_out: angle of the feet to the progression, rad.
        friction: coefficient between foot and ground.
        form: ``step``, one step whose mirror image follows, or ``stride``, two steps that may differ.
    """

    speed: float = 1.2
    step_length: float = 0.6
    double_support: float | None = None
    step_width: float | None = None
    toe_out: float = np.radians(7.0)
    friction: float = 0.6
    form: Literal["step", "stride"] = "step"

    @property
    def n_steps(self) -> int:
        """Number of predicted steps."""
        return 1 if self.form == "step" else 2

    @property
    def step_time(self) -> float:
        """s."""
        return self.step_length / self.speed

    def swing_time(self, share: float) -> float:
        """Time in a step, as a share of it, at a share of the swing phase that ends it."""
        assert self.double_support is not None
        return self.double_support + share * (1.0 - self.double_support)

    def complete(self, leg_length: float, gravity: float = 9.81) -> tuple[GaitTask, list[str]]:
        """The task with every default filled in, and notes on these.

        Raises:
            PredictionError: a value is outside its limits, or the walk is impossible for this leg length.
        """
        self._check(leg_length, gravity)
        notes = []
        task = self
        if task.double_support is None:
            dimensionless = self.speed / np.sqrt(gravity * leg_length)
            share = 2.0 * float(np.interp(dimensionless, NORM_SPEED, NORM_OPPOSITE_FOOT_OFF))
            task = replace(task, double_support=share)
            notes.append(f"double support {share:.3f} of a step, as in typically developing walkers at this speed")
        if task.step_width is None:
            task = replace(task, step_width=0.11 * leg_length)
            notes.append(f"step width {task.step_width:.3f} m, 11 % of the leg length")
        return task, notes

    def _check(self, leg_length: float, gravity: float) -> None:
        for problem, remedy in self._faults(leg_length, gravity):
            raise PredictionError(problem, where="gait task", remedy=remedy)

    def _faults(self, leg_length: float, gravity: float) -> Iterator[tuple[str, str]]:
        """What is wrong with the task, and what to do."""
        for name in ("speed", "step_length", "friction"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0.0):
                yield f"{name} is {value:g}", "Give a positive number"
        if self.form not in ("step", "stride"):
            yield f"form is {self.form!r}", "Use 'step' or 'stride'"
        if self.double_support is not None and not 0.02 <= self.double_support <= 0.6:
            yield f"double_support is {self.double_support:g}, outside 0.02 to 0.6 of a step", ""
        if self.step_width is not None and not 0.0 <= self.step_width <= leg_length:
            yield f"step_width is {self.step_width:g} m, outside 0 to the leg length {leg_length:.3f} m", ""
        if not abs(self.toe_out) <= MAX_TOE_OUT:
            yield f"toe_out is {self.toe_out:g} rad, beyond {MAX_TOE_OUT:.2f} either way", "Give the angle in radians"
        if self.step_length > 1.2 * leg_length:
            reach = "longer than twice the leg" if self.step_length > 2 * leg_length else "beyond 1.2 leg lengths"
            problem = f"a step of {self.step_length:g} m is {reach} (leg length {leg_length:.3f} m)"
            yield problem, f"Ask for at most {1.2 * leg_length:.2f} m"
        if self.step_time < MIN_STEP_TIME:
            problem = (
                f"{self.speed:g} m/s with steps of {self.step_length:g} m leaves {self.step_time:.3f} s for a step"
            )
            remedy = f"Ask for steps of at least {self.speed * MIN_STEP_TIME:.2f} m, or walk slower"
            yield f"{problem}, the minimum is {MIN_STEP_TIME:g} s", remedy
        if self.speed**2 > MAX_FROUDE * gravity * leg_length:
            problem = f"{self.speed:g} m/s is faster than walking with a leg length of {leg_length:.3f} m allows"
            remedy = f"Ask for at most {np.sqrt(MAX_FROUDE * gravity * leg_length):.2f} m/s"
            yield f"{problem}: the body would leave the ground", remedy
