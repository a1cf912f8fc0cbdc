"""The skeleton's results do not depend on laboratory axes, order of markers, or side, to the tolerance of its fits.

The fits end where a step promises less than a thousandth of the cost (`spline_fit`, `model_calibration`). Where the
iterates are the same up to rounding, so are the results: within 1e-4 degrees and 1e-6 Nm/kg, as weakly observable
combinations magnify the rounding. An oblique laboratory changes the pelvis's rotation by some degrees, and with it the
iterates.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.skeleton import load_skeleton, mirror_map
from tests.conftest import ROOT
from tests.invariance.test_matrix_form import WALKS
from tests.invariance.transformed import laboratory, mirrored, recorded_in, reordered, turned_about_the_vertical
from tests.recordings import without_markers

pytestmark = pytest.mark.long

LEGS = ("hip", "knee", "ankle")
ONE_SIDED = "RBAK"
"""Marker that shows the sides and has no partner: without it, a body has a mirror image in the marker set."""


@pytest.fixture(scope="module", params=WALKS)
def walk(request, analyse, on_skeleton):
    if request.param != "demo":
        request.getfixturevalue("trials")
    trials = [read_trial(ROOT.parent / "shared/trials" / path) for path in WALKS[request.param]]

    def run(change):
        raw, static = (change(without_markers(trial, ONE_SIDED)) for trial in trials)
        return on_skeleton(raw, static, analyse(raw, static, sex="f"))

    return SimpleNamespace(run=run, result=run(lambda trial: trial))


def differences(found, expected, mirror=None):
    """Largest differences of each joint below the pelvis, degrees (n,), and of the joint moments, Nm/kg (n,)."""
    index, sign = mirror or (np.arange(len(expected.joint_names)), 1.0)
    apart = np.abs(sign * found.kinematic.q[:, index] - expected.kinematic.q)
    torque = np.abs(sign * found.kinematic.tau[:, index] - expected.kinematic.tau)
    known = np.isfinite(expected.kinematic.tau).all(axis=1)
    assert known.any()
    return np.degrees(apart[:, 6:]).max(axis=0), torque[known, 6:].max(axis=0) / expected.mass


def test_axes_origin_and_order_do_not_matter(walk, rng):
    lab = laboratory(turned_about_the_vertical(90.0).R_LG, (3.0, 0.05, -7.0))
    angles, moments = differences(walk.run(lambda trial: recorded_in(reordered(trial, rng), lab)), walk.result)
    assert angles.max() < 1e-4
    assert moments.max() < 1e-6


def test_a_mirrored_walk_swaps_the_sides(walk):
    skeleton = load_skeleton(ROOT / "config/skeleton.yaml", mass=70.0, height=1.7, sex="female")
    angles, moments = differences(walk.run(mirrored), walk.result, mirror_map(skeleton))
    assert angles.max() < 1e-4
    assert moments.max() < 1e-6


def test_an_oblique_walkway_changes_angles_by_less_than_markers_determine_them(walk):
    """Legs by a tenth of a degree; all by less than a fifth of their uncertainty for markers that are off by 5 mm."""
    lab = turned_about_the_vertical(37.0)
    angles, moments = differences(walk.run(lambda trial: recorded_in(trial, lab)), walk.result)
    names = walk.result.joint_names[6:]
    legs = [any(part in name for part in LEGS) for name in names]
    assert angles[legs].max() < 0.1
    assert (angles < 0.2 * np.degrees(walk.result.uncertainty[6:])).all()
    assert moments.max() < 0.005
