"""Entries of mappings and tuples with an axis: one array for all, labelled, from which each comes back as it was."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
import xarray

from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results import read_stage, write_stage
from pipeline.results.declarations import declared_fields
from pipeline.trial import Axis, Quantity
from tests.results.test_stage_files import assert_same

Curve = Annotated[np.ndarray, Quantity("curve", "Nm", ("percent",))]


@dataclass(frozen=True)
class Contact:
    side: str
    plate: int
    start: Annotated[float, Quantity("begin", "s")]


@dataclass(frozen=True)
class Cycle:
    contact: Contact
    clean: bool
    percent: Annotated[np.ndarray, Axis("percent", "cycle", "%")]
    moments: Annotated[dict[str, Curve], Axis("joint", "joint")]
    powers: Annotated[dict[str, Curve], Axis("joint", "joint")]
    values: Annotated[dict[str, float], Axis("value_name", "parameter")]
    best: Annotated[np.ndarray, Quantity("best", "1", ("percent",))] | None = None


@dataclass(frozen=True)
class Cycles:
    cycles: Annotated[tuple[Cycle, ...], Axis("number", "number of the cycle")]
    of_points: Annotated[dict[str, Curve], Axis("point", "point")] = field(default_factory=dict)


def curve(*values: float) -> np.ndarray:
    return np.array(values, dtype=float)


def cycle(side: str, moments: dict[str, np.ndarray], **more: object) -> Cycle:
    fixed = {"powers": {}, "values": {}} | more
    return Cycle(Contact(side, 2, 0.1), True, curve(0.0, 50.0, 100.0), moments, **fixed)  # type: ignore[arg-type]


VARIED = Cycles(
    (
        cycle("left", {"hip": curve(1, 2, 3), "knee": curve(4, np.nan, 6)}, values={"cadence": 110.0}),
        cycle("right", {"knee": curve(7, 8, 9)}, powers={"ankle": curve(0, 1, 0)}, best=curve(1, 1, 1)),
        cycle("left", {}),
    )
)


@pytest.mark.parametrize("value", [VARIED, Cycles(()), Cycles(VARIED.cycles[2:])], ids=["varied", "none", "bare"])
def test_what_entries_have_and_lack_comes_back(tmp_path: Path, value: Cycles) -> None:
    """Missing keys, missing values and no entry at all; NaN that was written is no missing key."""
    write_stage(tmp_path / "w.h5", value, Provenance("x"))
    assert_same(read_stage(tmp_path / "w.h5", Cycles), value)


def test_all_entries_are_one_labelled_array(tmp_path: Path) -> None:
    write_stage(tmp_path / "w.h5", VARIED, Provenance("x"))
    with xarray.open_datatree(tmp_path / "w.h5") as tree:
        cycles = tree["cycles"]
        assert cycles["moments"].dims == ("number", "joint", "percent")
        assert cycles["moments"].attrs["units"] == "Nm"
        knee = cycles["moments"].sel(number=2, joint="knee")
        np.testing.assert_array_equal(knee.sel(percent=50.0), 8.0)
        assert np.isnan(cycles["powers"].sel(number=1)).all(), "absent entries are missing values"
        np.testing.assert_array_equal(cycles["contact/side"], ["left", "right", "left"])
        np.testing.assert_array_equal(cycles["contact/start"], [0.1, 0.1, 0.1])
        assert cycles["clean"].dtype == bool


@dataclass(frozen=True)
class Sides:
    percent: Annotated[np.ndarray, Axis("percent", "cycle", "%")]
    mean: Annotated[dict[str, Annotated[dict[str, Curve], Axis("joint", "joint")]], Axis("side", "side")]
    count: Annotated[dict[str, Annotated[dict[str, int], Axis("joint", "joint")]], Axis("side", "side")]


def test_a_mapping_of_mappings_has_a_dimension_for_each(tmp_path: Path) -> None:
    mean = {"left": {"hip": curve(1, 2, 3), "knee": curve(4, np.nan, 6)}, "right": {"knee": curve(7, 8, 9)}}
    for value in (
        Sides(curve(0, 50, 100), mean, {"left": {"hip": 2, "knee": 1}, "right": {"knee": 3}}),
        Sides(curve(0, 50, 100), {}, {}),
    ):
        write_stage(tmp_path / "w.h5", value, Provenance("x"))
        assert_same(read_stage(tmp_path / "w.h5", Sides), value)
        with xarray.open_datatree(tmp_path / "w.h5") as tree:
            assert list(tree["side"].values) == list(value.mean)
            if value.mean:
                assert tree["mean"].dims == ("side", "joint", "percent")
                np.testing.assert_array_equal(tree["mean"].sel(side="right", joint="knee"), [7, 8, 9])
                assert int(tree["count"].sel(side="left", joint="hip")) == 2


def test_a_part_of_the_entries_fields_is_read_alone(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Part:
        moments: Annotated[dict[str, Curve], Axis("joint", "joint")]

    @dataclass(frozen=True)
    class Parts:
        cycles: Annotated[tuple[Part, ...], Axis("number", "number of the cycle")]

    Parts.__annotations__["cycles"] = Annotated[tuple[Part, ...], Axis("number", "number of the cycle")]
    Part.__annotations__["moments"] = Annotated[dict[str, Curve], Axis("joint", "joint")]
    write_stage(tmp_path / "w.h5", VARIED, Provenance("x"))
    read = read_stage(tmp_path / "w.h5", Parts)
    assert [list(part.moments) for part in read.cycles] == [["hip", "knee"], ["knee"], []]


def test_entries_of_unlike_shape_are_named(tmp_path: Path) -> None:
    unlike = Cycles((cycle("left", {"hip": curve(1, 2, 3)}), cycle("left", {"hip": curve(1, 2)})))
    with pytest.raises(ResultsError, match=r"cycles/moments: entries have the shapes \(3,\) and \(2,\)"):
        write_stage(tmp_path / "w.h5", unlike, Provenance("x"))
    other = cycle("left", {})
    object.__setattr__(other, "percent", curve(0.0, 10.0, 100.0))
    with pytest.raises(ResultsError, match="entries differ along 'percent'"):
        write_stage(tmp_path / "w.h5", Cycles((cycle("left", {}), other)), Provenance("x"))


def test_a_file_without_the_labels_is_of_another_version(tmp_path: Path) -> None:
    @dataclass(frozen=True)
    class Earlier:
        name: str

    write_stage(tmp_path / "w.h5", Earlier("w"), Provenance("x"))
    with pytest.raises(ResultsError, match=r"lacks 'number'.*another version"):
        read_stage(tmp_path / "w.h5", Cycles)


@dataclass(frozen=True)
class Ragged:
    inner: Annotated[dict[str, tuple[Contact, ...]], Axis("name", "name")]


@dataclass(frozen=True)
class RaggedInside:
    contacts: tuple[Contact, ...]


@dataclass(frozen=True)
class RaggedEntries:
    inner: Annotated[dict[str, RaggedInside], Axis("name", "name")]


@pytest.mark.parametrize("cls", [Ragged, RaggedEntries])
def test_lists_in_entries_are_refused_when_they_are_declared(cls: type) -> None:
    with pytest.raises(TypeError, match="'inner' holds"):
        declared_fields(cls)
