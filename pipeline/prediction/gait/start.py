"""Initial guess from an earlier walk with another speed, step length, limits, loads or form."""

from __future__ import annotations

import numpy as np

from pipeline.prediction.gait.problem import GaitProblem


def start_from(problem: GaitProblem, earlier: GaitProblem, x: np.ndarray) -> np.ndarray | None:
    """Design variables (n_variables,) from an earlier solution; None if the splines are not compatible.

    Joints are matched by name, and the progression is scaled to the new step length. If a stride is requested and the
    earlier walk is one step, the step is continued by its mirror image.

    Args:
        problem: to be solved.
        earlier: problem solved before.
        x: its design variables.
    """
    form, other = problem.problem.transcription, earlier.problem.transcription
    points, _, spline = other.unpack(x)
    points = points.copy()
    points[:, earlier.walker.progression] *= problem.task.step_length / earlier.task.step_length
    if earlier.task.n_steps < problem.task.n_steps:
        if spline.ends != "wrapped":
            return None
        points = _continued(points[: spline.n_intervals], problem.task.step_length, earlier, form.spline.n_points)
    if len(points) != form.spline.n_points or spline.ends != form.spline.ends:
        return None
    known = {name: column for column, name in enumerate(earlier.walker.skeleton.joint_names)}
    own = np.zeros((len(points), len(problem.walker.skeleton)))
    for column, name in enumerate(problem.walker.skeleton.joint_names):
        if name in known:
            own[:, column] = points[:, known[name]]
    return form.pack(own)


def _continued(points: np.ndarray, step_length: float, earlier: GaitProblem, count: int) -> np.ndarray:
    """Control points (count, n) of steps that mirror one another, from the periodic control points of one step."""
    walker, out = earlier.walker, list(points)
    while len(out) < count:
        image = walker.sign * out[-len(points)][walker.partner]
        image[walker.progression] += step_length
        out.append(image)
    return np.array(out[:count])
