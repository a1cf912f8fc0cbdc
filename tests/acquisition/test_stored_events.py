"""Events stored in C3D files: in the group EVENT and in the header, under the names of several programs."""

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.acquisition.stored_events import named_event
from tests.acquisition.c3d_bytes import DEC, PC, SGI, c3d_bytes
from tests.acquisition.small_trials import notes_of, positions


def stored(*times, labels="Foot Strike", contexts="Left"):
    """The group EVENT with events at these times, s; labels and contexts are those of all, or lists."""
    labels, contexts = ([value] * len(times) if isinstance(value, str) else value for value in (labels, contexts))
    minutes_and_seconds = np.array([np.trunc(np.divide(times, 60.0)), np.fmod(times, 60.0)])
    return {"EVENT": {"USED": [len(times)], "TIMES": minutes_and_seconds, "LABELS": labels, "CONTEXTS": contexts}}


def test_events_count_from_the_first_frame_and_others_are_noted(write_c3d):
    events = stored(
        0.15, 60.05, 0.02, labels=["Foot Off", "Foot Strike", "Event"], contexts=["Left", "Right", "General"]
    )
    trial = read_trial(write_c3d(positions(1), ["LASI"], groups=events, rate=0.25))  # 80 s
    assert [(event.side, event.kind, event.source) for event in trial.events] == [
        ("left", "foot off", "file"),
        ("right", "initial contact", "file"),
    ]
    np.testing.assert_allclose([event.time for event in trial.events], [0.15, 60.05], rtol=1e-6)
    assert "General Event at 0.020 s" in notes_of(trial, "events")


def test_events_outside_the_recording_are_left_out_by_name(write_c3d):
    """As a cropped file may hold them: 20 frames at 100 Hz end at 0.2 s."""
    trial = read_trial(write_c3d(positions(1), ["LASI"], groups=stored(-0.31, 0.0, 0.19, 0.2)))
    np.testing.assert_allclose([event.time for event in trial.events], [0.0, 0.19], atol=1e-6)
    noted = notes_of(trial, "events")
    assert "warning: not used because they are outside the 0.200 s that the file holds: Left" in noted, "first, why"
    assert "Left Foot Strike at -0.310 s; Left Foot Strike at 0.200 s; correct them" in noted


@pytest.mark.parametrize("rate", [50.0, 200.0])
def test_an_event_up_to_half_a_frame_before_the_first_one_is_of_the_recording(write_c3d, rate):
    times = np.array([-0.6, -0.4, 3.0]) / rate
    trial = read_trial(write_c3d(positions(1), ["LASI"], groups=stored(*times), rate=rate))
    np.testing.assert_allclose([event.time for event in trial.events], times[1:], atol=1e-6)


def test_events_without_a_side_are_noted_and_a_single_one_is_read(write_c3d):
    trial = read_trial(write_c3d(positions(1), ["LASI"], groups=stored(0.1, contexts=[])))
    assert not trial.events
    assert "Foot Strike at 0.100 s" in notes_of(trial, "events")
    single = {"USED": [1], "TIMES": np.array([0.0, 0.1]), "LABELS": ["Foot Strike"], "CONTEXTS": ["Left"]}
    (event,) = read_trial(write_c3d(positions(1), ["LASI"], groups={"EVENT": single})).events
    assert event.time == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("context", "label", "expected"),
    [
        ("Left", "Foot Strike", ("left", "initial contact")),
        ("RIGHT", "heel_strike", ("right", "initial contact")),
        ("L", "Toe-Off", ("left", "foot off")),
        ("", "RHS", ("right", "initial contact")),
        ("General", "LTO", ("left", "foot off")),
        ("", "RON", ("right", "initial contact")),
        ("", "Left Initial Contact", ("left", "initial contact")),
        ("", "TO_R", ("right", "foot off")),
        ("Left", "LFO", ("left", "foot off")),
        ("Left", "RHS", ("", "initial contact")),
        ("", "HS", ("", "initial contact")),
        ("Links", "Foot Strike", ("left", "initial contact")),
        ("Droite", "Foot Off", ("right", "foot off")),
        ("Gauche", "LHS", ("left", "initial contact")),
        ("Links", "RHS", ("", "initial contact")),
        ("G", "Foot Strike", ("", "initial contact")),
        ("General", "Event", ("", "")),
        ("Right", "eFS", ("", "")),
        ("", "STOP", ("", "")),
        ("", "RMS", ("", "")),
        ("", "LTOE", ("", "")),
    ],
)
def test_side_and_kind_come_from_context_and_label(context, label, expected):
    assert named_event(context, label) == expected


@pytest.mark.parametrize("processor", [PC, DEC, SGI])
def test_events_of_the_header_count_from_the_first_frame_that_the_file_holds(tmp_path, processor):
    """Unlike those of the group EVENT, which count from frame 1: here the file begins with frame 51."""
    path = tmp_path / "walk.c3d"
    points = np.concatenate([positions(1), np.zeros((20, 1, 1))], axis=-1)
    events = {"RHS": 0.05, "": 0.0, "STRT": 0.0, "LTO": 0.125, "LHS": 0.3}
    frames = {"first": 51, "last": 70}
    path.write_bytes(c3d_bytes(points, processor=processor, header=frames, header_events=events, groups=stored(0.59)))
    trial = read_trial(path)
    assert [(event.side, event.kind, round(event.time, 6)) for event in trial.events] == [
        ("right", "initial contact", 0.05),
        ("left", "initial contact", 0.09),
        ("left", "foot off", 0.125),
    ]
    assert "outside the 0.200 s that the file holds: LHS at 0.300 s" in notes_of(trial, "events")
    assert "not initial contacts or foot offs of a side: STRT at 0.000 s" in notes_of(trial, "events")


def test_a_header_without_the_key_of_four_character_labels_has_no_events(tmp_path):
    path = tmp_path / "walk.c3d"
    points = np.concatenate([positions(1), np.zeros((20, 1, 1))], axis=-1)
    content = bytearray(c3d_bytes(points, header_events={"RHS": 0.05}))
    content[298:300] = b"\0\0"
    path.write_bytes(content)
    assert not read_trial(path).events


@pytest.mark.parametrize("name", ["pc_int.c3d", "pc_real.c3d", "Dec_real.c3d"])
def test_the_header_of_a_measured_walk_agrees_with_its_plate(trials, name):
    """The file's contacts are within 20 ms, a frame at 50 Hz, of where the load of a plate passes 20 N."""
    trial = read_trial(trials / "edge/byteorder" / name)
    found = {(event.side, event.kind): event.time for event in trial.events}
    assert len(found) == 4
    loads = [np.linalg.norm(plate.wrench.force_G, axis=1) > 20.0 for plate in trial.plates]
    onsets = [trial.analog_time[np.flatnonzero(loaded)[0]] for loaded in loads if loaded.any()]
    for onset in onsets:
        assert min(abs(found[side, "initial contact"] - onset) for side in ("left", "right")) < 0.02
