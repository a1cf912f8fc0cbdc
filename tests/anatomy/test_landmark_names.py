"""Labels of laboratories and the landmarks that they are taken for, by name and height alone."""

from __future__ import annotations

import pytest

from pipeline.anatomy.landmark_guesses import SEGMENT, _named


@pytest.mark.parametrize(
    ("stem", "side", "height", "landmark"),
    [
        ("epi", "left", 0.5, "lateral_knee"),
        ("kneelat", "right", 0.5, "lateral_knee"),
        ("epimed", "right", 0.5, "medial_knee"),
        ("iliac", "left", 1.1, "iliac_crest"),
        ("c7", "", 1.5, "seventh_cervical"),
        ("acromion", "right", 1.45, "acromion"),
    ],
)
def test_a_name_at_its_height_is_believed(stem, side, height, landmark):
    assert _named(stem, side, height) == landmark
    assert _named(stem, side, 0.0) is None, "on the floor"


def test_the_iliac_crest_is_on_the_pelvis():
    """Not on the thigh, from which its distances vary little in a walk."""
    assert SEGMENT["iliac_crest"] == "pelvis"
