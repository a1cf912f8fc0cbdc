"""The double-pass Butterworth filter, measured with sines, trends and gaps."""

import numpy as np
import pytest

from pipeline.errors import SignalError
from pipeline.signals import low_pass


def fitted(signal, time, frequency):
    """Amplitude and phase of a sine in the middle half of a signal, by least squares."""
    middle = slice(len(time) // 4, -len(time) // 4)
    angle = 2 * np.pi * frequency * time[middle]
    (a, b), *_ = np.linalg.lstsq(np.stack([np.sin(angle), np.cos(angle)], 1), signal[middle], rcond=None)
    return np.hypot(a, b), np.arctan2(b, a)


@pytest.mark.parametrize(("cutoff", "rate"), [(6.0, 100.0), (6.0, 1000.0), (12.0, 60.0), (20.0, 100.0)])
def test_the_gain_at_the_cut_off_is_one_over_root_two_after_both_passes(cutoff, rate):
    """Ends decay over some 1/cutoff; in the middle of 20 s nothing is left of them: 1e-6."""
    time = np.arange(round(20 * rate)) / rate
    amplitude, phase = fitted(low_pass(np.sin(2 * np.pi * cutoff * time), rate, cutoff), time, cutoff)
    assert amplitude == pytest.approx(np.sqrt(0.5), abs=1e-6)
    assert phase == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("frequency", [1.0, 3.0, 9.0, 20.0])
def test_the_gain_is_that_of_a_fourth_order_butterworth_and_the_phase_is_zero(frequency):
    """Double pass of two poles: |H|^2 of one pass, 1 / (1 + (w/wc')^4), with both frequencies warped."""
    rate, cutoff = 100.0, 6.0
    time = np.arange(2000) / rate
    amplitude, phase = fitted(low_pass(np.sin(2 * np.pi * frequency * time), rate, cutoff), time, frequency)
    ratio = np.tan(np.pi * frequency / rate) / np.tan(np.pi * cutoff / rate)
    assert amplitude == pytest.approx(1.0 / (1.0 + (np.sqrt(2.0) - 1.0) * ratio**4), abs=1e-6)
    assert phase == pytest.approx(0.0, abs=1e-5)


def difference_equations(poles, cutoff, rate):
    """Coefficients (b, a) of a Butterworth filter's pairs of poles, and of a single one, written out by hand.

    The analog poles lie on the unit circle, a pair at the angle t from the negative real axis: 1 / (s^2 + 2 cos(t) s
    + 1); bilinear transform s = (1 - 1/z) / (K (1 + 1/z)).
    """
    K = np.tan(np.pi * cutoff / rate) / (np.sqrt(2.0) - 1.0) ** (0.5 / poles)
    if poles % 2:
        yield K / (1.0 + K) * np.ones(2), np.array([1.0, (K - 1.0) / (1.0 + K)])
    for pair in range(poles // 2):
        damping = 2.0 * np.cos(np.pi * (2 * pair + 1 + poles % 2) / (2 * poles))
        lead = 1.0 + damping * K + K**2
        a = np.array([1.0, 2.0 * (K**2 - 1.0) / lead, (1.0 - damping * K + K**2) / lead])
        yield K**2 / lead * np.array([1.0, 2.0, 1.0]), a


def recursion(b, a, x):
    """y[n] = sum b[k] x[n - k] - sum a[k] y[n - k], as if the first sample had been there for ever; gain 1 at rest."""
    n = len(b) - 1
    x = np.concatenate([np.repeat(x[:1], n, axis=0), x])
    y = x.copy()
    for i in range(n, len(x)):
        y[i] = sum(b[k] * x[i - k] for k in range(n + 1)) - sum(a[k] * y[i - k] for k in range(1, n + 1))
    return y[n:]


@pytest.mark.parametrize("order", [2, 4, 6, 8])
@pytest.mark.parametrize(("cutoff", "rate", "count"), [(6.0, 100.0, 300), (6.0, 1000.0, 3000), (49.0, 100.0, 60)])
def test_the_difference_equations_written_out_give_the_same(rng, order, cutoff, rate, count):
    """Two passes over the data continued by point reflection; values of some tens, rounding of eight poles of which
    some nearly coincide."""
    walk = np.cumsum(rng.normal(size=(count, 3)), axis=0)
    reach = min(round(rate), count - 1)
    expected = np.concatenate([2.0 * walk[0] - walk[reach:0:-1], walk, 2.0 * walk[-1] - walk[-2 : -reach - 2 : -1]])
    for _ in range(2):
        for b, a in difference_equations(order // 2, cutoff, rate):
            expected = recursion(b, a, expected)
        expected = expected[::-1]
    np.testing.assert_allclose(low_pass(walk, rate, cutoff, order), expected[reach : reach + count], atol=1e-9)


def test_a_missing_marker_touches_no_other_marker(rng):
    markers = np.cumsum(rng.normal(size=(200, 4, 3)), axis=0)
    expected = low_pass(markers, 100.0, 6.0)
    markers[80:90, 2] = np.nan
    smooth = low_pass(markers, 100.0, 6.0)
    np.testing.assert_array_equal(np.delete(smooth, 2, axis=1), np.delete(expected, 2, axis=1))
    assert np.isnan(smooth[80:90, 2]).all()


def test_each_side_of_a_gap_is_filtered_as_if_the_other_did_not_exist(rng):
    marker = np.cumsum(rng.normal(size=(200, 1, 3)), axis=0)
    marker[80:90] = np.nan
    smooth = low_pass(marker, 100.0, 6.0)
    np.testing.assert_array_equal(smooth[:80], low_pass(marker[:80], 100.0, 6.0))
    np.testing.assert_array_equal(smooth[90:], low_pass(marker[90:], 100.0, 6.0))


def test_a_coordinate_that_alone_is_missing_makes_the_whole_marker_missing(rng):
    marker = rng.normal(size=(60, 2, 3))
    marker[20:25, 0, 1] = np.nan
    assert np.isnan(low_pass(marker, 100.0, 6.0)[20:25, 0]).all()


def test_runs_shorter_than_a_tenth_of_a_second_are_dropped(rng):
    marker = rng.normal(size=(100, 1, 3))
    marker[[40, 50]] = np.nan  # 9 frames between them
    marker[[70, 81]] = np.nan  # 10 frames between them
    smooth = low_pass(marker, 100.0, 6.0)
    assert np.isnan(smooth[40:51]).all()
    assert np.isfinite(smooth[71:81]).all()


@pytest.mark.parametrize("cutoff", [0.0, -1.0, 50.0, 80.0])
def test_a_cut_off_that_no_filter_can_have_is_refused_with_the_limit(cutoff):
    with pytest.raises(SignalError, match=r"between 0 and half the sampling rate, 50 Hz"):
        low_pass(np.zeros(100), 100.0, cutoff)


def test_data_without_any_frame_or_marker_pass_through():
    assert low_pass(np.full((50, 2, 3), np.nan), 100.0, 6.0).shape == (50, 2, 3)
    assert low_pass(np.zeros((50, 0, 3)), 100.0, 6.0).shape == (50, 0, 3)
