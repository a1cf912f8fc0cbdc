"""Events of a file that plates contradict: a common delay is taken out, a single one noted, scattered ones left out."""

import pytest

from pipeline.signals import events_against_plates
from pipeline.trial import Event

PLATES = [
    Event(1.0, "left", "initial contact", "plate 1"),
    Event(1.5, "right", "initial contact", "plate 2"),
    Event(1.6, "left", "foot off", "plate 1"),
    Event(2.1, "right", "foot off", "plate 2"),
]
ALONE = Event(2.2, "left", "initial contact", "file")


def stored(*late):
    """The file's events, each later than the plate's by a time, and one that no plate has."""
    return [Event(p.time + by, p.side, p.kind, "file") for p, by in zip(PLATES, late, strict=True)] + [ALONE]


def test_a_single_event_that_is_early_is_noted_and_the_plate_is_used():
    kept, (note,) = events_against_plates(stored(0.0, 0.005, -0.03, 0.01), PLATES)
    assert kept == [ALONE]
    assert (note.kind, note.subject) == ("info", "events of the file")
    assert note.text == "left foot off at 1.570 s is 30 ms earlier than by plate 1, which is used"


@pytest.mark.parametrize("delay", [0.05, -0.15])
def test_a_common_delay_is_taken_out_of_all_events(delay):
    (kept,), (note,) = events_against_plates(stored(delay, delay + 0.01, delay, delay - 0.01), PLATES)
    assert kept.time == pytest.approx(ALONE.time - delay)
    assert note.kind == "warning"
    assert (
        f"{1000 * abs(delay):.0f} ms {'later' if delay > 0 else 'earlier'} than the plates (median of 4)" in note.text
    )


def test_events_that_scatter_are_not_used():
    kept, (note,) = events_against_plates(stored(0.05, 0.25, 0.12, 0.2), PLATES)
    assert kept == []
    assert "none is used" in note.text


def test_without_plates_or_of_the_other_foot_nothing_changes():
    events = stored(0.1, 0.1, 0.1, 0.1)
    assert events_against_plates(events, []) == (events, [])
    others = [Event(p.time, {"left": "right", "right": "left"}[p.side], p.kind, p.source) for p in PLATES]
    assert events_against_plates([events[0]], others) == ([events[0]], [])


def test_an_event_is_that_of_the_nearest_of_several_steps_on_plates():
    """Two left contacts a stride apart; the file has the second, 10 ms late, and so it is left to the plate."""
    plates = [Event(1.0, "left", "initial contact", "plate 1"), Event(2.1, "left", "initial contact", "plate 3")]
    assert events_against_plates([Event(2.11, "left", "initial contact", "file")], plates) == ([], [])
