"""Events and steps that a study decides: they come before all others, and one that the walk has not is an error."""

import numpy as np
import pytest

from pipeline.config import EventSettings, GivenEvent, GivenSteps, PlateContact
from pipeline.errors import SignalError
from pipeline.signals import find_events, given_events, given_steps_notes, plate_events, without_rejected
from pipeline.trial import Event, Stance

TIME = np.arange(300) / 100.0
STANCES = (
    Stance(1, "left", 45, 110, 0.45, 1.10, 0.01, ""),
    Stance(2, "right", 100, 165, 1.00, 1.65, 0.01, "", second_plate=3),
)


def test_a_given_event_replaces_that_of_the_plate_and_leaves_the_others():
    given = given_events([GivenEvent("left", "initial contact", 0.5)], TIME, "trial walk")
    events = find_events(STANCES, [], [], len(TIME), EventSettings(), given)
    left = [(e.kind, e.time, e.source) for e in events if e.side == "left"]
    assert left == [("initial contact", 0.5, "trials.tsv"), ("foot off", 1.1, "plate 1")]
    assert [e.source for e in events if e.side == "right"] == 2 * ["plates 2 and 3"]


def test_an_event_beyond_the_recording_names_trial_column_value_and_limit():
    with pytest.raises(SignalError) as error:
        given_events([GivenEvent("right", "foot off", 4.2)], TIME, "trial walk")
    for part in ("trial walk in trials.tsv", "column 'events'", "right foot off at 4.2 s", "2.990 s"):
        assert part in str(error.value)


@pytest.mark.parametrize("plate", [2, 3])
def test_a_rejected_step_has_no_events_and_no_kinetics(plate):
    stances = without_rejected(STANCES, [PlateContact(plate, 1.3)], "trial walk")
    assert [s.rejected for s in stances] == ["", "excluded in trials.tsv"]
    assert {e.side for e in plate_events(stances, len(TIME))} == {"left"}


@pytest.mark.parametrize("step", [PlateContact(1, 1.3), PlateContact(7, 0.5)])
def test_a_step_that_no_plate_has_is_an_error_with_the_contacts_that_there_are(step):
    with pytest.raises(SignalError) as error:
        without_rejected(STANCES, [step], "trial walk")
    known = "0.450 to 1.100 s" if step.plate == 1 else "none"
    assert f"column 'rejected_steps': no contact with plate {step.plate} at {step.time:g} s" in str(error.value)
    assert known in str(error.value)


def test_all_decisions_are_noted_with_the_distance_from_the_plate():
    steps = GivenSteps({1: "left", 4: "none"}, (GivenEvent("left", "foot off", 1.08),), (PlateContact(2, 1.3),))
    notes = {note.subject: note.text for note in given_steps_notes(steps, [Event(1.1, "left", "foot off", "plate 1")])}
    assert notes == {
        "plate 1": "assigned to the left foot, as given in trials.tsv",
        "plate 4": "not used, as given in trials.tsv",
        "plate 2": "the contact at 1.3 s is not used, as given in trials.tsv",
        "events": "left foot off at 1.08 s is given in trials.tsv, 20 ms from plate 1",
    }
