"""Kinematics of the demo's walk with faulty markers, static trial and settings: each fault is corrected or noted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.config import (
    AnatomySettings,
    EventSettings,
    FilterSettings,
    GivenEvent,
    GivenSteps,
    PlateContact,
    Subject,
)
from pipeline.errors import SignalError
from pipeline.kinematics import kinematics
from pipeline.newton_euler import inverse_dynamics
from pipeline.trial import Note
from tests.recordings import with_markers, without_markers


def cut(trial, start, stop):
    """Some frames of the recording, without its plates and events."""
    frames = slice(start, stop)
    return replace(trial, time=trial.time[frames], markers_G=trial.markers_G[frames], plates=(), events=())


NOTHING_GIVEN = GivenSteps()


@pytest.fixture
def follow(plug_in_gait, demo_walk):
    def run(walk=demo_walk.raw, static=demo_walk.static, steps=NOTHING_GIVEN, marker_set=plug_in_gait, **filter):
        subject = Subject(subject="subject", sex="f")
        settings = AnatomySettings(), FilterSettings(**filter), EventSettings()
        return kinematics(walk, static, marker_set, subject, *settings, steps)

    return run


def notes_on(motion, subject):
    return " ".join(f"{note.kind}: {note.text}" for note in motion.notes if note.subject == subject)


def test_files_of_one_name_in_two_folders_both_have_their_digest(follow, demo_walk):
    raw, static = demo_walk.raw, demo_walk.static
    found = follow(static=replace(static, file_name=raw.file_name)).recordings
    assert found == {raw.file_name: raw.sha256, f"{raw.file_name} (static trial)": static.sha256}
    assert follow().recordings == {raw.file_name: raw.sha256, static.file_name: static.sha256}


def test_without_plates_markers_show_the_events(follow, demo_walk):
    raw = demo_walk.raw
    by_plates = [event for event in follow().events if event.source.startswith("plate")]
    by_markers = follow(cut(raw, 0, len(raw.time))).events
    assert len(by_plates) >= 6
    for event in by_plates:
        alike = [one.time for one in by_markers if (one.side, one.kind) == (event.side, event.kind)]
        # The largest error on measured walks is 39 ms (docs/validation.md); the demo's heels land more softly.
        assert np.abs(np.array(alike) - event.time).min() <= 0.05


def test_labels_swapped_midway_do_not_change_the_result(follow, demo_walk):
    raw = demo_walk.raw
    knee, shank = raw.marker("LKNE").copy(), raw.marker("LTIB").copy()
    knee[80:110], shank[80:110] = raw.marker("LTIB")[80:110], raw.marker("LKNE")[80:110]
    motion = follow(with_markers(raw, LKNE=knee, LTIB=shank))
    np.testing.assert_array_equal(motion.angles["left_knee"], demo_walk.kinematics.angles["left_knee"])
    assert "labelled LTIB in frames 81-110" in notes_on(motion, "marker LKNE")


@pytest.mark.parametrize("frames", [(60, 61), (60, 75)])
def test_a_marker_that_jumps_is_removed_and_filled(follow, demo_walk, frames):
    """A spline over 0.15 s of swing has an error of 1.3 degrees; with the marker as recorded it would be a hundred."""
    knee = demo_walk.raw.marker("LKNE").copy()
    knee[slice(*frames)] = [0.001, 0.0, 0.0]
    motion = follow(with_markers(demo_walk.raw, LKNE=knee))
    apart = np.degrees(motion.angles["left_knee"] - demo_walk.kinematics.angles["left_knee"])
    assert np.nanmax(np.abs(apart)) < 2.0
    assert "are not used" in notes_on(motion, "marker LKNE")


def test_a_static_trial_with_another_vertical_is_warned_of(follow, demo_walk):
    turned = replace(demo_walk.static, R_GL=demo_walk.static.R_GL[[0, 2, 1]] * [[1], [1], [-1]])
    assert "vertical differs by 90 degrees (limit 1) between static and walk" in notes_on(
        follow(static=turned), "lab axes"
    )


def test_warnings_about_the_static_trial_are_shown_with_the_walk(follow, demo_walk):
    warning = Note("warning", "plates", "contradict the markers")
    jumping = demo_walk.static.marker("LTHI").copy()
    jumping[20] += 0.2
    static = with_markers(replace(demo_walk.static, notes=(*demo_walk.static.notes, warning)), LTHI=jumping)
    motion = follow(static=static)
    assert notes_on(motion, "static, plates") == "warning: contradict the markers"
    assert "jumps by " in notes_on(motion, "static, marker LTHI")


def test_a_foot_assigned_to_a_plate_that_does_not_exist_is_warned_of(follow):
    assert "the usable plates of the recording are 1, 2, 3, 4" in notes_on(
        follow(steps=GivenSteps({7: "left"})), "plate 7"
    )


def test_a_recording_too_short_to_filter_is_noted(follow, demo_walk):
    with pytest.raises(SignalError, match=r"no segment is seen for 0\.1 s without a gap.*frames: 6 at 100 Hz"):
        follow(cut(demo_walk.raw, 50, 56))


def test_markers_in_no_frame_without_which_nothing_can_be_tracked_are_named(follow, demo_walk):
    """Those of head and arms are not among them."""
    unseen = dict.fromkeys(("LFHD", "LPSI", "LWRA", "RPSI"), np.nan)
    with pytest.raises(SignalError, match=r"labels that are missing or in no frame: LPSI, RPSI\. Check"):
        follow(with_markers(demo_walk.raw, **unseen))


def test_a_walk_without_a_marker_in_any_frame_is_named(follow, demo_walk):
    with pytest.raises(SignalError, match=r"trial walk: no segment is seen for 0\.1 s"):
        follow(with_markers(demo_walk.raw, **dict.fromkeys(demo_walk.raw.marker_names, np.nan)))


def test_a_marker_that_the_reader_left_out_is_missing_with_the_readers_reason(follow, demo_walk):
    raw = without_markers(demo_walk.raw, "ASI")
    reason = Note("left out", "markers", "points that share a label lie apart: LASI, RASI")
    with pytest.raises(SignalError, match="or in no frame: LASI, RASI; points that share a label lie apart"):
        follow(replace(raw, notes=(*raw.notes, reason)))


@pytest.mark.long
def test_a_walk_is_filtered_at_the_cut_off_that_its_noise_gives(follow, demo_walk, rng):
    """White noise of 1 mm on the demo's markers: joint angles are nearer to the truth than at 3 and at 20 Hz."""
    clean = demo_walk.raw.markers_G
    noisy = replace(demo_walk.raw, markers_G=clean + 0.001 * rng.normal(size=clean.shape))

    def error(motion):
        apart = motion.angles["right_knee"] - truth.angles["right_knee"]
        return float(np.sqrt(np.nanmean(apart[10:-10] ** 2)))

    truth, found = follow(markers=25.0), follow(noisy, markers="gcv")
    assert found.cutoff.method == "gcv"
    assert "by generalised cross-validation" in notes_on(found, "cut-off")
    assert error(found) < min(error(follow(noisy, markers=cutoff)) for cutoff in (3.0, 20.0))


def test_what_the_study_decides_about_steps_is_used_and_noted(follow, demo_walk):
    """The first left step is rejected and the right foot's initial contact moved by 30 ms: its cycle begins there."""
    first, second = demo_walk.kinematics.stances[:2]
    moved = GivenEvent("right", "initial contact", round(second.onset + 0.03, 3))
    steps = GivenSteps({3: "left"}, (moved,), (PlateContact(first.plate, first.onset + 0.1),))
    motion = follow(steps=steps)
    assert motion.stances[0].rejected == "excluded in trials.tsv"
    assert not [e for e in motion.events if e.source == first.on]
    (cycle,) = [c for c in motion.cycles if c.initial_contact == moved.time]
    assert (cycle.side, cycle.plate) == ("right", second.plate)
    assert "trials.tsv, 30 ms from plate" in notes_on(motion, "events")
    with pytest.raises(SignalError, match="column 'rejected_steps': no contact with plate 1 at 9 s"):
        follow(steps=GivenSteps(rejected=(PlateContact(1, 9.0),)))


def without_mass(trial, plates=True):
    """The recording whose file stores no body mass."""
    parameters = {name: value for name, value in trial.parameters.items() if name != "Bodymass"}
    return replace(trial, parameters=parameters, plates=trial.plates if plates else ())


def test_a_mass_that_is_not_given_comes_from_the_steps(follow, demo_walk):
    """The demo weighs 72 kg; impulses over half a stride are known to 3 %."""
    motion = follow(without_mass(demo_walk.raw), without_mass(demo_walk.static, plates=False))
    assert motion.calibration.values["mass"] == pytest.approx(72.0, rel=0.03)
    assert motion.calibration.sources["mass"] == "walk: vertical impulse"
    assert "estimated" in notes_on(motion, "mass")
    np.testing.assert_array_equal(motion.angles["left_knee"], demo_walk.kinematics.angles["left_knee"])
    assert [s.rejected for s in motion.stances] == [s.rejected for s in demo_walk.kinematics.stances]


def test_the_mass_of_a_person_in_a_video_is_assumed_from_stature_and_said(follow, demo_walk, plug_in_gait):
    walk, static = (without_mass(trial, plates=False) for trial in (demo_walk.raw, demo_walk.static))
    video = plug_in_gait.model_copy(update={"estimated": True})
    motion = follow(replace(walk, events=demo_walk.raw.events), static, marker_set=video)
    values = motion.calibration.values
    assert values["mass"] == pytest.approx(22.0 * values["height"] ** 2)
    assert motion.calibration.sources["mass"] == "assumed"
    assert "assumed" in notes_on(motion, "mass")


def test_without_any_mass_there_are_angles_and_no_moments(follow, demo_walk):
    walk, static = (without_mass(trial, plates=False) for trial in (demo_walk.raw, demo_walk.static))
    motion = follow(replace(walk, events=demo_walk.raw.events), static)
    np.testing.assert_array_equal(motion.angles["left_knee"], demo_walk.kinematics.angles["left_knee"])
    assert "left out" in notes_on(motion, "mass")
    loads = inverse_dynamics(motion)
    assert all(np.isnan(load.moment_distal).all() for load in loads.joints.values())
