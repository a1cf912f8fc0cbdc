"""Where plates put the centre of mass ahead of the hips: loads whose centres of pressure are given."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from pipeline.anatomy import body_motion
from pipeline.conventions import GRAVITY
from pipeline.math3d import Wrench, rotation_about
from pipeline.plausibility.known_loads import pelvis_centre
from pipeline.plausibility.plate_position import mass_ahead_in_standing, mass_ahead_in_walking, plate_position
from pipeline.trial import Event

STEP = 0.5
"""s between initial contacts."""


def walking(clean, ahead):
    """The walk whose load, half of it on each foot, varies by three tenths over each step of 0.5 s and is `ahead` m
    (T,) ahead of the hips; NaN where it is not known."""
    time, centre = clean.kinematics.time, pelvis_centre(clean.kinematics)
    up = 0.5 * clean.loads.mass * GRAVITY * (1.0 + 0.3 * np.cos(2.0 * np.pi * time / STEP))
    force = np.outer(up, [0.0, 1.0, 0.0]) + 0.0 * ahead[:, None]
    load = Wrench(force, np.zeros_like(force), centre + np.outer(ahead, [1.0, 0.0, 0.0]))
    # Of one step the contact is not seen.
    contacts = tuple(Event(0.1 + STEP * k, ("left", "right")[k % 2], "initial contact", "file") for k in (0, 1, 2, 4))
    ground = {"left": load, "right": load}
    return replace(clean.kinematics, events=contacts), replace(clean.loads, ground=ground)


@pytest.mark.parametrize("longest", ["last", "first"])
def test_in_walking_the_distance_is_that_of_the_mean_load_of_a_step(clean, longest):
    """Over a step, (1 + 0.3 cos)(20 + 40 cos) mm is 20 + 0.3 * 40 / 2 mm on average; beyond a missing frame it differs,
    over a shorter time, and in the steps with one frame it differs by 4 mm."""
    time = clean.kinematics.time
    count, ahead = len(time), 0.02 + 0.04 * np.cos(2.0 * np.pi * time / STEP)
    assert mass_ahead_in_walking(*walking(clean, ahead)) == pytest.approx(26.0)
    apart, shorter = (
        (count // 4, slice(None, count // 4)) if longest == "last" else (-count // 4, slice(-count // 4, None))
    )
    ahead[count // 2] += 0.2
    ahead[shorter] += 0.1
    ahead[apart] = np.nan
    assert mass_ahead_in_walking(*walking(clean, ahead)) == pytest.approx(26.0)


@pytest.mark.parametrize(("frames", "known"), [(49, False), (50, True)])
def test_in_walking_it_is_known_from_a_whole_step_on(clean, frames, known):
    ahead = np.full(len(clean.kinematics.time), np.nan)
    ahead[100 : 100 + frames] = 0.03
    found = mass_ahead_in_walking(*walking(clean, ahead))
    assert found == pytest.approx(30.0 if known else math.nan, nan_ok=True)


def standing(clean, marker_set, *loads, leaning=0.0):
    """The static trial with plates of vertical loads: newtons and place, m ahead of the hips and to the right of them,
    along the line between the ASIS; the subject leans back by some degrees."""
    lean = rotation_about(np.array([0.0, 0.0, 1.0]), np.radians(leaning))
    static = replace(clean.static, markers_G=clean.static.markers_G @ lean.T)
    markers = {name: static.marker(name) for name in static.marker_names}
    joints = body_motion(markers, static.rate, marker_set, clean.kinematics.calibration).joints
    hips = np.mean([joints[f"{side}_hip"].centre_G.mean(axis=0) for side in ("left", "right")], axis=0)
    to_right = (static.marker("RASI") - static.marker("LASI")).mean(axis=0) * [1.0, 0.0, 1.0]
    to_right /= np.linalg.norm(to_right)
    count = len(clean.static.plates[0].wrench)

    def plate(newtons, ahead, right):
        place = hips * [1.0, 0.0, 1.0] + ahead * np.cross([0.0, 1.0, 0.0], to_right) + right * to_right
        wrench = Wrench(np.tile([0.0, newtons, 0.0], (count, 1)), np.zeros((count, 3)), place)
        return replace(clean.static.plates[0], wrench=wrench.about(np.zeros(3)))

    return replace(static, plates=tuple(plate(*load) for load in loads))


@pytest.mark.parametrize(
    ("share", "light", "expected"),
    [
        (1.0, 0.0, 50.0),
        (0.955, 0.0, 50.0),
        (1.045, 0.0, 50.0),
        (0.945, 0.0, math.nan),
        (1.055, 0.0, math.nan),
        # 25 N at 0.5 m ahead count, 15 N do not.
        (0.97, 15.0, 50.0),
        (0.97, 25.0, (0.97 * 50.0 * 72.0 * 9.81 + 500.0 * 25.0) / (0.97 * 72.0 * 9.81 + 25.0)),
    ],
)
@pytest.mark.parametrize("leaning", [-30.0, 0.0, 30.0])
def test_in_standing_the_distance_is_that_of_the_load_that_is_the_weight(
    clean, plug_in_gait, share, light, expected, leaning
):
    """A third of it 90 mm and two thirds 30 mm ahead of the hips; the demo weighs 72 kg."""
    whole = share * 72.0 * GRAVITY
    loads = (whole / 3.0, 0.09, -0.1), (2.0 * whole / 3.0, 0.03, 0.05), (light, 0.5, 0.0)
    static = standing(clean, plug_in_gait, *loads, leaning=leaning)
    found = mass_ahead_in_standing(clean.kinematics, static, plug_in_gait)
    assert found == pytest.approx(expected, abs=0.3, nan_ok=True)


@pytest.mark.parametrize(
    ("stood", "metres", "value", "limit"),
    [
        # Against standing; beyond walkers also where standing is the same.
        (0.03, 0.047, None, None),
        (0.03, 0.05, 50.0, 0.053),
        (0.03, 0.055, 25.0, 0.026),
        (0.03, 0.007, None, None),
        (0.03, 0.005, -25.0, -0.026),
        # Without its weight on plates.
        (None, 0.047, None, None),
        (None, 0.049, 49.0, 0.053),
        (None, -0.079, None, None),
        (None, -0.081, -81.0, -0.088),
    ],
)
def test_plates_are_judged_by_standing_or_by_walkers(clean, plug_in_gait, stood, metres, value, limit):
    """Limits in leg lengths; the demo's legs are 905 and 910 mm long."""
    static = standing(clean, plug_in_gait, (72.0 * GRAVITY * (stood is not None), stood or 0.0, 0.0))
    found = list(plate_position(*walking(clean, np.full(len(clean.kinematics.time), metres)), static, plug_in_gait))
    assert len(found) == (value is not None)
    for finding in found:
        assert finding.value == pytest.approx(value, abs=0.3)
        assert finding.limit == pytest.approx(907.5 * limit)
        assert finding.error.shift_G == pytest.approx((0.001 * finding.value, 0.0, 0.0))
        if abs(limit) == 0.026:
            assert ("ahead of" in finding.text) == (value > 0.0)
