"""Swapped marker labels, planted in a motion of known coordinates with noise and soft-tissue artefact."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.inverse_kinematics import find_marker_swaps, fit_frames, model_marker_positions, reordered
from pipeline.inverse_kinematics.marker_swaps import _candidates, _swaps, _test

LEG = ("THI", "KNE", "TIB", "ANK", "HEE", "TOE")


@pytest.fixture(scope="module")
def markers(human, marks, walk):
    """Noise of 1 mm, and waves of 5 mm for the soft-tissue artefact."""
    rng = np.random.default_rng(5)
    t = np.arange(len(walk))[:, None, None] / 100.0
    clean = model_marker_positions(human, marks, walk)
    waves = 0.005 * np.sin(2 * np.pi * t + rng.uniform(0, 2 * np.pi, (1, *clean.shape[1:])))
    return clean + waves + rng.normal(scale=0.001, size=clean.shape)


@pytest.fixture(scope="module")
def find(human, marks, regularisation):
    """``find(markers)`` gives the order of labels and the swaps."""
    fitter = partial(fit_frames, human, marks, regularisation=regularisation)
    return lambda seen: find_marker_swaps(human, marks, seen, fitter(seen), fitter)


def swapped(markers, marks, pairs, frames):
    """A copy in which pairs of labels are swapped in some frames."""
    out = markers.copy()
    for a, b in pairs:
        columns = [marks.names.index(a), marks.names.index(b)]
        out[frames, columns[0]], out[frames, columns[1]] = markers[frames, columns[1]], markers[frames, columns[0]]
    return out


def test_right_labels_are_not_changed(find, markers, marks):
    order, found = find(markers)
    assert not found
    np.testing.assert_array_equal(order, np.tile(np.arange(len(marks.names)), (len(markers), 1)))


THROUGHOUT = pytest.param(slice(None), marks=pytest.mark.long)
PAIRS = [("LKNE", "LTIB"), ("LASI", "RASI"), ("LFHD", "LBHD"), ("LKNE", "RKNE")]


@pytest.mark.parametrize("frames", [slice(40, 55), slice(0, 12), THROUGHOUT])
@pytest.mark.parametrize("pair", PAIRS)
def test_a_swapped_pair_is_named_with_its_frames(find, markers, marks, pair, frames):
    """In the middle, at an end, and throughout, where no trajectory has a jump."""
    order, (found,) = find(swapped(markers, marks, [pair], frames))
    assert set(found.pairs) == {tuple(sorted(pair, key=marks.names.index))}
    expected = np.zeros(len(markers), dtype=bool)
    expected[frames] = True
    np.testing.assert_array_equal(found.frames, expected)
    assert found.rms_swapped < 0.5 * found.rms_labelled
    np.testing.assert_array_equal(reordered(swapped(markers, marks, [pair], frames), order), markers)


@pytest.mark.parametrize("frames", [slice(40, 55), THROUGHOUT])
@pytest.mark.parametrize("labels", [LEG, LEG[2:]])
def test_swapped_legs_are_found_as_a_whole(find, markers, marks, labels, frames):
    """Whole legs, and shanks with feet: every pair of both sides is among those named."""
    pairs = [("L" + name, "R" + name) for name in labels]
    wrong = swapped(markers, marks, pairs, frames)
    order, (found,) = find(wrong)
    assert set(found.pairs) == set(pairs)
    np.testing.assert_array_equal(reordered(wrong, order), markers)


@pytest.mark.long
def test_swaps_are_found_among_outliers_and_gaps(find, markers, marks):
    """Labels are swapped from a gap to the end; other markers jump by 10 cm or are missing in between."""
    wrong = swapped(markers, marks, [("LKNE", "LTIB")], slice(60, None))
    knee, wand, toe, heel = (marks.names.index(name) for name in ("LKNE", "LTIB", "LTOE", "RHEE"))
    wrong[52:60, [knee, wand]] = np.nan
    wrong[70:80, toe] += [0.06, 0.05, 0.06]
    wrong[80:95, heel] = np.nan
    order, (found,) = find(wrong)
    assert found.pairs == (("LKNE", "LTIB"),)
    seen = np.isfinite(wrong[:, knee]).all(axis=1)
    np.testing.assert_array_equal(found.frames[seen], (np.arange(len(markers)) >= 60)[seen])
    assert (order[:, [toe, heel]] == [toe, heel]).all()


def test_a_cyclic_swap_of_three_labels_is_corrected(find, markers, marks):
    columns = [marks.names.index(name) for name in ("RKNE", "RTIB", "RANK")]
    wrong = markers.copy()
    wrong[30:60, columns] = markers[30:60, columns[1:] + columns[:1]]
    order, found = find(wrong)
    np.testing.assert_array_equal(reordered(wrong, order), markers)
    assert {name for swap in found for pair in swap.pairs for name in pair} == {"RKNE", "RTIB", "RANK"}


def test_swaps_that_the_skeleton_can_follow_are_found_by_their_trajectories(find, markers, marks):
    """Both wrist markers: the swap is half a turn of the forearm, and only the jumps of the trajectories show it."""
    wrong = swapped(markers, marks, [("LWRA", "LWRB")], slice(40, 55))
    order, (found,) = find(wrong)
    assert found.pairs == (("LWRA", "LWRB"),)
    np.testing.assert_array_equal(reordered(wrong, order), markers)


def test_sides_are_exchanged_where_markers_are_20_mm_off_in_the_mean_of_those_that_are_seen(human, marks, walk):
    """19 mm in frames 0 and 2, 25 mm in frames 1 and 3; in the last two frames all but six markers are missing."""
    distance = np.repeat([[0.019], [0.025], [0.019], [0.025]], len(marks.names), axis=1)
    distance[2:, 6:] = np.nan
    fit = SimpleNamespace(q=walk[:4], distance=distance)
    found = _candidates(human, marks, model_marker_positions(human, marks, walk[:4]), fit)
    frames = [some.tolist() for pairs, some in found if len(pairs) > 1]
    assert len(frames) > 3
    assert frames == [[1, 3]] * len(frames)


@pytest.mark.parametrize(("after", "halved"), [(0.045, False), (0.030, True)])
def test_labels_are_swapped_where_that_halves_the_cost_of_their_markers(after, halved):
    """Both are 60 mm off. At 45 mm the cost, in squares of Huber's 30 mm, falls from 3 to 2, at 30 mm from 3 to 1.

    A third marker that stays where it is does not count; every third of 250 frames is tried for all.
    """
    rng = np.random.default_rng(2)
    markers = rng.normal(size=(1, 3, 3)) + 1e-4 * np.arange(250)[:, None, None]
    fit = SimpleNamespace(distance=np.tile([0.06, 0.2, 0.06], (250, 1)), q=np.zeros((250, 1)))
    asked = []

    def fitter(some):
        asked.append(some)
        return SimpleNamespace(distance=np.tile([after, 0.2, after], (len(some), 1)))

    found = _test(markers, fit, fitter, ((0, 2),), np.array([7]))
    np.testing.assert_array_equal(asked[0], markers[::3, [2, 1, 0]])
    assert (found is not None) == halved
    if found:
        assert found[0] == pytest.approx(250.0 * 2.0 * 0.03**2)
        np.testing.assert_array_equal(found[1], np.arange(250))


def fit_of(human, marks, walk, planted):
    """Exact markers of a motion with pairs of labels swapped in some frames, and the motion as their fit."""
    clean = model_marker_positions(human, marks, walk)
    markers = clean
    for pair, frames in planted.items():
        markers = swapped(markers, marks, [pair], frames)
    return markers, SimpleNamespace(q=walk, distance=np.linalg.norm(markers - clean, axis=2))


def single_pairs(human, marks, markers, fit):
    found = [(pairs, frames.tolist()) for pairs, frames in _candidates(human, marks, markers, fit) if len(pairs) == 1]
    return [(tuple(marks.names[k] for k in pair), frames) for (pair,), frames in found]


def test_pairs_are_tried_in_the_frames_in_which_they_would_fit_better_the_largest_gain_first(human, marks, walk):
    """Swapped labels that an exact fit explains; a frame in which one of them is missing says nothing about it."""
    planted = {("LTIB", "LANK"): [1, 2], ("RTHI", "RKNE"): [2, 3, 4, 5]}
    markers, fit = fit_of(human, marks, walk[:8], planted)
    markers[5, marks.names.index("RKNE")] = np.nan
    fit.distance[5, marks.names.index("RKNE")] = np.nan
    found = single_pairs(human, marks, markers, fit)
    assert found[:2] == [(("RTHI", "RKNE"), [2, 3, 4]), (("LTIB", "LANK"), [1, 2])]


def test_at_most_six_pairs_are_tried_and_none_without_a_marker_20_mm_off(human, marks, walk):
    pairs = [("L" + one, "L" + other) for one, other in (("THI", "KNE"), ("TIB", "ANK"), ("FHD", "BHD"))]
    pairs += [("R" + one[1:], "R" + other[1:]) for one, other in pairs] + [("LELB", "RELB")]
    markers, fit = fit_of(human, marks, walk[:3], {pair: [1] for pair in pairs})
    found = single_pairs(human, marks, markers, fit)
    assert len(found) == 6
    assert {pair for pair, _ in found} <= {tuple(sorted(pair, key=marks.names.index)) for pair in pairs}
    fit.distance[:] = np.minimum(fit.distance, 0.0199)
    assert not list(_candidates(human, marks, markers, fit))


def test_labels_are_swapped_in_the_stretch_in_which_that_improves_the_fit():
    """Both are 60 mm off; swapped, 10 mm in the first 100 frames, and 50 or 70 mm after a gap of one frame."""
    markers = np.random.default_rng(2).normal(size=(1, 3, 3)) + 1e-4 * np.arange(200)[:, None, None]
    first = markers[0, 0, 0]
    markers[100] = np.nan
    for later in (0.05, 0.07):
        fit = SimpleNamespace(distance=np.tile([0.06, 0.2, 0.06], (200, 1)), q=np.zeros((200, 1)))
        fit.distance[100], fit.q[100] = np.nan, np.nan

        def fitter(some, later=later):
            frames = np.round((some[:, 2, 0] - first) / 1e-4)
            after = np.where(frames < 100, 0.01, later)
            return SimpleNamespace(distance=np.column_stack([after, np.full(len(some), 0.2), after]))

        _, frames = _test(markers, fit, fitter, ((0, 2),), np.array([7, 150]))
        np.testing.assert_array_equal(frames, np.arange(101))


def test_swaps_are_told_by_their_frames_with_the_distances_before_and_after():
    """A pair in frames 1 and 2, and a cycle of three others in frame 3: distances are those of their markers."""
    order = np.tile(np.arange(6), (5, 1))
    order[1:3, [0, 2]] = [2, 0]
    order[3, [1, 3, 4]] = [3, 4, 1]
    before, after = (
        SimpleNamespace(distance=rng.uniform(0.01, 0.1, (5, 6))) for rng in map(np.random.default_rng, (1, 2))
    )
    before.distance[2, 0] = np.nan
    pair, cycle = _swaps(tuple("abcdef"), order, before, after)
    assert pair.pairs == (("a", "c"),)
    assert set(cycle.pairs) == {("b", "d"), ("d", "e"), ("e", "b")}
    for found, frames, columns in ((pair, [1, 2], [0, 2]), (cycle, [3], [1, 3, 4])):
        assert np.flatnonzero(found.frames).tolist() == frames
        rms = [np.sqrt(np.nanmean(fit.distance[frames][:, columns] ** 2)) for fit in (before, after)]
        assert (found.rms_labelled, found.rms_swapped) == pytest.approx(tuple(rms))
