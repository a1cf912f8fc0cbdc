"""Matrix-form results do not depend on how the laboratory, the file or the plates are arranged.

In double precision, results differ by 1e-9 of their range at most: rounding of positions (1e-16 m of 10 m), which the
second derivative multiplies by the square of the frame rate. Through C3D files they differ by 1e-4: single precision
resolves 1e-7 of a position, and the low-pass filter keeps most of that noise from the accelerations.
"""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.analysis import gait_cycles, pooled, summarise
from pipeline.anatomy import with_set_labels
from pipeline.conventions import SIDES
from pipeline.math3d import rotation_about
from tests.conftest import ROOT
from tests.invariance.comparison import cycle_results, frame_results, swapped, worst
from tests.invariance.transformed import (
    UP,
    axis_permutations,
    laboratory,
    mirrored,
    recorded_in,
    reordered,
    turned_about_the_vertical,
    with_turned_plates,
    write,
)

DOUBLE, SINGLE = 1e-9, 1e-4

WALKS = {
    "demo": (ROOT / "data/demo/walk.c3d", ROOT / "data/demo/static.c3d"),
    "HC032A": ("zoo_HC032A/HC032A03.c3d", "zoo_HC032A/HC032A01.c3d"),
    "nantes": ("nantes/PiG_Motion3_FF.c3d", "nantes/PiG_Calibration3_FF.c3d"),
}
EACH = [pytest.param(name, marks=[pytest.mark.long] if name != "demo" else []) for name in WALKS]

LABORATORIES = {
    "quarter turn": turned_about_the_vertical(90.0),
    "shift": laboratory(np.eye(3), (3.0, 0.05, -7.0)),
}


@pytest.fixture(scope="module", params=EACH)
def walk(request, analyse):
    """Recordings, and the results that all others are compared with."""
    if request.param != "demo":
        request.getfixturevalue("trials")
    raw, static = (read_trial(ROOT.parent / "shared/trials" / path) for path in WALKS[request.param])
    found = analyse(raw, static, sex="f")
    return SimpleNamespace(
        raw=raw, static=static, found=found, frames=frame_results(found), cycles=cycle_results(found)
    )


@pytest.fixture
def again(walk, analyse):
    """The results of the walk and its static trial after a transformation of both."""
    return lambda change: analyse(change(walk.raw), change(walk.static), sex="f")


@pytest.fixture
def through_files(walk, analyse, tmp_path):
    """The same after both were written as C3D files of a laboratory."""

    def run(change, lab, **options):
        for trial in (walk.raw, walk.static):
            write(tmp_path / f"{trial.name}.c3d", change(trial), lab, **options)
        return analyse(*(read_trial(tmp_path / f"{trial.name}.c3d") for trial in (walk.raw, walk.static)), sex="f")

    return run


def assert_same(found, walk, limit):
    for results, expected in ((frame_results(found), walk.frames), (cycle_results(found), walk.cycles)):
        difference, what = worst(results, expected)
        assert difference < limit, what


@pytest.mark.parametrize("lab", LABORATORIES)
def test_the_laboratory_s_axes_and_origin_do_not_matter(walk, again, lab):
    assert_same(again(lambda trial: recorded_in(trial, LABORATORIES[lab])), walk, DOUBLE)


@pytest.mark.parametrize(
    "R_LG", [pytest.param(R, marks=[] if k in (5, 16) else pytest.mark.long) for k, R in enumerate(axis_permutations())]
)
def test_permuted_axes_with_their_screen_parameters_do_not_matter(walk, again, R_LG):
    assert_same(again(lambda trial: recorded_in(trial, laboratory(R_LG))), walk, DOUBLE)


@pytest.mark.parametrize("degrees", [37.0, pytest.param(-128.0, marks=pytest.mark.long)])
def test_a_walkway_oblique_to_the_axes_turns_what_refers_to_the_progression_and_nothing_else(walk, again, degrees):
    """No axis is near there, so that the progression is the direction of travel, some degrees from the walkway's axis.

    The pelvis is turned about the vertical by exactly the angle between the two; joint results are the same.
    """
    lab = turned_about_the_vertical(degrees)
    found = again(lambda trial: recorded_in(trial, lab))
    difference, what = worst(frame_results(found), walk.frames)
    assert difference < DOUBLE, what
    before, after = (each.kinematics.joints["left_hip"].R_GP for each in (walk.found, found))
    turn = (recorded_in(walk.raw, lab).R_GL @ lab.R_LG)[0]
    between = np.arctan2(-turn[2], turn[0])
    assert 0.0 < abs(np.degrees(between)) < 10.0
    np.testing.assert_allclose(after, rotation_about(UP, -between) @ before, atol=DOUBLE)


def test_the_order_of_markers_plates_and_events_does_not_matter(walk, again, rng):
    assert_same(again(lambda trial: reordered(trial, rng)), walk, DOUBLE)


@pytest.mark.parametrize("quarters", [1, pytest.param(2, marks=pytest.mark.long)])
def test_plates_turned_with_their_channels_do_not_matter(walk, again, quarters):
    assert_same(again(lambda trial: with_turned_plates(trial, quarters)), walk, DOUBLE)


def test_labels_written_otherwise_do_not_matter(walk, again, plug_in_gait):
    """Small letters behind a subject's name, as `with_set_labels` reads them at ingest."""

    def renamed(trial):
        names = tuple(f"Matt_{name.lower()}" for name in trial.marker_names)
        return with_set_labels(replace(trial, marker_names=names), plug_in_gait)

    assert_same(again(renamed), walk, DOUBLE)


def test_a_mirrored_walk_swaps_the_sides_and_keeps_the_clinical_signs(walk, again):
    difference, what = worst(swapped(cycle_results(again(mirrored))), walk.cycles)
    assert difference < DOUBLE, what


def test_the_order_of_the_trials_does_not_matter(walk, again):
    """Averages of the walk and its mirror image, whose sides differ."""
    walks = [gait_cycles(each.kinematics, each.loads) for each in (walk.found, again(mirrored))]
    one, other = (summarise(pooled("subject", order), 0.9, None) for order in (walks, walks[::-1]))
    known = 0
    for side in SIDES:
        for name, mean in one.mean[side].items():
            np.testing.assert_allclose(other.mean[side][name], mean, rtol=DOUBLE, atol=DOUBLE)
            known += np.isfinite(mean).any()
        for name, value in one.parameter_mean[side].items():
            np.testing.assert_allclose(other.parameter_mean[side][name], value, rtol=DOUBLE)
    assert known


def test_a_file_in_metres_with_prefixed_labels_and_turned_plates_gives_the_same(walk, through_files, rng):
    found = through_files(
        lambda trial: with_turned_plates(reordered(trial, rng), 1),
        turned_about_the_vertical(180.0),
        units="m",
        rename=lambda name: f"Subject:{name}",
    )
    assert_same(found, walk, SINGLE)


@pytest.mark.long
@pytest.mark.parametrize("units", ["mm", "m"])
@pytest.mark.parametrize("lab", LABORATORIES)
def test_files_of_any_laboratory_give_the_same(walk, through_files, lab, units):
    assert_same(through_files(lambda trial: trial, LABORATORIES[lab], units=units), walk, SINGLE)


@pytest.mark.long
def test_an_oblique_walkway_s_file_gives_the_same_joint_results(walk, through_files):
    found = through_files(lambda trial: trial, turned_about_the_vertical(61.0))
    difference, what = worst(frame_results(found), walk.frames)
    assert difference < SINGLE, what


@pytest.mark.long
def test_a_mirrored_walk_s_file_swaps_the_sides(walk, through_files):
    found = through_files(mirrored, LABORATORIES["quarter turn"])
    difference, what = worst(swapped(cycle_results(found)), walk.cycles)
    assert difference < SINGLE, what


def test_the_comparison_sees_plates_turned_without_their_channels(walk, analyse):
    R = rotation_about(UP, np.radians(5.0))
    plates = tuple(replace(plate, wrench=plate.wrench.rotated(R)) for plate in walk.raw.plates)
    with pytest.raises(AssertionError):
        assert_same(analyse(replace(walk.raw, plates=plates), walk.static, sex="f"), walk, 0.01)
