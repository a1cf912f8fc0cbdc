"""Counts that ran over 16 bits, against the signals before they were stored."""

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.acquisition.c3d_file import read_c3d
from pipeline.acquisition.integer_range import unwrap_counts
from tests.acquisition.c3d_bytes import c3d_bytes

PHASE = np.linspace(0.0, 2.0 * np.pi, 400)


def stored(counts: np.ndarray, integer: bool = True):
    """A file of channels A, B ... whose counts (Ta, n) are stored in 16 bits, at 0.01 of a unit each."""
    wrapped = (counts + 32768.0) % 65536.0 - 32768.0
    return SimpleNamespace(
        analog=0.01 * wrapped,
        layout=SimpleNamespace(is_integer=integer, channels=counts.shape[1]),
        parameters=SimpleNamespace(
            numbers=lambda group, name: np.full(counts.shape[1], 0.1), number=lambda group, name, default: 0.1
        ),
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


def test_counts_of_a_channel_with_a_continued_scale_are_put_back():
    counts = np.zeros((400, 1, 260))
    counts[:, 0, 259] = np.round(40000.0 * np.sin(PHASE / 2.0))
    lists = {"SCALE": np.full(255, 0.5), "SCALE2": np.full(5, 0.01), "OFFSET": np.zeros(255), "OFFSET2": np.zeros(5)}
    wrapped = (counts + 32768.0) % 65536.0 - 32768.0
    content = c3d_bytes(
        np.ones((400, 1, 4)), wrapped, scale=0.1, groups={"ANALOG": lists | {"LABELS": None, "UNITS": None}}
    )
    signals, notes = unwrap_counts(read_c3d("walk.c3d", content), np.array([258, 259]), "plate 1")
    np.testing.assert_allclose(signals[:, 1], 0.01 * counts[:, 0, 259], atol=1e-4)
    assert len(notes) == 1
