"""Frozen markers become gaps; markers that are stationary, or whose digits are coarse, do not."""

import numpy as np
import pytest

from pipeline.signals import remove_frozen

RATE = 100.0
FRAMES = 200


@pytest.fixture
def markers(rng):
    """Six markers that walk at 1.2 m/s with 0.2 mm of noise; the last is a foot that stands from 60 to 120."""
    path = 1.2 * np.arange(FRAMES) / RATE
    track = np.stack([path, 0.05 * np.sin(8.0 * path), 0.0 * path], axis=1)
    tracks = np.repeat(track[:, None], 6, axis=1) + rng.normal(0.0, 0.3, (1, 6, 3))
    tracks[60:120, 5] = tracks[60, 5]
    return tracks + rng.normal(0.0, 0.0002, tracks.shape)


def cleaned(markers):
    return remove_frozen(markers, list("ABCDEF"), RATE)


def test_nothing_changes_without_frozen_markers(markers):
    kept, notes = cleaned(markers)
    np.testing.assert_array_equal(kept, markers)
    assert notes == ()


@pytest.mark.parametrize("last", [53, 90, FRAMES])
def test_a_frozen_marker_is_missing_after_its_first_frame_and_nothing_else(markers, last):
    markers[50:last, 2] = markers[50, 2]
    kept, (note,) = cleaned(markers)
    expected = markers.copy()
    expected[51:last, 2] = np.nan
    np.testing.assert_array_equal(kept, expected)
    assert (note.kind, note.subject) == ("warning", "marker C")
    assert f"in frames 52-{last}" in note.text


def test_a_stationary_foot_in_coarse_digits_is_no_frozen_marker(markers):
    """Positions in whole steps of 0.5 mm repeat by chance, of the foot for long; a held marker is left by a jump."""
    coarse = np.round(markers, 3) // 0.0005 * 0.0005
    assert (coarse[61:120, 5] == coarse[60:119, 5]).all(axis=1).sum() > 10
    assert cleaned(coarse)[1] == ()
    coarse[50:60, 2] = coarse[50, 2]
    assert [note.subject for note in cleaned(coarse)[1]] == ["marker C"]
    coarse[60:, 2] += coarse[59, 2] - coarse[60, 2] + np.array([0.005, 0.0, 0.0])
    assert cleaned(coarse)[1] == (), "it starts with 5 mm in a frame and goes on with 12 mm"


def test_a_body_that_stands_has_no_frozen_markers():
    still = np.repeat(np.arange(18.0).reshape(1, 6, 3), 50, axis=0)
    assert cleaned(still)[1] == ()


def test_one_position_in_thousands_that_repeats_by_chance_does_not_make_the_digits_coarse(markers):
    """C is held from frame 50 and let go without a jump, which coarse digits would excuse; E repeats in one frame."""
    markers = np.concatenate([markers[:60], np.zeros((1600, 6, 3)) + markers[60:61], markers[60:]])
    markers[60:1660] += (np.arange(1, 1601) * 1e-5)[:, None, None]
    markers[20, 4] = markers[19, 4]
    markers[50:60, 2] = markers[50, 2]
    markers[60:, 2] += markers[59, 2] - markers[60, 2] + 0.001
    assert [note.subject for note in cleaned(markers)[1]] == ["marker C"]


def test_of_a_marker_that_is_held_a_single_repetition_elsewhere_is_kept(markers):
    markers[150, 2] = markers[149, 2]
    markers[50:60, 2] = markers[50, 2]
    kept, _ = cleaned(markers)
    assert np.flatnonzero(np.isnan(kept[:, 2, 0])).tolist() == list(range(51, 60))
