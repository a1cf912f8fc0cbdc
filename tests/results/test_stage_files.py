"""Stage files: values are read back equal and labelled, and the same value gives the same bytes."""

from __future__ import annotations

import time
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Literal

import h5py
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import open_trial
from pipeline.acquisition import read_trial
from pipeline.errors import ResultsError
from pipeline.math3d import Wrench
from pipeline.provenance import Provenance
from pipeline.results import (
    DamagedFileError,
    Failure,
    escape,
    export_trial,
    read_failure,
    read_stage,
    unescape,
    write_failure,
    write_stage,
)
from pipeline.results.exports import osim
from pipeline.results.integrity import seal, verified_digest
from pipeline.results.precision import rounded
from pipeline.results.session_folder import stage_files
from pipeline.results.status import FORMAT, read_header
from pipeline.trial import Axis, Event, ForcePlate, MarkersAndPlates, ModelOutput, Note, Quantity, RawTrial

PROVENANCE = Provenance("ingest", {"recording": "ab" * 32}, '{"name":"w"}', "0123", {"numpy": "2"})


def recording() -> RawTrial:
    rng = np.random.default_rng(3)
    frames, samples = 5, 20
    markers = rng.normal(size=(frames, 3, 3))
    markers[2, 1] = np.nan
    wrench = Wrench(rng.normal(size=(samples, 3)), rng.normal(size=(samples, 3)), np.array([0.1, 0.0, 0.2]))
    return RawTrial(
        name="walk 1/2 é",
        file_name="walk.c3d",
        sha256="00",
        first_frame=12,
        rate=100.0,
        analog_rate=400.0,
        marker_names=("LASI", "R/ASI", "S\u0153ur %"),
        analog_names=("Fx", "Fy"),
        analog_units=("N", "N"),
        analog_plate=np.zeros(2, dtype=int),
        time=np.arange(frames) / 100,
        analog_time=np.arange(samples) / 400,
        markers_G=markers,
        analog=rng.normal(size=(samples, 2)),
        R_GL=np.eye(3),
        plates=(ForcePlate(1, 2, rng.normal(size=(4, 3)), wrench), ForcePlate(2, 4, rng.normal(size=(4, 3)), wrench)),
        events=(Event(0.01, "left", "initial contact", "file"),),
        parameters={"LLegLength": 805.0, "odd/name": 0.0},
        model_outputs={
            "b/LAngles": ModelOutput("deg", rng.normal(size=(frames, 3))),
            "a.": ModelOutput("W", rng.normal(size=(frames, 3))),
        },
        notes=(Note("assumed", "axes", "up is Z"), Note("info", "LASI", "")),
    )


def assert_same(left: object, right: object) -> None:
    assert type(left) is type(right)
    if is_dataclass(left):
        for field in fields(left):
            assert_same(getattr(left, field.name), getattr(right, field.name))
    elif isinstance(left, dict):
        assert list(left) == list(right)
        assert_same(tuple(left.values()), tuple(right.values()))
    elif isinstance(left, tuple):
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            assert_same(one, other)
    elif isinstance(left, np.ndarray):
        assert left.dtype.kind == right.dtype.kind
        np.testing.assert_array_equal(left, right)
    else:
        assert left == right or (left != left and right != right), "but for NaN"


def test_a_recording_comes_back_equal_with_its_missing_values_and_order(tmp_path: Path) -> None:
    write_stage(tmp_path / "raw.h5", recording(), PROVENANCE)
    assert_same(read_stage(tmp_path / "raw.h5", RawTrial), recording())
    with h5py.File(tmp_path / "raw.h5") as file:
        assert read_header(file, "raw.h5") == (PROVENANCE, None)


def test_a_part_of_a_stage_is_read_alone(tmp_path: Path) -> None:
    path, whole = tmp_path / "raw.h5", recording()
    write_stage(path, whole, PROVENANCE)
    part = read_stage(path, MarkersAndPlates)
    assert_same(
        part, MarkersAndPlates(**{field.name: getattr(whole, field.name) for field in fields(MarkersAndPlates)})
    )
    assert not hasattr(part, "analog")


def test_the_comparison_in_this_file_finds_a_difference() -> None:
    other = recording()
    other.markers_G[0, 0, 0] += 1e-12
    with pytest.raises(AssertionError):
        assert_same(recording(), other)


@dataclass(frozen=True)
class Point:
    position_G: Annotated[np.ndarray, Quantity("position", "m", ("time", "xyz"), "G")]
    mass: Annotated[float, Quantity("mass", "kg")]


@dataclass(frozen=True)
class Everything:
    """One of each kind of field that a stage may declare."""

    by_name: dict[str, Annotated[np.ndarray, Quantity("angle", "rad", ("time", "angle"))]]
    loads: dict[str, Annotated[Wrench, Quantity("load", "N, Nm, m", ("time", "xyz"), "G")]]
    points: dict[str, Point]
    lengths: dict[str, Annotated[float, Quantity("length", "m")]]
    words: dict[str, str]
    seen: Annotated[np.ndarray, Quantity("seen", "1", ("time",))]
    count: Annotated[np.ndarray, Quantity("count", "1", ("time",))]
    side: Literal["left", "right"]
    absent: Annotated[np.ndarray, Quantity("absent", "m", ("time",))] | None
    present: Annotated[np.ndarray | None, Quantity("present", "m", ("time",))]
    nothing: Point | None
    numbers: tuple[float, ...]
    no_names: tuple[str, ...]
    no_points: tuple[Point, ...]
    no_events: tuple[Event, ...]
    empty: dict[str, Point]
    time: Annotated[np.ndarray, Axis("time", "time", "s")]


def everything() -> Everything:
    rng = np.random.default_rng(4)
    time = np.arange(3.0)
    wrench = Wrench(rng.normal(size=(3, 3)), rng.normal(size=(3, 3)), rng.normal(size=(3, 3)))
    point = Point(rng.normal(size=(3, 3)), 2.5)
    return Everything(
        by_name={"knee/left": rng.normal(size=(3, 3)), "a": np.full((3, 3), np.nan)},
        loads={"ankle": wrench},
        points={"p": point, "..": point},
        lengths={"z": 1.0, "a": 2.0},
        words={"k": "v"},
        seen=np.array([True, False, True]),
        count=np.array([1, 2, 3]),
        side="right",
        absent=None,
        present=time,
        nothing=None,
        numbers=(1.5, 2.0),
        no_names=(),
        no_points=(),
        no_events=(),
        empty={},
        time=time,
    )


def test_every_kind_of_field_comes_back_equal(tmp_path: Path) -> None:
    write_stage(tmp_path / "all.h5", everything(), PROVENANCE)
    assert_same(read_stage(tmp_path / "all.h5", Everything), everything())


def datasets(group: h5py.Group) -> list[h5py.Dataset]:
    found: list[h5py.Dataset] = []
    group.visititems(lambda _, item: found.append(item) if isinstance(item, h5py.Dataset) else None)
    return found


@pytest.mark.parametrize("value", [recording(), everything()], ids=["recording", "everything"])
def test_every_dataset_has_units_frame_name_and_a_scale_of_its_own_on_each_dimension(tmp_path: Path, value) -> None:
    write_stage(tmp_path / "s.h5", value, PROVENANCE)
    with h5py.File(tmp_path / "s.h5") as file:
        assert len(datasets(file)) > 10
        for dataset in datasets(file):
            assert {"units", "frame", "long_name"} <= set(dataset.attrs), dataset.name
            if dataset.is_scale:
                assert dataset.ndim == 1
                continue
            names = [dim[0].name.rpartition("/")[2] for dim in dataset.dims]
            assert len(names) == len(set(names)) == dataset.ndim
            for dim, size in zip(dataset.dims, dataset.shape, strict=True):
                assert dim[0].shape == (size,)


def test_markers_are_labelled_with_names_times_and_components(tmp_path: Path) -> None:
    write_stage(tmp_path / "raw.h5", recording(), PROVENANCE)
    with h5py.File(tmp_path / "raw.h5") as file:
        markers = file["markers_G"]
        assert (markers.attrs["units"], markers.attrs["frame"]) == ("m", "G")
        times, names, components = (dim[0] for dim in markers.dims)
        np.testing.assert_array_equal(times[()], recording().time)
        assert tuple(names.asstr()[()]) == recording().marker_names
        assert tuple(components.asstr()[()]) == ("x", "y", "z")
        load = file["plates/wrench/moment_G"]
        assert load.attrs["units"] == "Nm"
        assert [load.dims[index][0].name for index in (0, 1)] == ["/plate", "/analog_time"]


def test_the_same_value_gives_the_same_bytes(tmp_path: Path) -> None:
    write_stage(tmp_path / "one.h5", recording(), PROVENANCE)
    time.sleep(1.1)  # HDF5 counts whole seconds where it keeps times
    write_stage(tmp_path / "two.h5", recording(), PROVENANCE)
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "two.h5").read_bytes()


def test_a_file_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "s.h5"
    write_stage(path, everything(), PROVENANCE)
    before = path.read_bytes()
    bad = everything()
    object.__setattr__(bad, "seen", np.array([True]))
    with pytest.raises(ResultsError, match=r"seen.*1 entries along 'time', its axis has 3"):
        write_stage(path, bad, PROVENANCE)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_failure_is_stored_in_place_of_a_value_and_refuses_to_be_read_as_one(tmp_path: Path) -> None:
    failure = Failure("walk_2", "ingest", "walk_2.c3d: is empty", defect=False)
    write_failure(tmp_path / "f.h5", failure, PROVENANCE)
    with h5py.File(tmp_path / "f.h5") as file:
        assert read_header(file, "f.h5") == (PROVENANCE, failure)
    with pytest.raises(ResultsError, match=r"ingest failed: walk_2\.c3d: is empty"):
        read_stage(tmp_path / "f.h5", RawTrial)


def test_a_missing_or_foreign_or_older_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ResultsError, match=r"absent\.h5"):
        read_stage(tmp_path / "absent.h5", RawTrial)
    (tmp_path / "text.h5").write_text("not HDF5")
    with pytest.raises(ResultsError, match=r"text\.h5"):
        read_stage(tmp_path / "text.h5", RawTrial)
    write_stage(tmp_path / "point.h5", Point(np.zeros((2, 3)), 1.0), PROVENANCE)
    with pytest.raises(ResultsError, match=r"lacks 'by_name'.*run the workflow again"):
        read_stage(tmp_path / "point.h5", Everything)


def test_a_file_of_another_layout_is_refused_wherever_it_is_read_with_the_version_that_wrote_it(tmp_path: Path) -> None:
    path = tmp_path / "Ann/day1/raw/w.h5"
    write_stage(path, recording(), replace(PROVENANCE, versions={"gait-pipeline": "0.9.2"}))
    with h5py.File(path, "r+") as file:
        file.attrs["format"] = FORMAT - 1
    seal(path)
    trial = path.parent.parent / path.stem
    for read in (
        lambda: read_stage(path, RawTrial),
        lambda: read_failure(path),
        lambda: open_trial(path),
        lambda: open_trial(trial),
        lambda: export_trial(trial.parent, trial.name, tmp_path / "w.h5"),
        lambda: export_trial(trial.parent, trial.name, tmp_path / "w.mat"),
        lambda: export_trial(trial.parent, trial.name, tmp_path / "w.trc"),
    ):
        told = rf"w\.h5: was written by gait-pipeline 0\.9\.2 in layout {FORMAT - 1}, but this program.* gait run"
        with pytest.raises(ResultsError, match=told):
            read()
    assert sorted(tmp_path.glob("w.*")) == []


def test_an_export_has_the_stages_of_a_trial_in_groups_with_labels(tmp_path: Path) -> None:
    session = tmp_path / "Ann/day1"
    write_stage(session / "raw/w.h5", recording(), PROVENANCE)
    write_stage(session / "kinematics/w.h5", everything(), PROVENANCE)
    write_stage(session / "kinematics/other.h5", everything(), PROVENANCE)
    for name in ("one.h5", "two.h5"):
        export_trial(session, "w", tmp_path / name)
    assert (tmp_path / "one.h5").read_bytes() == (tmp_path / "two.h5").read_bytes()
    assert_same(read_stage(tmp_path / "one.h5", Everything, "kinematics"), everything())
    assert_same(read_stage(tmp_path / "one.h5", RawTrial, "raw"), recording())
    with h5py.File(tmp_path / "one.h5") as file:
        assert (file.attrs["subject"], file.attrs["session"], file.attrs["trial"]) == ("Ann", "day1", "w")
        assert list(file) == ["kinematics", "raw"]
        assert file["raw/markers_G"].dims[1][0] == file["raw/marker"]
        assert file["raw"].attrs["settings"] == PROVENANCE.settings
    with pytest.raises(ResultsError, match="has no trial 'x'"):
        export_trial(session, "x", tmp_path / "x.h5")
    with pytest.raises(ResultsError, match="has no trial 'x'"):
        export_trial(session, "x", tmp_path / "x.mat")
    assert not list(tmp_path.glob("x.*"))
    with pytest.raises(ResultsError, match=r"kind '\.xls' are not exported.* ends in \.c3d or \.h5"):
        export_trial(session, "w", tmp_path / "w.xls")


@pytest.mark.parametrize("place", [3, 100, 600, -1])
def test_a_changed_byte_anywhere_in_a_file_is_found_where_it_is_read(tmp_path: Path, place: int) -> None:
    path = tmp_path / "s.h5"
    write_stage(path, recording(), PROVENANCE)
    assert read_failure(path) is None
    content = bytearray(path.read_bytes())
    content[place] ^= 1
    path.write_bytes(content)
    for read in (read_failure, lambda path: read_stage(path, RawTrial)):
        with pytest.raises(DamagedFileError, match=r"s\.h5: is damaged.*Run the workflow again"):
            read(path)
    path.write_bytes(bytes(content[:700]))
    with pytest.raises(DamagedFileError):
        read_failure(path)


def test_a_large_array_of_single_precision_as_recorded_is_compressed_without_loss(tmp_path: Path) -> None:
    still = replace(recording(), markers_G=np.zeros((5, 3, 3)), analog=np.zeros((20, 2)))
    many = replace(still, analog=np.tile(np.arange(20.0)[:, None], (1, 2)))
    write_stage(tmp_path / "few.h5", many, PROVENANCE)
    times = np.arange(100_000) / np.float64(512)
    wrench = Wrench(*(np.zeros((100_000, 3)) for _ in range(2)), np.zeros(3))
    plates = tuple(replace(plate, wrench=wrench) for plate in still.plates)
    long = replace(still, analog_time=times, analog=np.tile(times[:, None], (1, 2)), plates=plates)
    write_stage(tmp_path / "many.h5", long, PROVENANCE)
    assert_same(read_stage(tmp_path / "many.h5", RawTrial), long)
    assert (tmp_path / "many.h5").stat().st_size < 0.2 * 8 * 100_000 * 15


@dataclass(frozen=True)
class Twice:
    time: Annotated[np.ndarray, Axis("time", "time", "s")]
    parts: dict[str, Annotated[np.ndarray, Quantity("a part", "m", ("time",), "G")]]
    length: Annotated[np.ndarray, Quantity("a length", "m", ("time",), "G")]
    angle: Annotated[np.ndarray, Quantity("an angle", "rad", ("time",), "G")]


def test_equal_large_arrays_of_one_unit_are_one_dataset_with_two_names(tmp_path: Path) -> None:
    values = np.arange(2000) / 1024.0  # has few binary digits, so that nothing is rounded
    twice = Twice(np.arange(2000.0), {"a": values, "b": values.copy(), "c": -values}, values, values)
    write_stage(tmp_path / "S" / "1" / "raw" / "w.h5", twice, PROVENANCE)
    with h5py.File(tmp_path / "S" / "1" / "raw" / "w.h5") as file:
        same = [file[name] == file["parts/a"] for name in ("parts/a", "parts/b", "parts/c", "length", "angle")]
        assert same == [True, True, False, True, False]
    assert_same(read_stage(tmp_path / "S" / "1" / "raw" / "w.h5", Twice), twice)
    export_trial(tmp_path / "S" / "1", "w", tmp_path / "one.h5")
    with h5py.File(tmp_path / "one.h5") as file:
        for name in ("parts/a", "parts/b", "length", "angle"):
            np.testing.assert_array_equal(file[f"raw/{name}"], values)


def test_a_large_array_is_rounded_to_its_kept_bits_and_a_small_one_is_not() -> None:
    rng = np.random.default_rng(3)
    values = rng.normal(size=1000) * 10.0 ** rng.integers(-300, 300, 1000)
    values[:4] = np.nan, np.inf, -np.inf, 0.0
    found = rounded(values)
    np.testing.assert_allclose(found, values, rtol=2.0**-37, atol=0.0)  # half of the last kept bit
    assert (found != values)[4:].mean() > 0.9
    np.testing.assert_array_equal(found[4:], [round_exactly(v) for v in values[4:]])
    np.testing.assert_array_equal(rounded(found), found)
    np.testing.assert_array_equal(rounded(values[:500]), values[:500])


def round_exactly(value: float) -> float:
    """To 37 binary digits, ties to even, in whole numbers."""
    mantissa, exponent = np.frexp(value)
    return float(np.ldexp(float(round(Fraction(mantissa) * 2**37)), exponent - 37))


@pytest.mark.parametrize("text", ["", ".", "..", "a/b", "%", "%2F", "knee é", "\ud800", "a\0b", "../../x", "L{x}"])
def test_any_label_becomes_a_name_and_back(text: str, tmp_path: Path) -> None:
    assert unescape(escape(text)) == text
    with h5py.File(tmp_path / "n.h5", "w") as file:
        file.create_group(escape(text))
        assert list(file) == [escape(text)]


@given(st.text(alphabet=st.characters(exclude_categories=[])), st.text())
def test_two_labels_never_become_one_name(one: str, other: str) -> None:
    assert unescape(escape(one)) == one
    assert (escape(one) == escape(other)) == (one == other)


def test_an_array_without_units_is_a_defect_of_the_declaration(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Bare:
        x: np.ndarray

    Bare.__annotations__["x"] = np.ndarray
    with pytest.raises(TypeError, match="'x' has no declared units"):
        write_stage(tmp_path / "b.h5", Bare(np.zeros(3)), PROVENANCE)


def test_text_that_utf8_or_hdf5_cannot_hold_is_written_as_its_escape(tmp_path: Path) -> None:
    events = (Event(0.0, "left\0", "initial contact", "half \ud800"),)
    write_stage(tmp_path / "s.h5", replace(everything(), no_events=events), PROVENANCE)
    assert read_stage(tmp_path / "s.h5", Everything).no_events == (
        Event(0.0, "left\\0", "initial contact", "half \\ud800"),
    )


def test_results_of_a_stage_that_was_switched_off_belong_to_the_trial_until_their_inputs_change(tmp_path):
    """A corrected body mass is in the legs' results, but not in those of the skeleton that the study no longer fits."""
    legs, body = tmp_path / "kinematics/w.h5", tmp_path / "whole_body/w.h5"
    write_stage(legs, recording(), PROVENANCE)
    write_stage(body, recording(), replace(PROVENANCE, inputs={"kinematics": verified_digest(legs), "walk": "00"}))
    assert stage_files(tmp_path, "w") == {"kinematics": legs, "whole_body": body}
    write_stage(legs, replace(recording(), first_frame=13), PROVENANCE)
    assert stage_files(tmp_path, "w") == {"kinematics": legs}
    body.write_bytes(b"damaged")
    assert "whole_body" in stage_files(tmp_path, "w")


def test_names_of_markers_that_got_a_number_are_told_by_the_export(tmp_path):
    raw = replace(recording(), marker_names=("A B", "A_B", "C D"))
    write_stage(tmp_path / "raw/walk.h5", raw, PROVENANCE)
    told = export_trial(tmp_path, "walk", tmp_path / "walk.trc")
    assert told == ["marker 'A B' is named A_B_2, since A_B is another marker"]
    assert read_trial(tmp_path / "walk.trc").marker_names == ("A_B_2", "A_B", "C_D")


@pytest.mark.parametrize("name", ["walk.trc", "walk.osim"])
def test_an_export_that_names_markers_needs_the_recording(tmp_path, monkeypatch, name):
    read = osim.stored_results
    monkeypatch.setattr(osim, "stored_results", lambda *of: read(*of) if RawTrial in of else None)
    (tmp_path / "kinematics").mkdir()
    (tmp_path / "kinematics/walk.h5").touch()
    with pytest.raises(ResultsError, match="has no recording of trial 'walk'"):
        export_trial(tmp_path, "walk", tmp_path / name)
