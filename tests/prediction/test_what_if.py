"""What-if cases: changes by hand, physics of springs, slopes and limits, sides that differ, and walks that answer."""

from __future__ import annotations

import re
from dataclasses import dataclass, fields, replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import compare
from pipeline.config import PassiveSpring, Prediction, Range, WhatIf
from pipeline.conventions import SIDES
from pipeline.optimisation import Evaluation, SolverResult
from pipeline.prediction import (
    Body,
    GaitProblem,
    GaitTask,
    PredictionError,
    Spring,
    changed_walker,
    check_names,
    find_preset,
    predict_what_if,
    predicted_walk,
)
from pipeline.prediction.gait import predict
from pipeline.prediction.gait.active_limits import active_limits
from pipeline.prediction.gait.human_terms import strengths
from pipeline.prediction.gait.least_cost import least_cost_walk, net_metabolic_rate
from pipeline.prediction.gait.problem import motion_of
from pipeline.prediction.gait.sidedness import differences
from pipeline.prediction.gait.start import start_from
from pipeline.prediction.gait.what_if_report import what_if_report
from pipeline.provenance import Provenance
from pipeline.reporting import ReportRun, write_prediction_report
from pipeline.results import read_stage, write_stage
from pipeline.skeleton import Skeleton, load_skeleton, point_motion
from pipeline.trial import PredictedWalk
from tests.benchmarks import what_if
from tests.docs.snippets import blocks

ROOT = Path(__file__).resolve().parents[2]
COARSE = replace(find_preset("human"), n_nodes=20, n_intervals=6)
STRIDE = GaitTask(1.2, 0.65, form="stride")


def test_sides_may_differ_in_the_task_alone(skeleton, monkeypatch) -> None:
    """Such as a heel that leaves the ground early on one side; the walk without changes is then a stride too, and
    starts from a step in which both sides are alike."""
    task = GaitTask(1.2, 0.65, form="stride", left_heel_off=0.5)
    problem = GaitProblem.make(skeleton, task, COARSE)
    monkeypatch.setattr(predict, "predict_gait", lambda _, own, *__, **___: own)
    asked = predict._step_of(problem, None, None)
    assert (asked.form, asked.left_heel_off, asked.right_heel_off) == ("step", 0.7, 0.7)
    assert not differences(problem.walker, asked)

    def refuse(_skeleton: Skeleton, own: GaitTask, *_: object, **__: object) -> None:
        raise PredictionError(own.form, where="form")

    monkeypatch.setattr("pipeline.prediction.gait.what_if.predict_gait", refuse)
    for own, form in ((task, "stride"), (replace(task, left_heel_off=None), "step")):
        with pytest.raises(PredictionError, match=f"form: {form}"):
            predict_what_if(skeleton, own, WhatIf(slope=1.0), COARSE)


def random_walk(problem: GaitProblem, seed: int) -> np.ndarray:
    start = problem.neutral_guess()
    return start + 0.1 * np.random.default_rng(seed).normal(size=len(start))


def test_a_load_has_no_muscles(skeleton) -> None:
    """With a load, weight is larger, but strength, passive moments and the energy of given torques are not."""
    case = WhatIf(added_mass={"trunk": 30.0})
    changed = changed_walker(case, skeleton, STRIDE)
    own, loaded = (
        GaitProblem.make(body, task, "human") for body, task in ((skeleton, STRIDE), (changed.skeleton, changed.task))
    )
    assert loaded.walker.mass == pytest.approx(own.walker.mass + 30.0)
    x = random_walk(own, seed=4)
    plain, heavy = (motion_of(one.problem, x) for one in (own, loaded))
    np.testing.assert_allclose(heavy.passive_tau.value, plain.passive_tau.value, rtol=1e-12)
    of_each = [strengths(SimpleNamespace(walker=one.walker), one.walker.actuated) for one in (own, loaded)]
    np.testing.assert_allclose(of_each[1], of_each[0], rtol=1e-12)
    with pytest.raises(PredictionError, match="added mass, 100 kg, is all of the body's"):
        GaitProblem.make(skeleton, replace(STRIDE, added_mass=100.0), "human")


def test_a_case_changes_what_it_names_and_nothing_else(skeleton) -> None:
    case = WhatIf(
        strength={"both_ankle_flexion": 0.5},
        range={"left_knee_flexion": Range(upper=20.0), "right_hip_flexion": Range(lower=-10.0)},
        springs={"right_ankle_flexion": PassiveSpring(stiffness=3.0, rest=5.0)},
        added_mass={"trunk": 20.0, "left_foot": 1.5},
        slope=5.0,
        max_vertical_force={"left": 0.9},
    )
    found = changed_walker(case, skeleton, STRIDE)
    changed = {name: found.skeleton.index(name) for name in ("left_ankle_flexion", "right_ankle_flexion")}
    for j, name in enumerate(skeleton.joint_names):
        factor = 0.5 if name in changed else 1.0
        assert found.skeleton.tau_limit[j] == factor * skeleton.tau_limit[j]
        upper = np.radians(20.0) if name == "left_knee_flexion" else skeleton.q_upper[j]
        assert found.skeleton.q_upper[j] == upper
        lower = np.radians(-10.0) if name == "right_hip_flexion" else skeleton.q_lower[j]
        assert found.skeleton.q_lower[j] == lower
    assert found.skeleton.mass.sum() == pytest.approx(skeleton.mass.sum() + 21.5)
    foot = skeleton.segment("left_foot").joint
    assert found.skeleton.mass[foot] == pytest.approx(skeleton.mass[foot] + 1.5)
    # 3 Nm/deg are 171.887 Nm/rad by hand.
    assert found.springs == (Spring("right_ankle_flexion", pytest.approx(171.887, abs=1e-3), np.radians(5.0)),)
    added = found.task.added_mass
    assert added == pytest.approx(21.5)
    assert found.task == replace(STRIDE, slope=np.radians(5.0), left_force_limit=0.9, added_mass=added)
    assert changed_walker(WhatIf(), skeleton, replace(STRIDE, slope=0.1)).task.slope == 0.1
    assert "left knee flexion: at most 20 degrees" in found.changes
    assert "slope of 5 degrees uphill" in found.changes
    assert "left foot: vertical force at most 0.9 body weights with the added mass" in found.changes


@pytest.mark.parametrize(
    ("case", "message"),
    [
        (WhatIf(strength={"left_ancle_flexion": 0.5}), "did you mean 'left_ankle_flexion'"),
        (WhatIf(added_mass={"left_fot": 1.0}), "did you mean 'left_foot'"),
        (WhatIf(added_mass={"left_foot": -5.0}), "leave it without mass"),
        (WhatIf(range={"left_knee_flexion": Range(upper=-20.0)}), "is empty"),
    ],
)
def test_cases_that_fit_no_skeleton_are_refused_with_a_remedy(skeleton, case, message) -> None:
    with pytest.raises(PredictionError, match=message):
        changed_walker(case, skeleton, STRIDE)


@pytest.mark.parametrize(
    ("case", "named"),
    [
        (WhatIf(strength={"left_ankle_flexion": 0.5}), "left ankle flexion"),
        (WhatIf(range={"left_knee_flexion": Range(upper=20.0)}), "left knee flexion"),
        (WhatIf(added_mass={"right_foot": 2.0}), "ankle inversion"),  # the joint that the foot's link follows
        (WhatIf(springs={"left_ankle_flexion": PassiveSpring(stiffness=3.0)}), "left ankle flexion"),
        (WhatIf(max_vertical_force={"left": 0.9}), "vertical force limit"),
    ],
)
def test_sides_that_differ_are_refused_in_the_form_step(skeleton, case, named) -> None:
    changed = changed_walker(case, skeleton, STRIDE)
    with pytest.raises(PredictionError, match=rf"{named}.*'step' would mirror"):
        GaitProblem.make(changed.skeleton, replace(changed.task, form="step"), "human", changed.springs)
    GaitProblem.make(changed.skeleton, changed.task, "human", changed.springs)


@pytest.mark.parametrize(
    "case",
    [
        WhatIf(strength={"spine3_flexion": 0.1}),
        WhatIf(range={"lower_neck_flexion": Range(lower=10.0, upper=10.0)}),
        WhatIf(springs={"both_wrist_flexion": PassiveSpring(stiffness=1.0)}),
    ],
)
def test_a_change_of_a_frozen_joint_is_refused_since_it_would_have_no_effect(skeleton, case) -> None:
    with pytest.raises(PredictionError, match=r"joint '\w+' is held at zero.*frozen"):
        check_names(case, skeleton)
    thawed = replace(skeleton, frozen=np.zeros(len(skeleton), dtype=bool))
    check_names(case, thawed)


def test_freezing_one_side_locks_it_at_zero_and_keeps_the_sign_of_flexion(skeleton) -> None:
    knee = skeleton.index("left_knee_flexion")
    frozen = replace(skeleton, frozen=skeleton.frozen | (np.arange(len(skeleton)) == knee))
    problem = GaitProblem.make(frozen, STRIDE, COARSE)
    assert problem.walker.flexion == 1.0
    states = problem.problem.transcription.states(random_walk(problem, 1))
    own = problem.walker.skeleton.index("left_knee_flexion")
    assert np.all(states.q[:, own] == 0.0)
    assert np.ptp(states.q[:, own + 1]) > 0.0
    assert own not in problem.walker.actuated, "a brace carries its torque"
    with pytest.raises(PredictionError, match="left knee flexion"):
        GaitProblem.make(frozen, replace(STRIDE, form="step"), COARSE)


def test_muscles_carry_what_a_spring_does_not(skeleton) -> None:
    spring = Spring("left_ankle_flexion", 150.0, 0.1)
    problem = GaitProblem.make(skeleton, STRIDE, COARSE, [spring])
    x = random_walk(problem, 2)
    motion = motion_of(problem.problem, x)
    ankle = problem.walker.skeleton.index(spring.joint)
    passive = motion.tau.value - motion.muscle_tau.value
    np.testing.assert_allclose(passive[:, ankle], -150.0 * (motion.states.q[:, ankle] - 0.1), atol=1e-9)
    assert np.abs(np.delete(passive, ankle, axis=1)).max() == 0.0
    # Central differences with a step of 1e-6: rounding 1e-16 of some 1e2 over it, relative 1e-6.
    direction = np.random.default_rng(3).normal(size=len(x))
    up, down = (Evaluation(problem.problem, x + h * direction).objective for h in (1e-6, -1e-6))
    slope = Evaluation(problem.problem, x).gradient @ direction
    assert (up - down) / 2e-6 == pytest.approx(slope, rel=1e-6)


def test_on_a_slope_the_ground_bears_the_weight_along_the_plumb_line(skeleton) -> None:
    """Mass times acceleration less gravity of every link, in the axes of a ground that rises by 10 degrees."""
    problem = GaitProblem.make(skeleton, replace(STRIDE, slope=np.radians(10.0)), COARSE)
    motion, active = motion_of(problem.problem, random_walk(problem, 4)), problem.walker.skeleton
    s, expected = motion.states, 0.0
    gravity = 9.81 * np.array([-np.sin(np.radians(10.0)), -np.cos(np.radians(10.0)), 0.0])
    for joint, mass in enumerate(active.mass):
        if mass > 0.0:
            at = point_motion(active, active.joint_names[joint], active.com[joint], s.q, s.qd, s.qdd)
            expected = expected + mass * (at.acceleration_G - gravity)
    np.testing.assert_allclose(motion.ground_reaction.value[:, 3:], expected, rtol=1e-9)


def test_a_limit_on_a_foot_s_vertical_force_is_a_row_in_body_weights(skeleton) -> None:
    problem = GaitProblem.make(skeleton, replace(STRIDE, left_force_limit=0.9), COARSE)
    (part,) = [part for part in problem.problem.constraints if part.name.endswith("vertical force limit")]
    motion = motion_of(problem.problem, problem.neutral_guess())
    by_hand = motion.foot_wrenches["left"].value[:, 4] / (skeleton.mass.sum() * 9.81)
    np.testing.assert_allclose(part.quantity(motion).value[:, 0], by_hand, rtol=1e-12)
    assert part.upper == 0.9
    alone = motion.schedule.share["left"] == 1.0
    assert by_hand[alone] == pytest.approx(1.0), "one foot bears a body that does not accelerate"


def test_a_step_continued_by_its_mirror_image_starts_a_stride(skeleton) -> None:
    step = GaitProblem.make(skeleton, replace(STRIDE, form="step"), COARSE)
    stride = GaitProblem.make(skeleton, STRIDE, COARSE)
    x = random_walk(step, 5)
    start = start_from(stride, step, x)
    first = step.problem.transcription.states(x)
    both = stride.problem.transcription.with_nodes(np.concatenate([first.s / 2.0, 0.5 + first.s / 2.0])).states(start)
    w, n = step.walker, len(first.s)
    np.testing.assert_allclose(both.q[:n], first.q, atol=1e-12)
    shift = np.eye(len(w.skeleton))[w.progression] * STRIDE.step_length
    np.testing.assert_allclose(both.q[n:], w.sign * first.q[:, w.partner] + shift, atol=1e-12)
    np.testing.assert_allclose(both.qdd[n:], w.sign * first.qdd[:, w.partner], atol=1e-9)


def test_step_times_move_the_change_of_feet_and_nothing_else(skeleton) -> None:
    task = replace(STRIDE, step_time_share=0.45)
    problem = GaitProblem.make(skeleton, task, COARSE)
    nodes = problem.problem.transcription.nodes
    np.testing.assert_allclose(task.node_of(task.step_of(nodes)), nodes, atol=1e-15)
    contact = motion_of(problem.problem, problem.neutral_guess()).schedule.in_contact["left", "heel"]
    assert nodes[contact][0] == pytest.approx(0.45), "the left foot meets the ground at the end of the first step"
    with pytest.raises(PredictionError, match="step times"):
        GaitProblem.make(skeleton, replace(task, form="step"), COARSE)


def test_people_use_what_ralston_measured_beyond_standing() -> None:
    """29 + 0.0053 v^2 cal/kg/min at v m/min less 23.5 in standing, on legs of 0.9 m; others by Froude number."""
    assert net_metabolic_rate(80.0 / 60.0, 0.9) == pytest.approx(29.0 + 33.92 - 23.5)
    assert net_metabolic_rate(0.5 * 80.0 / 60.0, 0.25 * 0.9) == pytest.approx(29.0 + 33.92 - 23.5)


def test_a_second_attempt_has_the_cost_of_both() -> None:
    empty = SolverResult(**dict.fromkeys(field.name for field in fields(SolverResult)))
    failed, second = replace(empty, cpu_seconds=3.0, iterations=40), replace(empty, cpu_seconds=2.0, iterations=9)
    both = replace(second, status="converged").after(failed)
    assert (both.status, both.cpu_seconds, both.iterations) == ("converged", 5.0, 49)


@dataclass(frozen=True)
class Known:
    """A walk whose cost is known, with the parts of a predicted walk that the search reads."""

    task: GaitTask

    @property
    def objective(self) -> float:
        v, length = self.task.speed, self.task.step_length
        return length * (1.44 / v + v + 5.0 * (length - 0.7) ** 2)


def test_free_speed_and_step_length_are_those_of_least_cost_per_metre() -> None:
    """The cost per metre, 1.44 / v + v + 5 (L - 0.7)^2, is least at 1.2 m/s and 0.7 m by hand."""
    asked = GaitTask(1.5, 0.6)
    found = least_cost_walk(lambda task, start: Known(task), asked, Known(asked), ("speed", "step_length"), 0.0)
    # The search ends within 2 % of each value.
    assert found.task.speed == pytest.approx(1.2, rel=0.03)
    assert found.task.step_length == pytest.approx(0.7, rel=0.03)
    alone = least_cost_walk(lambda task, start: Known(task), asked, Known(asked), ("speed",), 0.0)
    assert alone.task.speed == pytest.approx(1.2, rel=0.03)
    assert alone.task.step_length == 0.6
    # Standing is worth 0.25 a second: (1.44 + 0.25) / v + v is least at 1.3 m/s.
    standing = least_cost_walk(lambda task, start: Known(task), asked, Known(asked), ("speed",), 0.25)
    assert standing.task.speed == pytest.approx(1.3, rel=0.03)
    with pytest.raises(PredictionError, match="'stride'"):
        least_cost_walk(lambda task, start: Known(task), asked, Known(asked), ("step_times",), 0.0)


def test_a_free_speed_of_a_run_is_refused_at_once(skeleton) -> None:
    with pytest.raises(PredictionError, match="the speed of a run cannot be free"):
        predict_what_if(skeleton, GaitTask(3.0, 1.05), WhatIf(free=("speed",)), "running")


@pytest.mark.long
def test_a_stiff_knee_bends_no_further_and_its_limit_is_named(skeleton, tmp_path) -> None:
    coarse = replace(COARSE, n_nodes=15, n_intervals=6)
    answer = predict_what_if(skeleton, STRIDE, WhatIf(range={"left_knee_flexion": Range(upper=20.0)}), coarse)
    walk = answer.changed
    flexion = {side: walk.q[:, skeleton.index(f"{side}_knee_flexion")] for side in SIDES}
    assert flexion["left"].max() <= np.radians(20.0) + 1e-4
    assert flexion["right"].max() > np.radians(50.0), "the other knee is free"
    limits = active_limits(walk.problem.problem, walk.result.x)
    (own,) = [limit for limit in limits if limit.component == "left_knee_flexion" and limit.bound == "upper"]
    assert own.constraint == "joint limits"
    assert own.value == pytest.approx(np.radians(20.0))
    assert walk.balance < 1e-8
    row = Prediction(prediction="p", subject="Ann", speed_m_s=1.2, step_length_m=0.65, form="stride", what_if="stiff")
    body = Body(73.0, 1.741, "m", skeleton)
    stored = predicted_walk(row, body, "", walk, what_if=what_if_report(row, body, "Stiff <knee>.", answer))
    write_stage(tmp_path / "p.h5", stored, Provenance("predict"))
    again = read_stage(tmp_path / "p.h5", PredictedWalk)
    assert again.what_if.changes == ("left knee flexion: at most 20 degrees",)
    write_prediction_report(tmp_path / "p.html", again, compare(again, None), ReportRun("Study"))
    page = (tmp_path / "p.html").read_text()
    assert "Stiff &lt;knee&gt;." in page
    assert "Changed: left knee flexion: at most 20 degrees." in page
    assert re.search(r"Limits reached: [^<]*left knee flexion 20°", page)
    curve = again.what_if.changed[SIDES.index("left"), again.what_if.variable_names.index("knee_flexion")]
    # The grid of the gait cycle misses the node at which flexion is largest by a degree at most.
    assert curve.max() == pytest.approx(np.degrees(flexion["left"].max()), abs=1.0)


@pytest.mark.long
@pytest.mark.parametrize("case", ["weak_calves", "downhill_6_degrees"])
def test_cases_change_the_walk_as_the_literature_reports(case: str) -> None:
    """Lewis and Ferris (2008) of weak calves; Margaria (1968), Lay (2006) and McIntosh (2006) of walking downhill."""
    found = what_if.rows(case, load_skeleton(what_if.SKELETON, **what_if.BODIES["man"]))
    assert {expected.title: outcome for expected, _, _, outcome in found} == dict.fromkeys(
        (expected.title for expected, *_ in found), "as reported"
    )


@pytest.mark.long
def test_the_python_of_the_how_to_runs_as_it_is_written(monkeypatch) -> None:
    """In the repository's folder, which has a configuration as a study's has."""
    monkeypatch.chdir(ROOT)
    (script,) = blocks("docs/howto/what_if.md", "python")
    values: dict[str, object] = {}
    exec(compile(script, "what_if.md", "exec"), values)
    assert values["answer"].changed.success
