"""Sequential quadratic programming with l1-elastic subproblems (Sl1QP): the default solver.

    minimise f(x)  subject to  lower <= c(x) <= upper

Every step solves a convex quadratic program whose constraints may be violated at a cost (elastic mode of Gill, Murray
and Saunders 2005, SIAM Review 47:99-131; Nocedal and Wright, Numerical Optimization, section 18.5), so the initial
guess need not be feasible.

======================= ======================================================================================
name                    formula
======================= ======================================================================================
``merit``               phi(x) = f + penalty * sum(violation)
``hessian``             B = Gauss-Newton Hessian of f, near a solution with the Lagrangian's curvature along the
                        last steps where that is larger; or a damped BFGS estimate of the Lagrangian's Hessian
                        (procedure 18.2); plus damping * mean diagonal (Levenberg-Marquardt)
``direction``           d = argmin f + g'd + d'B d / 2 + penalty * sum(violation of c + A d)
``predicted_reduction`` -g'd - d'B d / 2 + penalty * (sum(violation of c) - sum(violation of c + A d))
``actual_reduction``    phi(x) - phi(x + d); a step is accepted by an Armijo condition on it, else d is halved
======================= ======================================================================================

Second-order corrections (section 18.3) move a trial point back onto the linearised active constraints, with the
current Jacobian and only new values of c. Without corrections, solutions end well above the optimum (Maratos effect);
several of them allow steps about ten times as long, since the constraints of walking are more curved than its
objective.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from pipeline.optimisation.errors import OptimisationError
from pipeline.optimisation.evaluation import Evaluation
from pipeline.optimisation.hessians import Damping, damped_bfgs, raised_curvature
from pipeline.optimisation.multipliers import least_squares_multipliers
from pipeline.optimisation.problem import Problem
from pipeline.optimisation.qp import solve_elastic_qp
from pipeline.optimisation.solution import Progress, SolverResult, optimality, summarise
from pipeline.optimisation.sparse_rows import SparseRows

VIOLATED = 1e-7
"""Scaled violation above which a row counts as violated: it then joins the working set, or is corrected."""

OMITTED_SHARE = 0.02
"""Total violation by a step of rows outside the working set, as a share of the present violation, that is tolerated."""

SLOW_REDUCTION = 5e-2
"""Relative predicted reduction at or below which the penalty is raised while constraints remain violated."""

REMAINING = 0.1
"""Share of the present violation, left by the linearised rows, above which constraints count as remaining violated."""

NEGLIGIBLE = 1e-3
"""Violation in tolerances at or below which constraints do not count as remaining violated: near a solution it is that
of the last quadratic program, and no penalty lowers it."""

PENALTY_MARGIN, MAX_PENALTY_REDUCTIONS = 0.5, 5
"""The penalty is lowered when all multipliers are below this share of the lower one, at most this many times."""

INITIAL_SLACK = 0.1
"""Scaled slack below which rows are in the first working set."""

MARGIN, MARGIN_OF_CHANGE = 0.002, 2.0
"""Later working sets have the rows that were active, and those whose slack is below MARGIN plus MARGIN_OF_CHANGE times
their last change. A row left out wrongly is added, and the program is solved again."""

COARSE, FINE, FINEST = 10.0, 0.1, 1e-6
"""Tolerances of a quadratic program over that of the search, while the cost of violation exceeds a tenth of the
objective, and afterwards; and their minimum."""

STATIONARY_REDUCTION = 0.03
"""Predicted reduction over a small one (`SQP.tolerance`) at or below which a point stationary with least-squares
multipliers ends a search. With 1, one of 28 walks ended 0.12 % above the others; with 0.01, searches take as long."""

START_PRODUCT, LEAST_PRODUCT, LARGEST_PRODUCT = 0.05, 1e-6, 3e-4
"""Complementarity products at the start of a quadratic program, over the reduction that the last one predicted, and
their limits: near a solution, successive programs are more similar."""

SUFFICIENT = 0.9
"""Ratio of actual to predicted reduction above which a trial point needs no further correction."""

LAST_STEPS = 4
"""Number of last steps near a solution whose change of the Lagrangian's gradient corrects the Gauss-Newton Hessian."""

PATIENCE, STALLED = 25, 0.8
"""A search ends if the sum of violations at the largest penalty is above this share of its value PATIENCE iterations
earlier. So it is in what-if cases without a walk (a leg of a tenth of its strength, hips locked, knees flexed by 70
degrees or more): their violations go on falling by 0.1 to 0.6 % per iteration for hundreds of iterations. Of 42 walks
that are found (23 cases, and 19 speeds and step lengths from the neutral pose) one takes that long at that penalty,
where the share is 0.3."""

ARMIJO, MIN_STEP_LENGTH, SHORT_STEP, MAX_SHORT_STEPS = 1e-4, 1e-6, 1e-4, 5


@dataclass(frozen=True)
class SQP:
    """Settings of the solver.

    Attributes:
        hessian: of the objective (``gauss-newton``) or of the Lagrangian (``bfgs``).
        penalties: costs of a unit scaled violation, in the order in which they are tried.
        tolerance, optimality: predicted reduction relative to the objective, and relative Karush-Kuhn-Tucker residual
            (`SolverResult.optimality`), at or below which a feasible point counts as converged.
        max_iterations: maximum number of quadratic programs.
        damping: initial Levenberg-Marquardt damping, relative to the Hessian's mean diagonal.
        corrections: maximum number of second-order corrections of a step.
        patience: iterations at the largest penalty in which the sum of violations has to fall by a fifth.
    """

    hessian: Literal["gauss-newton", "bfgs"] = "gauss-newton"
    penalties: tuple[float, ...] = (0.3, 3.0, 30.0, 300.0)
    tolerance: float = 1e-3
    optimality: float = 1e-3
    max_iterations: int = 300
    damping: float = 1e-2
    corrections: int = 3
    patience: int = PATIENCE
    name: str = "sqp"

    def solve(
        self, problem: Problem, x: np.ndarray, progress: Callable[[Progress], None] | None = None
    ) -> SolverResult:
        """Solve from an initial guess (n_variables,), clipped to the bounds of the design variables.

        Raises:
            OptimisationError: a bound is NaN, bounds of a design variable cross, or the guess is not finite.
        """
        if not np.isfinite(x).all():
            remedy = "Give a finite value for every design variable"
            raise OptimisationError("the initial guess is not finite", where=self.name, remedy=remedy)
        started = time.process_time()
        run = _Run(self, problem, np.clip(x, *problem.variable_bounds))
        status, converged = "iteration limit", False
        while run.iteration < self.max_iterations:
            try:
                ended = run.iterate(progress)
            except LinAlgError as error:
                status = f"numerical failure: {error}"
                break
            if ended is not None:
                status, converged = ended
                break
        else:
            if run.acceptable:
                status, converged = "iteration limit at a feasible point, not converged to a stationary one", True
        return summarise(
            run.at,
            run.multipliers,
            solver=self.name,
            status=status,
            converged=converged,
            iterations=run.iteration,
            cpu_seconds=time.process_time() - started,
        )


@dataclass(frozen=True)
class _Step:
    """Solution of a quadratic program.

    Attributes:
        direction: (n,) d.
        hessian: (n, n) B.
        Ad: (m,) linearised change of the rows.
        working, jacobian: (m,) rows in the working set, and their Jacobian.
        violation, linear_violation: sum of scaled violations at x, and of those of the linearised rows after the step.
        beyond: largest excess of a design variable over its bounds after the step.
        active: (m,) rows with a multiplier, and rows outside the working set that the step violates.
    """

    direction: np.ndarray
    hessian: np.ndarray
    Ad: np.ndarray
    working: np.ndarray
    jacobian: SparseRows
    violation: float
    linear_violation: float
    beyond: float
    active: np.ndarray


class _Run:
    """State of one solve."""

    def __init__(self, settings: SQP, problem: Problem, x: np.ndarray) -> None:
        self.settings, self.problem = settings, problem
        self.bounds, self.variable_bounds = problem.bounds, problem.variable_bounds
        self.at = Evaluation(problem, x)
        self.bounded = np.flatnonzero(np.isfinite(self.variable_bounds[0]) | np.isfinite(self.variable_bounds[1]))
        self.unit_rows = SparseRows.dense(np.eye(len(x))[self.bounded])
        self.penalty_index, self.penalty_reductions = 0, 0
        self.damping, self.iteration, self.short_steps = Damping(settings.damping), 0, 0
        self.confirming, self.acceptable = False, False
        self.violations: list[float] = []  # at the largest penalty, in sequence
        self.curvatures: list[tuple[np.ndarray, np.ndarray]] = []
        self.last_active: np.ndarray = np.zeros(0, dtype=bool)
        self.last_change: np.ndarray | None = None
        self.last_multipliers: np.ndarray | None = None
        self.last_predicted = np.inf
        self.B = np.eye(len(x)) * max(1.0, float(np.abs(self.at.gradient).max()))  # only for BFGS

    @property
    def multipliers(self) -> np.ndarray:
        """(m,) of the rows, from the last quadratic program."""
        m = len(self.at.rows)
        return np.zeros(m) if self.last_multipliers is None else self.last_multipliers[:m]

    @property
    def _largest_multiplier(self) -> float:
        """Of rows and of bounds of design variables."""
        return 0.0 if self.last_multipliers is None else float(np.abs(self.last_multipliers).max(initial=0.0))

    @property
    def penalty(self) -> float:
        return self.settings.penalties[self.penalty_index]

    @property
    def at_last_penalty(self) -> bool:
        return self.penalty_index + 1 == len(self.settings.penalties)

    def merit(self, at: Evaluation) -> float:
        return at.objective + self.penalty * float(self.bounds.violation(at.rows).sum())

    def iterate(self, progress: Callable[[Progress], None] | None) -> tuple[str, bool] | None:
        """Make one step; at the end of the solve, return the status and whether it converged to a feasible point."""
        self.iteration += 1
        hessian = self.at.hessian if self.settings.hessian == "gauss-newton" else self.B
        for pair in self.curvatures:
            hessian = raised_curvature(hessian, *pair)
        step = self._subproblem(self.damping.applied_to(hessian))
        self._reduce_penalty()
        predicted = self.last_predicted = self._predicted_reduction(step)
        violation = float(self.bounds.relative_violation(self.at.rows).max(initial=0.0))
        feasible = violation <= 1.0
        if self._stalled(feasible):
            return "violations hardly decrease any further", False
        size = 1e-3 + abs(self.at.objective)
        small = predicted <= self.settings.tolerance * size
        stationary = small and self._is_stationary()
        self.acceptable = small and feasible
        if progress is not None:
            slope = optimality(self.at, self.multipliers)
            largest = float(np.abs(step.direction).max(initial=0.0))
            progress(Progress(self.iteration, self.at.objective, violation, slope, largest))
        if stationary and feasible:
            if self.confirming or np.isfinite(self.settings.optimality):
                return "converged", True
            # Without an optimality tolerance, damping may cause the small predicted reduction: confirm with less of it.
            self.damping.decrease()
        self.confirming = stationary and feasible
        remaining = violation > NEGLIGIBLE and step.linear_violation > REMAINING * step.violation
        slow = remaining and predicted <= SLOW_REDUCTION * size
        if not self.confirming and (stationary or slow or self._penalty_too_low(step)):
            if not self.at_last_penalty:
                self.penalty_index += 1
                return None
            if stationary:
                return "converged to an infeasible point of minimum violation", False
        length = self._line_search(step, predicted)
        self.short_steps = self.short_steps + 1 if length < SHORT_STEP else 0
        if self.short_steps >= MAX_SHORT_STEPS:
            if feasible:
                return "no further progress at a feasible point", True
            if self.at_last_penalty:
                return "no further progress", False
            self.penalty_index, self.short_steps = self.penalty_index + 1, 0
        # With an optimality tolerance only: the predicted reduction is that of the step already made.
        if small and np.isfinite(self.settings.optimality) and self._is_feasible() and self._is_stationary():
            return "converged", True
        return None

    def _is_feasible(self) -> bool:
        return bool(self.bounds.relative_violation(self.at.rows).max(initial=0.0) <= 1.0)

    def _is_stationary(self) -> bool:
        """Whether the present point is stationary with the multipliers of the last quadratic program.

        Or with least-squares multipliers, where that program predicts hardly any reduction.
        """
        if optimality(self.at, self.multipliers) <= self.settings.optimality:
            return True
        if self.last_predicted > STATIONARY_REDUCTION * self.settings.tolerance * abs(self.at.objective):
            return False
        found = least_squares_multipliers(self.at, self.multipliers)
        if optimality(self.at, found) > self.settings.optimality or np.abs(found).max(initial=0.0) > self.penalty:
            return False
        self.last_multipliers = np.concatenate([found, np.zeros(len(self.bounded))])
        return True

    def _stalled(self, feasible: bool) -> bool:
        """Whether the violation has fallen too little in the last iterations at the largest penalty."""
        if feasible or not self.at_last_penalty:
            self.violations = []
            return False
        self.violations.append(float(self.bounds.violation(self.at.rows).sum()))
        before = self.violations[: -self.settings.patience]
        return bool(before) and self.violations[-1] > STALLED * before[-1]

    def _reduce_penalty(self) -> None:
        """Return to the lower penalty if no multiplier needs the present one: large penalties shorten steps."""
        if self.penalty_index > 0 and self.penalty_reductions < MAX_PENALTY_REDUCTIONS:
            lower = self.settings.penalties[self.penalty_index - 1]
            if self._largest_multiplier < PENALTY_MARGIN * lower:
                self.penalty_index, self.penalty_reductions = self.penalty_index - 1, self.penalty_reductions + 1

    def _penalty_too_low(self, step: _Step) -> bool:
        """Whether the penalty limits the multipliers while the step leaves linearised rows or bounds violated."""
        limited = self._largest_multiplier > 0.99 * self.penalty
        remaining = step.violation > 0 and step.linear_violation > 0.9 * step.violation
        return bool(limited and (remaining or step.beyond > VIOLATED))

    def _subproblem(self, hessian: np.ndarray) -> _Step:
        """Solve the quadratic program for the working set of rows, started from the last one's multipliers.

        Bounds of design variables are elastic rows too.
        """
        at, m = self.at, len(self.at.rows)
        below, above = self.variable_bounds
        lower = np.concatenate([self.bounds.lower - at.rows, (below - at.x)[self.bounded]])
        upper = np.concatenate([self.bounds.upper - at.rows, (above - at.x)[self.bounded]])
        working = self._working_set(lower, upper)
        violation = float(self.bounds.violation(at.rows).sum())
        known, share = self.last_multipliers, FINE
        if self.penalty * violation > 0.1 * abs(at.objective):
            share = COARSE
        elif known is None:
            share = 0.0  # a search that starts at a solution ends there
        accuracy = max(share * min(self.settings.tolerance, self.settings.optimality), FINEST)
        product = float(np.clip(START_PRODUCT * self.last_predicted, LEAST_PRODUCT, LARGEST_PRODUCT))
        while True:
            jacobian = at.jacobian_of(working[:m])
            rows = SparseRows.stacked([jacobian, self.unit_rows.chosen(working[m:])])
            start = None if known is None else known[working]
            solution = solve_elastic_qp(
                hessian, at.gradient, rows, lower[working], upper[working], self.penalty, accuracy, start, product
            )
            known = np.zeros(len(working))
            known[working] = solution.multipliers
            change = np.concatenate([at.jacobian_times(solution.step), solution.step[self.bounded]])
            over = np.where(working, 0.0, np.maximum(lower - change, change - upper))
            omitted = over > VIOLATED
            if over[omitted].sum() <= OMITTED_SHARE * violation:
                break
            working |= omitted
        self.last_multipliers = known
        self.last_active, self.last_change = omitted | (np.abs(known) > 1e-6 * self.penalty), np.abs(change)
        after = float(self.bounds.violation(at.rows + change[:m]).sum())
        beyond = float(np.maximum(lower - change, change - upper)[m:].max(initial=0.0))
        active = self.last_active[:m]
        return _Step(solution.step, hessian, change[:m], working[:m], jacobian, violation, after, beyond, active)

    def _working_set(self, lower: np.ndarray, upper: np.ndarray) -> np.ndarray:
        """Rows that this step may bring to a bound, estimated from the last step; most are far from their bounds."""
        slack = np.minimum(-lower, upper)
        if self.last_change is None:
            return slack < INITIAL_SLACK
        return self.last_active | (slack < MARGIN + MARGIN_OF_CHANGE * self.last_change)

    def _predicted_reduction(self, step: _Step) -> float:
        d = step.direction
        reduction = -self.at.gradient @ d - 0.5 * d @ step.hessian @ d
        return float(reduction + self.penalty * (step.violation - step.linear_violation))

    def _line_search(self, step: _Step, predicted: float) -> float:
        """Backtracking with second-order corrections; accepts the first sufficient point; returns the step length."""
        length = 1.0
        while True:
            trial, actual = self._corrected_trial(step, length, length * predicted)
            if actual >= ARMIJO * length * predicted:
                self._accept(trial)
                break
            length *= 0.5
            if length < MIN_STEP_LENGTH:
                break
        self.damping.update(actual, predicted, length)
        return length

    def _corrected_trial(self, step: _Step, length: float, predicted: float) -> tuple[Evaluation, float]:
        """The best of a trial point and its second-order corrections, and its actual reduction."""
        merit = self.merit(self.at)
        target = np.clip(self.at.rows + length * step.Ad, self.bounds.lower, self.bounds.upper)
        rows, correction, d = step.active, None, length * step.direction
        trial = self._trial(d)
        actual = self._actual_reduction(merit, trial)
        best = trial, actual
        for _ in range(self.settings.corrections):
            if actual > SUFFICIENT * predicted or actual == -np.inf:
                break
            violated = self.bounds.violation(trial.rows) > VIOLATED
            if not np.any(rows | violated):
                break
            if correction is None or np.any(violated & ~rows):
                rows = rows | violated
                known = not np.any(rows & ~step.working)
                jacobian = step.jacobian.chosen(rows[step.working]) if known else self.at.jacobian_of(rows)
                correction = _SecondOrderCorrection(step.hessian, jacobian)
            d = d - correction.step((trial.rows - target)[rows])
            trial, before = self._trial(d), actual
            actual = self._actual_reduction(merit, trial)
            if actual > best[1]:
                best = trial, actual
            if actual < before + 0.1 * predicted:
                break
        return best

    def _trial(self, d: np.ndarray) -> Evaluation:
        return Evaluation(self.problem, np.clip(self.at.x + d, *self.variable_bounds))

    def _actual_reduction(self, merit: float, trial: Evaluation) -> float:
        """Reduction of the merit; minus infinity where the motion is undefined, such as with knots out of order."""
        try:
            reduction = merit - self.merit(trial)
        except OptimisationError:
            return -np.inf
        return reduction if np.isfinite(reduction) else -np.inf

    def _accept(self, trial: Evaluation) -> None:
        at, lam = self.at, self.multipliers
        bfgs = self.settings.hessian == "bfgs"
        if bfgs or self.acceptable:
            y = trial.lagrangian_gradient(lam) - at.lagrangian_gradient(lam)
            if bfgs:
                self.B = damped_bfgs(self.B, trial.x - at.x, y)
            else:
                self.curvatures = [*self.curvatures, (trial.x - at.x, y)][-LAST_STEPS:]
        if not self.acceptable:
            self.curvatures = []
        self.at = trial


class _SecondOrderCorrection:
    """Steps p that minimise p'B p + weight * |A p - change|^2: the smallest that change the rows by given amounts."""

    def __init__(self, hessian: np.ndarray, A: SparseRows) -> None:
        squares = sum(float(np.sum(values**2)) for _, _, values in A.blocks)
        self.A, self.weight = A, 1e5 * np.trace(hessian) / max(squares, 1e-12)
        system = np.array(hessian, order="F")
        A.add_gram(self.weight, system)
        self.factor = cho_factor(system, lower=True, overwrite_a=True)

    def step(self, change: np.ndarray) -> np.ndarray:
        """(n,) p for changes (m,)."""
        return cho_solve(self.factor, self.weight * self.A.transposed_times(change))
