"""Counts that ran over 16 bits, against the signals before they were stored."""

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.acquisition.integer_range import unwrap_counts

PHASE = np.linspace(0.0, 2.0 * np.pi, 400)


def stored(counts: np.ndarray, integer: bool = True):
    """A file of channels A, B ... whose counts (Ta, n) are stored in 16 bits, at 0.01 of a unit each."""
    wrapped = (counts + 32768.0) % 65536.0 - 32768.0
    return SimpleNamespace(
        analog=0.01 * wrapped,
        layout=SimpleNamespace(is_integer=integer),
        numbers=lambda group, name: np.array({"SCALE": [0.1] * counts.shape[1], "GEN_SCALE": [0.1]}[name]),
        channel_names=lambda columns: ["ABC"[k] for k in columns],
    )


@pytest.mark.parametrize("peak", [40000.0, -40000.0, 100000.0])
def test_counts_beyond_16_bits_are_put_back_and_named(peak):
    """Of a half sine; the other channel fits the range and stays as it is."""
    counts = np.stack([np.round(20000.0 * np.sin(PHASE)), np.round(peak * np.sin(PHASE / 2.0))], axis=1)
    signals, (note,) = unwrap_counts(stored(counts), np.arange(2), "plate 1")
    np.testing.assert_allclose(signals, 0.01 * counts, atol=1e-9)
    assert note.text.startswith("the counts of B wrapped round")


@pytest.mark.parametrize(("size", "integer"), [(16000.0, True), (30000.0, False)])
def test_steps_below_half_the_range_and_real_numbers_are_signals(size, integer):
    counts = np.where(PHASE > 1.0, size, -size)[:, None]
    signals, notes = unwrap_counts(stored(counts, integer), np.arange(1), "plate 1")
    np.testing.assert_array_equal(signals, 0.01 * counts)
    assert not notes
