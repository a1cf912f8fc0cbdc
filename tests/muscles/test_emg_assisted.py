"""Activations that follow EMG: against a bounded least-squares solver, on activations that are known, and in a walk."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import lsq_linear

from pipeline.analysis import muscle_activity, recorded_muscles
from pipeline.analysis.muscle_groups import ELECTROMECHANICAL_DELAY
from pipeline.config import EmgSettings, MuscleSettings
from pipeline.conventions import SIDES
from pipeline.errors import DynamicsError
from pipeline.muscles.emg_assisted import EmgCriterion
from pipeline.muscles.static_optimisation import Criterion, static_optimisation
from pipeline.stages.muscles import run
from pipeline.trial import AnalogSignals, EmgChannel, MuscleActivity
from tests.muscles.test_static_optimisation import random_problems
from tests.reporting.test_muscles import activity_of


def test_a_target_by_hand() -> None:
    """30 = 40 a + 20 b, least (a - 0.2)^2 + (b - 0.1)^2: the target gives 10 Nm, and 20 more are 40 x + 20 x / 2."""
    asked = Criterion(reserve=1e-3, target=np.array([0.2, 0.1]))
    found = static_optimisation(np.array([[[40.0, 20.0]]]), np.array([[30.0]]), asked)
    np.testing.assert_allclose(found.activation[0], [0.2 + 0.4, 0.1 + 0.2], atol=1e-5)
    with pytest.raises(DynamicsError, match="targets cannot be combined with times"):
        static_optimisation(np.ones((1, 1, 2)), np.ones((1, 1)), asked, time=np.zeros(1))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_activations_and_scales_are_those_of_a_bounded_least_squares_solver(seed: int) -> None:
    """All frames and scales in one problem: rows are roots of weights times what is squared."""
    rng = np.random.default_rng(seed)
    frames, n, m, emg_weight, reserve = 12, 4, 10, 3.0, 2.0
    capacity, moment = random_problems(frames, n, m, seed)
    weight = rng.uniform(1.0, 7.0, m)
    envelopes = np.abs(np.sin(np.linspace(0, 3, frames) + rng.uniform(0, 3, (3, 1))))
    channels = ((0,), (3, 4), (7,))
    asked = EmgCriterion(Criterion(weight=weight, reserve=reserve), emg_weight, ("a", "b", "c"), channels, envelopes)
    criterion, scale = asked.best(capacity, moment)
    activation = static_optimisation(capacity, moment, criterion).activation

    rows, wanted, columns = [], [], frames * m + len(channels)
    for t in range(frames):
        for i in range(m):
            rows.append(np.sqrt(weight[i]) * np.eye(columns)[t * m + i])
            wanted.append(0.0)
        for j in range(n):
            row = np.zeros(columns)
            row[t * m : (t + 1) * m] = capacity[t, j] / reserve
            rows.append(row)
            wanted.append(moment[t, j] / reserve)
        for c, indices in enumerate(channels):
            for i in indices:
                row = np.zeros(columns)
                row[t * m + i], row[frames * m + c] = np.sqrt(emg_weight) * np.array([1.0, -envelopes[c, t]])
                rows.append(row)
                wanted.append(0.0)
    theirs = lsq_linear(np.array(rows), np.array(wanted), bounds=(0.0, 1.0), tol=1e-14, max_iter=500).x
    # L-BFGS-B ends where the cost no longer falls by 2e-9 of itself: the root of that in the variables
    np.testing.assert_allclose(scale, theirs[frames * m :], atol=2e-3)
    np.testing.assert_allclose(activation, theirs[: frames * m].reshape(frames, m), atol=2e-3)


def test_the_slope_by_a_scale_is_that_of_the_least_value_of_the_criterion() -> None:
    """Central differences; one channel belongs to two actuators."""
    capacity, moment = random_problems(8, 3, 7, seed=3)
    envelopes = np.abs(np.sin(np.linspace(0, 3, 8) + np.array([[0.3], [1.7]])))
    asked = EmgCriterion(Criterion(reserve=60.0), 3.0, ("a", "b"), ((0,), (3, 4)), envelopes)
    scale, step = np.array([0.3, 0.5]), 1e-4
    values = [[asked.cost(scale + way * e, capacity, moment)[0] for way in (1, -1)] for e in step * np.eye(2)]
    slope = asked.cost(scale, capacity, moment)[1]
    np.testing.assert_allclose(slope, np.subtract(*np.transpose(values)) / (2.0 * step), rtol=1e-4)


def likeness(one: np.ndarray, other: np.ndarray) -> float:
    """Correlation; 0 of a muscle that stays silent."""
    return float(np.corrcoef(one, other)[0, 1]) if np.ptp(one) > 1e-9 else 0.0


@pytest.mark.parametrize("seed", [5, 6, 7, 8])
def test_known_activations_with_an_active_antagonist_are_found_more_nearly(seed: int) -> None:
    """Antagonists that are active together, as least activation never has them; EMG of unknown size of half of them."""
    rng = np.random.default_rng(seed)
    frames, n, m = 60, 3, 12
    capacity, _ = random_problems(frames, n, m, seed)
    bursts = rng.uniform(0, 1, (m, 1)) + np.linspace(0, 1, frames)
    truth = (rng.uniform(0.1, 0.5, (m, 1)) * (0.5 + 0.5 * np.cos(2 * np.pi * bursts)) ** 2).T
    moment = np.einsum("tjm,tm->tj", capacity, truth)
    base = Criterion(reserve=0.1)
    channels = tuple((i,) for i in range(0, m, 2))
    envelopes = np.array([truth[:, i] / truth[:, i].max() for (i,) in channels])
    followed = EmgCriterion(base, 10.0, tuple("abcdef"), channels, envelopes).best(capacity, moment)[0]
    plain, found = (static_optimisation(capacity, moment, asked).activation for asked in (base, followed))
    r = [np.mean([likeness(own[:, i], truth[:, i]) for (i,) in channels]) for own in (plain, found)]
    apart = [np.sqrt(np.mean((own - truth) ** 2)) for own in (plain, found)]
    assert r[1] > r[0] + 0.2
    assert apart[1] < apart[0]  # the size of what antagonists give each other is in neither moments nor EMG


def activity(time: np.ndarray, envelope: np.ndarray, muscles: tuple[str, ...], varied: bool = True) -> MuscleActivity:
    channels = tuple(EmgChannel(f"L {muscle}", "left", muscle) for muscle in muscles)
    reference = np.full((len(SIDES), len(muscles)), np.nan)
    reference[0] = 1e-3 if varied else np.nan
    envelopes = np.tile(envelope, (len(muscles), 1))
    known = {"channels": channels, "muscle_names": muscles, "envelope": envelopes, "reference": reference}
    return replace(activity_of("left"), time=time, **known)


def test_channels_are_scaled_delayed_and_given_to_their_actuators() -> None:
    time = np.linspace(0.0, 1.0, 201)
    envelope = 1e-4 + 2e-4 * np.exp(-((time - 0.5) ** 2) / 0.005)
    (both, none) = recorded_muscles(activity(time, envelope, ("hamstrings", "soleus")), time)
    assert both.name == "left hamstrings"
    assert both.actuators == ("bifemlh_l", "semiten_l", "semimem_l")
    assert none.actuators == ("soleus_l",)
    assert both.envelope.max() == 1.0
    assert both.envelope.min() == pytest.approx(0.0, abs=1e-6)
    assert time[both.envelope.argmax()] == pytest.approx(0.5 + ELECTROMECHANICAL_DELAY)
    assert recorded_muscles(activity(time, envelope, ("soleus",), varied=False), time) == []
    assert recorded_muscles(activity(time, envelope, ("masseter",)), time) == []


def test_in_a_walk_a_recorded_muscle_is_more_like_its_emg_and_moments_are_given(demo_walk) -> None:
    body = demo_walk.body
    time = np.arange(0.0, body.time[-1], 1e-3)
    noise = np.random.default_rng(0).standard_normal((len(time), 2))
    signal = 1e-4 * (1.0 + np.cos(2 * np.pi * time[:, None] / 0.54)) * noise
    labels = "L Tib Ant", "L Biceps Fem"
    walk = AnalogSignals("walk", 1000.0, labels, ("V", "V"), time, signal, np.zeros(2, int))
    emg, settings = EmgSettings(), MuscleSettings(emg_weight=5.0)
    plain, loads = (run(body, demo_walk.kinematics, settings, walk=given, emg=emg) for given in (None, walk))
    (recorded, _) = recorded_muscles(muscle_activity(walk, demo_walk.kinematics, emg), body.time)
    column = loads.muscle_names.index("tib_ant_l")
    known = np.isfinite(plain.activation[:, column])
    r = [np.corrcoef(of.activation[known, column], recorded.envelope[known])[0, 1] for of in (plain, loads)]
    assert r[1] > r[0] + 0.3
    known_well = [not name.endswith("subtalar") for name in loads.coordinates]
    assert np.nanmax(np.abs(loads.reserve[:, known_well])) < 2.0  # Nm
    (text,) = [note.text for note in loads.notes if "EMG" in note.text]
    assert "weight 5 of squared differences" in text
    assert "left tibialis anterior" in text
    assert not [note for note in plain.notes if "EMG" in note.text]
    right = [i for i, name in enumerate(loads.muscle_names) if name.endswith("_r")]
    np.testing.assert_array_equal(loads.activation[:, right], plain.activation[:, right])
    for name in ("peak_load", "held", "capacity"):  # of distributions without EMG, as those of the other cases
        np.testing.assert_array_equal(getattr(loads.fatigue, name), getattr(plain.fatigue, name))
