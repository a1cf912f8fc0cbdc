"""Short gaps are filled and noted; everything else is left alone and noted."""

import numpy as np
import pytest

from pipeline.signals import fill_gaps

RATE, LONGEST = 100.0, 0.1


@pytest.fixture
def markers():
    """Two markers on cubic paths, which a cubic spline continues exactly."""
    t = np.arange(100) / RATE
    path = np.stack([t, t**2 - t, 0.3 * t**3], axis=1)
    return np.stack([path, 1.0 - 2.0 * path], axis=1)


def fill(markers):
    return fill_gaps(markers, ("A", "B"), RATE, LONGEST)


def test_a_complete_recording_is_returned_as_it_is(markers):
    filled, mask, notes = fill(markers)
    np.testing.assert_array_equal(filled, markers)
    assert not mask.any()
    assert notes == ()


def test_a_short_gap_is_filled_on_the_path_marked_and_noted_with_its_frames(markers):
    truth = markers.copy()
    markers[40:50, 0] = np.nan
    before = markers.copy()
    filled, mask, (note,) = fill(markers)
    np.testing.assert_allclose(filled, truth, atol=1e-12)
    assert set(np.flatnonzero(mask[:, 0])) == set(range(40, 50))
    assert not mask[:, 1].any()
    assert (note.kind, note.subject) == ("filled", "marker A")
    assert "41-50" in note.text  # counted from 1, as capture software does
    assert note.text.endswith("off by less than 9 mm in 95 % of gaps of 0.10 s"), "0.9 m/s^2 times its square"
    np.testing.assert_array_equal(markers, before)  # the input is not changed


def test_a_gap_one_frame_longer_than_allowed_stays_and_is_noted(markers):
    markers[40:51, 0] = np.nan
    filled, mask, (note,) = fill(markers)
    np.testing.assert_array_equal(filled, markers)
    assert not mask.any()
    assert note.kind == "warning"
    assert "41-51" in note.text
    assert "0.1 s" in note.text


@pytest.mark.parametrize("gap", [slice(0, 3), slice(97, 100)])
def test_gaps_at_the_ends_are_never_extrapolated(gap, markers):
    markers[gap, 1] = np.nan
    filled, mask, (note,) = fill(markers)
    assert np.isnan(filled[gap, 1]).all()
    assert not mask.any()
    assert "at an end" in note.text


def test_a_gap_touches_its_own_marker_only(markers):
    markers[40:45, 0], markers[10:13, 1] = np.nan, np.nan
    filled, mask, notes = fill(markers)
    np.testing.assert_array_equal(filled[~mask], markers[~mask])
    assert [note.subject for note in notes] == ["marker A", "marker B"]


def test_the_error_is_that_of_the_longest_gap_that_is_filled(markers):
    markers[10:14, 0], markers[40:48, 0], markers[70:85, 0] = np.nan, np.nan, np.nan
    note = next(note for note in fill(markers)[2] if note.kind == "filled")
    assert note.text.endswith("off by less than 6 mm in 95 % of gaps of 0.08 s")


def test_one_missing_coordinate_is_a_missing_marker(markers):
    truth = markers.copy()
    markers[40, 0, 2] = np.nan
    filled, mask, _ = fill(markers)
    np.testing.assert_allclose(filled, truth, atol=1e-12)
    assert mask[40, 0]


def test_short_and_long_gaps_of_one_marker_are_separated(markers):
    markers[20:22, 0], markers[50:70, 0] = np.nan, np.nan
    filled, mask, notes = fill(markers)
    assert np.isfinite(filled[20:22, 0]).all()
    assert np.isnan(filled[50:70, 0]).all()
    assert mask.sum() == 2
    assert [note.kind for note in notes] == ["filled", "warning"]


def test_a_marker_missing_throughout_is_named(markers):
    markers[:, 0] = np.nan
    filled, _, (note,) = fill(markers)
    assert np.isnan(filled[:, 0]).all()
    assert note.text.startswith("not seen in any frame")
