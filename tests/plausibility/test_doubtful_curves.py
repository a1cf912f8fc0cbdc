"""Curves that the walk itself shows to be off by more than a clinician decides on: shown, but in no average."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.analysis import CYCLE_VARIABLES, gait_cycles, summarise
from pipeline.conventions import SIDES
from pipeline.errors import SignalError
from pipeline.plausibility import doubtful_curves, load_limits, without_doubtful


def of_both(clean, turned, name: str, side: str) -> np.ndarray:
    """Largest difference of a curve of the side's cycles between two walks, in reported units."""
    pairs = zip(gait_cycles(clean.kinematics, clean.loads).cycles, turned.cycles, strict=True)
    variable = CYCLE_VARIABLES[name]
    apart = [variable.of(one) - variable.of(other) for one, other in pairs if one.cycle.side == side]
    return np.nanmax(np.abs(apart)) if np.isfinite(apart).any() else np.nan


@pytest.fixture(scope="module")
def turned(clean, analyse, plug_in_gait):
    """The demo's walk with the axes of the left thigh turned by 20 degrees: cycles, and curves that are found off."""
    key = str(plug_in_gait.knee_axis_offset("left"))
    value = clean.kinematics.calibration.values[key] + np.radians(20.0)
    walk = analyse(clean.raw, clean.static, sex="f", values={key: value})
    doubtful = doubtful_curves(walk.kinematics, walk.loads, plug_in_gait, load_limits())
    return gait_cycles(walk.kinematics, walk.loads), doubtful


def test_curves_are_set_aside_that_a_turned_thigh_takes_beyond_the_limits(clean, turned):
    """Each against its error, known from the walk before; within a degree of the limit either is right."""
    cycles, doubtful = turned
    assert {side for side, _ in doubtful} == {"left"}
    assert {"hip_rotation", "knee_rotation", "knee_adduction"} <= {name for _, name in doubtful}
    for side in SIDES:
        for name, variable in CYCLE_VARIABLES.items():
            if variable.cycle is None or variable.cycle.field != "angles":
                continue
            error = of_both(clean, cycles, name, side)
            if error > 6.5:
                assert (side, name) in doubtful, (name, error)
            if error < 3.5:
                assert (side, name) not in doubtful, (name, error)


def test_a_doubtful_curve_is_shown_but_in_no_average_unless_the_study_keeps_it(turned):
    cycles, doubtful = turned
    found = without_doubtful(cycles, doubtful)
    kept = without_doubtful(cycles, doubtful, [("left", "hip_rotation")])
    averages = [summarise(one, 0.9, None).mean for one in (cycles, found, kept)]
    means = [[of_side[side]["hip_rotation"] for side in ("left", "right")] for of_side in averages]
    assert [bool(np.isfinite(mean[0]).all()) for mean in means] == [True, False, True]
    np.testing.assert_array_equal(means[1][1], means[0][1], "the right side's")
    shown = next(c for c in found.cycles if c.cycle.side == "left")
    assert np.isfinite(CYCLE_VARIABLES["hip_rotation"].of(shown)).all()
    (note,) = [note for note in found.notes if note.subject == "curves"]
    assert "left hip rotation by" in note.text
    assert "kept_curves in trials.tsv" in note.text


def test_a_clean_walk_has_none_and_a_kept_curve_that_is_not_off_is_an_error(clean, plug_in_gait):
    doubtful = doubtful_curves(clean.kinematics, clean.loads, plug_in_gait, load_limits())
    assert not doubtful
    cycles = gait_cycles(clean.kinematics, clean.loads)
    with pytest.raises(SignalError, match=r"column 'kept_curves': 'left hip_rot' is not set aside; .* none"):
        without_doubtful(cycles, doubtful, [("left", "hip_rot")])
