"""Analytic sensitivities against Pinocchio's, complex steps of the thesis' recursion, and central differences."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.dynamics import Sensitivities, rnea, rnea_sensitivities
from pipeline.errors import DynamicsError
from pipeline.skeleton import link_poses, load_skeleton
from tests.dynamics.states import AGREEMENT, assert_close, random_wrench
from tests.oracles.pinocchio_tree import PinocchioTree
from tests.oracles.random_trees import random_state, random_tree
from tests.oracles.thesis_rnea import complex_step, thesis_rnea

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"


def assert_agrees_with_pinocchio(skeleton, rng, frames):
    q, qd, qdd = random_state(rng, len(skeleton), frames)
    ours = rnea_sensitivities(skeleton, q, qd, qdd)
    reference = PinocchioTree(skeleton)
    for t in range(frames):
        dq, dqd, dqdd = reference.rnea_derivatives(q[t], qd[t], qdd[t])
        for matrix, expected in ((ours.dtau_dq, dq), (ours.dtau_dqd, dqd), (ours.dtau_dqdd, dqdd)):
            assert np.abs(matrix[t] - expected).max() <= AGREEMENT * max(np.abs(expected).max(), 1.0)
        assert np.abs(dqdd).max() > 1e-3


def test_all_three_matrices_of_the_human_agree_with_pinocchio_in_200_states():
    assert_agrees_with_pinocchio(load_skeleton(SKELETON), np.random.default_rng(1), 200)


@pytest.mark.parametrize("seed", range(20))
def test_all_three_matrices_of_random_trees_agree_with_pinocchio(seed):
    rng = np.random.default_rng(seed)
    assert_agrees_with_pinocchio(random_tree(rng, int(rng.integers(1, 30))), rng, 10)


def rows_of_all(skeleton, found):
    return [found.internal.rows[name] for name in skeleton.joint_names]


@pytest.mark.parametrize("points", ["global", "link"])
@pytest.mark.parametrize("seed", range(4))
def test_torque_and_internal_load_sensitivities_with_wrenches_equal_complex_steps_of_the_thesis_recursion(seed, points):
    rng = np.random.default_rng(seed)
    n = 10
    skeleton = random_tree(rng, n)
    state = random_state(rng, n, 1)
    wrenches = {"joint_9": random_wrench(rng, 1), "joint_4": random_wrench(rng, 1)}
    ours = rnea_sensitivities(skeleton, *state, wrenches=wrenches, wrench_points=points, internal=True)
    loads = {skeleton.index(k): (w.force_G[0], w.moment_G[0], w.point_G[0]) for k, w in wrenches.items()}
    R, r = link_poses(skeleton, state[0])
    in_link = {j: R[0, j].T @ (point - r[0, j]) for j, (_, _, point) in loads.items()} if points == "link" else None
    for which, suffix in enumerate(("dq", "dqd", "dqdd")):

        def reference(x, which=which):
            args = (x if k == which else v[0] for k, v in enumerate(state))
            return thesis_rnea(skeleton, *args, loads=loads, in_link=in_link)

        columns = [complex_step(reference, state[which][0], j) for j in range(n)]
        tau, force, moment = (np.stack(column, axis=-1) for column in zip(*columns, strict=True))
        assert_close(getattr(ours, f"dtau_{suffix}")[0], tau)
        assert_close(getattr(ours.internal, f"dforce_{suffix}")[0, rows_of_all(skeleton, ours)], force)
        assert_close(getattr(ours.internal, f"dmoment_{suffix}")[0, rows_of_all(skeleton, ours)], moment)


@pytest.mark.parametrize("active", ["q", "q and qdd", "q and qd", "all"])
def test_the_human_with_ground_reactions_agrees_with_central_differences(active):
    """Case by case as the terms come in; with a step h = 1e-5 of entries of size one the error of a central difference

    is h^2 of the third derivative plus eps / h of the value, about 1e-10 + 1e-11 times the conditioning: 1e-7 is safe.
    """
    rng, skeleton, h = np.random.default_rng(3), load_skeleton(SKELETON), 1e-5
    q, qd, qdd = random_state(rng, 55, 2)
    qd, qdd = qd * (active in ("q and qd", "all")), qdd * (active in ("q and qdd", "all"))
    wrenches = {"right_foot": random_wrench(rng, 2), "left_toes": random_wrench(rng, 2)}
    ours = rnea_sensitivities(skeleton, q, qd, qdd, wrenches=wrenches, internal=True)
    for which, suffix in enumerate(("dq", "dqd", "dqdd")):
        tau, force, moment = np.empty((2, 55, 55)), np.empty((2, 55, 3, 55)), np.empty((2, 55, 3, 55))
        for j in range(55):
            up, down = [v.copy() for v in (q, qd, qdd)], [v.copy() for v in (q, qd, qdd)]
            up[which][:, j] += h
            down[which][:, j] -= h
            plus, minus = (rnea(skeleton, *state, wrenches=wrenches) for state in (up, down))
            tau[..., j] = (plus.tau - minus.tau) / (2 * h)
            force[..., j] = (plus.force_G - minus.force_G) / (2 * h)
            moment[..., j] = (plus.moment_G - minus.moment_G) / (2 * h)
        for matrix, expected in (
            (getattr(ours, f"dtau_{suffix}"), tau),
            (getattr(ours.internal, f"dforce_{suffix}")[:, rows_of_all(skeleton, ours)], force),
            (getattr(ours.internal, f"dmoment_{suffix}")[:, rows_of_all(skeleton, ours)], moment),
        ):
            assert np.abs(matrix - expected).max() <= 1e-7 * max(np.abs(expected).max(), 1.0)


def test_loads_of_chosen_joints_are_rows_of_those_of_all():
    rng, skeleton = np.random.default_rng(8), load_skeleton(SKELETON)
    state, wrenches = random_state(rng, 55, 2), {"right_foot": random_wrench(rng, 2)}
    every = rnea_sensitivities(skeleton, *state, wrenches=wrenches, internal=True)
    names = ["right_knee_flexion", "left_hip_flexion", "left_hip_adduction"]
    some = rnea_sensitivities(skeleton, *state, wrenches=wrenches, internal=names)
    assert set(some.internal.rows) == set(names)
    assert some.internal.dforce_dq.shape == (2, 2, 3, 55)  # both axes of the hip turn about one point
    np.testing.assert_array_equal(some.dtau_dq, rnea_sensitivities(skeleton, *state, wrenches=wrenches).dtau_dq)
    for load in ("force", "moment"):
        for suffix in ("dq", "dqd", "dqdd"):
            of_every, of_some = (getattr(found.internal, f"d{load}_{suffix}") for found in (every, some))
            for name in names:
                row = of_every[:, every.internal.rows[name]]
                assert np.abs(row).max() > 1e-3
                np.testing.assert_array_equal(of_some[:, some.internal.rows[name]], row)
    with pytest.raises(DynamicsError, match="knee"):
        rnea_sensitivities(skeleton, *state, internal=["knee"])


def test_a_load_between_two_hinges_at_one_point_parts_their_loads():
    skeleton, state = load_skeleton(SKELETON), random_state(np.random.default_rng(5), 55, 1)
    hip = ["right_hip_flexion", "right_hip_adduction", "right_hip_rotation"]
    free = rnea_sensitivities(skeleton, *state, internal=hip).internal
    assert [free.rows[name] for name in hip] == [0, 0, 0]
    loaded = {"right_hip_adduction": random_wrench(np.random.default_rng(6), 1)}
    parted = rnea_sensitivities(skeleton, *state, wrenches=loaded, internal=hip).internal
    assert [parted.rows[name] for name in hip] == [0, 0, 1]


def test_buffers_hold_zeros_where_neither_joint_is_the_others_ancestor():
    rng, skeleton = np.random.default_rng(5), load_skeleton(SKELETON)
    out = Sensitivities.empty(2, 55)
    for array in (out.dtau_dq, out.dtau_dqd, out.dtau_dqdd):
        array[:] = np.nan
    rnea_sensitivities(skeleton, *random_state(rng, 55, 2), out=out)
    related = skeleton.is_ancestor | skeleton.is_ancestor.T
    for array in (out.dtau_dq, out.dtau_dqd, out.dtau_dqdd):
        assert (array[:, ~related] == 0.0).all()
        assert np.isfinite(array).all()


def test_an_unknown_choice_of_wrench_points_is_refused():
    skeleton = random_tree(np.random.default_rng(6), 3)
    with pytest.raises(DynamicsError, match="wrench_points is 'local'"):
        rnea_sensitivities(skeleton, *random_state(np.random.default_rng(6), 3, 1), wrench_points="local")


def test_what_is_no_choice_of_internal_loads_is_refused():
    skeleton, state = random_tree(np.random.default_rng(3), 4), [np.full((1, 4), 0.3)] * 3
    assert rnea_sensitivities(skeleton, *state, internal=None).internal is None
    assert len(rnea_sensitivities(skeleton, *state, internal=np.True_).internal.rows) == 4
    with pytest.raises(DynamicsError, match="internal is 3"):
        rnea_sensitivities(skeleton, *state, internal=3)


def test_internal_loads_of_one_joint_may_be_asked_for_by_its_name():
    skeleton = random_tree(np.random.default_rng(3), 4)
    state = [np.full((1, 4), 0.3)] * 3
    name = skeleton.joint_names[2]
    one, listed = (rnea_sensitivities(skeleton, *state, internal=chosen).internal for chosen in (name, [name]))
    assert one.rows == listed.rows == {name: 0}
    np.testing.assert_array_equal(one.changes, listed.changes)
