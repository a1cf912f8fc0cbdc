"""A load of a whole step on one plate, with feet and centre of pressure at given places."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.plausibility.steps_without_kinetics import loads_without_foot
from pipeline.signals import load_of

FEET = ("left_heel", "left_toe", "right_heel", "right_toe")


def standing(clean, aside, cop_aside=0.0, **changes):
    """The walk with one contact of no foot on a plate. Each foot, 200 mm long, and the centre of pressure are as far
    aside of the plate's middle as given (T,), m; changes are those of the contact."""
    step = next(stance for stance in clean.kinematics.stances if not stance.rejected)
    plate = load_of(step, clean.kinematics.plates)
    middle = plate.corners_G.mean(axis=0)

    def at(along, across):
        return middle + np.outer(np.ones(len(clean.kinematics.time)), [along, 0.0, 0.0]) + np.outer(across, [0, 0, 1.0])

    count = len(clean.kinematics.time)
    points = {
        f"{side}_{part}": at(along, np.broadcast_to(place, count))
        for side, place in zip(("left", "right"), aside, strict=True)
        for part, along in (("heel", -0.1), ("toe", 0.1))
    }
    stance = replace(step, **{"side": "", "rejected": "no foot within 100 mm of the centre of pressure"} | changes)
    plate = replace(plate, cop_G=at(0.0, np.broadcast_to(cop_aside, count)))
    return replace(clean.kinematics, points=points, plates=(plate,), stances=(stance,)), stance


@pytest.mark.parametrize(("metres", "count"), [(0.095, 0), (-0.095, 0), (0.105, 1), (-0.105, 1)])
@pytest.mark.parametrize("near", [0, 1])
def test_a_load_is_of_a_foot_that_is_within_100_mm(clean, metres, count, near):
    """Of either foot; the other one is beside the plate."""
    motion, _ = standing(clean, (metres, 2.0) if near == 0 else (2.0, metres))
    assert len(list(loads_without_foot(motion))) == count


@pytest.mark.parametrize(("share", "count"), [(0.55, 0), (0.45, 1)])
@pytest.mark.parametrize("by", ["centre", "feet"])
def test_it_is_of_feet_that_are_there_for_more_than_half_of_the_contact(clean, share, count, by):
    """The centre of pressure is at one foot, or 150 mm from either of two feet on the plate, and then neither."""
    _, stance = standing(clean, (2.0, 2.0))
    first = np.arange(len(clean.kinematics.time)) < stance.start + share * (stance.stop - stance.start)
    if by == "centre":
        motion, _ = standing(clean, (0.0, 2.0), np.where(first, 0.0, 0.5))
    else:
        motion, _ = standing(clean, (np.where(first, 0.15, 2.0), -0.15))
    assert len(list(loads_without_foot(motion))) == count


@pytest.mark.parametrize("part", FEET)
@pytest.mark.parametrize(("share", "count"), [(0.15, 1), (0.25, 0)])
def test_a_foot_that_is_not_seen_in_a_fifth_of_the_contact_may_be_on_the_plate(clean, part, share, count):
    motion, stance = standing(clean, (1.0, 2.0))
    hidden = motion.points[part].copy()
    hidden[: stance.start + round(share * (stance.stop - stance.start))] = np.nan
    found = list(loads_without_foot(replace(motion, points=motion.points | {part: hidden})))
    assert len(found) == count


@pytest.mark.parametrize(
    ("change", "count"),
    [
        ({}, 1),
        ({"rejection": "excluded"}, 0),
        ({"side": "left"}, 0),
        ({"side": "left", "rejection": "above"}, 1),
        ({"start": 0}, 0),
        ({"start": 1}, 1),
        ({"stop": 310}, 0),
        ({"stop": 309}, 1),
        ({"onset": 1.0, "end": 1.29}, 0),
        ({"onset": 1.0, "end": 1.31}, 1),
    ],
    ids=str,
)
def test_a_whole_step_is_one_of_three_tenths_of_a_second_within_the_walk(clean, change, count):
    assert len(clean.kinematics.time) == 310
    motion, _ = standing(clean, (1.0, 2.0), **change)
    assert len(list(loads_without_foot(motion))) == count


def test_a_plate_is_named_once_with_its_largest_load_over_body_weight(clean):
    motion, stance = standing(clean, (1.0, 2.0))
    (plate,) = motion.plates
    force = plate.wrench.force_G.copy()
    force[stance.start : stance.stop] = [0.0, 0.8 * 72.0 * 9.81, 0.0]
    force[stance.start + 20] *= 1.1
    plate = replace(plate, wrench=replace(plate.wrench, force_G=force))
    twice = replace(motion, plates=(plate,), stances=(stance, stance))
    (finding,) = loads_without_foot(twice)
    assert (finding.value, finding.limit) == (pytest.approx(88.0), 75.0)
    for factor in (0.84, np.nan):  # 74 % and no load at all
        light = replace(plate, wrench=replace(plate.wrench, force_G=factor * force))
        assert not list(loads_without_foot(replace(motion, plates=(light,))))
