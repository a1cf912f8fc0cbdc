"""Header and parameters that contradict each other: mended by the file's size and the others, or one clear error."""

import numpy as np
import pytest

from pipeline.acquisition.c3d_file import C3DFile, read_c3d
from pipeline.errors import AcquisitionError
from tests.acquisition.c3d_bytes import c3d_bytes

FRAMES, POINTS, SAMPLES, CHANNELS = 60, 5, 4, 6
RNG = np.random.default_rng(9)
XYZ = RNG.integers(-900, 900, (FRAMES, POINTS, 4)).astype(float) * [1, 1, 1, 0]
ANALOG = RNG.integers(-900, 900, (FRAMES, SAMPLES, CHANNELS)).astype(float)


def read(**change) -> tuple[C3DFile, list[str]]:
    file = read_c3d("trial.c3d", c3d_bytes(XYZ, ANALOG, **change))
    return file, [note.text for note in file.notes if note.kind == "warning"]


def assert_is_whole(file: C3DFile, scale: float = 1.0) -> None:
    np.testing.assert_array_equal(file.points, scale * XYZ[..., :3])
    np.testing.assert_array_equal(file.analog, ANALOG.reshape(-1, CHANNELS))


def test_a_consistent_file_raises_no_warning():
    for scale in (-1.0, 1.0):
        file, texts = read(scale=scale)
        assert_is_whole(file)
        assert texts == []


@pytest.mark.parametrize("scale", [-1.0, 0.5])
@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"header": {"points": 7}}, "the header declares 7 points in each frame, POINT:USED 5"),
        ({"groups": {"POINT": {"USED": 3}}}, "the header declares 5 points in each frame, POINT:USED 3"),
        ({"header": {"last": 49}}, "the header declares 49 frames (1 to 49), POINT:FRAMES 60"),
        ({"groups": {"POINT": {"FRAMES": 75}}}, "the header declares 60 frames (1 to 60), POINT:FRAMES 75"),
        ({"header": {"samples": 1}}, "24 analog values and 1 samples of a channel"),
        ({"header": {"analog": 6}}, "6 analog values and 4 samples of a channel"),
        ({"groups": {"ANALOG": {"USED": 8}}}, "ANALOG:USED 8 channels"),
    ],
)
def test_the_layout_is_the_one_that_fills_the_file(scale, change, named):
    file, (text,) = read(scale=scale, **change)
    assert_is_whole(file, abs(scale))
    assert named in text
    assert "60 frames of 5 points and 6 channels with 4 samples" in text


@pytest.mark.parametrize(("scale", "says"), [(-1.0, 1.0), (0.5, -0.5)])
@pytest.mark.parametrize("where", ["header", "POINT:SCALE"])
def test_the_sign_of_the_scale_is_decided_by_the_size_of_the_file(scale, says, where):
    change = {"header": {"scale": says}} if where == "header" else {"groups": {"POINT": {"SCALE": says}}}
    file, (text,) = read(scale=scale, **change)
    # Where POINT:SCALE has the wrong sign, the size of a count is the header's.
    assert_is_whole(file, abs(scale))
    assert f"as {'integers' if scale > 0.0 else 'real numbers'}, are used" in text


def test_scales_of_integers_that_differ_are_named_with_the_factor_of_all_lengths():
    file, (text,) = read(scale=0.5, header={"scale": 0.25})
    assert_is_whole(file, 0.5)
    assert "would make all lengths 0.5 times as large" in text


def test_a_layout_that_nothing_decides_is_refused():
    content = c3d_bytes(XYZ, ANALOG, header={"points": 7}) + bytes(4000)
    with pytest.raises(AcquisitionError, match=r"7 points in each frame, POINT:USED 5, and its size of .* fits none"):
        read_c3d("trial.c3d", content)


@pytest.mark.parametrize(
    ("change", "taken", "named"),
    [
        ({"header": {"rate": 200.0}}, 100.0, "200 frames per second, POINT:RATE 100; 100 is used, with which"),
        ({"groups": {"POINT": {"RATE": 50.0}}}, 100.0, "POINT:RATE 50; 100 is used, with which ANALOG:RATE (400 Hz)"),
        (
            {"groups": {"POINT": {"RATE": 50.0}, "ANALOG": {"RATE": None}}},
            50.0,
            "50 is used, as the format prescribes",
        ),
        ({"groups": {"ANALOG": {"RATE": 410.0}}}, 100.0, "ANALOG:RATE is 410 Hz, but the file stores 4 samples"),
    ],
)
def test_rates_that_contradict_each_other_are_named_and_the_majority_taken(change, taken, named):
    file, texts = read(**change)
    assert_is_whole(file)
    assert file.layout.rate == taken
    assert file.analog_rate == SAMPLES * taken
    assert any(named in text for text in texts)


@pytest.mark.parametrize("rate", [0.0, 99.95, float("nan")])
def test_a_header_without_a_rate_or_with_the_rounded_one_is_no_contradiction(rate):
    file, texts = read(header={"rate": rate})
    assert (file.layout.rate, texts) == (100.0, [])


def test_an_analog_rate_of_twice_the_samples_is_named_whatever_the_header_says():
    file, texts = read(groups={"ANALOG": {"RATE": 800.0}})
    assert_is_whole(file)
    assert file.analog_rate == 400.0
    (text,) = texts
    assert "ANALOG:RATE is 800 Hz, but the file stores 4 samples in each frame" in text


def test_declared_channels_of_which_nothing_is_stored_are_no_channels():
    content = c3d_bytes(XYZ, groups={"ANALOG": {"USED": 6, "RATE": 1000.0, "SCALE": np.ones(6)}})
    file = read_c3d("trial.c3d", content)
    np.testing.assert_array_equal(file.points, XYZ[..., :3])
    assert (file.layout.channels, file.analog.shape) == (0, (0, 0))


@pytest.mark.parametrize(
    "change", [{"header": {"start": 2}}, {"header": {"start": 9}}, {"groups": {"POINT": {"DATA_START": 9}}}]
)
def test_a_wrong_start_of_the_data_is_mended_by_the_size_of_the_parameters(change):
    file, (text,) = read(**change)
    assert_is_whole(file)
    assert "which follows the parameters" in text


def test_samples_of_a_frame_that_neither_header_nor_rate_gives_follow_from_the_channels():
    file, (text,) = read(header={"samples": 0}, groups={"ANALOG": {"RATE": None}})
    assert_is_whole(file)
    assert "24 analog values and 0 samples of a channel" in text


def test_rates_of_which_one_is_rounded_give_the_samples_of_a_frame():
    """1200 Hz at 119.88 frames per second are ten samples, where the header has one of each channel, and 12 values."""
    analog = RNG.integers(-900, 900, (FRAMES, 10, CHANNELS)).astype(float)
    change = {"header": {"analog": 12, "samples": 1}, "groups": {"ANALOG": {"RATE": 1200.0}}}
    file = read_c3d("trial.c3d", c3d_bytes(XYZ, analog, rate=119.88, **change))
    np.testing.assert_array_equal(file.analog, analog.reshape(-1, CHANNELS))


@pytest.mark.parametrize("before", [1, 2])
def test_data_that_start_within_the_parameters_are_refused(before):
    """Their text fills two blocks and more; header and POINT:DATA_START agree."""
    long = {"SUBJECTS": {"NAMES": ["x" * 200] * 8}}
    start = read_c3d("trial.c3d", c3d_bytes(XYZ, ANALOG, groups=long)).layout.start // 512 + 1 - before
    content = c3d_bytes(XYZ, ANALOG, groups=long | {"POINT": {"DATA_START": start}}, header={"start": start})
    with pytest.raises(AcquisitionError, match=f"the data start at block {start}, outside the file or in its param"):
        read_c3d("trial.c3d", content)
