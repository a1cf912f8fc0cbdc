"""Every objective and constraint of walking: derivatives against differences, physics against independent dynamics."""

from dataclasses import replace
from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial import Delaunay

from pipeline.analysis import PERCENT
from pipeline.conventions import SIDES
from pipeline.dynamics import Wrench, rnea
from pipeline.optimisation import Evaluation, NodeValues, Problem, SquaredIntegral, coordinates, difference
from pipeline.prediction import PRESETS, GaitProblem, GaitTask, PredictionError, find_preset, make_walker
from pipeline.prediction.gait.constraints import arm_leg_coupling
from pipeline.prediction.gait.dense_checks import _ground_work
from pipeline.prediction.gait.motion import WalkingMotion
from pipeline.prediction.gait.problem import motion_of
from pipeline.prediction.gait.schedule import (
    AFTER_BALL_OFF,
    BALL_OFF,
    FOOT_FLAT,
    MIN_INTERVALS,
    NEAR,
    PAD_TIME,
    PIVOT_INCLINATION,
    _reference,
    make_schedule,
    phase_nodes,
)
from pipeline.prediction.gait.walker import CONTACT_POINTS, JointForce, Spring, Walker, _areas
from pipeline.results import load_norm
from pipeline.skeleton import joint_axes, load_skeleton, merge_frozen, segment_pose
from tests.benchmarks.prediction_agreement import ADULT_NORM, ADULTS, NORM, SPEEDS, adults_request, norm_request
from tests.walks import SKELETON

STEP = 1e-6


@pytest.fixture(scope="module")
def walker(skeleton) -> Walker:
    return make_walker(merge_frozen(skeleton))


@pytest.fixture(scope="module")
def walk(skeleton) -> GaitProblem:
    """The step of the default task."""
    return GaitProblem.make(skeleton, GaitTask(), "human")


def random_start(walk: GaitProblem, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    return walk.neutral_guess() + 0.1 * rng.normal(size=walk.problem.n_variables)


FORMS = [
    ("human", 3, 8, "wrapped"),
    ("human", 5, 6, "wrapped"),
    ("thesis", 3, 3, "clamped"),
    ("thesis", 5, 3, "clamped"),
    ("thesis", 3, 8, "wrapped"),
    ("running", 3, 10, "wrapped"),
]


@pytest.mark.parametrize(("preset", "degree", "n_intervals", "ends"), FORMS)
def test_all_derivatives_agree_with_differences_on_random_motions(skeleton, preset, degree, n_intervals, ends) -> None:
    preset = replace(find_preset(preset), degree=degree, n_intervals=n_intervals, ends=ends, n_nodes=12)
    walk = GaitProblem.make(skeleton, GaitTask(), preset)
    rng = np.random.default_rng(3)
    for seed in range(2):
        x = random_start(walk, seed)
        at = Evaluation(walk.problem, x)
        names = walk.problem.bounds.constraint
        for _ in range(3):
            direction = rng.normal(size=len(x))
            up, down = (Evaluation(walk.problem, x + sign * STEP * direction) for sign in (1, -1))
            # Error h^2/6 times a third derivative, plus rounding 1e-16/h of the rows: 1e-7 of the largest in its part.
            rows = (up.rows - down.rows) / (2 * STEP)
            predicted = at.jacobian @ direction
            for part in np.unique(names):
                scale = max(np.abs(predicted[names == part]).max(), 1.0)
                np.testing.assert_allclose(rows[names == part] / scale, predicted[names == part] / scale, atol=1e-6)
            slope = (up.objective - down.objective) / (2 * STEP)
            assert slope == pytest.approx(at.gradient @ direction, rel=1e-6)


def test_part_of_the_jacobian_and_its_products_agree_with_the_whole(skeleton) -> None:
    walk = GaitProblem.make(skeleton, GaitTask(), replace(find_preset("human"), n_nodes=12))
    at = Evaluation(walk.problem, random_start(walk, 4))
    rng = np.random.default_rng(6)
    chosen = rng.random(len(at.rows)) < 0.2
    np.testing.assert_array_equal(at.jacobian_of(chosen).toarray(), at.jacobian[chosen])
    direction, multipliers = rng.normal(size=walk.problem.n_variables), np.where(chosen, 1.0, 0.0)
    # Sums in another order: rounding of some hundred terms.
    np.testing.assert_allclose(at.jacobian_times(direction), at.jacobian @ direction, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(
        at.jacobian_transposed_times(multipliers), at.jacobian.T @ multipliers, rtol=1e-9, atol=1e-9
    )


def test_excess_terms_of_the_human_preset_act_only_beyond_their_free_range(skeleton) -> None:
    walk = GaitProblem.make(skeleton, GaitTask(), replace(find_preset("human"), n_nodes=12))
    terms = {term.name: term for term in walk.problem.objectives}
    states = walk.problem.transcription.states(random_start(walk, 5))
    ankles = [walk.walker.ankles[side] for side in ("left", "right")]
    for angle, pulled in ((np.radians(5.0), 0.0), (np.radians(20.0), np.radians(8.5))):
        q = states.q.copy()
        q[:, ankles] = angle
        values = terms["excess ankle dorsiflexion"].quantity(walk.problem.model(replace(states, q=q)))
        np.testing.assert_allclose(values.value, pulled, atol=1e-12)
        np.testing.assert_array_equal(values.dq[:, 0, ankles[0]], float(pulled > 0.0))


@pytest.mark.parametrize("form", ["step", "stride"])
def test_ankles_are_kept_near_neutral_most_at_initial_contact_and_not_on_one_leg(skeleton, form) -> None:
    walk = GaitProblem.make(skeleton, GaitTask(form=form), "human")
    motion = motion_of(walk.problem, random_start(walk, 4))
    u, off = walk.task.step_of(walk.problem.transcription.nodes), walk.task.double_support
    for side, before_first in (("right", 0.0), ("left", 1.0)):
        (term,) = (one for one in walk.problem.objectives if one.name == f"{side} ankle angles with little load")
        ankle = walk.walker.skeleton.index(f"{side}_ankle_flexion")
        weight = term.quantity(motion).value[:, 0] / motion.states.q[:, ankle]
        since = u + before_first  # its own initial contact, steps
        for contact in (0.0, 2.0):
            np.testing.assert_allclose(weight[np.abs(since - contact) < 1e-9], 1.0)
        bears = ((since > off - 1e-9) & (since < 1.0 + off + 1e-9)) | (since > 2.0 + off - 1e-9)
        np.testing.assert_allclose(weight[bears], 0.0, atol=1e-12)
        # Half way through loading response and swing; nodes are at most 0.03 steps apart there.
        for half in (0.5 * off, 0.5 * (3.0 + off), 2.0 + 0.5 * off):
            if since[0] <= half <= since[-1]:
                assert np.interp(half, since, weight) == pytest.approx(0.5, abs=0.01)


def test_arms_without_a_joint_have_no_objective_for_it(skeleton) -> None:
    stiff = skeleton.frozen | np.char.endswith(skeleton.joint_names, "elbow_flexion")
    walk = GaitProblem.make(replace(skeleton, frozen=stiff), GaitTask(), replace(find_preset("human"), n_nodes=12))
    names = [term.name for term in walk.problem.objectives]
    assert "shoulder flexion" in names
    assert "excess elbow flexion" not in names
    assert np.isfinite(Evaluation(walk.problem, random_start(walk, 0)).objective)


def test_jerk_tracking_and_sums_have_right_derivatives(skeleton) -> None:
    walk = GaitProblem.make(skeleton, GaitTask(), replace(find_preset("human"), n_nodes=12))
    joints = walk.walker.internal
    measured = np.random.default_rng(0).normal(size=(1, len(joints)))
    terms = [
        SquaredIntegral("jerk", coordinates(joints, "qddd"), 1e-6),
        SquaredIntegral("tracking", difference(lambda time: measured * np.cos(time)[:, None], joints)),
        SquaredIntegral("sum", lambda at: coordinates(joints, "qd")(at).transformed(np.ones((1, len(joints))))),
    ]
    x = random_start(walk, 1)
    direction = np.random.default_rng(2).normal(size=len(x))
    for term in terms:
        problem = Problem(walk.problem.transcription, [term], [], walk.problem.model)
        up, down = (Evaluation(problem, x + sign * STEP * direction).objective for sign in (1, -1))
        assert (up - down) / (2 * STEP) == pytest.approx(Evaluation(problem, x).gradient @ direction, rel=1e-6)


def test_gauss_newton_hessian_is_that_of_a_quadratic_objective(skeleton) -> None:
    walk = GaitProblem.make(skeleton, GaitTask(), replace(find_preset("human"), n_nodes=12))
    problem = Problem(
        walk.problem.transcription, [SquaredIntegral("rates", coordinates([8, 9], "qd"))], [], walk.problem.model
    )
    x, y = random_start(walk, 1), random_start(walk, 2)
    one, other = Evaluation(problem, x), Evaluation(problem, y)
    np.testing.assert_allclose(one.hessian @ (y - x), other.gradient - one.gradient, atol=1e-9)


def test_ground_reaction_balances_the_body_in_independent_inverse_dynamics(skeleton, walk) -> None:
    active = merge_frozen(skeleton)
    motion = motion_of(walk.problem, random_start(walk, 4))
    s = motion.states
    wrenches = {}
    for side in SIDES:
        for link, wrench in motion.link_wrenches(side).items():
            wrenches[f"{side}_{link}"] = Wrench(wrench[:, 3:], wrench[:, :3], np.zeros(3))
    loads = rnea(active, s.q, s.qd, s.qdd, wrenches=wrenches)
    size = np.abs(loads.tau).max()
    np.testing.assert_allclose(loads.tau[:, :6] / size, 0.0, atol=1e-12)
    np.testing.assert_allclose(loads.tau / size, motion.tau.value / size, atol=1e-12)


def test_power_of_ground_and_joints_is_the_rate_of_the_body_s_energy(walk) -> None:
    """Mechanical energy by Pinocchio, from the DH numbers alone, differentiated over time on a random motion."""
    pin = pytest.importorskip("pinocchio", reason="the independent energy needs Pinocchio (test extra)")
    from tests.oracles.pinocchio_tree import PinocchioTree

    motion = motion_of(walk.problem, random_start(walk, 7))
    s, tree = motion.states, PinocchioTree(walk.walker.skeleton)

    def energy(k: int, dt: float) -> float:
        """A time dt after a node, by the Taylor series of the motion there."""
        q = s.q[k] + dt * s.qd[k] + dt**2 / 2 * s.qdd[k]
        return pin.computeMechanicalEnergy(tree.model, tree.data, tree.to_pin(q), tree.to_pin(s.qd[k] + dt * s.qdd[k]))

    ground = np.stack([motion.ground_powers(side) for side in SIDES])
    given = ground.sum(axis=(0, 2)) + np.sum(motion.tau.value * s.qd, axis=1)
    rates = [(energy(k, STEP) - energy(k, -STEP)) / (2 * STEP) for k in range(len(s.q))]
    assert np.abs(ground).max(axis=(0, 1)).min() > 10.0  # W; random rear feet and toes do move
    # Rounding 1e-16 of some 1e4 J over the step 1e-6 s; powers are some 1e4 W.
    np.testing.assert_allclose(given, rates, atol=1e-4 * np.abs(rates).max())


def test_feet_carry_shares_at_centres_of_pressure_that_add_up_to_the_zero_moment_point(walk) -> None:
    motion = motion_of(walk.problem, random_start(walk, 5))
    schedule, total_wrench = motion.schedule, motion.ground_reaction.value
    zmp = np.stack([total_wrench[:, 2], -total_wrench[:, 0]], axis=1) / total_wrench[:, [4]]
    moved = np.zeros_like(zmp)
    for side in SIDES:
        wrench = motion.foot_wrenches[side].value
        carries = schedule.share[side] > 1e-3
        cop = np.stack([wrench[:, 2], -wrench[:, 0]], axis=1)[carries] / wrench[carries][:, [4]]
        np.testing.assert_allclose(cop, (zmp + schedule.offset[side][:, [0, 2]])[carries], atol=1e-9)
        moved += schedule.share[side][:, None] * schedule.offset[side][:, [0, 2]]
    np.testing.assert_allclose(moved, 0.0, atol=1e-12)
    np.testing.assert_allclose(sum(motion.foot_wrenches[side].value for side in SIDES), total_wrench, atol=1e-9)


def test_the_sign_of_knee_flexion_does_not_depend_on_the_limits(skeleton) -> None:
    active = merge_frozen(skeleton)
    lower, upper = active.q_lower.copy(), active.q_upper.copy()
    for side in SIDES:
        knee = active.index(f"{side}_knee_flexion")
        lower[knee], upper[knee] = np.radians(-10.0), np.radians(5.0)
    assert make_walker(active).flexion == 1.0
    assert make_walker(replace(active, q_lower=lower, q_upper=upper)).flexion == 1.0


def test_rear_foot_and_toes_share_the_load_by_the_centre_of_pressure(walk) -> None:
    states = walk.problem.transcription.states(walk.neutral_guess())
    motion = walk.problem.model(states)
    joint = motion.walker.toes["right"]
    _, origins = joint_axes(motion.walker.skeleton, states.q)
    standing = (motion.schedule.share["right"] == 1.0) & ~motion.schedule.toes_alone["right"]
    alone = (motion.schedule.share["right"] == 1.0) & motion.schedule.toes_alone["right"]
    assert standing.any()
    assert alone.any()
    ball = origins[:, joint, 0]
    for ahead in (-0.10, -0.01, 0.0, 0.02, 0.05):
        # A vertical force F at a distance ahead of the toe joint; the moment about the origin is x F about z.
        wrench = np.zeros((len(states.q), 6))
        wrench[:, 4], wrench[:, 2] = 700.0, 700.0 * (ball + ahead)
        motion.__dict__["foot_wrenches"] = dict.fromkeys(SIDES, NodeValues(wrench))
        links = motion.link_wrenches("right")
        np.testing.assert_allclose(links["foot"] + links["toes"], wrench, atol=1e-9)
        place = {link: w[:, 2] / np.maximum(w[:, 4], 1e-9) - ball for link, w in links.items()}
        # By hand: both centres of pressure lie sqrt(ahead^2 + 0.012^2) from the joint, on either side of it.
        r = np.hypot(ahead, 0.012)
        np.testing.assert_allclose(place["toes"][standing], r, atol=1e-5)
        np.testing.assert_allclose(place["foot"][standing], -r, atol=1e-5)
        np.testing.assert_allclose(links["toes"][standing, 4], 700.0 * (r + ahead) / (2.0 * r), atol=1e-2)
        np.testing.assert_allclose(links["foot"][alone], 0.0, atol=1e-9)
        np.testing.assert_allclose(motion.toe_load("right").value[alone, 0], 700.0 * ahead, atol=1e-9)


def test_a_step_is_continued_by_its_mirror_image_with_acceleration(walk) -> None:
    at = walk.problem.transcription.states(random_start(walk, 6))
    w = walk.walker
    shift = np.zeros(len(w.skeleton))
    shift[w.progression] = walk.task.step_length
    for curve, moved in ((at.q, shift), (at.qd, 0.0), (at.qdd, 0.0)):
        np.testing.assert_allclose(curve[-1], w.sign * curve[0, w.partner] + moved, atol=1e-9)


def test_the_leading_foot_s_centre_of_pressure_at_opposite_foot_off_gives_people_s_ankle_moments() -> None:
    """Moments about the ankle over the vertical force, less the fore-aft force's at the ankle's height, of a norm."""
    norm, apart = load_norm(NORM), []
    for name in SPEEDS:
        _, body, task, leg = norm_request(name)
        walk = GaitProblem.make(body.skeleton, task, "human")
        foot_off = np.array([50.0 * walk.task.double_support])

        def mean(variable: str, at: np.ndarray = foot_off, v: float = task.speed / np.sqrt(9.81 * leg)) -> float:
            return norm.band(variable, v, at).mean[0]

        motion = motion_of(walk.problem, walk.neutral_guess())
        height = (motion.position("left_ankle").value - motion.position("left_heel").value)[0, 1]
        moment, vertical, fore_aft = map(mean, ("ankle_plantarflexor_moment", "ground_vertical", "ground_fore_aft"))
        forward = moment / (0.0981 * vertical) - height * fore_aft / vertical
        apart.append((_reference(walk.walker, "right", walk.task, np.ones(1))[0, 0] - forward) / walk.walker.leg_length)
    # One centre for all speeds: those of the norm differ by 14 mm, 0.015 of this leg.
    assert np.ptp(apart) < 0.02
    assert np.mean(apart) == pytest.approx(0.0, abs=0.003)


@pytest.mark.parametrize("side", SIDES)
def test_knuckles_lie_beyond_the_wrist_on_the_line_from_the_elbow(walker, side) -> None:
    """86.2 mm from it at a forearm of 268.9 mm (de Leva 1996, men), in the neutral pose."""
    found, neutral = walker.skeleton, np.zeros((1, len(walker.skeleton)))
    (_, elbow), (R, wrist) = (segment_pose(found, f"{side}_{segment}", neutral) for segment in ("forearm", "hand"))
    knuckles = walker.points[f"{side}_knuckles"]
    hand = found.segment(f"{side}_hand")
    assert knuckles.link == hand.joint
    in_hand = hand.pose[:3, :3].T @ (knuckles.position - hand.pose[:3, 3])
    np.testing.assert_allclose(R[0] @ in_hand, 86.2 / 268.9 * (wrist - elbow)[0], atol=0.001)


def test_planned_feet_repeat_mirrored_and_shifted_from_step_to_step(walker) -> None:
    task, notes = GaitTask().complete(walker.leg_length)
    assert any("double support" in note for note in notes)
    nodes = phase_nodes(task, 31)
    schedule = make_schedule(walker, task, nodes)
    for point in CONTACT_POINTS:
        end, start = schedule.planned["left", point][-1], schedule.planned["right", point][0]
        np.testing.assert_allclose(end, start * [1, 1, -1] + [task.step_length, 0, 0], atol=1e-12)
        assert schedule.in_contact["left", point][-1] == schedule.in_contact["right", point][0]
        assert schedule.in_contact["right", point][-1] == schedule.in_contact["left", point][0]
    np.testing.assert_allclose(schedule.share["left"] + schedule.share["right"], 1.0)


@pytest.mark.parametrize("heel_offs", [(None, None), (0.0, 0.0)])
def test_a_zero_moment_point_is_allowed_where_each_foot_s_centre_of_pressure_is_on_its_sole(walker, heel_offs) -> None:
    """Which area bears load follows from the events of each foot. Places are by hand: a foot that is turned out points
    forwards and to its own side. Without a heel the forefoot bears the load from the start."""
    given = dict(zip(("left_heel_off", "right_heel_off"), heel_offs, strict=True))
    task, _ = GaitTask(toe_out=np.radians(20.0), **given).complete(walker.leg_length)
    overlap = task.double_support
    u = np.array([0.01, 0.03, 0.07, 0.13, 0.15, 0.17, 0.3, 0.6, 0.75, 0.9])
    assert 0.17 < FOOT_FLAT * overlap + 0.01 < overlap < 0.3
    assert u[2] < BALL_OFF * overlap < u[3]
    plan = make_schedule(walker, task, u)
    random = np.random.default_rng(4)
    allowed_share = []
    for k, time in enumerate(u):
        points = random.uniform((-0.9, -0.3), (0.4, 0.3), (4000, 2))
        expected = np.ones(len(points), dtype=bool)
        feet = [("right", 1.0, time, 0.0), ("left", -1.0, 1.0 + time, -task.step_length)]
        for side, outwards, own, ankle in feet if time < overlap else feet[:1]:
            ends = {"forefoot": 1.0 + BALL_OFF * overlap, "tip": np.inf}
            if heel_offs[0] is None:
                ends = {"heel": FOOT_FLAT * overlap, "full": task.heel_off(side)} | ends
            area = walker.sole[next(name for name, end in ends.items() if own < end)]
            forward = np.array([np.cos(task.toe_out), outwards * np.sin(task.toe_out)])
            aside = np.array([-np.sin(task.toe_out), outwards * np.cos(task.toe_out)])
            middle = np.array([ankle, outwards * 0.5 * task.step_width])
            hull = Delaunay(middle + area[:, :1] * forward + area[:, 1:] * aside)
            expected &= hull.find_simplex(points + plan.offset[side][k, [0, 2]]) >= 0
        rows = plan.half_planes[k][np.isfinite(plan.half_planes[k, :, 2])]
        found = (points @ rows[:, :2].T <= rows[:, 2]).all(axis=1)
        np.testing.assert_array_equal(found, expected)
        allowed_share.append(found.mean())
    assert max(allowed_share) > 0.005


@pytest.mark.parametrize("part", ["heel", "forefoot"])
def test_a_flat_foot_bears_load_wherever_its_heel_or_forefoot_does_alone(skeleton, part) -> None:
    sole = make_walker(merge_frozen(skeleton)).sole
    corners = sole[part] + 1e-6 * (sole[part].mean(axis=0) - sole[part])  # on the outline but for rounding
    assert (Delaunay(sole["full"]).find_simplex(corners) >= 0).all()


def test_the_sole_of_a_foot_of_twice_the_size_is_twice_as_large(skeleton) -> None:
    contacts = make_walker(merge_frozen(skeleton)).contacts
    own, twice = _areas(contacts, 0.25), _areas({name: 2.0 * point for name, point in contacts.items()}, 0.5)
    for name, outline in own.items():
        np.testing.assert_allclose(twice[name], 2.0 * outline)


@pytest.mark.parametrize("form", ["step", "stride"])
def test_a_heel_goes_down_on_its_pad_after_initial_contact_as_fast_as_its_height_falls(skeleton, form) -> None:
    walker, pad = make_walker(merge_frozen(skeleton)), 0.01
    task, _ = GaitTask(form=form).complete(walker.leg_length)
    u = np.linspace(0.0, task.n_steps, 4000 * task.n_steps + 1)
    rigid, soft = (make_schedule(walker, task, u, heel_pad=share) for share in (0.0, pad))
    contacts = {"right": (0.0,), "left": (1.0,)} if form == "stride" else {"right": (0.0,), "left": ()}
    for side in SIDES:
        for point in CONTACT_POINTS:
            assert not rigid.velocity[side, point].any()
            moved = soft.planned[side, point] - rigid.planned[side, point]
            if point != "heel":
                assert not moved.any()
                assert not soft.velocity[side, point].any()
        height, rate = (soft.planned[side, "heel"] - rigid.planned[side, "heel"]), soft.velocity[side, "heel"]
        for contact in contacts[side]:
            first = (u >= contact) & (u < contact + 0.9)
            assert height[first][0] == pytest.approx([0.0, pad * walker.leg_length, 0.0])
            assert np.all(np.diff(height[first, 1]) <= 0.0)
            done = u[first] - contact > PAD_TIME / task.step_time
            assert not height[first][done].any()
            np.testing.assert_allclose(
                np.gradient(height[first], task.step_time * u[first], axis=0)[1:-1], rate[first][1:-1], atol=2e-3
            )


@pytest.mark.parametrize("form", ["step", "stride"])
@pytest.mark.parametrize("double_support", [0.06, 0.2, 0.36])
def test_changes_of_contact_and_breaks_of_the_splines_have_nodes(skeleton, form, double_support) -> None:
    walk = GaitProblem.make(skeleton, GaitTask(form=form, double_support=double_support), "human")
    form = walk.problem.transcription
    nodes, steps = walk.task.step_of(form.nodes), walk.task.n_steps
    assert np.all(np.diff(nodes) > 1e-6)
    assert np.abs(nodes[:, None] - walk.task.step_of(form.spline.breaks)).min(axis=0).max() <= NEAR
    # Just before and after a change of contact, both supports are imposed at its node.
    for change in (FOOT_FLAT * double_support, BALL_OFF * double_support, double_support):
        for step in range(steps):
            (node,) = np.flatnonzero(np.abs(nodes - change - step) < 1e-9)
            each = [
                make_schedule(walk.walker, walk.task, np.array([nodes[node] + shift])).half_planes[0]
                for shift in (-1e-7, 0.0, 1e-7)
            ]
            before, at, after = (planes[np.isfinite(planes[:, 2])] for planes in each)
            for needed in (before, after):
                # The centres of pressure move by less than 1e-6 m in that time.
                apart = np.abs(needed[:, None] - at[None]).max(axis=2).min(axis=1)
                assert apart.max() < 1e-5
    (node,) = np.flatnonzero(np.abs(nodes - BALL_OFF * double_support) < 1e-9)
    soon, later = nodes[node + 1 : node + 3] - nodes[node]
    assert soon == pytest.approx(AFTER_BALL_OFF * later), "a node soon after ball off"
    assert later <= 1.5 * (FOOT_FLAT - BALL_OFF) * double_support / MIN_INTERVALS


@pytest.mark.parametrize(
    ("side", "point", "times"),
    [
        ("right", "heel", (0.0, 0.7)),
        ("right", "ball_medial", (0.16, None)),
        ("right", "toe", (0.16, None)),
        ("left", "heel", (1.0, None)),
        ("left", "ball_lateral", (None, 0.08)),
        ("left", "toe", (None, 0.2)),
    ],
)
def test_a_point_is_on_the_ground_at_both_ends_of_its_contact_and_not_beyond(walker, side, point, times) -> None:
    """Double support of a fifth of a step, ball off at 0.4 of it and foot flat at 0.8; heel off at 0.7."""
    task, _ = GaitTask(double_support=0.2).complete(walker.leg_length)
    for time, outwards in zip(times, (-1e-6, 1e-6), strict=True):
        if time is not None:
            at = make_schedule(walker, task, np.array([time])).in_contact[side, point]
            beyond = make_schedule(walker, task, np.array([time + outwards])).in_contact[side, point]
            assert (at[0], beyond[0]) == (True, False)


@pytest.mark.parametrize("ends", ["wrapped", "clamped"])
def test_the_neutral_guess_advances_evenly_and_does_not_move_otherwise(skeleton, ends) -> None:
    """From half a step behind to half a step ahead: control points at averages of their knots give a straight line."""
    walk = GaitProblem.make(skeleton, GaitTask(), replace(find_preset("thesis"), ends=ends, n_nodes=12))
    form, forward = walk.problem.transcription, walk.walker.progression
    q = form.states(walk.neutral_guess()).q
    np.testing.assert_allclose(q[:, forward], walk.task.step_length * (form.nodes - 0.5), atol=1e-9)
    np.testing.assert_allclose(np.delete(q, forward, axis=1), 0.0, atol=1e-12)


def test_the_toes_are_alone_from_heel_off_on_and_points_are_planned_on_the_ground(walker) -> None:
    task, _ = GaitTask(double_support=0.2).complete(walker.leg_length)
    plan = make_schedule(walker, task, np.array([0.1, 0.7 - 1e-6, 0.7, 0.9]))
    assert plan.toes_alone["right"].tolist() == [False, False, True, True]
    assert plan.toes_alone["left"].tolist() == [True, False, False, False]
    assert not any(place[:, 1].any() for place in plan.planned.values())


def test_the_trailing_foot_s_centre_of_pressure_is_at_the_tip_once_the_ball_has_left(walker) -> None:
    """From mid-forefoot evenly until 0.4 of double support."""
    task, _ = GaitTask().complete(walker.leg_length)
    forefoot, tip = (walker.sole[area].mean(axis=0) for area in ("forefoot", "tip"))
    found = _reference(walker, "left", task, np.array([0.0, 0.1, 0.4, 0.9]))
    np.testing.assert_allclose(found, forefoot + np.outer([0.0, 0.25, 1.0, 1.0], tip - forefoot), atol=1e-12)


def test_forces_lean_to_a_pivot_where_both_feet_carry_half_of_the_load(walker) -> None:
    """There (1 - r)^1.3 = 0.5 at the share r of double support; each leans by 0.6 of half a step over leg length, the
    leading one's force backwards."""
    task, _ = GaitTask(double_support=0.2).complete(walker.leg_length)
    u = np.array([0.2 * (1.0 - 0.5 ** (1.0 / 1.3)), 0.5])
    plan, parallel = (make_schedule(walker, task, u, virtual_pivot=pivot) for pivot in (True, False))
    np.testing.assert_allclose(plan.share["right"], [0.5, 1.0])
    lean = {side: plan.thrust[side] / 0.5 for side in SIDES}
    slope = PIVOT_INCLINATION * 0.5 * task.step_length / walker.leg_length
    assert np.linalg.norm(lean["right"][0]) == pytest.approx(slope)
    assert lean["right"][0, 0] < 0.0
    # Along the line from the trailing foot's centre of pressure to the leading one's.
    between = plan.offset["right"][0] - plan.offset["left"][0]
    np.testing.assert_allclose(np.cross(between, lean["right"][0]), 0.0, atol=1e-12)
    np.testing.assert_allclose(lean["left"], -lean["right"], atol=1e-12)
    assert not lean["right"][1].any()
    assert not any(thrust.any() for thrust in parallel.thrust.values())


def test_each_foot_has_its_part_of_the_free_moment_about_its_own_centre_of_pressure(walker) -> None:
    """Any resultant, divided in double support: a force at the centre, with thrust, and a share of the free moment."""
    task, _ = GaitTask(double_support=0.2).complete(walker.leg_length)
    plan = make_schedule(walker, task, np.array([0.03, 0.1, 0.15]))
    random = np.random.default_rng(5)
    for k in range(3):
        moment, force = random.normal(size=(2, 3)) * 50.0 + [[0.0, 0.0, 0.0], [0.0, 700.0, 0.0]]
        zmp = np.array([moment[2], 0.0, -moment[0]]) / force[1]
        free = (moment - np.cross(zmp, force))[1]
        for side in SIDES:
            of_foot = plan.split[side][k] @ [*moment, *force]
            share, centre = plan.share[side][k], zmp + plan.offset[side][k]
            np.testing.assert_allclose(of_foot[3:], share * force + plan.thrust[side][k] * force[1], atol=1e-9)
            about = of_foot[:3] - np.cross(centre, of_foot[3:])
            np.testing.assert_allclose(about, [0.0, share * free, 0.0], atol=1e-9)


def test_the_second_step_of_a_walk_is_the_mirror_image_of_the_first_one_step_ahead(walker) -> None:
    """With another heel off on either side, as in a first step of the mirrored body."""
    task, _ = GaitTask(form="stride", left_heel_off=0.5, right_heel_off=0.8).complete(walker.leg_length)
    mirrored = replace(task, form="step", left_heel_off=0.8, right_heel_off=0.5)
    u = np.array([0.01, 0.05, 0.1, 0.15, 0.3, 0.6, 0.95])
    second, first = (
        make_schedule(walker, task, 1.0 + u, heel_pad=0.01),
        make_schedule(walker, mirrored, u, heel_pad=0.01),
    )
    flip, ahead = np.array([1.0, 1.0, -1.0]), np.array([task.step_length, 0.0, 0.0])
    points = np.random.default_rng(2).uniform((-0.9, -0.3), (0.4, 0.3), (2000, 2))

    def allowed(rows: np.ndarray, places: np.ndarray) -> np.ndarray:
        known = rows[np.isfinite(rows[:, 2])]
        return (places @ known[:, :2].T <= known[:, 2]).all(axis=1)

    for side, other in (SIDES, SIDES[::-1]):
        for point in CONTACT_POINTS:
            stands = first.in_contact[other, point]
            np.testing.assert_array_equal(second.in_contact[side, point], stands)
            place, speed = first.planned[other, point][stands], first.velocity[other, point][stands]
            np.testing.assert_allclose(second.planned[side, point][stands], place * flip + ahead, atol=1e-12)
            np.testing.assert_allclose(second.velocity[side, point][stands], speed * flip, atol=1e-12)
        for name in ("offset", "thrust"):
            np.testing.assert_allclose(getattr(second, name)[side], getattr(first, name)[other] * flip, atol=1e-12)
        np.testing.assert_allclose(second.share[side], first.share[other], atol=1e-12)
        np.testing.assert_array_equal(second.toes_alone[side], first.toes_alone[other])
    for own, image in zip(second.half_planes, first.half_planes, strict=True):
        np.testing.assert_array_equal(allowed(own, points * [1.0, -1.0] + ahead[:2]), allowed(image, points))


@pytest.mark.parametrize("form", ["step", "stride"])
def test_the_nodes_of_a_step_by_hand(form) -> None:
    """Double support of a fifth of a step: ball off at 0.08, foot flat at 0.16; mid-swing at 0.6 and heel off at 0.7.
    Thirty intervals a step, three in each part of double support; a node after ball off and two before contact more."""
    task, _ = GaitTask(form=form, double_support=0.2).complete(0.9)
    assert (FOOT_FLAT, BALL_OFF, MIN_INTERVALS, AFTER_BALL_OFF) == (0.8, 0.4, 3, 0.2)
    parts = [np.linspace(0.0, 0.08, 4), [0.08 + 0.2 * 0.08 / 3.0], np.linspace(0.08, 0.16, 4)]
    parts += [np.linspace(0.16, 0.2, 4), np.linspace(0.2, 0.6, 13), np.linspace(0.6, 0.7, 4), np.linspace(0.7, 1.0, 10)]
    step = np.unique(np.round([*np.concatenate(parts), 1.0 - 0.5 / 30.0, 1.0 - 0.25 / 30.0], 9))
    steps = [step, 1.0 + step[1:]][: task.n_steps]
    np.testing.assert_allclose(phase_nodes(task, 31), np.concatenate(steps), atol=1e-8)
    # A break of a spline has its own node, unless it is within 0.005 of a change of contact.
    more = np.setdiff1d(np.round(phase_nodes(task, 31, np.array([0.35, 0.604, 0.164])), 9), step)
    assert 0.35 in more[more < 1.0]
    assert not np.isin([0.604, 0.164], more).any()
    # So have ball off and foot flat of the shortest double support in which they are over 0.02 from the step's start.
    short, _ = GaitTask(form=form, double_support=0.06).complete(0.9)
    assert np.isin([0.024, 0.048, 0.06], np.round(phase_nodes(short, 31), 9)).all()


@pytest.mark.parametrize("form", ["step", "stride"])
def test_contact_points_are_at_rest_but_for_the_first_and_last_moments_of_a_foot_s_contact(walker, form) -> None:
    task, _ = GaitTask(form=form).complete(walker.leg_length)
    u = np.linspace(0.0, task.n_steps, 2000 * task.n_steps + 1)
    always, later = (make_schedule(walker, task, u, unloaded=unloaded) for unloaded in (0.0, 0.01))
    moved = 0.01 / task.step_time
    for side in SIDES:
        for point in CONTACT_POINTS:
            np.testing.assert_array_equal(always.at_rest[side, point], always.in_contact[side, point])
    landing = later.in_contact["right", "heel"] & ~later.at_rest["right", "heel"] & (u < 0.5)
    np.testing.assert_allclose(u[landing][[0, -1]], [0.0, moved], atol=1e-3)
    leaving = later.in_contact["left", "toe"] & ~later.at_rest["left", "toe"] & (u < 0.5)
    np.testing.assert_allclose(u[leaving][[0, -1]], [task.double_support - moved, task.double_support], atol=1e-3)
    for side in SIDES:
        for point in ("ball_medial", "ball_lateral"):
            np.testing.assert_array_equal(later.at_rest[side, point], later.in_contact[side, point])


def test_nodes_are_added_at_the_worst_point_of_each_interval_that_exceeds_a_limit(skeleton) -> None:
    """Torques beyond their limits by more than 2 %, and the support by more than 5 mm body weight."""
    walk = GaitProblem.make(skeleton, GaitTask(1.2, 0.6), replace(find_preset("human"), n_nodes=17))
    x = walk.neutral_guess() + 0.02 * np.random.default_rng(0).standard_normal(walk.problem.n_variables)
    refined, own = walk.refined(), walk.problem.transcription.nodes
    excess = np.zeros(len(refined.transcription.nodes))
    for part, most in (("torque limits", 0.02), ("zero-moment point in support polygon", 0.005)):
        (term,) = [one for one in refined.constraints if one.name == part]
        value = term.quantity(motion_of(refined, x)).value
        over = np.maximum(np.maximum(value - term.upper, term.lower - value), 0.0)
        applies = np.ones(value.shape, dtype=bool) if term.applies is None else np.asarray(term.applies, dtype=bool)
        applies = applies if applies.ndim == 2 else np.repeat(applies[:, None], value.shape[1], axis=1)
        excess = np.maximum(excess, np.where(applies, over, 0.0).max(axis=1) / most)
    worst = []
    for first, last in pairwise(own):
        inside = (refined.transcription.nodes >= first) & (refined.transcription.nodes < last)
        if excess[inside].max() > 1.0:
            worst.append(refined.transcription.nodes[inside][excess[inside].argmax()])
    assert len(set(worst) - set(own)) > 3
    found = walk.finer(x)
    np.testing.assert_array_equal(found.problem.transcription.nodes, np.union1d(own, worst))
    assert found.problem.n_variables == len(x)


def test_contact_points_of_the_neutral_pose_are_on_the_ground(walk, walker) -> None:
    motion = motion_of(walk.problem, walk.neutral_guess())
    for side in SIDES:
        for point in CONTACT_POINTS:
            height = motion.position(f"{side}_{point}").value[:, 1] + walker.standing_height
            np.testing.assert_allclose(height, 0.0, atol=1e-9)


def test_a_pulling_ground_breaks_the_unilateral_constraint(walk) -> None:
    states = walk.problem.transcription.states(walk.neutral_guess())
    falling = replace(states, qdd=states.qdd + np.eye(len(walk.walker.skeleton))[1] * -20.0)
    (push,) = [part for part in walk.problem.constraints if part.name == "vertical ground reaction"]
    assert np.all(push.quantity(walk.problem.model(states)).value > 0.9)
    assert np.all(push.quantity(walk.problem.model(falling)).value < 0.0)


def test_sizes_of_the_thesis_preset(skeleton) -> None:
    walk = GaitProblem.make(skeleton, GaitTask(), "thesis")
    form = walk.problem.transcription
    # Eight intervals of cubic splines, of whose eleven control points the mirrored end ties three.
    assert form.spline.n_points * len(skeleton) == 11 * 55
    assert form.n_variables == 8 * 38
    assert len(walk.problem.bounds.lower) > 1726


def test_impossible_tasks_unknown_presets_and_frozen_walkers_are_refused(skeleton) -> None:
    with pytest.raises(PredictionError, match="longer than twice the leg"):
        GaitProblem.make(skeleton, GaitTask(1.2, 2.5), "human")
    with pytest.raises(PredictionError, match=r"beyond 2\.5 leg lengths"):
        GaitProblem.make(skeleton, GaitTask(3.0, 2.6), "running")
    with pytest.raises(PredictionError, match="'thesis' or 'human' or 'running'"):
        find_preset("humna")
    with pytest.raises(PredictionError, match="frozen joints"):
        make_walker(skeleton)
    assert set(PRESETS) == {"thesis", "human", "running"}


def test_forces_of_people_in_the_second_half_of_double_support_incline_as_planned() -> None:
    """With shares b and 1 - b of the vertical force F, the feet push 2 t b (1 - b) F apart along the ground."""
    children, adults = load_norm(NORM), load_norm(ADULT_NORM)
    requests = [(children, norm_request(name)) for name in list(SPEEDS)[1:]]
    requests += [(adults, adults_request(name)) for name in ADULTS]
    found = []
    for norm, (_, body, task, leg) in requests:
        speed = task.speed / np.sqrt(9.81 * leg)
        double_support = GaitProblem.make(body.skeleton, task, "human").task.double_support
        at = 50.0 * double_support * np.linspace(0.5, 0.9, 9)
        bands = [norm.band(name, speed, PERCENT) for name in ("ground_fore_aft", "ground_vertical")]
        fore_aft, vertical = (np.interp([at, at + 50.0], PERCENT, band.mean) for band in bands)
        share, both = vertical[1] / vertical.sum(axis=0), vertical.sum(axis=0)
        apart = fore_aft[1] - share * fore_aft.sum(axis=0)
        found.append(np.mean(apart / (2.0 * share * (1.0 - share) * both)) * 2.0 * leg / task.step_length)
    assert len(found) == 8
    assert min(found) > 0.5
    assert max(found) < 0.7
    assert np.mean(found) == pytest.approx(PIVOT_INCLINATION, abs=0.03)


@pytest.mark.parametrize("part", [{"n_nodes": 1}, {"n_nodes": 40.5}, {"n_intervals": 0}, {"degree": 1}])
def test_a_preset_without_nodes_or_splines_is_refused(part) -> None:
    (name,) = part
    with pytest.raises(PredictionError, match=f"{name} is {part[name]}, not a whole number of at least [12]"):
        replace(find_preset("human"), **part)


@pytest.mark.parametrize(
    ("springs", "forces", "message"),
    [
        (
            [Spring("left_knee", 30.0)],
            [],
            r"'left_knee' of a spring is no joint that moves\. Give one of .*left_knee_flexion",
        ),
        ([Spring("left_ankle_flexion", np.nan)], [], "stiffness is nan at left_ankle_flexion"),
        ([Spring("left_ankle_flexion", 30.0, 5.0)], [], "rest is 5.0 .*in radians"),
        ([Spring("left_ankle_flexion", 30.0)] * 2, [], "2 springs act on left_ankle_flexion"),
        ([], [JointForce("left_hip", np.nan)], "the limit of the force at left_hip is nan"),
        ([], [JointForce("left_hip", 3.0, -1.0)], "the weight of the force at left_hip is -1.0"),
    ],
)
def test_springs_and_joint_forces_that_are_none_are_refused(skeleton, springs, forces, message):
    """The last of two springs alone had an effect; a limit of NaN was none."""
    with pytest.raises(PredictionError, match=message):
        GaitProblem.make(skeleton, GaitTask(form="stride"), "thesis", springs=springs, joint_forces=forces)


@pytest.mark.parametrize(("most", "bounds"), [(120.0, (55.0, 65.0)), (50.0, (40.0, 50.0))])
def test_the_knee_of_the_thesis_is_bent_by_60_degrees_within_5_in_mid_swing_or_ends_at_its_limit(most, bounds):
    skeleton = load_skeleton(SKELETON)
    walker = make_walker(merge_frozen(skeleton))
    upper, lower = skeleton.q_upper.copy(), skeleton.q_lower.copy()
    for side in SIDES:
        knee = skeleton.index(f"{side}_knee_flexion")
        (upper if walker.flexion > 0 else lower)[knee] = walker.flexion * np.radians(most)
    problem = GaitProblem.make(replace(skeleton, q_upper=upper, q_lower=lower), GaitTask(1.2, 0.6), "thesis").problem
    found = [part for part in problem.constraints if part.name.endswith("knee flexion in swing")]
    assert found
    for part in found:
        ends = np.sort(walker.flexion * np.degrees([float(part.lower), float(part.upper)]))
        np.testing.assert_allclose(ends, bounds)


def test_the_zero_moment_point_is_where_a_vertical_force_acts_and_unknown_in_flight() -> None:
    """A force F up at (x, 0, z) has the moment (-z F, 0, x F) about the origin; one along the ground turns about y."""
    place, force = np.array([0.3, 0.0, -0.1]), np.array([50.0, 600.0, -20.0])
    reaction = np.tile(np.concatenate([np.cross(place, force), force]), (2, 1))
    motion = SimpleNamespace(
        ground_reaction=NodeValues(reaction), schedule=SimpleNamespace(flight=np.array([False, True]))
    )
    found = WalkingMotion.zero_moment_point.fget(motion)
    np.testing.assert_allclose(found[0], place, atol=1e-12)
    assert np.isnan(found[1, [0, 2]]).all()


def test_the_ground_s_work_is_that_of_both_feet_over_mass_and_steps() -> None:
    """30 W on one foot and -18 W on the other for 2 s, on 60 kg: 24 J net and 96 J absolute, 0.4 and 1.6 J/kg."""
    powers = {"left": np.full((5, 1), 30.0), "right": np.full((5, 1), -18.0)}
    states = SimpleNamespace(time=np.linspace(0.0, 2.0, 5))
    motion = SimpleNamespace(ground_powers=powers.get, walker=SimpleNamespace(mass=60.0), states=states)
    for steps in (1, 2):
        assert _ground_work(motion, steps) == pytest.approx((0.4 / steps, 1.6 / steps))


def test_an_arm_is_coupled_to_the_contralateral_leg_along_the_progression_alone() -> None:
    """By hand: wrist 0.2 m ahead of its shoulder, the other ankle 0.3 m ahead of its hip: 0.06 m^2."""
    places = {"left_shoulder": [0, 1.4, -0.2], "left_wrist": [0.2, 0.9, -0.3], "right_hip": [0.1, 0.9, 0.1]}
    places |= {"right_ankle": [0.4, 0.1, 0.2]}
    motion = SimpleNamespace(
        position=lambda name: NodeValues(np.array([places[name]], dtype=float), np.zeros((1, 3, 2)))
    )
    coupled, _ = arm_leg_coupling(SimpleNamespace(inside=np.array([True])))
    assert coupled.quantity(motion).value[0, 0] == pytest.approx(0.06)
