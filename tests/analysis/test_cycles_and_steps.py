"""Which steps on plates belong to a cycle, and what makes up the moments of a stance."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.analysis import PERCENT, gait_cycles, stance_contributions
from pipeline.analysis.cycles import _treadmill, _without_cycle
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
