"""Notes on joints that follow no marker in gaps: which joints these are, and for which of them there is a warning."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.inverse_kinematics.walk_fit_notes import gap_notes

LONGEST = 10
"""Frames; longer gaps are named."""


def notes_without(human, marks, q, labels, frames):
    used = np.ones((len(q), len(marks.names)), dtype=bool)
    used[frames, [[marks.names.index(label)] for label in labels]] = False
    return gap_notes(human, marks, len(marks.names), q, used, LONGEST)


@pytest.mark.parametrize(
    ("labels", "grade", "lost"),
    [
        (("LTOE", "LHEE"), "warning", {"left_ankle_flexion", "left_ankle_inversion"}),
        (("RFIN",), "info", set()),
        (("RFIN", "RWRA", "RWRB"), "info", {"right_elbow_flexion", "right_shoulder_rotation"}),
    ],
)
def test_joints_beyond_the_missing_markers_are_named(human, marks, walk, labels, grade, lost) -> None:
    frames = np.arange(30, 50)
    (note,) = notes_without(human, marks, walk, labels, frames)
    assert note.kind == grade
    assert f"{'marker' if len(labels) == 1 else 'markers'} " in note.subject
    assert {label for label in labels if label in note.subject} == set(labels)
    assert "frames 31-50" in note.text
    side = labels[0][0].replace("L", "left").replace("R", "right")
    named = {name for name in human.joint_names if name in note.text}
    assert lost <= named
    assert all(name.startswith(side) for name in named)


def test_a_marker_in_a_short_gap_of_its_own_does_not_show_the_foot_and_a_joint_centre_does(human, marks, walk) -> None:
    order = marks.only((*(name for name in marks.names if name != "LHEE"), "LHEE"))
    count = len(order.names)
    used = np.ones((len(walk), count), dtype=bool)
    used[30:50, order.names.index("LTOE")] = False
    (with_heel,) = gap_notes(human, order, count - 1, walk, used, LONGEST)  # the heel stands for a joint centre
    assert "left_ankle_flexion" not in with_heel.text
    used[30:35, -1] = False
    (without,) = gap_notes(human, order, count, walk, used, LONGEST)
    assert "left_ankle_flexion" in without.text
    assert without.subject == "marker LTOE"


def test_short_gaps_and_frames_without_a_fit_are_not_named(human, marks, walk) -> None:
    q = walk.copy()
    q[30:] = np.nan
    assert not notes_without(human, marks, walk, ["LTOE"], np.arange(30, 30 + LONGEST))
    assert not notes_without(human, marks, q, ["LTOE"], np.arange(30, 50))
