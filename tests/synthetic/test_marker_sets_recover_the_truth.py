"""Each shipped marker set on the demo's walk with that set's markers: centres, angles and moments are the true ones.

Medial markers, and the heels of the Davis set, are in the static trial only.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import load_marker_set
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject, WholeBodySettings
from pipeline.conventions import clinical_signs
from pipeline.kinematics import kinematics
from pipeline.math3d import cardan_angles
from pipeline.skeleton import load_skeleton
from pipeline.stages import inverse_dynamics
from pipeline.whole_body import whole_body_dynamics
from tests.oracles.segment_loads import known_frames, true_loads
from tests.synthetic.other_sets import demo_trials, wearing

pytestmark = pytest.mark.long

CONFIG = Path(__file__).parents[2] / "config"
FOLDER, SKELETON = CONFIG / "marker_sets", CONFIG / "skeleton.yaml"
STATIC_ONLY = {
    "cgm2": ("KNM", "MED"),
    "helen_hayes": (".Knee.Medial", ".Ankle.Medial"),
    "gait2392": (".Knee.Lat", ".Knee.Med", ".Ankle.Lat", ".Ankle.Med"),
    "isb_ior": ("FME", "TAM"),
    "davis_bts": ("heel",),
}
"""Ends of the labels, by set."""

ELBOWS = ("ELB", ".Elbow", "HLE")
"""Ends of the labels at the elbows, of sets that have arms."""

WIDE_OPEN = 40.0
"""Hz; the demo's motion has hardly anything above 15 Hz."""


@pytest.fixture(scope="module", params=STATIC_ONLY)
def recorded(request, tmp_path_factory):
    """The set's name, the true walk, and recordings of a static trial and that walk with the set's markers."""
    name, folder = request.param, tmp_path_factory.mktemp(request.param)
    truths = [replace(t, subject=wearing(t.subject, name)) for t in demo_trials()]
    static, moving = truths
    lacking = [label for label in moving.markers_G if label.endswith(STATIC_ONLY[name])]
    assert lacking
    static.write(folder / "static.c3d")
    moving.write(folder / "walk.c3d", gaps=dict.fromkeys(lacking, (0, len(moving.time) - 1)))
    return name, moving, read_trial(folder / "static.c3d"), read_trial(folder / "walk.c3d")


@pytest.fixture(scope="module")
def analysed(recorded):
    """The set's name, the truth, and kinematics and loads of the walk."""
    name, moving, static, recording = recorded
    found = kinematics(
        recording,
        static,
        load_marker_set(FOLDER / f"{name}.yaml"),
        Subject(subject="demo", sex="m", marker_diameter_mm=14.0),
        AnatomySettings(),
        FilterSettings(markers=WIDE_OPEN),
        EventSettings(),
    )
    return name, moving, found, inverse_dynamics.run(found)


def true_angles(truth, joint: str) -> np.ndarray:
    """Of the set's axes: the knee between thigh and the shank whose z joins the malleoli."""
    side, name = joint.split("_")
    ends = {"hip": ("pelvis", f"{side}_thigh"), "knee": (f"{side}_thigh", f"{side}_shank")}
    ends["ankle"] = (f"{side}_shank", f"{side}_foot")
    proximal, distal = (truth.segments[end].R_GS for end in ends[name])
    return cardan_angles(np.swapaxes(proximal, -1, -2) @ distal, "zxy") * clinical_signs(joint)


def test_joint_centres_are_the_true_ones(analysed):
    """C3D's floats resolve 1e-4 mm; chords and regressions multiply that by ten."""
    _, truth, found, _ = analysed
    for joint, pose in found.joints.items():
        assert np.abs(pose.centre_G - truth.joint_centres_G[joint])[10:-10].max() < 1e-4, joint


def test_angles_are_the_true_ones(analysed):
    """Within 0.03 degrees, where the set determines the axes: feet that are tracked by ankle, toe and the shank's axis
    alone do not see inversion (Plug-in Gait's foot), which leaves those of isb_ior and gait2392."""
    name, truth, found, _ = analysed
    for joint in found.joints:
        if joint.endswith("ankle") and name not in ("isb_ior", "gait2392"):
            continue
        off = np.degrees(np.abs(found.angles[joint] - true_angles(truth, joint))[10:-10].max())
        assert off < 0.03, (joint, off)


def test_moments_are_the_true_ones(analysed):
    """Within 0.7 % of each joint's peak where the plates saw all, 25 ms from the steps' edges."""
    _, truth, found, loads = analysed
    expected = true_loads(truth, found.calibration.segments)
    for joint in found.joints:
        known = known_frames(truth, joint, loads.joints[joint].moment_G)
        true = expected[joint].moment_G
        off = np.abs(loads.joints[joint].moment_G - true)[known].max()
        assert off < 0.007 * np.linalg.norm(true[known], axis=1).max(), joint


def test_the_walk_on_the_skeleton_is_the_true_one(recorded):
    """With most markers placed only where the static trial shows them: flexion of legs and elbows within 2 degrees,
    less a constant where the zero is another than the skeleton's (not at the knee); moments as in matrix form."""
    name, truth, static, recording = recorded
    marker_set, filters = load_marker_set(FOLDER / f"{name}.yaml"), FilterSettings()
    subject = Subject(subject="demo", sex="m", marker_diameter_mm=14.0)
    motion = kinematics(recording, static, marker_set, subject, AnatomySettings(), filters, EventSettings())
    values = motion.calibration.values
    skeleton = load_skeleton(SKELETON, mass=values["mass"], height=values["height"], sex="male")
    settings = WholeBodySettings(residual_reduction=False)
    loads = inverse_dynamics.run(motion)
    body = whole_body_dynamics(recording, static, motion, loads, marker_set, skeleton, filters, settings)
    for side in ("left", "right"):
        for joint in ("hip", "knee", "ankle"):
            j = body.joint_names.index(f"{side}_{joint}_flexion")
            off = np.degrees(body.kinematic.q[:, j] - truth.q[:, j])[20:-20]
            off = off - (0.0 if joint == "knee" else np.nanmean(off))
            assert np.nanmax(np.abs(off)) < 2.0, (joint, np.nanmax(np.abs(off)))
        if any(marker.endswith(ELBOWS) for marker in body.fitted_markers):
            j = body.joint_names.index(f"{side}_elbow_flexion")
            assert np.degrees(np.nanstd(body.kinematic.q[:, j] - truth.q[:, j])) < 0.5, "elbow"
    assert min(comparison.correlation for comparison in body.moment_comparisons) > 0.99
