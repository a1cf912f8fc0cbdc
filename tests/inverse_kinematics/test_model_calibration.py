"""Model calibration from a walk (segment lengths, marker positions), against finite differences and planted errors."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.inverse_kinematics import (
    CalibratedSkeleton,
    CalibrationFrames,
    calibrate_from_walk,
    calibrate_model,
    fit_frames,
    model_calibration,
    model_marker_positions,
    parameter_jacobians,
)
from pipeline.inverse_kinematics.model_calibration import ModelCalibration, _cost, _Parameters, _step
from pipeline.inverse_kinematics.walk_calibration import _with_scaled_mass
from pipeline.math3d import rotation_about
from pipeline.skeleton import joint_axes, link_poses

FREE = ("left_hip", "right_knee", "left_ankle")


def test_jacobians_of_the_parameters_are_central_differences(human, marks, walk, definition, rng):
    """About a changed skeleton in two postures: step 1e-6, whose rounding is about 1e-9 of a metre over the step."""
    joints = {name: definition.calibrated_joints[name] for name in FREE}
    joints["left_ankle"] = joints["left_ankle"].model_copy(update={"rotate": "xyz"})
    parameters = _Parameters(human, marks, joints, ())
    value = rng.normal(scale=0.2, size=parameters.count)
    step = 1e-6
    ours = parameter_jacobians(*parameters.applied(value), joints, walk[:2], parameters.changes(value))
    assert ours.shape[3] == parameters.count == 3 + 3 + 4 + 3 * len(marks.names)
    for p in range(parameters.count):
        there = [value + sign * step * np.eye(parameters.count)[p] for sign in (1, -1)]
        ahead, behind = (model_marker_positions(*parameters.applied(v), walk[:2]) for v in there)
        np.testing.assert_allclose(ours[..., p], (ahead - behind) / (2 * step), atol=1e-8)


@pytest.fixture(scope="module")
def every(attach, definition):
    """Markers and joint centres."""
    return attach({**definition.markers, **definition.centres})


@pytest.fixture(scope="module")
def planted(human, every, definition):
    """Skeleton and model markers of a subject whose right thigh is 12 mm longer and whose left knee axis is turned by
    5 degrees."""
    origin = human.origin.copy()
    knee, thigh = human.index("right_knee_flexion"), human.segment("right_thigh")
    origin[knee, :3, 3] += thigh.pose[:3, :3] @ [0.0, -0.012, 0.0]
    other, R = human.index("left_knee_flexion"), human.segment("left_thigh").pose[:3, :3]
    origin[other, :3, :3] = R @ rotation_about(np.array([0.0, 1.0, 0.0]), np.radians(5)) @ R.T @ origin[other, :3, :3]
    return replace(human, origin=origin), every


def walking_frames(human, every, definition, person, places, q):
    """Frames with the markers of another subject; joint centres have no weight there."""
    weights = np.repeat([[float(name not in definition.centres) for name in every.names]], len(q), axis=0)
    regularisation = definition.regularisation(human.joint_names)
    return CalibrationFrames(model_marker_positions(person, places, q), weights, np.zeros(len(human)), regularisation)


def static_frame(human, every, definition, person, places):
    """The static pose, in which joint centres have weight."""
    weights = np.array([[10.0 if name in definition.centres else 0.02 for name in every.names]])
    regularisation = definition.regularisation(human.joint_names, static=True)
    q = np.zeros((1, len(human)))
    return CalibrationFrames(model_marker_positions(person, places, q), weights, np.zeros(len(human)), regularisation)


def test_where_markers_are_met_the_cost_is_half_the_squares_of_the_changes_over_their_variances(
    human, every, definition, rng
):
    """Half, as of the markers' squares, so that cost and step have one minimum; a step leads back, at less cost."""
    parameters = _Parameters(human, every, {"left_hip": definition.calibrated_joints["left_hip"]}, ())
    value = rng.normal(scale=1e-3, size=parameters.count)
    changed = parameters.applied(value)
    walking = walking_frames(human, every, definition, *changed, np.zeros((3, len(human))))
    static = static_frame(human, every, definition, *changed)
    cost, fits = _cost(parameters, value, walking, static)
    # The markers contribute less than 1e-9 square metres.
    assert cost == pytest.approx(0.5 * np.sum(parameters.prior * value**2), rel=1e-3)
    step = _step(parameters, value, fits, walking, static)
    assert np.sum(parameters.prior * value * step) < 0.0
    assert _cost(parameters, value + step, walking, static, fits)[0] < cost


def test_frames_given_three_times_cost_as_much_as_once(human, marks, walk, rng):
    """Markers that no posture meets: the cost is their mean over the frames, those of the static frame are added."""
    q = walk[:2]
    places = model_marker_positions(human, marks, q) + rng.normal(0.0, 0.02, (2, len(marks.names), 3))
    parameters, ones = _Parameters(human, marks, {}, ()), np.ones(len(human))
    seen = [
        CalibrationFrames(part, np.ones(part.shape[:2]), np.zeros(len(human)), ones)
        for part in (places, np.tile(places, (3, 1, 1)), places[:1], places[1:])
    ]
    none = np.zeros(parameters.count)
    once, fits = _cost(parameters, none, seen[0], seen[2])
    again, _ = _cost(parameters, none, seen[1], seen[2])
    assert again == pytest.approx(once, rel=1e-3)
    alone = [float(model_calibration.marker_costs(one).sum()) for one in fits[0].distance]
    assert once == pytest.approx(0.5 * sum(alone) + alone[0], rel=1e-2)  # started from a neighbour, or afresh


def test_planted_errors_are_recovered(human, every, definition, walk, planted):
    """Model marker positions are measured in the static pose on the wrong skeleton, and two have moved since.

    The length is recovered within 2 mm, the moved markers by more than half along their segment, in spite of the
    regularisation. Another motion, not used by the calibration, fits three times better than before, and its knee axis
    is right within 1.5 degrees: the axis' rotation in the thigh depends on where the hip's rotation is zero.
    """
    person, true = planted
    static = static_frame(human, every, definition, person, true)
    held = {"weights": static.weights[0], "regularisation": static.regularisation}
    posture = fit_frames(human, every, static.markers, outlier=np.inf, **held).q
    R, r = link_poses(human, posture)
    seen = np.einsum("kji,kj->ki", R[0, every.joint], static.markers[0] - r[0, every.joint])
    is_centre = np.isin(every.names, list(definition.centres))
    measured = replace(every, point=np.where(is_centre[:, None], every.point, seen))
    moved = true.point.copy()
    along = {"RTIB": 1, "LTOE": 0}  # the axis along the segment; across it, a turn of the segment may stand for a shift
    for name, axis in along.items():
        k = every.names.index(name)
        shift = [0.0, 0.009, 0.008] if axis else [0.009, 0.0, 0.008]
        moved[k] += human.segment(every.segments[k]).pose[:3, :3] @ shift
    now = replace(true, point=moved)
    walking = walking_frames(human, every, definition, person, now, walk[::3])
    found = calibrate_model(
        human, measured, definition.calibrated_joints, walking, static, fixed=tuple(definition.centres)
    )
    assert found.changes["right_knee"][:3] == pytest.approx([0.0, -0.012, 0.0], abs=0.002)
    for name, axis in along.items():
        k = every.names.index(name)
        direction = human.segment(every.segments[k]).pose[:3, axis]
        before, after = (abs((marks.point[k] - moved[k]) @ direction) for marks in (measured, found.markers))
        assert before > 0.008
        assert after < 0.5 * before
    names = tuple(definition.markers)
    regularisation = definition.regularisation(human.joint_names)
    motion = 0.9 * walk[1::15] - 0.02
    elsewhere = model_marker_positions(person, now.only(names), motion)
    before = fit_frames(human, measured.only(names), elsewhere, regularisation=regularisation)
    after = fit_frames(found.skeleton, found.markers.only(names), elsewhere, regularisation=regularisation)
    assert after.rms < before.rms / 3.0
    knee = human.index("left_knee_flexion")
    truth = joint_axes(person, motion)[0][:, knee]
    apart = [
        np.degrees(np.arccos((joint_axes(body, fit.q)[0][:, knee] * truth).sum(axis=1)).max())
        for body, fit in ((human, before), (found.skeleton, after))
    ]
    assert apart[0] > 2.5
    assert apart[1] < 1.5


def test_a_right_skeleton_is_not_changed(human, every, definition, walk):
    walking = walking_frames(human, every, definition, human, every, walk[::10])
    static = static_frame(human, every, definition, human, every)
    found = calibrate_model(human, every, definition.calibrated_joints, walking, static)
    assert max(np.abs(change).max() for change in found.changes.values()) < 2e-4
    np.testing.assert_allclose(found.markers.point, every.point, atol=2e-4)


def test_fixed_model_markers_are_not_moved(human, every, definition, walk, planted):
    person, true = planted
    walking = walking_frames(human, every, definition, person, true, walk[::10])
    static = static_frame(human, every, definition, human, every)
    found = calibrate_model(human, every, definition.calibrated_joints, walking, static, fixed=("LTIB",))
    k = every.names.index("LTIB")
    np.testing.assert_array_equal(found.markers.point[k], every.point[k])
    assert np.abs(found.markers.point - every.point).max() > 0.002


def test_a_step_sixteen_times_too_long_is_halved_until_it_lowers_the_cost(human, marks, monkeypatch):
    """Of the cost (x - 0.05)^2 a step of 1 from 0 lowers it from a tenth down; 1/16 is the first such half."""
    fits = (SimpleNamespace(q=np.zeros((1, 1))),) * 2
    monkeypatch.setattr(model_calibration, "_cost", lambda parameters, value, *_: ((value[0] - 0.05) ** 2, fits))
    monkeypatch.setattr(
        model_calibration, "_step", lambda parameters, value, *_: (value == 0.0) * np.eye(len(value))[0]
    )
    found = calibrate_model(human, marks, {}, None, None)
    assert (found.markers.point - marks.point)[0, 0] == pytest.approx(1.0 / 16.0)


def test_a_lengthened_thigh_has_the_mass_properties_of_the_table(human, every, definition, planted):
    """De Leva's table 4: centre of mass at 0.4095 of the length from hip to knee in men, radii of gyration 0.329,
    0.329 and 0.149 of it. The other thigh, whose knee axis only is turned, does not change."""
    calibrated = planted[0]
    person = CalibratedSkeleton(human, every, np.zeros(len(human)), {}, {}, {}, {}, ())
    body = _with_scaled_mass(calibrated, person, definition)
    for side, longer in (("right", 0.012), ("left", 0.0)):
        thigh, knee = human.segment(f"{side}_thigh"), human.index(f"{side}_knee_flexion")
        j, R, hip = thigh.joint, thigh.pose[:3, :3], thigh.pose[:3, 3]
        length = np.linalg.norm(body.origin[knee, :3, 3] - hip)
        assert length - np.linalg.norm(human.origin[knee, :3, 3] - hip) == pytest.approx(longer, abs=1e-12)
        np.testing.assert_allclose(R.T @ (body.com[j] - hip) / length, [0.0, -0.4095, 0.0], atol=1e-9)
        radii = np.sqrt(np.diag(R.T @ body.inertia[j] @ R) / body.mass[j]) / length
        np.testing.assert_allclose(radii, [0.329, 0.149, 0.329], atol=1e-9)  # forward, along, to the right
    np.testing.assert_array_equal(body.mass, human.mass)
    np.testing.assert_array_equal(body.origin, calibrated.origin)


@pytest.mark.parametrize(("usable", "first_rows", "count"), [(60, [0, 1], 60), (61, [0, 2], 31), (150, [0, 3], 50)])
def test_a_walk_calibrates_with_at_most_sixty_frames_and_states_what_moved(
    human, every, definition, monkeypatch, usable, first_rows, count
):
    """The calibration itself is replaced by one that moves a marker by 12 mm, and another by 9, and turns a knee.

    Frames with three markers are not used. The left knee's centre was measured 5 mm from where the skeleton has it.
    """
    given = {}
    moved = every.point.copy()
    moved[every.names.index("LTIB")] += [0.012, 0.0, 0.0]
    moved[every.names.index("RTIB")] += [0.0, -0.009, 0.0]
    change = {"left_knee": np.array([0.003, 0.0, -0.004, 0.0, np.radians(2.0), 0.0])}

    def calibrated(skeleton, markers, joints, walking, static, fixed):
        given.update(walking=walking, static=static, fixed=fixed)
        return ModelCalibration(skeleton, replace(markers, point=moved), change, np.zeros(len(human)))

    monkeypatch.setattr("pipeline.inverse_kinematics.walk_calibration.calibrate_model", calibrated)
    still = model_marker_positions(human, every, np.zeros((1, len(human))))[0]
    seen = {name: place for name, place in zip(every.names, still, strict=True) if name != "C7"}
    seen["left_knee"] = seen["left_knee"] + [0.0, 0.003, -0.004]
    errors = dict.fromkeys(definition.centres, 1.0)
    model = CalibratedSkeleton(human, every, np.zeros(len(human)), {}, {}, errors, seen, ())
    markers = np.tile(still, (usable + 7, 1, 1)) + np.arange(usable + 7)[:, None, None]
    weights = np.ones(markers.shape[:2])
    weights[usable:, 3:] = 0.0
    found = calibrate_from_walk(model, definition, every, markers, weights, np.zeros(len(human)))
    np.testing.assert_allclose(given["walking"].markers[:2], markers[first_rows])
    assert len(given["walking"].markers) == count
    np.testing.assert_allclose(found.markers.point, moved)
    assert found.joint_centre_errors == pytest.approx({name: 0.005 * (name == "left_knee") for name in errors})
    weight = dict(zip(every.names, given["static"].weights[0].tolist(), strict=True))
    assert (weight["left_knee"], weight["LTIB"], weight["C7"]) == (10.0, 0.1, 0.0)
    joints, far = (note.text for note in found.notes)
    assert "left_knee 5 mm, 2.0 degrees" in joints
    assert "(LTIB 12 mm)" in far
