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


def test_a_load_that_is_too_small_for_the_subject_is_named_and_a_mass_of_no_body_says_nothing():
    """300 N under 70 kg are 0.44 body weights; a body mass of 2 kg is none."""
    assert "0.4 times the weight of 70 kg" in scale_notes([stance(300.0)], 70.0, RATE)[0].text
    assert scale_notes([stance(800.0)], 2.0, RATE) == []


@pytest.mark.parametrize(
    ("peak", "mass", "named"),
    [
        (3.5, 70.0, False),
        (3.5, 0.0, True),
        (3.5, 150.0, True),
        (6.0, 0.0, False),
        (0.15, 0.0, True),
        (0.08, 0.0, False),
    ],
)
def test_kilonewtons_are_those_of_the_subject_or_of_any_person(peak, mass, named):
    """3.5 kN are 5.1 times the weight of 70 kg, 2.4 times that of 150 kg. Noise of a hundredth of the load is none."""
    assert bool(scale_notes([stance(peak) + noise(0.01 * peak)], mass, RATE)) == named


def trapezoid(lasting: float, rise: float, rate: float) -> np.ndarray:
    """3 s with a load of 0.7 that lasts so long (s) at half its height, and rises and falls within so long."""
    time = np.arange(int(3.0 * rate)) / rate
    up, down = ((time - at) / rise + 0.5 for at in (1.0, 1.0 + lasting))
    return 0.7 * (np.clip(up, 0.0, 1.0) - np.clip(down, 0.0, 1.0))


@pytest.mark.parametrize("rate", [200.0, 1000.0, 2000.0])
@pytest.mark.parametrize(
    ("lasting", "rise", "named"),
    [(0.15, 0.05, False), (0.25, 0.05, True), (1.1, 0.6, True), (1.1, 0.9, False)],
)
def test_a_stance_lasts_a_fifth_of_a_second_and_rises_quickly(lasting, rise, named, rate):
    """Quickly: 0.3 s before and after half of its height, at most a tenth of it; that of a ramp of 0.75 s."""
    assert bool(scale_notes([trapezoid(lasting, rise, rate)], 0.0, rate)) == named


def test_a_plate_that_is_unloaded_in_three_hundredths_of_a_recording_shows_its_level():
    """Somebody stands for 19.4 of 20 s."""
    time = np.arange(20_000) / RATE
    assert scale_notes([np.where((time > 0.31) & (time < 19.69), 0.7, 0.0)], 0.0, RATE)
