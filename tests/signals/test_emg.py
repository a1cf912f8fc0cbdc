"""Envelopes of EMG whose amplitude is known."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.signals import clipped_samples, emg, high_pass, linear_envelope, mains_share

RATE = 2000.0
TIME = np.arange(int(4 * RATE)) / RATE
AMPLITUDE = 1e-4 * (1.0 + 0.6 * np.sin(2.0 * np.pi * 0.5 * TIME))
"""V, far below the envelope's cut-off."""

INSIDE = slice(int(0.5 * RATE), int(3.5 * RATE))
"""Away from the ends, which the filters continue."""


def envelope(signal):
    return linear_envelope(signal[:, None], RATE, (20.0, 450.0), 3.0)[:, 0]


def test_the_envelope_of_a_sinusoid_is_two_over_pi_of_its_amplitude():
    """The mean of a rectified sinusoid; an offset, a movement of 2 Hz and noise of 900 Hz outside the band add nothing.

    Within 1 %: the filter's gain at 0.5 Hz and 100 Hz and the movement that is left.
    """
    others = 0.01 + 5e-4 * np.sin(2 * np.pi * 2.0 * TIME) + 5e-5 * np.sin(2 * np.pi * 900.0 * TIME)
    found = envelope(AMPLITUDE * np.sin(2.0 * np.pi * 101.0 * TIME) + others)
    np.testing.assert_allclose(found[INSIDE], 2.0 / np.pi * AMPLITUDE[INSIDE], rtol=0.01)


def test_the_envelope_of_noise_has_its_mean_rectified_value(rng):
    """Gaussian noise of the whole Nyquist range: the band keeps its share of the variance, sqrt(2/pi) of whose root is
    the mean. Within 3 %: 300 independent samples each 3 Hz wide."""
    found = envelope(1e-4 * rng.standard_normal(len(TIME)))
    share = np.sqrt((450.0 - 20.0) / (RATE / 2.0))
    assert found[INSIDE].mean() == pytest.approx(np.sqrt(2.0 / np.pi) * 1e-4 * share, rel=0.03)


def test_the_gain_at_the_high_pass_is_that_of_both_passes():
    """-3 dB at the cut-off, where a fourth-order filter's squared gain is 1 / (1 + (sqrt(2) - 1) (fc / f)^4)."""
    for frequency, gain, tolerance in ((20.0, np.sqrt(0.5), 1e-3), (200.0, 1.0, 1e-3), (2.0, 2.414e-4, 1e-5)):
        passed = high_pass(np.sin(2 * np.pi * frequency * TIME), RATE, 20.0)[INSIDE]
        assert np.sqrt(2.0 * np.mean(passed**2)) == pytest.approx(gain, abs=tolerance)


@pytest.mark.parametrize("volts", [-2.5, 0.3, 5.0])
def test_a_channel_with_an_offset_alone_has_no_envelope(volts):
    """Below 1e-20 V: it is taken away before the filter, whose rounding of it would be some 1e-16 of the offset."""
    assert envelope(np.full(len(TIME), volts)).max() < 1e-20


def test_the_share_of_the_mains_is_that_of_its_power_and_almost_none_in_noise(rng):
    """Hum of half a squared amplitude in noise of variance 1, 43 % of which is in the band."""
    noise = rng.standard_normal(len(TIME))
    band, in_band = (20.0, 450.0), 0.43
    assert mains_share(noise, RATE, band, 50.0) < 0.03
    hum = np.sin(2 * np.pi * 60.0 * TIME) + 0.5 * np.sin(2 * np.pi * 180.0 * TIME + 1.0)
    expected = 0.625 / (0.625 + in_band)
    assert mains_share(noise + hum + 7.0, RATE, band, 60.0) == pytest.approx(expected, abs=0.03)
    assert mains_share(noise + hum, RATE, band, 50.0) < 0.03
    assert mains_share(np.zeros(len(TIME)), RATE, band, 50.0) == mains_share(noise[:3], RATE, band, 50.0) == 0.0


def test_a_signal_is_clipped_if_it_piles_up_at_its_extremes(rng):
    noise = rng.standard_normal(2000)
    assert clipped_samples(noise) == clipped_samples(np.round(2.0 * noise)) == 0
    assert clipped_samples(np.clip(noise, -2.0, 1.5)) == np.sum((noise <= -2.0) | (noise >= 1.5))
    assert clipped_samples(np.maximum(noise, 0.0)) == 0, "a rectified signal rests at zero"
    assert clipped_samples(np.sign(noise)) == 2000


@pytest.mark.parametrize(("beside", "clipped"), [(4, 15), (7, 15), (8, 0), (14, 0)])
def test_a_pile_at_an_extreme_is_more_than_twice_as_high_as_the_values_beside_it(beside, clipped):
    """15 samples at 9 V, and some at 8 V; the other values, from -6 V on, occur once."""
    signal = np.concatenate([np.linspace(-6.0, 7.0, 300), np.full(beside, 8.0), np.full(15, 9.0)])
    assert clipped_samples(signal) == clipped_samples(-signal) == clipped


def test_the_share_of_the_mains_does_not_depend_on_an_offset_or_on_the_unit_of_time(rng, monkeypatch):
    """An offset of 2.5 V under 10 uV of noise and hum; and all frequencies, with the width of a line, in half hertz."""
    signal = 1e-5 * (rng.standard_normal(2000) + 0.5 * np.sin(2 * np.pi * 50.0 * TIME[:2000]))
    share = mains_share(signal, RATE, (20.0, 450.0), 50.0)
    assert 0.05 < share < 0.5
    assert mains_share(signal + 2.5, RATE, (20.0, 450.0), 50.0) == pytest.approx(share, rel=1e-6)
    monkeypatch.setattr(emg, "LINE_WIDTH", 2.0 * emg.LINE_WIDTH)
    assert mains_share(signal, 2.0 * RATE, (40.0, 900.0), 100.0) == pytest.approx(share, rel=1e-12)
