"""A foot across two plates: the demo's walk with one plate sawn in two has the loads of the whole plate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import centre_of_pressure
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, GivenSteps, Subject
from pipeline.conventions import X
from pipeline.kinematics import kinematics
from pipeline.math3d import Wrench

SAWN = 2
"""Plate of the right foot, whose stance is that of a whole cycle."""


def sawn(trial, number, seam, new_number):
    """The recording with a plate cut across the walkway at ``seam`` m: each half has its part of the load.

    The rear part's share falls as the centre of pressure rolls over the seam; its own centre of pressure stays on its
    half, and the front half has the rest, so that the sum is the load of the whole plate.
    """
    whole = next(plate for plate in trial.plates if plate.number == number)
    cop_G = np.nan_to_num(centre_of_pressure(whole.wrench, whole.corners_G, 5.0), nan=seam)
    share = 1.0 / (1.0 + np.exp((cop_G[:, X] - seam) / 0.02))
    at = cop_G.copy()
    at[:, X] = np.minimum(cop_G[:, X], seam - 0.02)
    own = Wrench(share[:, None] * whole.wrench.force_G, np.zeros_like(at), at)
    halves = []
    for n, front in ((number, False), (new_number, True)):
        corners = whole.corners_G.copy()
        corners[:, X] = np.maximum(corners[:, X], seam) if front else np.minimum(corners[:, X], seam)
        centre = corners.mean(axis=0)
        total, rear = whole.wrench.about(centre), own.about(centre)
        moment = total.moment_G - rear.moment_G if front else rear.moment_G
        force = total.force_G - rear.force_G if front else rear.force_G
        halves.append(replace(whole, number=n, corners_G=corners, wrench=Wrench(force, moment, centre)))
    others = [plate for plate in trial.plates if plate.number != number]
    return replace(trial, plates=(*others, *halves))


def sawn_walk(walk, stance):
    """The walk with the seam under the middle of the foot, half way through its stance."""
    middle = (stance.start + stance.stop) // 2
    ends = [walk.kinematics.points[f"{stance.side}_{part}"][middle, X] for part in ("heel", "toe")]
    return sawn(walk.raw, SAWN, float(np.mean(ends)), 9)


@pytest.fixture(scope="module")
def both(demo_walk, analyse):
    """The walk as it is, and with the seam under the middle of the right foot."""
    stance = next(s for s in demo_walk.kinematics.stances if s.plate == SAWN)
    return demo_walk, analyse(sawn_walk(demo_walk, stance), demo_walk.static, sex="f"), stance


def test_both_plates_are_one_contact_with_the_events_of_the_whole(both):
    whole, found, stance = both
    (across,) = [s for s in found.kinematics.stances if s.second_plate]
    assert (across.plates, across.on, across.side, across.rejected) == ((SAWN, 9), f"plates {SAWN} and 9", "right", "")
    # Each half passes its threshold a little later than the whole, by less than a frame.
    assert (across.onset, across.end) == pytest.approx((stance.onset, stance.end), abs=0.01)
    assert across.distance == pytest.approx(stance.distance, abs=0.005)
    (cycle,) = [c for c in found.kinematics.cycles if c.second_plate]
    assert cycle.plates == across.plates
    assert len(found.kinematics.stances) == len(whole.kinematics.stances)


@pytest.mark.parametrize("joint", ["right_ankle", "right_knee", "right_hip"])
def test_the_moments_are_those_of_the_whole_plate(both, joint):
    """Within 0.5 % of the peak: only the frames at the ends differ in which of them are contact."""
    whole, found, stance = both
    frames = slice(stance.start + 2, stance.stop - 2)
    expected, moment = (w.loads.joints[joint].moment_distal[frames] for w in (whole, found))
    assert np.isfinite(expected).all()
    assert np.abs(moment - expected).max() < 0.005 * np.abs(expected).max()


def test_the_skeleton_carries_the_same_load(both, on_skeleton, demo_walk):
    """Filtered as a whole, without a threshold."""
    _, found, stance = both
    body = on_skeleton(sawn_walk(demo_walk, stance), demo_walk.static, found, residual_reduction=False)
    frames = slice(stance.start + 2, stance.stop - 2)
    expected, force = (b.ground["right"].force_G[frames] for b in (demo_walk.body, body))
    assert np.isfinite(expected).all()
    # The rest is rounding: the halves are filtered apart.
    np.testing.assert_allclose(force, expected, atol=1e-6 * np.abs(expected).max())


def test_a_half_that_the_study_excludes_is_not_joined(both, demo_walk, plug_in_gait):
    """The other half alone is no clean step."""
    settings = AnatomySettings(), FilterSettings(), EventSettings()
    raw, subject = sawn_walk(demo_walk, both[2]), Subject(subject="s", sex="f")
    motion = kinematics(raw, demo_walk.static, plug_in_gait, subject, *settings, GivenSteps({9: "none"}))
    halves = [s for s in motion.stances if s.plate in (SAWN, 9)]
    assert [(s.plates, bool(s.rejected)) for s in halves] == [((SAWN,), True), ((9,), True)]
