"""Content of C3D files, which the C3D library reads from plain copies, against numbers packed and decoded by hand."""

import struct
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from pipeline.acquisition import plain_copy
from pipeline.acquisition.c3d_file import C3DFile, read_c3d
from pipeline.acquisition.layout import read_layout
from pipeline.errors import AcquisitionError
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
    "edge/platetype/128analogchannels.c3d",
)
MEASURED_SGI = ("edge/byteorder/sgi_int.c3d", "edge/byteorder/sgi_real.c3d")
"""The library refuses these themselves."""


def decoded_by_hand(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """Points (T, N, 3) and unscaled samples (Ta, C) by the header alone, after the format's description."""
    content = path.read_bytes()
    processor = content[(content[0] - 1) * 512 + 3]
    order = ">" if processor == SGI else "<"

    def reals(start: int, count: int) -> np.ndarray:
        if processor != DEC:
            return np.frombuffer(content, order + "f4", count, start)
        halves = np.frombuffer(content, "<u2", 2 * count, start).reshape(-1, 2)
        return np.ascontiguousarray(halves[:, ::-1]).view("<f4").ravel() / 4.0  # VAX F

    count, values, first, last = struct.unpack_from(order + "4H", content, 2)
    start, samples = struct.unpack_from(order + "2H", content, 16)
    (scale,), frames = reals(12, 1), last - first + 1
    size = frames * (4 * count + values)
    if scale > 0.0:
        words = np.frombuffer(content, order + "i2", size, (start - 1) * 512).astype(float)
    else:
        words = reals((start - 1) * 512, size).astype(float)
    words = words.reshape(frames, -1)
    points = words[:, : 4 * count].reshape(frames, count, 4)
    points[points[..., 3] < 0.0] = np.nan
    samples_of_channels = words[:, 4 * count :].reshape(frames * samples, -1)
    return points[..., :3] * (scale if scale > 0.0 else 1.0), samples_of_channels


def assert_is_as_decoded_by_hand(path: Path) -> None:
    file = read_c3d(path.name, path.read_bytes())
    points, counts = decoded_by_hand(path)
    np.testing.assert_array_equal(file.points, points)
    channels = counts.shape[1]
    _, parameters = read_layout(path.name, path.read_bytes())
    offset, scale = (parameters.numbers("ANALOG", name)[:channels] for name in ("OFFSET", "SCALE"))
    general = parameters.number("ANALOG", "GEN_SCALE", 1.0)
    if file.text("ANALOG", "FORMAT") == "UNSIGNED":
        counts, offset = counts % 65536.0, offset % 65536.0
    np.testing.assert_array_equal(file.analog, (counts - offset) * scale * general)
    assert np.isfinite(file.points).any()
    assert file.analog.any()


def assert_parameters_are_those_of_the_library(path: Path) -> None:
    """The library reads the file itself, which is undamaged."""
    import ezc3d

    file = read_c3d(path.name, path.read_bytes())
    library = {group.upper(): members for group, members in ezc3d.c3d(str(path))["parameters"].items()}
    compared = 0
    for (group, key), entry in file.parameters.entries.items():
        theirs = library[group][entry.spelling]["value"]
        if isinstance(theirs, list):
            whole = replace(file.parameters, entries={(group, key): entry})  # without continuations
            ours = whole.texts(group, key)
            # Texts of no length are none here.
            assert ours == [text.strip(" \0\t\r\n") for text in theirs] or not any((*ours, *theirs)), (group, key)
        elif np.size(theirs) or file.numbers(group, key).size:
            np.testing.assert_array_equal(file.numbers(group, key), theirs, err_msg=f"{group}:{key}")
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("name", ["walk", "static"])
def test_the_demo_is_read_as_by_hand_with_the_parameters_of_the_library(name):
    assert_is_as_decoded_by_hand(ROOT / f"data/demo/{name}.c3d")
    assert_parameters_are_those_of_the_library(ROOT / f"data/demo/{name}.c3d")


@pytest.mark.long
@pytest.mark.parametrize("name", [*MEASURED, *MEASURED_SGI])
def test_measured_trials_are_read_as_by_hand(trials, name):
    assert_is_as_decoded_by_hand(trials / name)


@pytest.mark.long
@pytest.mark.parametrize("name", MEASURED)
def test_the_parameters_of_measured_trials_are_those_of_the_library(trials, name):
    assert_parameters_are_those_of_the_library(trials / name)


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


@pytest.mark.parametrize("scale", [-1.0, 1.0])
def test_unsigned_counts_and_offsets_reach_beyond_32767(scale):
    """Mid-range of an unsigned 16-bit converter is 32768, which a signed integer has as -32768."""
    analog = np.array([[32768, 100], [32768 + 5, 65535], [65535, 0], [0, 40000]]).reshape(2, 2, 2)
    settings = {"ANALOG": {"FORMAT": "UNSIGNED", "OFFSET": np.array([32768, 100])}}
    file = read(c3d_bytes(np.ones((2, 1, 4)), analog, scale=scale, groups=settings))
    np.testing.assert_array_equal(file.analog, [[0, 0], [5, 65435], [32767, -100], [-32768, 39900]])


@pytest.mark.parametrize("scale", [-1.0, 1.0])
@pytest.mark.parametrize("kind", [int, float])
def test_offsets_reach_from_the_lowest_to_the_highest_integer(scale, kind):
    """The C3D library alone takes the absolute value of a negative offset."""
    offsets = np.array([-32768, -1, 0, 1, 32767])
    analog = np.stack([np.full(5, -32768), np.arange(5), np.full(5, 32767)])[:, None]
    settings = {"ANALOG": {"OFFSET": offsets.astype(kind), "SCALE": np.array([2.0, -1.0, 0.5, 4.0, 1.0])}}
    file = read(c3d_bytes(np.ones((3, 1, 4)), analog, scale=scale, groups=settings))
    np.testing.assert_array_equal(file.analog, (analog[:, 0] - offsets) * [2.0, -1.0, 0.5, 4.0, 1.0])


def test_an_offset_that_is_no_integer_costs_the_signals_of_a_file_of_integers_only():
    for scale, expected in ((1.0, [np.nan, np.nan, 3.0]), (-1.0, [2.5, np.nan, 3.0])):
        analog, settings = np.full((1, 1, 3), 3.0), {"ANALOG": {"OFFSET": np.array([0.5, np.nan, 0.0])}}
        file = read(c3d_bytes(np.ones((1, 1, 4)), analog, scale=scale, groups=settings))
        np.testing.assert_array_equal(file.analog, [expected])
        assert [note.kind for note in file.notes] == (["left out"] if scale > 0.0 else [])


@pytest.mark.parametrize("beyond", [32768.0, -32769.0, 65000.0])
def test_an_offset_beyond_16_bits_costs_the_signal_of_a_file_of_signed_integers(beyond):
    settings = {"ANALOG": {"OFFSET": np.array([beyond, -32768.0, 32767.0])}}
    file = read(c3d_bytes(np.ones((1, 1, 4)), np.full((1, 1, 3), 3.0), scale=1.0, groups=settings))
    np.testing.assert_array_equal(file.analog, [[np.nan, 32771.0, -32764.0]])


@pytest.mark.parametrize("rate", [0.1, 29.97, 33.3333, 119.88, 1e5])
@pytest.mark.parametrize("samples", [1, 3, 10, 100])
def test_no_sample_is_lost_where_the_ratio_of_the_rates_is_rounded(rate, samples):
    """The C3D library alone cuts 9.9999999 samples in a frame to 9."""
    analog = np.arange(4.0 * samples).reshape(2, samples, 2)
    file = read(c3d_bytes(np.ones((2, 1, 4)), analog, rate=rate))
    np.testing.assert_array_equal(file.analog, analog.reshape(-1, 2))


def test_scales_and_offsets_of_more_than_255_channels_are_continued():
    analog = np.arange(600.0).reshape(1, 2, 300)
    scale, offset = np.repeat([2.0, 3.0], [255, 45]), np.repeat([-7, 9], [255, 45])
    lists = {"SCALE": scale[:255], "SCALE2": scale[255:], "OFFSET": offset[:255], "OFFSET2": offset[255:]}
    named = {"LABELS": [f"C{n}" for n in range(255)], "LABELS2": [f"C{n}" for n in range(255, 300)], "UNITS": None}
    file = read(c3d_bytes(np.ones((1, 1, 4)), analog, groups={"ANALOG": lists | named}))
    np.testing.assert_array_equal(file.analog, (analog[0] - offset) * scale)
    assert file.channel_names(np.array([0, 254, 255, 299])) == ["C0", "C254", "C255", "C299"]


@pytest.mark.parametrize("scale", [-1.0, 0.5])
def test_frames_are_read_in_pieces_of_bounded_memory(monkeypatch, scale):
    rng = np.random.default_rng(2)
    points, analog = rng.integers(-99, 99, (50, 3, 4)), rng.integers(-99, 99, (50, 2, 4))
    content = c3d_bytes(points, analog, scale=scale)
    whole = read(content)
    monkeypatch.setattr(plain_copy, "_PIECE", 300)
    pieces, _ = plain_copy.plain_copies(*read_layout("trial.c3d", content))
    assert len(list(pieces)) > 5
    found = read(content)
    np.testing.assert_array_equal(found.points, whole.points)
    np.testing.assert_array_equal(found.analog, whole.analog)
    np.testing.assert_array_equal(found.analog, analog.reshape(-1, 4))


@pytest.mark.parametrize("scale", [-1.0, 0.5])
def test_plain_copies_declare_what_the_file_declares_whatever_their_parameters_need(scale):
    """Each channel adds six bytes of scale and offset, so that the section ends anywhere in its last block."""
    rng = np.random.default_rng(2)
    for channels in range(1, 90):
        analog = rng.integers(-99, 99, (3, 2, channels))
        layout, parameters = read_layout("trial.c3d", c3d_bytes(np.ones((3, 2, 4)), analog, scale=scale))
        pieces, _ = plain_copy.plain_copies(layout, parameters)
        ((frames, copy),) = pieces
        found, _ = read_layout("copy.c3d", copy)
        assert found.notes == ()
        assert len(copy) == found.start + len(analog) * (8 + 2 * channels) * (2 if scale > 0.0 else 4)
        assert replace(found, start=0, first_frame=0) == replace(layout, start=0, first_frame=0), channels
        assert frames.start == 0


def test_frames_without_any_point_and_signal_are_kept():
    points = np.full((9, 3, 4), [0.0, 0.0, 0.0, -1.0])
    file = read(c3d_bytes(points, np.zeros((9, 2, 2))))
    assert np.isnan(file.points).all()
    assert (file.points.shape, file.analog.shape) == ((9, 3, 3), (18, 2))


def test_more_points_than_the_library_counts_are_refused():
    with pytest.raises(AcquisitionError, match=r"40000 points or channels \(limit 32767\)"):
        read(c3d_bytes(np.ones((1, 40000, 4)), groups={"POINT": {"LABELS": ["M"]}}))


def test_parameters_of_any_shape_and_text_are_read():
    """The library alone counts through the other dimensions of an empty parameter, here 255 to the power of six."""
    groups = {
        "SUBJECTS": {"EMPTY": np.zeros((255, 255, 255, 255, 255, 255, 0)), "CUBE": np.arange(24.0).reshape(2, 3, 4)},
        "ROTATION": {"USED": 0, "RATIO": 3.0},
        "EVENT": {"LABELS": ["Foot Off", "", "  "], "ICON": "\x01\x02"},
        "FORCE_PLATFORM": {"CHANNEL": np.array([[1, 127], [128, 255]], dtype=np.uint8)},
    }
    content = c3d_bytes(np.ones((2, 1, 4)), groups=groups)
    file = read(content.replace(b"Foot Off", b"F\xe9\x81\t Off"))
    assert file.numbers("SUBJECTS", "EMPTY").size == 0
    np.testing.assert_array_equal(file.numbers("SUBJECTS", "CUBE"), np.arange(24.0).reshape(2, 3, 4))
    np.testing.assert_array_equal(file.numbers("FORCE_PLATFORM", "CHANNEL"), [[1, 127], [128, 255]])
    assert file.texts("EVENT", "LABELS") == ["F\xe9\\x81\ufffd Off", "", ""]
    assert file.text("EVENT", "ICON") == "\ufffd\ufffd"


@pytest.mark.parametrize("length", [127, 128, 255])
def test_descriptions_of_any_length_are_passed_over(length):
    """A signed byte would take lengths from 128 on for negative ones; the C3D library does and ends the process."""
    file = read(c3d_bytes(np.ones((2, 1, 4)), descriptions={"LABELS": "x" * length, "RATE": "y" * length}))
    assert file.texts("POINT", "LABELS") == ["M1"]
    assert file.text("POINT", "UNITS") == "mm"


def test_a_description_that_runs_into_the_next_entry_is_refused():
    """One byte longer than the entry it is in; of its own length it is read."""
    content = c3d_bytes(np.ones((2, 1, 4)), descriptions={"UNITS": "length of all"})
    place = content.index(b"\x0dlength of all")
    assert read(content).text("POINT", "UNITS") == "mm"
    with pytest.raises(AcquisitionError, match="the description of UNITS runs into the next entry"):
        read(content[:place] + b"\x0e" + content[place + 1 :])


def test_dimensions_that_run_into_the_next_entry_are_refused():
    """Three dimensions in an entry that ends after the first."""
    content = c3d_bytes(np.ones((2, 1, 4)), groups={"SUBJECTS": {"CUBE": np.arange(24.0).reshape(2, 3, 4)}})
    place = content.index(b"CUBE") + 4
    with pytest.raises(AcquisitionError, match=r"CUBE at byte \d+ has type 4 and 3 dimensions, which is not valid C3D"):
        read(content[:place] + b"\x05\x00" + content[place + 2 :])


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
