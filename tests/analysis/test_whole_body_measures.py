"""Curves and measures of a walk on the whole skeleton: known rotations, and numbers worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import (
    SKELETON_VARIABLES,
    TIME_VARIABLES,
    body_measures,
    clinical_moments,
    drift,
    gait_cycles,
    limits,
    margins_of_stability,
    marker_errors,
    residual,
)
from pipeline.math3d import Wrench, rotation_about
from pipeline.trial import ForwardCheck, SegmentPose, WholeBody


@pytest.fixture
def body(demo_walk) -> WholeBody:
    return demo_walk.body


def posed(body: WholeBody, **degrees: float) -> WholeBody:
    """The body with constant coordinates."""
    q = np.zeros_like(body.kinematic.q)
    for name, value in degrees.items():
        q[:, body.joint_names.index(name)] = np.radians(value)
    return replace(body, kinematic=replace(body.kinematic, q=q))


def at(body: WholeBody, name: str, side: str) -> float:
    return float(SKELETON_VARIABLES[name].skeleton.read(body, body.kinematic, side)[0])


def test_pelvis_angles_are_given_for_either_side(body):
    """Skeleton: rotation to the left, list right side down, tilt backward; reported: own side forward, up, anterior."""
    found = posed(body, pelvis_rotation=7.0, pelvis_list=5.0, pelvis_tilt=3.0)
    assert at(found, "pelvic_tilt", "left") == pytest.approx(-3.0)
    assert at(found, "pelvic_obliquity", "left") == pytest.approx(5.0)
    assert at(found, "pelvic_obliquity", "right") == pytest.approx(-5.0)
    assert at(found, "pelvic_rotation", "right") == pytest.approx(7.0)
    assert at(found, "pelvic_rotation", "left") == pytest.approx(-7.0)


def test_an_arms_angles_are_those_of_its_own_side(body):
    found = posed(body, left_elbow_flexion=30.0, right_elbow_flexion=40.0)
    assert at(found, "elbow_flexion", "left") == pytest.approx(30.0)
    assert at(found, "elbow_flexion", "right") == pytest.approx(40.0)


def test_trunk_angles_are_forward_to_the_own_side_and_own_side_forward_whatever_the_pelvis_does(body, rng):
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    R_GP = q * np.linalg.det(q)
    flexion, bending, rotation = np.radians([12.0, 5.0, -8.0])
    # x forward, y up, z to the right: flexion lowers the front, bending to the right lowers z, a turn left brings z on.
    R_PT = (
        rotation_about(np.array([0.0, 0.0, 1.0]), -flexion)
        @ rotation_about(np.array([1.0, 0.0, 0.0]), bending)
        @ rotation_about(np.array([0.0, 1.0, 0.0]), rotation)
    )
    one = np.zeros((len(body.time), 3))
    poses = {
        **body.kinematic.segments,
        "pelvis": SegmentPose(np.tile(R_GP, (len(one), 1, 1)), one),
        "upper_thorax": SegmentPose(np.tile(R_GP @ R_PT, (len(one), 1, 1)), one),
    }
    found = replace(body, kinematic=replace(body.kinematic, segments=poses))
    for side, sign in (("right", 1.0), ("left", -1.0)):
        assert at(found, "trunk_flexion", side) == pytest.approx(12.0)
        assert at(found, "trunk_bending", side) == pytest.approx(sign * 5.0)
        assert at(found, "trunk_rotation", side) == pytest.approx(sign * -8.0)


@pytest.mark.parametrize("joint", ["ankle", "knee", "hip"])
def test_a_net_joint_force_accelerates_the_segments_below_it(body, joint):
    """F = sum of m (a - g) - ground reaction, by second differences of the stored poses of thigh, shank, foot, toes.

    Within 0.1 % of body weight: central differences at 100 Hz of a motion filtered at 6 Hz are off by 1 % of m a.
    """
    step, weight = body.time[1] - body.time[0], body.mass * 9.81
    below = ("toes", "foot", "shank", "thigh")[: {"ankle": 2, "knee": 3, "hip": 4}[joint]]
    for side in ("left", "right"):
        expected = -body.ground[side].force_G[1:-1]
        for name in (f"{side}_{part}" for part in below):
            link, pose = body.model.segments[name], body.kinematic.segments[name]
            com_S = np.linalg.solve(link.pose, [*body.model.com[link.joint], 1.0])[:3]
            com_G = pose.origin_G + pose.R_GS @ com_S
            acceleration = np.diff(com_G, 2, axis=0) / step**2
            expected = expected + body.model.mass[link.joint] * (acceleration - [0.0, -9.81, 0.0])
        read = SKELETON_VARIABLES[f"{joint}_force"].skeleton.read(body, body.kinematic, side)[1:-1]
        known = np.isfinite(read) & np.isfinite(expected).all(axis=1)
        assert known.sum() > 100, "little is left to compare"
        assert np.ptp(read[known]) > 0.8, "loaded and unloaded"
        np.testing.assert_allclose(read[known], np.linalg.norm(expected[known], axis=1) / weight, atol=1e-3)


@pytest.mark.parametrize("joint", ["ankle", "knee", "hip"])
def test_net_joint_forces_are_those_of_the_matrix_form(demo_walk, joint):
    """Within 1 % of body weight RMS, vectors in G; up to 4 % where a foot comes on a plate or leaves it, as the
    skeleton's ground reaction is filtered over the contact's ends."""
    body, loads = demo_walk.body, demo_walk.loads
    for side in ("left", "right"):
        matrix = loads.joints[f"{side}_{joint}"].force_G
        ours = body.kinematic.force_G[:, body.joint_names.index(f"{side}_{joint}_flexion")]
        both = np.isfinite(matrix).all(axis=1) & np.isfinite(ours).all(axis=1)
        assert both.sum() > 150, "little is left to compare"
        apart = np.linalg.norm(matrix - ours, axis=1)[both] / (body.mass * 9.81)
        assert np.sqrt(np.mean(apart**2)) < 0.01


def test_leg_moments_have_the_signs_of_the_matrix_form(demo_walk):
    """The same numbers as the matrix form's where both are known, to what their independent motions differ by."""
    body, loads = demo_walk.body, demo_walk.loads
    for joint, name in (("knee", "knee_extensor_moment"), ("ankle", "ankle_plantarflexor_moment")):
        for side in ("left", "right"):
            matrix = (
                clinical_moments(f"{side}_{joint}", loads.joints[f"{side}_{joint}"].moment_distal)[:, 0] / loads.mass
            )
            ours = SKELETON_VARIABLES[name].skeleton.read(body, body.kinematic, side)
            both = np.isfinite(matrix) & np.isfinite(ours)
            assert both.sum() > 50
            assert np.corrcoef(matrix[both], ours[both])[0, 1] > 0.98


def test_trunk_torques_are_given_for_either_side_and_forces_are_magnitudes(body):
    tau, force = np.zeros_like(body.kinematic.tau), np.zeros_like(body.kinematic.force_G)
    tau[:, body.joint_names.index("spine1_bending")] = body.mass
    tau[:, body.joint_names.index("spine1_flexion")] = body.mass
    force[:, body.joint_names.index("left_hip_flexion")] = body.mass * 9.81 * np.array([0.48, -0.6, 0.64])
    found = replace(body, kinematic=replace(body.kinematic, tau=tau, force_G=force))
    assert at(found, "trunk_bending_moment", "right") == pytest.approx(1.0)
    assert at(found, "trunk_bending_moment", "left") == pytest.approx(-1.0)
    assert at(found, "trunk_extensor_moment", "left") == pytest.approx(-1.0)
    assert at(found, "hip_force", "left") == pytest.approx(1.0)
    assert at(found, "hip_force", "right") == 0.0


def test_unobservable_curves_are_estimated_and_weak_ones_have_an_uncertainty(body):
    uncertainty = np.full(len(body.joint_names), np.radians(2.0))
    uncertainty[body.joint_names.index("left_elbow_flexion")] = np.inf
    uncertainty[body.joint_names.index("right_ankle_inversion")] = np.radians(14.0)
    thorax = ("upper_thorax",) * 3 + ("pelvis",) * (len(body.fitted_markers) - 3)
    found = replace(body, uncertainty=uncertainty, marker_segments=thorax)
    assert SKELETON_VARIABLES["elbow_flexion"].skeleton.observability(found, "left")[0] == "estimated"
    assert SKELETON_VARIABLES["elbow_flexion"].skeleton.observability(found, "right") == (
        "observed",
        pytest.approx(2.0),
    )
    assert SKELETON_VARIABLES["ankle_inversion"].skeleton.observability(found, "right") == ("weak", pytest.approx(14.0))
    assert SKELETON_VARIABLES["trunk_flexion"].skeleton.observability(found, "left")[0] == "observed"
    assert SKELETON_VARIABLES["head_flexion"].skeleton.observability(found, "left")[0] == "estimated"


def test_marker_errors_are_over_recorded_markers(body):
    distance = np.array([[0.003, np.nan, 0.001], [0.004, np.nan, np.nan], [np.nan, np.nan, 0.007]])
    errors = marker_errors(replace(body.kinematic, marker_error=distance))
    np.testing.assert_allclose(errors.rms, [np.sqrt((9 + 16) / 2) * 1e-3, np.nan, 5e-3])
    np.testing.assert_allclose(errors.maximum, [0.004, np.nan, 0.007])
    np.testing.assert_array_equal(errors.worst, [1, -1, 2])
    np.testing.assert_allclose(errors.frame_rms, [np.sqrt((9 + 1) / 2) * 1e-3, 4e-3, 7e-3])
    assert errors.overall == pytest.approx(np.sqrt((9 + 1 + 16 + 49) / 4) * 1e-3)


def small(body: WholeBody) -> WholeBody:
    """Two frames with known loads and one without, with round numbers; 80 kg and 1.6 m."""
    weight = 80.0 * 9.81
    force = np.array([[0.02, -0.03, 0.01], [0.04, 0.01, -0.01], [9.0, 9.0, 9.0]])
    com = np.array([[0.0, 0.9, 0.0], [0.0, 0.7, 0.0], [0.0, 50.0, 0.0]])
    one = np.array([[0.0, 0.5, 0.0], [0.3, 0.7, 0.0], [0.0, 9.0, 0.0]])
    other = np.array([[0.0, 0.5, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 0.0]])
    still = np.zeros((3, 3))
    motion = replace(body.kinematic, residual_force=force, residual_moment=force / 10.0, com_G=com)
    return replace(
        body,
        mass=80.0,
        height=1.6,
        loads_known=np.array([True, True, False]),
        kinematic=motion,
        residual_reduced=None,
        ground={"left": Wrench(weight * one, still, still), "right": Wrench(weight * other, still, still)},
    )


def test_the_residual_is_taken_over_balanced_frames_in_percent(body):
    left = residual(small(body), small(body).kinematic)
    np.testing.assert_allclose(left.force_rms, 100.0 * np.sqrt([(4 + 16) / 2e4, (9 + 1) / 2e4, 1e-4]))
    np.testing.assert_allclose(left.force_peak, [4.0, 3.0, 1.0])
    np.testing.assert_allclose(left.moment_peak, [0.4, 0.3, 0.1])
    none = replace(small(body), loads_known=np.zeros(3, dtype=bool))
    assert residual(none, none.kinematic) is None
    assert np.isnan(limits(none)).all()


def test_limits_are_those_of_hicks(body):
    """Net force 0.3 forward and 1.2 up: its magnitude is 1.2369 body weights; centre of mass at half the stature."""
    force, moment = limits(small(body))
    assert force == pytest.approx(5.0 * np.hypot(0.3, 1.2))
    assert moment == pytest.approx(1.0 * np.hypot(0.3, 1.2) * 0.8 / 1.6)


def test_the_drift_is_the_largest_distance_and_rotation_of_the_pelvis(body):
    fitted = np.ones((3, 6))
    simulated = fitted.copy()
    simulated[1] += [0.03, 0.0, -0.04, 0.0, -0.02, 0.01]
    simulated[2, 0] += 0.01
    found = replace(body, forward_check=ForwardCheck(body.joint_names[:6], np.arange(3.0), fitted, simulated))
    assert drift(found) == (pytest.approx(0.05), pytest.approx(0.02))
    assert np.isnan(drift(replace(body, forward_check=None))).all()


def test_every_measure_has_one_name_for_each_motion_and_side(body):
    measures = list(body_measures(body))
    keys = [(measure.motion, measure.side, measure.name) for measure in measures]
    assert len(set(keys)) == len(keys) > 40
    found = {(measure.side, measure.name): measure.value for measure in measures}
    assert found["left", "ankle_sagittal_moment_peak_matrix_form"] > 1.0, "a plantarflexor moment is positive"
    for told in body.moment_comparisons:
        side, joint = told.joint.split("_")
        to_extensor = 1.0 if joint == "knee" else -1.0
        for form, peak in (("matrix_form", told.matrix_form_peak), ("skeleton", told.skeleton_peak)):
            assert found[side, f"{joint}_sagittal_moment_peak_{form}"] == pytest.approx(to_extensor * peak)


def test_the_mass_on_tracked_segments_is_told_in_percent(body):
    found = {m.name: (m.value, m.unit) for m in body_measures(replace(body, mass_tracked=0.93))}
    assert found["mass_tracked"] == (pytest.approx(93.0), "%")


def test_marker_errors_are_told_in_millimetres(body):
    """3 mm in half of the frames and 4 mm in the others: sqrt(12.5) mm."""
    distance = np.full_like(body.kinematic.marker_error, 0.003)
    distance[: len(distance) // 2] = 0.004
    distance[:, 0] = np.nan
    share = (len(distance) // 2) / len(distance)
    told = replace(body, kinematic=replace(body.kinematic, marker_error=distance))
    found = {m.name: (m.value, m.unit) for m in body_measures(told) if m.motion == "kinematic"}
    assert found["marker_error_rms"] == (pytest.approx(np.sqrt(9.0 + 7.0 * share)), "mm")
    assert found["marker_error_maximum"] == (pytest.approx(4.0), "mm")


def test_held_out_residuals_are_in_percent_and_drift_in_millimetres_and_degrees(body):
    """Of 2, 4 and 1 % of body weight and 0.3, 0.2 and 0.1 % of it times height; 30 and 40 mm at a right angle are 50
    mm, and 20 degrees."""
    names, still = body.joint_names[:6], np.zeros((2, 6))
    off = np.array([[0.01, 0.0, 0.0, 0.0, 0.0, 0.0], [0.03, 0.0, -0.04, 0.0, np.radians(-20.0), 0.0]])
    told = replace(
        body,
        held_out_residual_force=np.array([0.02, 0.04, 0.01]),
        held_out_residual_moment=np.array([0.003, 0.002, 0.001]),
        forward_check=ForwardCheck(names, np.arange(2.0), still, off),
    )
    found = {m.name: (m.value, m.unit) for m in body_measures(told)}
    held_out = {name: value for name, value in found.items() if name.endswith("held_out_rms")}
    assert [(pytest.approx(value), unit) for value, unit in held_out.values()] == [
        *((value, "%BW") for value in (2.0, 4.0, 1.0)),
        *((value, "%BW*height") for value in (0.3, 0.2, 0.1)),
    ]
    assert found["free_body_drift"] == (pytest.approx(50.0), "mm")
    assert found["free_body_rotation"] == (pytest.approx(20.0), "deg")


def test_curves_of_the_residual_are_in_percent_where_both_feet_s_loads_are_known(body):
    """The force of `small` by axis, and the moment, a tenth of it; the last frame's loads are not known."""
    known = small(body)
    force = 100.0 * known.kinematic.residual_force
    for quantity, expected in (("residual_force", force), ("residual_moment", force / 10.0)):
        curves = [v.time(known, known.kinematic) for v in TIME_VARIABLES.values() if v.quantity == quantity]
        np.testing.assert_allclose(np.stack(curves, axis=1)[:2], expected[:2])
        assert np.isnan(np.stack(curves)[:, 2]).all()


@pytest.mark.parametrize(("side", "outwards"), [("left", -1.0), ("right", 1.0)])
@pytest.mark.parametrize(("belt", "degrees"), [(0.0, 0.0), (1.2, 0.0), (0.0, 8.0)])
def test_margins_of_stability_by_hand(demo_walk, belt, degrees, side, outwards):
    """Right ankle 0.3 m ahead of the centre of mass, 0.1 m to its right and 0.8 m below, which moves by 1.2 m/s forward
    and 0.2 m/s to the right: l = sqrt(0.74) m, sqrt(g / l) = 3.377 /s; 100 - 200 / 3.377 and 300 - 1200 / 3.377 mm. The
    same on a belt that takes foot and body back, at an angle to the progression, and on the left with all of it
    mirrored."""
    body, motion, time = demo_walk.body, demo_walk.body.kinematic, demo_walk.body.time
    cycles = gait_cycles(demo_walk.kinematics, demo_walk.loads)
    own = next(c for c in cycles.cycles if c.cycle.side == side)
    start = own.cycle.initial_contact
    place = np.array([4.0, 0.0, -2.0])  # far from the origin
    com_G = place + np.array([0.0, 0.9, 0.0]) + np.outer(time - start, [1.2 - belt, 0.0, 0.2 * outwards])
    stride = 1.2 * (own.cycle.next_initial_contact - start) * np.cos(np.radians(degrees))
    turn = rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(degrees))
    moved_on = np.outer(time - start, [1.2 - belt, 0.0, 0.0])  # from contact to contact
    ankle_G = place + np.array([0.3, 0.1, 0.1 * outwards]) + moved_on
    segments = motion.segments | {f"{side}_foot": replace(motion.segments[f"{side}_foot"], origin_G=ankle_G @ turn.T)}
    moved = replace(body, kinematic=replace(motion, com_G=com_G @ turn.T, segments=segments))
    curves = replace(own, parameters=own.parameters | {"stride_length": stride})
    found = {m.name: m.value for m in margins_of_stability(moved, replace(cycles, cycles=(curves,)))}
    assert found["margin_of_stability_lateral"] == pytest.approx(100 - 200 / 3.3768, abs=0.05)
    assert found["margin_of_stability_forward"] == pytest.approx(300 - 1200 / 3.3768, abs=0.05)
