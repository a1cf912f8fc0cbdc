"""The contents of a results file without a file: groups and arrays with the part of h5py's interface used here.

HDF5 would take longer to write and read a walk's thousand small arrays in memory than the stages take to compute them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import h5py
import numpy as np

from pipeline.provenance import Provenance
from pipeline.results.declarations import declared_fields
from pipeline.results.reading import Reader
from pipeline.results.status import Failure, write_header
from pipeline.results.writing import Writer, write_value


class MemoryArray:
    """Stands in for `h5py.Dataset`."""

    def __init__(self, name: str, values: np.ndarray, attrs: dict[str, Any]) -> None:
        self.name, self.attrs, self.is_scale = name, attrs, False
        self.dims: list[tuple[MemoryArray]] = []
        self.dtype, self.shape = values.dtype, values.shape
        self._values = values

    @property
    def id(self) -> MemoryArray:
        """Identity of the array."""
        return self

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, _all: tuple[()]) -> Any:
        return self._values[()]

    def asstr(self) -> MemoryArray:
        """The array itself, whose text is str already."""
        return self

    def make_scale(self, _name: str) -> None:
        """Mark the array as the labels of a dimension."""
        self.is_scale = True


class MemoryGroup(Mapping[str, Any]):
    """Stands in for `h5py.Group`; without a parent, for `h5py.File`."""

    def __init__(self, name: str = "/", file: MemoryGroup | None = None) -> None:
        self.name, self.attrs = name, dict[str, Any]()
        self.file = file or self
        self._members: dict[str, Any] = {}

    def path_of(self, name: str) -> str:
        """Full name of a member."""
        return f"{self.name.rstrip('/')}/{name}"

    def create_group(self, name: str) -> MemoryGroup:
        """A new group in this one."""
        self[name] = MemoryGroup(self.path_of(name), self.file)
        return self[name]

    def __setitem__(self, name: str, member: MemoryGroup | MemoryArray) -> None:
        self._members[name] = member

    def __getitem__(self, name: str) -> Any:
        return self if name == "/" else self._members[name]

    def __iter__(self) -> Iterator[str]:
        return iter(sorted(self._members))

    def __len__(self) -> int:
        return len(self._members)

    def visititems(self, visit: Callable[[str, Any], None]) -> None:
        """Call ``visit`` with the relative path and the member, for all members at all depths."""
        for name, member in self.items():
            visit(name, member)
            if isinstance(member, MemoryGroup):
                member.visititems(lambda below, found, above=name: visit(f"{above}/{below}", found))  # type: ignore[misc]


class _Writer(Writer):
    """Keeps copies of arrays, because a stage may return views of its inputs."""

    def create(self, group: Any, name: str, array: np.ndarray, attributes: dict[str, str]) -> Any:
        group[name] = MemoryArray(group.path_of(name), array.copy(), dict(attributes))
        return group[name]

    def label(self, dataset: Any, index: int, scale: Any) -> None:
        assert index == len(dataset.dims)
        dataset.dims.append((scale,))


class _Reader(Reader):
    def array(self, group: Any, name: str) -> np.ndarray:
        return group[name][()]


ARRAYS = h5py.Dataset | MemoryArray
"""Arrays of a file or in memory."""

GROUPS = h5py.Group | MemoryGroup
"""Groups of a file or in memory."""


@dataclass(frozen=True)
class InMemory:
    """A stage's outcome as its file would hold it: its value, at the precision of files, or failure, and the root."""

    value: Any
    root: MemoryGroup


def in_memory(outcome: Any, provenance: Provenance, stage: str) -> InMemory:
    """What the file of a stage would hold, made of its value or failure without writing one."""
    root = MemoryGroup()
    if isinstance(outcome, Failure):
        write_header(root, provenance, outcome)
        return InMemory(outcome, root)
    write_value(root, outcome, provenance, _Writer(stage))
    return InMemory(_Reader(stage).dataclass(root, type(outcome), declared_fields(type(outcome))), root)
