"""What is written to a C3D file is what another reader finds in it."""

from __future__ import annotations

from pathlib import Path

import ezc3d
import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.errors import AcquisitionError
from pipeline.math3d import Wrench, rotation_about
from pipeline.synthetic import PROCESSING, AnalogData, PlateSetup, write_c3d
from pipeline.trial import Event

RATE, ANALOG_RATE, N_FRAMES = 100.0, 1000.0, 7
EVENT = Event(0.2, "left", "initial contact", "file")


def _plate(kind: int, rng: np.random.Generator, metres_per_unit: float) -> PlateSetup:
    """A plate in general position: tilted, turned, off the origin, its surface centre apart from its transducer."""
    quadrants = np.array([[0.2, 0.3, 0.0], [-0.2, 0.3, 0.0], [-0.2, -0.3, 0.0], [0.2, -0.3, 0.0]])
    R_LP = rotation_about(np.array([0.3, 1.0, 0.1]), 2.7) @ rotation_about(np.array([0.0, 0.0, 1.0]), 0.4 * kind)
    corners_L = np.array([0.3, -1.2, 0.15]) * kind + quadrants @ R_LP.T
    calibration = np.diag([250.0, 250.0, 900.0, *np.array([400.0, 300.0, 200.0]) / metres_per_unit]) @ (
        np.eye(6) + 0.05 * rng.standard_normal((6, 6))
    )
    return PlateSetup(corners_L, np.array([0.011, -0.007, -0.043]), kind, calibration)


def _load(rng: np.random.Generator, plate: PlateSetup) -> Wrench:
    n = round(N_FRAMES * ANALOG_RATE / RATE)
    return Wrench(
        np.array([30.0, -40.0, 700.0]) + 50 * rng.standard_normal((n, 3)),
        20 * rng.standard_normal((n, 3)),
        plate.centre_L + 0.1 * rng.standard_normal((n, 3)),
    )


@pytest.mark.parametrize("units", ["mm", "m"])
def test_ezc3d_finds_the_markers_and_the_wrench_of_plates_in_general_position(tmp_path, units):
    """ezc3d applies the plate equations itself; its force and its moment about the centre of the surface are ours."""
    rng = np.random.default_rng(3)
    markers_L = rng.standard_normal((N_FRAMES, 3, 3))
    scale = {"mm": 1e-3, "m": 1.0}[units]
    plates = [_plate(2, rng, scale), _plate(4, rng, scale)]
    loads = [_load(rng, plate) for plate in plates]
    path = tmp_path / "a.c3d"
    write_c3d(
        path,
        marker_names=["A", "B", "C"],
        markers_L=markers_L,
        rate=RATE,
        analog=AnalogData(ANALOG_RATE, plates, loads),
        units=units,
    )
    read = ezc3d.c3d(str(path), extract_forceplat_data=True)

    np.testing.assert_allclose(
        scale * np.moveaxis(read["data"]["points"][:3], (0, 1, 2), (2, 1, 0)), markers_L, rtol=1e-6, atol=1e-7
    )  # float32
    for stored, plate, load in zip(read["data"]["platform"], plates, loads, strict=True):
        expected = load.about(plate.centre_L)
        # float32 channels of about 1e3 N and 1e2 Nm carry seven digits.
        np.testing.assert_allclose(stored["force"].T, expected.force_G, atol=5e-4)
        np.testing.assert_allclose(scale * stored["moment"].T, expected.moment_G, atol=5e-4)


def test_gaps_events_parameters_channels_and_first_frame_survive(tmp_path):
    markers_L = np.arange(N_FRAMES * 6.0).reshape(N_FRAMES, 2, 3)
    markers_L[2, 1] = np.nan
    emg = np.linspace(-1.0, 1.0, 70)[:, None]
    path = tmp_path / "b.c3d"
    write_c3d(
        path,
        marker_names=["A", "B"],
        markers_L=markers_L,
        rate=RATE,
        analog=AnalogData(ANALOG_RATE, names=["EMG1"], units=["V"], values=emg),
        events=[Event(0.05, "right", "foot off", "truth"), Event(0.02, "left", "initial contact", "truth")],
        parameters={PROCESSING: {"Bodymass": 72.0, "LLegLength": 905.0}},
        first_frame=6101,
    )
    read = ezc3d.c3d(str(path))
    points, parameters = read["data"]["points"], read["parameters"]
    assert np.isnan(points[:3, 1, 2]).all()
    assert np.isfinite(np.delete(points[:3].reshape(3, -1), N_FRAMES + 2, axis=1)).all()
    assert read["data"]["meta_points"]["residuals"][0, 1, 2] < 0
    np.testing.assert_allclose(read["data"]["analogs"][0].T, emg, atol=1e-7)
    assert read["header"]["points"]["first_frame"] == 6100
    assert parameters["PROCESSING"]["LLegLength"]["value"] == [905.0]
    assert parameters["EVENT"]["CONTEXTS"]["value"] == ["Left", "Right"]
    assert parameters["EVENT"]["LABELS"]["value"] == ["Foot Strike", "Foot Off"]
    # 6100 frames at 100 Hz are one minute and one second.
    np.testing.assert_allclose(parameters["EVENT"]["TIMES"]["value"], [[1.0, 1.0], [1.02, 1.05]], atol=1e-5)


def test_the_same_input_gives_the_same_bytes(tmp_path):
    for name in ("a.c3d", "b.c3d"):
        write_c3d(tmp_path / name, marker_names=["A"], markers_L=np.ones((4, 1, 3)), rate=RATE)
    assert (tmp_path / "a.c3d").read_bytes() == (tmp_path / "b.c3d").read_bytes()


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"units": "cm"}, "unit of length 'cm'"),
        ({"marker_names": ["A", "A"]}, "unique labels"),
        ({"analog": AnalogData(150.0)}, "not a multiple"),
        ({"analog": AnalogData(1000.0, names=["E"], units=["V"], values=np.zeros((3, 1)))}, "expected"),
        ({"analog": AnalogData(plates=[PlateSetup(np.eye(4, 3))])}, "0 loads for 1 force plates"),
    ],
)
def test_input_that_does_not_fit_together_is_refused_by_name(tmp_path, change, problem):
    whole = {"marker_names": ["A", "B"], "markers_L": np.zeros((4, 2, 3)), "rate": RATE}
    with pytest.raises(AcquisitionError, match=rf"bad\.c3d: .*{problem}"):
        write_c3d(tmp_path / "bad.c3d", **(whole | change))


def test_a_plate_of_a_type_that_cannot_be_written_is_refused():
    with pytest.raises(AcquisitionError, match="type 3 cannot be written"):
        PlateSetup(np.eye(4, 3), type=3)


@pytest.mark.parametrize(("first", "frames"), [(1, 70000), (60000, 10000), (70000, 100), (65436, 100), (65437, 100)])
def test_frames_beyond_the_16_bits_of_the_header_keep_their_number(tmp_path, first, frames):
    """Without the group TRIAL, frame 70000 would be 4464, and events, which count from frame 1, outside the file."""
    path = tmp_path / "long.c3d"
    markers_L = np.ones((frames, 1, 3))
    write_c3d(path, marker_names=["A"], markers_L=markers_L, rate=200.0, first_frame=first, events=[EVENT])
    trial = read_trial(path)
    assert (trial.first_frame, len(trial.time)) == (first, frames)
    assert [event.time for event in trial.events] == pytest.approx([EVENT.time], abs=1e-3)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_told(tmp_path):
    """The C3D library ignores that a file could not be written."""
    (tmp_path / "full.c3d").symlink_to("/dev/full")
    with pytest.raises(OSError, match="No space left"):
        write_c3d(tmp_path / "full.c3d", marker_names=["A"], markers_L=np.ones((9, 1, 3)), rate=100.0)


def test_an_earlier_file_is_not_taken_for_one_that_could_not_be_written(tmp_path, monkeypatch):
    trial = {"marker_names": ["A"], "markers_L": np.ones((9, 1, 3)), "rate": 100.0}
    write_c3d(tmp_path / "walk.c3d", **trial)
    monkeypatch.setattr(ezc3d.c3d, "write", lambda *_: None)
    with pytest.raises(OSError, match="No space left"):
        write_c3d(tmp_path / "walk.c3d", **trial)
