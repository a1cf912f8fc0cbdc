"""Notes on markers that are not seen: one for the same frames, and a warning only where the legs need them."""

from __future__ import annotations

import numpy as np

from pipeline.kinematics.notes import gaps_together
from pipeline.signals import fill_gaps
from pipeline.trial import Note

GAP = "any words on frames 1-9"


def gap(name, text=GAP):
    return Note("warning", f"marker {name}", text)


def test_markers_that_are_missing_together_are_one_note(plug_in_gait):
    filled = Note("filled", "marker LKNE", "filled")
    found = list(gaps_together([filled, gap("LKNE"), gap("LANK"), gap("T10"), gap("C7")], plug_in_gait))
    assert found == [filled, Note("warning", "markers LKNE, LANK", GAP), Note("left out", "markers T10, C7", GAP)]


def test_frames_without_the_body_are_no_warning(plug_in_gait):
    (note,) = gaps_together([gap(name) for name in sorted(plug_in_gait.labels)], plug_in_gait)
    assert note.kind == "info"


def test_gaps_in_other_frames_are_other_notes(plug_in_gait):
    assert len(list(gaps_together([gap("LKNE"), gap("LANK", "other words")], plug_in_gait))) == 2


def test_the_notes_of_filled_gaps_are_put_together(plug_in_gait):
    markers = np.zeros((300, 3, 3))
    markers[:100, :2] = np.nan
    _, _, notes = fill_gaps(markers, ("LKNE", "LANK", "RKNE"), 100.0, 0.1)
    (note,) = gaps_together(notes, plug_in_gait)
    assert (note.kind, note.subject) == ("warning", "markers LKNE, LANK")
