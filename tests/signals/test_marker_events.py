"""Events from heel and toe markers: steps and foot off as extremes from the pelvis, contact as the heel's impact."""

import numpy as np
import pytest

from pipeline.signals import Foot, marker_event_errors, marker_events
from pipeline.signals.marker_events import _landing
from pipeline.trial import Event
from tests.signals.swinging_foot import PELVIS, RATE, TIME, gait

RESOLUTION = 0.1 / RATE
"""s; a parabola finds the summit of a cosine of this period to far less than a frame."""


def times(foot, kind="initial contact", pelvis=PELVIS, time=TIME, **options):
    return [e.time for e in marker_events("left", foot, pelvis, time, **options) if e.kind == kind]


def raised(foot, height):
    """The foot whose heel is higher by (T,) m."""
    return Foot(foot.heel + np.outer(height, [0.0, 1.0, 0.0]), foot.toe)


def test_zeni_finds_the_extremes_of_heel_and_toe_from_the_pelvis():
    """Heel maxima at 0.403 + n 1.1 s, between frames; toe minima half a period later."""
    np.testing.assert_allclose(times(gait(0.403)), [0.403, 1.503, 2.603], atol=RESOLUTION)
    np.testing.assert_allclose(times(gait(0.403), "foot off"), [0.953, 2.053], atol=RESOLUTION)
    assert {(e.side, e.source) for e in marker_events("left", gait(0.4), PELVIS, TIME)} == {("left", "markers")}


def test_contact_is_the_heels_impact_after_its_foremost_position():
    """The heel descends at 0.4 m/s until 1.553 s, 50 ms after it was foremost, and stops within 20 ms.

    An earlier and stronger deceleration in mid swing, before the heel is foremost, is none.
    """
    foot = gait(0.403)
    speed = 0.4 / (1.0 + np.exp((TIME - 1.553) / 0.004)) + 2.0 / (1.0 + np.exp((TIME - 1.30) / 0.004))
    height = 0.05 + np.cumsum(-speed) / RATE
    landing = raised(foot, height)
    # The sum of rectangles is late by half a frame; the summit is that of a logistic slope on a grid of 10 ms.
    assert times(landing)[1] == pytest.approx(1.553, abs=0.6 / RATE)
    assert times(landing, "foot off") == times(foot, "foot off")


def test_motion_from_video_lands_after_a_set_time_whatever_its_height_says():
    """The heel is foremost at 0.403 + n 1.1 s and would land 46 ms later; its height has an impact at 1.6 s."""
    foot = gait(0.403)
    height = np.where(TIME < 1.6, 0.4 * (1.6 - TIME), 0.0)
    np.testing.assert_allclose(times(raised(foot, height), impact=False), [0.449, 1.549, 2.649], atol=RESOLUTION)
    late = gait(0.403 + 0.36)  # the third step is foremost at 2.963 s, and would land beyond the last frame
    late.heel[298:] = np.nan
    np.testing.assert_allclose(times(late, impact=False), [0.809, 1.909], atol=RESOLUTION)


def test_the_speed_of_the_pelvis_does_not_matter():
    foot, treadmill = gait(0.4), PELVIS * [0.0, 1.0, 1.0]
    shifted = Foot(foot.heel - PELVIS + treadmill, foot.toe - PELVIS + treadmill)
    for kind in ("initial contact", "foot off"):
        np.testing.assert_allclose(times(shifted, kind, treadmill), times(foot, kind), atol=1e-9)


@pytest.mark.parametrize("gap", [slice(120, 300), slice(120, 145), slice(0, 160)])
def test_the_edge_of_a_gap_is_no_event(gap):
    """The heel moves forward when the gap begins at 1.2 s, or backward when it ends: neither edge is an extreme."""
    foot = gait(0.4)
    whole = marker_events("left", foot, PELVIS, TIME)
    foot.heel[gap], foot.toe[gap] = np.nan, np.nan
    found = marker_events("left", foot, PELVIS, TIME)
    assert set(found) <= set(whole)
    assert found


def test_a_foot_with_missing_markers_has_no_events():
    unseen = Foot(np.full((300, 3), np.nan), np.full((300, 3), np.nan))
    assert marker_events("left", unseen, PELVIS, TIME) == []
    assert marker_events("left", Foot(PELVIS[:5], PELVIS[:5]), PELVIS[:5], TIME[:5]) == []


def test_small_and_too_frequent_maxima_are_no_events():
    """A maximum of a fifth of the heel's range is none; of two maxima 0.3 s apart the higher one is the contact."""
    foot = gait(0.4)
    expected = times(foot)
    wiggle = 0.14 * np.exp(-(((TIME - 2.05) / 0.03) ** 2))  # in stance, where the heel is farthest behind
    twin = 0.30 * np.exp(-(((TIME - 1.2) / 0.04) ** 2))  # 0.3 s before the contact at 1.5 s, not as far ahead
    disturbed = Foot(foot.heel + np.outer(wiggle + twin, [1.0, 0.0, 0.0]), foot.toe)
    ahead = (disturbed.heel - PELVIS)[:, 0]
    assert ahead[120] > max(ahead[115], ahead[125]), "a second maximum"
    assert ahead[120] < ahead[150]
    np.testing.assert_allclose(times(disturbed), expected, atol=RESOLUTION)


def test_the_error_against_the_trials_own_plates_is_noted_by_kind():
    plates = [Event(1.0, "left", "initial contact", "plate 1"), Event(1.6, "left", "foot off", "plate 1")]
    found = [
        Event(1.012, "left", "initial contact", "markers"),
        Event(1.593, "left", "foot off", "markers"),
        Event(1.6, "right", "foot off", "markers"),
        Event(2.1, "left", "initial contact", "markers"),
    ]
    (note,) = marker_event_errors(found, plates, 0.2)
    assert (note.kind, note.subject) == ("info", "events of the markers")
    assert note.text.startswith("initial contact 12 ms late, foot off 7 ms early relative to this trial's plates")
    assert marker_event_errors(found, [], 0.2) == []


def test_the_higher_of_two_maxima_closer_than_a_stride_is_the_step_whatever_is_between_them():
    """Foremost at 0.4 + n 1.1 s, and again 0.3 s before each, 95 % as far ahead, rearmost between."""
    bumps = [
        size * np.exp(-(((TIME - at) / 0.04) ** 2))
        for n in range(3)
        for at, size in ((0.4 + 1.1 * n, 0.6), (0.1 + 1.1 * n, 0.57))
    ]
    foot = gait(0.4)
    heel = PELVIS + np.stack([sum(bumps), np.full(300, -0.85), np.full(300, 0.1)], axis=1)
    found = times(Foot(heel, foot.toe))
    np.testing.assert_allclose(found, [0.4, 1.5, 2.6], atol=RESOLUTION)


def test_the_heel_may_land_until_the_end_of_the_time_that_an_impact_has():
    """The largest upward acceleration is at the very last frame of the window, a parabola about it one frame on."""
    upward = np.zeros(30)
    upward[10:13] = [1.0, 2.0, 1.0]
    assert _landing(6.0, upward, within=5) == 11.0
    assert _landing(6.0, upward, within=4) < 11.0


def test_the_summit_of_an_acceleration_that_begins_or_goes_on_outside_the_window_is_half_a_frame_beyond_it():
    """Parabolas with their summits 1.5 frames before frame 8 and 1.5 frames after frame 11, the ends of a window."""
    upward = np.zeros(30)
    upward[7:10] = [3.0, 2.0, 0.0]
    assert _landing(7.2, upward, within=4) == 7.5
    upward[7:13] = [0.0, 0.0, 0.0, 1.0, 2.0, 2.5]
    assert _landing(6.0, upward, within=5) == 11.5


@pytest.mark.parametrize(("period", "late"), [(0.65, 0.04), (1.1, 0.13)])
def test_the_time_in_which_the_heel_may_land_ends_before_it_rises_in_a_run(period, late):
    """Upward accelerations of 14 m/s^2 40 ms after the heel is foremost, and of 20 m/s^2 130 ms after it."""
    foremost = np.arange(0.4, 2.7, period)
    swing = 0.35 * np.cos(2 * np.pi * (TIME - 0.4) / period)
    upward = sum(
        size * np.exp(-(((TIME - at - after) / 0.015) ** 2))
        for at in foremost
        for after, size in ((0.04, 14), (0.13, 20))
    )
    height = np.cumsum(np.cumsum(upward)) / RATE**2
    heel = PELVIS + np.stack([swing, height, np.full(300, 0.1)], axis=1)
    found = times(Foot(heel, heel + np.array([0.2, 0.0, 0.0])))
    # Sums for integrals shift the height by a frame.
    np.testing.assert_allclose(np.subtract(found, foremost), late, atol=1.5 / RATE)


@pytest.mark.parametrize("stop", [13, 15])
def test_the_heel_that_rises_as_the_window_or_the_recording_ends_does_not_land(stop):
    """A run at 50 Hz: the impact of 14.5 m/s^2 at frame 8, and up to 16 from the heel's rise, which goes on."""
    upward = np.full(30, np.nan)
    upward[6:15] = [-9.0, 5.0, 14.5, 8.0, 0.0, 5.0, 15.0, 16.0, 17.0]
    upward[stop:] = np.nan
    assert _landing(6.0, upward, within=6) == pytest.approx(8.0, abs=0.5)


@pytest.mark.parametrize("size", [0.3, 2.0])
def test_steps_of_a_child_are_those_of_a_tall_person(size):
    """The foot's path about the pelvis, scaled."""
    foot = gait(0.403)
    scaled = Foot(PELVIS + size * (foot.heel - PELVIS), PELVIS + size * (foot.toe - PELVIS))
    for kind in ("initial contact", "foot off"):
        np.testing.assert_allclose(times(scaled, kind), times(foot, kind), atol=1e-9)


@pytest.mark.parametrize("impact", [False, True])
def test_a_recording_whose_clock_begins_later_has_its_events_later(impact):
    foot = gait(0.403)
    one, other = (marker_events("left", foot, PELVIS, TIME + late, impact=impact) for late in (0.0, 7.0))
    np.testing.assert_allclose([e.time for e in other], [e.time + 7.0 for e in one], atol=1e-9)


def test_a_single_step_has_its_impact_within_the_time_of_any_step():
    """One step in 0.9 s, so that no stride is known: the heel stops 60 ms after it was foremost at 0.403 s."""
    foot, frames = gait(0.403), slice(0, 90)
    height = 0.05 + np.cumsum(-0.4 / (1.0 + np.exp((TIME - 0.463) / 0.004))) / RATE
    heel = raised(foot, height).heel
    contacts = times(Foot(heel[frames], foot.toe[frames]), pelvis=PELVIS[frames], time=TIME[frames])
    assert contacts == pytest.approx([0.463], abs=0.6 / RATE)
