"""Fatigue from one lift to the next: in closed form at rest, on a finer grid under load; and when lifts change."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.config import HOME
from pipeline.muscles import fatigue, rates_of
from pipeline.prediction import LiftTask, repeat_lift
from pipeline.prediction.lifting.repeated import _after
from pipeline.skeleton import Skeleton, load_skeleton
from pipeline.trial import RepeatedTask

NAMES, LIMIT = ("left_knee_flexion", "spine1_flexion"), np.array([60.0, 80.0])
JOINTS = ("knee", "trunk")

# Without a rest, with one shorter than the steps of a rest, with a whole number of these and between.
PACES = [(1.5, 1.5), (1.0, 1.02), (1.5, 6.0), (1.2, 2.0), (1.37, 12.34)]


@pytest.mark.parametrize(("duration", "every"), PACES)
def test_without_load_the_fatigued_share_decays_fifteen_times_as_fast_as_under_load(duration, every) -> None:
    time, tired = np.linspace(0.0, duration, 31), np.array([0.3, 0.1])
    found = _after(NAMES, SimpleNamespace(time=time, tau=np.zeros((31, 2))), LIMIT, every, tired)
    recovery = 15.0 * np.array([0.00149, 0.00075])
    np.testing.assert_allclose(found, tired * np.exp(-recovery * every))


@pytest.mark.parametrize(("duration", "every"), PACES)
def test_a_lift_loads_the_joint_while_it_lasts_and_no_longer(duration, every) -> None:
    time = np.linspace(0.0, duration, 31)
    tau = np.stack([-40.0 * np.sin(np.pi * time / duration), 90.0 * time / duration], axis=1)
    tired = np.array([0.0, 0.1])
    found = _after(NAMES, SimpleNamespace(time=time, tau=tau), LIMIT, every, tired)
    fine = np.linspace(0.0, every, 6001)
    load = np.minimum(np.abs(tau) / LIMIT, 1.0)[np.minimum(np.searchsorted(time, fine, side="right") - 1, 30)]
    load[fine >= duration] = 0.0
    for j, joint in enumerate(JOINTS):
        expected = fatigue(rates_of(joint), fine, load[:, j], tired[j]).fatigued[-1]
        # On the fine grid a load changes up to 2 ms late, a thousandth of the lift's duration.
        assert found[j] - tired[j] == pytest.approx(expected - tired[j], rel=5e-3)


@pytest.fixture
def tiring(monkeypatch) -> Callable[..., RepeatedTask]:
    """Repeated lifts of a second, in which a knee gives a share of the strength it had when the lift was solved."""
    body = load_skeleton(HOME / "config/skeleton.yaml")
    knee, time = body.index("left_knee_flexion"), np.linspace(0.0, 1.0, 21)

    def repeated(share: float, every: float, most: int, told: Callable[[int, float], None]) -> RepeatedTask:
        def solved(skeleton: Skeleton, task: LiftTask) -> SimpleNamespace:
            tau = np.zeros((len(time), len(body)))
            tau[:, knee] = -share * skeleton.tau_limit[knee]
            return SimpleNamespace(time=time, q=np.zeros_like(tau), tau=tau)

        monkeypatch.setattr("pipeline.prediction.lifting.repeated.predict_lift", solved)
        return repeat_lift(body, LiftTask(duration=1.0), every, most, told)[1]

    return repeated


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_a_lift_is_solved_again_after_a_fiftieth_of_strength_is_lost_or_where_it_takes_more_than_is_left(
    share: float, tiring
) -> None:
    told: list[float] = []
    found = tiring(share, 2.0, 12, lambda _, left: told.append(left))
    strength, expected = found.strength.min(axis=1), [1]
    while (again := strength < strength[expected[-1] - 1] - (0.02 if share < 1.0 else 0.0)).any():
        expected.append(1 + int(np.argmax(again)))
    assert found.number.tolist() == expected
    assert len(expected) > 2
    # The strength that is told is what the next lift begins with.
    np.testing.assert_allclose(told[:-1], strength[1:])


def test_strength_has_settled_when_a_lift_changes_it_by_less_than_the_fifty_thousandth_part(tiring) -> None:
    """In the rest of a minute three quarters of the fatigue are gone, so that it settles after some ten lifts."""
    told: list[float] = []
    found = tiring(0.3, 60.0, 100, lambda _, left: told.append(left))
    changes = np.abs(np.diff([1.0, *told]))
    assert np.all(changes[:-1] >= 2e-5)
    assert changes[-1] < 2e-5
    assert found.ended.startswith(f"strength settles after {len(told)} lifts")
    assert found.able
