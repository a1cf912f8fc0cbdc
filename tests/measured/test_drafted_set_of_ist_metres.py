"""A laboratory's own marker set (Cleveland Clinic like), drafted by `init`: angles and moments of both strikes.

Corrections by hand: none. The guesses were compared with the markers' places in the static trial; the trunk's marker
ROFF and the static trial's RDFT and LDFT stay unused.
"""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.anatomy import load_marker_set
from pipeline.cli import main
from pipeline.config import Subject
from pipeline.stages import inverse_dynamics
from tests.walks import kinematics_of

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def strikes(trials, tmp_path_factory):
    """Kinematics and loads of the walk with the drafted set."""
    folder, study = trials / "ist_metres", tmp_path_factory.mktemp("ist") / "study"
    assert main(["new", str(study), "--from", str(folder)]) == 0
    walk, static = (read_trial(folder / f"{name}.c3d") for name in ("Gait with EMG", "Static Pose"))
    marker_set = load_marker_set(study / "config/marker_sets/drafted.yaml")
    motion = kinematics_of(walk, static, marker_set, Subject(subject="ist"))
    return motion, inverse_dynamics.run(motion)


def test_the_guesses_are_the_landmarks(strikes):
    """By the static trial: knee and ankle as wide as joints are, leg length and mass as stated for this subject."""
    motion, _ = strikes
    values = motion.calibration.values
    assert values["mass"] == pytest.approx(61.0, abs=1.5)
    assert abs(values["leg_length_left"] - values["leg_length_right"]) < 0.01
    for side in ("left", "right"):
        for joint, (least, most) in {"knee": (0.09, 0.15), "ankle": (0.06, 0.10)}.items():
            lateral, medial = (motion.points[f"{side}_{part}_{joint}"] for part in ("lateral", "medial"))
            assert least < np.nanmean(np.linalg.norm(lateral - medial, axis=1)) < most
    clusters = next(note for note in motion.notes if note.subject == "clusters")
    assert "left thigh technical" in clusters.text
    assert not [note for note in motion.notes if note.kind == "warning" and "technical" in note.subject]


def test_both_strikes_have_the_angles_of_walking(strikes):
    """Ranges of normal walking (Perry and Burnfield 2010): knee flexion in swing, ankle and hip over the cycle."""
    motion, _ = strikes
    assert [(stance.plate, stance.side, stance.rejected) for stance in motion.stances] == [
        (1, "left", ""),
        (2, "right", ""),
    ]
    for side in ("left", "right"):
        knee, ankle, hip = (np.degrees(motion.angles[f"{side}_{joint}"][:, 0]) for joint in ("knee", "ankle", "hip"))
        assert 50.0 < np.nanmax(knee) < 70.0
        assert -8.0 < np.nanmin(knee) < 8.0
        assert 5.0 < np.nanmax(ankle) < 20.0
        assert 35.0 < np.ptp(hip[np.isfinite(hip)]) < 60.0


def test_both_strikes_have_the_moments_that_the_ground_reaction_asks_for(strikes):
    """The ankle's moment in stance against that of the ground reaction about its centre, without inertia: the foot is
    light, so that they differ by 0.04 Nm/kg at most; and peaks of normal walking."""
    motion, loads = strikes
    mass = motion.calibration.values["mass"]
    for plate, side in ((1, "left"), (2, "right")):
        stance = next(stance for stance in motion.stances if stance.plate == plate)
        during = slice(stance.start + 3, stance.stop - 3)
        load, joint = motion.plates[plate - 1], motion.joints[f"{side}_ankle"]
        static = -load.wrench.about(joint.centre_G).moment_G[during, 2] / mass
        found = loads.joints[f"{side}_ankle"].moment_G[during, 2] / mass
        assert np.isfinite(found).all()
        assert np.abs(found - static).max() < 0.04
        assert 1.2 < -found.min() < 1.7
        knee = np.einsum("tij,ti->tj", motion.joints[f"{side}_knee"].R_GD, loads.joints[f"{side}_knee"].moment_G) / mass
        assert 0.3 < np.nanmax(knee[during, 2]) < 0.9
