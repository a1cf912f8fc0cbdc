"""OpenSim's published inverse dynamics of its own subject, reproduced by this package's dynamics."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.dynamics import rnea
from tests.oracles.opensim_model import OpenSimModel, coordinates_at, foot_wrenches, read_storage

JOINTS = ["hip_flexion", "hip_adduction", "hip_rotation", "knee_angle", "ankle_angle"]

TOLERANCE = 2.0
"""Nm; that of OpenSim's own test of these files."""


@pytest.fixture(scope="module")
def moments(trials):
    """Ours and the published ones by coordinate, at the published times for which there are coordinates."""
    folder = trials / "opensim_subject01"
    model = OpenSimModel(folder / "subject01.osim")
    published = read_storage(folder / "std_subject01_InverseDynamics.sto")
    motion = read_storage(folder / "subject01_walk1_ik.mot")
    ground = read_storage(folder / "subject01_walk1_grf.mot")
    at = published["time"][(published["time"] >= motion["time"][0]) & (published["time"] <= 1.6)]
    coordinates = coordinates_at(motion, at)
    q, qd, qdd = model.motion(coordinates)
    tau = rnea(model.skeleton, q, qd, qdd, gravity=model.gravity, wrenches=foot_wrenches(ground, at)).tau
    ours = model.generalised(tau, coordinates)
    rows = np.isin(published["time"], at)
    theirs = {
        name: published[f"{name}_force" if f"{name}_force" in published else f"{name}_moment"][rows] for name in ours
    }
    return at, ours, theirs


@pytest.mark.parametrize("side", ["r", "l"])
@pytest.mark.parametrize("joint", JOINTS)
def test_published_joint_moments_are_reproduced(moments, joint, side):
    """Every frame from 0.5 to 1.6 s, within the tolerance of OpenSim's own test."""
    at, ours, theirs = moments
    name = f"{joint}_{side}"
    assert len(at) > 60
    assert np.ptp(theirs[name]) > 5.0, "a moment that hardly changes shows nothing"
    assert np.abs(ours[name] - theirs[name]).max() < TOLERANCE


def test_the_published_peaks_are_where_they_should_be(moments):
    """Guards the comparison itself: peaks as stated with the published file."""
    _, ours, _ = moments
    assert ours["ankle_angle_r"].min() == pytest.approx(-128.87, abs=TOLERANCE)
    assert ours["ankle_angle_l"].min() == pytest.approx(-103.92, abs=TOLERANCE)
    assert ours["knee_angle_r"].min() == pytest.approx(-57.68, abs=TOLERANCE)


def test_agreement_with_opensim(moments, record_property):
    """The table of largest and root mean square differences of all coordinates."""
    _, ours, theirs = moments
    lines = [f"{'coordinate':20}{'largest':>10}{'RMS':>10}{'range':>10}   (Nm; N for pelvis translations)"]
    for name in ours:
        apart = ours[name] - theirs[name]
        lines.append(
            f"{name:20}{np.abs(apart).max():10.3f}{np.sqrt(np.mean(apart**2)):10.3f}{np.ptp(theirs[name]):10.1f}"
        )
    record_property("table", "\n".join(lines))
