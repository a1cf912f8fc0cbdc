"""Notes on coordinates at their limits: a warning where a foot moves with them, else for information."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.inverse_kinematics import Observability
from pipeline.skeleton import load_skeleton
from pipeline.whole_body.notes import limit_notes

SKELETON = Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml"


@pytest.fixture(scope="module")
def human():
    return load_skeleton(SKELETON, mass=70.0, height=1.75, sex="female")


def test_coordinates_of_pelvis_and_legs_warn_at_their_limits_and_those_above_inform(human):
    """A shoulder girdle at its limit changes no load of the legs, which come from the ground."""
    names = ("pelvis_tilt", "left_knee_flexion", "right_toe_extension", "left_clavicle_elevation", "spine1_bending")
    at_limit = np.zeros(len(human))
    at_limit[[human.joint_names.index(name) for name in names]] = 0.9
    seen = Observability(54, (("spine1_bending",),), np.zeros(len(human)))
    kinds = {note.subject.removeprefix("coordinate "): note.kind for note in limit_notes(human, at_limit, seen)}
    assert kinds == {
        "pelvis_tilt": "warning",
        "left_knee_flexion": "warning",
        "right_toe_extension": "warning",
        "left_clavicle_elevation": "info",
    }


def test_a_foot_moves_with_the_joints_of_pelvis_and_legs_alone(human):
    moving = {name for name, moves in zip(human.joint_names, human.moves_feet, strict=True) if moves}
    assert all(name.startswith(("pelvis", "left_", "right_")) for name in moving)
    assert {name.partition("_")[2].partition("_")[0] for name in moving if not name.startswith("pelvis")} == {
        *("hip", "knee", "ankle", "toe")
    }
    assert len(moving) == 6 + 2 * 7
