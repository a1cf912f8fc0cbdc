"""Walks other than an adult's over ground, made from the demo's: on a treadmill with two belts, and a small child's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import gait_cycles, mean_leg_length, summarise
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.kinematics import kinematics
from pipeline.newton_euler import inverse_dynamics
from pipeline.plausibility import plausibility
from pipeline.plausibility.synchronisation import plate_delay, synchronisation
from pipeline.synthetic import Gait
from tests.benchmarks.treadmill import treadmill
from tests.kinematics.similar import similar, similar_values
from tests.recordings import late, with_load

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def on_belts(demo_walk, analyse):
    raw = replace(treadmill(40.0, 100.0), R_GL=demo_walk.static.R_GL)
    found = analyse(raw, demo_walk.static, sex="f")
    return raw, found, gait_cycles(found.kinematics, found.loads)


def test_a_treadmill_has_the_speed_of_its_belts_and_kinetics_in_every_cycle(on_belts):
    """1.1 m/s and 1.188 m by design; the first and last contacts are cut by the recording."""
    _, found, cycles = on_belts
    gait = Gait()
    assert len(cycles.cycles) >= 2 * (int(40.0 / gait.cycle) - 1)
    assert all(c.cycle.plate for c in cycles.cycles)
    cut = [s for s in found.kinematics.stances if s.rejected]
    assert {s.rejected for s in cut} == {"begins or ends outside the recording"}
    for c in cycles.cycles:
        # 0.6 mm of marker noise, filtered, over the 0.16 s in which the foot is flat.
        assert c.parameters["speed"] == pytest.approx(gait.speed, abs=0.01)
        assert c.parameters["stride_length"] == pytest.approx(gait.stride, abs=0.01)
        assert c.parameters["cadence"] == pytest.approx(120.0 / gait.cycle, rel=0.005)


def test_nothing_implausible_is_found_on_a_treadmill(on_belts, demo_walk, plug_in_gait):
    """No "late plates", "does not face the progression" or "rate": the body stays where it is, the feet do not."""
    raw, found, cycles = on_belts
    summary = summarise(cycles, mean_leg_length(found.kinematics.calibration), None)
    static = demo_walk.static
    findings = plausibility(found.kinematics, found.loads, summary, raw, static, plug_in_gait)
    assert findings.findings == ()
    assert not [note for note in found.kinematics.notes if note.kind == "warning"]


def test_the_moments_on_a_belt_are_those_over_ground(on_belts, demo_walk):
    """The belt's axes move at constant speed, which changes no load: within 4 % of the peaks (root mean square), which
    is what 0.6 mm of marker noise leaves of the mean, and the frame in which a contact is found."""
    over_ground = gait_cycles(demo_walk.kinematics, demo_walk.loads)
    compared = 0
    for side in ("left", "right"):
        expected = next(c for c in over_ground.cycles if c.cycle.side == side and c.cycle.plate)
        own = [c for c in on_belts[2].cycles if c.cycle.side == side]
        for joint, moment in expected.moments.items():
            mean = np.mean([c.moments[joint][5:95, 0] for c in own], axis=0)
            seen = np.isfinite(moment[5:95, 0])
            compared += seen.sum()
            difference = (mean - moment[5:95, 0])[seen]
            assert np.sqrt(np.mean(difference**2)) < 0.04 * np.nanmax(np.abs(moment[:, 0])), (side, joint)
    assert compared > 300


SLOW = Gait(speed=0.5, cycle=1.5, stance=66.0, rise=((2, 0.007, 29.5), (4, 0.0006, 2)))


def test_a_slow_walk_whose_plates_are_late_is_named_and_a_clean_one_is_not(demo_walk, analyse):
    """By 25 samples at 1000 Hz. By the pelvis alone, the plates of the clean walk are 25 ms early."""
    clean = replace(treadmill(12.0, 100.0, SLOW), R_GL=demo_walk.static.R_GL)
    delayed = with_load(clean, 0, late(25))
    for raw, delay, count in ((clean, 0.0, 0), (delayed, 0.025, 1)):
        found = analyse(raw, demo_walk.static, sex="m")
        assert len(list(synchronisation(found.kinematics, found.loads))) == count
        assert plate_delay(found.kinematics, found.loads)[0] == pytest.approx(delay, abs=0.006)


LENGTH, MASS = 0.55, 0.2
"""Of the demo's subject: a child of 0.97 m and 12 kg."""


BELL = {"hip_centre": "bell"}
"""The only rule for the hip in which all lengths scale alike."""


@pytest.fixture(scope="module")
def adult_walk(demo_walk, analyse):
    return analyse(demo_walk.raw, demo_walk.static, sex="f", anatomy=BELL)


@pytest.fixture(scope="module")
def small(demo_walk, plug_in_gait):
    subject = Subject.from_si("child", "f", similar_values(demo_walk.kinematics.calibration.values, LENGTH, MASS))
    child, child_standing = (similar(trial, LENGTH, MASS) for trial in (demo_walk.raw, demo_walk.static))
    settings = AnatomySettings(**BELL), FilterSettings(markers=6.0 / np.sqrt(LENGTH)), EventSettings()
    return kinematics(child, child_standing, plug_in_gait, subject, *settings)


def test_a_childs_contacts_are_those_of_the_adult_in_its_own_time(small, demo_walk):
    """To 3 ms: thresholds are in proportion to weight up to 500 N, and the adult weighs 706. At 20 N, a seventh of the
    child's weight, its contacts would begin 8 ms later."""
    pace = np.sqrt(LENGTH)
    expected = [(s.side, s.plate, s.rejected) for s in demo_walk.kinematics.stances]
    assert [(s.side, s.plate, s.rejected) for s in small.stances] == expected
    for own, adult in zip(small.stances, demo_walk.kinematics.stances, strict=True):
        assert own.onset == pytest.approx(pace * adult.onset, abs=0.003)
        assert own.end == pytest.approx(pace * adult.end, abs=0.003)
    assert len(small.cycles) == len(demo_walk.kinematics.cycles)


def test_a_childs_moments_are_those_of_the_adult_scaled(small, adult_walk):
    """Per mass they go with length, with the filter in its time: within 2 % of the peak, root mean square, as some
    frames at the ends of contacts differ; all others agree to rounding."""
    loads = inverse_dynamics(small)
    for joint in ("right_ankle", "right_knee", "right_hip"):
        own = loads.joints[joint].moment_distal[:, 2] / loads.mass / LENGTH
        adult = adult_walk.loads.joints[joint].moment_distal[:, 2] / adult_walk.loads.mass
        both = np.isfinite(own) & np.isfinite(adult)
        assert both.sum() > 50
        assert np.sqrt(np.mean((own - adult)[both] ** 2)) < 0.02 * np.abs(adult[both]).max()
