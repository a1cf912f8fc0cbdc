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


WORDS = {
    ("lateral_knee", 0.5): ["lateralknee", "lateralepicondyle", "latknee", "lkn", "lkne", "lfe", "lfep", "latfemepi"],
    ("medial_knee", 0.5): ["medialknee", "medialepicondyle", "mkn", "mkne", "mfe", "medfemepi", "kneemed"],
    ("lateral_ankle", 0.08): ["lateralmalleolus", "latmal", "lank", "lmall", "malleoluslat", "malleolus", "ankle"],
    ("medial_ankle", 0.08): ["medialmalleolus", "medmal", "mank", "malleolusmed"],
    ("first_metatarsal", 0.02): ["1mt", "1stmet", "met1", "d1m", "mt1"],
    ("fifth_metatarsal", 0.02): ["5mt", "5thmet", "met5", "d5m", "mt5", "5meta"],
    ("toe", 0.02): ["toe", "toe2", "2mt", "met2", "d2m"],
    ("trochanter", 0.9): ["greatertrochanter", "gtr", "troch"],
}
"""By landmark and height: how laboratories write it, in words or short, without the side."""


@pytest.mark.parametrize(("known", "stems"), WORDS.items(), ids=lambda value: str(value)[:20])
def test_a_landmark_has_many_names(known, stems):
    landmark, height = known
    assert {stem: _named(stem, "left", height) for stem in stems} == dict.fromkeys(stems, landmark)


def test_the_iliac_crest_is_on_the_pelvis():
    """Not on the thigh, from which its distances vary little in a walk."""
    assert SEGMENT["iliac_crest"] == "pelvis"
