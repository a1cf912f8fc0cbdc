"""Jumps, swapped labels and excursions of markers, added to smooth motion with noise."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.signals import correct_jumps_and_swaps, jump_limits, jumps_of, label_order, off_trajectory

FRAMES, COUNT, RATE = 200, 6, 100.0


@pytest.fixture
def markers(rng):
    """Six markers 6 to 10 cm apart that swing as fast as feet do, with 1 mm of noise."""
    t = np.arange(FRAMES)[:, None, None] / RATE
    places = 0.08 * np.arange(COUNT)[None, :, None] + np.zeros((1, 1, 3))
    swing = 0.3 * np.sin(2 * np.pi * 1.5 * t + np.array([0.0, 1.0, 2.0]))
    return places + swing + 1.2 * t * [1, 0, 0] + rng.normal(scale=0.001, size=(FRAMES, COUNT, 3))


def frames_of_labels(first, last, *labels):
    """Frames and labels as a mask (T, K)."""
    mask = np.zeros((FRAMES, COUNT), dtype=bool)
    mask[first:last, list(labels)] = True
    return mask


def test_smooth_motion_has_no_jumps(markers):
    assert not jumps_of(markers).any()
    np.testing.assert_array_equal(label_order(markers), np.tile(np.arange(COUNT), (FRAMES, 1)))
    assert not off_trajectory(markers).any()


@pytest.mark.parametrize("frames", [(50, 51), (50, 52), (50, 60), (50, 110), (0, 20), (180, 200)])
def test_swapped_labels_are_found_frame_by_frame(markers, frames):
    """Also at the ends of the trial and for more than a quarter of it."""
    first, last = frames
    wrong = markers.copy()
    wrong[first:last, [1, 2]] = markers[first:last, [2, 1]]
    order = label_order(wrong)
    np.testing.assert_array_equal(order != np.arange(COUNT), frames_of_labels(first, last, 1, 2))
    np.testing.assert_array_equal(np.take_along_axis(wrong, order[:, :, None], axis=1), markers)


def test_a_cyclic_swap_of_three_labels_is_found(markers):
    wrong = markers.copy()
    wrong[80:120, [0, 1, 2]] = markers[80:120, [1, 2, 0]]
    order = label_order(wrong)
    np.testing.assert_array_equal(np.take_along_axis(wrong, order[:, :, None], axis=1), markers)


@pytest.mark.parametrize("frames", [(50, 51), (50, 60), (0, 20), (180, 200)])
def test_an_excursion_of_a_marker_is_found_frame_by_frame(markers, frames):
    first, last = frames
    wrong = markers.copy()
    wrong[first:last, 3] += [0.06, -0.05, 0.06]
    np.testing.assert_array_equal(off_trajectory(wrong), frames_of_labels(first, last, 3))
    assert (label_order(wrong) == np.arange(COUNT)).all()


def test_an_excursion_may_end_in_a_gap(markers):
    """The marker jumps away, is missing and returns to its trajectory."""
    wrong = markers.copy()
    wrong[50:60, 3] += 0.06
    wrong[55:65, 3] = np.nan
    np.testing.assert_array_equal(off_trajectory(wrong), frames_of_labels(50, 55, 3))


@pytest.mark.parametrize(("apart", "swapped"), [(0.01, True), (0.03, False), (0.08, False)])
def test_labels_that_jump_together_are_swapped_only_if_each_lands_on_the_other_s_trajectory(markers, apart, swapped):
    """Two centimetres are the limit: half of the least jump."""
    wrong = markers.copy()
    wrong[50:60, [1, 2]] = markers[50:60, [2, 1]] + np.array([0.0, 0.0, apart])
    found = (label_order(wrong) != np.arange(COUNT)).any(axis=1)
    np.testing.assert_array_equal(np.flatnonzero(found), np.arange(50, 60) if swapped else [])


def test_jumps_that_do_not_cancel_add_up(markers):
    """Away by 75 mm, back by 45 mm and again by 45 mm: 30 and 15 mm from its trajectory it is no jump away."""
    wrong = markers.copy()
    wrong[60:80, 3, 0] += 0.075
    wrong[80:120, 3, 0] += 0.030
    wrong[120:, 3, 0] -= 0.015
    np.testing.assert_array_equal(off_trajectory(wrong), frames_of_labels(60, 80, 3))


def test_a_marker_is_back_though_it_moved_in_the_meantime(markers):
    """It jumps away by 18 cm, comes 5 cm nearer within 40 frames and jumps back onto its trajectory."""
    wrong = markers.copy()
    wrong[60:100, 3, 0] += np.linspace(0.18, 0.13, 40)
    np.testing.assert_array_equal(off_trajectory(wrong), frames_of_labels(60, 100, 3))


def test_gaps_are_no_jumps(markers):
    wrong = markers.copy()
    wrong[50:60, 3] = np.nan
    wrong[100, :] = np.nan
    assert not jumps_of(wrong).any()
    assert not off_trajectory(wrong).any()


NAMES = tuple("ABCDEF")


@pytest.mark.parametrize("frames", [(50, 51), (50, 56)])
def test_an_excursion_to_a_fixed_point_is_found_frame_by_frame(markers, frames):
    """The way back is not the way out, as the body has moved on, by 0.2 m in 5 frames."""
    first, last = frames
    wrong = markers.copy()
    wrong[first:last, 3] = [0.001, 0.0, -1.0]
    np.testing.assert_array_equal(off_trajectory(wrong), frames_of_labels(first, last, 3))


def test_jumps_and_swaps_are_corrected_with_a_note_on_each(markers):
    wrong = markers.copy()
    wrong[50:80, [1, 2]] = markers[50:80, [2, 1]]
    wrong[120:125, 4] += [0.0, 0.3, 0.0]
    corrected, notes = correct_jumps_and_swaps(wrong, NAMES, RATE)
    expected = markers.copy()
    expected[120:125, 4] = np.nan
    np.testing.assert_array_equal(corrected, expected)
    assert [(note.kind, note.subject) for note in notes] == [("warning", f"marker {name}") for name in "BCE"]
    assert "labelled C in frames 51-80" in notes[0].text
    jump = float(notes[2].text.split("jumps by ")[1].split(" mm")[0])
    assert jump == pytest.approx(300.0, abs=5.0), "with 1 mm of noise on each step"
    assert "frames 121-125" in notes[2].text


def test_markers_that_jump_in_the_same_frames_are_one_note(markers):
    """As all of a body do that was found in a wrong place: one cause, one line."""
    wrong = markers.copy()
    wrong[120:125, [0, 1, 4]] += np.array([[0.0, 0.3, 0.0], [0.0, 0.2, 0.0], [0.0, 0.4, 0.0]])
    wrong[50:53, 5] += [0.0, 0.3, 0.0]
    _, notes = correct_jumps_and_swaps(wrong, NAMES, RATE)
    assert [note.subject for note in notes] == ["markers A, B, E", "marker F"]
    assert float(notes[0].text.removeprefix("jump by ").split(" mm")[0]) == pytest.approx(400.0, abs=5.0)
    assert "frames 121-125 are not used: check their labelling" in notes[0].text


def test_at_low_rates_fast_steps_of_a_foot_are_no_jumps():
    """A foot stops within 40 ms at initial contact, from 3 m/s: at 25 Hz its step changes by 0.12 m."""
    t = np.arange(100) / 25.0
    path = np.cumsum(np.where((t % 1.2) < 0.6, 3.0, 0.0)) / 25.0
    foot = np.stack([path, np.zeros(100), np.zeros(100)], axis=1)[:, None]
    assert off_trajectory(foot).any(), "what counts at 50 Hz and more"
    corrected, notes = correct_jumps_and_swaps(foot, ("HEE",), 25.0)
    np.testing.assert_array_equal(corrected, foot)
    assert not notes


def test_a_toe_that_moves_as_in_a_run_does_not_jump():
    """Up and down by 0.15 m five times a second, with up to 150 m/s^2: at 50 Hz its steps change by 60 mm and differ by
    66 mm from the median of those around them, but by 19 mm from the mean of those beside them."""
    t = np.arange(100) / 50.0
    toe = np.stack([4.0 * t, 0.152 * np.sin(10.0 * np.pi * t), np.zeros(100)], axis=1)[:, None]
    assert np.linalg.norm(np.diff(toe, 2, axis=0), axis=2).max() > 0.055
    corrected, notes = correct_jumps_and_swaps(toe, ("TOE",), 50.0)
    np.testing.assert_array_equal(corrected, toe)
    assert not notes
    toe[60:] += 0.1
    assert jumps_of(toe)[60].any()


@pytest.mark.parametrize("end", [52, 53, 54, 55, 56])
def test_such_a_toe_does_not_jump_beside_a_gap_either(end):
    """With a jerk of up to 11000 m/s^3: the line through two displacements is up to 90 mm from the next one."""
    t = np.arange(100) / 50.0
    toe = np.stack([4.0 * t, 0.045 * np.sin(20.0 * np.pi * t + 0.4), np.zeros(100)], axis=1)[:, None]
    toe[end - 6 : end] = np.nan
    corrected, notes = correct_jumps_and_swaps(toe, ("TOE",), 50.0)
    np.testing.assert_array_equal(corrected, toe)
    assert not notes
    toe[end + 1 :] += 0.15
    assert jumps_of(toe, *jump_limits(50.0))[end + 1].any()


def test_a_jump_within_two_frames_is_found(markers):
    wrong = markers.copy()
    wrong[50:60, 3] += 0.05
    wrong[[50, 59], 3] -= 0.025
    np.testing.assert_array_equal(off_trajectory(wrong)[51:59], frames_of_labels(51, 59, 3)[51:59])


@pytest.mark.parametrize("offset", [0.06, -0.06])
@pytest.mark.parametrize("stays", [True, False])
def test_after_a_gap_in_an_excursion_the_step_across_it_decides(markers, offset, stays):
    """The body moves on by 0.1 m in the gap, forwards, and the step across is judged with that taken off."""
    wrong = markers.copy()
    wrong[50:70, 3] += offset if stays else 0.0
    wrong[50:55, 3] = markers[50:55, 3] + offset
    wrong[55:60, 3] = np.nan
    expected = frames_of_labels(50, 70 if stays else 55, 3)
    expected[55:60] = False
    np.testing.assert_array_equal(off_trajectory(wrong), expected)
