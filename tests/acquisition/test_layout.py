"""No file, however damaged, gives anything but a recording or one clear error."""

import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline.acquisition import read_trial
from pipeline.acquisition.layout import read_layout
from pipeline.errors import AcquisitionError
from pipeline.trial import RawTrial
from tests.acquisition.c3d_bytes import SGI, c3d_bytes

EDGE = ("byteorder", "platetype", "corrupt", "labels_params")
EXPECTED_ERRORS = {
    "Empty.c3d": "empty",
    "Facial-Sing.c3d": "parameter section is damaged",
    "badParameterOffset.c3d": "parameter section is damaged",
    "bad_parameter_section.c3d": "parameter section is damaged",
    "short-copy.c3d": "parameter section is damaged",
    "simple.c3d": "processor type 0",
}
_PEAK = """
import sys
from pipeline.acquisition import read_trial
from pipeline.errors import AcquisitionError
for path in sys.argv[1:]:
    try:
        read_trial(path)
    except AcquisitionError:
        pass
status = open("/proc/self/status").read()  # the kernel's ru_maxrss would count the process that started this one
print(int(status.split("VmHWM:")[1].split()[0]) // 1024)
"""


def edge_files(trials: Path) -> list[Path]:
    return sorted(path for folder in EDGE for path in (trials / "edge" / folder).iterdir())


def test_every_edge_file_is_read_or_refused_with_its_name_the_reason_and_a_remedy(trials):
    refused = {}
    for path in edge_files(trials):
        try:
            trial = read_trial(path)
        except AcquisitionError as error:
            refused[path.name] = error
        else:
            assert np.isfinite(trial.markers_G).any() or trial.model_outputs, path.name
    assert refused.keys() == EXPECTED_ERRORS.keys()
    for name, reason in EXPECTED_ERRORS.items():
        assert reason in refused[name].problem
        assert refused[name].where.startswith(name)
        assert refused[name].remedy


def test_all_edge_files_together_need_less_than_500_megabytes(trials):
    """One of them makes the C3D library alone allocate 12 GB."""
    root = Path(__file__).resolve().parents[2]
    limits = (4 << 30, 4 << 30)
    done = subprocess.run(
        [sys.executable, "-c", _PEAK, *map(str, edge_files(trials))],
        cwd=root,
        capture_output=True,
        text=True,
        timeout=120,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, limits),
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) < 500


@pytest.fixture
def small(write_c3d) -> bytes:
    rng = np.random.default_rng(1)
    forces = {
        "USED": [1],
        "TYPE": [2],
        "CORNERS": np.array([[400, 0, 0], [0, 0, 0], [0, 500, 0], [400, 500, 0.0]]).T[:, :, None],
        "ORIGIN": np.array([[0.0], [0.0], [-40.0]]),
        "CHANNEL": np.arange(1, 7)[:, None],
    }
    path = write_c3d(
        rng.normal(500.0, 100.0, (12, 3, 3)),
        ["LASI", "RASI", "SACR"],
        analog=rng.normal(0.0, 200.0, (48, 6)),
        groups={"FORCE_PLATFORM": forces, "PROCESSING": {"Bodymass": [60.0]}},
        analog_units=["N"] * 3 + ["Nmm"] * 3,
    )
    return path.read_bytes()


def last_entry(content: bytes, order: str = "little") -> tuple[int, int, int]:
    """Where the last entry of the parameters begins, where its pointer is, and where the list ends."""
    position, begin, pointer = 512 + 4, 0, 0
    while content[position]:
        begin = position
        pointer = position + 2 + abs(int.from_bytes(content[position : position + 1], "little", signed=True))
        position = pointer + int.from_bytes(content[pointer : pointer + 2], order)
    return begin, pointer, position


@pytest.mark.parametrize("ends_by_pointer", [False, True])
def test_a_missing_analog_rate_is_that_of_the_header_however_the_list_of_parameters_ends(
    small, tmp_path, ends_by_pointer
):
    """C3D allows a list to end with an empty entry, or with a last entry that has no pointer."""
    content = bytearray(small)
    content[small.index(b"RATE", small.index(b"ANALOG")) + 3] = ord("X")
    _, pointer, _ = last_entry(content)
    if ends_by_pointer:
        content[pointer : pointer + 2] = b"\0\0"
    whole, path = tmp_path / "whole.c3d", tmp_path / "without.c3d"
    whole.write_bytes(small)
    path.write_bytes(content)
    assert ("ANALOG", "RATE") not in read_layout("without.c3d", bytes(content))[1].entries
    found, expected = read_trial(path), read_trial(whole)
    assert found.analog_rate == expected.analog_rate == 400.0
    np.testing.assert_array_equal(found.analog, expected.analog)
    assert found.parameters == expected.parameters


def test_the_last_pointer_of_a_file_converted_from_pc_order_may_have_kept_that_order():
    points = np.random.default_rng(1).normal(500.0, 100.0, (12, 3, 4))
    content = bytearray(c3d_bytes(points, processor=SGI, groups={"PROCESSING": {"Bodymass": [60.0]}}))
    _, pointer, _ = last_entry(content, "big")
    expected = read_layout("whole.c3d", bytes(content))[1].entries
    content[pointer : pointer + 2] = content[pointer : pointer + 2][::-1]
    found = read_layout("converted.c3d", bytes(content))[1].entries
    assert found.keys() == expected.keys()
    assert ("PROCESSING", "BODYMASS") in {tuple(name.upper() for name in key) for key in found}


@settings(
    max_examples=300,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(data=st.data())
def test_a_damaged_file_gives_a_recording_or_an_acquisition_error_and_nothing_else(small, tmp_path, data):
    content = bytearray(small)
    parameters_end = (small[8 + 8] - 1) * 512
    for _ in range(data.draw(st.integers(1, 4))):
        where = data.draw(
            st.one_of(st.integers(0, 24), st.integers(512, parameters_end), st.integers(0, len(small) - 1))
        )
        content[where] = data.draw(st.one_of(st.sampled_from([0, 1, 127, 128, 255]), st.integers(0, 255)))
    if data.draw(st.integers(0, 9)) == 0:
        content = content[: data.draw(st.integers(0, len(content)))]
    path = tmp_path / "damaged.c3d"
    path.write_bytes(content)
    try:
        outcome = read_trial(path)
    except AcquisitionError as error:
        outcome = error
    assert isinstance(outcome, RawTrial) or outcome.where.startswith("damaged.c3d")


def test_the_error_of_a_truncated_file_gives_its_number_of_frames(small):
    with pytest.raises(AcquisitionError, match=r"declares 12 frames of 144 bytes but holds 4"):
        read_layout("cut.c3d", small[: (small[16] - 1) * 512 + 4 * 144 + 20])


def test_a_file_of_less_than_two_blocks_is_no_c3d(small):
    with pytest.raises(AcquisitionError, match="the file has 1023 bytes"):
        read_layout("cut.c3d", small[:1023])


def test_a_missing_file_is_an_acquisition_error(tmp_path):
    with pytest.raises(AcquisitionError, match="cannot be opened"):
        read_trial(tmp_path / "nowhere.c3d")


@pytest.mark.parametrize("where", ["TRIAL", "LONG_FRAMES", "FRAMES", "file size"])
def test_more_frames_than_16_bits_hold_are_all_read(tmp_path, where):
    frames = 70_000
    points = np.zeros((frames, 1, 4))
    points[:, 0, 0], points[:, 0, 2] = np.arange(frames), 900.0
    groups = {
        "TRIAL": {"TRIAL": {"ACTUAL_START_FIELD": [1, 0], "ACTUAL_END_FIELD": [frames & 65535, frames >> 16]}},
        "LONG_FRAMES": {"POINT": {"LONG_FRAMES": float(frames)}},
        "FRAMES": {"POINT": {"FRAMES": float(frames)}},
        "file size": {},
    }[where]
    path = tmp_path / "long.c3d"
    path.write_bytes(c3d_bytes(points, groups=groups))
    trial = read_trial(path)
    assert len(trial.time) == frames
    position_L = trial.markers_G[-1, 0] @ trial.R_GL
    np.testing.assert_allclose(position_L, [0.001 * (frames - 1), 0.0, 0.9], atol=1e-5)


def test_frames_are_numbered_beyond_65535_where_a_late_part_of_a_recording_is_stored():
    """Frames 70000 to 70001: the header has their lower 16 bits, or 65535."""
    field = {"ACTUAL_START_FIELD": [70_000 & 65535, 1], "ACTUAL_END_FIELD": [70_001 & 65535, 1]}
    for says in ({"first": 65535, "last": 65535}, {"first": 70_000 & 65535, "last": 70_001 & 65535}):
        layout, _ = read_layout("late.c3d", c3d_bytes(np.ones((2, 1, 4)), groups={"TRIAL": field}, header=says))
        assert (layout.first_frame, layout.frames) == (70_000, 2)


def test_frames_counted_to_the_last_that_16_bits_hold_are_as_many_as_a_longer_count_says():
    """Of frames 65500 to 65545, a writer counts those up to 65535."""
    groups = {"POINT": {"FRAMES": 36.0, "LONG_FRAMES": 46.0}}
    content = c3d_bytes(np.ones((46, 1, 4)), groups=groups, header={"first": 65500, "last": 65535})
    layout, _ = read_layout("late.c3d", content)
    assert (layout.first_frame, layout.frames) == (65500, 46)


@pytest.mark.long
def test_500_damaged_files_are_read_or_refused_within_time_and_memory():
    from tests.benchmarks.mutated_files import READ, REFUSED, outcomes

    found = list(outcomes(500, seed=1))
    assert [(index, outcome, message) for index, outcome, message in found if outcome not in (READ, REFUSED)] == []
    assert {outcome for _, outcome, _ in found} == {READ, REFUSED}


@pytest.mark.parametrize("rate", [1e-30, 0.0, -100.0, 1e9, float("nan")])
def test_an_impossible_frame_rate_is_refused(rate):
    with pytest.raises(AcquisitionError, match=r"frame rate is .* Hz \(limits"):
        read_layout("rate.c3d", c3d_bytes(np.ones((2, 1, 4)), rate=rate))


def test_a_file_that_declares_more_than_it_holds_is_refused_before_anything_is_allocated():
    """65535 points in 65535 frames would be 69 GB."""
    content = c3d_bytes(np.ones((2, 1, 4)), groups={"POINT": {"USED": 65535}}, header={"points": 65535, "last": 60000})
    with pytest.raises(AcquisitionError, match="declares"):
        read_layout("huge.c3d", content)


@pytest.mark.parametrize(
    "change",
    [
        {"ANALOG": None},
        {"ANALOG": None, "EMPTY": {}},
        {"FORCE_PLATFORM": {}},
        {"FORCE_PLATFORM": {"USED": [0], "TYPE": np.zeros(0, dtype=int), "CORNERS": np.zeros((3, 4, 0))}},
        {"EVENT": {}, "TRIAL": {}, "SUBJECTS": {"NAMES": ""}},
        {"EVENT": {"USED": [0], "TIMES": np.zeros((2, 0)), "LABELS": []}},
    ],
)
def test_missing_and_empty_groups_leave_the_markers(tmp_path, change):
    path = tmp_path / "sparse.c3d"
    path.write_bytes(c3d_bytes(np.full((5, 2, 4), 700.0), groups=change))
    trial = read_trial(path)
    assert trial.marker_names == ("M1", "M2")
    np.testing.assert_allclose(np.abs(trial.markers_G), 0.7)


def test_a_file_without_a_group_for_its_points_holds_signals_and_no_markers(tmp_path):
    """Header alone: two points that nobody named, and signals."""
    path = tmp_path / "nameless.c3d"
    analog = np.arange(10.0).reshape(5, 2, 1)
    path.write_bytes(c3d_bytes(np.full((5, 2, 4), 700.0), analog, groups={"POINT": None}))
    trial = read_trial(path)
    assert trial.marker_names == ()
    assert any("2 of 2 points have no label" in note.text for note in trial.notes)
    np.testing.assert_array_equal(trial.analog[:, 0], analog.ravel())


ZEROS = np.zeros((400, 1, 4))
"""Points of zeros, so that whatever reads beyond the parameters reads the end of a list."""


def test_parameters_whose_number_of_blocks_is_missing_end_where_the_data_begin():
    content = bytearray(c3d_bytes(ZEROS, groups={"PROCESSING": {"Bodymass": [60.0]}}))
    expected = read_layout("whole.c3d", bytes(content))
    content[512 + 2] = 0
    found = read_layout("without.c3d", bytes(content))
    assert (found[0], found[1].entries, found[1].end) == (expected[0], expected[1].entries, expected[1].end)


@pytest.mark.parametrize("described", ["", "of the whole body"])
def test_the_parameters_end_behind_the_last_description_however_their_list_ends(described):
    content = bytearray(c3d_bytes(ZEROS, groups={"A": {"B": [60.0]}}, descriptions={"B": described}))
    _, pointer, end = last_entry(content)
    assert read_layout("empty entry.c3d", bytes(content))[1].end == end
    content[pointer : pointer + 2] = b"\0\0"
    assert read_layout("no pointer.c3d", bytes(content))[1].end == end


@pytest.mark.parametrize("counted", [True, False])
@pytest.mark.parametrize(
    ("beyond", "entry", "message"),
    [
        (1, b"", "outside the section"),
        (-1, b"", "runs past the end of its section"),
        (-4, b"\x02\x01XX", "an entry without group or space"),
        (-5, b"\x02\x01XX", "an entry without group or space"),
    ],
)
def test_a_list_of_parameters_that_leaves_its_section_is_refused(beyond, entry, message, counted):
    """The last entry points at the end of the section or some bytes from it, where another entry may begin."""
    content = bytearray(c3d_bytes(ZEROS, groups={"A": {"B": [60.0]}}))
    limit = 512 * (1 + content[512 + 2])
    _, pointer, _ = last_entry(content)
    content[pointer : pointer + 2] = (limit + beyond - pointer).to_bytes(2, "little")
    content[limit + beyond : limit + beyond + len(entry)] = entry
    content[512 + 2] *= counted
    with pytest.raises(AcquisitionError, match=message):
        read_layout("damaged.c3d", bytes(content))


def test_values_that_reach_into_the_next_entry_are_refused():
    content = bytearray(c3d_bytes(ZEROS, groups={"A": {"CUBE": np.zeros((2, 3, 4))}}))
    content[content.index(b"CUBE") + 4 + 2 + 2] = 9
    with pytest.raises(AcquisitionError, match=r"CUBE declares 9 x 3 x 4 real numbers \(432 bytes\), but the next"):
        read_layout("damaged.c3d", bytes(content))


def test_an_entry_without_a_type_is_refused():
    content = bytearray(c3d_bytes(ZEROS, groups={"A": {"B": [60.0]}}))
    _, pointer, _ = last_entry(content)
    content[pointer : pointer + 2] = b"\x03\0"
    with pytest.raises(AcquisitionError, match="the entry of parameter B is cut off"):
        read_layout("damaged.c3d", bytes(content))


def test_parameters_that_begin_where_the_file_ends_are_refused():
    content = bytearray(c3d_bytes(np.zeros((32, 1, 4))))  # of one block
    content[0] = len(content) // 512 + 1
    with pytest.raises(AcquisitionError, match=f"places the parameters at block {content[0]}, outside the file"):
        read_layout("damaged.c3d", bytes(content))


@pytest.mark.parametrize("rate", [50.0, 200.0])
def test_times_are_those_of_the_rates_whatever_the_number_of_the_first_frame(tmp_path, rate):
    """Of points at the rate and signals at four times that."""
    path = tmp_path / "late.c3d"
    header = {"first": 101, "last": 150}
    path.write_bytes(c3d_bytes(np.full((50, 1, 4), 700.0), np.ones((50, 4, 2)), rate=rate, header=header))
    trial = read_trial(path)
    assert (trial.first_frame, trial.rate, trial.analog_rate) == (101, rate, 4.0 * rate)
    np.testing.assert_allclose(trial.time[[0, 1, -1]], np.array([0.0, 1.0, 49.0]) / rate)
    np.testing.assert_allclose(trial.analog_time[[0, 4, -1]], np.array([0.0, 1.0, 49.75]) / rate)
