"""Terms of the ablation table: their derivatives, and the passive moments as generalised forces of the skeleton."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.optimisation import Evaluation
from pipeline.prediction.gait.problem import GaitProblem, motion_of
from pipeline.skeleton.passive_moments import passive_moments
from tests.benchmarks import prediction_terms
from tests.benchmarks.prediction_agreement import norm_request


def problem_of(row: str) -> tuple[GaitProblem, np.ndarray]:
    """A row's problem at free speed, and a motion with bent knees and ankles at which no term is at rest."""
    _, body, task, _ = norm_request("free")
    problem = GaitProblem.make(body.skeleton, task, prediction_terms.ROWS[row])
    return problem, problem.neutral_guess() + 0.1 * np.random.default_rng(1).normal(size=problem.problem.n_variables)


@pytest.mark.parametrize(
    "row",
    [
        "passive moments, hip rotation 0.1, work 0.01, thorax upright 0.5",
        "positive powers too",
        "hip rotation 0.1, toes 0.03, mean of the shoulders 1 about -8 degrees",
    ],
)
def test_gradient_is_that_of_finite_differences(row) -> None:
    problem, x = problem_of(row)
    gradient, rng = Evaluation(problem.problem, x).gradient, np.random.default_rng(0)
    for _ in range(2):
        along, step = rng.normal(size=len(x)), 1e-6
        ends = [Evaluation(problem.problem, x + sign * step * along).objective for sign in (1.0, -1.0)]
        # Central differences: rounding of the objective over the step, with a margin.
        assert (ends[0] - ends[1]) / (2.0 * step) == pytest.approx(gradient @ along, rel=1e-5)


def test_passive_moments_act_on_the_leg_s_joints_alone() -> None:
    problem, x = problem_of("passive moments")
    motion = motion_of(problem.problem, x)
    value, names = prediction_terms.passive(motion).value, problem.walker.skeleton.joint_names
    own = [names.index(f"right_{name}_flexion") for name in ("hip", "knee", "ankle")]
    np.testing.assert_allclose(value[:, own], passive_moments(motion.states.q[:, own])[0])
    legs = [j for j, name in enumerate(names) if name.endswith(("hip_flexion", "knee_flexion", "ankle_flexion"))]
    assert np.all(np.delete(value, legs, axis=1) == 0.0)
    taken = motion.muscle_tau.value - value
    joints = np.array(own)
    active = prediction_terms.active_torques(joints, np.ones(3))(motion).value
    np.testing.assert_allclose(active, taken[:, joints])
