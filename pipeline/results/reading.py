"""Read a stage's dataclass back from its HDF5 file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import h5py
import numpy as np

from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results.declarations import SCALARS, Field, declared_fields, inner_fields
from pipeline.results.integrity import DamagedFileError, verified_digest
from pipeline.results.session_folder import STAGES
from pipeline.results.stacking import ABSENT, ABSENT_ENTRIES, entries_of, split
from pipeline.results.status import Failure, check_format, failure_in, read_header
from pipeline.results.writing import BEST_ITERATE, KEYS, unescape
from pipeline.trial import Findings

T = TypeVar("T")


def read_stage(path: Path, cls: type[T], group: str = "/") -> T:
    """Read a stage's value.

    >>> import tempfile
    >>> from pipeline.acquisition import read_trial
    >>> from pipeline.provenance import Provenance
    >>> from pipeline.results import read_stage, write_stage
    >>> from pipeline.trial import MarkersAndPlates
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "walk.h5")
    ...     write_stage(path, read_trial("data/demo/walk.c3d"), Provenance("ingest"))
    ...     read_stage(path, MarkersAndPlates).rate  # the part of the recording that this class has
    100.0

    Args:
        path: file that `write_stage` or `export_trial` wrote.
        cls: the dataclass that was written, or one with some of its fields; only these are read.
        group: the root of a stage's file, or the stage's group in the export of a trial.

    Raises:
        ResultsError: the file is missing, not HDF5, of another version, lacks a field, or records a failure.
    """
    found = read_outcome(path, cls, group)
    if isinstance(found, Failure):
        raise ResultsError(f"has no value, because {found.step} failed: {found.reason}", where=str(path))
    return found


def read_outcome(path: Path, cls: type[T], group: str = "/") -> T | Failure:
    """Read a stage's value or its failure. Raises ResultsError as `read_stage` does, except for a failure."""
    with opened(path) as file:
        if group not in file:
            raise ResultsError(f"has no group '{group}'", where=str(path))
        _, failure = read_header(file[group], str(path))
        return failure or Reader(str(path)).dataclass(file[group], cls, declared_fields(cls))


def read_computed(path: Path, cls: type[T]) -> T | None:
    """Read a stage's value; None if the file records a failure. Raises ResultsError as `read_stage` does otherwise."""
    found = read_outcome(path, cls)
    return None if isinstance(found, Failure) else found


def plausible(findings: Iterable[Path]) -> list[bool]:
    """For each file of findings, whether the walk has results, all checks were made, and none refused them."""
    found = [read_outcome(path, Findings) for path in findings]
    return [isinstance(own, Findings) and own.complete and not own.refused for own in found]


def read_best_iterate(path: Path, cls: type[T]) -> T | None:
    """The best iterate of a solver whose failure a file records; None if there is none. It is not a result.

    Raises:
        ResultsError: the file is missing, not HDF5, or of another version.
    """
    with opened(path) as file:
        if BEST_ITERATE not in file:
            return None
        return Reader(str(path)).dataclass(file[BEST_ITERATE], cls, declared_fields(cls))


def read_failure(path: Path) -> Failure | None:
    """The failure that a file records; None if it has a value. Raises ResultsError as `read_stage` does."""
    with opened(path) as file:
        return failure_in(file, str(path))


def read_provenance(path: Path) -> Provenance | None:
    """What a file's value was made from; None for a failure. Raises ResultsError as `read_stage` does."""
    with opened(path) as file:
        provenance, failure = read_header(file, str(path))
        return None if failure else provenance


@contextmanager
def opened(path: Path) -> Iterator[h5py.File]:
    """Open a results file for reading, after checking that its contents are those that were written.

    Raises:
        ResultsError: there is no such file, it cannot be read, or it is of another version of the layout.
        DamagedFileError: its contents changed after they were written, or it is at the path of another trial's file.
    """
    try:
        verified_digest(path)
        file = h5py.File(path, "r")
    except OSError as error:
        raise ResultsError(
            f"cannot be read ({error.strerror or error})", where=str(path), remedy="Run the workflow"
        ) from error
    with file:
        check_format(file.attrs, str(path))
        check_place(path, str(file.attrs.get("trial_key", "")))
        yield file


def check_place(path: Path, trial_key: str) -> None:
    """Raise DamagedFileError if a file in the folder of a stage belongs to another trial than its path says."""
    named = Path(*path.absolute().parts[-4:])
    if trial_key and named.parent.name in STAGES and trial_key != (place := f"{named.parent.parent}/{named.stem}"):
        raise DamagedFileError(path, f"belongs to {trial_key}, not to {place}")


class Reader:
    """Reads a group by following the declarations; `array` and `scalars` know how a group holds its values."""

    def __init__(self, path: str) -> None:
        self._path = path

    def dataclass(self, group: Any, cls: type[T], fields: Sequence[Field]) -> T:
        """The value that a group holds. Raises ResultsError if it lacks a field."""
        return cls(**{field.name: self._field(group, field, field.name) for field in fields})

    def _field(self, group: Any, field: Field, name: str) -> Any:
        if field.kind == "stack":
            return self._stack(group, field, ())[0]
        stored = group.attrs if field.kind == "attribute" else group
        name = field.dim if field.kind == "axis" else name
        if name not in stored:
            if field.optional:
                return None
            raise self._lacking(group, name)
        if field.kind in {"array", "axis"}:
            return self._values(group, name, field)
        item = stored[name]
        if field.kind == "attribute":
            return field.type(item)
        if field.kind == "group":
            return self.dataclass(item, field.type, inner_fields(field))
        if field.kind == "items":
            entry = Field(name, "group", field.type)
            return tuple(self._field(item, entry, key) for key in item.attrs[KEYS])
        if field.kind == "mapping":
            assert field.entry is not None
            return {unescape(key): self._field(item, field.entry, key) for key in item.attrs[KEYS]}
        if field.kind == "records":
            return self._records(item, field.type)
        values = self.scalars(item["value"], field.type)
        return dict(zip(self.scalars(item["key"], str), values, strict=True))

    def _lacking(self, group: Any, name: str) -> ResultsError:
        remedy = "It was written by another version: run the workflow again"
        return ResultsError(f"lacks '{name}'", where=f"{self._path}, {group.name}", remedy=remedy)

    def _stack(self, group: Any, field: Field, lead: tuple[int, ...]) -> list[Any]:
        """One mapping or tuple for each index of the flattened leading dimensions; a single one without these."""
        assert field.entry is not None
        if field.dim not in group:
            raise self._lacking(group, field.dim)
        labels = self.scalars(group[field.dim], str if field.keyed else int)
        values = self._entries(group, field.entry, field.name, (*lead, len(labels)))
        parts = (values[at * len(labels) : (at + 1) * len(labels)] for at in range(math.prod(lead)))
        return [entries_of(field, part, labels) for part in parts]

    def _entries(self, group: Any, field: Field, name: str, lead: tuple[int, ...]) -> list[Any]:
        """A field's value for each index of the flattened leading dimensions; `ABSENT` if an entry has none."""
        if field.kind == "stack":
            return self._stack(group, field, lead)
        name = field.dim if field.kind == "axis" else name
        if name not in group:
            return [ABSENT] * math.prod(lead)
        if field.kind == "axis":
            return [self._values(group, name, field)] * math.prod(lead)
        item = group[name]
        if field.kind != "group":
            return split(field, self.array(group, name), len(lead), item.attrs.get(ABSENT_ENTRIES, ()))
        inner = inner_fields(field)
        parts = [self._entries(item, part, part.name, lead) for part in inner]
        return [self._entry(item, field.type, inner, values) for values in zip(*parts, strict=True)]

    def _entry(self, group: Any, cls: type[T], fields: Sequence[Field], values: Sequence[Any]) -> T | object:
        needed = [(field, value) for field, value in zip(fields, values, strict=True) if not field.optional]
        lacking = [field.name for field, value in needed if value is ABSENT]
        if lacking and any(value is not ABSENT for field, value in needed if field.kind not in {"stack", "axis"}):
            raise self._lacking(group, lacking[0])
        if lacking:
            return ABSENT
        return cls(
            **{field.name: None if value is ABSENT else value for field, value in zip(fields, values, strict=True)}
        )

    def _records(self, group: Any, cls: type) -> tuple[Any, ...]:
        fields = declared_fields(cls)
        columns = [self.scalars(group[field.name], field.type) for field in fields]
        names = [field.name for field in fields]
        return tuple(cls(**dict(zip(names, row, strict=True))) for row in zip(*columns, strict=True))

    def _values(self, group: Any, name: str, field: Field) -> Any:
        if field.as_tuple:
            return tuple(self.scalars(group[name], field.type))
        return self.scalars(group[name], field.type) if field.type in SCALARS else self.array(group, name)

    def array(self, group: Any, name: str) -> np.ndarray:
        """The array of that name in a group."""
        dataset = h5py.h5d.open(group.id, name.encode())  # for hundreds of arrays; group[name] takes twice the time
        if h5py.check_string_dtype(dataset.dtype):
            return group[name].asstr()[()]
        values = np.empty(dataset.shape, dataset.dtype)
        dataset.read(h5py.h5s.ALL, h5py.h5s.ALL, values)
        return values

    def scalars(self, dataset: Any, scalar: type) -> Any:
        """A dataset as Python scalars: a list of them, or the only one if it has no dimension."""
        values = dataset.asstr()[()] if scalar is str else dataset[()]
        return values.tolist() if isinstance(values, np.ndarray | np.generic) else values
