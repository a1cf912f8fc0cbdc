"""Net forces of joints in a predicted walk: their value, their derivatives, and bounds and penalties on them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.config import WhatIf
from pipeline.conventions import SIDES
from pipeline.dynamics import Wrench, rnea
from pipeline.optimisation import Evaluation
from pipeline.prediction import (
    GaitPrediction,
    GaitProblem,
    GaitTask,
    JointForce,
    PredictionError,
    changed_walker,
    find_preset,
    predict_what_if,
)
from pipeline.prediction.gait.problem import motion_of
from pipeline.skeleton import Skeleton

LINKS = {"hip": "thigh", "knee": "shank", "ankle": "foot"}
STEP = 1e-6


def bounded(skeleton: Skeleton, form: str = "step", slope: float = 0.0) -> GaitProblem:
    forces = [JointForce(f"{side}_{joint}", limit=1.1, weight=0.3) for side in SIDES for joint in LINKS]
    task = GaitTask(form=form, slope=slope)  # type: ignore[arg-type]
    return GaitProblem.make(skeleton, task, replace(find_preset("human"), n_nodes=12), joint_forces=forces)


def random_start(problem: GaitProblem, seed: int) -> np.ndarray:
    start = problem.neutral_guess()
    return start + 0.1 * np.random.default_rng(seed).normal(size=len(start))


@pytest.mark.parametrize("form", ["step", "stride"])
def test_the_force_is_that_of_inverse_dynamics_with_the_ground_on_both_feet(skeleton, form) -> None:
    problem = bounded(skeleton, form, slope=0.1)
    motion = motion_of(problem.problem, random_start(problem, 1))
    s, walker = motion.states, problem.walker
    wrenches = {
        f"{side}_{link}": Wrench(w[:, 3:], w[:, :3], np.zeros(3))
        for side in SIDES
        for link, w in motion.link_wrenches(side).items()
    }
    loads = rnea(walker.skeleton, s.q, s.qd, s.qdd, gravity=walker.gravity_G, wrenches=wrenches)
    for side in SIDES:
        for joint, link in LINKS.items():
            expected = loads.force_G[:, walker.skeleton.segment(f"{side}_{link}").joint]
            assert np.abs(expected).max() > 100.0
            # Rounding of some 1e4 N.
            np.testing.assert_allclose(motion.joint_force(f"{side}_{joint}").value, expected, atol=1e-8)


def test_bounds_and_penalties_have_right_derivatives(skeleton) -> None:
    problem = bounded(skeleton)
    x = random_start(problem, 2)
    direction = np.random.default_rng(3).normal(size=len(x))
    at, up, down = (Evaluation(problem.problem, x + step * direction) for step in (0.0, STEP, -STEP))
    bounds = problem.problem.bounds
    rows = np.array([bounds.names[i].startswith("net force") for i in bounds.constraint])
    assert rows.sum() == 6 * (len(problem.problem.transcription.nodes) - 1)
    found, expected = (at.jacobian @ direction)[rows], ((up.rows - down.rows) / (2 * STEP))[rows]
    # h^2 of the third derivative and rounding over h: 1e-7 of the largest.
    np.testing.assert_allclose(found, expected, atol=1e-6 * np.abs(expected).max())
    assert (up.objective - down.objective) / (2 * STEP) == pytest.approx(at.gradient @ direction, rel=1e-6)
    terms = at.objective_terms()
    assert sum(name.startswith("net force") for name in terms) == 6


def knee_peak(walk: GaitPrediction, skeleton: Skeleton) -> float:
    """Largest net force of a knee, body weights."""
    forces = [walk.force_G[:, skeleton.segment(f"{side}_shank").joint] for side in SIDES]
    return float(np.max(np.linalg.norm(forces, axis=2))) / (9.81 * skeleton.mass.sum())


def test_a_bounded_force_stays_within_its_bound(skeleton) -> None:
    coarse = replace(find_preset("human"), n_nodes=13, n_intervals=5)
    bound = predict_what_if(skeleton, GaitTask(1.3, 0.68), WhatIf(max_joint_force={"both_knee": 1.0}), coarse)
    assert knee_peak(bound.unchanged, skeleton) > 1.03
    assert bound.changed.status == "converged"
    assert knee_peak(bound.changed, skeleton) <= 1.0 + 1e-3
    assert any("net force" in one for one in bound.changes)


def test_a_penalty_of_a_case_is_on_the_joints_that_it_names(skeleton) -> None:
    case = WhatIf(joint_force_weight={"both_knee": 20.0})
    forces = changed_walker(case, skeleton, GaitTask(1.3, 0.68)).joint_forces
    assert {(force.joint, force.limit, force.weight) for force in forces} == {
        (f"{side}_knee", np.inf, 20.0) for side in SIDES
    }


@pytest.mark.long
def test_a_penalised_force_falls(skeleton) -> None:
    coarse = replace(find_preset("human"), n_nodes=20, n_intervals=6)
    answer = predict_what_if(skeleton, GaitTask(1.3, 0.68), WhatIf(joint_force_weight={"both_knee": 20.0}), coarse)
    before = knee_peak(answer.unchanged, skeleton)
    assert before > 1.03
    assert knee_peak(answer.changed, skeleton) < before - 0.01


def test_one_side_s_bound_needs_a_stride_and_a_known_joint(skeleton) -> None:
    one = [JointForce("left_knee", limit=1.0)]
    with pytest.raises(PredictionError, match="left knee"):
        GaitProblem.make(skeleton, GaitTask(), "human", joint_forces=one)
    assert GaitProblem.make(skeleton, GaitTask(form="stride"), "human", joint_forces=one).walker.differences
    with pytest.raises(PredictionError, match="left_elbow"):
        GaitProblem.make(skeleton, GaitTask(form="stride"), "human", joint_forces=[JointForce("left_elbow", 1.0)])
