"""A walk at other cut-off frequencies."""

import numpy as np

from pipeline.config import EventSettings, FilterSettings
from pipeline.kinematics import refiltered
from tests.recordings import with_values


def test_the_plates_thresholds_are_those_of_the_subjects_weight(demo_legs, plug_in_gait):
    """A child of 20 kg weighs 196.133 N, so that its thresholds are 196.133/500 of those of an adult."""
    adult = demo_legs.kinematics
    child = with_values(adult, mass=20.0)

    def contacts(kinematics, events):
        (found,) = refiltered(demo_legs.raw, kinematics, plug_in_gait, FilterSettings(), [6.0], events)
        return [(np.flatnonzero(plate.contact), np.isfinite(plate.cop_G[:, 0])) for plate in found.plates]

    given = EventSettings(on_force=100.0, off_force=60.0, cop_force=200.0)
    share = 20.0 * 9.80665 / 500.0
    by_hand = EventSettings(on_force=100.0 * share, off_force=60.0 * share, cop_force=200.0 * share)
    scaled, expected, full = contacts(child, given), contacts(adult, by_hand), contacts(adult, given)
    for found, wanted in zip(scaled, expected, strict=True):
        np.testing.assert_array_equal(found[0], wanted[0])
        np.testing.assert_array_equal(found[1], wanted[1])
    assert any(one[1].sum() > other[1].sum() for one, other in zip(scaled, full, strict=True))
