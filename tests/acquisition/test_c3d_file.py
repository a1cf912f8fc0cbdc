"""Content of C3D files against the C3D library, and against numbers packed by hand in every number format."""

from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition.c3d_file import C3DFile, read_c3d
from tests.acquisition.c3d_bytes import DEC, PC, SGI, c3d_bytes

ROOT = Path(__file__).resolve().parents[2]
MEASURED = (
    "zoo_HC032A/HC032A03.c3d",
    "nantes/PiG_Motion3_FF.c3d",
    "ist_metres/Gait with EMG.c3d",
    "edge/byteorder/DEC_INT.C3D",
    "edge/byteorder/Dec_real.c3d",
    "edge/labels_params/sub_labels.c3d",
    "edge/platetype/TYPE-4.C3D",
    "edge/platetype/analogfpscale04i.c3d",
)


def assert_is_what_the_library_reads(path: Path) -> None:
    import ezc3d

    file = read_c3d(path.name, path.read_bytes())
    library = ezc3d.c3d(str(path))
    np.testing.assert_array_equal(file.points, library["data"]["points"][:3].transpose(2, 1, 0))
    np.testing.assert_array_equal(file.analog, library["data"]["analogs"][0].T)
    assert np.isfinite(file.points).any()
    assert file.analog.any()
    compared = 0
    for (group, key), spelling in file.spelling.items():
        ours = file.groups[group][key]
        theirs = next(members for name, members in library["parameters"].items() if name.upper() == group)[spelling]
        theirs = theirs["value"]
        if isinstance(ours, list):
            # The library drops lists of empty texts.
            assert ours == [text.strip(" \0\t\r\n") for text in theirs] or not any(ours), (group, key)
        else:
            np.testing.assert_array_equal(ours, theirs, err_msg=f"{group}:{key}")
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("name", ["walk", "static"])
def test_the_demo_is_read_as_by_the_library(name):
    assert_is_what_the_library_reads(ROOT / f"data/demo/{name}.c3d")


@pytest.mark.long
@pytest.mark.parametrize("name", MEASURED)
def test_measured_trials_are_read_as_by_the_library(trials, name):
    assert_is_what_the_library_reads(trials / name)


def read(content: bytes) -> C3DFile:
    return read_c3d("trial.c3d", content)


@pytest.mark.parametrize("processor", [PC, DEC, SGI])
@pytest.mark.parametrize("scale", [-1.0, 0.25])
def test_points_and_signals_are_read_in_every_number_format(processor, scale):
    """Values are multiples of a quarter, which all formats hold exactly."""
    points = np.array([[[100, -200, 300, 0], [4, 5, 6, -1]], [[-1.0, 2, 3, 0], [7, 8, 9, 1]]])
    analog = np.array([[[10.0, -20], [30, 40]], [[-32768, 32767], [0, 1]]])
    settings = {"ANALOG": {"GEN_SCALE": 0.5, "SCALE": np.array([2.0, -0.25]), "OFFSET": np.array([10, -4])}}
    file = read(c3d_bytes(points, analog, scale=scale, processor=processor, groups=settings))
    expected = points[..., :3] * (scale if scale > 0.0 else 1.0)
    expected[0, 1] = np.nan  # negative residual
    np.testing.assert_array_equal(file.points, expected)
    np.testing.assert_array_equal(file.analog, [[0, 2], [20, -5.5], [-32778, -4096.375], [-10, -0.625]])
    assert file.analog_rate == 200.0


def test_unsigned_counts_and_offsets_reach_beyond_32767():
    """Mid-range of an unsigned 16-bit converter is 32768, which a signed integer has as -32768."""
    analog = np.array([32768, 32768 + 5, 65535, 0]).reshape(2, 2, 1)
    settings = {"ANALOG": {"FORMAT": "UNSIGNED", "OFFSET": np.array([32768])}}
    file = read(c3d_bytes(np.ones((2, 1, 4)), analog, scale=1.0, groups=settings))
    np.testing.assert_array_equal(file.analog[:, 0], [0, 5, 32767, -32768])


@pytest.mark.parametrize("length", [127, 128, 255])
def test_descriptions_of_any_length_are_passed_over(length):
    """A signed byte would take lengths from 128 on for negative ones; the C3D library does and ends the process."""
    file = read(c3d_bytes(np.ones((2, 1, 4)), descriptions={"LABELS": "x" * length, "RATE": "y" * length}))
    assert file.texts("POINT", "LABELS") == ["M1"]
    assert file.text("POINT", "UNITS") == "mm"


def test_channels_without_a_scale_keep_their_counts_and_are_noted():
    analog = np.array([[[3.0, 4.0]]])
    file = read(c3d_bytes(np.ones((1, 1, 4)), analog, groups={"ANALOG": {"SCALE": np.array([2.0]), "OFFSET": None}}))
    np.testing.assert_array_equal(file.analog, [[6.0, 4.0]])
    assert [note.text.split(",")[0] for note in file.notes] == [
        "ANALOG:OFFSET has 0 values for 2 channels",
        "ANALOG:SCALE has 1 values for 2 channels",
    ]


def test_a_file_without_points_holds_its_signals():
    file = read(c3d_bytes(np.zeros((3, 0, 4)), np.arange(6.0).reshape(3, 2, 1)))
    assert file.points.shape == (3, 0, 3)
    np.testing.assert_array_equal(file.analog[:, 0], np.arange(6.0))
