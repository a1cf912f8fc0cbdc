"""TRC and storage files against the motion and loads that were written to them, and what must be refused."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.acquisition import centre_of_pressure, free_moment, read_trial
from pipeline.acquisition.trc import _rate, read_trc
from pipeline.errors import AcquisitionError
from pipeline.trial import Part

RATE, FORCE_RATE = 100.0, 500.0
LABELS = ("HEAD", "LHEE", "RHEE", "C7")
Z_UP = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]).T
"""Laboratory whose y axis is the progression and z up: columns are G's axes."""


def motion(frames: int = 120) -> np.ndarray:
    """Positions (T, 4, 3) m in G of a body 1.6 m high that goes 1.2 m along X."""
    time = np.arange(frames) / RATE
    places = np.array([[0.0, 1.6, 0.0], [-0.1, 0.05, -0.1], [-0.1, 0.06, 0.1], [-0.05, 1.4, 0.01]])
    return places + np.stack([1.0 * time, 0.02 * np.sin(7 * time), 0.01 * time], axis=1)[:, None]


def load(samples: int = 600) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Force, point of application and free moment (Ta, 3) in G of one step; zeros before and after it."""
    time = np.arange(samples) / FORCE_RATE
    on = ((time > 0.2) & (time < 0.9))[:, None]
    force = np.stack([30 * np.sin(9 * time), 700 + 50 * np.cos(5 * time), 0 * time + 20], axis=1)
    point = np.stack([0.3 + 0.2 * time, 0 * time - 0.005, 0 * time + 0.1], axis=1)
    return force * on, point * on, np.stack([0 * time, 5 * np.sin(6 * time), 0 * time], axis=1) * on


def trc(positions: np.ndarray, unit: str = "mm", start: float = 0.0, **header: object) -> str:
    """Text of a TRC file; NaN is blank."""
    scale = {"mm": 1000.0, "m": 1.0}[unit] if unit in ("mm", "m") else 1.0
    keys = {"DataRate": "100.00", "CameraRate": "100.00", "NumFrames": len(positions), "NumMarkers": len(LABELS)}
    keys |= {"Units": unit, "OrigDataRate": "100.00", "OrigDataStartFrame": 1, "OrigNumFrames": len(positions)} | header
    lines = ["PathFileType\t4\t(X/Y/Z)\twalk.trc", "\t".join(keys), "\t".join(map(str, keys.values()))]
    lines += ["Frame#\tTime\t" + "\t\t\t".join(LABELS) + "\t\t"]
    lines += ["\t\t" + "\t".join(f"{axis}{k}" for k in range(1, len(LABELS) + 1) for axis in "XYZ"), ""]
    for k, frame in enumerate(positions * scale):
        cells = ["" if np.isnan(value) else f"{value:.6f}" for value in frame.ravel()]
        lines.append("\t".join([str(k + 1), f"{start + k / RATE:.3f}", *cells]))
    return "\r\n".join(lines) + "\r\n"


def mot(force, point, moment, names=("ground_force_v{}", "ground_force_p{}", "ground_torque_{}"), start=0.0) -> str:
    """Text of a storage file; ``names`` are those of force, point and moment with a place for the axis."""
    axes = "123" if names[0].startswith("f") else "xyz"
    columns = [name.format(axis) for name in names for axis in axes]
    values = np.column_stack([start + np.arange(len(force)) / FORCE_RATE, force, point, moment])
    rows = ["\t".join(f"{value:.8f}" for value in row) for row in values]
    header = ["grf", "version=1", f"nRows={len(rows)}", f"nColumns={len(columns) + 1}", "inDegrees=yes", "endheader"]
    return "\n".join([*header, "\t".join(["time", *columns]), *rows]) + "\n"


@pytest.fixture
def written(tmp_path):
    """Function that writes the texts of a TRC and a storage file and reads them as a recording."""

    def write(markers: str, forces: str | None = None, part: Part | None = None):
        (tmp_path / "walk.trc").write_text(markers, newline="")
        (tmp_path / "walk_grf.mot").write_text(forces or "")
        return read_trial(tmp_path / "walk.trc", forces=tmp_path / "walk_grf.mot" if forces else None, part=part)

    return write


@pytest.mark.parametrize("unit", ["mm", "m"])
def test_markers_are_those_written(written, unit):
    """In a laboratory with z up, with a gap and a marker at the origin, to the digits of the file."""
    expected = motion()
    positions = expected @ Z_UP.T
    positions[10:20, 1] = np.nan
    positions[30, 3] = 0.0
    expected[10:20, 1], expected[30, 3] = np.nan, np.nan
    trial = written(trc(positions, unit))
    assert (trial.rate, trial.analog_rate, trial.marker_names) == (RATE, 0.0, LABELS)
    np.testing.assert_allclose(trial.markers_G, expected, atol=1e-6 if unit == "m" else 1e-9)
    assert trial.plates == ()


@pytest.mark.parametrize(
    "names",
    [
        ("ground_force_v{}", "ground_force_p{}", "ground_torque_{}"),
        ("1_ground_force_v{}", "1_ground_force_p{}", "1_ground_torque_{}"),
        ("ground_force_1_v{}", "ground_force_1_p{}", "ground_moment_1_m{}"),
        ("ground_force_calcn_r_v{}", "ground_force_calcn_r_p{}", "ground_torque_calcn_r_{}"),
        ("f1_{}", "p1_{}", "m1_{}"),
    ],
)
def test_ground_reactions_are_those_written(written, names):
    """Centre of pressure and free moment, which the reader stores as a moment about one point, come out again."""
    force, point, moment = load()
    trial = written(trc(motion() @ Z_UP.T), mot(*(part @ Z_UP.T for part in (force, point, moment)), names))
    (plate,) = trial.plates
    count = len(plate.wrench)
    assert trial.analog_rate == FORCE_RATE
    assert plate.type == 0
    assert np.isnan(plate.corners_G).all()
    assert count >= 596, "the samples up to the last frame"
    np.testing.assert_allclose(plate.wrench.force_G, force[:count], atol=1e-7)
    on = force[:count, 1] > 1.0
    np.testing.assert_allclose(centre_of_pressure(plate.wrench, plate.corners_G, 1.0)[on], point[:count][on], atol=1e-7)
    np.testing.assert_allclose(free_moment(plate.wrench, plate.corners_G, 1.0)[on], moment[:count][on], atol=1e-6)


def test_each_reaction_is_one_of_its_own(written):
    """Two feet, the second 0.3 m farther and upside down in the table; one without any load is left out."""
    force, point, moment = load()
    ours = mot(force, point, moment).splitlines()
    away = np.array([0.3, 0.0, 0.0])
    other = mot(force[::-1], point[::-1] + away, moment[::-1]).replace("ground", "l_ground").splitlines()
    empty = mot(0 * force, 0 * point, 0 * moment).replace("ground", "3_ground").splitlines()
    begin = ours.index("endheader") + 1
    tables = [[line.partition("\t")[2] for line in part[begin:]] for part in (ours, other, empty)]
    rows = ["\t".join([line.partition("\t")[0], *parts]) for line, *parts in zip(ours[begin:], *tables, strict=True)]
    trial = written(trc(motion()), "\n".join(["grf", "datacolumns 28", "datarows 600", "endheader", *rows]))
    assert [plate.number for plate in trial.plates] == [1, 2]
    count = len(trial.plates[0].wrench)
    np.testing.assert_allclose(trial.plates[1].wrench.force_G, force[::-1][:count], atol=1e-7)


def test_forces_are_put_on_the_markers_clock(written):
    """Markers begin 0.1013 s later than the forces, no whole number of samples, and end after them."""
    force, point, moment = load()
    trial = written(trc(motion(), start=0.1013), mot(force, point, moment))
    begins = np.argmax(trial.plates[0].wrench.force_G[:, 1] > 300.0) / trial.analog_rate
    assert begins == pytest.approx(0.2 - 0.1013, abs=1.0 / FORCE_RATE)
    assert len(trial.time) == 110
    assert any("10 frames are not used" in note.text for note in trial.notes)


@pytest.mark.parametrize(("late", "interpolated"), [(0.00008, False), (0.0004, True)])
def test_samples_at_the_markers_instants_are_those_stored(written, late, interpolated):
    """Forces that begin 100 ms and 0.04 or 0.2 of a sample before the markers."""
    force, point, moment = load()
    trial = written(trc(motion(50)), mot(force, point, moment, start=-0.1 - late))
    found = trial.plates[0].wrench.force_G
    assert np.array_equal(found, np.round(force[50 : 50 + len(found)], 8)) is not interpolated


@pytest.mark.parametrize(("begin", "first", "last"), [(0.0208, 2, 61), (0.0212, 3, 62)])
def test_frames_are_kept_that_the_forces_cover_to_half_a_sample(written, begin, first, last):
    """300 samples at 500 Hz from 20.8 ms cover 19.8 to 619.8 ms, those from 21.2 ms 20.2 to 620.2 ms; frames are 10 ms
    apart. There are as many samples as up to the last frame, and the load comes at its time."""
    force, point, moment = (part[:300] for part in load())
    trial = written(trc(motion()), mot(force, point, moment, start=begin))
    assert (trial.first_frame, len(trial.time)) == (1 + first, last - first + 1)
    assert len(trial.analog_time) == len(trial.plates[0].wrench) == 5 * (last - first) + 1
    np.testing.assert_allclose(trial.analog_time[[0, -1]], trial.time[[0, -1]], atol=1e-12)
    begins = np.argmax(np.nan_to_num(trial.plates[0].wrench.force_G[:, 1]) > 300.0) / trial.analog_rate
    # Between the samples at 0.2 and 0.202 s, and then up to a sample later.
    assert begins == pytest.approx(0.202 + begin - 0.01 * first, abs=0.6 / FORCE_RATE)


SHORT = "\r\n".join(trc(motion()).splitlines()[:60])
FORCES = mot(*load())


def test_a_part_has_its_own_frames_and_the_forces_of_its_time(written):
    force, point, moment = load()
    whole = written(trc(motion()), mot(force, point, moment))
    some = written(trc(motion()), mot(force, point, moment), part=Part(0.4, 0.9))
    frames = np.flatnonzero((whole.time > 0.399) & (whole.time < 0.901))
    samples = frames[0] * round(whole.analog_rate / whole.rate) + np.arange(len(some.analog_time))
    assert some.first_frame == whole.first_frame + frames[0]
    np.testing.assert_array_equal(some.time, whole.time[: len(frames)])
    turn = some.R_GL @ whole.R_GL.T  # a part has its own axis of progression
    np.testing.assert_allclose(some.markers_G, whole.markers_G[frames] @ turn.T, atol=1e-12)
    for some_plate, plate in zip(some.plates, whole.plates, strict=True):
        np.testing.assert_allclose(some_plate.wrench.force_G, plate.wrench.force_G[samples] @ turn.T, atol=1e-9)


def test_points_of_an_object_beside_the_subject_are_no_markers(written, monkeypatch):
    monkeypatch.setattr("pipeline.acquisition.markers._MIN_BODY", 3)
    text = trc(motion()).replace("C7", "Box:C7")
    for label in ("HEAD", "LHEE", "RHEE"):
        text = text.replace(label, f"Ann:{label}")
    trial = written(text)
    assert trial.marker_names == ("HEAD", "LHEE", "RHEE")
    np.testing.assert_allclose(trial.markers_G, written(trc(motion())).markers_G[:, :3])


@pytest.mark.parametrize(
    ("markers", "forces", "message"),
    [
        ("", None, "the file is empty"),
        ("\0\1\2", None, "not text"),
        ("time\tx\n0\t1", None, "not a TRC file"),
        (SHORT, None, "holds 54 of the 120 frames"),
        (trc(motion(), "furlong"), None, "Units is 'furlong'"),
        (trc(motion(), DataRate="50.00"), None, "DataRate in the header is 50 Hz.*100 Hz"),
        (trc(motion()).replace("\t\t\tC7", ""), None, "names 12 columns of coordinates, but the 3 labels need 9"),
        (trc(motion()).replace("0.500\t", "0.300\t"), None, "time goes from 0.49 to 0.3 s in row 51"),
        (trc(motion()).replace("0.500\t", "0.506\t"), None, "6.0 ms off"),
        (trc(motion()).replace("\t0.500\t", "\t0.500\tspam"), None, "line 57, column 3: holds"),
        (trc(motion()).replace("\t0.500\t", "\t0.500\t1\t2\t3\t"), None, "line 57 has 17 columns"),
        (trc(motion()).replace("HEAD", "a:HEAD").replace("C7", "b:C7"), None, "points of 2 subjects"),
        (trc(motion()), FORCES.replace("endheader", ""), "no line 'endheader'"),
        (trc(motion()), FORCES.replace("nRows=600", "nRows=700"), "nRows in the header is 700.*600 rows"),
        (trc(motion()), f"{FORCES}9.0\t1.0\n".replace("=600", "=601"), "line 608 has 2 columns, but 10 are named"),
        (trc(motion()), FORCES.replace("ground_force_px", "knee_angle"), "lacks columns: point along x"),
        (trc(motion()), FORCES.replace("ground_", "knee_"), "no columns of ground reactions"),
        (trc(motion()), FORCES.replace("ground_force_px", "ground_force_py"), "columns twice: ground_force_py"),
        (trc(motion()), mot(load()[0], 1000 * load()[1], load()[2]), "as if in mm"),
        (trc(motion()), mot(load()[0], load()[1], 1000 * load()[2]), "as if in Nmm"),
        (trc(motion()), mot(*(part @ Z_UP.T for part in load())), "ground reactions point along"),
        (trc(motion()), mot(-load()[0], *load()[1:]), "ground reactions point along"),
        (trc(motion(), start=50.0), FORCES, "covers 0.000 to 1.198 s, but the markers of walk.trc cover 50.000"),
    ],
)
def test_a_file_that_cannot_be_right_is_refused(written, markers, forces, message):
    """By a sentence that names what contradicts what."""
    with pytest.raises(AcquisitionError, match=message):
        written(markers, forces)


def test_a_loaded_sample_without_its_point_is_refused(written):
    """NaN points are those of an unloaded plate; under load they are an error, as is a missing force."""
    force, point, moment = load()
    unloaded = np.where(force[:, 1:2] > 0, point, np.nan)
    assert np.isfinite(written(trc(motion()), mot(force, unloaded, moment)).plates[0].wrench.moment_G).all()
    unloaded[300] = np.nan
    with pytest.raises(AcquisitionError, match=r"lacks its point of application.* at 0.600 s"):
        written(trc(motion()), mot(force, unloaded, moment))
    force[200] = np.nan
    with pytest.raises(AcquisitionError, match=r"force is missing at 0.400 s"):
        written(trc(motion()), mot(force, point, moment))


def test_damaged_files_are_refused_or_read(rng, tmp_path):
    """Bytes changed, lines lost or doubled, cells of any text: an error of the reader's own, or a recording."""
    sources = {"walk.trc": trc(motion(20)).encode(), "walk_grf.mot": mot(*(part[:120] for part in load(600))).encode()}
    scraps = (
        b"",
        b"\t",
        b"nan",
        b"inf",
        b"1e400",
        b"9" * 5000,
        b"-",
        b"\xff\xfe",
        b"\x1b[31m",
        b"\n",
        b"1\t2\t3",
        b"0",
    )
    refused = []
    for _ in range(150):
        files = dict(sources)
        name = list(files)[int(rng.integers(2))]
        at, length = int(rng.integers(len(files[name]))), int(rng.choice([0, 1, 5, 60, 2000]))
        files[name] = files[name][:at] + scraps[int(rng.integers(len(scraps)))] + files[name][at + length :]
        for file, content in files.items():
            (tmp_path / file).write_bytes(content)
        try:
            trial = read_trial(tmp_path / "walk.trc", forces=tmp_path / "walk_grf.mot")
        except AcquisitionError as error:
            refused.append(str(error))
        else:
            assert not np.isinf(trial.markers_G).any()
            assert all(label.isprintable() for label in trial.marker_names)
    assert 10 < len(refused) < 150
    assert all(text.isprintable() for text in refused)


def test_a_c3d_file_takes_no_forces(write_c3d, tmp_path):
    """It has its own; a file named beside it would be used by nobody."""
    path = write_c3d(motion(), LABELS)
    with pytest.raises(AcquisitionError, match="has its own forces"):
        read_trial(path, forces=tmp_path / "walk_grf.mot")


def test_the_rate_is_the_headers_where_the_times_are_rounded(tmp_path):
    """At 119.88 frames a second, times in whole milliseconds give a rate that is off in its fifth digit."""
    text = trc(motion(), DataRate="119.88")
    for k in reversed(range(120)):
        text = text.replace(f"\r\n{k + 1}\t{k / RATE:.3f}\t", f"\r\n{k + 1}\t{k / 119.88:.3f}\t")
    (tmp_path / "walk.trc").write_text(text, newline="")
    assert read_trial(tmp_path / "walk.trc").rate == 119.88


@pytest.mark.parametrize(("said", "used"), [("60.298", 60.298), ("59.702", 59.702), ("60.302", 60.0)])
def test_the_rate_of_the_header_is_used_if_it_ends_within_half_a_frame(said, used):
    """101 frames at 60 Hz: 0.3 Hz are half a frame at the end."""
    assert _rate({"DataRate": said}, np.arange(101) / 60.0, "walk.trc")[0] == pytest.approx(used, abs=1e-9)


@pytest.mark.parametrize("at", [(0,), (3,), (4,), (5, 5), (40,), (126, 126)])
def test_blank_lines_of_a_trc_file_are_skipped(at):
    """Before and within the header, between header and data, between rows, and at the end."""
    lines = trc(motion()).splitlines()
    blank = list(lines)
    for k in at:
        blank.insert(k, "" if k % 2 else "\t\t")
    found, expected = (read_trc("w", "\n".join(own).encode()) for own in (blank, lines))
    assert found.labels == expected.labels == LABELS
    np.testing.assert_array_equal(found.positions_L, expected.positions_L)
