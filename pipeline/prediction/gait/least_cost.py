"""Speed, step length and step times of minimum cost per metre, by a search over predicted walks.

The walk at given values is a smooth nonlinear program. Each free value is found by bounded parabolic search (Brent
1973); several free values are searched in turn. Each walk is started from the last one.

The objective is effort beyond standing, and its rate is compared with people's net metabolic rate. Walking costs them
29 + 0.0053 v^2 cal/kg/min at v m/min (Ralston 1958, Int Z angew Physiol 17:273-288), standing 4.8 ml of oxygen (Abe et
al. 2015, PLoS ONE 10:e0138154), that is 23.5 cal: 40 % of the total at 75 m/min. The cost of standing is added for the
time of the walk, since people spend it too to get somewhere; without it the minimum is at a slower speed, in people by
a fifth (Abe et al. 2015). At a given speed it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from scipy.optimize import minimize_scalar

from pipeline.optimisation import SolverError
from pipeline.prediction.errors import PredictionError
from pipeline.prediction.gait.predict import GaitPrediction
from pipeline.prediction.gait.task import GaitTask

SEARCHED = {"speed": (0.6, 1.4), "step_length": (0.7, 1.3), "step_times": (0.43, 0.57)}
"""Range of each value: a factor of the task's own, and for step times the first step's share of the stride time."""

WALKS, ROUNDS = 8, 2
"""Walks per search of one value, and number of searches of each if several are free."""

ACCURACY = 0.02
"""Accuracy of a value, as a factor or share, at which its search ends."""

STANDING, WALKING, WALKING_BY_SPEED = 23.5, 29.0, 0.0053
"""cal/kg/min of people who stand, and the two coefficients for people who walk."""

RALSTON_LEG = 0.9
"""m, leg length of these people; speeds of others scale with its square root (Weyand et al. 2010, J Exp Biol
213:3972)."""

Walk = Callable[[GaitTask, GaitPrediction], GaitPrediction]


def least_cost_walk(
    walk: Walk, task: GaitTask, start: GaitPrediction, free: Sequence[str], standing: float
) -> GaitPrediction:
    """The walk of minimum cost per metre.

    Args:
        walk: predicts a task, started from another walk.
        task: its values of free quantities are where the search begins.
        start: walk from which the first one is started.
        free: names among `SEARCHED`.
        standing: objective per second that is added for standing, 1/s (`standing_cost`).

    Raises:
        PredictionError: step times are free although the form is ``step``.
        SolverError: the task itself has no walk.
    """
    if "step_times" in free and task.form == "step":
        raise PredictionError("free step times need the form 'stride'", where="gait", remedy="Set form to stride")
    best = task, walk(task, start)
    for _ in range(ROUNDS if len(free) > 1 else 1):
        for name in free:
            best = _search(walk, *best, name, standing)
    return best[1]


def _search(
    walk: Walk, task: GaitTask, start: GaitPrediction, name: str, standing: float
) -> tuple[GaitTask, GaitPrediction]:
    """The best walk with one value changed, and its task, in which defaults are not filled in."""
    found = [(task, start)]

    def cost(value: float) -> float:
        other = _with(task, name, value)
        try:
            found.append((other, walk(other, found[-1][1])))
        except (SolverError, PredictionError):
            return 10.0 * cost_per_metre(start, standing)
        return cost_per_metre(found[-1][1], standing)

    minimize_scalar(cost, bounds=SEARCHED[name], method="bounded", options={"maxiter": WALKS, "xatol": ACCURACY})
    return min(found, key=lambda one: cost_per_metre(one[1], standing))


def _with(task: GaitTask, name: str, value: float) -> GaitTask:
    if name == "step_times":
        return replace(task, step_time_share=value)
    return replace(task, **{name: value * getattr(task, name)})


def cost_per_metre(walk: GaitPrediction, standing: float = 0.0) -> float:
    """Objective over the distance walked, 1/m; ``standing``, 1/s, is added for the time of the walk."""
    return walk.objective / (walk.task.n_steps * walk.task.step_length) + standing / walk.task.speed


def standing_cost(walk: GaitPrediction) -> float:
    """Objective per second of standing, 1/s: the walk's rate times people's standing over their net walking rate."""
    net = net_metabolic_rate(walk.task.speed, walk.problem.walker.leg_length)
    return STANDING / net * walk.task.speed * cost_per_metre(walk)


def net_metabolic_rate(speed: float, leg: float) -> float:
    """Net metabolic rate (total less standing), cal/kg/min, of people with legs of a length, m, at a speed, m/s."""
    per_minute = 60.0 * speed * (RALSTON_LEG / leg) ** 0.5
    return WALKING + WALKING_BY_SPEED * per_minute**2 - STANDING
