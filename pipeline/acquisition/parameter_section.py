"""Parameter section of a C3D file, read with bounds checks: groups, parameters and single numbers.

Layout after the C3D file format user guide (Motion Lab Systems), chapter on the parameter section.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipeline.errors import AcquisitionError

BLOCK = 512
EXPORT_AGAIN = "Export the trial again from the recording software, or remove it from the study"
_INTEL, _DEC, _MIPS = 84, 85, 86
_ELEMENT_BYTES = {-1: 1, 1: 1, 2: 2, 4: 4}
_TYPE_NAMES = {-1: "text", 1: "bytes", 2: "integers", 4: "real numbers"}
_NUMERIC = (1, 2, 4)

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
"""Parameters that a reader takes as single numbers: each must be stored, if at all, as such a type with a value."""


@dataclass(frozen=True)
class FileBytes:
    """The bytes of a file, with its name for messages."""

    name: str
    content: bytes

    def error(self, problem: str, remedy: str = EXPORT_AGAIN) -> AcquisitionError:
        """The error that names this file."""
        return AcquisitionError(problem, where=self.name, remedy=remedy)


@dataclass(frozen=True)
class _Entry:
    group: int
    name: str
    kind: int
    dims: tuple[int, ...]
    start: int
    end: int

    @property
    def elements(self) -> int:
        return math.prod(self.dims)


@dataclass(frozen=True)
class ParameterSection:
    """The parameters of a file; numbers are read with a default where the parameter is absent.

    Attributes:
        file: the bytes.
        entries: by group and name in capitals.
        groups: number of each group by its name.
        end: position behind the last parameter.
        last_pointer: position of the last entry's pointer to the next one if a zero there ends the list; else 0.
        decode_real: value of four bytes in the file's format of real numbers.
    """

    file: FileBytes
    entries: dict[tuple[str, str], _Entry]
    groups: dict[str, int]
    end: int
    last_pointer: int
    decode_real: Callable[[bytes], float]

    def number(self, group: str, name: str, default: float) -> float:
        """First value of a numeric parameter, or the default; NaN where it is not finite."""
        value = next(self._values(group, name), default)
        return value if math.isfinite(value) else math.nan

    def integer(self, group: str, name: str, default: int) -> int:
        """First value of a numeric parameter as an integer, or the default; 0 where it is not finite."""
        value = self.number(group, name, default)
        return int(value) if math.isfinite(value) else 0

    def word(self, group: str, name: str, default: int) -> int:
        """The same as an unsigned 16-bit word."""
        return self.integer(group, name, default) & 0xFFFF

    def words(self, group: str, name: str) -> list[int]:
        """The values of a parameter as unsigned 16-bit words."""
        return [int(value) & 0xFFFF for value in self._values(group, name) if math.isfinite(value)]

    def count(self, group: str, name: str) -> int:
        """Number of values of a numeric list, its continuations (SCALE2, ...) included."""
        found, suffix = 0, 1
        while (entry := self.entries.get((group, name if suffix == 1 else f"{name}{suffix}"))) is not None:
            found += entry.elements if entry.kind in _NUMERIC else 0
            suffix += 1
        return found

    def _values(self, group: str, name: str) -> Iterator[float]:
        entry = self.entries.get((group, name))
        if entry is None or entry.kind not in _NUMERIC:
            return
        width = _ELEMENT_BYTES[entry.kind]
        for i in range(entry.elements):
            raw = self.file.content[entry.start + i * width : entry.start + (i + 1) * width]
            yield self.decode_real(raw) if width == 4 else float(int.from_bytes(raw, "little", signed=True))


def read_parameter_section(file: FileBytes, start: int) -> ParameterSection:
    """Read the parameter section that begins at byte ``start``, of which one block at least is in the file.

    Raises:
        AcquisitionError: an entry that runs out of its bounds, a byte order or type that is not supported.
    """
    decode_real = _decoder(file, file.content[start + 3])
    listed, groups, end, last_pointer = _walk(file, start)
    entries = {(groups[entry.group], entry.name): entry for entry in listed if entry.group in groups}
    for (group, name), kinds in _REQUIRED_TYPES.items():
        entry = entries.get((group, name))
        if entry is not None and (entry.kind not in kinds or not entry.elements):
            raise file.error(
                f"{group}:{name} holds {entry.elements} {_TYPE_NAMES[entry.kind]}; "
                f"one value, stored as {' or '.join(_TYPE_NAMES[k] for k in kinds)}, is needed"
            )
    numbers = {name: number for number, name in groups.items()}
    return ParameterSection(file, entries, numbers, end, last_pointer, decode_real)


def _decoder(file: FileBytes, processor: int) -> Callable[[bytes], float]:
    if processor == _MIPS:
        raise file.error(
            "the file is in SGI/MIPS byte order (processor type 86), which this reader does not support",
            "Save it in PC (Intel) byte order with the recording software or a C3D editor",
        )
    if processor == _DEC:
        return _dec_float
    if processor == _INTEL:
        return lambda raw: float(struct.unpack("<f", raw)[0])
    raise file.error(f"the parameter section names processor type {processor}; known are 84 (PC), 85 (DEC), 86 (SGI)")


def _walk(file: FileBytes, start: int) -> tuple[list[_Entry], dict[int, str], int, int]:
    """Walk the linked list of groups and parameters; both with the list's end and the pointer that ends it."""
    blocks = file.content[start + 2]  # 0 in some files, where the header gives the start of the data
    (data_start,) = struct.unpack_from("<H", file.content, 16)
    limit = min(start + blocks * BLOCK if blocks else (data_start - 1) * BLOCK, len(file.content))
    entries: list[_Entry] = []
    groups: dict[int, str] = {}
    position = start + 4
    while True:
        if position + 2 > limit:
            raise file.error(f"the list of parameters runs past the end of its section (byte {limit})")
        length, index = struct.unpack_from("<bb", file.content, position)
        if length == 0:
            return entries, groups, position, 0
        name_end = position + 2 + abs(length)
        if index in (0, -128) or name_end + 3 > limit:
            raise file.error(f"the parameter section is damaged at byte {position}: an entry of no group or no room")
        name = file.content[position + 2 : name_end].decode("latin-1").strip().upper()
        if not name.isprintable():
            raise file.error(f"the parameter section is damaged at byte {position}: the name {name!r} is not text")
        (offset,) = struct.unpack_from("<H", file.content, name_end)
        following = name_end + offset if offset else limit
        if following > limit or (offset and offset < 3):
            raise file.error(
                f"the parameter section is damaged at byte {position}: "
                f"entry {name} points {offset} bytes ahead, outside the section of {limit - start} bytes"
            )
        if index < 0:
            end = _end_of_description(file, name, name_end + 2, following)
            groups[-index] = name
        else:
            entries.append(_entry(file, index, name, name_end + 2, following))
            end = entries[-1].end
        if not offset:
            return entries, groups, end, name_end
        position = following


def _entry(file: FileBytes, group: int, name: str, position: int, following: int) -> _Entry:
    """Read type and dimensions of a parameter, whose values must end before the next entry starts."""
    if position + 2 > following:
        raise file.error(f"the entry of parameter {name} is cut off at byte {position}")
    kind, rank = struct.unpack_from("<bB", file.content, position)
    if kind not in _ELEMENT_BYTES or rank > 7 or position + 2 + rank > following:
        raise file.error(f"parameter {name} at byte {position} has type {kind} and {rank} dimensions, which is no C3D")
    if kind == -1 and not rank:  # a single character is legal but crashes the C3D library
        raise file.error(f"parameter {name} at byte {position} is a text without a length")
    dims = tuple(file.content[position + 2 : position + 2 + rank])
    start = position + 2 + rank
    needed = math.prod(dims) * _ELEMENT_BYTES[kind]
    if start + needed > following:
        raise file.error(
            f"parameter {name} declares {' x '.join(map(str, dims)) or '1'} {_TYPE_NAMES[kind]} ({needed} bytes), "
            f"but the next entry starts after {following - start} bytes"
        )
    return _Entry(group, name, kind, dims, start, _end_of_description(file, name, start + needed, following))


def _end_of_description(file: FileBytes, name: str, position: int, following: int) -> int:
    if position >= following or position + 1 + file.content[position] > following:
        raise file.error(
            f"the parameter section is damaged at byte {position}: the description of {name} runs into the next entry"
        )
    return position + 1 + file.content[position]


def _dec_float(raw: bytes) -> float:
    """Value of a DEC (VAX F) real number: words swapped, exponent one greater than IEEE's by two."""
    swapped = raw[2:] + raw[:2]
    return float(struct.unpack("<f", swapped)[0]) / 4.0
