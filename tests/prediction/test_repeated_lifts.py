"""Fatigue from one lift to the next: recovery at rest in closed form, and a loaded lift on a finer grid."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.muscles import fatigue, rates_of
from pipeline.prediction.lifting.repeated import _after

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
