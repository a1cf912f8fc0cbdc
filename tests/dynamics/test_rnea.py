"""Inverse dynamics against Pinocchio, and diagrams worked by hand."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.dynamics import JointLoads, Wrench, rnea
from pipeline.errors import DynamicsError
from pipeline.skeleton import Skeleton, load_skeleton
from tests.dynamics.states import assert_close, random_wrench
from tests.oracles.pinocchio_tree import PinocchioTree
from tests.oracles.random_trees import random_state, random_tree

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"


def assert_agrees_with_pinocchio(skeleton, rng, frames, wrenches):
    q, qd, qdd = random_state(rng, len(skeleton), frames)
    ours = rnea(skeleton, q, qd, qdd, wrenches=wrenches)
    reference = PinocchioTree(skeleton)
    for t in range(frames):
        tau, force, moment = reference.rnea(q[t], qd[t], qdd[t], wrenches, t)
        assert_close(ours.tau[t], tau)
        assert_close(ours.force_G[t], force)
        assert_close(ours.moment_G[t], moment)


def test_torques_and_internal_loads_of_the_human_agree_with_pinocchio_in_300_states():
    rng = np.random.default_rng(1)
    wrenches = {"right_foot": random_wrench(rng, 300), "left_toes": random_wrench(rng, 300)}
    assert_agrees_with_pinocchio(load_skeleton(SKELETON), rng, 300, wrenches)


@pytest.mark.parametrize("seed", range(20))
def test_torques_and_internal_loads_of_random_trees_with_prismatic_joints_agree_with_pinocchio(seed):
    rng = np.random.default_rng(seed)
    skeleton = random_tree(rng, int(rng.integers(1, 30)))
    assert_agrees_with_pinocchio(skeleton, rng, 10, {skeleton.joint_names[-1]: random_wrench(rng, 10)})


def test_a_subject_a_kilometre_from_the_origin_of_g_has_the_same_joint_loads():
    rng = np.random.default_rng(3)
    skeleton = load_skeleton(SKELETON)
    q, qd, qdd = random_state(rng, 55, 5)
    far = q.copy()
    far[:, :3] += 1000.0
    here, there = rnea(skeleton, q, qd, qdd), rnea(skeleton, far, qd, qdd)
    # positions of 1000 m carry 1e-13 m of rounding, a ten-thousandth of a nanometre on every moment arm
    assert_close(there.tau, here.tau, 1e-10)
    assert_close(there.moment_G[:, 6:], here.moment_G[:, 6:], 1e-10)


def one_rod():
    """A rod of 2 kg and 1 m whose joint's axis is G's Z; at q = 0 the rod lies along +X."""
    return Skeleton(
        joint_names=("hinge",),
        parent=[-1],
        kind=("R",),
        theta=[0.0],
        d=[0.0],
        a=[1.0],
        alpha=[0.0],
        origin=[np.eye(4)],
        mass=[2.0],
        com=[[-0.5, 0.0, 0.0]],
        inertia=[np.diag([0.0, 2.0 / 12.0, 2.0 / 12.0])],
    )


def test_a_ground_reaction_on_a_horizontal_rod_matches_the_free_body_diagram():
    """A rod of 2 kg, 1 m, held at its left end, at rest, with gravity 9.81 down.

        hinge o================> X          tip pushed up with 5 N, and a moment of 0.7 Nm about +Z
              |       | 19.62 N    | 5 N

    Force of the hinge on the rod: 19.62 - 5 = 14.62 N up.
    Moment about the hinge, +Z: 0.5 * 19.62 - 1 * 5 - 0.7 = 4.11 Nm.
    """
    wrench = Wrench(np.array([[0.0, 5.0, 0.0]]), np.array([0.0, 0.0, 0.7]), np.array([1.0, 0.0, 0.0]))
    rest = np.zeros((1, 1))
    loads = rnea(one_rod(), rest, rest, rest, wrenches={"hinge": wrench})
    np.testing.assert_allclose(loads.force_G[0, 0], [0.0, 14.62, 0.0], atol=1e-12)
    np.testing.assert_allclose(loads.moment_G[0, 0], [0.0, 0.0, 4.11], atol=1e-12)
    np.testing.assert_allclose(loads.tau, [[4.11]], atol=1e-12)


def test_a_spinning_rod_pulls_on_its_hinge_and_needs_torque_for_its_acceleration():
    """At 3 rad/s and 4 rad/s^2 without gravity: F = m (-r w^2, r a) = (-9, 4) N, tau = (m l^2 / 3) a = 8/3 Nm."""
    loads = rnea(one_rod(), [[0.0]], [[3.0]], [[4.0]], gravity=(0, 0, 0))
    np.testing.assert_allclose(loads.force_G[0, 0], [-9.0, 4.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(loads.tau, [[8.0 / 3.0]], atol=1e-12)


def test_a_standing_human_held_up_by_the_ground_has_no_residual():
    """Body weight under the centre of mass carries the subject: the six global joints exert nothing."""
    skeleton = load_skeleton(SKELETON)
    rest = np.zeros((1, 55))
    weight = 9.81 * skeleton.mass.sum()
    unsupported = rnea(skeleton, rest, rest, rest)
    np.testing.assert_allclose(unsupported.tau[0, skeleton.global_joints[:3]], [0.0, weight, 0.0], atol=1e-9)
    x, z = unsupported.moment_G[0, 0, 2] / weight, -unsupported.moment_G[0, 0, 0] / weight
    half = np.array([[0.0, weight / 2, 0.0]])
    wrenches = {foot: Wrench(half, np.zeros(3), np.array([x, -0.93, z])) for foot in ("right_foot", "left_foot")}
    supported = rnea(skeleton, rest, rest, rest, wrenches=wrenches)
    np.testing.assert_allclose(supported.tau[0, skeleton.global_joints], 0.0, atol=1e-9)
    knee = skeleton.index("right_knee_flexion")
    assert supported.force_G[0, knee, 1] < 0.0  # the thigh presses the shank down


def test_the_link_of_a_wrench_may_be_named_by_segment_or_joint():
    skeleton, rng = load_skeleton(SKELETON), np.random.default_rng(4)
    q, qd, qdd = random_state(rng, 55, 2)
    wrench = random_wrench(rng, 2)
    by_segment = rnea(skeleton, q, qd, qdd, wrenches={"right_foot": wrench})
    by_joint = rnea(skeleton, q, qd, qdd, wrenches={"right_ankle_inversion": wrench})
    np.testing.assert_array_equal(by_segment.tau, by_joint.tau)


def test_buffers_are_filled_and_returned():
    skeleton, rng = random_tree(np.random.default_rng(6), 5), np.random.default_rng(6)
    q, qd, qdd = random_state(rng, 5, 3)
    out = JointLoads.empty(3, 5)
    assert rnea(skeleton, q, qd, qdd, out=out) is out
    np.testing.assert_array_equal(out.tau, rnea(skeleton, q, qd, qdd).tau)
    with pytest.raises(DynamicsError, match=r"out.tau is not .* \(4, 5\)"):
        rnea(skeleton, *random_state(rng, 5, 4), out=out)


def test_read_only_and_strided_inputs_are_accepted():
    skeleton, rng = random_tree(np.random.default_rng(7), 5), np.random.default_rng(7)
    wide = rng.normal(size=(8, 10))
    wide.setflags(write=False)
    strided = rnea(skeleton, wide[::2, :5], wide[::2, 5:], wide[1::2, :5]).tau
    copied = rnea(skeleton, wide[::2, :5].copy(), wide[::2, 5:].copy(), wide[1::2, :5].copy()).tau
    np.testing.assert_array_equal(strided, copied)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("which", [0, 1, 2])
def test_a_state_that_is_not_finite_is_refused_with_frame_and_joint(value, which):
    state = random_state(np.random.default_rng(8), 5, 4)
    state[which][2, 3] = value
    with pytest.raises(DynamicsError, match=rf"{('q', 'qd', 'qdd')[which]} is -?(nan|inf) in frame 2, joint joint_3"):
        rnea(random_tree(np.random.default_rng(8), 5), *state)


def test_shapes_that_disagree_are_refused():
    skeleton = random_tree(np.random.default_rng(9), 5)
    state = random_state(np.random.default_rng(9), 5, 4)
    with pytest.raises(DynamicsError, match=r"qdd has shape \(3, 5\), expected \(4, 5\)"):
        rnea(skeleton, state[0], state[1], state[2][:3])
    with pytest.raises(DynamicsError, match="q is not an array of numbers"):
        rnea(skeleton, "rest", *np.zeros((2, 4, 5)))
    with pytest.raises(DynamicsError, match=r"q has shape \(5,\), expected \(T, 5\)"):
        rnea(skeleton, *(v[0] for v in state))


def test_a_malformed_wrench_is_refused_with_its_link():
    skeleton = random_tree(np.random.default_rng(10), 5)
    state = random_state(np.random.default_rng(10), 5, 4)
    with pytest.raises(DynamicsError, match=r"wrench on joint_2: the wrench has 3 frames, the motion 4"):
        rnea(skeleton, *state, wrenches={"joint_2": random_wrench(np.random.default_rng(0), 3)})
    with pytest.raises(DynamicsError, match="'foot'"):
        rnea(skeleton, *state, wrenches={"foot": random_wrench(np.random.default_rng(0), 4)})
    lost = Wrench(np.zeros((4, 3)), np.zeros(3), np.full(3, np.nan))
    with pytest.raises(DynamicsError, match=r"wrench on joint_2: point_G is nan in frame 0"):
        rnea(skeleton, *state, wrenches={"joint_2": lost})


def test_with_buffers_no_memory_is_taken_that_grows_with_the_frames():
    import tracemalloc

    from pipeline.dynamics import Sensitivities, rnea_sensitivities

    skeleton, peaks = load_skeleton(SKELETON), []
    for frames in (10, 400):
        state = random_state(np.random.default_rng(0), 55, frames)
        loads, sensitivities = JointLoads.empty(frames, 55), Sensitivities.empty(frames, 55)
        rnea(skeleton, *state, out=loads)
        rnea_sensitivities(skeleton, *state, out=sensitivities)
        tracemalloc.start()
        rnea(skeleton, *state, out=loads)
        rnea_sensitivities(skeleton, *state, out=sensitivities)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + 4000  # bytes; the outputs themselves take 30 MB more


@pytest.mark.parametrize("gravity", [-9.81, (0.0, -9.81), (0.0, np.nan, 0.0), np.zeros((2, 3))])
def test_gravity_that_is_not_three_finite_numbers_is_refused(gravity):
    rest = np.zeros((2, 1))
    with pytest.raises(DynamicsError, match="gravity is"):
        rnea(one_rod(), rest, rest, rest, gravity=gravity)


def test_masked_complex_and_text_coordinates_are_refused():
    """A masked entry passed as finite, and the imaginary part of complex steps was dropped: both gave wrong torques."""
    tree, z = random_tree(np.random.default_rng(2), 2), np.zeros((1, 2))
    with pytest.raises(DynamicsError, match="q is nan in frame 0, joint joint_0"):
        rnea(tree, np.ma.masked_invalid([[np.nan, 1.0]]), z, z)
    for value in (z + 1e-20j, [["1", "2"]], [[1.0], [1.0, 2.0]]):
        with pytest.raises(DynamicsError, match="q is not an array of numbers"):
            rnea(tree, value, z, z)
        with pytest.raises(DynamicsError, match="force_G is not an array of numbers"):
            Wrench(value, np.zeros(3), np.zeros(3))
    with pytest.raises(DynamicsError, match="gravity is"):
        rnea(tree, z, z, z, gravity=np.array([0, -9.81 + 1j, 0]))
    filled = np.ma.masked_invalid([[0.5, 1.0]])
    np.testing.assert_array_equal(rnea(tree, filled, z, z).tau, rnea(tree, [[0.5, 1]], z, z).tau)


@pytest.mark.parametrize("loads", [[1], {"joint_1": ([0, 0, 0],) * 3}])
def test_loads_that_are_no_wrenches_by_segment_are_refused(loads):
    tree, z = random_tree(np.random.default_rng(2), 2), np.zeros((3, 2))
    with pytest.raises(DynamicsError, match="Give a dictionary of Wrench by segment"):
        rnea(tree, z, z, z, wrenches=loads)
