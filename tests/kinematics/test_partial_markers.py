"""A recording that lacks markers gives what the others suffice for, and names what is missing."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.errors import AnatomyError
from tests.recordings import without_markers


@pytest.fixture(scope="module")
def recordings(demo_legs):
    """The demo's static trial and walk."""
    return demo_legs.static, demo_legs.raw


LEGS = [f"{side}_{joint}" for side in ("left", "right") for joint in ("hip", "knee", "ankle")]

CASES = {
    "without feet": (("HEE", "TOE"), {"pelvis", "left_hip", "right_hip", "left_knee", "right_knee"}, set()),
    "without heels": (("HEE",), {"pelvis", *LEGS}, set(LEGS)),
    "left leg only": (
        ("RTHI", "RKNE", "RTIB", "RANK", "RHEE", "RTOE"),
        {"pelvis", "left_hip", "left_knee", "left_ankle"},
        {"left_hip", "left_knee", "left_ankle"},
    ),
    "without shanks": (("TIB",), {"pelvis", "left_hip", "right_hip"}, set()),
}
"""What is lacking, and the joints that have angles and moments then."""


@pytest.mark.parametrize("case", CASES)
def test_what_the_other_markers_suffice_for(recordings, analyse, case):
    lacking, angles, moments = CASES[case]
    static, walk = (without_markers(trial, *lacking) for trial in recordings)
    found = analyse(walk, static, sex="m")
    seen = {name for name, values in found.kinematics.angles.items() if np.isfinite(values).any()}
    loaded = {name for name, load in found.loads.joints.items() if np.isfinite(load.moment_G).any()}
    assert (seen, loaded) == (angles, moments)
    named = " ".join(note.text for note in found.kinematics.notes if note.kind in ("warning", "assumed"))
    assert any(end in named for end in (*lacking, "left_ankle")), "what is missing is named"


def test_ankles_and_moments_without_heels_are_nearly_those_with_them(recordings, analyse):
    """The line from ankle to toe stands in for that from heel to toe on the floor: flexion is the same, as both are
    level in standing; the foot's centre of mass moves by centimetres, which changes moments by a hundredth."""
    static, walk = recordings
    whole = analyse(walk, static, sex="m")
    part = analyse(without_markers(walk, "HEE"), without_markers(static, "HEE"), sex="m")
    for side in ("left", "right"):
        name = f"{side}_ankle"
        flexion = part.kinematics.angles[name][:, 0] - whole.kinematics.angles[name][:, 0]
        assert np.degrees(np.nanmax(np.abs(flexion))) < 1.0
        moment, true = (found.loads.joints[name].moment_G[:, 2] for found in (part, whole))
        both = np.isfinite(moment) & np.isfinite(true)
        assert both.sum() > 100
        assert np.abs(moment - true)[both].max() < 0.02 * np.abs(true[both]).max()


def test_a_heel_that_only_the_walk_lacks_is_noted_as_taken_from_the_ankle(recordings, analyse):
    """So is one that both lack, once, and not that of a leg without markers."""
    static, walk = recordings

    def heels(part, of_static):
        found = analyse(without_markers(walk, *part), without_markers(static, *of_static), sex="m").kinematics.notes
        return [f"{note.kind} {note.subject}: {note.text}" for note in found if note.subject.endswith("_heel")]

    (note,) = heels(("LHEE",), ())
    assert note == "assumed left_heel: taken from left_ankle in the walk, unlike in the static trial"
    assert heels(("LHEE",), ("LHEE",)) == ["assumed left_heel: taken from left_ankle"]
    leg = ("RTHI", "RKNE", "RTIB", "RANK", "RHEE", "RTOE")
    assert not heels(leg, leg)


def test_without_the_back_of_the_pelvis_one_sentence_says_so(recordings, analyse):
    static, walk = (without_markers(trial, "PSI") for trial in recordings)
    with pytest.raises(AnatomyError, match=r"no frame shows all markers of any segment; missing labels: LPSI, RPSI"):
        analyse(walk, static, sex="m")
