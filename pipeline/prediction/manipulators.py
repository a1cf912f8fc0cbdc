"""The two planar manipulators of the thesis' chapter 4: minimum time, and a trade-off of time and effort.

Their parameters are in the task files ``config/tasks/two_revolute.yaml`` and ``prismatic_revolute.yaml``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import numpy as np

from pipeline.optimisation import Solver
from pipeline.prediction.arms import ManipulatorMotion
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.tasks import shipped_arm
from pipeline.skeleton import Skeleton

Reading = Literal["posture", "offset"]
"""Meaning of pi/2 in table 4.3, link 2: the posture drawn (theta = q2), or an offset added to the coordinate."""


def two_revolute_skeleton() -> Skeleton:
    """The skeleton of tables 4.1 and 4.2."""
    return shipped_arm("two_revolute").skeleton


def prismatic_revolute_skeleton(reading: Reading = "posture") -> Skeleton:
    """The skeleton of tables 4.3 and 4.4, with the angle of link 2 read as the posture drawn or as an offset."""
    if reading not in ("posture", "offset"):
        raise PredictionError(f"reading is {reading!r}", where="table 4.3", remedy="Use 'posture' or 'offset'")
    drawn = shipped_arm("prismatic_revolute").skeleton
    return drawn if reading == "posture" else replace(drawn, theta=drawn.theta + np.array([0.0, np.pi / 2]))


def solve_two_revolute(
    n_intervals: int = 24, free_knots: bool = True, solver: Solver | None = None
) -> ManipulatorMotion:
    """Minimum-time motion of the arm with two revolute joints (thesis section 4.1).

    Args:
        n_intervals: intervals between knots of each spline.
        free_knots: whether the knots are design variables; the initial guess is then the solution with fixed knots.
        solver: the default SQP if none is given.

    Raises:
        SolverError: no solution was found.
    """
    return replace(shipped_arm("two_revolute"), n_intervals=n_intervals, free_knots=free_knots).solve(solver)


def solve_prismatic_revolute(
    u: float = 0.01, reading: Reading = "posture", n_intervals: int = 16, free_knots: bool = True
) -> ManipulatorMotion:
    """Trade-off of time and effort for the arm with one prismatic and one revolute joint (thesis section 4.2).

    Args:
        u: share of effort in the objective, 0 to below 1.
        reading: meaning of the angle in table 4.3.
        n_intervals, free_knots: as for `solve_two_revolute`.

    Raises:
        PredictionError: u is outside [0, 1).
        SolverError: no solution was found.
    """
    if not 0.0 <= u < 1.0:
        reason = "effort alone has no minimum: it keeps falling as the duration grows"
        raise PredictionError(
            f"u = {u:g}" + (f": {reason}" if u == 1.0 else " is not a share"),
            where="objective",
            remedy="Use 0 <= u < 1",
        )
    return replace(
        shipped_arm("prismatic_revolute"),
        skeleton=prismatic_revolute_skeleton(reading),
        time_weight=1.0 - u,
        effort_weight=u,
        n_intervals=n_intervals,
        free_knots=free_knots,
    ).solve()
