"""Jumps and lines of made-up trajectories, by hand, and the frames in which they count."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.plausibility.angles import frames_of_cycles
from pipeline.plausibility.limits import OPEN
from pipeline.plausibility.marker_motion import FOOT_JUMP, JUMP, LINE, _jump, _line, marker_motion

HZ_100 = SimpleNamespace(rate=100.0)


def test_the_third_difference_of_a_spike_is_three_times_it():
    """20 mm in the frame that is the 51st: 1, -3, 3 and -1 times it."""
    track = np.outer(np.arange(100) / 100.0, [1.2, 0.0, 0.0])
    track[50] += [0.0, 0.012, -0.016]
    (found,) = _jump("LKNE", JUMP, track, OPEN)
    assert found.value == pytest.approx(60.0)
    assert "about frame 50 " in found.text
    np.testing.assert_allclose(found.error.shifts_G["LKNE"], [0.0, -0.018, 0.024], atol=1e-12)
    assert not list(_jump("LKNE", JUMP, np.full((100, 3), np.nan), OPEN))


@pytest.mark.parametrize("count", [21, 61])
def test_a_line_is_as_long_as_its_frames_between_neighbours_on_it(count):
    """Constant acceleration beside 2 m/s but for `count` points on a line from the 81st frame on, the longest of two;
    each inner one has both neighbours on it."""
    time = np.arange(200) / 100.0
    track = np.column_stack([2.0 * time, 1.2 * time**2, 0.9 * time**2])
    track[80 : 80 + count] = np.linspace(track[80], track[79 + count], count)
    track[150:152] = track[149] + np.outer([1.0, 2.0], track[149] - track[148])
    (found,) = _line("LANK", track, HZ_100, OPEN)
    assert found.value == pytest.approx(10.0 * (count - 2))
    assert f"frames 82 to {79 + count}" in found.text


@pytest.mark.parametrize(
    ("speed", "noise", "seconds"),
    [(0.31, 0.0, 0.98), (0.29, 0.0, 0.0), (1.0, 1.2e-5, 0.98), (1.0, 1.3e-5, 0.0)],
)
def test_a_line_is_one_on_which_a_marker_moves_without_any_noise(speed, noise, seconds):
    """0.3 m/s; points to both sides in turn, by a quarter of the second difference, 0.05 mm."""
    time = np.arange(100) / 100.0
    track = np.column_stack([speed * time, noise * (-1.0) ** np.arange(100), 0.0 * time])
    (found,) = _line("LANK", track, HZ_100, OPEN)
    assert found.value == pytest.approx(1000.0 * seconds)


@pytest.mark.parametrize("where", ["within", "filled", "beside", "missing"])
@pytest.mark.parametrize(("label", "residual"), [("LKNE", JUMP), ("LHEE", FOOT_JUMP), ("RTOE", FOOT_JUMP)])
def test_frames_count_that_are_in_a_cycle_and_not_filled(clean, plug_in_gait, where, label, residual):
    """A marker that is 50 mm off in one frame, of which only the frame changes."""
    walk, frames = clean.kinematics, np.flatnonzero(frames_of_cycles(clean.kinematics))
    frame = frames[0] - 20 if where == "beside" else frames[len(frames) // 2]
    recorded, column = clean.raw.markers_G.copy(), clean.raw.marker_names.index(label)
    recorded[frame, column] += [0.0, 0.05, 0.0]
    filled, filtered, k = walk.filled.copy(), walk.markers_G.copy(), walk.marker_names.index(label)
    filled[frame, k] = where == "filled"
    filtered[frame, k] = np.nan if where == "missing" else filtered[frame, k]
    walk = replace(walk, filled=filled, markers_G=filtered)
    found = marker_motion(walk, replace(clean.raw, markers_G=recorded), plug_in_gait, OPEN)
    own = {f.residual: f.value for f in found if f.subject == f"marker {label}"}
    assert set(own) == {residual, LINE}
    assert own[residual] == pytest.approx(150.0 if where == "within" else 0.0, abs=5.0)
