"""Runs of frames, in words and in pieces."""

import numpy as np
import pytest

from pipeline.signals.runs import blocks, frame_ranges, runs_of


def test_runs_are_named_by_frames_from_one_and_a_single_frame_alone():
    mask = np.zeros(12, dtype=bool)
    mask[[0, 1, 5, 8, 9, 10]] = True
    assert frame_ranges(runs_of(mask)) == "1-2, 6, 9-11"


@pytest.mark.parametrize(("frames", "size"), [(7, 3), (6, 3), (2, 5), (1, 1)])
def test_blocks_cover_every_frame_once_in_order(frames, size):
    pieces = [np.arange(frames)[block] for block in blocks(frames, size)]
    assert max(map(len, pieces)) <= size
    np.testing.assert_array_equal(np.concatenate(pieces), np.arange(frames))
