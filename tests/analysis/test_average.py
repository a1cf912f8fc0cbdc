"""Which curves an average takes."""

from __future__ import annotations

import numpy as np

from pipeline.analysis import average
from pipeline.analysis.resampling import resample


def test_whole_curves_are_averaged_else_those_with_any_value_and_none_is_missing():
    whole, cut, empty = np.array([1.0, 3.0]), np.array([5.0, np.nan]), np.full(2, np.nan)
    taken = average([whole, cut, empty, whole + 2.0], (2,))
    assert (taken.mean.tolist(), taken.count, taken.left_out) == ([2.0, 4.0], 2, 1)
    taken = average([cut, empty], (2,))
    np.testing.assert_array_equal(taken.mean, cut)
    assert taken.left_out == 0
    assert (taken.count, np.isnan(taken.sd).all()) == (1, True)
    nothing = average([], (2,))
    assert (nothing.count, np.isnan(nothing.mean).all()) == (0, True)
    assert average([1.0, np.nan, 4.0]).mean == 2.5


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
