"""Stored walks on a grid of body, speed and step length: initial guesses by local regression, and the limits of reach.

``python -m pipeline.prediction walks`` solves and stores them. Lengths are relative to leg length, speeds to the square
root of gravity times leg length, so that walks of bodies of different size are nearly alike (dynamic similarity;
Alexander 1989; Hof 1996, Gait and Posture 4:222-223).
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import cache, cached_property
from pathlib import Path
from zipfile import BadZipFile

import numpy as np

from pipeline.config.shipped import HOME
from pipeline.conventions import GRAVITY
from pipeline.optimisation import Evaluation
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.presets import find_preset
from pipeline.prediction.gait.problem import GaitProblem
from pipeline.prediction.gait.task import GaitTask
from pipeline.skeleton import Skeleton, load_skeleton

LIBRARY = HOME / "config" / "predicted_walks.npz"
PRESET = "human"

NEIGHBOURS, BANDWIDTH = 12, np.array([0.25, 0.15, 0.35])
"""Number of walks an initial guess is made from, and the distances in the logarithms of speed, step length and leg
length at which their weight has fallen to a half."""

REACH_MARGIN = 1.03
"""A step length or speed above the largest solved one by more than this factor is refused. The spacing of the solved
walks is about as large, and bodies of the same leg length differ."""

SAME = 1e-6
"""Relative difference allowed between a stored walk's objective and rows and those of the present problem: rounding."""


@dataclass(frozen=True)
class Request:
    """Speed over sqrt(g leg), step length over leg, and leg length, m."""

    speed: float
    step: float
    leg: float

    @classmethod
    def of(cls, problem: GaitProblem) -> Request:
        """The request of a problem."""
        leg, task = problem.walker.leg_length, problem.task
        return cls(task.speed / np.sqrt(GRAVITY * leg), task.step_length / leg, leg)

    def task(self) -> GaitTask:
        """The task of this request, with defaults for the rest."""
        return GaitTask(self.speed * np.sqrt(GRAVITY * self.leg), self.step * self.leg)


@dataclass(frozen=True)
class WalkLibrary:
    """Solved walks of bodies with the proportions of anthropometric tables.

    Attributes:
        sexes, sizes: (B,) and (B, 2) of the bodies: male or female; mass and height, kg and m.
        build: (N,) index of each walk's body.
        requests: (N, 3) speed over sqrt(g leg), step length over leg, and leg length, m.
        variables: (N, n_variables) design variables, lengths over leg length.
        joints: names of the coordinates.
        signature: of the solved problem, evaluated at the middle walk (`signature_of`).
    """

    sexes: tuple[str, ...]
    sizes: np.ndarray
    build: np.ndarray
    requests: np.ndarray
    variables: np.ndarray
    joints: tuple[str, ...]
    signature: np.ndarray

    def save(self, path: Path) -> None:
        """Write a compressed file of arrays."""
        arrays = {one.name: getattr(self, one.name) for one in fields(self)}
        smaller = {"build": self.build.astype(np.int8), "variables": self.variables.astype(np.float32)}
        np.savez_compressed(path, **arrays | smaller)

    @classmethod
    def load(cls, path: Path) -> WalkLibrary:
        """Read a file that `save` wrote. Raises OSError if there is none."""
        with path.open("rb") as file, np.load(file) as data:
            arrays = {name: data[name] for name in data.files}
        arrays["variables"] = arrays["variables"].astype(float)
        names = {name: tuple(arrays[name].tolist()) for name in ("sexes", "joints")}
        return cls(**arrays | names)

    def problem(self, index: int) -> GaitProblem:
        """The problem that the walk with this index solves."""
        build = self.build[index]
        mass, height = self.sizes[build]
        return GaitProblem.make(body(self.sexes[build], mass, height), Request(*self.requests[index]).task(), PRESET)

    def is_current(self) -> bool:
        """Whether the problem is still the one that was solved, judged by its values at the middle walk."""
        middle = len(self.requests) // 2
        problem = self.problem(middle)
        if problem.problem.n_variables != self.variables.shape[1]:
            return False
        now = signature_of(problem, self.variables[middle] * lengths_of(problem))
        return bool(np.all(np.abs(now - self.signature) <= SAME * np.abs(self.signature)))

    def fits(self, problem: GaitProblem) -> bool:
        """Whether a problem has the same coordinates and splines."""
        form = problem.problem.transcription
        alike = form.n_variables == self.variables.shape[1] and problem.walker.skeleton.joint_names == self.joints
        return alike and not problem.preset.runs

    def guess(self, problem: GaitProblem) -> np.ndarray:
        """(n_variables,) a walk near the requested one, by weighted linear regression of the nearest stored walks."""
        at = Request.of(problem)
        apart = (np.log(self.requests) - np.log([at.speed, at.step, at.leg])) / BANDWIDTH
        squared = np.sum(apart**2, axis=1)
        near = np.argsort(squared, kind="stable")[:NEIGHBOURS]
        weight = np.sqrt(0.5 ** (squared[near] - squared[near[0]]))
        basis = np.column_stack([np.ones(len(near)), apart[near]]) * weight[:, None]
        fitted = np.linalg.lstsq(basis, self.variables[near] * weight[:, None], rcond=None)[0][0]
        return fitted * lengths_of(problem)

    def require_reach(self, problem: GaitProblem) -> None:
        """Raise PredictionError if no walk of this speed and step length was found when the library was made."""
        if problem.preset is not find_preset(PRESET) or problem.task.slope:
            return
        at = Request.of(problem)
        longest, fastest = self._longest_step(at), float(np.interp(at.leg, self._legs, self._fastest))
        too_long, too_fast = at.step > REACH_MARGIN * longest, at.speed > REACH_MARGIN * fastest
        if not (too_long or too_fast):
            return
        task = problem.task
        what = (
            f"{task.speed:.3g} m/s is out of reach; the fastest walk found has "
            f"{replace(at, speed=fastest).task().speed:.3g} m/s"
            if too_fast
            else f"a step of {task.step_length:.3g} m at {task.speed:.3g} m/s ({at.step:.2f} leg lengths) is out of "
            f"reach; the longest found at this speed is {longest * at.leg:.3g} m"
        )
        raise PredictionError(what, where="gait task", remedy=f"Ask for less: {self.nearest(problem)}")

    def nearest(self, problem: GaitProblem) -> str:
        """The stored request nearest to a problem's in speed and step length, in words, for a body of its size."""
        at = Request.of(problem)
        apart = np.log(self.requests[:, :2] / [at.speed, at.step])
        speed, step, _ = self.requests[np.argmin(np.sum(apart**2, axis=1))]
        found = Request(speed, step, at.leg).task()
        solved = f"{found.speed:.3g} m/s with steps of {found.step_length:.3g} m"
        return f"the nearest request that was solved is {solved}"

    @cached_property
    def _legs(self) -> np.ndarray:
        return np.unique(self.requests[:, 2])

    @cached_property
    def _fastest(self) -> np.ndarray:
        """(B,) highest speed found at each leg length."""
        return np.array([self.requests[self.requests[:, 2] == leg, 0].max() for leg in self._legs])

    def _longest_step(self, at: Request) -> float:
        """The longest step found at a speed, interpolated between the grid's speeds and leg lengths."""
        longest = []
        for leg in self._legs:
            speed, step, _ = self.requests[self.requests[:, 2] == leg].T
            speeds = np.unique(speed)
            longest.append(np.interp(at.speed, speeds, [step[speed == one].max() for one in speeds]))
        return float(np.interp(at.leg, self._legs, longest))


def body(sex: str, mass: float, height: float) -> Skeleton:
    """The skeleton that ships with the project, scaled by anthropometric tables."""
    path = HOME / "config" / "skeleton.yaml"
    return load_skeleton(path, mass=mass, height=height, sex=sex)  # type: ignore[arg-type]


def lengths_of(problem: GaitProblem) -> np.ndarray:
    """(n_variables,) scale of each design variable: leg length for translations, one for angles."""
    joint = problem.problem.transcription.relations.free[:, 1]
    return np.where(problem.walker.revolute[joint], 1.0, problem.walker.leg_length)


def signature_of(problem: GaitProblem, x: np.ndarray) -> np.ndarray:
    """(4,) at x: objective, mean square of the rows, mean square of their finite bounds, and number of rows."""
    at, bounds = Evaluation(problem.problem, x), problem.problem.bounds
    limits = np.concatenate([bounds.lower, bounds.upper])
    finite = limits[np.isfinite(limits)]
    return np.array([at.objective, np.mean(at.rows**2), np.mean(finite**2), len(at.rows)])


@cache
def stored_walks(path: Path = LIBRARY) -> WalkLibrary | str:
    """The library that ships, or the reason why it cannot be used, as one sentence."""
    try:
        library = WalkLibrary.load(path)
        if library.is_current():
            return library
        why = "were made by another version of the program or its settings"
    except FileNotFoundError:
        why = "are absent"
    except (OSError, EOFError, BadZipFile, KeyError, TypeError, ValueError) as error:
        why = f"cannot be read ({type(error).__name__})"
    return (
        f"the stored walks ({path.name}) {why}, so the search takes longer and may end in another local optimum: "
        "make them with `python -m pipeline.prediction walks`"
    )
