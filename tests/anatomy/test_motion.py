"""Known poses are recovered from their markers; angles have clinical signs; both sides are symmetric."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.anatomy import body_motion, calibrate, joint_angles, pelvis_angles
from pipeline.anatomy.motion import _cluster_notes
from pipeline.math3d import rotation_about
from pipeline.sides import other_label, other_side
from pipeline.trial import JointPose

SIDES = ("left", "right")
LATERAL = {"left": -1.0, "right": 1.0}
X, Y, Z = np.eye(3)


@pytest.fixture
def follow(person, record, plug_in_gait):
    """Calibrate the person standing upright, then evaluate the body in other poses."""

    def run(markers, inertia_table="dempster", **pose):
        static = record(person.pose({}, **pose)[0])
        calibration = calibrate(static, plug_in_gait, person.subject, inertia_table=inertia_table)
        return calibration, body_motion(markers, 100.0, plug_in_gait, calibration)

    return run


@pytest.fixture(params=["plain", "offsets"])
def person_with_offsets(request, person):
    """The person as markers sit ideally, and with wands and tibiae that need every correction."""
    if request.param == "offsets":
        person.values |= {"thigh_rotation_left": 0.12, "thigh_rotation_right": -0.07}
        person.values |= {"shank_rotation_left": -0.13, "shank_rotation_right": -0.09}
        person.values |= {"tibial_torsion_left": -0.29, "tibial_torsion_right": -0.25}
    return person


def test_joint_centres_and_frames_of_a_general_pose_are_recovered(person_with_offsets, follow, pose_angles):
    """1e-9 m and rad: the fixed-point iteration of the wand's rotation stops at 1e-12 m."""
    R_pelvis = Rotation.from_euler("zxy", [0.2, -0.1, 0.3]).as_matrix()
    markers, points, R = person_with_offsets.pose(pose_angles, R_pelvis=R_pelvis, origin=(1.0, 0.95, -0.2))
    _, body = follow(markers)
    for name, expected in points.items():
        np.testing.assert_allclose(body.points[name], expected, atol=1e-9, err_msg=name)
    for side in SIDES:
        for segment in ("thigh", "shank"):
            name = f"{side}_{segment}"
            np.testing.assert_allclose(body.segments[name].R_GS, R[name], atol=1e-9, err_msg=name)
        np.testing.assert_allclose(body.joints[f"{side}_knee"].R_GD, R[f"{side}_tibia_proximal"], atol=1e-9)
        np.testing.assert_allclose(body.segments[f"{side}_foot"].R_GS, R[f"{side}_foot"], atol=1e-9)
    assert body.absent == ()


def test_joint_angles_of_a_general_pose_are_recovered(person, follow, pose_angles):
    markers, *_ = person.pose(pose_angles)
    _, body = follow(markers)
    for name, expected in pose_angles.items():
        np.testing.assert_allclose(body.angles[name], expected, atol=1e-9, err_msg=name)


def test_tibial_torsion_is_taken_out_of_the_knee(person_with_offsets, follow, pose_angles):
    markers, *_ = person_with_offsets.pose(pose_angles)
    _, body = follow(markers)
    for side in SIDES:
        np.testing.assert_allclose(body.angles[f"{side}_knee"], pose_angles[f"{side}_knee"], atol=1e-9)


def test_standing_is_zero_in_all_joints_wherever_the_person_faces(person, follow):
    R_pelvis = rotation_about(Y, 2.0)
    markers, *_ = person.pose({}, R_pelvis=R_pelvis)
    _, body = follow(markers, R_pelvis=rotation_about(Y, -0.7))
    for side in SIDES:
        for joint in ("hip", "knee", "ankle"):
            np.testing.assert_allclose(body.angles[f"{side}_{joint}"], 0.0, atol=1e-9)


def test_the_foot_is_flat_in_the_static_trial_at_whatever_heights_its_markers_sit(person, record, plug_in_gait):
    markers, *_ = person.pose({})
    markers["LHEE"] = markers["LHEE"] + np.array([0.0, 0.02, 0.0])
    calibration = calibrate(record(markers), plug_in_gait, person.subject)
    body = body_motion(markers, 100.0, plug_in_gait, calibration)
    np.testing.assert_allclose(body.segments["left_foot"].R_GS[:, :, 0], np.tile(X, (5, 1)), atol=1e-9)


def test_the_centre_of_mass_lies_on_the_segment_and_moves_with_it(person, follow):
    """Dempster: 43.3 % from hip to knee; a pelvis that accelerates at 2 m/s^2 forward moves the thigh with it."""
    t = np.arange(30) / 100.0
    origin = np.stack([t**2, np.ones(30), 0.3 * t], axis=1)
    markers, points, _ = person.pose({"left_hip": np.tile([0.3, 0.1, -0.2], (30, 1))}, origin=origin)
    _, body = follow(markers)
    thigh = body.segments["left_thigh"]
    expected = points["left_hip"] + 0.433 * (points["left_knee"] - points["left_hip"])
    np.testing.assert_allclose(thigh.com_G, expected, atol=1e-9)
    np.testing.assert_allclose(thigh.com_velocity_G, np.stack([2 * t, 0 * t, 0.3 + 0 * t], axis=1), atol=1e-8)
    np.testing.assert_allclose(thigh.com_acceleration_G, np.tile([2.0, 0, 0], (30, 1)), atol=1e-5)
    np.testing.assert_allclose(thigh.omega_G, 0.0, atol=1e-7)


def pose_of(R_PD):
    still = np.zeros((1, 3))
    return JointPose(still, np.eye(3)[None], R_PD[None], still)


ACROSS = {  # direction of a distal point below (-y) or in front of (x) the joint when the angle is positive
    ("hip", 0): (-Y, X, "thigh swings forward"),
    ("knee", 0): (-Y, -X, "shank swings backward"),
    ("ankle", 0): (X, Y, "toes go up"),
    ("hip", 1): (-Y, "medial", "thigh swings towards the midline"),
    ("knee", 1): (-Y, "medial", "shank swings towards the midline"),
    ("ankle", 1): (-Y, "medial", "sole faces the midline"),
    ("hip", 2): (X, "medial", "front turns to the midline"),
    ("knee", 2): (X, "medial", "front turns to the midline"),
    ("ankle", 2): (X, "medial", "toes turn to the midline"),
}


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("joint", "plane"), ACROSS)
def test_each_clinical_angle_is_positive_in_the_direction_of_its_name(side, joint, plane):
    point, towards, _ = ACROSS[joint, plane]
    towards = -LATERAL[side] * Z if isinstance(towards, str) else towards
    axis = (Z, X, Y)[plane]
    for angle in (-0.3, 0.3):
        R = rotation_about(axis, angle)
        moved = np.sign((R @ point - point) @ towards)
        for sequence in ("zxy", "zyx"):
            found = joint_angles(f"{side}_{joint}", pose_of(R), sequence)[0]
            assert found[plane] == pytest.approx(0.3 * moved)
            np.testing.assert_allclose(np.delete(found, plane), 0.0, atol=1e-12)


@pytest.mark.parametrize(
    ("axis", "point", "towards", "plane"),
    [(Z, Y, X, 0), (X, Z, Y, 1), (Y, X, -Z, 2)],
    ids=["anterior tilt: top forward", "obliquity: right side up", "rotation: front to the left"],
)
def test_pelvis_angles_have_clinical_signs(axis, point, towards, plane):
    R = rotation_about(axis, 0.2)
    expected = 0.2 * np.sign((R @ point - point) @ towards)
    assert pelvis_angles(R[None])[0, plane] == pytest.approx(expected)


def mirrored(markers):
    """The same person seen in a mirror at the sagittal plane: z reversed, left and right markers swapped."""
    return {other_label(name): values * [1.0, 1.0, -1.0] for name, values in markers.items()}


def test_left_and_right_are_mirror_images_in_everything(person_with_offsets, record, plug_in_gait, pose_angles):
    from pipeline.config import Subject

    person = person_with_offsets
    R_pelvis = Rotation.from_euler("zxy", [0.1, 0.15, -0.3]).as_matrix()
    standing, walking = person.pose({})[0], person.pose(pose_angles, R_pelvis=R_pelvis)[0]
    image = Subject.from_si("image", "m", {other_side(name): value for name, value in person.values.items()})
    bodies, calibrations = [], []
    for subject, still, moving in (
        (person.subject, standing, walking),
        (image, mirrored(standing), mirrored(walking)),
    ):
        calibrations.append(calibrate(record(still), plug_in_gait, subject, inertia_table="de_leva"))
        bodies.append(body_motion(moving, 100.0, plug_in_gait, calibrations[-1]))
    one, other = bodies
    mirror = np.diag([1.0, 1.0, -1.0])
    for name, value in one.points.items():
        np.testing.assert_allclose(other.points[other_side(name)], value @ mirror, atol=1e-9, err_msg=name)
    for name, value in one.angles.items():
        if name != "pelvis":
            np.testing.assert_allclose(other.angles[other_side(name)], value, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(other.angles["pelvis"], one.angles["pelvis"] * [1.0, -1.0, -1.0], atol=1e-9)
    for name, segment in one.segments.items():
        twin_segment = other.segments[other_side(name)]
        np.testing.assert_allclose(twin_segment.R_GS, mirror @ segment.R_GS @ mirror, atol=1e-9)
        np.testing.assert_allclose(twin_segment.com_G, segment.com_G @ mirror, atol=1e-9)
        # An axial vector is mirrored with the opposite sign. 1e-5: second differences of 1e-9 at 100 Hz.
        np.testing.assert_allclose(twin_segment.omega_G, -segment.omega_G @ mirror, atol=1e-5)
        mine, its = calibrations[0].segments[name], calibrations[1].segments[other_side(name)]
        assert its.mass == mine.mass
        np.testing.assert_allclose(its.com_S, mine.com_S @ mirror, atol=1e-9)
        np.testing.assert_allclose(its.inertia_S, mine.inertia_S, atol=1e-9)


OWN = {
    "LTHI": {"left_thigh", "left_shank", "left_foot"},
    "LKNE": {"left_thigh", "left_shank", "left_foot"},
    "RTIB": {"right_shank", "right_foot"},
    "RANK": {"right_shank", "right_foot"},
    "LTOE": {"left_foot"},
}


@pytest.mark.parametrize("lost", OWN)
def test_a_missing_marker_affects_its_own_segments_and_frames_only(lost, person, follow, pose_angles):
    """A segment depends on the joint centres above it, so what is missing there is missing below, on one side."""
    markers, *_ = person.pose(pose_angles)
    _, whole = follow(markers)
    markers[lost] = markers[lost].copy()
    markers[lost][10:15] = np.nan
    _, body = follow(markers)
    for name, segment in body.segments.items():
        gone = ~np.isfinite(segment.com_G).all(axis=1)
        assert set(np.flatnonzero(gone)) == (set(range(10, 15)) if name in OWN[lost] else set()), name
        np.testing.assert_array_equal(segment.com_G[~gone], whole.segments[name].com_G[~gone])


def test_a_label_that_the_walk_lacks_is_named(person, follow, pose_angles):
    markers, *_ = person.pose(pose_angles)
    del markers["LTOE"]
    _, body = follow(markers)
    assert body.absent == ("LTOE",)
    assert np.isnan(body.segments["left_foot"].com_G).all()
    assert np.isfinite(body.segments["left_shank"].com_G).all()


def test_a_joint_turns_with_its_distal_against_its_proximal_segment(person, follow):
    """The hip flexes at 2 rad/s while the pelvis turns about the vertical at 0.7 rad/s: the thigh's velocity in the
    pelvis by rotation vectors of its pose from one frame to the next."""
    time = np.arange(41) / 100.0
    angles = {"left_hip": np.column_stack([2.0 * time, 0.3 * time, -0.8 * time])}
    R_pelvis = Rotation.from_rotvec(np.outer(0.7 * time, Y)).as_matrix()
    markers, *_ = person.pose(angles, R_pelvis=R_pelvis)
    _, body = follow(markers)
    for name in ("left_hip", "left_knee", "right_hip"):
        joint = body.joints[name]
        R_PD = np.swapaxes(joint.R_GP, 1, 2) @ joint.R_GD
        turned = Rotation.from_matrix(R_PD[2:] @ np.swapaxes(R_PD[:-2], 1, 2)).as_rotvec() / 0.02
        expected = np.einsum("tij,tj->ti", joint.R_GP[1:-1], turned)
        # Means over two frames; the ends of the recording are differences to one side.
        np.testing.assert_allclose(joint.omega_G[1:-1][2:-2], expected[2:-2], atol=2e-3)
    assert np.linalg.norm(body.joints["left_hip"].omega_G, axis=1).min() > 1.5


def test_markers_of_a_cluster_that_move_against_each_other_are_named_in_millimetres():
    """By hand: residuals of 3 and 4 mm have the root mean square 3.5 mm, of 12 and 16 mm 14 mm, frames unseen apart."""
    residuals = {"left_thigh": np.array([0.003, np.nan, 0.004]), "left_shank": np.array([0.012, 0.016])}
    frames = {"left_shank": SimpleNamespace(cluster=("A", "B", "C"))}
    pose = SimpleNamespace(cluster_residuals=residuals, marker_set=SimpleNamespace(frames=frames))
    said, warned = _cluster_notes(pose)
    assert said.text.endswith("left thigh 3.5 mm, left shank 14.1 mm")
    assert (warned.kind, warned.subject) == ("warning", "left shank")
    assert warned.text.startswith("A, B, C move relative to each other by 14 mm")
