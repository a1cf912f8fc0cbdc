"""Passes and turns of a pelvis whose way and heading are given, and legs at given distances."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.math3d import rotation_about
from pipeline.plausibility import orientation
from pipeline.plausibility.orientation import faces_away, heading, turns_round

UP = np.array([0.0, 1.0, 0.0])


def walker(time, along, degrees, apart=(0.16, 0.16)):
    """A pelvis 0.9 m high at `along` (T,) m, heading `degrees` to the left of the progression; the right knee and
    ankle are `apart` m to the right of the left ones, from the body."""
    R_GP = rotation_about(UP, np.radians(np.broadcast_to(degrees, len(time))))
    centre = np.outer(along, [1.0, 0.0, 0.0]) + 0.9 * UP
    points = {}
    for joint, height, between in zip(("hip", "knee", "ankle"), (0.0, 0.4, 0.8), (0.18, *apart), strict=True):
        for side, half in (("left", -0.5), ("right", 0.5)):
            points[f"{side}_{joint}"] = centre - height * UP + half * between * R_GP[:, :, 2]
    return SimpleNamespace(time=time, points=points, joints={"left_hip": SimpleNamespace(R_GP=R_GP)}, cycles=())


def there_and_back(passes: int, pass_time: float = 4.0, turn_time: float = 0.6, *, away: bool = False):
    """At 1 m/s there, back and there again from 2 m on, turning evenly by half a turn about each end, which is in the
    middle; `away` if the first pass is against the progression."""
    time = np.arange(0.0, passes * pass_time, 0.01)
    number, within = np.divmod(time, pass_time)
    ends = pass_time * np.arange(1, passes)
    turned = 180.0 * np.clip((time[:, None] - ends) / turn_time + 0.5, 0.0, 1.0).sum(axis=1)
    along = np.where(number % 2, pass_time - within, within)
    return walker(time, 2.0 - along if away else 2.0 + along, turned + 180.0 * away)


@pytest.mark.parametrize("away", [False, True])
def test_each_turn_is_from_30_degrees_off_the_way_there_to_30_degrees_off_the_way_back(away):
    """Half a turn in 0.6 s: the first and the last sixth of it still belong to the passes."""
    motion = there_and_back(4, away=away)
    turns = turns_round(motion)
    assert [turn.begin for turn in turns] == pytest.approx([3.8, 7.8, 11.8], abs=0.011)
    assert [turn.end for turn in turns] == pytest.approx([4.2, 8.2, 12.2], abs=0.011)
    assert [turn.back for turn in turns] == pytest.approx([4.0, 4.0, 4.0], abs=0.02)
    finding = next(one for one in orientation(motion) if "turns round" in one.text)
    assert (finding.value, finding.limit) == (max(turn.back for turn in turns), 1.0)
    begins, ends = ([f"{getattr(turn, name):.4g}" for turn in turns] for name in ("begin", "end"))
    cells = [f"{begin}-{end}" for begin, end in zip(["0", *ends], [*begins, ""], strict=True)]
    assert " and ".join(cells) in finding.remedy


def test_a_slow_turn_is_told_from_the_way_that_the_pelvis_faces_most_of_the_pass():
    """2.4 s, a sixth of which is 0.4 s; frames without the pelvis or without a hip do not count."""
    motion = there_and_back(2, 4.0, 2.4)
    motion.joints["left_hip"].R_GP[50:80] = np.nan
    motion.points["right_hip"][100:120] = np.nan
    (turn,) = turns_round(motion)
    assert (turn.begin, turn.end) == (pytest.approx(3.2, abs=0.011), pytest.approx(4.8, abs=0.011))


@pytest.mark.parametrize(("pass_time", "count"), [(0.97, 0), (1.05, 1)])
def test_a_turn_is_one_after_which_more_than_a_metre_is_walked(pass_time, count):
    assert len(turns_round(there_and_back(2, pass_time, 0.2))) == count


@pytest.mark.parametrize(("degrees", "away"), [(44.0, False), (-44.0, False), (46.0, True), (-46.0, True)])
def test_a_pelvis_faces_away_from_45_degrees_on(degrees, away):
    time = np.arange(100) / 100.0
    motion = walker(time, time, degrees)
    assert faces_away(motion) == away
    found = [one for one in orientation(motion) if "away from the progression" in one.text]
    assert [(one.grade, one.value) for one in found] == [("warning", pytest.approx(abs(degrees)))] * away


@pytest.mark.parametrize("degrees", [0.0, 30.0])
@pytest.mark.parametrize("upright", [True, False])
def test_crossed_legs_are_as_far_on_the_wrong_side_as_their_knees_and_ankles_on_average(degrees, upright):
    """Knees 100 mm and ankles 20 mm; a pelvis whose own labels are exchanged, which turns it about its forward axis,
    changes nothing."""
    time = np.arange(100) / 100.0
    motion = walker(time, time, degrees, (-0.1, -0.02))
    if not upright:
        motion.joints["left_hip"].R_GP = motion.joints["left_hip"].R_GP @ np.diag([1.0, -1.0, -1.0])
    found = {one.subject: one for one in orientation(motion)}
    assert set(found) == ({"legs"} if upright else {"legs", "pelvis"})
    assert {one.grade for one in found.values()} == {"refusal"}
    assert found["legs"].value == pytest.approx(-60.0)
    assert "60 mm left" in found["legs"].text
    assert not list(orientation(walker(time, time, degrees, (0.1, -0.02))))


@pytest.mark.parametrize(("per_second", "count"), [(-8.2, 0), (-8.4, 1), (8.2, 0), (8.4, 1)])
@pytest.mark.parametrize("progression", [0.0, 180.0])
def test_a_curved_walk_is_one_whose_cycles_face_directions_more_than_10_degrees_apart(per_second, count, progression):
    """Cycles of 1.2 s that begin at 0.1 and 1.3 s, while the pelvis also turns to and fro in each of them; a third one
    in which it is not always seen does not count."""
    time = np.arange(400) / 100.0
    swing = 5.0 * np.sin(2.0 * np.pi * (time - 0.1) / 1.2)
    motion = walker(time, time, progression + per_second * time + swing)
    motion.cycles = tuple(
        SimpleNamespace(side="left", initial_contact=start, foot_off=start + 0.7, next_initial_contact=start + 1.2)
        for start in (0.095, 1.295, 2.495)
    )
    motion.joints["left_hip"].R_GP[300] = np.nan
    found = [one for one in orientation(motion) if "between gait cycles" in one.text]
    assert len(found) == count
    for one in found:
        assert (one.value, one.angle_error) == (pytest.approx(1.2 * 8.4, abs=0.1), pytest.approx(0.6 * 8.4, abs=0.1))
    back = np.outer(-1.2 * time, [1.0, 0.0, 0.0])
    motion.points |= dict.fromkeys((f"{side}_{part}" for side in ("left", "right") for part in ("heel", "toe")), back)
    assert not [one for one in orientation(motion) if "between gait cycles" in one.text], "on a treadmill"


def test_a_walk_whose_pelvis_is_not_seen_has_neither_heading_nor_turn():
    time = np.arange(100) / 100.0
    without, unseen, hips = (walker(time, time, 0.0, (-0.1, -0.1)) for _ in range(3))
    without.joints = {}
    unseen.joints["left_hip"].R_GP = np.full((100, 3, 3), np.nan)
    hips.points = {name: place for name, place in hips.points.items() if "hip" not in name}
    for motion in (without, unseen):
        assert np.isnan(heading(motion))
        assert not faces_away(motion)
        assert not list(orientation(motion))
    assert turns_round(without) == turns_round(hips) == []
