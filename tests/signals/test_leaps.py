"""Leaps, exchanged labels and excursions of markers, planted in smooth motion with noise."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.signals.leaps import label_order, leaps_of, off_path

FRAMES, COUNT, RATE = 200, 6, 100.0


@pytest.fixture
def markers(rng):
    """Six markers 6 to 10 cm apart that swing as fast as feet do, with 1 mm of noise."""
    t = np.arange(FRAMES)[:, None, None] / RATE
    places = 0.08 * np.arange(COUNT)[None, :, None] + np.zeros((1, 1, 3))
    swing = 0.3 * np.sin(2 * np.pi * 1.5 * t + np.array([0.0, 1.0, 2.0]))
    return places + swing + 1.2 * t * [1, 0, 0] + rng.normal(scale=0.001, size=(FRAMES, COUNT, 3))


def planted(first, last, *labels):
    """Frames and labels as a mask (T, K)."""
    mask = np.zeros((FRAMES, COUNT), dtype=bool)
    mask[first:last, list(labels)] = True
    return mask


def test_smooth_motion_has_no_leaps(markers):
    assert not leaps_of(markers).any()
    np.testing.assert_array_equal(label_order(markers), np.tile(np.arange(COUNT), (FRAMES, 1)))
    assert not off_path(markers).any()


@pytest.mark.parametrize("frames", [(50, 51), (50, 52), (50, 60), (50, 110), (0, 20), (180, 200)])
def test_labels_that_change_places_are_found_frame_by_frame(markers, frames):
    """Also at the ends of the trial and for more than a quarter of it."""
    first, last = frames
    wrong = markers.copy()
    wrong[first:last, [1, 2]] = markers[first:last, [2, 1]]
    order = label_order(wrong)
    np.testing.assert_array_equal(order != np.arange(COUNT), planted(first, last, 1, 2))
    np.testing.assert_array_equal(np.take_along_axis(wrong, order[:, :, None], axis=1), markers)


def test_three_labels_that_go_round_are_found(markers):
    wrong = markers.copy()
    wrong[80:120, [0, 1, 2]] = markers[80:120, [1, 2, 0]]
    order = label_order(wrong)
    np.testing.assert_array_equal(np.take_along_axis(wrong, order[:, :, None], axis=1), markers)


@pytest.mark.parametrize("frames", [(50, 51), (50, 60), (0, 20), (180, 200)])
def test_an_excursion_of_a_marker_is_found_frame_by_frame(markers, frames):
    first, last = frames
    wrong = markers.copy()
    wrong[first:last, 3] += [0.06, -0.05, 0.06]
    np.testing.assert_array_equal(off_path(wrong), planted(first, last, 3))
    assert (label_order(wrong) == np.arange(COUNT)).all()


def test_an_excursion_may_end_in_a_gap(markers):
    """The marker leaps off, vanishes and comes back to its path."""
    wrong = markers.copy()
    wrong[50:60, 3] += 0.06
    wrong[55:65, 3] = np.nan
    np.testing.assert_array_equal(off_path(wrong), planted(50, 55, 3))


def test_gaps_are_no_leaps(markers):
    wrong = markers.copy()
    wrong[50:60, 3] = np.nan
    wrong[100, :] = np.nan
    assert not leaps_of(wrong).any()
    assert not off_path(wrong).any()
