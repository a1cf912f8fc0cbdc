"""Channels of a plate that are dead, and loads that its amplifier clips."""

import numpy as np
import pytest

from pipeline.acquisition.plate_channels import channel_notes

RATE = 1000.0
TIME = np.arange(2000) / RATE
LOADED = (TIME > 0.5) & (TIME < 1.2)


def step(count: float = 0.3):
    """Vertical force (2000,) N of one step with its two humps, in steps of a converter, with noise of two of them."""
    phase = np.clip((TIME - 0.5) / 0.7, 0.0, 1.0)
    force = -700.0 * np.sin(np.pi * phase) * (1.0 + 0.3 * np.cos(4.0 * np.pi * phase))
    noise = np.random.default_rng(1).normal(0.0, 2.0 * count, len(TIME))
    return np.round((force + noise) / count) * count


def notes(*signals):
    names = "ABC"[: len(signals)]
    return [note.text for note in channel_notes(np.stack(signals, axis=1), LOADED, RATE, names, "plate 1")]


@pytest.mark.parametrize("count", [0.3, 3.0])
def test_a_step_that_fits_the_range_gives_no_warning(count):
    assert not notes(step(count))


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_clipped_channel_is_named_with_its_limit_and_time(sign):
    """The step passes 600 N twice, for tenths of a second."""
    cut = sign * np.clip(step(), -600.0, None)
    (text,) = notes(step(), cut)
    assert text.startswith(f"channel B stays at {-sign * 600:g} for 0.")


def test_a_dead_channel_is_named():
    (text,) = notes(step(), np.full(len(TIME), 2.5))
    assert text.startswith("channel B is 2.5 throughout, even under load")


def test_a_channel_of_few_steps_gives_no_warning():
    """A shear force that the converter shows as 0 and 1 steps."""
    for offset in (0.0, 500.0, -500.0):
        assert not notes(offset + np.where(LOADED, 1.0, 0.0))


def test_a_plate_that_is_never_or_always_loaded_is_not_checked():
    for loaded in (np.zeros(len(TIME), dtype=bool), np.ones(len(TIME), dtype=bool)):
        assert not list(channel_notes(np.full((len(TIME), 1), 500.0), loaded, RATE, "A", "plate 1"))


def test_a_channel_in_volts_is_clipped_as_one_in_newtons():
    """What counts are steps of the converter, here of 0.3 mV."""
    (text,) = notes(step(), np.clip(step(), -600.0, None) / 1000.0)
    assert text.startswith("channel B stays at -0.6 for 0.")


@pytest.mark.parametrize(("factor", "count"), [(1, 0), (2, 1)])
def test_a_limit_is_reached_by_a_blow_of_20_ms_and_by_no_other_load_for_40(factor, count):
    """10 samples of 20 or 40 ms."""
    rate = RATE / (2 * factor)
    signal = np.arange(2000) % 7 * 0.5
    signal[600:610] = 800.0
    assert len(list(channel_notes(signal[:, None], LOADED, rate, "A", "plate 1"))) == count
