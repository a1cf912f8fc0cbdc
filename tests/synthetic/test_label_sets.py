"""Label sets as laboratories meet them: recognised, and run to angles and moments with no file written by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import load_marker_set, recognised, with_set_labels
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.kinematics import kinematics
from pipeline.newton_euler import inverse_dynamics
from tests.synthetic.other_sets import as_segment_poses, demo_trials, wearing

FOLDER = Path(__file__).parents[2] / "config/marker_sets"

SETS = {
    "isb_ior, no second metatarsal": ("isb_ior", ("FME", "TAM")),
    "opencap": ("opencap", ()),
    "video_keypoints": ("video_keypoints", ()),
    "theia": ("theia", ()),
}
"""The set that each is recognised as, and the ends of labels that the static trial alone has."""


@pytest.mark.parametrize("name", SETS)
def test_a_label_set_is_recognised_and_gives_the_legs(tmp_path, name):
    """Knee flexion within 2 degrees of the true one, which is about the set's own axes; moments on every clean step.

    Sets of video have no static trial.
    """
    expected, static_only = SETS[name]
    static, moving = (replace(t, subject=wearing(t.subject, name)) for t in demo_trials())
    lacking = [label for label in moving.markers_G if static_only and label.endswith(static_only)]
    moving.write(tmp_path / "walk.c3d", gaps=dict.fromkeys(lacking, (0, len(moving.time) - 1)))
    static.write(tmp_path / "static.c3d")
    if name == "theia":
        as_segment_poses(tmp_path / "walk.c3d")
    found = recognised(read_trial(tmp_path / "walk.c3d"), walking=True)
    assert (found.marker_set, found.recognised) == (expected, True)
    marker_set = load_marker_set(FOLDER / f"{expected}.yaml")
    files = ("walk", "static" if static_only else "walk")
    recording, standing_trial = (with_set_labels(read_trial(tmp_path / f"{file}.c3d"), marker_set) for file in files)
    subject = Subject(subject="demo", sex="m")
    sections = AnatomySettings(), FilterSettings(), EventSettings()
    motion = kinematics(recording, standing_trial, marker_set, subject, *sections)
    loads = inverse_dynamics(motion)
    assert {cycle.side for cycle in motion.cycles} == {"left", "right"}
    assert not any(stance.rejected for stance in motion.stances)
    for side in ("left", "right"):
        thigh, shank = (moving.segments[f"{side}_{part}"].R_GS[:, :, 1] for part in ("thigh", "shank"))
        true = np.degrees(np.arccos(np.clip(np.sum(thigh * shank, axis=1), -1.0, 1.0)))
        flexion = np.degrees(motion.angles[f"{side}_knee"][:, 0])
        assert np.nanmax(np.abs(flexion - true)[20:-20]) < 2.0
        stance = next(s for s in motion.stances if s.side == side)
        for joint in ("hip", "knee", "ankle"):
            assert np.isfinite(motion.angles[f"{side}_{joint}"][stance.start : stance.stop]).all(), joint
            assert np.isfinite(loads.joints[f"{side}_{joint}"].moment_G[stance.start : stance.stop]).all(), joint


@pytest.mark.parametrize("inertia", ["de_leva", "dempster"])
def test_a_heel_that_the_static_trial_lacks_too_is_noted_for_both(tmp_path, inertia):
    """Also if nothing in the static trial needs it, as with the set's own foot axes and Dempster's table."""
    marker_set, trials = load_marker_set(FOLDER / "theia.yaml"), []
    for number, trial in enumerate(demo_trials()):
        path = tmp_path / f"{number}.c3d"
        replace(trial, subject=wearing(trial.subject, "theia")).write(path)
        as_segment_poses(path)
        found = with_set_labels(read_trial(path), marker_set)
        kept = [k for k, name in enumerate(found.marker_names) if not name.endswith("HEEL")]
        names = tuple(found.marker_names[k] for k in kept)
        trials.append(replace(found, marker_names=names, markers_G=found.markers_G[:, kept]))
    static, walk = trials
    settings = AnatomySettings(inertia=inertia), FilterSettings(), EventSettings()
    notes = kinematics(walk, static, marker_set, Subject(subject="demo", sex="m"), *settings).notes
    texts = {note.subject: note.text for note in notes if note.subject.endswith("_heel")}
    assert texts == {f"{side}_heel": f"taken from {side[0]}_foot_4X4" for side in ("left", "right")}
