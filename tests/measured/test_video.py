"""A walk that OpenCap recorded by two phones: its angles against OpenCap's own, its contacts and its estimated loads.

No plate was there: loads are held to what people who walk have.
"""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import load_marker_set, with_set_labels
from pipeline.config import Subject
from pipeline.ground_from_motion import ground_from_motion, load_learned
from pipeline.ground_from_motion.contacts import contacts_of
from pipeline.newton_euler import inverse_dynamics
from tests.oracles.opensim_model import read_storage
from tests.walks import ROOT, kinematics_of, whole_body_of

WITHIN = 3.2
"""Degrees, root mean square over the recording without its mean: two models of the pelvis, and other filters."""


@pytest.fixture(scope="module")
def walk(trials):
    """The marker set, the recording, its kinematics and OpenCap's inverse kinematics."""
    folder = trials / "markerless/opencap"
    marker_set = load_marker_set(ROOT / "config/marker_sets/opencap.yaml")
    recording = with_set_labels(read_trial(folder / "walk.trc"), marker_set)
    motion = kinematics_of(recording, recording, marker_set, Subject.from_si("subject", None, {}))
    return marker_set, recording, motion, read_storage(folder / "walk_ik.mot")


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize(("joint", "name"), [("hip", "hip_flexion"), ("knee", "knee_angle")])
def test_flexion_is_that_of_opencaps_inverse_kinematics(walk, side, joint, name):
    _, _, motion, theirs = walk
    ours = np.degrees(motion.angles[f"{side}_{joint}"][:, 0])
    assert np.isfinite(ours).sum() > 160
    assert np.nanmax(ours) - np.nanmin(ours) > 30.0
    apart = ours - theirs[f"{name}_{side[0]}"]
    assert np.nanstd(apart) < WITHIN


def test_contacts_are_as_long_as_those_of_people_who_walk(walk):
    """60 % of the cycle, 62 in slow walking; taken from the heel's impact they were 49 to 54 %."""
    found = contacts_of(walk[2].events)
    whole = [contact.stop - contact.start for contact in found if contact.whole]
    strides = [b.start - a.start for a, b in zip(found, found[2:], strict=False) if a.side == b.side]
    assert len(whole) >= 3
    assert 0.57 < np.median(whole) / np.median(strides) < 0.64


@pytest.mark.long
def test_estimated_loads_are_those_of_people_who_walk(walk):
    """At the default filter: vertical peaks of 1.0 to 1.3 body weights (1.45 to 1.6 with the noise in them)."""
    marker_set, recording, motion, _ = walk
    loads = inverse_dynamics(motion)
    body = whole_body_of(recording, recording, motion, loads, marker_set, residual_reduction=False)
    feet = {side: (motion.points[foot.heel], motion.points[foot.toe]) for side, foot in marker_set.feet.items()}
    found = ground_from_motion(body, motion, feet, load_learned())
    assert len(found.steps) >= 3
    for step in found.steps:
        during = (found.time >= step.start) & (found.time <= step.stop)
        force = found.ground[step.side].force_G[during] / (found.mass * 9.81)
        phase = (found.time[during] - step.start) / (step.stop - step.start)
        for half in (phase < 0.5, phase > 0.5):
            assert 1.0 < force[half, 1].max() < 1.3
        assert 0.6 < force[(phase > 0.35) & (phase < 0.65), 1].min() < 0.95
        assert -0.4 < force[phase < 0.5, 0].min() < -0.1
        assert 0.1 < force[phase > 0.5, 0].max() < 0.4
        ankle = -found.joint_moments[f"{step.side}_ankle"][during, 2] / found.mass
        assert 1.2 < np.abs(ankle).max() < 2.3
    # the bands are wider than those of marker walks, by what the flat feet move by
    assert (found.force_sd > load_learned().position_force_sd - 1e-9).all()
    assert 0.2 < 1.96 * found.force_sd[:, 1].mean() < 0.5
