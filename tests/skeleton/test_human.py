"""The 55-joint human that ships: anthropometry, posture, signs, symmetry, frozen joints."""

from pathlib import Path

import numpy as np
import pytest
import yaml

from pipeline.dynamics import Wrench, rnea, rnea_sensitivities
from pipeline.errors import ConfigError, DynamicsError
from pipeline.sides import other_side
from pipeline.skeleton import (
    active_joints,
    link_poses,
    load_skeleton,
    merge_frozen,
    mirror_map,
    point_motion,
    segment_pose,
)
from tests.oracles.random_trees import random_state, random_tree

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"
REST = np.zeros((1, 55))


@pytest.fixture(scope="module", params=[("male", 73.0, 1.741), ("female", 61.9, 1.735), ("female", 48.0, 1.52)])
def subject(request):
    return request.param


@pytest.fixture(scope="module")
def human(subject):
    sex, mass, height = subject
    return load_skeleton(SKELETON, mass=mass, height=height, sex=sex)


def centre_of_mass(skeleton, q):
    R, r = link_poses(skeleton, q)
    com = r + np.einsum("tjik,jk->tji", R, skeleton.com)
    return np.einsum("j,tji->ti", skeleton.mass, com) / skeleton.mass.sum()


def test_the_joints_are_counted_as_published(human):
    count = {
        key: sum(name.startswith(key) for name in human.joint_names)
        for key in ("pelvis", "spine", "lower_neck", "upper_neck")
    }
    assert len(human) == 55
    assert count == {"pelvis": 6, "spine": 12, "lower_neck": 3, "upper_neck": 2}
    for side in ("right", "left"):
        names = [name for name in human.joint_names if name.startswith(f"{side}_")]
        assert sum(part in name for name in names for part in ("hip", "knee", "ankle", "toe")) == 7
        assert sum(part in name for name in names for part in ("clavicle", "shoulder", "elbow", "wrist")) == 9
    assert human.kind[:6] == ("P", "P", "P", "R", "R", "R")
    assert human.frozen.sum() == 17
    np.testing.assert_array_equal(human.global_joints, range(6))


def test_the_total_mass_is_the_subjects(human, subject):
    assert human.mass.sum() == pytest.approx(subject[1], rel=1e-14)


def test_the_published_inertia_of_the_thigh_is_found_again(human, subject):
    """de Leva 1996, men: mass 14.16 %, radius of gyration 32.9 % of 422.2 / 1741 of stature about the frontal axis."""
    sex, mass, height = subject
    share, radius, length = (0.1416, 0.329, 422.2 / 1741) if sex == "male" else (0.1478 / 0.9999, 0.369, 368.5 / 1735)
    thigh = human.segment("right_thigh")
    R = thigh.pose[:3, :3]
    inertia = R.T @ human.inertia[thigh.joint] @ R
    assert human.mass[thigh.joint] == pytest.approx(share * mass, rel=1e-12)
    # the table prints lengths to 0.1 mm
    assert inertia[0, 0] == pytest.approx(share * mass * (radius * length * height) ** 2, rel=1e-3)


@pytest.mark.parametrize(
    "joints", [("spine1_rotation", "spine2_rotation"), ("right_ankle_inversion", "right_toe_extension")]
)
def test_the_slices_of_a_body_together_have_its_published_mass_and_inertia(human, subject, joints):
    sex, mass, height = subject
    table = yaml.safe_load(SKELETON.read_text(encoding="utf-8"))
    body = table["bodies"]["abdomen" if "spine" in joints[0] else "foot"]
    total_share = 1.0 if sex == "male" else 0.9999
    R, r = link_poses(human, REST)
    index = [human.index(name) for name in joints]
    masses = human.mass[index]
    com = np.array([r[0, j] + R[0, j] @ human.com[j] for j in index])
    centre = masses @ com / masses.sum()
    inertia = sum(
        R[0, j] @ human.inertia[j] @ R[0, j].T
        + m * ((c - centre) @ (c - centre) * np.eye(3) - np.outer(c - centre, c - centre))
        for j, m, c in zip(index, masses, com, strict=True)
    )
    reference = table["reference_height"][sex]
    sagittal, transverse, longitudinal = np.array(body["radii"][sex]) * body["length"][sex] * height / reference
    expected = (sagittal, longitudinal, transverse) if "spine" in joints[0] else (longitudinal, sagittal, transverse)
    whole = mass * body["mass"][sex] / total_share
    assert masses.sum() == pytest.approx(whole, rel=1e-12)
    np.testing.assert_allclose(inertia, whole * np.diag(np.square(expected)), atol=1e-12)


def test_the_zero_pose_is_upright_with_all_segments_parallel_to_g(human, subject):
    for name in human.segments:
        R, _ = segment_pose(human, name, REST)
        np.testing.assert_allclose(R[0], np.eye(3), atol=1e-12, err_msg=name)
    definition = yaml.safe_load(SKELETON.read_text(encoding="utf-8"))
    scale = subject[2] / definition["reference_height"][subject[0]]
    above, below = (definition["lengths"][name][subject[0]] * scale for name in ("cranium", "ankle_height"))
    _, head = segment_pose(human, "head", REST)
    _, foot = segment_pose(human, "right_foot", REST)
    stature = head[0, 1] + above - (foot[0, 1] - below)
    assert stature == pytest.approx(subject[2], abs=1e-4)  # lengths in the file are given to 0.01 mm


def test_the_centre_of_mass_lies_at_half_to_six_tenths_of_the_stature(human, subject):
    """Published heights of the standing centre of mass: 55 to 57 % of the stature (e.g. Croskey 1922)."""
    _, foot = segment_pose(human, "right_toes", REST)
    height = (centre_of_mass(human, REST)[0, 1] - foot[0, 1] + 0.015 * subject[2]) / subject[2]
    assert 0.53 < height < 0.59


def test_the_left_side_mirrors_the_right_exactly(human):
    index, sign = mirror_map(human)
    q, _, _ = random_state(np.random.default_rng(0), 55, 5)
    mirrored = sign * q[:, index]
    flip = np.array([1.0, 1.0, -1.0])
    for name in human.segments:
        other = other_side(name)
        R, r = segment_pose(human, name, q)
        S, s = segment_pose(human, other, mirrored)
        np.testing.assert_allclose(s, r * flip, atol=1e-12)
        np.testing.assert_allclose(S, flip[:, None] * R * flip, atol=1e-12)
    for j, name in enumerate(human.joint_names):
        if name.startswith("right_"):
            k = human.index(name.replace("right", "left"))
            assert human.mass[j] == human.mass[k]
            np.testing.assert_array_equal(human.com[j] * flip, human.com[k])
            np.testing.assert_array_equal(human.inertia[j] * np.outer(flip, flip), human.inertia[k])
            assert (human.d[j], human.alpha[j], human.a[j]) == (-human.d[k], -human.alpha[k], human.a[k])


MOVES = {
    "right_hip_flexion": ("right_thigh", (0, -0.3, 0), "x", 1),
    "right_hip_adduction": ("right_thigh", (0, -0.3, 0), "z", -1),
    "right_hip_rotation": ("right_thigh", (0.1, -0.3, 0), "z", -1),
    "right_knee_flexion": ("right_shank", (0, -0.3, 0), "x", -1),
    "right_ankle_flexion": ("right_foot", (0.1, 0, 0), "y", 1),
    "right_ankle_inversion": ("right_foot", (0, 0, -0.05), "y", 1),
    "right_toe_extension": ("right_toes", (0.05, 0, 0), "y", 1),
    "right_shoulder_flexion": ("right_upper_arm", (0, -0.2, 0), "x", 1),
    "right_shoulder_adduction": ("right_upper_arm", (0, -0.2, 0), "z", -1),
    "right_elbow_flexion": ("right_forearm", (0, -0.2, 0), "x", 1),
    "right_elbow_pronation": ("right_forearm", (0.05, -0.2, 0), "z", -1),
    "right_wrist_flexion": ("right_hand", (0, -0.1, 0), "x", 1),
    "right_clavicle_protraction": ("right_clavicle", (0, 0, 0.15), "x", 1),
    "right_clavicle_elevation": ("right_clavicle", (0, 0, 0.15), "y", 1),
    "left_hip_adduction": ("left_thigh", (0, -0.3, 0), "z", 1),
    "left_hip_rotation": ("left_thigh", (0.1, -0.3, 0), "z", 1),
    "left_ankle_inversion": ("left_foot", (0, 0, 0.05), "y", 1),
    "spine1_flexion": ("upper_thorax", (0, 0.2, 0), "x", 1),
    "spine1_bending": ("upper_thorax", (0, 0.2, 0), "z", 1),
    "spine1_rotation": ("upper_thorax", (0.1, 0.2, 0), "z", -1),
    "upper_neck_flexion": ("head", (0, 0.1, 0), "x", 1),
    "pelvis_tx": ("pelvis", (0, 0, 0), "x", 1),
    "pelvis_ty": ("pelvis", (0, 0, 0), "y", 1),
    "pelvis_tz": ("pelvis", (0, 0, 0), "z", 1),
    "pelvis_rotation": ("pelvis", (0.1, 0, 0), "z", -1),
    "pelvis_list": ("pelvis", (0, 0, 0.1), "y", -1),
    "pelvis_tilt": ("pelvis", (0.1, 0, 0), "y", 1),
}


@pytest.mark.parametrize("joint", MOVES)
def test_a_positive_coordinate_moves_the_segment_as_the_file_says(joint):
    human = load_skeleton(SKELETON)
    segment, point, axis, sign = MOVES[joint]
    moved = REST.copy()
    moved[0, human.index(joint)] = 0.1
    travel = (
        point_motion(human, segment, point, moved).position_G - point_motion(human, segment, point, REST).position_G
    )
    assert sign * travel[0, "xyz".index(axis)] > 0.004


def test_limits_are_the_ranges_of_the_file_in_radians_and_its_torques_times_the_mass(human):
    definition = yaml.safe_load(SKELETON.read_text(encoding="utf-8"))
    joints = [joint for chain in definition["chains"] for joint in chain["joints"] if joint.get("range")]
    limited = [joint for joint in joints if joint["range"] != "global"]
    assert len(limited) > 30
    for joint in limited:
        row, limits = human.index(joint["name"]), definition["ranges"][joint["range"]]
        assert np.degrees(human.q_lower[row]) == pytest.approx(limits["lower"]), joint["name"]
        assert np.degrees(human.q_upper[row]) == pytest.approx(limits["upper"]), joint["name"]
        assert human.tau_limit[row] == pytest.approx(limits["torque"] * human.mass.sum()), joint["name"]


def test_every_range_holds_the_standing_posture_and_names_known_sources(human):
    definition = yaml.safe_load(SKELETON.read_text(encoding="utf-8"))
    assert ((human.q_lower <= 0) & (human.q_upper >= 0)).all()
    assert np.isfinite(human.tau_limit[6:]).all()
    named = [entry["source"] for table in ("lengths", "bodies") for entry in definition[table].values()]
    named += [s for key, r in definition["ranges"].items() if key != "global" for s in np.atleast_1d(r["source"])]
    assert set(named) <= set(definition["sources"])
    assert set(definition["sources"]) == set(named)
    assert len(definition["frozen"]["reason"]) > 50


def test_merging_the_frozen_joints_changes_no_load_of_the_others(human):
    rng = np.random.default_rng(2)
    merged, active = merge_frozen(human), active_joints(human)
    assert len(merged) == 38
    assert not merged.frozen.any()
    state = [v.copy() for v in random_state(rng, 55, 4)]
    for v in state:
        v[:, human.frozen] = 0.0
    reduced = [v[:, active] for v in state]
    wrenches = {"right_hand": Wrench(*rng.normal(size=(3, 4, 3))), "left_foot": Wrench(*rng.normal(size=(3, 4, 3)))}
    whole, part = rnea(human, *state, wrenches=wrenches), rnea(merged, *reduced, wrenches=wrenches)
    scale = np.abs(whole.tau).max()
    np.testing.assert_allclose(part.tau, whole.tau[:, active], rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(part.force_G, whole.force_G[:, active], rtol=0, atol=1e-12 * scale)
    np.testing.assert_allclose(part.moment_G, whole.moment_G[:, active], rtol=0, atol=1e-12 * scale)
    ours = rnea_sensitivities(merged, *reduced).dtau_dq
    theirs = rnea_sensitivities(human, *state).dtau_dq[np.ix_(range(4), active, active)]
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 * np.abs(theirs).max())
    for name in (*human.segments, "right_wrist_deviation"):
        before, after = segment_pose(human, name, state[0]), segment_pose(merged, name, reduced[0])
        np.testing.assert_allclose(after[0], before[0], atol=1e-12)
        np.testing.assert_allclose(after[1], before[1], atol=1e-12)


def test_joints_of_a_random_tree_freeze_at_any_coordinate():
    from dataclasses import replace

    rng = np.random.default_rng(3)
    frozen = rng.random(15) < 0.4
    frozen[0] = False
    skeleton = replace(random_tree(rng, 15), frozen=frozen)
    at = rng.normal(size=15)
    state = [v.copy() for v in random_state(rng, 15, 3)]
    state[0][:, frozen], state[1][:, frozen], state[2][:, frozen] = at[frozen], 0.0, 0.0
    merged, active = merge_frozen(skeleton, at), active_joints(skeleton)
    whole, part = rnea(skeleton, *state), rnea(merged, *(v[:, active] for v in state))
    np.testing.assert_allclose(part.tau, whole.tau[:, active], rtol=0, atol=1e-11 * np.abs(whole.tau).max())


def test_a_frozen_root_is_refused():
    from dataclasses import replace

    with pytest.raises(DynamicsError, match="joint joint_0: the root is frozen"):
        merge_frozen(replace(random_tree(np.random.default_rng(4), 3), frozen=[True, False, False]))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("kind: P", "kin: P", r"line \d+, in chains.pelvis.joints.pelvis_tx: unknown key 'kin'; did you mean 'kind'"),
        ("format: 1", "format: 2", "'format' should be 1; it is 2"),
        ("d: 0.5 abdomen", "d: 0.5 abdomne", "'abdomne' is not among the lengths.*'abdomen'"),
        ("d: neck,", "d: neck*2,", r"joint lower_neck_rotation: 'neck\*2' is not a length"),
        ("body: {name: pelvis", "body: {name: hips", "joint pelvis_tilt: 'hips' is not among the bodies"),
        ("range: knee_flexion", "range: knee", "joint right_knee_flexion: 'knee' is not among the ranges"),
        ("from: pelvis_tilt", "from: pelvis", "chain spine: it starts from 'pelvis'"),
        ("name: right_hip_flexion", "name: hip_flexion", "joint 'hip_flexion' cannot be mirrored"),
        ("sex: male}", "sex: other}", "in subject: 'sex' should be 'male' or 'female'; it is 'other'"),
        ("joints: [spine3_flexion", "joints: [spine5_flexion", "frozen joint 'spine5_flexion' does not exist"),
        ("name: spine2_bending", "name: spine1_bending", "two joints are called 'spine1_bending'"),
        (
            "theta: 90, d: 0, a: 0, alpha: 90",
            "theta: ninety, d: 0, a: 0, alpha: 90",
            r"joints.pelvis_tx: 'theta' should be a valid number.*'ninety'",
        ),
    ],
)
def test_a_malformed_file_is_refused_with_its_place_and_value(tmp_path, old, new, message):
    text = SKELETON.read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "skeleton.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError, match=message):
        load_skeleton(path)


def test_a_missing_or_unreadable_file_is_refused(tmp_path):
    with pytest.raises(ConfigError, match="cannot be read"):
        load_skeleton(tmp_path / "none.yaml")
    (tmp_path / "bad.yaml").write_text("chains: [", encoding="utf-8")
    with pytest.raises(ConfigError, match="is not YAML"):
        load_skeleton(tmp_path / "bad.yaml")


@pytest.mark.parametrize("values", [{"mass": -1.0}, {"height": 0.0}, {"mass": float("nan")}, {"sex": "x"}])
def test_an_impossible_subject_is_refused(values):
    with pytest.raises(ConfigError):
        load_skeleton(SKELETON, **values)


def test_a_subject_of_the_files_own_may_be_smaller_than_people(tmp_path):
    """The limits are of the mass and height that a caller gives, such as grams or millimetres."""
    text = SKELETON.read_text(encoding="utf-8")
    own = yaml.safe_load(text)["subject"]
    path = tmp_path / "small.yaml"
    for height, fits in ((0.3, True), (float("inf"), False)):
        described = yaml.safe_load(text) | {"subject": own | {"height": height}}
        path.write_text(yaml.safe_dump(described), encoding="utf-8")
        if fits:
            assert load_skeleton(path).a.max() == pytest.approx(load_skeleton(SKELETON).a.max() * 0.3 / own["height"])
        else:
            with pytest.raises(ConfigError):
                load_skeleton(path)
    with pytest.raises(ConfigError, match=r"height is 0.3, not a number from 0.5 to 2.5 m"):
        load_skeleton(SKELETON, height=0.3)


def test_a_plain_table_with_masses_on_its_links_needs_no_anthropometry(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(
        "format: 1\nchains:\n- name: arm\n  joints:\n"
        "  - {name: shoulder, kind: R, theta: 0, d: 0, a: 0.4, alpha: 0, "
        "link: {mass: 0.5, com: [-0.2, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0]}}\n"
        "  - {name: elbow, kind: R, theta: 0, d: 0, a: 0.4, alpha: 0, segment: forearm, "
        "link: {mass: 0.5, com: [-0.2, 0, 0], inertia: [0.1, 0.1, 0.1, 0.01, 0, 0]}}\n",
        encoding="utf-8",
    )
    arm = load_skeleton(path)
    np.testing.assert_array_equal(arm.a, [0.4, 0.4])
    assert arm.inertia[1, 0, 1] == 0.01
    assert arm.segment("forearm").joint == 1
    for values in ({"mass": 70.0}, {"height": 1.8}):
        with pytest.raises(ConfigError, match="is given, but"):
            load_skeleton(path, **values)
