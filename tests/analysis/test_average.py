"""Which curves an average takes."""

from __future__ import annotations

import numpy as np

from pipeline.analysis import average
from pipeline.analysis.resampling import resample


def test_an_average_is_of_whole_curves_else_of_those_with_any_value_and_needs_two_for_a_spread():
    """1 and 3: mean 2, sample standard deviation sqrt(2)."""
    nothing, incomplete = np.full(2, np.nan), np.array([7.0, np.nan])
    found = average([np.array([1.0, 5]), nothing, np.array([3.0, 5]), incomplete], (2,))
    assert (found.count, found.left_out) == (2, 1)
    np.testing.assert_allclose(found.mean, [2.0, 5.0])
    np.testing.assert_allclose(found.sd, [np.sqrt(2), 0.0])
    alone = average([incomplete, nothing, np.array([9.0, np.nan])], (2,))
    assert (alone.count, alone.left_out) == (2, 0)
    np.testing.assert_allclose(alone.mean, [8.0, np.nan])
    assert np.isnan(average([incomplete], (2,)).sd).all()
    assert average([1.0, np.nan, 4.0]).mean == 2.5
    none = average([], (2,))
    assert (none.count, np.isnan(none.mean).all()) == (0, True)


def test_ends_of_a_cycle_between_a_known_and_a_missing_frame_are_known():
    """The loads of a leg end with the last frame before the next contact with the floor, which is between frames."""
    time = np.arange(12.0)
    line = np.stack([time, 3.0 * time], axis=1)
    for start, stop in ((1.5, 9.3), (1.0, 10.0)):  # between frames, and at the missing frames themselves
        cut = np.where((time[:, None] > 1.0) & (time[:, None] < 9.5), line, np.nan)
        np.testing.assert_allclose(resample(cut, time, start, stop)[[0, -1]], [[start, 3 * start], [stop, 3 * stop]])
    cut[5] = np.nan
    assert np.isnan(resample(cut, time, 1.5, 9.3)).any()
    assert np.isnan(resample(cut, time, 0.5, 10.7)[[0, -1]]).all()  # more than a frame away
    assert np.isnan(resample(cut, time, -0.5, 11.5)[[0, -1]]).all()  # outside the recording


def test_all_percents_between_an_end_of_a_cycle_and_the_first_known_frame_are_known():
    """At 50 Hz a frame is some 2 % of the cycle: the first and the last percent alone would leave a gap beside them."""
    time = np.arange(100) / 50.0
    cut = np.where((time > 0.111) & (time < 1.189), 2.0 * time, np.nan)
    start, stop = 0.101, 1.199
    np.testing.assert_allclose(resample(cut, time, start, stop), np.linspace(2.0 * start, 2.0 * stop, 101))
