"""When the ground reactions on the skeleton's feet are known."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.trial import Event, LowPass
from pipeline.whole_body.ground import _nearest_contact, filtered_ground_reactions


@pytest.mark.parametrize("rate", [100.0, 200.0])
@pytest.mark.parametrize(("cutoff", "near"), [(5.0, 0.05), (12.5, 0.02)])
def test_a_foot_in_the_air_has_a_known_load_a_quarter_of_the_cut_offs_period_from_unmeasured_contacts(
    rate, cutoff, near
):
    """The left foot swings from 0.5 to 0.9 s and the right one from 1.1 to 1.4 s, without plates."""
    swings = {"left": (0.5, 0.9), "right": (1.1, 1.4)}
    time = np.arange(round(2.0 * rate)) / rate
    events = [
        Event(at, side, kind, "markers")
        for side, times in swings.items()
        for at, kind in zip(times, ("foot off", "initial contact"), strict=True)
    ]
    walk = SimpleNamespace(rate=rate, analog_rate=0.0, time=time, plates=())
    motion = SimpleNamespace(time=time, events=tuple(events), stances=(), plates=())
    ground = filtered_ground_reactions(walk, motion, LowPass(cutoff, cutoff, 4), np.ones(len(time), dtype=bool))
    for side, (off, contact) in swings.items():
        # From the last unknown frame before foot off, and to the first one from initial contact on.
        inside = (time > off - 1.0 / rate + near + 1e-6) & (time < contact - near - 1e-6)
        np.testing.assert_array_equal(ground.known[side], inside)
        np.testing.assert_array_equal(ground.wrenches[f"{side}_foot"].force_G, np.zeros((len(time), 3)))
    assert not ground.all_known.any()


def test_a_frame_belongs_to_the_nearest_contact_with_the_plate():
    """Frames 10 to 19 of the left foot, 40 to 49 of the right one, 70 to 79 of a left one that is not clean: the middle
    between the first two is 29.5, that between the others 59.5."""
    contacts = (("left", 10, 20, False), ("right", 40, 50, False), ("left", 70, 80, True))
    stances = [
        SimpleNamespace(side=side, start=start, stop=stop, rejected=rejected, plates=(3,))
        for side, start, stop, rejected in contacts
    ]
    elsewhere = SimpleNamespace(side="right", start=25, stop=30, rejected=False, plates=(1,))
    walk = SimpleNamespace(time=np.arange(100) / 50.0, stances=[*stances, elsewhere])
    np.testing.assert_array_equal(np.flatnonzero(_nearest_contact(3, "left", walk)), np.arange(30))
    np.testing.assert_array_equal(np.flatnonzero(_nearest_contact(3, "right", walk)), np.arange(30, 60))
