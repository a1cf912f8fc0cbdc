"""A norm of a laboratory's own walks: means and standard deviations over subjects of known curves."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.analysis import CYCLE_VARIABLES, norm_from
from pipeline.analysis.norm_fit import fit_norm
from pipeline.analysis.own_norm import HealthyWalk, norm_rows
from pipeline.errors import SignalError

PERCENT = np.linspace(0.0, 100.0, 101)
WAVE = 20.0 * np.sin(2.0 * np.pi * PERCENT / 100.0)


def walks(offsets: list[float], speeds: list[float], repeats: int = 1) -> list[HealthyWalk]:
    """Knee flexion of each subject with an offset, rising by 10 degrees for a unit of speed."""
    return [
        HealthyWalk(f"s{number}", speed, {"knee_flexion": WAVE + offset + 10.0 * speed})
        for number, offset in enumerate(offsets)
        for speed in speeds
        for _ in range(1 + number * (repeats - 1))
    ]


def band(sample: list[HealthyWalk], speed: float):
    rows, speeds = norm_rows(sample, PERCENT)
    header = {"name": "own", "source": "here", "sample": "five", "free": min(speeds.values()), "speeds": speeds}
    return norm_from(fit_norm(rows, header), "own").band("knee_flexion", speed, PERCENT), speeds


def test_the_mean_and_spread_are_those_of_the_subjects_however_often_each_walked() -> None:
    """Offsets -2 to 2: mean 0, standard deviation sqrt(10 / 4); the spline follows the wave within 0.01 degrees."""
    offsets = [-2.0, -1.0, 0.0, 1.0, 2.0]
    for repeats in (1, 4):
        found, speeds = band(walks(offsets, [0.4], repeats), 0.4)
        assert list(speeds.values()) == pytest.approx([0.4])
        np.testing.assert_allclose(found.mean, WAVE + 4.0, atol=0.01)
        np.testing.assert_allclose(found.sd, np.sqrt(2.5), atol=0.01)


def test_the_error_of_a_norm_is_the_root_mean_square_of_spline_less_table() -> None:
    """Of a wave faster than the knots of angles, at two speeds."""
    fast = np.sin(2.0 * np.pi * PERCENT / 9.0)
    sample = [HealthyWalk(f"s{n}", speed, {"knee_flexion": speed * fast}) for n in range(5) for speed in (0.3, 0.6)]
    rows, speeds = norm_rows(sample, PERCENT)
    header = {"name": "own", "source": "here", "sample": "five", "free": 0.3, "speeds": speeds}
    stored = fit_norm(rows, header)
    norm = norm_from(stored, "own")
    misses = [norm.band("knee_flexion", speed, PERCENT).mean - speed * fast for speed in (0.3, 0.6)]
    error = np.sqrt(np.mean(np.square(misses)))
    assert error > 0.05
    assert stored["variables"]["knee_flexion"]["fit_error"] == pytest.approx(error, rel=0.05)  # two digits


def test_speeds_that_all_walked_are_groups_of_their_own() -> None:
    found, speeds = band(walks([-1.0, 0.0, 1.0, 0.0, 0.0], [0.3, 0.4, 0.5]), 0.45)
    assert sorted(speeds.values()) == pytest.approx([0.3, 0.4, 0.5])
    np.testing.assert_allclose(found.mean, WAVE + 4.5, atol=0.01)


def test_two_speeds_are_two_groups_if_there_are_five_subjects_in_each() -> None:
    """The sixth speed of one subject who walks often is none of five."""
    _, speeds = norm_rows(walks([0.0] * 5, [0.3, 0.5]), PERCENT)
    assert list(speeds.values()) == pytest.approx([0.3, 0.5])
    often = [*walks([0.0] * 5, [0.3]), *walks([0.0], [0.5] * 5)]
    rows, speeds = norm_rows(often, PERCENT)
    # One group, in which that subject counts once, with the mean of a walk at 0.3 and five at 0.5.
    assert list(speeds.values()) == pytest.approx([(4 * 0.3 + (0.3 + 5 * 0.5) / 6) / 5])
    assert {row[0] for row in rows} == {"knee_flexion"}


def test_groups_whose_speeds_are_nearer_than_a_twentieth_are_made_fewer() -> None:
    """0.30 and 0.32 are 0.02 apart, although 0.50 is far from both."""
    _, speeds = norm_rows(walks([0.0] * 5, [0.3, 0.32, 0.5]), PERCENT)
    assert len(speeds) == 2


def test_a_curve_that_too_few_have_at_one_speed_is_left_out() -> None:
    sample = walks([0.0] * 5, [0.3, 0.5])
    known = [
        HealthyWalk(walk.subject, walk.speed, walk.curves | {"hip_flexion": WAVE})
        if walk.speed == 0.3 or walk.subject == "s0"
        else walk
        for walk in sample
    ]
    rows, speeds = norm_rows(known, PERCENT)
    assert len(speeds) == 2
    assert {row[0] for row in rows} == {"knee_flexion"}


def test_a_curve_that_too_few_have_is_left_out_and_too_few_subjects_are_refused() -> None:
    sample = walks([0.0] * 5, [0.4])
    sample[0].curves["hip_flexion"] = WAVE  # type: ignore[index]
    rows, _ = norm_rows(sample, PERCENT)
    assert {row[0] for row in rows} == {"knee_flexion"}
    with pytest.raises(SignalError, match="walks of 4 healthy subjects"):
        norm_rows(walks([0.0] * 4, [0.4]), PERCENT)


def test_every_curve_of_a_walk_can_be_in_a_norm_whatever_its_unit() -> None:
    sample = [HealthyWalk(f"s{n}", 0.4, dict.fromkeys(CYCLE_VARIABLES, 0.1 * WAVE + n)) for n in range(5)]
    rows, speeds = norm_rows(sample, PERCENT)
    header = {"name": "own", "source": "here", "sample": "five", "free": 0.4, "speeds": speeds}
    own = norm_from(fit_norm(rows, header), "own")
    for name in CYCLE_VARIABLES:
        found = own.band(name, 0.4, PERCENT)
        np.testing.assert_allclose(found.mean, 0.1 * WAVE + 2.0, atol=0.01)
        np.testing.assert_allclose(found.sd, np.sqrt(2.5), atol=0.01)


def test_a_curve_that_a_subjects_first_walk_lacks_comes_from_the_others() -> None:
    """A walk without a clean step on a plate has no moments; the same subject's next walk may have."""
    sample = walks([0.0] * 5, [0.4], repeats=1)
    later = [HealthyWalk(walk.subject, walk.speed, {"hip_power": WAVE, **walk.curves}) for walk in sample]
    rows, _ = norm_rows([*sample, *later], PERCENT)
    assert {row[0] for row in rows} == {"knee_flexion", "hip_power"}
