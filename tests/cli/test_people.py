"""People of one folder are told apart by the names of their files where their bodies differ in size."""

from __future__ import annotations

import numpy as np
import pytest

from pipeline.acquisition import FILE_KINDS, read_trial
from pipeline.cli.people import people, size_of
from pipeline.errors import AcquisitionError

NO = (np.nan, np.nan)


def test_names_are_divided_where_sizes_tell_two_people() -> None:
    sizes = {"NP1001a16": (28.0, 1.28), "NP1001b02": (28.5, 1.28), "NP1002a12": (24.0, 1.20)}
    assert people(sizes) == {"NP1001a16": "NP1001", "NP1001b02": "NP1001", "NP1002a12": "NP1002"}


def test_a_file_of_unknown_size_goes_with_its_name() -> None:
    sizes = {"Ann static": NO, "Ann walk 1": (60.0, 1.6), "Bob walk 1": (80.0, 1.8), "Bob static": NO}
    assert people(sizes) == {name: name[:3] for name in sizes}


@pytest.mark.parametrize(
    "sizes",
    [
        {"Ann1_walk1": (60.0, 1.6), "Ann2_walk1": (62.0, 1.61)},  # 3 % and 0.6 %: clothes
        {"walk1": (60.0, 1.6), "walk2": (80.0, 1.8)},  # nothing but the last number differs
        {"a1x": (60.0, 1.6), "a1y": (80.0, 1.8), "b1x": (60.0, 1.6)},  # a1 would have two sizes
        {"a": NO, "b": NO},
        {},
    ],
)
def test_without_evidence_all_are_of_one_person(sizes) -> None:
    assert people(sizes) == {}


@pytest.mark.parametrize("height", [1580.0, 158.0, 1.58])
def test_heights_are_read_in_mm_cm_and_m(height: float) -> None:
    assert size_of({"Bodymass": 60.0, "Height": height}) == (60.0, pytest.approx(1.58))


def test_no_size_is_stored_as_zero() -> None:
    assert np.isnan(size_of({"Bodymass": 0.0, "Height": 0.0})).all()


@pytest.mark.long
def test_of_all_folders_given_those_of_several_people_are_divided(trials) -> None:
    divided = set()
    for folder in {path.parent for path in trials.rglob("*.c3d")}:
        sizes = {}
        for path in folder.iterdir():
            if path.suffix.lower() in FILE_KINDS:
                try:
                    sizes[path.stem] = size_of(read_trial(path).parameters)
                except AcquisitionError:
                    sizes[path.stem] = NO
        found = people(sizes)
        divided |= {(folder.name, len(set(found.values())))} if found else set()
    assert divided == {("basel", 13)}
