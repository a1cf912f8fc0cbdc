"""Muscles of gait2392 on the 55-joint skeleton: its own Jacobians, the source's moment arms, scaling."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.muscles import muscles_on_skeleton
from pipeline.muscles.__main__ import print_arms
from pipeline.muscles.on_skeleton import SUBTALAR, counterparts
from pipeline.muscles.paths import PathPoint, path_geometry
from pipeline.skeleton import joint_axes, link_poses, point_jacobians, point_motion, scale_segments

APART = {"hip_flexion": 4, "hip_adduction": 4, "hip_rotation": 4, "knee_angle": 4, "ankle_angle": 9,
         "subtalar_angle": 4, "mtp_angle": 12,
         "lumbar_extension": 2, "lumbar_bending": 2, "lumbar_rotation": 2}  # fmt: skip
"""Largest root mean square difference of moment arms from the source's, mm. Axes differ at ankle and toe joint; the
thigh is a tenth longer than the source's for the same stature, hence hip and knee."""


@pytest.fixture(scope="module")
def mapped(model, human):
    return muscles_on_skeleton(model, human)


def on_joints(postures: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    still = {hinge: np.zeros(len(next(iter(postures.values())))) for hinge in SUBTALAR.values()}
    return {ours: sign * postures[name] for name, (ours, sign) in counterparts().items()} | still


@pytest.mark.parametrize("name", ["glut_med1_r", "psoas_l", "soleus_r", "per_tert_l", "ercspn_r", "extobl_l"])
def test_lengths_and_moment_arms_are_those_of_the_skeletons_own_points(mapped, human, name: str) -> None:
    """Positions and Jacobians of the same points on the skeleton's links, in general postures of all 55 joints."""
    rng = np.random.default_rng(11)
    q = rng.uniform(-0.3, 0.3, (4, 55))
    rows = [k for k, joint in enumerate(mapped.coordinates) if joint in human.joint_names]
    used = [human.index(mapped.coordinates[k]) for k in rows]
    muscle = next(m for m in mapped.muscles if m.name == name)
    still = {hinge: np.zeros(4) for hinge in SUBTALAR.values()}
    geometry = path_geometry(mapped, {human.joint_names[j]: q[:, j] for j in used} | still)
    hinges = {joint.child: joint.before[:3, 3] for joint in mapped.joints if joint.child in SUBTALAR.values()}
    feet = {hinge: ankle for ankle, hinge in SUBTALAR.items()}
    still = np.zeros((1, 55))
    (R, r), centres = link_poses(human, still), joint_axes(human, still)[1]
    links, places = [], []
    for point in muscle.points:
        joint = "pelvis_tilt" if point.body == "pelvis" else feet.get(point.body, point.body)
        j = human.index(joint)
        neutral = point.place + (0 if point.body == "pelvis" else centres[0, j] + hinges.get(point.body, 0))
        links.append(joint)
        places.append(R[0, j].T @ (neutral - r[0, j]))
    position = point_motion(human, links, np.array(places), q).position_G
    by_q = point_jacobians(human, links, np.array(places), q).dr_dq
    line = np.diff(position, axis=1)
    span = np.linalg.norm(line, axis=2)
    arm = -np.einsum("tkc,tkcj->tj", line / span[..., None], np.diff(by_q, axis=1))
    m = mapped.muscles.index(muscle)
    np.testing.assert_allclose(geometry.length[:, m], span.sum(axis=1), atol=1e-12)
    np.testing.assert_allclose(geometry.arm[:, rows, m], arm[:, used], atol=1e-12)
    assert np.abs(arm[:, used]).max() > 0.01


@pytest.mark.parametrize("name", ["vas_lat_r", "rect_fem_l", "med_gas_r", "semimem_l", "bifemsh_r"])
def test_knee_muscles_have_the_translation_in_their_moment_arms(mapped, postures, name: str) -> None:
    """Minus the derivative of length, by central differences of 1e-6 rad; and without the translation they differ."""
    m = [muscle.name for muscle in mapped.muscles].index(name)
    knee = f"{'right' if name.endswith('r') else 'left'}_knee_flexion"
    q = on_joints(postures)
    up, down = (path_geometry(mapped, q | {knee: q[knee] + h}).length[:, m] for h in (1e-6, -1e-6))
    arm = path_geometry(mapped, q).arm[:, mapped.coordinates.index(knee), m]
    np.testing.assert_allclose(arm, -(up - down) / 2e-6, atol=1e-8)
    assert np.abs(arm).max() > 0.01


def test_moment_arms_are_near_the_sources(model, mapped, postures) -> None:
    """At OpenSim's postures within the range of walking, joint by joint; signs come out alike."""
    q = {name: values[:5] for name, values in postures.items()}
    theirs, ours = path_geometry(model, q).arm, path_geometry(mapped, on_joints(q)).arm
    for name, (joint, sign) in counterparts().items():
        joint = SUBTALAR.get(joint, joint)
        a, b = theirs[:, model.coordinates.index(name)], sign * ours[:, mapped.coordinates.index(joint)]
        apart = 1000 * np.sqrt(np.mean((a - b) ** 2, axis=0))
        assert np.abs(a).max() > 0.005
        assert apart.max() < APART[name.removesuffix("_r").removesuffix("_l")], (name, apart.max())


def test_fibres_tendons_and_strength_are_scaled(model, mapped) -> None:
    """As the muscles' own lengths in the neutral pose; at the source's mass strength follows the fibre length only."""
    neutral = {name: np.zeros(1) for name in mapped.coordinates}
    before = path_geometry(model, {name: np.zeros(1) for name in model.coordinates}).length[0]
    ratio = path_geometry(mapped, neutral).length[0] / before
    for source, ours, scale in zip(model.muscles, mapped.muscles, ratio, strict=True):
        assert ours.fibre_length / source.fibre_length == pytest.approx(scale)
        assert ours.tendon_length / source.tendon_length == pytest.approx(scale)
        assert ours.maximum_force / source.maximum_force == pytest.approx(1 / scale)
    assert 0.95 < ratio.min() < ratio.max() < 1.15


def test_the_achilles_tendons_arm_is_the_shanks_whatever_the_toe_marker_says(model, human) -> None:
    """A foot that is scaled by 0.8 or 1.2 leaves the calf's arms as they are and moves the toe joint; a shank that is
    longer by a tenth makes them longer by that. Within the 48 +- 4.5 mm (SD) of magnetic resonance."""

    def arms(skeleton) -> np.ndarray:
        mapped = muscles_on_skeleton(model, skeleton)
        found = path_geometry(mapped, {name: np.zeros(1) for name in mapped.coordinates}).arm[0]
        calf = [k for k, m in enumerate(mapped.muscles) if m.name[:-2] in ("soleus", "med_gas", "lat_gas")]
        rows = [mapped.coordinates.index(f"{side}_ankle_flexion") for side in ("right", "left")]
        return -1000 * found[np.ix_(rows, calf)].sum(axis=0)

    own = arms(human)
    assert (np.abs(own - 48) < 4.5).all(), own
    for factor in (0.8, 1.2):
        feet = {f"{side}_{part}": np.full(3, factor) for side in ("right", "left") for part in ("foot", "toes")}
        np.testing.assert_allclose(arms(scale_segments(human, feet)), own, atol=1e-6)
    shanks = {f"{side}_shank": np.full(3, 1.1) for side in ("right", "left")}
    np.testing.assert_allclose(arms(scale_segments(human, shanks)), 1.1 * own, rtol=0.01)


def test_the_foot_reaches_the_skeletons_toe_joint(model, human) -> None:
    """A point at the source's toe joint, carried by its foot, lies at the skeleton's, but for the sideways offset."""
    longer = scale_segments(human, {"right_foot": np.full(3, 1.2), "right_toes": np.full(3, 1.2)})
    toe_joint = PathPoint("calcn_r", np.array([0.1788, -0.002, 0.00108]))
    at_toes = replace(model.muscles[0], points=(toe_joint, PathPoint("calcn_r")))
    mapped = muscles_on_skeleton(replace(model, muscles=(*model.muscles, at_toes)), longer)
    place = mapped.muscles[-1].points[0].place
    hinge = next(joint for joint in mapped.joints if joint.child == "right_subtalar").before[:3, 3]
    centres = joint_axes(longer, np.zeros((1, 55)))[1][0]
    toe, ankle = (centres[longer.index(f"right_{name}")] for name in ("toe_extension", "ankle_flexion"))
    np.testing.assert_allclose((place + hinge)[:2], (toe - ankle)[:2], atol=1e-12)


def test_both_sides_mirror_each_other(mapped, postures) -> None:
    """On a symmetric skeleton, up to the source's own differences between its sides, at most 2 mm."""
    q = on_joints(postures)
    mirrored = {
        name: q[name.replace("right", "left")] if "right" in name else q[name.replace("left", "right")] for name in q
    }
    mirrored |= {"spine1_bending": -q["spine1_bending"], "spine1_rotation": -q["spine1_rotation"]}
    right, left = path_geometry(mapped, q).length, path_geometry(mapped, mirrored).length
    names = [muscle.name for muscle in mapped.muscles]
    pairs = [(m, names.index(name[:-1] + "l")) for m, name in enumerate(names) if name.endswith("r")]
    assert len(pairs) == 46
    assert max(np.abs(right[:, a] - left[:, b]).max() for a, b in pairs) < 2e-3


def test_printed_arms_of_both_models_are_as_far_apart_as_their_means_or_farther(model, human, capsys):
    print_arms(model, human)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    theirs, ours, apart = np.array([line[2:] for line in lines], dtype=float).T
    assert len(lines) > 150
    assert np.all(apart >= np.abs(theirs - ours) - 0.11)  # printed to 0.1 mm
    soleus = next(k for k, line in enumerate(lines) if line[:2] == ["soleus_r", "ankle_angle_r"])
    assert apart[soleus] < 0.2 * abs(theirs[soleus])
