"""A free body under its loads follows its motion where these are the loads that the motion needs, and departs else."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.interpolate import BSpline

from pipeline.config import HOME
from pipeline.math3d import Wrench
from pipeline.skeleton import Skeleton, load_skeleton
from pipeline.whole_body.forward_check import PELVIS, forward_check, simulate_free_body
from tests.whole_body.balanced import balancing_load

TIME = np.linspace(0.0, 0.1, 41)
FOOT = "right_foot"


@pytest.fixture(scope="module")
def body() -> Skeleton:
    return load_skeleton(HOME / "config/skeleton.yaml")


@pytest.fixture(scope="module")
def motion(body: Skeleton) -> Callable[[np.ndarray, int], np.ndarray]:
    """Some radians a second in all joints, far from the neutral pose."""
    rng = np.random.default_rng(4)
    knots = np.r_[[-0.1] * 6, 0.05, [0.2] * 6]
    start, swing = rng.uniform(-0.4, 0.4, len(body)), rng.uniform(-0.15, 0.15, (7, len(body)))
    spline = BSpline(knots, start + swing, 5)
    return lambda t, order: spline(t, nu=order)


@pytest.fixture(scope="module")
def load(body: Skeleton, motion: Callable) -> Wrench:
    """The one load on a foot that the motion needs."""
    return balancing_load(body, [motion(TIME, order) for order in range(3)], FOOT, np.zeros((len(TIME), 3)))


def departure(body: Skeleton, motion: Callable, load: Wrench) -> float:
    """Largest error of a coordinate of the pelvis, m or rad."""
    simulated = simulate_free_body(body, motion, TIME, {FOOT: load})
    return float(np.abs(simulated - motion(TIME, 0)[:, :6]).max())


def test_under_the_loads_that_it_needs_a_body_follows_its_motion(
    body: Skeleton, motion: Callable, load: Wrench
) -> None:
    assert np.linalg.norm(load.force_G, axis=1).max() > 300.0, "half of the body's weight or more"
    # The integrator's tolerance, and loads that are interpolated between samples 2.5 ms apart.
    assert departure(body, motion, load) < 1e-5


@pytest.mark.parametrize(
    "wrong",
    [
        lambda load: replace(load, moment_G=-load.moment_G),
        lambda load: replace(load, force_G=load.force_G * [1.0, 1.0, -1.0]),
        lambda load: replace(load, force_G=0.95 * load.force_G, moment_G=0.95 * load.moment_G),
        lambda load: replace(load, point_G=load.point_G + np.array([0.02, 0.0, 0.0])),
    ],
    ids=["moment reversed", "sideways reversed", "five per cent low", "point 20 mm off"],
)
def test_under_wrong_loads_a_body_leaves_its_motion(
    body: Skeleton, motion: Callable, load: Wrench, wrong: Callable
) -> None:
    assert departure(body, motion, wrong(load)) > 1e-3


def known_from(first: int, last: int) -> SimpleNamespace:
    """Loads of 200 frames known from one frame to another, and in a shorter run at the other end of the record."""
    known, shorter = np.zeros(200, dtype=bool), min(15, (last - first) // 2)
    known[first:last] = True
    known[slice(0, shorter) if first > 15 else slice(200 - shorter, 200)] = True
    return SimpleNamespace(all_known=known, at=lambda frames: np.arange(200)[frames])


@pytest.fixture
def check(monkeypatch):
    """The check of 200 frames from 2 s on, the result and notes; and what was asked of the simulation."""
    asked = []

    def simulated(skeleton, motion, at, wrenches):
        asked.append((at, wrenches))
        return np.zeros((len(at), PELVIS))

    monkeypatch.setattr("pipeline.whole_body.forward_check.simulate_free_body", simulated)
    skeleton = SimpleNamespace(joint_names=tuple("abcdefgh"))
    motion = SimpleNamespace(spline=None, q=np.zeros((200, 8)))
    return lambda rate, ground: (*forward_check(skeleton, 2.0 + np.arange(200) / rate, motion, ground), asked)


@pytest.mark.parametrize(("first", "last", "end"), [(30, 90, 81), (30, 60, 60), (120, 200, 171), (0, 40, 40)])
def test_the_longest_run_of_known_loads_is_simulated_for_half_a_second_at_most(first, last, end, check):
    """Frames 10 ms apart: half a second is 50 steps, 51 frames."""
    found, notes, asked = check(100.0, known_from(first, last))
    np.testing.assert_array_equal(found.window, (2.0 + np.arange(200) / 100.0)[first:end])
    np.testing.assert_array_equal(asked[0][1], np.arange(first, end))
    assert notes == []


@pytest.mark.parametrize(("rate", "frames"), [(100.0, 10), (250.0, 25), (50.0, 8)])
def test_less_than_a_tenth_of_a_second_or_eight_frames_is_not_simulated(rate, frames, check):
    """Wherever in the record the run is."""
    for first, count in ((150, frames - 1), (0, frames - 1), (150, frames), (0, frames)):
        found, notes, _ = check(rate, known_from(first, first + count))
        assert notes == []
        assert (found is None) == (count < frames)
