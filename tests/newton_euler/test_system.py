"""The block system against the seed's equations written out, hand-worked diagrams, and identities of mechanics."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.errors import DynamicsError
from pipeline.math3d import Wrench, rotation_about
from pipeline.newton_euler import SegmentState, assemble, joint_force_G, joint_moment_G, solve

GRAVITY = np.array([0.0, -9.81, 0.0])


def cross_matrix(v):
    x, y, z = v
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def written_out(segments, ground, gravity, f):
    """One frame of the matrix formalism, block row by block row as printed, solved whole.

    R_F, R_S and R_T map G to the segment; r_X/Y is X - Y in G. Foot and shank give the printed 12 x 12; the thigh's two
    rows follow the pattern of the shank's.
    """
    R = [s.R_GS[f].T for s in segments]
    cm, joint = [s.com_G[f] for s in segments], [s.proximal_G[f] for s in segments]
    I3, O3 = np.eye(3), np.zeros((3, 3))
    (R_F, R_S), (A_, K_) = R[:2], joint[:2]
    rows = [
        [I3, O3, O3, O3],
        [R_F @ cross_matrix(A_ - cm[0]), I3, O3, O3],
        [-I3, O3, I3, O3],
        [-R_S @ cross_matrix(A_ - cm[1]), -R_S @ np.linalg.inv(R_F), R_S @ cross_matrix(K_ - cm[1]), I3],
    ]
    if len(segments) == 3:
        R_T, H_ = R[2], joint[2]
        rows = [[*row, O3, O3] for row in rows]
        above, below = R_T @ cross_matrix(H_ - cm[2]), -R_T @ cross_matrix(K_ - cm[2])
        rows += [[O3, O3, -I3, O3, I3, O3], [O3, O3, below, -R_T @ np.linalg.inv(R_S), above, I3]]
    cop, force, free = ground.point_G[f], ground.force_G[f], ground.moment_G[f]
    right = []
    for k, s in enumerate(segments):
        omega, alpha = R[k] @ s.omega_G[f], R[k] @ s.alpha_G[f]
        force_row = s.mass * s.com_acceleration_G[f] - s.mass * gravity
        moment_row = s.inertia_S @ alpha + np.cross(omega, s.inertia_S @ omega)
        if k == 0:
            force_row = force_row - force
            moment_row = moment_row - R_F @ np.cross(cop - cm[0], force) - R_F @ free
        right += [force_row, moment_row]
    return np.linalg.solve(np.block(rows), np.concatenate(right))


@pytest.mark.parametrize("count", [2, 3])
def test_the_batch_equals_a_plain_loop_over_the_equations_as_printed(count, rng):
    """12 x 12 (foot, shank) and 18 x 18 (with the thigh), and the plate's free moment, which the printed E leaves out.

    In states that no joint holds together, every entry of the matrices is exercised on its own.
    """
    frames = 200
    R = Rotation.random(count * frames, random_state=2).as_matrix().reshape(count, frames, 3, 3)
    segments = []
    for k in range(count):
        A = rng.normal(size=(3, 3))
        segments.append(SegmentState(rng.uniform(0.5, 5), A @ A.T, R[k], *rng.normal(size=(5, frames, 3))))
    ground = Wrench(*(100 * rng.normal(size=(2, frames, 3))), rng.normal(size=(frames, 3)))
    gravity = rng.normal(size=3)
    batch = solve(assemble(segments, ground, gravity)).total
    loop = np.array([written_out(segments, ground, gravity, f) for f in range(frames)])
    assert batch.shape == (frames, 6 * count)
    np.testing.assert_allclose(batch, loop, rtol=0.0, atol=1e-9)


def test_the_system_holds_as_an_equation(leg, ground, time):
    """M a = C + G + A F + E, the matrices themselves and not only what is solved from them."""
    system = assemble(leg.states(time), ground, GRAVITY)
    F = solve(system).total
    left = np.einsum("tij,tj->ti", system.M, system.a)
    right = system.C + system.G + np.einsum("tij,tj->ti", system.A, F) + system.E
    np.testing.assert_allclose(left, right, atol=1e-10)


def still(mass, com, joint, inertia=None, R=None, acceleration=(0, 0, 0), omega=(0, 0, 0), alpha=(0, 0, 0)):
    def row(v):
        return np.array([v], dtype=float)

    return SegmentState(
        mass,
        np.eye(3) * 0.01 if inertia is None else np.diag(inertia),
        np.eye(3)[None] if R is None else R[None],
        row(com),
        row(acceleration),
        row(omega),
        row(alpha),
        row(joint),
    )


def test_standing_on_the_forefoot_by_hand():
    """Static free-body diagram, all in the sagittal plane (x forward, y up; moments about z, to the right).

    Foot 1 kg, centre of mass (0.05, 0.05), ankle (0, 0.10), 700 N upwards at (0.15, 0).
      force:  F_A = -700 + 9.81 = -690.19 N.
      moment about the ankle: M_A + 0.15 * 700 - 0.05 * 9.81 = 0, so M_A = -105 + 0.4905 = -104.5095 Nm: the calf
      presses the forefoot down.
    Shank 3 kg, centre of mass (0.01, 0.32), knee (0.02, 0.50).
      force:  F_K = -690.19 + 29.43 = -660.76 N.
      moment about the knee: M_K - M_A - 0.02 * 690.19 + 0.01 * 29.43 = 0, so
      M_K = -104.5095 + 13.8038 - 0.2943 = -91.0 Nm.
    """
    foot = still(1.0, (0.05, 0.05, 0), (0, 0.10, 0))
    shank = still(3.0, (0.01, 0.32, 0), (0.02, 0.50, 0))
    ground = Wrench(np.array([[0, 700.0, 0]]), np.zeros(3), np.array([0.15, 0, 0]))
    F = solve(assemble([foot, shank], ground, GRAVITY)).total[0]
    expected = [0, -690.19, 0, 0, 0, -104.5095, 0, -660.76, 0, 0, 0, -91.0]
    np.testing.assert_allclose(F, expected, atol=1e-9)


def test_a_swinging_foot_below_a_turned_shank_by_hand():
    """Accelerating free-body diagram in three dimensions, no ground.

    Foot 2 kg, axes along G, I = diag(0.01, 0.02, 0.03), omega = (1, 2, 0), alpha = (0, 0, 5), a = (1, 0, 0),
    ankle 0.1 m above its centre of mass.
      F_A = 2 (1, 9.81, 0) = (2, 19.62, 0).
      I alpha + omega x I omega = (0, 0, 0.15) + (1, 2, 0) x (0.01, 0.04, 0) = (0, 0, 0.17).
      (0, 0.1, 0) x F_A = (0, 0, -0.2), so M_A = (0, 0, 0.37).
    Shank 1 kg at rest, its centre of mass at the ankle, the knee 0.4 m to the right (z), axes turned by +90 degrees
    about x: its y axis is G's z, its z axis G's -y.
      F_K = F_A + (0, 9.81, 0) = (2, 29.43, 0).
      M_K = M_A - (0, 0, 0.4) x F_K = (0, 0, 0.37) - (-11.772, 0.8, 0) = (11.772, -0.8, 0.37) in G,
      (11.772, 0.37, 0.8) in the shank.
    """
    foot = still(
        2.0, (0, 0, 0), (0, 0.1, 0), (0.01, 0.02, 0.03), acceleration=(1, 0, 0), omega=(1, 2, 0), alpha=(0, 0, 5)
    )
    quarter = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
    shank = still(1.0, (0, 0.1, 0), (0, 0.1, 0.4), R=quarter)
    F = solve(assemble([foot, shank], Wrench(np.zeros((1, 3)), np.zeros(3), np.zeros(3)), GRAVITY)).total
    np.testing.assert_allclose(F[0], [2, 19.62, 0, 0, 0, 0.37, 2, 29.43, 0, 11.772, 0.37, 0.8], atol=1e-12)
    np.testing.assert_allclose(joint_force_G(F, 1)[0], [2, 29.43, 0], atol=1e-12)
    np.testing.assert_allclose(joint_moment_G(F, 1, quarter[None])[0], [11.772, -0.8, 0.37], atol=1e-12)


def test_contributions_add_up_and_each_depends_on_its_own_cause_only(leg, ground, time):
    segments = leg.states(time)
    loads = solve(assemble(segments, ground, GRAVITY))
    parts = loads.inertia + loads.velocity + loads.gravity + loads.ground
    np.testing.assert_allclose(parts, loads.total, atol=1e-10)
    doubled = solve(assemble(segments, Wrench(2 * ground.force_G, 2 * ground.moment_G, ground.point_G), 3 * GRAVITY))
    np.testing.assert_allclose(doubled.ground, 2 * loads.ground, atol=1e-9)
    np.testing.assert_allclose(doubled.gravity, 3 * loads.gravity, atol=1e-9)
    np.testing.assert_array_equal(doubled.inertia, loads.inertia)
    np.testing.assert_array_equal(doubled.velocity, loads.velocity)
    # Gravity on the foot alone: the ankle holds its weight up.
    np.testing.assert_allclose(loads.gravity[:, 1], segments[0].mass * 9.81, atol=1e-12)


FIELDS = ["R_GS", "com_G", "com_acceleration_G", "omega_G", "alpha_G", "proximal_G"]


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("segment", [0, 1, 2])
def test_a_missing_segment_leaves_itself_and_what_is_above_missing_in_that_frame_only(
    segment, field, leg, ground, time
):
    """A missing thigh leaves ankle and knee known; no frame affects another."""
    segments = leg.states(time)
    expected = solve(assemble(segments, ground, GRAVITY)).total
    getattr(segments[segment], field)[7] = np.nan
    loads = solve(assemble(segments, ground, GRAVITY))
    np.testing.assert_array_equal(np.delete(loads.total, 7, axis=0), np.delete(expected, 7, axis=0))
    np.testing.assert_allclose(loads.total[7, : 6 * segment], expected[7, : 6 * segment], atol=1e-12)
    assert np.isnan(loads.total[7, 6 * segment + 3 :]).all()
    assert np.isnan(loads.ground[7, 6 * segment + 3 :]).all()


def test_an_unknown_ground_load_leaves_all_joint_loads_missing_in_that_frame(leg, ground, time):
    force = ground.force_G.copy()
    force[3] = np.nan
    total = solve(assemble(leg.states(time), Wrench(force, ground.moment_G, ground.point_G), GRAVITY)).total
    assert np.isnan(total[3]).all()
    assert np.isfinite(np.delete(total, 3, axis=0)).all()


def test_a_chain_without_segments_or_with_unequal_lengths_is_refused(leg, ground, time):
    with pytest.raises(DynamicsError, match="at least one segment"):
        assemble([], ground, GRAVITY)
    with pytest.raises(DynamicsError, match=r"segment 0: R_GS has shape \(40, 3, 3\), expected \(41, 3, 3\)"):
        assemble(leg.states(time[1:]), ground, GRAVITY)


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"mass": -1.0}, "segment 1: mass is -1. Give kg"),
        ({"mass": "5"}, "mass is not an array of numbers"),
        ({"inertia_S": [1.0, 2.0, 2.0]}, r"inertia_S has shape \(3,\)"),
        ({"inertia_S": -np.eye(3)}, "not symmetric with moments of zero or more"),
        ({"R_GS": 2.0 * np.eye(3)[None]}, "R_GS in frame 0 is .*not a rotation"),
        ({"R_GS": np.diag([1.0, 1.0, -1.0])[None]}, "right-handed"),
        ({"R_GS": np.zeros((1, 3, 3))}, "not a rotation"),
        ({"R_GS": np.eye(3)}, r"R_GS has shape \(3, 3\), expected \(1, 3, 3\)"),
        ({"omega_G": np.zeros((1, 1))}, r"omega_G has shape \(1, 1\)"),
        ({"proximal_G": np.zeros((1, 3)) + 1j}, "proximal_G is not an array of numbers"),
    ],
)
def test_segments_that_are_no_rigid_bodies_are_refused(wrong, message):
    """Each gave loads without a word: a matrix that is no rotation, or one rate for three axes, is spread silently."""
    right = still(2.0, (0, 0.1, 0), (0, 0.3, 0))
    with pytest.raises(DynamicsError, match=message):
        assemble([right, replace(right, **wrong)], Wrench(np.zeros((1, 3)), np.zeros(3), np.zeros(3)))


def test_a_rod_without_moment_about_its_axis_is_a_rigid_body():
    """Its least moment is zero but for rounding, here of a turn about x."""
    R = rotation_about(np.array([1.0, 0.0, 0.0]), 0.3)
    rod = replace(still(2.0, (0, 0.1, 0), (0, 0.3, 0)), inertia_S=R @ np.diag([0.2, 0.0, 0.2]) @ R.T)
    assert np.isfinite(solve(assemble([rod], Wrench(np.zeros((1, 3)), np.zeros(3), np.zeros(3)))).total).all()


def test_lists_integers_and_missing_frames_are_accepted():
    right = still(2, (0, 1, 0), (0, 3, 0))
    lists = replace(right, **{name: np.asarray(value).tolist() for name, value in vars(right).items()})
    load = Wrench([[0, 5, 0]], [0, 0, 0], [0, 0, 0])
    expected = solve(assemble([right], load)).total
    np.testing.assert_array_equal(solve(assemble([lists], load)).total, expected)
    missing = replace(right, R_GS=np.full((1, 3, 3), np.nan))
    assert np.isnan(solve(assemble([missing], load)).total).all()
