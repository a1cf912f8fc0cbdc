"""Segment poses of C3D files (group ROTATION), written by ezc3d: read as points, whatever else the file holds."""

from __future__ import annotations

from pathlib import Path

import ezc3d
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from pipeline.acquisition import plain_copy, read_trial
from pipeline.acquisition.layout import read_layout
from pipeline.errors import AcquisitionError

FRAMES, LABELS = 40, ("pelvis_4X4", "l_foot_4X4", "r_foot_4X4")
SINGLE = 1e-6
"""m; positions of a metre and axes are stored in single precision, mm."""


def poses(samples: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Rotations (T, N, 3, 3) and origins (T, N, 3) mm of segments in general position."""
    rng = np.random.default_rng(3)
    shape = (samples * FRAMES, len(LABELS))
    turned = Rotation.random(shape[0] * shape[1], random_state=3).as_matrix().reshape(*shape, 3, 3)
    return turned, 1000.0 * rng.uniform(-1.0, 1.0, (*shape, 3)) + [0.0, 0.0, 900.0]


def write(
    path: Path, turned: np.ndarray, origins: np.ndarray, *, samples: int = 1, unit: str = "mm", other: bool = False
) -> None:
    """The file, with a marker and two analog channels beside the poses where ``other``."""
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [100.0]
    file["parameters"]["POINT"]["UNITS"]["value"] = [unit]
    file["data"]["points"] = np.zeros((4, int(other), FRAMES))
    if other:
        file["parameters"]["POINT"]["LABELS"]["value"] = ["C7"]
        file["data"]["points"][:3, 0] = 1.0 + np.arange(FRAMES)
        file["parameters"]["ANALOG"]["RATE"]["value"] = [300.0]
        file["parameters"]["ANALOG"]["LABELS"]["value"] = ["a", "b"]
        file["data"]["analogs"] = np.arange(6.0 * FRAMES).reshape(1, 2, 3 * FRAMES)
    matrices = np.zeros((4, 4, len(LABELS), samples * FRAMES))
    matrices[:3, :3] = turned.transpose(2, 3, 1, 0)
    matrices[:3, 3] = origins.transpose(2, 1, 0)
    matrices[3, 3] = 1.0
    file["data"]["rotations"] = matrices
    file.add_parameter("ROTATION", "LABELS", list(LABELS))
    file.add_parameter("ROTATION", "RATE", [100.0 * samples])
    file.add_parameter("THEIA3D", "LHEEL_POS", [-11.0, -62.0, -35.0])
    file.write(str(path))


@pytest.mark.parametrize("other", [False, True])
@pytest.mark.parametrize("samples", [1, 3])
def test_poses_are_points_of_their_axes(tmp_path: Path, samples: int, *, other: bool) -> None:
    turned, origins = poses(samples)
    write(tmp_path / "walk.c3d", turned, origins, samples=samples, other=other)
    raw = read_trial(tmp_path / "walk.c3d")
    assert (len(raw.time), raw.rate) == (FRAMES, 100.0)
    for k, label in enumerate(LABELS):
        own_L = origins[::samples, k] / 1000.0
        assert raw.marker(label) @ raw.R_GL == pytest.approx(own_L, abs=SINGLE)
        for column, axis in enumerate("xyz"):
            expected = own_L + 0.1 * turned[::samples, k, :, column]
            assert raw.marker(f"{label}_{axis}") @ raw.R_GL == pytest.approx(expected, abs=SINGLE)
    foot = LABELS.index("l_foot_4X4")
    heel = origins[::samples, foot] / 1000.0 + turned[::samples, foot] @ [-0.011, -0.062, -0.035]
    assert raw.marker("LHEEL") @ raw.R_GL == pytest.approx(heel, abs=SINGLE)
    assert "RHEEL" not in raw.marker_names
    if other:
        assert (raw.marker("C7") @ raw.R_GL)[:, 1] == pytest.approx((1.0 + np.arange(FRAMES)) / 1000.0)
        assert raw.analog[:, 1] == pytest.approx(np.arange(3.0 * FRAMES, 6.0 * FRAMES))


def test_a_file_in_metres_is_read_in_metres(tmp_path: Path) -> None:
    turned, origins = poses()
    write(tmp_path / "walk.c3d", turned, origins / 1000.0, unit="m")
    raw = read_trial(tmp_path / "walk.c3d")
    assert raw.marker("pelvis_4X4") @ raw.R_GL == pytest.approx(origins[:, 0] / 1000.0, abs=SINGLE)
    assert np.linalg.norm(raw.marker("pelvis_4X4_y") - raw.marker("pelvis_4X4"), axis=1) == pytest.approx(
        0.1, abs=SINGLE
    )


def test_what_is_no_rotation_is_a_gap_and_noted(tmp_path: Path) -> None:
    """Skewed, reflected and lengthened axes; poses that were not found, which are no fault, are gaps too."""
    turned, origins = poses()
    turned[4, 0, 0] += 0.01
    turned[5, 0] *= -1.0
    turned[6, 0] *= 1.002
    turned[7, 0], origins[8, 0] = 0.0, np.nan
    write(tmp_path / "walk.c3d", turned, origins)
    raw = read_trial(tmp_path / "walk.c3d")
    seen = np.isfinite(raw.marker("pelvis_4X4_z")).all(axis=1)
    assert np.flatnonzero(~seen).tolist() == [4, 5, 6, 7, 8]
    assert np.isfinite(raw.marker("l_foot_4X4")).all()
    (note,) = [note for note in raw.notes if note.subject == "pelvis_4X4"]
    assert note.kind == "left out"
    assert "not a rotation in 3 of 40 frames, first in 5" in note.text


def test_a_file_that_lacks_poses_is_refused(tmp_path: Path) -> None:
    write(tmp_path / "walk.c3d", *poses())
    content = (tmp_path / "walk.c3d").read_bytes()
    (tmp_path / "walk.c3d").write_bytes(content[:-1500])
    with pytest.raises(AcquisitionError, match="declares 40 frames of 3 segment poses but holds 32: it is cut off"):
        read_trial(tmp_path / "walk.c3d")


def test_plain_copies_hold_poses_at_their_rate_in_pieces_of_bounded_memory(tmp_path: Path, monkeypatch) -> None:
    """A frame has a marker, two channels of three samples and two poses of three segments: 10 + 102 numbers."""
    write(tmp_path / "walk.c3d", *poses(2), samples=2, other=True)
    whole = read_layout("walk.c3d", (tmp_path / "walk.c3d").read_bytes())
    monkeypatch.setattr(plain_copy, "_PIECE", 4 * 112 * 15)
    pieces, _ = plain_copy.plain_copies(*whole)
    for (frames, copy), count in zip(pieces, (15, 15, 10), strict=True):
        layout, parameters = read_layout("copy.c3d", copy)
        assert layout.notes == ()
        assert (layout.frames, frames.start % 15) == (count, 0)
        assert layout.poses is not None
        assert len(copy) == layout.poses.start + 4 * 102 * count
        assert parameters.number("ROTATION", "RATE", 0.0) == 200.0


def test_a_file_of_poses_alone_that_gives_no_number_of_frames_has_as_many_as_fit(tmp_path: Path) -> None:
    """65535 frames, in header and parameter, stand for more than 16 bits hold."""
    write(tmp_path / "walk.c3d", *poses())
    content = bytearray((tmp_path / "walk.c3d").read_bytes())
    entry = read_layout("walk.c3d", bytes(content))[1].entries["POINT", "FRAMES"]
    content[8:10] = content[entry.start : entry.start + 2] = b"\xff\xff"
    assert read_layout("walk.c3d", bytes(content))[0].frames == FRAMES
