"""Joint loads of the legs filled in where no plate measured them, and the muscles that bear them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.analysis import from_estimated_loads
from pipeline.config import MuscleSettings
from pipeline.conventions import Z
from pipeline.ground_from_motion import with_estimated_loads
from pipeline.stages.muscles import run as muscles_of_walk


@pytest.fixture(scope="module")
def bare(demo_walk):
    """The demo's walk on the skeleton as if no plate had measured the left foot after 1.4 s."""
    body = demo_walk.body
    late = body.time > 1.4
    left = [j for j, name in enumerate(body.joint_names) if name.startswith("left_")]
    motion = body.kinematic
    values = {name: np.array(getattr(motion, name)) for name in ("tau", "force_G", "moment_G")}
    for own in values.values():
        own[np.flatnonzero(late)[:, None], left] = np.nan
    return replace(body, kinematic=replace(motion, **values))


def test_lacking_loads_of_a_leg_are_those_estimated_and_measured_ones_stay(demo_walk, bare, estimated):
    filled = with_estimated_loads(bare, estimated)
    measured, own, notes = bare.kinematic, filled.body.kinematic, filled.notes
    known = np.isfinite(measured.tau)
    np.testing.assert_array_equal(own.tau[known], measured.tau[known])
    (note,) = notes
    assert note.kind == "estimated"
    assert "frames of the left leg" in note.text
    left = [j for j, name in enumerate(bare.joint_names) if name.startswith("left_")]
    new = (np.isfinite(own.tau) & ~known)[:, left].any(axis=1)
    np.testing.assert_array_equal(filled.estimated["left"], new)
    late = (bare.time > 1.45) & np.isfinite(estimated.joint_moments["left_knee"]).all(axis=1)
    assert late.sum() > 60
    for joint in ("hip", "knee", "ankle"):
        column = bare.joint_names.index(f"left_{joint}_flexion")
        pose = demo_walk.kinematics.joints[f"left_{joint}"]
        moment = np.einsum("tji,tj->ti", pose.R_GD, own.moment_G[:, column])
        # the stage's own moments, from its own recursion
        np.testing.assert_allclose(moment[late, Z], estimated.joint_moments[f"left_{joint}"][late, Z], atol=1e-6)
        truth = demo_walk.body.kinematic.tau[late, column]
        both = np.isfinite(truth)
        apart = (own.tau[late, column] - truth)[both] / bare.mass
        assert both.sum() > 20
        assert 0.0 < np.sqrt(np.mean(apart**2)) < 0.25  # Nm/kg; on people 0.11 to 0.15


def test_muscles_follow_and_say_so(demo_walk, bare, estimated):
    settings = MuscleSettings()
    without = muscles_of_walk(bare, demo_walk.kinematics, settings)
    loads = muscles_of_walk(bare, demo_walk.kinematics, settings, estimated)
    knee = loads.contact_joints.index("left_knee")
    late = (bare.time > 1.5) & (bare.time < 1.9)
    assert np.isnan(without.contact_force[late, knee]).all()
    assert np.isfinite(loads.contact_force[late, knee]).all()
    measured = muscles_of_walk(demo_walk.body, demo_walk.kinematics, settings)
    peaks = [np.nanmax(np.linalg.norm(own.contact_force[late, knee], axis=1)) for own in (loads, measured)]
    assert abs(peaks[0] - peaks[1]) < 0.5  # body weights
    (note,) = [note for note in loads.notes if note.kind == "estimated"]
    assert note.subject == "muscles"
    assert loads.loads_estimated["left"][late].all()
    for cycle in demo_walk.kinematics.cycles:
        own = loads.contact_joints.index(f"{cycle.side}_knee")
        new = np.isnan(without.contact_force[:, own, 0]) & np.isfinite(loads.contact_force[:, own, 0])
        within = (bare.time >= cycle.initial_contact) & (bare.time <= cycle.next_initial_contact)
        assert from_estimated_loads(loads, cycle) == (new & within).any()
        assert not from_estimated_loads(without, cycle)
    assert not [note for note in without.notes if note.kind == "estimated"]
