"""Data of the 3-D view: positions to the millimetre, a bounded number of frames, mirror images that close a cycle."""

from __future__ import annotations

import base64
import json
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.math3d import Wrench
from pipeline.reporting.viewer.bodies import fitted_figure, ground_force
from pipeline.reporting.viewer.scene import FRAMES_PER_CYCLE, MISSING, Bone, Figure, Sole, at_times, scene_of_points
from pipeline.reporting.viewer.views import prediction_scene, trial_scene
from pipeline.trial import SegmentPose

from .conftest import make_predicted_walk

TIME = np.linspace(0.0, 2.0, 401)


def unpacked(text: str, count: int) -> np.ndarray:
    """Values (T, count, 3) as the viewer reads them: whole thousandths, NaN where missing."""
    values = np.frombuffer(base64.b64decode(text), dtype="<i2").reshape(-1, count, 3).astype(float)
    return np.where(values == MISSING, np.nan, values / 1000.0)


def figure(rng: np.random.Generator) -> Figure:
    slopes = rng.normal(size=(3, 3))
    points = {name: slope * TIME[:, None] for name, slope in zip("abc", slopes, strict=True)}
    points["b"][:7] = np.nan
    sole = Sole(("a", "c"), np.stack([TIME < 1.0, TIME > 1.5], axis=1))
    return Figure("x", points, [Bone("a", "c", 0.05, "left")], {"<M>": points["a"] + 1.0}, (), [sole])


def test_positions_are_stored_within_half_a_millimetre_and_missing_ones_stay_missing(rng):
    given = figure(rng)
    made = scene_of_points(TIME, [given], cycle=1.0, still=1.0)
    frames = len(made["clock"])
    assert frames == 2 * FRAMES_PER_CYCLE + 1
    stored = made["figures"][0]
    places = unpacked(stored["points"], stored["count"])
    wanted = np.stack([at_times(TIME, np.linspace(0, 2, frames))(place) for place in given.points.values()], axis=1)
    assert np.isnan(wanted[:2, 1]).all()
    np.testing.assert_allclose(places, wanted, atol=0.00051)
    assert stored["bones"] == [[0, 2, 50, "left"]]
    assert stored["labels"] == ["<M>"]
    np.testing.assert_allclose(unpacked(stored["markers"], 1)[:, 0] - 1.0, places[:, 0], atol=0.0011)
    # Bit 0 is the first point of the sole, bit 1 the second.
    contact = np.array(stored["soles"][0]["contact"])
    np.testing.assert_array_equal(contact[[10, 60, 90]], [1, 0, 2])
    assert made["clock"][made["still"]] == pytest.approx(1.0)


def test_a_minute_of_walking_is_thinned_to_a_bounded_size(rng):
    time = np.arange(12000) / 200.0
    points = {str(k): rng.normal(size=(len(time), 3)) for k in range(60)}
    made = scene_of_points(time, [Figure("x", points, [Bone("0", "1", 0.1)])], cycle=1.0, still=0.0)
    assert len(made["clock"]) == 300
    assert len(json.dumps(made)) < 160_000


def test_between_frames_values_are_linear_and_a_missing_neighbour_is_missing():
    values = np.array([[0.0], [2.0], [np.nan], [6.0]])
    found = at_times(np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 0.25, 1.0, 1.5, 3.0]))(values)
    np.testing.assert_array_equal(found[:, 0], [0.0, 0.5, 2.0, np.nan, 6.0])


def test_a_force_too_small_to_draw_is_missing_and_any_other_is_in_body_weights():
    wrench = Wrench(np.array([[0.0, 350.0, 0.0], [0.0, 3.0, 0.0]]), np.zeros((2, 3)), np.array([[1.0, 0.0, 2.0]] * 2))
    force = ground_force("left", wrench, 700.0)
    np.testing.assert_array_equal(force.force, [[0.0, 0.5, 0.0], [np.nan] * 3])
    np.testing.assert_array_equal(force.point_G, [[1.0, 0.0, 2.0], [np.nan] * 3])


def test_the_second_step_of_a_predicted_walk_begins_where_the_first_one_ends():
    walk = make_predicted_walk()
    made = prediction_scene(walk, None)
    (stored,) = made["figures"]
    places = unpacked(stored["points"], stored["count"])
    # A cycle later the body is two steps further, otherwise the same.
    np.testing.assert_allclose(
        places[-1] - places[0], [[2 * walk.task.step_length, 0, 0]] * stored["count"], atol=0.0021
    )
    # Half a cycle later it is its mirror image, a step further.
    half = len(places) // 2
    hips = stored["bones"][0][:2]
    np.testing.assert_allclose(
        places[half][hips[::-1]] * [1, 1, -1] - [walk.task.step_length, 0, 0], places[0][hips], atol=0.0021
    )
    assert made["loops"]
    assert made["duration"] == pytest.approx(2 * walk.time[-1], abs=1e-4)


def test_beside_a_measured_cycle_of_the_left_foot_the_predicted_one_begins_with_that_foot_too(walk):
    walk_of_left, step = replace(walk[0], cycles=walk[0].cycles[:1]), make_predicted_walk()
    predicted = prediction_scene(step, walk_of_left)["figures"][0]
    places, count = unpacked(predicted["points"], predicted["count"]), predicted["count"]
    right_first = prediction_scene(step, None)["figures"][0]
    np.testing.assert_allclose(places[0], unpacked(right_first["points"], count)[25], atol=0.0011)
    np.testing.assert_allclose(places[-1] - places[0], [[1.2, 0, 0]] * count, atol=0.0011)


def test_a_trials_view_has_its_cycles_plates_and_the_force_of_each_step(walk):
    kinematics = walk[0]
    made = trial_scene(kinematics)
    # Cycles with kinetics run from 0.213 to 1.772 s; a quarter of a second more on each side is recorded.
    assert made["clock"][0] == pytest.approx(0.0, abs=0.011)
    assert made["clock"][-1] == pytest.approx(2.01, abs=0.011)
    assert len(made["plates"]) == 2
    assert [force["side"] for force in made["figures"][0]["forces"]] == ["left", "right"]
    force = unpacked(made["figures"][0]["forces"][0]["force"], 1)[:, 0]
    seen = np.flatnonzero(np.isfinite(force[:, 1]))
    clock = np.array(made["clock"])
    assert clock[seen[0]] == pytest.approx(0.22, abs=0.03)
    assert clock[seen[-1]] == pytest.approx(0.80, abs=0.03)
    middle = int(np.argmin(np.abs(kinematics.time - clock[seen[5]])))
    expected = kinematics.plates[0].wrench.force_G[middle] / (70.0 * 9.81)
    np.testing.assert_allclose(force[seen[5]], expected, atol=0.03)


def test_the_fitted_skeleton_is_shown_instead_of_the_legs(walk):
    kinematics = walk[0]
    still = np.repeat(np.eye(3)[None], len(kinematics.time), axis=0)
    predicted = make_predicted_walk()
    segments = {
        name: SegmentPose(still, np.tile(own.origin_G[0], (len(kinematics.time), 1)))
        for name, own in predicted.segments.items()
    }
    body = SimpleNamespace(kinematic=SimpleNamespace(segments=segments), height=1.7)
    (legs,), (whole,) = (trial_scene(kinematics, shown)["figures"] for shown in (None, fitted_figure(kinematics, body)))
    assert len(whole["bones"]) > 2 * len(legs["bones"])
    for part in ("labels", "markers", "forces"):
        assert whole[part] == legs[part]
    assert len(whole["soles"]) == 2


def test_a_walk_without_a_cycle_or_a_force_plate_has_a_scene_too(walk):
    bare = replace(walk[0], cycles=(), stances=(), plates=(), events=())
    made = trial_scene(bare)
    assert made["figures"][0]["forces"] == []
    assert len(made["clock"]) > 50
