"""The task of a predicted walk, its default values, and their limits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, replace
from typing import Literal

import numpy as np

from pipeline.analysis import NORM_SPEEDS
from pipeline.conventions import GRAVITY, MAX_FRICTION, SIDES, is_number
from pipeline.prediction.errors import PredictionError

NORM_OPPOSITE_FOOT_OFF = (0.18, 0.12, 0.10, 0.08, 0.07)
"""Opposite foot off, share of the gait cycle, at `NORM_SPEEDS`, typically developing walkers: Schwartz, Rozumalski and
Trost (2008), J Biomech 41(8), 1639-1650, supplement."""

HEEL_OFF, FOOT_FLAT_ALONE = 0.7, 0.47
"""Heel off, steps after initial contact: 35 % of the cycle, where terminal stance begins at 31 % (Perry and Burnfield
2010) and heel markers of 16 recording sessions rise by 1 cm at 30 to 40 (median 35.5). It is at least FOOT_FLAT_ALONE
steps after contralateral foot off, since double support is longer in slow walks."""

STANCE_DORSIFLEXION, STANCE_TIME = (0.0, 2.0, 5.0, 7.0, 8.0, 10.0), (0.25, 0.3, 0.4, 0.5, 0.6, 0.7)
"""Dorsiflexion of the standing ankle, degrees, and when it is reached, steps after initial contact (Schwartz et al.
2008, free speed): if the ankle dorsiflexes no further, the heel leaves the ground then."""

FLIGHT = 0.3
"""Flight of a run, share of a step: a duty factor of 0.35, as of people who run slowly (Alexander 1989)."""

HEEL_OFF_OF_RUN = 0.45
"""Heel off in running, share of stance (De Cock et al. 2005)."""

MIN_STEP_TIME = 0.2
"""s; the cadence of sprinting, about five steps per second."""

MAX_TOE_OUT = np.radians(60.0)
"""rad; about the sum of hip rotation and tibial torsion."""

MAX_SLOPE, MIN_FORCE_LIMIT = np.radians(15.0), 0.5
"""rad, and body weights: no subject in the literature walked beyond these."""

MAX_FORCE_LIMIT = 10.0
"""Body weights; larger limits are in another unit."""

RUN = "Use the preset running for a run"

MAX_FROUDE = 1.0
"""speed^2 / (g leg length) above which the inverted pendulum of stance would leave the ground (Alexander 1989)."""

MAX_WALKING_STEP, MAX_RUNNING_STEP = 1.2, 2.5
"""Leg lengths; the latter is the step of sprinters."""


@dataclass(frozen=True)
class GaitTask:
    """A walk or run at constant speed on level ground.

    Attributes:
        speed: m/s.
        step_length: m.
        double_support: share of a step with both feet on the ground; by default as in people at the same
            dimensionless speed. Not given for a run, where it is 0.
        step_width: between the lines on which the ankles' ground points lie, m; by default 0.11 of the leg length.
        toe_out: angle of the feet to the progression, rad.
        friction: coefficient between foot and ground.
        form: ``step``, one step followed by its mirror image, or ``stride``, two steps that may differ.
        slope: of the ground, uphill positive, rad; G is then fixed to the ground, with X uphill and Y normal to it.
        left_force_limit, right_force_limit: largest vertical force of a foot, body weights including added mass.
        step_time_share: duration of the first step, in which the left foot swings, as a share of the stride's.
        left_heel_off, right_heel_off: end of the heel's contact, steps after initial contact; 0 if only the forefoot
            touches the ground. By default as in people, or earlier if the ankle's range ends earlier.
        added_mass: part of the skeleton's mass that is not the body's own but carried, kg; negative if a part of the
            body is missing. Strength, tendons and passive moments are those of the body's own mass.
        flight: share of a step with neither foot on the ground; 0 in a walk, by default 0.3 in a run.
    """

    speed: float = 1.2
    step_length: float = 0.6
    double_support: float | None = None
    step_width: float | None = None
    toe_out: float = np.radians(7.0)
    friction: float = 0.6
    form: Literal["step", "stride"] = "step"
    slope: float = 0.0
    left_force_limit: float = np.inf
    right_force_limit: float = np.inf
    step_time_share: float = 0.5
    left_heel_off: float | None = None
    right_heel_off: float | None = None
    added_mass: float = 0.0
    flight: float | None = None

    @property
    def n_steps(self) -> int:
        """Number of predicted steps."""
        return 1 if self.form == "step" else 2

    @property
    def step_time(self) -> float:
        """s."""
        return self.step_length / self.speed

    def step_of(self, nodes: np.ndarray) -> np.ndarray:
        """Times (K,) in steps of nodes (K,) from 0 to 1; the two steps of a stride may differ in duration."""
        return np.interp(nodes, *self._boundaries)

    def node_of(self, steps: np.ndarray) -> np.ndarray:
        """Inverse of `step_of`."""
        return np.interp(steps, *self._boundaries[::-1])

    @property
    def _boundaries(self) -> tuple[list[float], list[float]]:
        return ([0.0, 1.0], [0.0, 1.0]) if self.n_steps == 1 else ([0.0, self.step_time_share, 1.0], [0.0, 1.0, 2.0])

    @property
    def force_limits(self) -> dict[str, float]:
        """By side, largest vertical force of a foot, body weights."""
        return {"left": self.left_force_limit, "right": self.right_force_limit}

    def heel_off(self, side: str) -> float:
        """End of a heel's contact, steps after initial contact; 0 if the heel makes no contact."""
        own = self.left_heel_off if side == "left" else self.right_heel_off
        assert own is not None
        return own

    @property
    def overlap(self) -> float:
        """Share of a step by which the stance of a foot lasts beyond initial contact of the other; negative in runs."""
        assert self.double_support is not None
        assert self.flight is not None
        return self.double_support - self.flight

    @property
    def initial_contacts(self) -> list[tuple[str, str, float]]:
        """Leading side, trailing side and time, in steps, of each initial contact except the last."""
        return [("right", "left", 0.0), ("left", "right", 1.0)][: self.n_steps]

    def swing_time(self, share: float) -> float:
        """Time within a step, as a share of it, at a share of the swing phase that ends the step."""
        return self.overlap + share * (1.0 - self.overlap)

    def complete(
        self, leg_length: float, dorsiflexion: Mapping[str, float] | None = None, *, runs: bool = False
    ) -> tuple[GaitTask, list[str]]:
        """The task with every default filled in, and notes on the defaults used.

        Args:
            dorsiflexion: by side, what the ankle's range allows, rad; if not given, all that walking needs.
            runs: whether it is a run.

        Raises:
            PredictionError: a value is outside its limits, or the walk is impossible for this leg length.
        """
        for problem, remedy in self._faults(leg_length, runs):
            raise PredictionError(problem, where="gait task", remedy=remedy)
        notes = []
        task = self
        if runs:
            task = replace(task, double_support=0.0)
            if task.flight is None:
                task = replace(task, flight=FLIGHT)
                notes.append(f"flight {FLIGHT:g} of a step, as in people who run slowly")
        else:
            task = replace(task, flight=0.0)
        if task.double_support is None:
            dimensionless = self.speed / np.sqrt(GRAVITY * leg_length)
            share = 2.0 * float(np.interp(dimensionless, NORM_SPEEDS, NORM_OPPOSITE_FOOT_OFF))
            task = replace(task, double_support=share)
            notes.append(f"double support {share:.3f} of a step, as in typically developing walkers at this speed")
        if task.step_width is None:
            task = replace(task, step_width=0.11 * leg_length)
            notes.append(f"step width {task.step_width:.3f} m, 11 % of the leg length")
        for side in SIDES:
            if getattr(task, f"{side}_heel_off") is None:
                allowed = (dorsiflexion or {}).get(side, np.inf)
                when, note = task._default_heel_off(allowed)
                task = replace(task, left_heel_off=when) if side == "left" else replace(task, right_heel_off=when)
                notes += [f"{side} {note}"] if note else []
        return task, notes

    def _default_heel_off(self, dorsiflexion: float) -> tuple[float, str]:
        """End of the heel's contact, steps after initial contact, and a note if the ankle's range, rad, sets it."""
        assert self.double_support is not None
        degrees = np.degrees(dorsiflexion)
        if degrees < 0.0:
            always = f"its ankle is plantarflexed by {-degrees:.3g} degrees or more"
            return 0.0, f"forefoot bears the load from initial contact on, since {always}"
        if self.flight:
            return HEEL_OFF_OF_RUN * (1.0 - self.flight), ""
        default = max(HEEL_OFF, min(self.double_support + FOOT_FLAT_ALONE, 0.95))
        if degrees >= STANCE_DORSIFLEXION[-1]:
            return default, ""
        early = max(float(np.interp(degrees, STANCE_DORSIFLEXION, STANCE_TIME)), 1.2 * self.double_support)
        return min(
            early, default
        ), f"heel leaves the ground early, since its ankle dorsiflexes by at most {degrees:.3g} degrees"

    def _faults(self, leg_length: float, runs: bool) -> Iterator[tuple[str, str]]:
        """What is wrong with the task, and the remedy."""
        for item in fields(self):
            value = getattr(self, item.name)
            if item.name != "form" and not (is_number(value) or (value is None and item.default is None)):
                yield f"{item.name} is {value!r}", "Give a number"
        if not 0.0 < leg_length < 2.0:
            yield f"leg length is {leg_length:g} m, outside 0 to 2", "Give metres"
        for name in ("speed", "step_length", "friction"):
            value = getattr(self, name)
            if not (np.isfinite(value) and value > 0.0):
                yield f"{name} is {value:g}", "Give a positive number"
        yield from faults_of_friction(self.friction)
        if self.form not in ("step", "stride"):
            yield f"form is {self.form!r}", "Use 'step' or 'stride'"
        yield from self._faults_of_a_run() if runs else self._faults_of_a_walk()
        if self.step_width is not None and not 0.0 <= self.step_width <= leg_length:
            problem = f"step_width is {self.step_width:g} m, outside 0 to the leg length {leg_length:.3f} m"
            yield problem, "Give the distance of the ankles"
        if not abs(self.toe_out) <= MAX_TOE_OUT:
            yield f"toe_out is {self.toe_out:g} rad, beyond {MAX_TOE_OUT:.2f} either way", "Give the angle in radians"
        if not abs(self.slope) <= MAX_SLOPE:
            yield f"slope is {self.slope:g} rad, beyond {MAX_SLOPE:.2f} either way", "Give the angle in radians"
        if min(self.left_force_limit, self.right_force_limit) <= MIN_FORCE_LIMIT:
            limit = min(self.left_force_limit, self.right_force_limit)
            problem = f"a foot's vertical force is limited to {limit:g} body weights"
            yield f"{problem}, but it must bear the body alone", f"Allow more than {MIN_FORCE_LIMIT:g}"
        for limit in self.force_limits.values():
            if MAX_FORCE_LIMIT < limit < np.inf:
                problem = f"a foot's vertical force is limited to {limit:g} body weights, above {MAX_FORCE_LIMIT:g}"
                yield f"{problem}, which is no limit", "Give body weights, not N"
        if not np.isfinite(self.added_mass):
            yield f"added_mass is {self.added_mass:g} kg", "Give a finite number"
        for side in SIDES:
            own = getattr(self, f"{side}_heel_off")
            first, last = self._heel_offs(runs)
            if own is not None and own != 0.0 and not first <= own <= last:
                problem = f"{side}_heel_off is {own:g}, outside {first:.3g} to {last:.3g} of a step"
                yield problem, "Give 0 for a heel without contact"
        if not 0.35 <= self.step_time_share <= 0.65:
            yield f"step_time_share is {self.step_time_share:g}, outside 0.35 to 0.65 of a stride", ""
        longest = MAX_RUNNING_STEP if runs else MAX_WALKING_STEP
        if self.step_length > longest * leg_length:
            twice = not runs and self.step_length > 2 * leg_length
            reach = "longer than twice the leg" if twice else f"beyond {longest:g} leg lengths"
            problem = f"a step of {self.step_length:g} m is {reach} (leg length {leg_length:.3f} m)"
            yield problem, f"Ask for at most {longest * leg_length:.2f} m"
        if self.step_time < MIN_STEP_TIME:
            problem = (
                f"{self.speed:g} m/s with steps of {self.step_length:g} m leaves {self.step_time:.3f} s for a step"
            )
            remedy = f"Ask for steps of at least {self.speed * MIN_STEP_TIME:.2f} m, or for a lower speed"
            yield f"{problem}; the minimum is {MIN_STEP_TIME:g} s", remedy
        if not runs and self.speed**2 > MAX_FROUDE * GRAVITY * leg_length:
            problem = f"{self.speed:g} m/s is faster than walking with a leg length of {leg_length:.3f} m allows"
            remedy = f"Ask for at most {np.sqrt(MAX_FROUDE * GRAVITY * leg_length):.2f} m/s"
            yield f"{problem}: the body would leave the ground", f"{remedy}, or {RUN[0].lower()}{RUN[1:]}"

    def _faults_of_a_walk(self) -> Iterator[tuple[str, str]]:
        if self.flight:
            yield f"flight is {self.flight:g} of a step, but in a walk a foot is always on the ground", RUN
        if self.double_support is not None and not 0.02 <= self.double_support <= 0.6:
            without = self.double_support == 0.0
            yield f"double_support is {self.double_support:g}, outside 0.02 to 0.6 of a step", RUN if without else ""

    def _faults_of_a_run(self) -> Iterator[tuple[str, str]]:
        if self.double_support:
            never = "in a run the feet never stand at the same time"
            problem = f"double_support is {self.double_support:g} of a step, but {never}"
            yield problem, "Leave it out, or use another preset than running"
        if self.flight is not None and not 0.05 <= self.flight <= 0.5:
            yield f"flight is {self.flight:g}, outside 0.05 to 0.5 of a step", ""

    def _heel_offs(self, runs: bool) -> tuple[float, float]:
        """Earliest and latest end of a heel's contact, steps after initial contact."""
        if not runs:
            return 0.1, 0.95
        stance = 1.0 - (FLIGHT if self.flight is None else self.flight)
        return 0.25 * stance, 0.85 * stance


def faults_of_friction(friction: float) -> Iterator[tuple[str, str]]:
    """What is wrong with a positive coefficient of friction, and the remedy."""
    if friction > MAX_FRICTION:
        problem = f"friction is {friction:g}, above {MAX_FRICTION:g}"
        yield problem, "Give the coefficient between foot and ground, such as 0.6"
