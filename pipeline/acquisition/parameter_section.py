"""Parameter section of a C3D file, read with bounds checks: groups, parameters and their values.

Layout after the C3D file format user guide (Motion Lab Systems), chapter on the parameter section.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.number_format import NumberFormat
from pipeline.acquisition.text_tables import decoded, printable
from pipeline.errors import AcquisitionError

BLOCK = 512
_EXPORT_OR_REMOVE = "Export the trial again from the recording software, or remove it from the study"
_PROCESSORS = {84: "PC", 85: "DEC", 86: "SGI"}
_ELEMENT_BYTES = {-1: 1, 1: 1, 2: 2, 4: 4}
_TYPE_NAMES = {-1: "text", 1: "bytes", 2: "integers", 4: "real numbers"}

_REQUIRED_TYPES: dict[tuple[str, str], tuple[int, ...]] = {
    ("POINT", "USED"): (2,),
    ("POINT", "FRAMES"): (2, 4),
    ("POINT", "DATA_START"): (2,),
    ("POINT", "SCALE"): (4,),
    ("POINT", "RATE"): (4,),
    ("ANALOG", "USED"): (2,),
    ("ANALOG", "RATE"): (4,),
    ("ANALOG", "GEN_SCALE"): (4,),
}
"""Parameters that a reader takes as single numbers: if stored, each must have one of these types and a value."""


@dataclass(frozen=True)
class FileBytes:
    """The bytes of a file, with its name for messages."""

    name: str
    content: bytes

    def error(self, problem: str, remedy: str = _EXPORT_OR_REMOVE) -> AcquisitionError:
        """The error that names this file."""
        return AcquisitionError(problem, where=self.name, remedy=remedy)


@dataclass(frozen=True)
class _Entry:
    group: int
    spelling: str
    kind: int
    dims: tuple[int, ...]
    start: int

    @property
    def name(self) -> str:
        return self.spelling.upper()

    @property
    def elements(self) -> int:
        return math.prod(self.dims)


@dataclass(frozen=True)
class ParameterSection:
    """The parameters of a file; numbers are read with a default where the parameter is absent.

    Attributes:
        file: the bytes.
        entries: by group and name in capitals.
        end: position after the last parameter.
        format: number format of the file.
    """

    file: FileBytes
    entries: dict[tuple[str, str], _Entry]
    end: int
    format: NumberFormat

    def stored(self, group: str, name: str) -> np.ndarray:
        """Values in the file's shape (first index fastest in the file), texts as single bytes; empty if absent."""
        entry = self.entries.get((group, name))
        if entry is None:
            return np.zeros(0)
        raw = self.file.content[entry.start : entry.start + entry.elements * _ELEMENT_BYTES[entry.kind]]
        if entry.kind == 4:
            values = self.format.reals(raw)
        elif entry.kind == 2:
            values = self.format.integers(raw)
        else:
            values = np.frombuffer(raw, "u1" if entry.kind == 1 else "S1")
        return values.reshape(entry.dims or (1,), order="F")

    def array(self, group: str, name: str) -> np.ndarray:
        """Values of a numeric parameter as floats in the file's shape; empty if absent or not numeric."""
        stored = self.stored(group, name)
        with np.errstate(invalid="ignore"):  # a damaged real number may be a signalling NaN
            return np.zeros(0) if stored.dtype.kind == "S" else stored.astype(float)

    def numbers(self, group: str, name: str) -> np.ndarray:
        """Values (n,) of a numeric parameter, its continuations (SCALE2, ...) appended."""
        found = [self.array(group, key).ravel(order="F") for key in self._continued(group, name)]
        return np.concatenate([np.zeros(0), *found])

    def texts(self, group: str, name: str) -> list[str]:
        """Entries of a text parameter without surrounding blanks, its continuations (LABELS2, ...) appended.

        Characters that cannot be printed are replaced.
        """
        found = []
        for stored in (self.stored(group, key) for key in self._continued(group, name)):
            if stored.dtype.kind == "S" and stored.size:
                found += [_text(entry.tobytes()) for entry in stored.reshape(len(stored), -1, order="F").T]
        return found

    def _continued(self, group: str, name: str) -> Iterator[str]:
        """Present names of a list parameter: NAME holds at most 255 entries; NAME2, NAME3, ... hold the rest."""
        suffix = 1
        while (group, key := name if suffix == 1 else f"{name}{suffix}") in self.entries:
            yield key
            suffix += 1

    def number(self, group: str, name: str, default: float) -> float:
        """First value of a numeric parameter, or the default; NaN if it is not finite."""
        value = next(iter(self.numbers(group, name).tolist()), default)
        return value if math.isfinite(value) else math.nan

    def integer(self, group: str, name: str, default: int) -> int:
        """First value of a numeric parameter as an integer, or the default; 0 if it is not finite."""
        value = self.number(group, name, default)
        return int(value) if math.isfinite(value) else 0

    def word(self, group: str, name: str, default: int) -> int:
        """The same value as an unsigned 16-bit word."""
        return self.integer(group, name, default) & 0xFFFF

    def words(self, group: str, name: str) -> list[int]:
        """The values of a parameter as unsigned 16-bit words."""
        return [int(value) & 0xFFFF for value in self.numbers(group, name).tolist() if math.isfinite(value)]


def _text(stored: bytes) -> str:
    return printable(decoded(stored.strip(b" \0\t\r\n")))


def read_parameter_section(file: FileBytes, start: int) -> ParameterSection:
    """Read the parameter section that begins at byte ``start``; at least one block of it must be in the file.

    Raises:
        AcquisitionError: an entry exceeds its bounds, or a processor or type is unknown.
    """
    processor = file.content[start + 3]
    if processor not in _PROCESSORS:
        known = ", ".join(f"{number} ({name})" for number, name in _PROCESSORS.items())
        raise file.error(f"the parameter section names processor type {processor}; known are {known}")
    number_format = NumberFormat.of_processor(processor)
    listed, groups, end = _walk(file, start, number_format)
    entries = {(groups[entry.group], entry.name): entry for entry in listed if entry.group in groups}
    for (group, name), kinds in _REQUIRED_TYPES.items():
        entry = entries.get((group, name))
        if entry is not None and (entry.kind not in kinds or not entry.elements):
            raise file.error(
                f"{group}:{name} holds {entry.elements} {_TYPE_NAMES[entry.kind]}; "
                f"one value, stored as {' or '.join(_TYPE_NAMES[k] for k in kinds)}, is needed"
            )
    return ParameterSection(file, entries, end, number_format)


def _walk(file: FileBytes, start: int, number_format: NumberFormat) -> tuple[list[_Entry], dict[int, str], int]:
    """Walk the linked list of groups and parameters; return parameters, group names by number, and the list's end."""
    blocks = file.content[start + 2]  # 0 in some files, where the header gives the start of the data
    data_start = number_format.word(file.content, 16)
    limit = min(start + blocks * BLOCK if blocks else (data_start - 1) * BLOCK, len(file.content))
    entries: list[_Entry] = []
    groups: dict[int, str] = {}
    position = start + 4
    while True:
        if position + 2 > limit:
            raise file.error(f"the list of parameters runs past the end of its section (byte {limit})")
        length, index = struct.unpack_from("<bb", file.content, position)
        if length == 0:
            return entries, groups, position
        name_end = position + 2 + abs(length)
        if index in (0, -128) or name_end + 3 > limit:
            raise file.error(f"the parameter section is damaged at byte {position}: an entry without group or space")
        name = file.content[position + 2 : name_end].decode("latin-1").strip()
        if not name.isprintable():
            raise file.error(f"the parameter section is damaged at byte {position}: the name {name[:10]!r} is not text")
        offset = number_format.word(file.content, name_end)
        if name_end + offset > limit and number_format.order == ">":
            offset = offset >> 8 | (offset & 0xFF) << 8  # converters from PC order may leave the last pointer unswapped
        following = name_end + offset if offset else limit
        if following > limit or (offset and offset < 3):
            raise file.error(
                f"the parameter section is damaged at byte {position}: "
                f"entry {name} points {offset} bytes ahead, outside the section of {limit - start} bytes"
            )
        if index < 0:
            end = _end_of_description(file, name, name_end + 2, following)
            groups[-index] = name.upper()
        else:
            entry, end = _entry(file, index, name, name_end + 2, following)
            entries.append(entry)
        if not offset:
            return entries, groups, end
        position = following


def _entry(file: FileBytes, group: int, name: str, position: int, following: int) -> tuple[_Entry, int]:
    """A parameter's type and dimensions, and its end; the values must end before the next entry starts."""
    if position + 2 > following:
        raise file.error(f"the entry of parameter {name} is cut off at byte {position}")
    kind, rank = struct.unpack_from("<bB", file.content, position)
    if kind not in _ELEMENT_BYTES or rank > 7 or position + 2 + rank > following:
        raise file.error(
            f"parameter {name} at byte {position} has type {kind} and {rank} dimensions, which is not valid C3D"
        )
    dims = tuple(file.content[position + 2 : position + 2 + rank])
    start = position + 2 + rank
    needed = math.prod(dims) * _ELEMENT_BYTES[kind]
    if start + needed > following:
        raise file.error(
            f"parameter {name} declares {' x '.join(map(str, dims)) or '1'} {_TYPE_NAMES[kind]} ({needed} bytes), "
            f"but the next entry starts after {following - start} bytes"
        )
    return _Entry(group, name, kind, dims, start), _end_of_description(file, name, start + needed, following)


def _end_of_description(file: FileBytes, name: str, position: int, following: int) -> int:
    if position >= following or position + 1 + file.content[position] > following:
        raise file.error(
            f"the parameter section is damaged at byte {position}: the description of {name} runs into the next entry"
        )
    return position + 1 + file.content[position]
