"""Write a stage's dataclass as labelled HDF5, whole or not at all; the same value gives the same bytes."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import h5py
import numpy as np

from pipeline.conventions import AXIS_NAMES
from pipeline.errors import ResultsError
from pipeline.provenance import Provenance
from pipeline.results.declarations import Field, declared_fields, inner_fields
from pipeline.results.integrity import seal
from pipeline.results.precision import COMPRESSED_ABOVE, rounded
from pipeline.results.stacking import ABSENT_ENTRIES, Column, columns, entry_labels
from pipeline.results.status import RESERVED, Failure, write_header
from pipeline.trial import Quantity
from pipeline.whole_files import written_whole

TEXT = h5py.string_dtype("utf-8")
_TEXT_TYPE, _SCALAR = h5py.h5t.py_create(TEXT, logical=True), h5py.h5s.create(h5py.h5s.SCALAR)
KEYS = "keys"
"""Attribute with the escaped names of a mapping's or tuple's entries, in order."""
COORDINATES = "coordinates"
"""Attribute of a group from the CF conventions: names of its arrays that are coordinates but not dimensions."""
OF_SCALES = frozenset({"CLASS", "NAME", "DIMENSION_LIST", "REFERENCE_LIST"})
"""Attributes in which HDF5 keeps its dimension scales."""
BEST_ITERATE = "best_iterate"
"""Group of a failed file with the solver's best iterate."""

_PLAIN, _EMPTY = " !#$&'()*+,:;<=>?@[]^`{|}~\"\\", "%"
"""What names of links have as it is, besides letters, digits and -._~; and the name of an empty text."""

CHUNK = 1 << 20
"""Maximum size of a chunk, which is compressed by itself, bytes: as much as HDF5 keeps in memory at once. With the
smaller chunks that h5py would choose, a walk on the skeleton takes a fifth more space."""

_LABELS = {
    "xyz": AXIS_NAMES,
    "plane": ("sagittal", "frontal", "transverse"),
    "direction": ("fore-aft", "vertical", "mediolateral"),
}
_SHARED = {"xyz": 3, "plane": 3, "direction": 3, "row": 3, "column": 3, "component": 3}
"""Sizes of dimensions that are the same in all groups: their scales are in the root, where every group finds them."""


@contextmanager
def new_file(path: Path) -> Iterator[h5py.File]:
    """Open a new HDF5 file, which gets its final name only once its contents and digest are written.

    It is made in memory: if the disk is full, HDF5 may crash when closing a file, while a plain write raises OSError.
    """
    content = io.BytesIO()
    with h5py.File(content, "w", libver="v110", track_order=False) as file:
        yield file
    with written_whole(path) as (beside,):
        beside.write_bytes(content.getbuffer())
        seal(beside)


def write_stage(path: Path, value: Any, provenance: Provenance) -> None:
    """Store a stage's value, replacing the file if it exists, with its provenance as attributes of the root.

    The value is a frozen dataclass whose fields declare units, frame and axes (see `pipeline.trial`).

    Raises:
        ResultsError: an array does not have the declared dimensions.
        TypeError: a field's type cannot be stored, or an array has no declared units.
    """
    with new_file(path) as file:
        write_value(file, value, provenance, Writer(str(path)))


def write_value(file: Any, value: Any, provenance: Provenance, writer: Writer) -> None:
    """Store a stage's value in an open file, as `write_stage` does, with a writer for that kind of file."""
    fields = declared_fields(type(value))
    reserved = RESERVED & {field.name for field in fields}
    if reserved:
        raise TypeError(f"{type(value).__name__} has fields named as attributes of the file: {sorted(reserved)}")
    write_header(file, provenance, None)
    writer.dataclass(file, value, fields)
    writer.mark_columns()


def write_failure(path: Path, failure: Failure, provenance: Provenance, best: Any = None) -> None:
    """Store a failure instead of a stage's value, with the provenance that the value would have had.

    The solver's ``best`` iterate, a value as for `write_stage`, is no result: it is stored in a separate group, which
    only `read_best_iterate` reads.
    """
    with new_file(path) as file:
        write_header(file, provenance, failure)
        if best is not None:
            group = file.create_group(BEST_ITERATE)
            group.attrs["status"] = "not solved"
            Writer(str(path)).dataclass(group, best, declared_fields(type(best)))


@dataclass(frozen=True)
class _Scale:
    """Labels of a dimension; declared ones must fit all arrays of their group and its subgroups."""

    dataset: h5py.Dataset
    size: int
    declared: bool


class Writer:
    """Writes a value by following its declarations; `create` and `label` know how arrays are held."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._scales: dict[tuple[str, str], _Scale] = {}  # by group and dimension
        self._arrays: dict[tuple, h5py.Dataset] = {}  # compressed ones by contents, unit, frame and axes
        self._tables: list[h5py.Group] = []  # of records and of stacks

    def create(self, group: h5py.Group, name: str, array: np.ndarray, attributes: dict[str, str]) -> h5py.Dataset:
        """Create an array in a group."""
        dataset = create_dataset(group, name, array)
        for key, text in attributes.items():
            _describe(dataset, key, text)
        return dataset

    def label(self, dataset: h5py.Dataset, index: int, scale: h5py.Dataset) -> None:
        """Attach labels to a dimension of an array."""
        h5py.h5ds.attach_scale(dataset.id, scale.id, index)

    def dataclass(self, group: h5py.Group, value: Any, fields: Sequence[Field]) -> None:
        """Store a value's fields in a group. Raises as `write_stage` does."""
        labels = entry_labels(fields, (value,))
        for dim, (quantity, names) in labels.items():
            self._make_scale(group, dim, names, quantity, declared=True)
        known = {dim: names for dim, (_, names) in labels.items()}
        for field in fields:
            entries = getattr(value, field.name)
            if field.kind == "stack" and entries is not None:
                self._stack(group, columns(field, entries, known))
            else:
                self._field(group, field, field.name, entries)

    def mark_columns(self) -> None:
        """Mark as coordinates the columns named like a dimension of a parent group, such as the time of an event.

        Otherwise xarray would show the labels of that dimension instead of the column.
        """
        for group in self._tables:
            above = [*_scopes(group.name)][1:]
            hidden = [name for name in group if any((scope, name) in self._scales for scope in above)]
            if hidden:
                group.attrs[COORDINATES] = " ".join(hidden)

    def _field(self, group: h5py.Group, field: Field, name: str, value: Any) -> None:
        if value is None and field.optional:
            return
        quantity = field.quantity
        if field.kind == "attribute":
            group.attrs[name] = field.type(value)
        elif field.kind == "axis":
            assert quantity is not None
            self._make_scale(group, field.dim, value, quantity, declared=True)
        elif field.kind == "array":
            assert quantity is not None
            self._array(group, name, rounded(value), quantity)
        elif field.kind == "group":
            self.dataclass(group.create_group(name), value, inner_fields(field))
        elif field.kind == "items":
            entries = {str(number): item for number, item in enumerate(value, start=1)}
            self._entries(group.create_group(name), Field(name, "group", field.type), entries)
        elif field.kind == "mapping":
            assert field.entry is not None
            self._entries(group.create_group(name), field.entry, value)
        elif field.kind == "records":
            self._records(group.create_group(name), field.type, value)
        else:
            self._table(group.create_group(name), field, value)

    def _entries(self, group: h5py.Group, entry: Field, values: Mapping[str, Any]) -> None:
        names = [escape(key) for key in values]
        group.attrs[KEYS] = np.array(names, dtype=TEXT)
        for name, value in zip(names, values.values(), strict=True):
            self._field(group, entry, name, value)

    def _stack(self, group: h5py.Group, found: Iterable[Column]) -> None:
        groups: dict[tuple[str, ...], h5py.Group] = {(): group}
        for column in found:
            for depth in range(1, len(column.path)):
                path = column.path[:depth]
                if path not in groups:
                    groups[path] = groups[path[:-1]].create_group(path[-1])
                    self._tables.append(groups[path])
            place, name = groups[column.path[:-1]], column.path[-1]
            if column.labels:
                self._make_scale(place, name, column.values, column.quantity, declared=True)
                continue
            self._array(place, name, column.values, column.quantity)
            if column.absent:
                place[name].attrs[ABSENT_ENTRIES] = np.array(column.absent)

    def _records(self, group: h5py.Group, cls: type, records: Sequence[Any]) -> None:
        self._tables.append(group)
        for field in declared_fields(cls):
            self._column(group, field.name, field, [getattr(record, field.name) for record in records], "index")

    def _table(self, group: h5py.Group, field: Field, table: Mapping[str, Any]) -> None:
        self._make_scale(group, "key", list(table), Quantity("name", "", ("key",)))
        self._column(group, "value", field, list(table.values()), "key")

    def _column(self, group: h5py.Group, name: str, field: Field, scalars: list[Any], dim: str) -> None:
        values, quantity = np.array(scalars, dtype=TEXT if field.type is str else field.type), field.along(dim)
        self._attach(group, self._dataset(group, name, values, quantity), quantity)

    def _array(self, group: h5py.Group, name: str, value: Any, quantity: Quantity) -> None:
        """Store an array, or link to a dataset with the same contents: the thigh's axes are those at hip and knee."""
        if not isinstance(value, np.ndarray) or value.nbytes < COMPRESSED_ABOVE:
            self._attach(group, self._dataset(group, name, value, quantity), quantity)
            return
        axes = tuple(
            self._scale(group, dim, size, f"{group.name}/{name}").name
            for dim, size in zip(quantity.dims, value.shape, strict=False)
        )
        contents = value.shape, value.dtype.str, sha256(np.ascontiguousarray(value).data).digest()
        key = (*contents, quantity.units, quantity.frame, axes)
        if key in self._arrays:
            group[name] = self._arrays[key]
        else:
            self._arrays[key] = self._dataset(group, name, value, quantity)
            self._attach(group, self._arrays[key], quantity)

    def _dataset(self, group: h5py.Group, name: str, value: Any, quantity: Quantity) -> h5py.Dataset:
        array = _as_array(value)
        if array.ndim != len(quantity.dims):
            raise ResultsError(
                f"has shape {array.shape}, declared are the dimensions {quantity.dims}",
                where=f"{self._path}, {group.name.rstrip('/')}/{name}",
            )
        attributes = {"long_name": quantity.long_name, "units": quantity.units, "frame": quantity.frame}
        return self.create(group, name, array, attributes)

    def _attach(self, group: h5py.Group, dataset: h5py.Dataset, quantity: Quantity) -> None:
        """Attach a scale to each dimension: the nearest of that name in this or a parent group, or a new one."""
        for index, (dim, size) in enumerate(zip(quantity.dims, dataset.shape, strict=True)):
            scale = self._scale(group, dim, size, dataset.name)
            self.label(dataset, index, scale)

    def _scale(self, group: h5py.Group, dim: str, size: int, user: str) -> h5py.Dataset:
        own = group.name
        for scope in _scopes(own):
            found = self._scales.get((scope, dim))
            if found and found.size == size:
                return found.dataset
            if found and (scope == own or found.declared):
                raise ResultsError(
                    f"has {size} entries along '{dim}', its axis has {found.size}",
                    where=f"{self._path}, {user}",
                )
        labels = _LABELS.get(dim, ())
        values = list(labels) if len(labels) == size else np.arange(size)
        place = group.file["/"] if _SHARED.get(dim) == size and dim not in group.file else group
        return self._make_scale(place, dim, values, Quantity(dim.replace("_", " "), "", (dim,)))

    def _make_scale(
        self, group: h5py.Group, dim: str, values: Any, quantity: Quantity, *, declared: bool = False
    ) -> h5py.Dataset:
        scale = self._dataset(group, dim, values, quantity)
        scale.make_scale(dim)
        self._scales[group.name, dim] = _Scale(scale, len(scale), declared)
        return scale


def _scopes(group: str) -> Iterator[str]:
    """Full names of a group and all its parents, up to the root."""
    while group != "/":
        yield group
        group = group.rpartition("/")[0] or "/"
    yield "/"


def create_dataset(group: h5py.Group, name: str, array: Any, dtype: Any = None) -> h5py.Dataset:
    """Store an array; large numeric ones are compressed losslessly, in chunks along the first axis."""
    values = np.asarray(array)
    filters: dict[str, Any] = {}
    if values.nbytes >= COMPRESSED_ABOVE and values.dtype.kind in "biuf":
        rows = max(1, min(len(values), CHUNK * len(values) // values.nbytes))
        filters = {"compression": "gzip", "compression_opts": 4, "shuffle": True, "chunks": (rows, *values.shape[1:])}
    return group.create_dataset(name, data=array, dtype=dtype or values.dtype, track_times=False, **filters)


def _describe(dataset: h5py.Dataset, key: str, text: str) -> None:
    """Do ``dataset.attrs[key] = text`` for a new key in a third of the time; a file has thousands of them."""
    attribute = h5py.h5a.create(dataset.id, key.encode(), _TEXT_TYPE, _SCALAR)
    attribute.write(np.array(text, dtype=TEXT))


def _as_array(value: Any) -> np.ndarray:
    """An array that HDF5 can hold; lone surrogates and NUL, which it cannot hold, are written as escapes."""
    array = np.asarray(value)
    if array.dtype.kind in "UO" or (array.size == 0 and isinstance(value, list | tuple)):
        texts = [str(item).encode(errors="backslashreplace").decode().replace("\0", "\\0") for item in array.flat]
        array = np.array(texts, dtype=TEXT).reshape(array.shape)
    return array


def escape(text: str) -> str:
    """Percent-encode, reversibly, what names of links cannot hold ("/", "."), "%", and all but printable ASCII."""
    if text in {"", ".", ".."}:
        return text.replace(".", "%2E") or _EMPTY
    return quote(text, safe=_PLAIN, errors="surrogatepass")


def unescape(name: str) -> str:
    """The text that `escape` encoded."""
    return "" if name == _EMPTY else unquote(name, errors="surrogatepass")
