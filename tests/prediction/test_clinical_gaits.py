"""Walks of bodies whose joints do not allow heel-to-toe walking, and the refusal of those that cannot walk at all."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.config import PassiveSpring, Range, WhatIf
from pipeline.optimisation import SolverError
from pipeline.prediction import (
    GaitPrediction,
    GaitProblem,
    GaitTask,
    PredictionError,
    changed_walker,
    predict_gait,
    predict_what_if,
)
from pipeline.prediction.gait.nearest_case import nearest_case, scaled_case
from pipeline.prediction.gait.problem import motion_of
from pipeline.skeleton import Skeleton, point_motion

STEP, STRIDE = GaitTask(1.0, 0.5), GaitTask(1.0, 0.5, form="stride")

LEFT_EQUINUS = WhatIf(range={"left_ankle_flexion": Range(upper=-10.0)})


@pytest.fixture(scope="module")
def unchanged(skeleton) -> GaitPrediction:
    """The own walk of all cases of this task, a stride's too: a symmetric body's is its step and the mirror image."""
    return predict_gait(skeleton, STEP)


def made(case: WhatIf, skeleton: Skeleton, task: GaitTask) -> GaitProblem:
    changed = changed_walker(case, skeleton, task)
    return GaitProblem.make(changed.skeleton, changed.task, "human", changed.springs)


@pytest.mark.parametrize(
    ("dorsiflexion", "heel_off"),
    # The standing ankle passes 5 degrees at 20 % of the cycle (Schwartz et al. 2008), 0.4 steps; a heel that cannot
    # come down has no contact.
    [(30.0, 0.7), (10.0, 0.7), (5.0, 0.4), (-0.5, 0.0), (-20.0, 0.0)],
)
def test_a_heel_leaves_the_ground_when_its_ankle_goes_no_further(skeleton, dorsiflexion, heel_off) -> None:
    problem = made(WhatIf(range={"both_ankle_flexion": Range(upper=dorsiflexion)}), skeleton, STEP)
    assert problem.task.left_heel_off == problem.task.right_heel_off == pytest.approx(heel_off)
    assert any("heel leaves the ground early" in note for note in problem.notes) == (0.0 < heel_off < 0.7)
    assert any("forefoot bears the load" in note for note in problem.notes) == (heel_off == 0.0)


def test_contacts_of_one_foot_in_equinus_change_and_those_of_the_other_stay(skeleton) -> None:
    """Each foot in the step in which it stands: the left one in the second, a mirror image of the first."""
    own, usual = made(LEFT_EQUINUS, skeleton, STRIDE), made(WhatIf(), skeleton, STRIDE)
    schedule, before = (motion_of(one.problem, one.neutral_guess()).schedule for one in (own, usual))
    assert not schedule.in_contact["left", "heel"].any()
    assert schedule.toes_alone["left"].all() or np.all(schedule.toes_alone["left"] | (schedule.share["left"] == 0.0))
    ball = schedule.in_contact["left", "ball_medial"]
    assert ball.sum() > before.in_contact["left", "ball_medial"].sum() - 3
    nodes = own.task.step_of(own.problem.transcription.nodes)
    assert nodes[ball & (nodes > 0.5)].min() == pytest.approx(1.0), "on the ground from initial contact on"
    times = usual.task.step_of(usual.problem.transcription.nodes)
    right = schedule.in_contact["right", "heel"], before.in_contact["right", "heel"]
    assert nodes[right[0]].max() == pytest.approx(times[right[1]].max(), abs=1e-9) or right[1][-1]


def test_one_foot_in_equinus_is_refused_in_the_form_step(skeleton) -> None:
    with pytest.raises(PredictionError, match="'step' would mirror"):
        made(LEFT_EQUINUS, skeleton, STEP)
    with pytest.raises(PredictionError, match="heel off"):
        GaitProblem.make(skeleton, replace(STEP, left_heel_off=0.0), "human")


def test_heel_off_has_limits(skeleton) -> None:
    with pytest.raises(PredictionError, match=r"left_heel_off is 0.05, outside 0.1 to 0.95"):
        GaitProblem.make(skeleton, replace(STRIDE, left_heel_off=0.05), "human")


def test_a_case_is_scaled_from_the_body_s_own_values(skeleton) -> None:
    case = WhatIf(
        strength={"left_hip_flexion": 0.4},
        range={"both_knee_flexion": Range(lower=70.0), "left_ankle_flexion": Range(lower=0.0, upper=0.0)},
        springs={"left_ankle_flexion": PassiveSpring(stiffness=4.0, rest=5.0)},
        added_mass={"trunk": 20.0},
        slope=-10.0,
        max_vertical_force={"left": 0.9},
        joint_force_weight={"left_hip": 0.2},
        free=("speed",),
    )
    half = scaled_case(case, skeleton, 0.5)
    assert half.strength == {"left_hip_flexion": pytest.approx(0.7)}
    own = np.degrees(skeleton.q_lower[skeleton.index("left_knee_flexion")])
    assert half.range["left_knee_flexion"].lower == pytest.approx((own + 70.0) / 2.0)
    assert half.range["right_knee_flexion"].upper is None
    ankle = half.range["left_ankle_flexion"]
    assert ankle.lower < 0.0 < ankle.upper, "not locked before all of the change"
    assert half.springs["left_ankle_flexion"] == PassiveSpring(stiffness=2.0, rest=5.0)
    assert half.added_mass == {"trunk": 10.0}
    assert (half.slope, half.max_vertical_force, half.free) == (-5.0, {"left": 1.8}, ())
    assert scaled_case(case, skeleton, 1.0).strength == case.strength
    forces = WhatIf(max_vertical_force={"left": 0.9, "right": 1.6}, max_joint_force={"left_hip": 2.0, "left_knee": 6.0})
    half = scaled_case(forces, skeleton, 0.5)
    assert half.max_vertical_force == {"left": 1.8, "right": 3.0}, "3 body weights at most"
    assert half.max_joint_force == {"left_hip": 4.0, "left_knee": 10.0}, "10 body weights at most"


@pytest.mark.parametrize(("limit", "share"), [(90.0, 1.0), (60.0, 0.625), (50.0, 0.5), (40.0, 0.375), (10.0, None)])
def test_the_largest_share_with_a_walk_is_found(skeleton, limit, share) -> None:
    """Of knees of at least 90 degrees, where walks exist up to a known limit and the own one is taken as zero; each is
    sought from the last that was found."""
    knees = replace(skeleton, q_lower=np.zeros(len(skeleton)))
    case = WhatIf(range={"both_knee_flexion": Range(lower=90.0)})

    solved = [0.0]

    def walk_of(smaller: WhatIf, start: float) -> float:
        assert start == solved[-1]
        lower = smaller.range["left_knee_flexion"].lower
        if lower > limit:
            raise SolverError("none", best=None)
        solved.append(lower)
        return lower

    found = nearest_case(case, knees, 0.0, walk_of)
    assert (found.share if found else None) == share
    assert (found.walk if found else 0.0) == max(solved) == pytest.approx(90.0 * (share or 0.0))


@pytest.mark.long
def test_a_crouch_of_fifty_degrees_is_reached_in_parts(skeleton) -> None:
    """No direct solve finds it."""
    case = WhatIf(range={"both_knee_flexion": Range(lower=50.0)})
    answer = predict_what_if(skeleton, GaitTask(1.0, 0.5), case)
    assert answer.changed.success
    knees = np.degrees(answer.changed.q[:, [skeleton.index(f"{side}_knee_flexion") for side in ("left", "right")]])
    # The skeleton's knee is flexed at negative or positive angles as its sign says; joint limits hold within 1e-4 rad.
    assert np.abs(knees).min() > 50.0 - 0.01


@pytest.mark.long
def test_toe_walking_keeps_the_heels_up_and_balances(skeleton) -> None:
    case = WhatIf(range={"both_ankle_flexion": Range(upper=-10.0)})
    answer = predict_what_if(skeleton, STEP, case)
    walk = answer.changed
    assert walk.success
    ankles = np.degrees(walk.q[:, [skeleton.index(f"{side}_ankle_flexion") for side in ("left", "right")]])
    assert ankles.max() < -10.0 + 0.01  # joint limits hold within 1e-4 rad
    motion, active = motion_of(walk.problem.problem, walk.result.x), walk.problem.walker.skeleton
    assert motion.position("right_heel").value[:, 1].min() > 0.02
    assert answer.unchanged.task.right_heel_off == pytest.approx(0.7)
    # Newton's second law of the whole body, vertical, from the mass centres of the links.
    s, expected = motion.states, 0.0
    for joint, mass in enumerate(active.mass):
        if mass > 0.0:
            at = point_motion(active, active.joint_names[joint], active.com[joint], s.q, s.qd, s.qdd)
            expected = expected + mass * (at.acceleration_G[:, 1] + 9.81)
    both = sum(walk.ground_reaction[side].force_G[:, 1] for side in ("left", "right"))
    np.testing.assert_allclose(both, expected, rtol=1e-6, atol=0.1)
    # The load is ahead of the ankle from initial contact on, as the forefoot alone bears it.
    loaded = walk.ground_reaction["right"].force_G[:, 1] > 50.0
    ankle = motion.position("right_ankle").value[:, 0]
    assert np.all(walk.ground_reaction["right"].point_G[loaded, 0] > ankle[loaded] + 0.05)


@pytest.mark.long
@pytest.mark.parametrize(
    ("case", "form"),
    [
        pytest.param(WhatIf(range={"both_knee_flexion": Range(lower=40.0)}), "step", marks=pytest.mark.exhaustive),
        pytest.param(WhatIf(range={"both_ankle_flexion": Range(upper=-20.0)}), "step", marks=pytest.mark.exhaustive),
        pytest.param(
            WhatIf(range={"both_knee_flexion": Range(lower=25.0), "both_ankle_flexion": Range(upper=-10.0)}),
            "step",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(WhatIf(range={"both_hip_flexion": Range(lower=15.0)}), "step", marks=pytest.mark.exhaustive),
        (LEFT_EQUINUS, "stride"),
        pytest.param(
            WhatIf(strength={f"left_{joint}_flexion": 0.2 for joint in ("hip", "knee", "ankle")}),
            "stride",
            marks=pytest.mark.exhaustive,
        ),
        pytest.param(
            WhatIf(range={f"left_{joint}_flexion": Range(lower=0.0, upper=0.0) for joint in ("knee", "ankle")}),
            "stride",
            marks=pytest.mark.exhaustive,
        ),
        (WhatIf(slope=15.0), "step"),
        pytest.param(WhatIf(slope=-15.0), "step", marks=pytest.mark.exhaustive),
    ],
)
def test_clinical_cases_have_walks(skeleton, unchanged, case, form) -> None:
    """Feasible, stationary, and found in far fewer than the 300 iterations that are allowed (at most 150, of the
    leg of a fifth of its strength, from a motion found in parts)."""
    answer = predict_what_if(skeleton, replace(STEP, form=form), case, unchanged=unchanged)
    assert answer.changed.success
    assert answer.changed.result.max_relative_violation <= 1.0
    assert answer.changed.status == "converged"
    assert answer.changed.result.iterations < 200


@pytest.mark.long
@pytest.mark.parametrize(
    ("task", "joint", "given", "share"),
    [
        (GaitTask(1.3, 0.65), "both_hip_flexion", Range(lower=0.0, upper=0.0), 88),
        pytest.param(GaitTask(1.2, 0.6), "both_knee_flexion", Range(lower=70.0), 88, marks=pytest.mark.exhaustive),
    ],
)
def test_a_case_without_a_walk_is_refused_early_with_the_nearest_that_has_one(
    skeleton, task, joint, given, share
) -> None:
    """In some 43 and 59 iterations of some 0.14 s in all searches; 150 would take 20 s."""
    own, iterations = predict_gait(skeleton, task), []
    with pytest.raises(
        SolverError, match=rf"violations hardly decrease.*{share} % of the changes there is a walk \(left {joint[5:8]}"
    ):
        predict_what_if(skeleton, task, WhatIf(range={joint: given}), unchanged=own, progress=iterations.append)
    assert 0 < len(iterations) < 80
