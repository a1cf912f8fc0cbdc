"""Check that a C3D file is what it claims to be, before any library allocates memory for its claims.

Header, parameter section and the size of the data section are read here within plain bounds. A file that passes holds
every byte that it declares, so the reader that follows needs no more memory than the file's own size suggests.
Layout after the C3D file format user guide (Motion Lab Systems), chapters on the header, parameter and data sections.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipeline.errors import AcquisitionError

BLOCK = 512
_MAGIC = 0x50
_INTEL, _DEC, _MIPS = 84, 85, 86
_ELEMENT_BYTES = {-1: 1, 1: 1, 2: 2, 4: 4}
_TYPE_NAMES = {-1: "text", 1: "bytes", 2: "integers", 4: "real numbers"}
_SATURATED = 0xFFFF
EXPORT_AGAIN = "Export the trial again from the recording software, or leave it out of the study"

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
class Layout:
    """What the data section holds; every number is consistent with the file's size.

    Attributes:
        points: 3-D points stored in each frame, markers and model outputs together.
        frames: number of frames, at least 1.
        channels: analog channels; 0 where the file stores none.
        samples_per_frame: analog samples of each channel in one frame; 0 where there is no analog data.
        first_frame: the file's number of the first frame, counted from 1.
        rate: frames per second, Hz.
        is_integer: data stored as 16-bit integers rather than real numbers.
        parameters_end: position behind the last parameter, where another may stand.
        last_pointer: position of the last entry's pointer to the next one if a zero there ends the list; else 0.
        groups: number of each group by its name.
        names: the stored parameters, as (group, name).
    """

    points: int
    frames: int
    channels: int
    samples_per_frame: int
    first_frame: int
    rate: float
    is_integer: bool
    parameters_end: int
    last_pointer: int
    groups: dict[str, int]
    names: frozenset[tuple[str, str]]


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


def check_layout(file_name: str, content: bytes) -> Layout:
    """Return the layout of the C3D file whose bytes are ``content``.

    Raises:
        AcquisitionError: naming ``file_name``, the claim that cannot be true, and what to do.
    """
    return _Check(file_name, content).layout()


class _Check:
    """One pass over the bytes of a file; every read is bounded, every contradiction an error."""

    def __init__(self, file_name: str, content: bytes) -> None:
        self.file_name, self.content = file_name, content

    def error(self, problem: str, remedy: str = EXPORT_AGAIN) -> AcquisitionError:
        return AcquisitionError(problem, where=self.file_name, remedy=remedy)

    def layout(self) -> Layout:
        size = len(self.content)
        if size == 0:
            raise self.error("the file is empty (0 bytes)", "Copy or export it again")
        if size < 2 * BLOCK:
            raise self.error(f"the file has {size} bytes; a C3D file has a header and parameters of {BLOCK} bytes each")
        if self.content[1] != _MAGIC:
            raise self.error(
                f"this is not a C3D file: byte 2 is {self.content[1]:#04x}, not {_MAGIC:#04x}",
                "Check that the file is the trial's C3D and not another format renamed",
            )
        start = (self.content[0] - 1) * BLOCK
        if start < BLOCK or start + BLOCK > size:
            raise self.error(f"the header places the parameters at block {self.content[0]}, outside the file")
        decode_real = self._decoder(self.content[start + 3])
        entries, groups, end, last_pointer = self._parameters(start)
        parameters = {}
        for entry in entries:
            group_name = groups.get(entry.group)
            if group_name is not None:
                parameters[group_name, entry.name] = entry
        number = _NumberReader(self, parameters, decode_real)
        return self._data_section(number, end, last_pointer, {name: index for index, name in groups.items()})

    def _decoder(self, processor: int) -> Callable[[bytes], float]:
        if processor == _MIPS:
            raise self.error(
                "the file is in SGI/MIPS byte order (processor type 86), which this reader does not support",
                "Save it in PC (Intel) byte order with the recording software or a C3D editor",
            )
        if processor == _DEC:
            return _dec_float
        if processor == _INTEL:
            return lambda raw: float(struct.unpack("<f", raw)[0])
        raise self.error(
            f"the parameter section names processor type {processor}; known are 84 (PC), 85 (DEC), 86 (SGI)"
        )

    def _parameters(self, start: int) -> tuple[list[_Entry], dict[int, str], int, int]:
        """Walk the linked list of groups and parameters; both with the list's end and the pointer that ends it."""
        blocks = self.content[start + 2]  # 0 in some files, which leave it to the header to say where the data start
        (data_start,) = struct.unpack_from("<H", self.content, 16)
        limit = min(start + blocks * BLOCK if blocks else (data_start - 1) * BLOCK, len(self.content))
        entries: list[_Entry] = []
        groups: dict[int, str] = {}
        position = start + 4
        while True:
            if position + 2 > limit:
                raise self.error(f"the list of parameters runs past the end of its section (byte {limit})")
            length, index = struct.unpack_from("<bb", self.content, position)
            if length == 0:
                return entries, groups, position, 0
            name_end = position + 2 + abs(length)
            if index in (0, -128) or name_end + 3 > limit:
                raise self.error(
                    f"the parameter section is damaged at byte {position}: an entry of no group or no room"
                )
            name = self.content[position + 2 : name_end].decode("latin-1").strip().upper()
            if not name.isprintable():
                raise self.error(f"the parameter section is damaged at byte {position}: the name {name!r} is not text")
            (offset,) = struct.unpack_from("<H", self.content, name_end)
            following = name_end + offset if offset else limit
            if following > limit or (offset and offset < 3):
                raise self.error(
                    f"the parameter section is damaged at byte {position}: "
                    f"entry {name} points {offset} bytes ahead, outside the section of {limit - start} bytes"
                )
            if index < 0:
                end = self._end_of_description(name, name_end + 2, following)
                groups[-index] = name
            else:
                entries.append(self._entry(index, name, name_end + 2, following))
                end = entries[-1].end
            if not offset:
                return entries, groups, end, name_end
            position = following

    def _entry(self, group: int, name: str, position: int, following: int) -> _Entry:
        """Read type and dimensions of a parameter, whose values must end before the next entry starts."""
        if position + 2 > following:
            raise self.error(f"the entry of parameter {name} is cut off at byte {position}")
        kind, rank = struct.unpack_from("<bB", self.content, position)
        if kind not in _ELEMENT_BYTES or rank > 7 or position + 2 + rank > following:
            raise self.error(
                f"parameter {name} at byte {position} has type {kind} and {rank} dimensions, which is no C3D"
            )
        if kind == -1 and not rank:  # a single character is legal but brings the C3D library down
            raise self.error(f"parameter {name} at byte {position} is a text without a length")
        dims = tuple(self.content[position + 2 : position + 2 + rank])
        start = position + 2 + rank
        needed = math.prod(dims) * _ELEMENT_BYTES[kind]
        if start + needed > following:
            raise self.error(
                f"parameter {name} declares {' x '.join(map(str, dims)) or '1'} {_TYPE_NAMES[kind]} ({needed} bytes), "
                f"but the next entry starts after {following - start} bytes"
            )
        return _Entry(group, name, kind, dims, start, self._end_of_description(name, start + needed, following))

    def _end_of_description(self, name: str, position: int, following: int) -> int:
        if position >= following or position + 1 + self.content[position] > following:
            raise self.error(
                f"the parameter section is damaged at byte {position}: "
                f"the description of {name} runs into the next entry"
            )
        return position + 1 + self.content[position]

    def _data_section(self, number: _NumberReader, end: int, last_pointer: int, groups: dict[str, int]) -> Layout:
        head_points, head_analog, first, last, _, scale_raw, head_start, per_frame, rate_raw = struct.unpack_from(
            "<HHHHH4sHH4s", self.content, 2
        )
        scale, head_rate = number.decode_real(scale_raw), number.decode_real(rate_raw)
        points = int(number("POINT", "USED", head_points)) & _SATURATED
        if points != head_points:
            raise self.error(f"the header declares {head_points} points in each frame, POINT:USED {points}")
        scale = number("POINT", "SCALE", scale)
        rate = number("POINT", "RATE", head_rate)
        if not (math.isfinite(rate) and 0.0 < rate <= 1e5):
            raise self.error(
                f"the frame rate is {rate} Hz", "Set POINT:RATE in the recording software and export again"
            )
        data_start = int(number("POINT", "DATA_START", head_start)) & _SATURATED
        if data_start != head_start:
            raise self.error(
                f"the header places the data at block {head_start}, POINT:DATA_START at block {data_start}: "
                "the file was cut or edited"
            )
        if not 2 < data_start <= len(self.content) // BLOCK + 1 or (data_start - 1) * BLOCK < end:
            raise self.error(f"the data are said to start at block {data_start}, outside the file or in its parameters")
        channels, remainder = divmod(head_analog, per_frame) if per_frame else (0, head_analog)
        if remainder:
            raise self.error(
                f"the header declares {head_analog} analog values in each frame, {per_frame} samples a channel"
            )
        declared = int(number("ANALOG", "USED", channels)) & _SATURATED
        if declared != channels:
            raise self.error(f"the header declares {channels} analog channels, ANALOG:USED {declared}")
        for name in ("SCALE", "OFFSET"):
            given = number.count("ANALOG", name)
            if given < channels:
                raise self.error(f"ANALOG:{name} has {given} values for {channels} channels")
        analog_rate = number("ANALOG", "RATE", rate * per_frame)
        if channels and not math.isclose(analog_rate, rate * per_frame, rel_tol=1e-3):
            raise self.error(
                f"ANALOG:RATE is {analog_rate:g} Hz, but the header stores {per_frame} samples in each frame at "
                f"{rate:g} Hz, that is {rate * per_frame:g} Hz",
                "Set an analog rate that is a whole multiple of the frame rate and export again",
            )
        if not points and not head_analog:
            raise self.error("the file declares neither points nor analog channels, so it holds no data")
        if scale == 0.0 or not math.isfinite(scale):
            raise self.error(f"POINT:SCALE is {scale}, which leaves no positions")
        is_integer = scale > 0.0
        frame_bytes = (points * 4 + head_analog) * (2 if is_integer else 4)
        available = (len(self.content) - (data_start - 1) * BLOCK) // frame_bytes
        frames = self._frames(number, first, last, available)
        if frames > available:
            raise self.error(
                f"the file declares {frames} frames of {frame_bytes} bytes but holds {available}: it is cut off",
                "Copy it again from the source",
            )
        if number("ROTATION", "USED", 0.0):
            raise self.error("the file stores segment rotations (C3D extension), which this reader does not support")
        return Layout(
            points, frames, channels, per_frame if channels else 0, max(first, 1), rate, is_integer,
            end, last_pointer, groups, frozenset(number.parameters),
        )  # fmt: skip

    def _frames(self, number: _NumberReader, first: int, last: int, available: int) -> int:
        """Number of frames; 16 bits hold 65535, longer trials say it elsewhere or fill the file."""
        declared = int(number("POINT", "FRAMES", last - first + 1)) & _SATURATED
        if _SATURATED not in (last, declared):
            if last < first or not declared:
                raise self.error(f"the header declares frames {first} to {last}, POINT:FRAMES {declared}")
            if declared != last - first + 1:
                raise self.error(
                    f"the header declares {last - first + 1} frames ({first} to {last}), POINT:FRAMES {declared}"
                )
            return declared
        ends = [number.words("TRIAL", f"ACTUAL_{which}_FIELD") for which in ("START", "END")]
        if all(len(words) == 2 for words in ends):
            trial_first, trial_last = (low + (high << 16) for low, high in ends)
            if trial_last >= trial_first:
                return trial_last - trial_first + 1
        return int(number("POINT", "LONG_FRAMES", 0.0)) or available


class _NumberReader:
    """Single numbers from the parameter section, with a default where the parameter is absent."""

    def __init__(
        self, check: _Check, parameters: dict[tuple[str, str], _Entry], decode_real: Callable[[bytes], float]
    ) -> None:
        self.check, self.parameters, self.decode_real = check, parameters, decode_real
        for (group, name), kinds in _REQUIRED_TYPES.items():
            entry = parameters.get((group, name))
            if entry is not None and (entry.kind not in kinds or not entry.elements):
                raise check.error(
                    f"{group}:{name} holds {entry.elements} {_TYPE_NAMES[entry.kind]}; "
                    f"one value, stored as {' or '.join(_TYPE_NAMES[k] for k in kinds)}, is needed"
                )

    def __call__(self, group: str, name: str, default: float) -> float:
        value = next(self._values(group, name), default)
        return value if math.isfinite(value) else math.nan

    def count(self, group: str, name: str) -> int:
        """Number of values of a numeric list, its continuations (SCALE2, ...) included."""
        found, suffix = 0, 1
        while (entry := self.parameters.get((group, name if suffix == 1 else f"{name}{suffix}"))) is not None:
            found += entry.elements if entry.kind in _NUMERIC else 0
            suffix += 1
        return found

    def words(self, group: str, name: str) -> list[int]:
        """The values of a parameter as unsigned 16-bit words."""
        return [int(value) & _SATURATED for value in self._values(group, name) if math.isfinite(value)]

    def _values(self, group: str, name: str) -> Iterator[float]:
        entry = self.parameters.get((group, name))
        if entry is None or entry.kind not in _NUMERIC:
            return
        width = _ELEMENT_BYTES[entry.kind]
        for i in range(entry.elements):
            raw = self.check.content[entry.start + i * width : entry.start + (i + 1) * width]
            yield self.decode_real(raw) if width == 4 else float(int.from_bytes(raw, "little", signed=True))


def _dec_float(raw: bytes) -> float:
    """Value of a DEC (VAX F) real number: words swapped, exponent one greater than IEEE's by two."""
    swapped = raw[2:] + raw[:2]
    return float(struct.unpack("<f", swapped)[0]) / 4.0
