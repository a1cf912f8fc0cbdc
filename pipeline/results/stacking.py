"""Store the entries of a mapping or tuple as columns: arrays with one more dimension, labelled by keys or numbers.

For example, a walk's cycles are one array (cycle, joint, percent, plane) of the file, not a group of arrays per cycle.
A mapping of mappings has one dimension for each level; an entry missing in the outer mapping is read back as an empty
mapping.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.errors import ResultsError
from pipeline.results.declarations import SCALARS, Field, inner_fields
from pipeline.results.precision import rounded
from pipeline.trial import Quantity

ABSENT = object()
"""Stands for a missing entry, or a missing value of an entry."""

ABSENT_ENTRIES = "absent_entries"
"""Attribute of a column: where it has no value, as indices into its flattened leading dimensions."""

_FILLERS = {"f": np.nan, "U": "", "b": False}


@dataclass(frozen=True)
class Column:
    """One field of all entries.

    Attributes:
        path: names of the groups and of the array, from the location of the mapping or tuple.
        values: (entries..., own dimensions...); NaN, zero, False or "" if an entry has none.
        quantity: of one entry, preceded by the dimensions of the entries.
        absent: indices of the entries without a value, in their flattened dimensions.
        labels: whether it labels a dimension that all entries share.
    """

    path: tuple[str, ...]
    values: np.ndarray
    quantity: Quantity
    absent: tuple[int, ...] = ()
    labels: bool = False


def entry_labels(fields: Sequence[Field], owners: Sequence[Any]) -> dict[str, tuple[Quantity, list[Any]]]:
    """Labels of the dimensions of the mappings and tuples in dataclasses of one type; `ABSENT` owners are ignored.

    Returns:
        By dimension: its declaration, and its labels. These are the keys of all its mappings in order of first
        occurrence, or the numbers of a tuple's entries, from 1.
    """
    found: dict[str, tuple[Quantity, list[Any]]] = {}
    for field in fields:
        if field.kind == "stack":
            held = [getattr(owner, field.name) for owner in owners if owner is not ABSENT]
            _collect_labels(field, [entries for entries in held if entries is not None], found)
    return found


def _collect_labels(field: Field, held: Sequence[Any], found: dict[str, tuple[Quantity, list[Any]]]) -> None:
    """Add the labels of the dimensions of several mappings or tuples, and of those nested in them."""
    assert field.quantity is not None
    assert field.entry is not None
    labels = found.setdefault(field.dim, (field.quantity, []))[1]
    for entries in held:
        keys = list(entries) if field.keyed else list(range(1, len(entries) + 1))
        labels += [key for key in keys if key not in labels]
    if field.entry.kind == "stack":
        inner = [item for entries in held for item in (entries.values() if field.keyed else entries)]
        _collect_labels(field.entry, inner, found)


def columns(
    field: Field, entries: Mapping[str, Any] | Sequence[Any], labels: Mapping[str, Sequence[Any]]
) -> Iterator[Column]:
    """The columns of a mapping or tuple that is declared with an axis.

    Labels are given by dimension, for its own and those of the mappings and tuples nested in it.

    Raises:
        ResultsError: arrays of two entries differ in shape.
    """
    yield from _stacked(field, (field.name,), [entries], (), (), labels)


def _stacked(
    field: Field,
    path: tuple[str, ...],
    values: Sequence[Any],
    dims: tuple[str, ...],
    shape: tuple[int, ...],
    labels: Mapping[str, Sequence[Any]],
) -> Iterator[Column]:
    """Columns of mappings or tuples, with one value for each index of the flattened leading dimensions."""
    assert field.entry is not None
    own = labels[field.dim]
    below = [item for entries in values for item in _in_order(field, entries, own)]
    lead = (*dims, field.dim), (*shape, len(own))
    if field.entry.kind == "stack":
        yield from _stacked(field.entry, path, below, *lead, labels)
    else:
        yield from _columns(field.entry, path, below, *lead)


def _in_order(field: Field, entries: Any, labels: Sequence[Any]) -> list[Any]:
    if entries is ABSENT:
        return [ABSENT] * len(labels)
    if field.keyed:
        return [entries.get(label, ABSENT) for label in labels]
    return [*entries, *[ABSENT] * (len(labels) - len(entries))]


def _columns(
    field: Field, path: tuple[str, ...], values: list[Any], dims: tuple[str, ...], shape: tuple[int, ...]
) -> Iterator[Column]:
    """Columns of one field, with one value for each index of the flattened leading dimensions."""
    values = [ABSENT if value is None else value for value in values]
    if all(value is ABSENT for value in values):
        return
    if field.kind == "group":
        inner = inner_fields(field)
        own = {dim: found for dim, (_, found) in entry_labels(inner, values).items()}
        for quantity, labels in entry_labels(inner, values).values():
            scalar = int if labels and isinstance(labels[0], int) else str
            yield Column((*path, quantity.dims[0]), np.array(labels, dtype=scalar), quantity, labels=True)
        for part in inner:
            parts = [ABSENT if value is ABSENT else getattr(value, part.name) for value in values]
            if part.kind == "stack":
                yield from _stacked(part, (*path, part.name), parts, dims, shape, own)
            else:
                yield from _columns(part, (*path, part.name), parts, dims, shape)
        return
    known = {at: np.asarray(value) for at, value in enumerate(values) if value is not ABSENT}
    first = next(iter(known.values()))
    differing = [array.shape for array in known.values() if array.shape != first.shape]
    if differing:
        raise ResultsError(f"entries have the shapes {first.shape} and {differing[0]}", where="/".join(path))
    if field.kind == "axis":
        if any(not np.array_equal(array, first) for array in known.values()):
            raise ResultsError(f"entries differ along '{field.dim}', which is one axis for all", where="/".join(path))
        yield Column((*path[:-1], field.dim), first, field.along(field.dim), labels=True)
        return
    kind = "U" if field.type is str else np.result_type(*known.values()).kind
    filler = np.full(first.shape, _FILLERS.get(kind, 0))
    stacked = np.stack([known.get(at, filler) for at in range(len(values))])
    absent = tuple(at for at in range(len(values)) if at not in known)
    own_dims = field.quantity.dims if field.quantity else ()
    quantity = field.along(*dims, *own_dims)
    yield Column(path, rounded(stacked.reshape(*shape, *first.shape)), quantity, absent)


def entries_of(field: Field, values: Sequence[Any], labels: Sequence[Any]) -> Any:
    """The mapping or tuple with a value for each label, omitting those that are `ABSENT`."""
    if field.keyed:
        return {label: value for label, value in zip(labels, values, strict=True) if value is not ABSENT}
    return tuple(value for value in values if value is not ABSENT)


def split(field: Field, array: np.ndarray, leading: int, absent: Sequence[int]) -> list[Any]:
    """The values of all entries of a column whose first ``leading`` dimensions are those of the entries.

    They are `ABSENT` for the entries ``absent``, as in `Column`.
    """
    count = int(np.prod(array.shape[:leading]))
    flat = array.reshape(count, *array.shape[leading:])
    values: list[Any] = flat.tolist() if field.type in SCALARS else list(flat)
    if field.as_tuple:
        values = [tuple(value) for value in values]
    for at in absent:
        values[at] = ABSENT
    return values
