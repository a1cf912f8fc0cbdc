"""The baseline of a force plate is removed where its unloaded samples are identified, and kept otherwise."""

import numpy as np
import pytest

from pipeline.acquisition.baseline import remove_baseline

RATE = 1000.0
NO_ZERO = np.zeros(0)


def record(upward: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    force = np.column_stack([np.full(len(upward), 3.0), np.zeros(len(upward)), -upward])
    return force + rng.normal(0.0, 0.5, force.shape), rng.normal(0.0, 0.1, force.shape)


def step(offset: float, load: float = 800.0) -> np.ndarray:
    """2 s with a contact of 0.6 s."""
    upward = np.full(2000, offset)
    upward[700:1300] += load * np.sin(np.linspace(0.0, np.pi, 600)) ** 0.3
    return upward


@pytest.mark.parametrize("offset", [-212.0, -20.0, 0.0, 46.0])
def test_an_offset_beneath_a_step_is_removed(offset):
    force, moment = record(step(offset))
    cleaned, _, notes = remove_baseline(force, moment, RATE, NO_ZERO, "plate 1")
    # 0.5 N of noise averaged over more than a thousand samples.
    np.testing.assert_allclose(cleaned[:700].mean(axis=0), 0.0, atol=0.1)
    assert [note.kind for note in notes] == ["estimated"]


def test_a_small_constant_reading_is_an_offset_and_a_large_one_may_be_a_subject():
    force, moment = record(np.full(2000, 23.0))
    cleaned, _, _ = remove_baseline(force, moment, RATE, NO_ZERO, "plate 1")
    assert abs(cleaned[:, 2].mean()) < 0.1
    force, moment = record(np.full(2000, 300.0))
    kept, _, notes = remove_baseline(force, moment, RATE, np.array([1.0, 16.0]), "plate 1")
    np.testing.assert_array_equal(kept, force)
    assert "loaded with about 300 N throughout" in notes[0].text


def test_a_subject_who_shifts_weight_is_not_taken_for_an_offset():
    force, moment = record(350.0 + 150.0 * np.sin(np.linspace(0.0, 9.0, 2000)))
    kept, _, notes = remove_baseline(force, moment, RATE, NO_ZERO, "plate 1")
    np.testing.assert_array_equal(kept, force)
    assert "nothing subtracted" in notes[0].text


def test_a_few_samples_are_left_as_they_are():
    force, moment = record(np.full(10, 430.0))
    kept, _, notes = remove_baseline(force, moment, RATE, NO_ZERO, "plate 1")
    np.testing.assert_array_equal(kept, force)
    assert "too short to show" in notes[0].text
