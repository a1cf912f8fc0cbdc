"""The baseline of a force plate is removed where its unloaded samples are identified, and kept otherwise.

The plate is 0.4 by 0.6 m around the origin, its x along the laboratory's x; a foot has markers at heel, ankle and toe.
"""

import numpy as np
import pytest

from pipeline.acquisition.baseline import remove_baseline
from pipeline.acquisition.plate_occupancy import occupancy

RATE = 1000.0
NO_ZERO = np.zeros(0)


def record(upward: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    force = np.column_stack([np.full(len(upward), 3.0), np.zeros(len(upward)), -upward])
    return force + rng.normal(0.0, 0.5, force.shape), rng.normal(0.0, 0.1, force.shape)


def corrected(loads, feet=None):
    """Force (Ta, 3) before and after the correction, and its notes; ``feet``: markers (T, K, 3) if there are any."""
    markers = None if feet is None else occupancy(CORNERS, feet)
    cleaned, _, notes = remove_baseline(*loads, RATE, NO_ZERO, "plate 1", markers)
    return loads[0], cleaned, notes


def step(offset: float, load: float = 800.0) -> np.ndarray:
    """2 s with a contact of 0.6 s."""
    upward = np.full(2000, offset)
    upward[700:1300] += load * np.sin(np.linspace(0.0, np.pi, 600)) ** 0.3
    return upward


@pytest.mark.parametrize("offset", [-212.0, -20.0, 0.0, 46.0])
def test_an_offset_beneath_a_step_is_removed(offset):
    _, cleaned, notes = corrected(record(step(offset)))
    # 0.5 N of noise averaged over more than a thousand samples.
    np.testing.assert_allclose(cleaned[:700].mean(axis=0), 0.0, atol=0.1)
    assert [note.kind for note in notes] == ["estimated"]


@pytest.mark.parametrize("offset", [-30.0, 25.0])
def test_seven_hundredths_of_a_recording_show_the_offset_beneath_a_subject_who_stands(offset):
    """0.7 s of 10 s before the subject steps on the plate."""
    _, cleaned, _ = corrected(record(offset + np.where(np.arange(10_000) < 700, 0.0, 600.0)))
    np.testing.assert_allclose(cleaned[:700].mean(axis=0), 0.0, atol=0.1)


def test_unloaded_readings_before_and_after_a_step_may_differ_by_a_hundredth_of_its_load():
    """A plate that reads 6 N more after a step of 800 N has no drift to speak of: its baseline is between the two."""
    _, cleaned, _ = corrected(record(step(0.0) + np.where(np.arange(2000) < 1000, 0.0, 6.0)))
    assert -cleaned[:700, 2].mean() == pytest.approx(-3.0, abs=0.3)
    assert -cleaned[1300:, 2].mean() == pytest.approx(3.0, abs=0.3)


def test_what_remains_after_a_light_step_is_no_baseline():
    """8 N of a toe that stays behind a step of 300 N: the plate was empty before it, where it reads 0 N."""
    _, cleaned, _ = corrected(record(step(0.0, load=300.0) + np.where(np.arange(2000) < 1000, 0.0, 8.0)))
    assert -cleaned[:700, 2].mean() == pytest.approx(0.0, abs=0.1)
    assert -cleaned[1300:, 2].mean() == pytest.approx(8.0, abs=0.1)


@pytest.mark.parametrize(("empty", "found"), [(350, True), (150, False)])
def test_a_thirtieth_of_a_recording_shows_the_offset_and_a_sixtieth_does_not(empty, found):
    """10 s: somebody pulls at the plate, ever less, then it is empty, and 0.6 s after the begin it is loaded."""
    upward = np.full(10_000, 600.0)
    pulled = 600 - empty
    upward[:pulled] = np.linspace(-300.0, -60.0, pulled)
    upward[pulled:600] = 12.0
    _, cleaned, _ = corrected(record(upward))
    assert -cleaned[pulled:600, 2].mean() == pytest.approx(0.0 if found else 12.0, abs=0.1)


def test_the_unloaded_reading_must_last_for_a_tenth_of_a_second():
    """1 s: somebody pulls at the plate for 50 ms, it is empty for 60 ms, and is loaded."""
    upward = np.full(1000, 600.0)
    upward[:50], upward[50:110] = -100.0, 12.0
    force, kept, notes = corrected(record(upward))
    np.testing.assert_array_equal(kept, force)
    assert "no unloaded samples found" in notes[0].text


def test_a_small_constant_reading_is_an_offset_and_a_large_one_may_be_a_subject():
    _, cleaned, _ = corrected(record(np.full(2000, 23.0)))
    assert abs(cleaned[:, 2].mean()) < 0.1
    force, moment = record(np.full(2000, 300.0))
    kept, _, notes = remove_baseline(force, moment, RATE, np.array([1.0, 16.0]), "plate 1")
    np.testing.assert_array_equal(kept, force)
    assert "loaded with about 300 N throughout" in notes[0].text


def test_a_subject_who_shifts_weight_is_not_taken_for_an_offset():
    force, kept, notes = corrected(record(350.0 + 150.0 * np.sin(np.linspace(0.0, 9.0, 2000))))
    np.testing.assert_array_equal(kept, force)
    assert "nothing subtracted" in notes[0].text


@pytest.mark.parametrize(("count", "load"), [(10, 430.0), (90, 430.0), (90, 20.0)])
def test_a_few_samples_are_left_as_they_are(count, load):
    force, kept, notes = corrected(record(np.full(count, load)))
    np.testing.assert_array_equal(kept, force)
    assert "too short to show" in notes[0].text


CORNERS = np.array([[0.2, -0.3, 0.0], [-0.2, -0.3, 0.0], [-0.2, 0.3, 0.0], [0.2, 0.3, 0.0]])  # z down, x to corner 1
FOOT = np.array([[-0.2, 0.0, 0.03], [-0.15, 0.0, 0.09], [-0.02, 0.0, 0.04]])


def foot(place, frames=200) -> np.ndarray:
    """Markers (T, 3, 3) m of a foot whose toe marker is at x, y of ``place`` (2,) or (T, 2)."""
    place = np.broadcast_to(place, (frames, 2))
    return FOOT - [-0.02, 0.0, 0.0] + np.concatenate([place, np.zeros((frames, 1))], axis=1)[:, None]


def pressing(load: np.ndarray, point) -> tuple[np.ndarray, np.ndarray]:
    """Force and moment (Ta, 3) in plate axes, z down and y against the laboratory's, of a load at x, y of the plate."""
    force = np.column_stack([0.0 * load, 0.0 * load, -load]) + np.random.default_rng(4).normal(0.0, 0.3, (len(load), 3))
    x, y = point[0], -point[1]
    return force, np.cross([x, y, 0.0], force)


@pytest.mark.parametrize("load", [30.0, 60.0, 95.0])
def test_a_steady_light_load_under_a_toe_is_kept_and_named(load):
    """A subject stands beside the plate with the toe on it: the load acts under the foot, throughout."""
    force, kept, notes = corrected(pressing(np.full(2000, load), (0.17, 0.27)), foot([0.17, 0.27]))
    np.testing.assert_array_equal(kept, force)
    assert [note.kind for note in notes] == ["warning"]
    assert f"reads {load:.0f} N upward" in notes[0].text


@pytest.mark.parametrize("load", [49.0, 98.0, 147.0])
def test_a_child_who_stands_on_the_plate_is_no_reason_to_zero_it(load):
    """10, 20 and 30 kg with a foot on each plate: the load acts between heel and toe; across an edge, a warning."""
    force, kept, notes = corrected(pressing(np.full(2000, load), (0.0, 0.1)), foot([0.1, 0.1]))
    np.testing.assert_array_equal(kept, force)
    assert [(note.kind, note.text[:6]) for note in notes] == [("info", "loaded")]
    _, _, notes = corrected(pressing(np.full(2000, 49.0), (-0.15, 0.1)), foot([0.1, 0.1]) - [0.15, 0.0, 0.0])
    assert [note.kind for note in notes] == ["warning"]


@pytest.mark.parametrize("point", [(0.17, 0.0), (-0.17, 0.0), (0.0, 0.27), (0.0, -0.27)])
def test_a_load_acts_under_the_marker_on_its_own_side_of_the_plate_only(point):
    force, moment = (values.mean(axis=0) for values in pressing(np.full(2000, 60.0), point))
    sides = [occupancy(CORNERS, np.array([[[sign * point[0], sign * point[1], 0.03]]])) for sign in (1.0, -1.0)]
    assert [side.is_under_foot(force, moment) for side in sides] == [True, False]


def test_a_steady_reading_is_an_offset_where_the_foot_is_elsewhere_on_the_plate():
    """Light load at a corner 0.4 m from the foot that stands on the plate: no foot presses there."""
    _, cleaned, notes = corrected(pressing(np.full(2000, 40.0), (0.15, -0.28)), foot([-0.1, 0.25]))
    assert abs(cleaned[:, 2].mean()) < 0.1
    assert [note.kind for note in notes] == ["estimated"]


HUM = 20.0 * np.sin(2.0 * np.pi * 60.0 * np.arange(2000) / RATE)
AWAY = {
    "small": (np.full(2000, 50.0), 0.0),
    "larger than where somebody may stand": (np.full(2000, 150.0), 0.0),
    "20 N of hum": (150.0 + HUM, 0.0),
    "8 N of drift": (150.0 + np.linspace(0.0, 8.0, 2000), 0.0),
    "15 N of drift, as of somebody else": (150.0 + np.linspace(0.0, 15.0, 2000), 157.5),
}
"""Readings while the subject is away, and what of them remains in the mean."""


@pytest.mark.parametrize("reading", AWAY)
def test_a_steady_reading_while_the_subject_is_away_is_an_offset_of_any_size(reading):
    load, left = AWAY[reading]
    _, cleaned, _ = corrected(pressing(load, (0.0, 0.0)), foot([2.0, 0.0]))
    assert -cleaned[:, 2].mean() == pytest.approx(left, abs=0.1)


def test_a_toe_that_stays_in_half_of_the_recording_is_not_averaged_into_the_offset():
    """50 N of a toe for a second, then the foot leaves: the plate reads 0 N while it is away."""
    away = np.arange(200)[:, None] >= 100
    toe = pressing(np.where(np.arange(2000) < 1000, 50.0, 0.0), (0.0, 0.1))
    _, kept, _ = corrected(toe, foot(np.where(away, [3.0, 0.0], [0.0, 0.1])))
    assert -kept[:900, 2].mean() == pytest.approx(50.0, abs=0.2)
    assert -kept[1100:, 2].mean() == pytest.approx(0.0, abs=0.1)


def test_a_toe_before_full_weight_is_not_an_offset():
    """60 N, then 700 N of the same foot: the lowest level is a contact too, though the load rises well above it."""
    load = np.where(np.arange(2000) < 1000, 60.0, 700.0)
    force, kept, notes = corrected(pressing(load, (0.0, 0.1)), foot([0.0, 0.1]))
    np.testing.assert_array_equal(kept, force)
    assert notes[0].kind == "warning"


@pytest.mark.parametrize(("load", "kind"), [(40.0, "warning"), (300.0, "info")])
def test_a_foot_that_is_away_for_a_twentieth_of_a_second_tells_nothing_of_the_offset(load, kind):
    """Nor do its five frames, of which markers are given, lead to a level of their own."""
    away = np.abs(np.arange(200) - 100)[:, None] < 3
    force, moment = pressing(np.full(2000, load), (0.0, 0.1))
    markers = occupancy(CORNERS, foot(np.where(away, [3.0, 0.0], [0.0, 0.1])))
    assert 0 < markers.clear(2000).sum() < 100
    kept, _, notes = remove_baseline(force, moment, RATE, NO_ZERO, "plate 1", markers)
    np.testing.assert_array_equal(kept, force)
    assert [note.kind for note in notes] == [kind]


def test_frames_in_which_the_feet_are_not_seen_show_nothing():
    """Of four markers only the knee is seen while the plate reads 300 N: the foot is there, hidden."""
    markers = np.concatenate([foot([0.0, 0.1]), np.full((200, 1, 3), [0.0, 0.1, 0.5])], axis=1)
    markers[:60, :3] = np.nan
    force, kept, _ = corrected(pressing(np.full(2000, 300.0), (0.0, 0.1)), markers)
    np.testing.assert_array_equal(kept, force)


def test_markers_are_seen_from_a_plate_anywhere_and_turned():
    """A plate of 0.4 by 0.6 m around (2, 1, 0.1) m, its x along the laboratory's y; its y is along x then, its z down.

    By hand: the point 0.3 m ahead of the centre in x, 0.1 m in y and 0.05 m above it is at (0.1, 0.3, -0.05) m.
    """
    corners = np.array([[2.3, 1.2, 0.1], [2.3, 0.8, 0.1], [1.7, 0.8, 0.1], [1.7, 1.2, 0.1]])
    seen = occupancy(corners, np.array([[[2.3, 1.1, 0.15], [np.nan] * 3]]))
    np.testing.assert_allclose(seen.positions_P, [[[0.1, 0.3, -0.05], [np.nan] * 3]], atol=1e-15)
    np.testing.assert_allclose(seen.half_sides, [0.2, 0.3], atol=1e-15)


@pytest.mark.parametrize("rate", [1000.0, 2000.0])
@pytest.mark.parametrize("offset", [-30.0, 0.0, 50.0])
def test_mains_hum_does_not_shift_the_baseline(offset, rate):
    """20 N of 60 Hz, which 50 ms average out: the baseline is the middle of the hum, not its troughs."""
    hum = 20.0 * np.sin(2.0 * np.pi * 60.0 * np.arange(int(2.0 * rate)) / rate)
    upward = np.repeat(step(offset), round(rate / 1000.0)) + hum
    force = np.column_stack([0.0 * hum, 0.0 * hum, -upward])
    cleaned, _, _ = remove_baseline(force, 0.0 * force, rate, NO_ZERO, "plate 1")
    assert cleaned[: int(0.6 * rate), 2].mean() == pytest.approx(0.0, abs=0.3)


@pytest.mark.parametrize("pulled", [-15.0, -40.0])
def test_the_reading_while_the_subject_is_away_is_taken_even_if_another_one_is_lower(pulled):
    """The plate reads less beside a step, as if pulled, than the 15 N that it reads while the subject is away."""
    load = np.where(np.arange(2000) < 1000, pulled, 15.0)
    load[300:900] += 800.0
    away = np.arange(200)[:, None] >= 100
    _, cleaned, _ = corrected(pressing(load, (0.0, 0.1)), foot(np.where(away, [3.0, 0.0], [0.0, 0.1])))
    assert -cleaned[1100:, 2].mean() == pytest.approx(0.0, abs=0.1)
