"""A part of a recording: it is what a file of these frames alone would be, with the axes of its own way."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.acquisition.part import frames_of
from pipeline.errors import AcquisitionError
from pipeline.synthetic import walk
from pipeline.trial import Part, RawTrial
from tests.acquisition.there_and_back import write_there_and_back


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, RawTrial]]:
    """The recording, and each way read from a file of its own."""
    folder = tmp_path_factory.mktemp("part")
    there, back = walk(), walk("walk_back", first_side="right", back=True)
    write_there_and_back(folder / "both.c3d", there, back)
    for way in (there, back):
        way.write(folder / f"{way.name}.c3d")
    return folder / "both.c3d", {way.name: read_trial(folder / f"{way.name}.c3d") for way in (there, back)}


@pytest.mark.parametrize(("name", "part", "first"), [("walk", Part(0.0, 3.09), 41), ("walk_back", Part(4.1), 451)])
def test_each_way_of_a_recording_is_as_if_it_were_a_file_of_its_own(
    both: tuple[Path, dict[str, RawTrial]], name: str, part: Part, first: int
) -> None:
    path, ways = both
    read, alone = read_trial(path, part=part), ways[name]
    assert read.first_frame == first
    for values in ("time", "analog_time", "R_GL", "markers_G"):
        np.testing.assert_allclose(getattr(read, values), getattr(alone, values), atol=1e-6)  # 32-bit file in mm
    np.testing.assert_allclose(read.analog, alone.analog, atol=1e-4)  # N
    for plate, own in zip(read.plates, alone.plates, strict=True):
        np.testing.assert_allclose(plate.wrench.force_G, own.wrench.force_G, atol=0.01)  # N; the baseline is of all
    assert [(event.side, event.kind) for event in read.events] == [(e.side, e.kind) for e in alone.events]
    np.testing.assert_allclose([e.time for e in read.events], [e.time for e in alone.events], atol=1e-6)
    assert any(note.subject == "part" for note in read.notes)


def test_events_from_the_first_frame_to_the_last_are_the_part_s(both: tuple[Path, dict[str, RawTrial]]) -> None:
    """A part that ends a frame before an event, and one that ends with the frame after it."""
    event = read_trial(both[0]).events[4]
    frame = round(event.time * 100.0)
    for last, held in ((frame - 1, False), (frame + 1, True)):
        read = read_trial(both[0], part=Part(0.5, last / 100.0))
        assert any(abs(own.time + 0.5 - event.time) < 1e-6 for own in read.events) == held


@pytest.mark.parametrize(
    ("part", "told"),
    [
        (Part(0.0, 8.0), "8 s is not within the recording, which lasts 7.190 s"),
        (Part(9.0), "9 s is not within the recording"),
        (Part(1.0, 1.004), "'1-1.004' holds fewer than two frames at 100 Hz"),
    ],
)
def test_a_part_outside_the_recording_is_refused(both: tuple[Path, dict[str, RawTrial]], part: Part, told: str) -> None:
    with pytest.raises(AcquisitionError, match=told):
        read_trial(both[0], part=part)


@pytest.mark.parametrize("rate", [50.0, 120.0])
def test_times_of_a_part_are_those_of_the_frames_between_them(rate: float) -> None:
    """In frames: within a thousandth of a frame it is that frame; half of one past the end is the end."""
    for begin, end, first, stop in (
        (10.0, 20.0, 10, 21),
        (10.0005, 19.9995, 10, 21),
        (10.002, 19.998, 11, 20),
        (9.998, 20.002, 10, 21),
        (0.0, 99.4, 0, 100),
    ):
        frames, (note,) = frames_of(Part(begin / rate, end / rate), 100, rate, "walk.c3d")
        assert frames == slice(first, stop), (begin, end)
        assert f"{stop - first} of its 100 frames" in note.text
    with pytest.raises(AcquisitionError, match="is not within the recording"):
        frames_of(Part(0.0, 99.6 / rate), 100, rate, "walk.c3d")
    with pytest.raises(AcquisitionError, match="fewer than two frames"):
        frames_of(Part(10.1 / rate, 11.9 / rate), 100, rate, "walk.c3d")
