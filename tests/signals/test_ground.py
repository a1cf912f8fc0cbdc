"""Plate loads at the marker frames, and the load of the ground on a foot."""

import inspect

import numpy as np
import pytest

from pipeline.config import EventSettings
from pipeline.math3d import Wrench
from pipeline.signals import ground_reaction, low_pass, plate_load
from pipeline.signals.plates import filtered_at_frames
from pipeline.trial import ForcePlate, PlateLoad, Stance

ANALOG_RATE, CUTOFF = 1000.0, 10.0
TIME = np.arange(100) / 100.0
CORNERS = np.array([[0.6, 0, 0.0], [0.6, 0, 0.5], [0.0, 0, 0.5], [0.0, 0, 0.0]])
"""In the file's order: x of the plate forward (+X), y to the right (+Z), z into the floor."""
CENTRE = CORNERS.mean(axis=0)


def plate_with(force, moment):
    return ForcePlate(1, 2, CORNERS, Wrench(force, moment, CENTRE))


def load_of(plate, settings=EventSettings()):  # noqa: B008 - frozen
    given = {"analog_rate": ANALOG_RATE, "time": TIME, "cutoff": CUTOFF, "order": 4, "settings": settings}
    known = inspect.signature(plate_load).parameters
    return plate_load(plate, **{name: value for name, value in given.items() if name in known})


@pytest.fixture
def step():
    """A stance of 0.2 to 0.8 s under a centre of pressure 80 mm ahead and 30 mm left of the centre, with 4 Nm."""
    force = np.zeros((1000, 3))
    force[200:800] = [40.0, 700.0, -20.0]
    arm = np.array([0.08, 0.0, -0.03])
    moment = np.cross(arm, force)
    moment[200:800, 1] += 4.0
    return plate_with(force, moment)


def test_centre_of_pressure_and_free_moment_are_those_that_made_the_load(step):
    load, times = load_of(step)
    np.testing.assert_allclose(times, [[0.2, 0.8]])
    np.testing.assert_array_equal(np.flatnonzero(load.contact), np.arange(20, 80))
    middle = slice(40, 60)
    np.testing.assert_allclose(load.cop_G[middle], np.tile(CENTRE + np.array([0.08, 0, -0.03]), (20, 1)), atol=1e-6)
    assert load.free_moment.shape == TIME.shape
    np.testing.assert_allclose(load.free_moment[middle], 4.0, atol=1e-4)


def test_outside_contact_there_is_no_load_and_no_centre_of_pressure(step):
    load, _ = load_of(step)
    outside = np.r_[0:20, 80:100]
    np.testing.assert_array_equal(load.wrench.force_G[outside], 0.0)
    np.testing.assert_array_equal(load.wrench.moment_G[outside], 0.0)
    assert np.isnan(load.cop_G[outside]).all()
    assert np.isnan(load.free_moment[outside]).all()


def test_contact_is_judged_on_the_unfiltered_force(step):
    """At 10 Hz the filtered force is still 350 N at the edges and reaches 20 N some 40 ms outside."""
    load, _ = load_of(step)
    assert load.wrench.force_G[20, 1] == pytest.approx(350.0, abs=20.0)
    assert load.wrench.force_G[19, 1] == 0.0


def test_force_and_moment_are_filtered_never_the_centre_of_pressure(step):
    """The centre of pressure is the quotient of the filtered load's components, (M_z / F_y, -M_x / F_y)."""
    rng = np.random.default_rng(3)
    noisy = plate_with(
        step.wrench.force_G + rng.normal(size=(1000, 3)), step.wrench.moment_G + rng.normal(size=(1000, 3))
    )
    load, _ = load_of(noisy)
    smooth = low_pass(np.hstack([noisy.wrench.force_G, noisy.wrench.moment_G]), ANALOG_RATE, CUTOFF)[::10]
    frames = slice(30, 70)
    expected = np.stack([smooth[:, 5] / smooth[:, 1], -smooth[:, 3] / smooth[:, 1]], axis=1)
    np.testing.assert_allclose((load.cop_G - CENTRE)[frames][:, [0, 2]], expected[frames], atol=1e-9)


def test_below_the_threshold_the_centre_of_pressure_is_missing():
    force = np.zeros((1000, 3))
    force[200:800, 1] = 45.0
    load, _ = load_of(plate_with(force, np.zeros(3)))
    assert load.contact.sum() == 60
    assert np.isnan(load.cop_G).all()


def test_frames_after_the_last_analog_sample_are_missing(step):
    short = plate_with(step.wrench.force_G[:900], step.wrench.moment_G[:900])
    load, _ = load_of(short)
    assert np.isnan(load.wrench.force_G[90:]).all()
    assert np.isfinite(load.wrench.force_G[:90]).all()


def stance(side, start, stop, plate=1, rejected=""):
    return Stance(plate, side, start, stop, start / 100, stop / 100, 0.0, rejected)


def constant_load(number=1, force=(0.0, 500.0, 0.0)):
    wrench = Wrench(np.tile(force, (100, 1)), np.tile([1.0, 2.0, 3.0], (100, 1)), CENTRE)
    return PlateLoad(number, CORNERS, wrench, np.ones(100, bool), np.zeros((100, 3)), np.zeros(100))


def test_the_load_on_a_foot_is_the_plates_in_stance_zero_in_swing_and_otherwise_not_known():
    swing = np.zeros(100, dtype=bool)
    swing[60:90] = True
    load = ground_reaction("left", [stance("left", 20, 60)], [constant_load()], swing)
    np.testing.assert_array_equal(load.force_G[20:60], np.tile([0.0, 500.0, 0.0], (40, 1)))
    np.testing.assert_array_equal(load.force_G[60:90], 0.0)
    np.testing.assert_array_equal(load.moment_G[60:90], 0.0)
    assert np.isnan(load.force_G[:20]).all()
    assert np.isnan(load.force_G[90:]).all()
    np.testing.assert_array_equal(load.point_G[20:60], np.tile(CENTRE, (40, 1)))


def test_rejected_steps_and_those_of_the_other_foot_give_no_load():
    given = [stance("right", 20, 60), stance("left", 20, 60, rejected="light touch"), stance("", 20, 60)]
    load = ground_reaction("left", given, [constant_load()], np.zeros(100, dtype=bool))
    assert np.isnan(load.force_G).all()


def test_each_stance_takes_its_own_plate_by_number():
    plates = [constant_load(2, (0.0, 200.0, 0.0)), constant_load(5, (0.0, 500.0, 0.0))]
    given = [stance("left", 10, 30, plate=5), stance("left", 50, 70, plate=2)]
    load = ground_reaction("left", given, plates, np.zeros(100, dtype=bool))
    assert load.force_G[20, 1] == 500.0
    assert load.force_G[60, 1] == 200.0


def test_a_frame_at_the_time_of_the_last_sample_has_its_load_and_a_later_one_none():
    """Samples end at 0.999 s: 0.999 s is within them, though 999 / 1000 and a sum of steps differ in the last bit."""
    steady = plate_with(np.tile([0.0, 500.0, 0.0], (1000, 1)), np.zeros((1000, 3)))
    last = sum([0.001] * 999)
    assert last != 999 / 1000
    found = filtered_at_frames(steady, ANALOG_RATE, np.array([0.5, 0.999, last, 1.0]), CUTOFF, 4).force_G
    np.testing.assert_allclose(found[:3, 1], 500.0)
    assert np.isnan(found[3]).all()
