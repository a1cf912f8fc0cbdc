"""Which steps on plates belong to a cycle, what makes up the moments of a stance, and notes on whole walks."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import PERCENT, gait_cycles, is_run, stance_contributions
from pipeline.analysis.cycles import _treadmill, _without_cycle
from pipeline.analysis.one_person import person_notes
from pipeline.analysis.walk_parameters import flat_speed
from pipeline.conventions import SIDES
from pipeline.trial import Cycle, Stance

CYCLE = Cycle("left", 1.0, 1.6, 2.1, 1.1, 1.5, "", 3)


@pytest.mark.parametrize(
    ("change", "alone"),
    [
        ({}, False),
        ({"plate": 2}, True),
        ({"side": "right"}, True),
        ({"plate": 2, "rejected": "light"}, False),
        ({"onset": 1.59, "end": 2.2}, False),
        ({"onset": 1.61, "end": 2.2}, True),
        ({"onset": 0.5, "end": 1.01}, False),
        ({"onset": 0.5, "end": 0.99}, True),
    ],
    ids=str,
)
def test_a_clean_step_is_of_a_cycle_if_it_overlaps_its_stance_on_its_plate(change, alone):
    stance = replace(Stance(3, "left", 100, 160, 1.0, 1.6, 0.01, ""), **change)
    elsewhere = replace(CYCLE, initial_contact=5.0, foot_off=5.6, next_initial_contact=6.0)
    walk = SimpleNamespace(stances=(stance,), cycles=(CYCLE, elsewhere))
    assert _without_cycle(walk) == ([stance] if alone else [])


def test_a_treadmill_is_told_if_any_belt_moves():
    assert not list(_treadmill({"left": 0.0, "right": 0.0}))
    for belts in ({"left": 0.8, "right": 0.0}, {"left": 0.0, "right": 0.8}):
        (note,) = _treadmill(belts)
        assert "two belts of different speeds" in note.text
    (note,) = _treadmill({"left": 0.8, "right": 0.89})
    assert "different speeds" not in note.text


@pytest.mark.parametrize(
    ("shares", "run"),
    [
        ({"left": [0.6], "right": [0.6]}, False),
        ({"left": [0.4], "right": [0.45]}, True),
        # A limp, whose mean is 0.52, and a side whose median is 0.4 although one of its cycles is wrong.
        ({"left": [0.44, 0.44, 0.44], "right": [0.6]}, False),
        ({"left": [0.4, 0.4, 0.9], "right": [0.45]}, True),
    ],
)
def test_a_run_is_where_the_feet_stand_for_less_than_half_of_the_cycle(shares, run):
    cycles = [
        SimpleNamespace(
            cycle=replace(CYCLE, side=side, initial_contact=3.0, foot_off=3.0 + share, next_initial_contact=4.0)
        )
        for side, own in shares.items()
        for share in own
    ]
    assert is_run(cycles) == run
    assert not is_run(())


def test_the_speed_of_a_flat_foot_is_that_from_15_to_30_percent_of_the_cycle():
    """Or from a quarter to half of the stance of a run; in the rest of the cycle the foot moves otherwise."""
    time = np.linspace(0.0, 4.0, 4001)
    for foot_off, first, last in ((1.6, 1.0 + 0.15 * 1.1, 1.0 + 0.3 * 1.1), (1.4, 1.1, 1.2)):
        cycle = replace(CYCLE, foot_off=foot_off)
        along = np.interp(time, [0.0, first, last, 4.0], [-5.0, 0.0, -0.8 * (last - first), 5.0])
        place = np.outer(along, [1.0, 0.0, 0.0])
        for points in ({"left_heel": place, "left_toe": place + 0.2}, {"left_heel": place}):
            assert flat_speed(cycle, SimpleNamespace(time=time, points=points)) == pytest.approx(0.8)
    assert np.isnan(flat_speed(cycle, SimpleNamespace(time=time, points={})))


def test_walks_of_bodies_of_other_size_are_named_with_the_smallest_and_the_largest():
    masses = {"a": 72.0, "b": 70.0, "c": 75.0, "d": np.nan}
    legs, heights = {"a": 0.8, "b": 0.82, "c": 0.81}, {"a": 1.7, "b": 1.76}
    found = {note.subject: note.text for note in person_notes(masses, legs, heights)}
    assert found["body mass"].startswith("70 kg in b and 75 kg in c, 7 % apart (limit 5 %)")
    assert found["leg length"].startswith("800 mm in a and 820 mm in b, 2 % apart (limit 2 %)")
    assert found["height"].startswith("1700 mm in a and 1760 mm in b, 4 % apart (limit 2 %)")
    alike = {"a": 70.0, "b": 73.4}, {"a": 0.8, "b": 0.815}, {"a": 1.7, "b": 1.73}
    assert not list(person_notes(*alike))
    assert not list(person_notes({"a": 70.0, "b": np.nan}, {"a": 0.8}))


@pytest.mark.parametrize("set_aside", [0, 1])
def test_contributions_are_of_the_first_step_that_is_not_set_aside_and_add_up_to_its_moment(demo_legs, set_aside):
    kinematics, loads = demo_legs.kinematics, demo_legs.loads
    cycles = gait_cycles(kinematics, loads)
    plated = {side: [c for c in cycles.cycles if c.cycle.side == side and c.cycle.plate] for side in SIDES}
    wrong = [c for of_side in plated.values() for c in of_side[:set_aside]]
    marked = replace(cycles, cycles=tuple(replace(c, set_aside="why") if c in wrong else c for c in cycles.cycles))
    found = stance_contributions(kinematics, loads, marked)
    for name, joint, sign in (("ankle_plantarflexor_moment", "ankle", -1.0), ("knee_extensor_moment", "knee", 1.0)):
        for side, curves in zip(SIDES, found[name], strict=True):
            steps = [(c.cycle.initial_contact, c.cycle.foot_off) for c in plated[side][set_aside:]]
            steps += [(s.stance.onset, s.stance.end) for s in cycles.stances if s.stance.side == side]
            (start, end), *_ = steps
            at = start + PERCENT / 100.0 * (end - start)
            load = loads.joints[f"{side}_{joint}"]
            moment = sign * np.interp(at, loads.time, load.moment_distal[:, 2]) / loads.mass
            inside = np.isfinite(moment)
            assert inside.mean() > 0.9
            np.testing.assert_allclose(curves[0][inside], moment[inside], atol=1e-9)
            np.testing.assert_allclose(curves[0], curves[1:].sum(axis=0), atol=1e-6)
