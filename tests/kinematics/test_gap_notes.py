"""Notes on markers that are not seen: one for the same frames, and a warning only where the legs need them."""

from __future__ import annotations

from pipeline.kinematics.notes import gaps_together
from pipeline.trial import Note

GAP = "not seen in frames 1-9, at an end of the trial, so not filled"


def gap(name, text=GAP):
    return Note("warning", f"marker {name}", text)


def test_markers_that_are_missing_together_are_one_note(plug_in_gait):
    others = Note("filled", "marker LKNE", "filled"), Note("warning", "plate 1", "off")
    found = list(gaps_together([*others, gap("LKNE"), gap("LANK"), gap("T10"), gap("C7")], plug_in_gait))
    assert found[:2] == list(others)
    assert found[2:] == [Note("warning", "markers LKNE, LANK", GAP), Note("left out", "markers T10, C7", GAP)]


def test_frames_without_the_body_are_no_warning(plug_in_gait):
    (note,) = gaps_together([gap(name) for name in sorted(plug_in_gait.labels)], plug_in_gait)
    assert note.kind == "info"


def test_gaps_in_other_frames_are_other_notes(plug_in_gait):
    assert len(list(gaps_together([gap("LKNE"), gap("LANK", "not seen in any frame")], plug_in_gait))) == 2
