"""Solve the walks of the library on a grid of body, speed and step length, out to steps that have no solution.

Walks with people's step length come first, each started from the walk at the next slower speed, from the neutral pose,
and from the walk at the next faster speed; the lowest objective is kept, since there are two minima near a speed of
0.7. At each speed, steps are then shortened, and lengthened until no walk is found, each started from its neighbour
(continuation; Nocedal and Wright 2006, section 11.3); the last factor is halved once.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pipeline.optimisation import SQP
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.problem import GaitProblem
from pipeline.prediction.gait.start import start_from
from pipeline.prediction.gait.walk_library import PRESET, Request, WalkLibrary, body, lengths_of, signature_of
from pipeline.prediction.gait.walker import make_walker
from pipeline.skeleton import Skeleton, merge_frozen

BUILDS = (("male", 18.0, 1.05), ("female", 75.0, 1.85))
"""Sex, kg and m. Torque limits and inertia are proportional to mass, so mass does not change the motion."""

SPEEDS = (0.13, 0.22, 0.33, 0.46, 0.61, 0.69, 0.78, 0.95)
"""Over sqrt(g leg)."""

SHORTER, LONGER, LONGEST = (0.75,), 1.22, 1.2
"""Factors of step length, and the step over leg length at which a task is refused as impossible."""

TRIES = SQP(max_iterations=70)
"""1.5 times the iterations that any walk of the grid takes from its neighbour."""


def preferred_step(speed: float) -> float:
    """Step length over leg at a speed over sqrt(g leg): a power law through Schwartz et al. (2008), within 2 %."""
    return 1.077 * speed**0.425


@dataclass(frozen=True)
class _Walk:
    """A solved problem with its design variables and objective."""

    x: np.ndarray
    problem: GaitProblem
    objective: float


@dataclass
class _Grid:
    """The walks of one body, by request."""

    skeleton: Skeleton
    leg: float
    report: Callable[[str], None]
    solved: dict[Request, _Walk] = field(default_factory=dict)

    def solve(self, speed: float, step: float, start: _Walk | None) -> _Walk | None:
        """Solve from a neighbour or, without one, from the neutral pose; return the request's best walk so far."""
        request = Request(speed, step, self.leg)
        name = f"leg {self.leg:.2f} m, speed {speed:.2f}, step {step:.3f}"
        try:
            problem = GaitProblem.make(self.skeleton, request.task(), PRESET)
        except PredictionError as error:
            self.report(f"{name}: {error}")
            return None
        guess = None if start is None else start_from(problem, start.problem, start.x)
        x = problem.neutral_guess() if guess is None else guess
        result = problem.solve(x, TRIES, warm=guess is not None)
        self.report(f"{name}: {result.status}, {result.iterations} iterations, {result.cpu_seconds:.1f} s")
        best = self.solved.get(request)
        if result.success and (best is None or result.objective < best.objective):
            best = self.solved[request] = _Walk(result.x, problem, result.objective)
        return best

    def preferred_walks(self) -> dict[float, _Walk]:
        """Walks with people's step length, by speed, up to the first speed without one."""
        walks: dict[float, _Walk] = {}
        slower: _Walk | None = None
        for speed in SPEEDS:
            if slower is not None:
                self.preferred(speed, slower)
            slower = self.preferred(speed, None)
            if slower is None:
                break
            walks[speed] = slower
        for faster, speed in pairwise(reversed(list(walks))):
            walks[speed] = self.preferred(speed, walks[faster]) or walks[speed]
        return walks

    def preferred(self, speed: float, start: _Walk | None) -> _Walk | None:
        """As `solve`, with people's step length."""
        return self.solve(speed, min(preferred_step(speed), LONGEST), start)

    def along_steps(self, speed: float, middle: _Walk) -> None:
        """Walks with other step lengths at one speed, from the walk with people's step length."""
        preferred = preferred_step(speed)
        before = middle
        for ratio in SHORTER:
            found = self.solve(speed, ratio * preferred, before)
            if found is None:
                break
            before = found
        before, step = middle, preferred
        while step < LONGEST:
            longer = min(step * LONGER, LONGEST)
            found = self.solve(speed, longer, before)
            if found is None:
                self.solve(speed, float(np.sqrt(step * longer)), before)
                break
            before, step = found, longer


def solve_walks(report: Callable[[str], None]) -> WalkLibrary:
    """Solve the grid; takes minutes."""
    rows = []
    for build, (sex, mass, height) in enumerate(BUILDS):
        skeleton = body(sex, mass, height)
        grid = _Grid(skeleton, make_walker(merge_frozen(skeleton)).leg_length, report)
        for speed, middle in grid.preferred_walks().items():
            grid.along_steps(speed, middle)
        rows += [
            (build, request, grid.solved[request]) for request in sorted(grid.solved, key=lambda r: (r.speed, r.step))
        ]
    requests = np.array([[one.speed, one.step, one.leg] for _, one, _ in rows])
    variables = np.array([found.x / lengths_of(found.problem) for *_, found in rows]).astype(np.float32)
    middle, problem = variables[len(rows) // 2], rows[len(rows) // 2][2].problem
    return WalkLibrary(
        tuple(sex for sex, *_ in BUILDS),
        np.array([size for _, *size in BUILDS]),
        np.array([build for build, *_ in rows]),
        requests,
        variables.astype(float),
        problem.walker.skeleton.joint_names,
        signature_of(problem, middle.astype(float) * lengths_of(problem)),
    )
