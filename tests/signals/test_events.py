"""Initial contacts, foot offs, cycles and swing from their three sources."""

import numpy as np
import pytest

from pipeline.config import EventSettings
from pipeline.signals import Foot, find_cycles, find_events, marker_events, plausible_events, swing_frames
from pipeline.trial import Event, Stance
from tests.signals.swinging_foot import PELVIS, TIME, gait

SETTINGS = EventSettings()
UNSEEN = Foot(np.full((300, 3), np.nan), np.full((300, 3), np.nan))


def stance(side, onset, end, plate=1, rejected=""):
    start, stop = np.searchsorted(TIME, [onset - 1e-9, end - 1e-9])
    return Stance(plate, side, int(start), int(stop), onset, end, 0.01, rejected)


def summary(events):
    return [(e.kind, round(e.time, 3), e.source) for e in events]


def find(stances=(), stored=(), feet=None, settings=SETTINGS):
    found = [event for side, foot in (feet or {}).items() for event in marker_events(side, foot, PELVIS, TIME)]
    return find_events(stances, stored, found, len(TIME), settings)


def test_the_more_trusted_source_names_an_event_and_the_less_trusted_one_fills_in():
    stored = [Event(0.46, "left", "initial contact", "file"), Event(2.62, "left", "initial contact", "file")]
    events = find([stance("left", 0.45, 1.10, plate=2)], stored)
    assert summary(events) == [
        ("initial contact", 0.45, "plate 2"),
        ("foot off", 1.1, "plate 2"),
        ("initial contact", 2.62, "file"),
    ]
    turned = find([stance("left", 0.45, 1.10)], stored, settings=EventSettings(sources=("file", "plates")))
    assert summary(turned) == [
        ("initial contact", 0.46, "file"),
        ("foot off", 1.1, "plate 1"),
        ("initial contact", 2.62, "file"),
    ]


def test_an_event_that_a_file_holds_twice_is_one():
    stored = [Event(t + twice, "left", "initial contact", "file") for t in (0.45, 1.55) for twice in (0.0, 0.01)]
    assert [event.time for event in find(stored=stored)] == [0.45, 1.55]


def test_events_of_the_file_that_their_foot_contradicts_are_left_out_by_name():
    """The left heel is farthest ahead at 0.4 s and 1.5 s, the right one half a period later."""
    feet = {"left": gait(0.4), "right": gait(0.95)}
    good = [
        Event(0.44, "left", "initial contact", "file"),
        Event(0.93, "left", "foot off", "file"),
        Event(1.0, "right", "initial contact", "file"),
    ]
    bad = [Event(1.5, "right", "initial contact", "file"), Event(1.56, "left", "foot off", "file")]
    believed, notes = plausible_events([*good, *bad], feet, PELVIS, TIME)
    assert believed == good
    (note,) = notes
    assert note.kind == "warning"
    assert "right initial contact at 1.500 s, left foot off at 1.560 s" in note.text


def test_events_are_kept_where_no_marker_contradicts_them():
    stored = [Event(0.4, "left", "foot off", "file"), Event(0.5, "right", "initial contact", "file")]
    standing = Foot(PELVIS + np.array([0.05, -0.85, 0.1]), PELVIS + np.array([0.25, -0.85, 0.1]))
    assert plausible_events(stored, {"left": UNSEEN, "right": standing}, PELVIS, TIME) == (stored, [])


def test_events_of_the_other_foot_or_kind_at_the_same_time_are_kept():
    stored = [Event(0.45, "right", "foot off", "file"), Event(0.45, "left", "foot off", "file")]
    assert len(find([stance("left", 0.45, 1.10)], stored)) == 4


def test_a_source_that_the_study_excludes_is_not_used():
    stored = [Event(0.46, "left", "initial contact", "file")]
    assert find([stance("left", 0.45, 1.1)], stored, settings=EventSettings(sources=("markers",))) == ()


def test_marker_events_take_over_the_median_shift_to_trusted_events_of_their_kind():
    """Plates: initial contacts 0.05 s after the heel's maximum, foot offs 0.02 s before the toe's minimum."""
    events = find([stance("left", 0.45, 0.93)], feet={"left": gait(0.4), "right": gait(0.95)})
    left = {(e.kind, round(e.time, 2)): e.source for e in events if e.side == "left"}
    assert left[("initial contact", 0.45)] == left[("foot off", 0.93)] == "plate 1"
    assert left[("initial contact", 1.55)] == left[("initial contact", 2.65)] == "markers, shifted by +0.050 s"
    assert left[("foot off", 2.03)] == "markers, shifted by -0.020 s"
    # The other foot has no trusted events of its own: the person's shift serves both.
    right = {(e.kind, round(e.time, 2)) for e in events if e.side == "right"}
    assert {("initial contact", 1.0), ("initial contact", 2.1)} <= right
    assert list(events) == sorted(events, key=lambda e: e.time)


def test_without_trusted_events_markers_are_used_as_they_are():
    events = find(feet={"left": gait(0.4), "right": UNSEEN})
    assert {e.source for e in events} == {"markers"}


def test_a_rejected_contact_gives_no_events_and_a_cut_one_its_recorded_end():
    assert find([stance("left", 0.45, 1.10, rejected="light touch")]) == ()
    assert find([stance("", 0.45, 1.10, rejected="no foot")]) == ()
    for start, stop, kind, time in ((0, 50, "foot off", 0.5), (250, 300, "initial contact", 2.5)):
        cut = Stance(1, "left", start, stop, start / 100, stop / 100, 0.01, "begins or ends outside the recording")
        assert summary(find([cut])) == [(kind, time, "plate 1")]


def events_of(side, contacts, foot_offs, source="file"):
    return [Event(t, side, "initial contact", source) for t in contacts] + [
        Event(t, side, "foot off", source) for t in foot_offs
    ]


def ordered(*groups):
    return sorted((e for group in groups for e in group), key=lambda e: e.time)


WALK = ordered(events_of("left", [0.1, 1.2, 2.3], [0.8, 1.9]), events_of("right", [0.65, 1.75], [0.25, 1.35]))


def test_cycles_run_from_contact_to_contact_with_the_other_foots_events_inside():
    cycles = find_cycles(WALK, [stance("left", 1.19, 1.91, plate=3)], SETTINGS)
    assert [(c.side, c.initial_contact, c.next_initial_contact) for c in cycles] == [
        ("left", 0.1, 1.2),
        ("right", 0.65, 1.75),
        ("left", 1.2, 2.3),
    ]
    first, right, second = cycles
    assert (first.foot_off, first.opposite_foot_off, first.opposite_initial_contact) == (0.8, 0.25, 0.65)
    assert (right.foot_off, right.opposite_foot_off, right.opposite_initial_contact) == (1.35, 0.8, 1.2)
    assert (first.plate, right.plate, second.plate) == (0, 0, 3)
    assert first.source == "file, file, file"


@pytest.mark.parametrize(
    ("contacts", "foot_offs"),
    [
        ([0.1, 1.2], []),
        ([0.1, 0.45], [0.3]),  # too short, and too long
        ([0.1, 2.7], [0.8]),
        ([0.1, 2.3], [0.8, 1.9]),  # a contact between the two foot offs was missed
        ([0.1, 2.3], [0.8]),  # 1.5 s are no swing but two with a stance between them, however late
        ([60.1, 62.3], [60.8]),
    ],
)
def test_a_cycle_without_one_foot_off_of_impossible_length_or_over_a_missed_stance_is_none(contacts, foot_offs):
    assert find_cycles(ordered(events_of("left", contacts, foot_offs)), [], SETTINGS) == ()


def test_a_plate_that_carries_the_stance_uncleanly_gives_no_kinetics():
    for other in (stance("left", 1.2, 1.9, rejected="light touch"), stance("right", 1.2, 1.9)):
        assert [c.plate for c in find_cycles(WALK, [other], SETTINGS)] == [0, 0, 0]


def test_a_cycle_without_the_other_foots_events_has_them_missing():
    (cycle,) = find_cycles(ordered(events_of("left", [0.1, 1.2], [0.8])), [], SETTINGS)
    assert np.isnan([cycle.opposite_foot_off, cycle.opposite_initial_contact]).all()


def test_swing_lasts_from_foot_off_to_initial_contact_of_the_same_foot():
    swing = swing_frames("left", WALK, TIME)
    expected = np.zeros(300, dtype=bool)
    expected[80:120] = expected[190:230] = True
    np.testing.assert_array_equal(swing, expected)


@pytest.mark.parametrize(("contact", "foot_off"), [(0.1, 0.8), (2.6, 0.2)])
def test_swing_is_not_known_beyond_the_events_nor_where_it_would_be_longer_than_any_step(contact, foot_off):
    """From a foot off at 0.2 s to an initial contact at 2.6 s the foot stood somewhere: a stance was missed."""
    assert not swing_frames("left", ordered(events_of("left", [contact], [foot_off])), TIME).any()


def test_a_cycle_of_very_slow_walking_is_one():
    """3.2 s with a swing of 0.8 s."""
    (cycle,) = find_cycles(ordered(events_of("left", [0.1, 3.3], [2.5])), [], SETTINGS)
    assert (cycle.initial_contact, cycle.foot_off, cycle.next_initial_contact) == (0.1, 2.5, 3.3)


def test_a_stance_is_that_of_a_cycle_whose_events_are_some_frames_away():
    """By at most 50 ms: 40 ms at both ends is the same stance, 70 ms at either end is not."""
    for onset, end, number in ((1.16, 1.94, 3), (1.13, 1.9, 0), (1.2, 1.97, 0)):
        cycles = find_cycles(WALK, [stance("left", onset, end, plate=3)], SETTINGS)
        assert [cycle.plate for cycle in cycles] == [0, 0, number]


def test_running_has_cycles_with_the_other_foots_events_after_its_own():
    """Contacts of 0.25 s, 0.35 s apart from foot to foot: 0.1 s of flight."""
    running = ordered(events_of("left", [0.1, 0.8], [0.35, 1.05]), events_of("right", [0.45, 1.15], [0.7]))
    left, right = find_cycles(running, [stance("left", 0.1, 0.35)], SETTINGS)
    assert (left.foot_off, left.opposite_initial_contact, left.opposite_foot_off) == (0.35, 0.45, 0.7)
    assert (left.plate, left.side, right.side) == (1, "left", "right")
