"""Sequential quadratic programming with l1-elastic subproblems: the default solver.

Each step solves a convex quadratic program in which every constraint may be violated at a price, so that no start is
too far off (Fletcher's Sl1QP; Nocedal and Wright, section 18.5). The price is raised in steps while constraints stay
violated. The Hessian is the Gauss-Newton one of the objective (exact enough for sums of squares), or a damped BFGS
estimate of the Lagrangian's for others. A step that the curvature of the constraints spoils is bent back onto
them before it is shortened: Newton's iteration with the Jacobian at hand, at the price of values alone. Without
one such correction solutions end well above the optimum (Maratos effect); with several, steps are some ten times as
long, for the constraints of walking are more curved than its objective.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from pipeline.optimisation.errors import PredictionError
from pipeline.optimisation.problem import Bounds, Evaluation, Problem
from pipeline.optimisation.qp import QPSolution, solve_elastic_qp
from pipeline.optimisation.solution import Progress, SolverResult, optimality, summarise
from pipeline.optimisation.supports import SupportedRows

MISSED = 1e-7
"""Scaled violation at which a row that was left out of a quadratic program is missed there."""

FORGIVEN = 0.02
"""Share of the present violation up to which missed rows wait for the next step."""

SETTLED = 5e-2
"""Relative gain a step must promise for a price to be kept while constraints are still violated."""

UNNEEDED, MOST_EASED = 0.5, 5
"""Share of a lower price that all multipliers keep below for it to come back, and how often it may."""

FIRST_REACH = 0.3
"""Scaled slack within which rows enter the first quadratic program."""

COARSE, FINE = 1e-3, 1e-6
"""Accuracies of a quadratic program: while violations outweigh a tenth of the objective, and afterwards."""

KEPT, ENOUGH, BROKEN = 0.75, 0.9, 0.25
"""Shares of its promise by which a step counts as kept, as needing no correction, and as broken."""

EASE, TIGHTEN = 10.0, 2.0
"""Factors by which damping falls after a promise kept and rises after a broken one."""


@dataclass(frozen=True)
class SQP:
    """The solver's settings.

    Attributes:
        hessian: of the objective (``gauss-newton``) or of the Lagrangian (``bfgs``).
        penalties: prices of a unit scaled violation, raised in turn.
        tolerance: relative change of the objective that a further step still promises, at which to stop.
        max_iterations: when to give up.
        damping: first multiple of the identity added to the Hessian, relative to its mean diagonal (Levenberg);
            falls while steps keep what they promise, and rises when they do not.
        corrections: at most so many to a step.
    """

    hessian: Literal["gauss-newton", "bfgs"] = "gauss-newton"
    penalties: tuple[float, ...] = (0.3, 3.0, 30.0, 300.0)
    tolerance: float = 1e-3
    max_iterations: int = 200
    damping: float = 1e-2
    corrections: int = 6
    name: str = "sqp"

    def solve(
        self, problem: Problem, x: np.ndarray, progress: Callable[[Progress], None] | None = None
    ) -> SolverResult:
        """Solve from a start, clipped to the simple bounds."""
        started = time.process_time()
        run = _Run(self, problem, np.clip(x, *problem.box))
        status, converged = "iteration limit", False
        while run.iteration < self.max_iterations:
            try:
                ended = run.iterate(progress)
            except LinAlgError as error:
                status = f"broke down: {error}"
                break
            if ended is not None:
                status, converged = ended
                break
        return summarise(
            problem,
            run.at,
            run.x,
            run.multipliers,
            solver=self.name,
            status=status,
            converged=converged,
            iterations=run.iteration,
            cpu_seconds=time.process_time() - started,
        )


class _Run:
    """The state of one solve."""

    def __init__(self, settings: SQP, problem: Problem, x: np.ndarray) -> None:
        self.settings, self.problem, self.x = settings, problem, x
        self.bounds: Bounds = problem.bounds()
        self.at: Evaluation = problem.evaluate(x)
        self.box = problem.box
        self.boxed = np.flatnonzero(np.isfinite(self.box[0]) | np.isfinite(self.box[1]))
        self.multipliers = np.zeros(len(self.at.rows))
        self.level, self.damping, self.iteration, self.small_steps = 0, settings.damping, 0, 0
        self.eased, self.content = 0, False
        self.pushing: np.ndarray = np.zeros(0, dtype=bool)
        self.moved: np.ndarray | None = None
        self.change = np.zeros(len(self.at.rows))
        self.B = np.eye(len(x)) * max(1.0, float(np.abs(self.at.gradient).max()))  # for BFGS alone

    @property
    def penalty(self) -> float:
        return self.settings.penalties[self.level]

    def merit(self, at: Evaluation) -> float:
        return at.objective + self.penalty * float(self.bounds.violation(at.rows).sum())

    def iterate(self, progress: Callable[[Progress], None] | None) -> tuple[str, bool] | None:
        """One step; the reason for the end, and whether it is a solution."""
        self.iteration += 1
        hessian = self._hessian()
        solution = self._subproblem(hessian)
        self.multipliers = solution.multipliers[: len(self.at.rows)]
        self._ease_price()
        d = solution.step
        promised = self._promise(d, hessian)
        excess = float(self.bounds.excess(self.at.rows).max(initial=0.0))
        small = promised <= self.settings.tolerance * (1e-3 + abs(self.at.objective))
        if progress is not None:
            slope = optimality(self.problem, self.at, self.x, self.multipliers)
            progress(Progress(self.iteration, self.at.objective, excess, slope, float(np.abs(d).max(initial=0.0))))
        if small and excess <= 1.0:
            if self.content:
                return "converged", True
            self.damping /= EASE  # a step may promise little because it is held back: ask once more with a freer hand
        self.content = small and excess <= 1.0
        settling = excess > 1.0 and promised <= SETTLED * (1e-3 + abs(self.at.objective))
        if not self.content and (small or settling or self._at_price()):
            if self.level + 1 < len(self.settings.penalties):
                self.level += 1
                return None
            if small:
                return "converged to a point of least violation", False
        taken = self._search(d, promised, hessian)
        self.small_steps = self.small_steps + 1 if taken < 1e-4 else 0
        if self.small_steps >= 5:
            if excess <= 1.0:
                return "no further progress at a feasible point", True
            if self.level + 1 == len(self.settings.penalties):
                return "no further progress", False
            self.level, self.small_steps = self.level + 1, 0
        return None

    def _ease_price(self) -> None:
        """Go back to a lower price where no multiplier needs the present one: dear constraints make short steps."""
        needed = float(np.abs(self.multipliers).max(initial=0.0))
        if self.level > 0 and self.eased < MOST_EASED and needed < UNNEEDED * self.settings.penalties[self.level - 1]:
            self.level, self.eased = self.level - 1, self.eased + 1

    def _hessian(self) -> np.ndarray:
        base = self.at.hessian if self.settings.hessian == "gauss-newton" else self.B
        return base + self.damping * max(float(np.trace(base)) / len(base), 1.0) * np.eye(len(base))

    def _subproblem(self, hessian: np.ndarray) -> QPSolution:
        """The quadratic program at the current point, on the rows within reach; simple bounds ride as priced rows."""
        m, extra = len(self.at.rows), np.eye(len(self.x))[self.boxed]
        lower = np.concatenate([self.bounds.lower - self.at.rows, (self.box[0] - self.x)[self.boxed]])
        upper = np.concatenate([self.bounds.upper - self.at.rows, (self.box[1] - self.x)[self.boxed]])
        supports, which = self.at.supports
        which = np.concatenate([which, np.full(len(extra), len(supports) - 1)])
        within = self._within_reach(lower, upper)
        violation = float(self.bounds.violation(self.at.rows).sum())
        accuracy = COARSE if self.penalty * violation > 0.1 * abs(self.at.objective) else FINE
        while True:
            matrix = np.concatenate([self.at.jacobian_of(within[:m]), extra[within[m:]]])
            rows = SupportedRows(matrix, supports, which[within])
            solution = solve_elastic_qp(
                hessian, self.at.gradient, rows, lower[within], upper[within], self.penalty, accuracy
            )
            change = np.concatenate([self.at.change(solution.step), solution.step[self.boxed]])
            over = np.where(within, 0.0, np.maximum(lower - change, change - upper))
            missed = over > MISSED
            if over[missed].sum() <= FORGIVEN * violation:
                break
            within |= missed
        multipliers = np.zeros(len(within))
        multipliers[within] = solution.multipliers
        self.pushing, self.moved = missed | (np.abs(multipliers) > 1e-6 * self.penalty), np.abs(change)
        self.change = change[:m]
        return replace(solution, multipliers=multipliers)

    def _within_reach(self, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
        """Rows that this step may bring to a bound, judged by the step before; most rows are far from theirs."""
        slack = np.minimum(-lower, upper)
        if self.moved is None:
            return slack < FIRST_REACH
        return self.pushing | (slack < 0.02 + self.moved)

    def _promise(self, d: np.ndarray, hessian: np.ndarray) -> float:
        """What the quadratic program says that its step gains."""
        fallen = -self.at.gradient @ d - 0.5 * d @ hessian @ d
        now, then = (self.bounds.violation(rows).sum() for rows in (self.at.rows, self.at.rows + self.change))
        return float(fallen + self.penalty * (now - then))

    def _at_price(self) -> bool:
        """Whether the price alone keeps the linearised constraints from being met any better."""
        now = self.bounds.violation(self.at.rows).sum()
        then = self.bounds.violation(self.at.rows + self.change).sum()
        return bool(now > 0 and then > 0.9 * now and np.abs(self.multipliers).max(initial=0.0) > 0.99 * self.penalty)

    def _search(self, d: np.ndarray, promised: float, hessian: np.ndarray) -> float:
        """The step, bent back onto the constraints that it meets, and shortened only where that fails; its length."""
        length = 1.0
        while True:
            trial, x, gained = self._bent(length, length * d, length * promised, hessian)
            if gained >= 1e-4 * length * promised:
                self._accept(trial, x)
                break
            length *= 0.5
            if length < 1e-6:
                break
        self._adapt(gained, promised, length)
        return length

    def _bent(
        self, length: float, d: np.ndarray, promised: float, hessian: np.ndarray
    ) -> tuple[Evaluation, np.ndarray, float]:
        """A step of some length, corrected while this pays: its evaluation, where it ends, and what it gains."""
        here = self.merit(self.at)
        aim = np.clip(self.at.rows + length * self.change, self.bounds.lower, self.bounds.upper)
        rows, correction = self.pushing[: len(aim)], None
        x = self._clip(self.x + d)
        trial = self.problem.evaluate(x)
        best = trial, x, self._gain(here, trial)
        gained = best[2]
        for _ in range(self.settings.corrections):
            broken = self.bounds.violation(trial.rows) > MISSED
            if gained > ENOUGH * promised or gained == -np.inf or not np.any(rows | broken):
                break
            if correction is None or np.any(broken & ~rows):
                rows = rows | broken
                correction = _Correction(hessian, self.at.jacobian_of(rows))
            d = d - correction.step((trial.rows - aim)[rows])
            x = self._clip(self.x + d)
            trial, before = self.problem.evaluate(x), gained
            gained = self._gain(here, trial)
            if gained > best[2]:
                best = trial, x, gained
            if gained < before + 0.1 * promised:
                break
        return best

    def _gain(self, here: float, trial: Evaluation) -> float:
        """What a trial gains; minus infinity where the motion is not defined, as with knots out of order."""
        try:
            gain = here - self.merit(trial)
        except PredictionError:
            return -np.inf
        return gain if np.isfinite(gain) else -np.inf

    def _adapt(self, gained: float, promised: float, length: float) -> None:
        """Trust the quadratic model as far as the last step kept its promise."""
        if length < 1.0:
            self.damping /= max(length, 0.1)
        elif gained > KEPT * promised:
            self.damping = max(self.damping / EASE, 1e-5 * self.settings.damping)
        elif gained < BROKEN * promised:
            self.damping *= TIGHTEN

    def _accept(self, trial: Evaluation, x: np.ndarray) -> None:
        if self.settings.hessian == "bfgs":
            self._update(trial, x)
        self.x, self.at = x, trial

    def _update(self, trial: Evaluation, x: np.ndarray) -> None:
        """Damped BFGS (Powell; Nocedal and Wright, procedure 18.2)."""
        s = x - self.x
        y = trial.gradient + trial.pull(self.multipliers) - self.at.gradient - self.at.pull(self.multipliers)
        Bs = self.B @ s
        sBs = s @ Bs
        if sBs < 1e-16:
            return
        theta = 1.0 if s @ y >= 0.2 * sBs else 0.8 * sBs / (sBs - s @ y)
        r = theta * y + (1.0 - theta) * Bs
        self.B += np.outer(r, r) / (s @ r) - np.outer(Bs, Bs) / sBs

    def _clip(self, x: np.ndarray) -> np.ndarray:
        return np.clip(x, *self.box)


class _Correction:
    """Smallest steps, measured by a Hessian, that change some rows A (m, n) by given amounts."""

    def __init__(self, hessian: np.ndarray, A: np.ndarray) -> None:
        self.A, self.weight = A, 1e5 * np.trace(hessian) / max(float(np.sum(A**2)), 1e-12)
        self.factor = cho_factor(hessian + self.weight * (A.T @ A), lower=True)

    def step(self, change: np.ndarray) -> np.ndarray:
        """(n,) for changes (m,)."""
        return cho_solve(self.factor, self.weight * (self.A.T @ change))
