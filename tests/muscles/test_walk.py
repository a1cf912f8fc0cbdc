"""Muscle and contact forces of the demo's walk, against finite differences of path lengths and against turned walks."""

from __future__ import annotations

import importlib
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from pipeline.conventions import SIDES
from pipeline.errors import DynamicsError
from pipeline.math3d import rotation_about
from pipeline.muscles import MuscleMethod, load_muscle_model, muscles_on_skeleton, walk_muscles
from pipeline.muscles.distribution import MuscleForces, muscle_forces
from pipeline.muscles.knee_parts import knee_parts
from pipeline.muscles.linkage import Axis
from pipeline.muscles.on_skeleton import SUBTALAR
from pipeline.muscles.paths import MuscleModel, path_geometry
from pipeline.muscles.splines import Spline
from pipeline.muscles.subtalar import subtalar_moments
from pipeline.skeleton import PASSIVE_JOINTS, leg_length, passive_moments, segment_pose, skeleton_of
from pipeline.trial import MuscleLoads, SegmentPose, WholeBody

GRAVITY = 9.81
RIGID = MuscleMethod(tendons="rigid")
STEP = 1e-6


@pytest.fixture(scope="module")
def model(walk):
    return muscles_on_skeleton(load_muscle_model(), skeleton_of(walk))


def angles(body: WholeBody, names: tuple[str, ...], frames: np.ndarray) -> dict[str, np.ndarray]:
    still = {name: np.zeros(len(frames)) for name in SUBTALAR.values()}
    return {name: body.kinematic.q[frames, body.joint_names.index(name)] for name in names if name not in still} | still


def lengths(model, q: dict[str, np.ndarray]) -> np.ndarray:
    return path_geometry(model, q).length


def some_frames(loads: MuscleLoads) -> np.ndarray:
    """Every fortieth of those with muscle forces, or of few each."""
    known = np.flatnonzero(np.isfinite(loads.activation).all(axis=1))
    return known[:: 1 if len(known) < 10 else 40]


def moved_one_by_one(q: dict[str, np.ndarray], step: float) -> dict[str, np.ndarray]:
    """Coordinates of F frames as often as there are coordinates, each time with another one moved."""
    moved = {name: np.tile(values, (len(q), 1)) for name, values in q.items()}
    for k, values in enumerate(moved.values()):
        values[k] += step
    return {name: values.ravel() for name, values in moved.items()}


def test_forces_and_reserves_give_the_joint_moments(walk, walk_loads, model) -> None:
    """Moment of a coordinate: minus the sum of forces times the length's derivative, by central differences."""
    frames = some_frames(walk_loads)
    assert len(frames) >= 3
    q = angles(walk, model.coordinates, frames)
    plus, minus = (
        dict(zip(q, lengths(model, moved_one_by_one(q, step)).reshape(len(q), len(frames), -1), strict=True))
        for step in (STEP, -STEP)
    )
    moments = dict(zip(walk.joint_names, walk.kinematic.tau.T, strict=True)) | oblique_moments(walk)
    for k, name in enumerate(model.coordinates):
        arm = -(plus[name] - minus[name]) / (2 * STEP)
        given = np.sum(arm * walk_loads.force[frames], axis=1) + walk_loads.reserve[frames, k]
        if name in SUBTALAR:  # borne by the joint
            assert np.isnan(walk_loads.reserve[frames, k]).all()
            continue
        moment = moments[name][frames]
        np.testing.assert_allclose(given, moment, atol=0.01)  # forces of 1000 N, arms within 1e-9 m and rounding
        assert walk_loads.peak_moment[k] >= (1.0 - 1e-12) * np.abs(moment).max()
        if len(frames) == len(walk.time):
            assert walk_loads.peak_moment[k] == pytest.approx(np.abs(moment).max())


def oblique_moments(body: WholeBody) -> dict[str, np.ndarray]:
    """Moments (T,) about the subtalar axes, from the moment about the skeleton's own axes and centre of the ankle.

    The hinge's direction and place are taken from a point on the axis moved with the foot's segment, in G.
    """
    skeleton = skeleton_of(body)
    mapped = muscles_on_skeleton(load_muscle_model(), skeleton)
    found = {}
    for ankle, hinge in SUBTALAR.items():
        side = ankle.split("_")[0]
        joint = next(j for j in mapped.joints if j.child == hinge)
        foot = body.kinematic.segments[f"{side}_foot"]
        R = foot.R_GS @ neutral(body, f"{side}_foot").T
        direction, place = R @ joint.axes[0].direction, R @ joint.before[:3, 3]
        column = body.joint_names.index(ankle)
        about = body.kinematic.moment_G[:, column] - np.cross(place, body.kinematic.force_G[:, column])
        found[hinge] = np.sum(direction * about, axis=1)
    return found


def exerted(walk: WholeBody, loads: MuscleLoads, model: MuscleModel, name: str) -> np.ndarray:
    """Pull and moment (F, 6) of muscles on what is beyond a joint: minus force times the length's derivatives by shifts
    along and turns about the axes of the joint's frame before its own rotation."""
    frames = some_frames(loads)
    moves = [(f"{kind}_{k}", kind, axis) for kind in "PR" for k, axis in enumerate(np.eye(3))]
    axes = tuple(Axis(move, kind, axis, Spline.line(1.0)) for move, kind, axis in moves)
    joints = tuple(replace(j, axes=(*axes, *j.axes)) if j.child == name else j for j in model.joints)
    moved = replace(model, joints=joints, coordinates=(*model.coordinates, *(move for move, _, _ in moves)))
    both = []
    for step in (STEP, -STEP):
        at = {own: np.tile(values, 6) for own, values in angles(walk, model.coordinates, frames).items()}
        at |= {move: np.repeat(step * one, len(frames)) for (move, _, _), one in zip(moves, np.eye(6), strict=True)}
        both.append(lengths(moved, at).reshape(6, len(frames), -1))
    return -np.einsum("ktm,tm->tk", (both[0] - both[1]) / (2 * STEP), loads.force[frames])


@pytest.mark.parametrize("joint", ["hip", "knee", "ankle"])
def test_contact_is_the_net_force_less_the_muscles_pull(walk, walk_loads, model, joint: str) -> None:
    frames = some_frames(walk_loads)
    weight = walk.mass * GRAVITY
    for side in SIDES:
        name = f"{side}_{joint}_flexion"
        pull = exerted(walk, walk_loads, model, name)[:, :3]
        parents = {"hip": "pelvis", "knee": f"{side}_thigh", "ankle": f"{side}_shank"}
        R_parent = walk.kinematic.segments[parents[joint]].R_GS[frames] @ neutral(walk, parents[joint]).T
        net = walk.kinematic.force_G[frames, walk.joint_names.index(name)]
        size = np.linalg.norm(net - np.einsum("tij,tj->ti", R_parent, pull), axis=1) / weight
        ours = np.linalg.norm(
            walk_loads.contact_force[frames, walk_loads.contact_joints.index(f"{side}_{joint}")], axis=1
        )
        assert size.max() > 0.5
        np.testing.assert_allclose(ours, size, atol=1.5e-4)  # forces are stored in steps of 1/64 N, contact of 6e-5


def neutral(body: WholeBody, segment: str) -> np.ndarray:
    """Rotation of a segment in the neutral pose: the segment's axes in the link's, of a link that is not turned."""
    return segment_pose(skeleton_of(body), segment, np.zeros((1, len(body.joint_names))))[0][0]


def test_contact_forces_in_the_segments_axes_do_not_depend_on_the_direction_of_walking(walk, walk_loads, model) -> None:
    R = rotation_about(np.array([0.0, 1.0, 0.0]), 1.1)
    own = walk.kinematic
    turned = replace(
        walk,
        kinematic=replace(
            own,
            force_G=own.force_G @ R.T,
            moment_G=own.moment_G @ R.T,
            segments={name: SegmentPose(R @ pose.R_GS, pose.origin_G @ R.T) for name, pose in own.segments.items()},
        ),
    )
    np.testing.assert_allclose(walk_muscles(turned, muscles=model).contact_force, walk_loads.contact_force, atol=1e-5)


def test_a_leg_without_moments_has_no_forces_and_leaves_the_other_as_it_is(walk, walk_loads, model) -> None:
    tau = walk.kinematic.tau.copy()
    tau[:, [walk.joint_names.index(name) for name in walk.joint_names if name.startswith("left_")]] = np.nan
    found = walk_muscles(replace(walk, kinematic=replace(walk.kinematic, tau=tau)), muscles=model)
    left = np.array([name.endswith("_l") for name in found.muscle_names])
    trunk = np.array([name[:-2] in ("ercspn", "intobl", "extobl") for name in found.muscle_names])
    assert np.isnan(found.force[:, left & ~trunk]).all()
    np.testing.assert_array_equal(found.force[:, ~left], walk_loads.force[:, ~left])
    assert next(note.text for note in found.notes) == (
        "no muscle forces of the left leg, because the ground reaction on its foot is unknown in all frames"
    )


def test_a_trunk_without_markers_has_no_forces(walk, model) -> None:
    legs = tuple("left_knee_flexion" for _ in walk.marker_joints)
    found = walk_muscles(replace(walk, marker_joints=legs), RIGID, muscles=model)
    trunk = [k for k, name in enumerate(found.muscle_names) if name[:-2] in ("ercspn", "intobl", "extobl")]
    assert len(trunk) == 6
    assert np.isnan(found.force[:, trunk]).all()
    assert any("the trunk" in note.text for note in found.notes)


def not_given(loads: MuscleLoads) -> float:
    """Largest reserve over the peak moment, but of toes, and of subtalar axes, whose moment is not known well."""
    share = np.abs(np.nan_to_num(loads.reserve)).max(axis=0) / np.nan_to_num(loads.peak_moment, nan=1.0)
    return float(share[[not name.endswith(("toe_extension", "subtalar")) for name in loads.coordinates]].max())


@pytest.mark.long
def test_activations_that_can_only_change_so_fast_give_the_moments_all_the_same(body) -> None:
    """Somewhere they would have fallen faster; peak forces of contact differ by tenths of a body weight."""
    alone, found = walk_muscles(body, RIGID), walk_muscles(body, replace(RIGID, dynamic=True))
    assert np.nanmax(np.abs(found.activation - alone.activation)) > 0.1
    peaks = [np.nanmax(np.linalg.norm(one.contact_force, axis=2), axis=0) for one in (alone, found)]
    np.testing.assert_allclose(*peaks, atol=0.3)
    assert not_given(found) < 0.02
    with pytest.raises(DynamicsError, match="dynamics"):
        walk_muscles(body, MuscleMethod(dynamic=True))


@pytest.mark.long
def test_elastic_tendons_ask_less_of_the_soleus_and_give_the_moments_all_the_same(body, loads) -> None:
    """They take up much of the muscle's change of length at push-off, so that its fibres shorten less."""
    rigid = walk_muscles(body, RIGID)
    soleus = [loads.muscle_names.index(f"soleus_{side}") for side in "lr"]
    assert (
        np.nanmax(loads.activation[:, soleus], axis=0) < 0.95 * np.nanmax(rigid.activation[:, soleus], axis=0)
    ).all()
    assert not_given(loads) < 0.05


@pytest.mark.long
def test_where_no_distribution_is_found_with_elastic_tendons_a_leg_has_rigid_ones_and_a_note(
    body, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = importlib.import_module("pipeline.muscles.elastic")
    monkeypatch.setattr(module, "_ROUNDS", 1)
    found, rigid = walk_muscles(body), walk_muscles(body, RIGID)
    np.testing.assert_array_equal(found.force, rigid.force)
    told = [note.text for note in found.notes if "rigid tendons in the" in note.text]
    assert len(told) == 2
    assert "after 1 rounds (limit 0.001)" in told[0]


def test_passive_moments_are_of_the_body_s_size(walk, model, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of Riener and Edrich by mass and the leg's own length of a body of 70 kg on legs of 0.92 m."""
    module, given = importlib.import_module("pipeline.muscles.walk"), {}

    def noted(*args: Any, passive_moment: dict | None = None, **named: Any) -> MuscleForces:
        given.update(passive_moment or {})
        return muscle_forces(*args, passive_moment=passive_moment, **named)

    monkeypatch.setattr(module, "muscle_forces", noted)
    walk_muscles(walk, MuscleMethod(passive_joints=True), muscles=model)
    skeleton = skeleton_of(walk)
    assert abs(leg_length(skeleton, "left") / leg_length(skeleton, "right") - 1.0) > 1e-4, "the lengths differ"
    for side in SIDES:
        hip, ankle = (
            segment_pose(skeleton, f"{side}_{name}", np.zeros((1, len(skeleton))))[1][0, 1]
            for name in ("thigh", "foot")
        )
        size = walk.mass / 70.0 * leg_length(skeleton, side) / 0.92
        assert leg_length(skeleton, side) == pytest.approx(hip - ankle + 0.039 * walk.height, rel=0.02)
        angles_of = [walk.kinematic.q[:, skeleton.index(f"{side}_{name}")] for name in PASSIVE_JOINTS]
        adult, _ = passive_moments(np.stack(angles_of, axis=1))
        moment = walk.kinematic.tau[:, skeleton.index(f"{side}_ankle_flexion")]
        known = np.isfinite(moment) & np.isfinite(adult).all(axis=1)
        np.testing.assert_allclose(given[f"{side}_ankle_flexion"], size * adult[known, 2], rtol=1e-9)


@pytest.mark.parametrize("side", SIDES)
def test_both_sides_of_the_knee_balance_the_frontal_moment_that_muscles_leave(walk, walk_loads, model, side) -> None:
    """From the muscles' pull and moment on the shank about the knee's centre, along and about the thigh's axes."""
    frames = some_frames(walk_loads)
    name = f"{side}_knee_flexion"
    pulls = exerted(walk, walk_loads, model, name)
    R_thigh = walk.kinematic.segments[f"{side}_thigh"].R_GS[frames] @ neutral(walk, f"{side}_thigh").T
    R_shank, j = walk.kinematic.segments[f"{side}_shank"].R_GS[frames], walk.joint_names.index(name)
    left = [
        np.einsum("tji,tj->ti", R_shank, net[frames, j] - np.einsum("tij,tj->ti", R_thigh, part))
        for net, part in (
            (walk.kinematic.force_G, pulls[:, :3]),
            (walk.kinematic.moment_G, pulls[:, 3:]),
        )
    ]
    distance = 0.040 * leg_length(skeleton_of(walk), side) / 0.92
    expected = knee_parts(left[0], left[1], side, distance) / (walk.mass * GRAVITY)
    rows = [walk_loads.compartments.index(f"{side}_knee_{part}") for part in ("medial", "lateral")]
    np.testing.assert_allclose(walk_loads.compartment_force[frames][:, rows], expected, atol=1e-3)
    assert ((expected > 0.01).all(axis=1)).any(), "both bear some"


def test_reserves_are_reported_beyond_a_twentieth_of_the_moment_and_the_band_of_a_subtalar_one(
    made_up, model, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of 20 Nm 1.1 are reported and 0.9 are not, nor what is within 1.96 standard deviations, nor toes."""
    module, given = importlib.import_module("pipeline.muscles.walk"), {}
    told, names = module._reserve_notes, ("left_hip_flexion", "left_knee_flexion", "left_toe_extension")

    def noted(coordinates: Any, reserve: Any, peak: Any, unknown: Any) -> Any:
        given.update(zip(coordinates, unknown, strict=True))
        return told(coordinates, reserve, peak, unknown)

    for largest, sd, words in ((1.1, 0.0, ["hip flexion 1.1 of 20.0 Nm"]), (0.9, 0.0, []), (1.1, 1.2, [])):
        reserve = np.array([[0.3, np.nan, 5.0], [-largest, np.nan, 5.0]])
        notes = list(told(names, reserve, np.array([20.0, np.nan, 1.0]), np.array([sd, 0.0, 0.0])))
        assert len(notes) == len(words)
        assert all(word in note.text and "knee" not in note.text for word, note in zip(words, notes, strict=True))

    monkeypatch.setattr(module, "_reserve_notes", noted)
    walk_muscles(made_up, RIGID, muscles=model)
    known = np.ones(len(made_up.time), dtype=bool)
    at = angles(made_up, model.coordinates, np.flatnonzero(known))
    for hinge, moment in subtalar_moments(made_up, skeleton_of(made_up), model, at, known).items():
        assert given.pop(hinge) == pytest.approx(1.96 * moment.sd.max(), rel=1e-3)
    assert not any(given.values())
