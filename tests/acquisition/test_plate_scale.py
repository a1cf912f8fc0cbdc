"""Kilonewtons labelled as newtons are named; drift, noise and vibration of unloaded plates are not taken for them."""

import numpy as np
import pytest

from pipeline.acquisition.plate_scale import scale_notes

RATE = 1000.0
TIME = np.arange(3000) / RATE


def stance(peak: float) -> np.ndarray:
    """0.7 s with two maxima, as in a step."""
    phase = np.clip((TIME - 1.0) / 0.7, 0.0, 1.0)
    return peak * (np.sin(np.pi * phase) ** 0.4 - 0.25 * np.sin(np.pi * phase) ** 4)


def noise(size: float) -> np.ndarray:
    return size * np.random.default_rng(4).normal(size=len(TIME))


@pytest.mark.parametrize("mass", [0.0, 70.0])
@pytest.mark.parametrize("mean", [0.0, -0.2])
def test_a_stance_in_kilonewtons_is_named(mass, mean):
    """A mean may have been subtracted as a supposed offset."""
    ((note),) = scale_notes([stance(0.8) + noise(0.002) + mean, noise(0.002)], mass, RATE)
    assert note.kind == "warning"
    assert "in kN it would be" in note.text
    assert ("times the body weight" in note.text) == (mass > 0.0)


@pytest.mark.parametrize(
    "unloaded",
    [
        noise(0.5),
        np.zeros(len(TIME)),
        0.4 * TIME + noise(0.002),  # drift
        0.5 * np.sin(2.0 * np.pi * 0.2 * TIME) + noise(0.002),  # slow drift up and down
        np.sin(2.0 * np.pi * 25.0 * TIME) * np.exp(-((TIME - 1.5) ** 2) / 0.1) + noise(0.01),  # a step beside the plate
        np.round(noise(0.4)),  # few steps of the converter
    ],
)
def test_an_unloaded_plate_raises_no_warning(unloaded):
    assert scale_notes([unloaded], 0.0, RATE) == []


def test_a_stance_in_newtons_raises_no_warning_and_a_wrong_mass_does():
    assert scale_notes([stance(800.0) + noise(2.0)], 70.0, RATE) == []
    assert "times the weight of 15 kg" in scale_notes([stance(800.0)], 15.0, RATE)[0].text


def test_a_stance_that_is_too_small_for_the_subject_in_kilonewtons_is_left():
    """0.15 kN of 70 kg is 0.2 body weights: a hand, or another scale."""
    assert scale_notes([stance(0.15)], 70.0, RATE) == []
