"""Errors of a body whose knees and ankles are between markers of the static trial alone, as in the set gait2392."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import load_marker_set
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject, UncertaintySettings
from pipeline.kinematics import kinematics
from pipeline.newton_euler import inverse_dynamics
from pipeline.synthetic import standing, walk
from pipeline.uncertainty import RecordedWalk
from pipeline.uncertainty.body_errors import BodyPerturbation, body_errors
from pipeline.uncertainty.recorded_walk import VARIABLES
from pipeline.uncertainty.sources import ANKLE_CENTRE, KNEE_AXIS
from tests.conftest import ROOT
from tests.recordings import without_markers
from tests.synthetic.other_sets import wearing

KNEES, ANKLES = ("Knee.Lat", "Knee.Med"), ("Ankle.Lat", "Ankle.Med")


@pytest.fixture(scope="module")
def walked(tmp_path_factory) -> RecordedWalk:
    folder = tmp_path_factory.mktemp("gait2392")
    static, moving = (replace(one, subject=wearing(one.subject, "gait2392")) for one in (standing(), walk(seconds=2.2)))
    for name, trial in (("static", static), ("walk", moving)):
        trial.write(folder / f"{name}.c3d")
    recording, standing_still = (read_trial(folder / f"{name}.c3d") for name in ("walk", "static"))
    recordings = without_markers(recording, *KNEES, *ANKLES), standing_still
    own, subject = load_marker_set(ROOT / "config/marker_sets/gait2392.yaml"), Subject(subject="demo", sex="m")
    sections = AnatomySettings(), FilterSettings(), EventSettings()
    motion = kinematics(*recordings, own, subject, *sections)
    return RecordedWalk(*recordings, motion, inverse_dynamics(motion), own, subject, *sections)


def test_epicondyles_are_on_the_thigh_and_malleoli_on_the_shank_though_the_walk_lacks_them(walked):
    for side, letter in (("left", "L"), ("right", "R")):
        assert {walked.attached_to[f"{letter}.{name}"] for name in KNEES} == {f"{side}_thigh"}
        assert {walked.attached_to[f"{letter}.{name}"] for name in ANKLES} == {f"{side}_shank"}
    values = walked.kinematics.calibration.values
    errors = list(body_errors(walked.marker_set, walked.attached_to, values, UncertaintySettings()))
    for source, names in ((KNEE_AXIS, KNEES), (ANKLE_CENTRE, ANKLES)):
        moved = {label for error in errors if error.source == source for label in error.shifts}
        assert {f"{letter}.{name}" for letter in "LR" for name in names} <= moved


def test_an_error_of_a_medial_epicondyle_turns_the_thigh_by_its_share_of_the_distance_to_the_lateral_one(walked):
    """5 mm ahead on the left: outwards by 5 mm over the distance between both."""
    lateral, medial = (walked.static.marker(f"L.{name}").mean(axis=0) for name in KNEES)
    error = BodyPerturbation("", {"L.Knee.Med": np.array([0.005, 0.0, 0.0])})
    change = walked.curves(walked.with_body_error(error)) - walked.mean_curves
    (of_left, of_right) = np.nanmean(change[:, list(VARIABLES).index("hip_rotation")], axis=1)
    expected = -np.degrees(0.005 / np.linalg.norm(lateral - medial))
    assert of_left == pytest.approx(expected, rel=0.05)
    assert of_right == pytest.approx(0.0, abs=1e-9)
