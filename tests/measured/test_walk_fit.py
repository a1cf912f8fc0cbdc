"""Measured walks with labels swapped, markers that jump and markers that vanish: found, named and corrected."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import Site
from pipeline.config import FilterSettings
from pipeline.inverse_kinematics import (
    calibrate_from_walk,
    calibrate_static,
    fit_frames,
    fit_markers,
    static_positions,
)
from pipeline.skeleton import load_skeleton
from tests.walks import PUBLISHED, SKELETON

pytestmark = pytest.mark.long

SEX = {"f": "female", "m": "male"}


def further(*values):
    """A case of a claim that others try already."""
    return pytest.param(*values, marks=pytest.mark.exhaustive)


class Measured:
    """A walk, and its markers on a skeleton of the person."""

    def __init__(self, name, sex, analyse, marker_set):
        (self.raw, self.static), self.sex = map(read_trial, PUBLISHED[name]), sex
        self.analyse = analyse
        self.kinematics = analyse(self.raw, self.static, sex=sex).kinematics
        self.definition = marker_set.skeleton
        values = self.kinematics.calibration.values
        self.skeleton = load_skeleton(SKELETON, mass=values["mass"], height=values["height"], sex=SEX[sex])
        self.marker_set = marker_set

    def marked(self, definition=None, refined=False, **columns):
        """The motion with other trajectories, by label, and other attachments where given."""
        definition = definition or self.definition
        markers = self.raw.markers_G.copy()
        for name, values in columns.items():
            markers[:, self.raw.marker_names.index(name)] = values
        places, _ = static_positions(self.static, self.marker_set, definition, self.kinematics)
        person = calibrate_static(self.skeleton, definition, places, self.kinematics.calibration.values["height"])
        walk = replace(self.raw, markers_G=markers)
        kinematics = self.analyse(walk, self.static, sex=self.sex).kinematics
        return fit_markers(walk, kinematics, definition, person, 6.0, FilterSettings().max_gap, 0.7, refined)

    def track(self, name):
        return self.raw.marker(name).copy()


@pytest.fixture(scope="module")
def measured(trials, analyse, plug_in_gait):
    return Measured("HC038A", "f", analyse, plug_in_gait)


@pytest.fixture(scope="module")
def fibula(trials, analyse, plug_in_gait):
    return Measured("HC032A", "f", analyse, plug_in_gait)


@pytest.fixture(scope="module")
def nantes(trials, analyse, plug_in_gait):
    return Measured("nantes", "m", analyse, plug_in_gait)


def test_the_measured_walk_needs_no_correction(measured):
    motion = measured.marked()
    assert not motion.swaps
    assert not motion.notes


def test_the_markers_that_were_swapped_in_a_published_trial_are_found_by_the_fit(fibula):
    """Labels of the head of the fibula and of the tuberosity of the tibia are swapped in the whole walk."""
    sites = {
        f"{side[0].upper()}{name}": Site(segment=f"{side}_shank", at=at, weight=0.02)
        for side, sign in (("left", -1), ("right", 1))
        for name, at in (("HFB", (-0.01, -0.03, 0.03 * sign)), ("TUB", (0.03, -0.03, 0.01 * sign)))
    }
    definition = fibula.definition.model_copy(update={"markers": {**fibula.definition.markers, **sites}})
    motion = fibula.marked(definition)
    (found,) = motion.swaps
    assert set(found.pairs[0]) == {"LHFB", "LTUB"}
    assert found.frames.all()
    assert found.rms_swapped < 0.5 * found.rms_labelled
    assert any("LHFB and LTUB" in note.subject for note in motion.notes)


def test_deliberate_swaps_are_corrected(measured):
    """A pair of one leg, and both legs, in a third of a second: the motion is that with the right labels."""
    good = measured.marked()
    frames = np.zeros(len(measured.raw.time), dtype=bool)
    frames[60:93] = True
    legs = [("L" + name, "R" + name) for name in ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")]
    for pairs in ([("LKNE", "LTIB")], legs):
        columns = {}
        for a, b in pairs:
            columns[a] = np.where(frames[:, None], measured.track(b), measured.track(a))
            columns[b] = np.where(frames[:, None], measured.track(a), measured.track(b))
        motion = measured.marked(**columns)
        (found,) = motion.swaps
        assert set(found.pairs) == set(pairs)
        np.testing.assert_array_equal(found.frames, frames)
        count = len(motion.marker_names)
        np.testing.assert_array_equal(motion.markers_G[:, :count], good.markers_G[:, :count])
        assert "61-93" in motion.notes[0].text


@pytest.mark.parametrize("name", ["LFIN", "LTOE", "SACR", *map(further, ("RWRB", "STRN", "LSHO", "LELB", "RKNE"))])
def test_a_marker_that_jumps_by_ten_centimetres_is_left_out_and_reported(measured, name):
    """Also the last marker of a limb, which the skeleton would simply follow."""
    track = measured.track(name)
    track[100:110] += 0.1 / np.sqrt(3.0)
    motion = measured.marked(**{name: track})
    left_out = motion.frame_fit.left_out[:, : len(motion.marker_names)]
    expected = np.zeros_like(left_out)
    expected[100:110, motion.marker_names.index(name)] = True
    np.testing.assert_array_equal(left_out, expected)
    assert any(note.subject == f"marker {name}" and "101-110" in note.text for note in motion.notes)


def test_long_gaps_are_reported_with_what_is_bridged(measured):
    """Half a second without a shank's and foot's markers: knee and ankle are named; others replace a toe's."""
    columns = {name: measured.track(name) for name in ("RKNE", "RTIB", "RANK", "RHEE", "RTOE", "LTOE")}
    for name, track in columns.items():
        track[slice(100, 150) if name[0] == "R" else slice(20, 60)] = np.nan
    notes = {note.subject: note for note in measured.marked(**columns).notes}
    leg = notes["markers RKNE, RTIB, RANK, RHEE, RTOE"]
    assert leg.kind == "warning"
    assert "101-150" in leg.text
    assert "right_knee_flexion" in leg.text
    assert "left" not in leg.text
    assert "21-60" in notes["marker LTOE"].text


def test_gaps_that_are_short_enough_to_fill_are_not_reported_here(measured):
    track = measured.track("LTOE")
    track[50:58] = np.nan
    assert not measured.marked(LTOE=track).notes


def residual(motion, frames=slice(None)):
    """Root mean square distance of the markers, the joint centres apart, in mm."""
    return 1000 * np.sqrt(np.nanmean(motion.frame_fit.distance[frames, : len(motion.marker_names)] ** 2))


@pytest.mark.parametrize(("trial", "limit"), [("fibula", 5.0), further("measured", 4.0), ("nantes", 7.0)])
def test_model_calibration_by_the_walk_lowers_marker_distances(trial, limit, request):
    """By at least a quarter; no joint moves by more than 10 mm or turns by more than 10 degrees."""
    walk = request.getfixturevalue(trial)
    before, after = walk.marked(), walk.marked(refined=True)
    assert residual(after) < limit
    assert residual(after) < 0.75 * residual(before)
    assert max(after.model.joint_centre_errors.values()) < 0.002
    moved = after.skeleton.origin[:, :3, 3] - before.skeleton.origin[:, :3, 3]
    turned = np.einsum("nij,nij->n", after.skeleton.origin[:, :3, :3], before.skeleton.origin[:, :3, :3])
    assert np.linalg.norm(moved, axis=1).max() < 0.010
    assert np.degrees(np.arccos(np.clip((turned - 1) / 2, -1, 1))).max() < 10.0
    assert any("calibrated from the walk" in note.text for note in after.model.notes)


@pytest.mark.parametrize("trial", ["fibula", further("measured"), "nantes"])
def test_model_calibration_also_lowers_marker_distances_of_frames_outside_it(trial, request):
    """Calibrated by the first half of the walk; distances in the second half, other steps, fall by a quarter too."""
    walk = request.getfixturevalue(trial)
    before = walk.marked()
    half = len(before.frame_fit.q) // 2
    weights = np.where(before.used, before.weights, 0.0)
    weights[half:] = 0.0
    person = calibrate_from_walk(
        before.model, walk.definition, before.model_markers, before.markers_G, weights, before.reference
    )
    reference = person.static_pose.copy()
    reference[person.skeleton.global_joints] = 0.0
    after = fit_frames(
        person.skeleton,
        person.markers.only(before.model_markers.names),
        before.markers_G,
        weights=before.weights,
        reference=reference,
        regularisation=before.regularisation,
    )
    later = np.sqrt(np.nanmean(after.distance[half:, : len(before.marker_names)] ** 2))
    assert 1000 * later < 0.75 * residual(before, slice(half, None))


def test_what_is_wrong_with_a_published_trial_is_named(nantes):
    """A wand that starts 50 mm from its position, and was moved after the static trial."""
    motion = nantes.marked(refined=True)
    assert any(note.subject == "marker LTIB" and "frames 1-" in note.text for note in motion.notes)
    assert any("LTIB 1" in note.text and "static trial" in note.text for note in motion.model.notes)


def test_a_quarter_of_all_markers_missing_makes_no_outliers(measured, rng):
    """Missing at random, frame by frame: where the previous frame is a bad start, the fit starts from the next one."""
    motion = measured.marked()
    columns = {name: measured.track(name) for name in motion.marker_names}
    for track in columns.values():
        track[rng.uniform(size=len(track)) < 0.25] = np.nan
    thinned = measured.marked(**columns)
    assert not thinned.frame_fit.left_out.any()
    assert not thinned.swaps
    assert residual(thinned) < 1.05 * residual(motion)
