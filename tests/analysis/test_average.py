"""Which curves an average takes."""

from __future__ import annotations

import numpy as np

from pipeline.analysis import average


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
