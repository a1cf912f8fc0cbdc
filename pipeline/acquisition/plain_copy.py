"""Plain copies of a C3D file for ezc3d: the data of the checked layout, as PC numbers, with no other parameters.

ezc3d 1.7 trusts every size that a file declares, refuses SGI numbers, reads description lengths above 127 as negative,
and uses the absolute value of a negative ANALOG:OFFSET. Format after the C3D file format user guide (Motion Lab
Systems).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from pipeline.acquisition.layout import Layout
from pipeline.acquisition.parameter_section import BLOCK, ParameterSection
from pipeline.trial import Note

_PC = 84
_KINDS = {"i": 2, "f": 4}
"""C3D type of a parameter by the NumPy kind of its values: integers, real numbers."""
_MAX_LIST = 255
"""Largest number of values in one parameter; further values are in NAME2, NAME3, ..."""
_MAX_COUNT = 32767
"""Largest number of points, channels and frames, and largest offset; ezc3d reads larger ones as negative."""
_MAX_BLOCKS = 255
_PIECE = 8 << 20
"""Bytes of data in one copy; ezc3d needs about eight times as much memory."""


@dataclass(frozen=True)
class _Signals:
    """Analog signals (counts - offset) * scale: counts (n, C), integer offsets (C,) from 0 to 32767, scale (C,)."""

    counts: np.ndarray
    offset: np.ndarray
    scale: np.ndarray


def plain_copies(layout: Layout, parameters: ParameterSection) -> tuple[Iterator[tuple[slice, bytes]], list[Note]]:
    """Consecutive ranges of frames, each with a C3D file of its own, and notes on signals without scale or offset.

    Raises:
        AcquisitionError: there are more points, channels or parameters than ezc3d can read.
    """
    used = max(layout.points, layout.channels)
    if used > _MAX_COUNT:
        raise parameters.file.error(f"the file declares {used} points or channels (limit {_MAX_COUNT})")
    width = 4 * layout.points + layout.channels * layout.samples_per_frame
    decode = parameters.format.integers if layout.is_integer else parameters.format.reals
    stored = decode(parameters.file.content, layout.start, layout.frames * width)
    words = stored.astype("<i2" if layout.is_integer else "<f4").reshape(layout.frames, width)
    counts = words[:, 4 * layout.points :].reshape(layout.frames * layout.samples_per_frame, layout.channels)
    signals, notes = _signals(counts, parameters)
    words[:, 4 * layout.points :] = signals.counts.reshape(layout.frames, -1)
    poses = _poses(layout, parameters)
    step = min(max(_PIECE // (words[0].nbytes + poses[0].nbytes), 1), _MAX_COUNT)
    pieces = (slice(first, first + step) for first in range(0, layout.frames, step))
    return ((frames, _file(layout, parameters, signals, words[frames], poses[frames])) for frames in pieces), notes


def _poses(layout: Layout, parameters: ParameterSection) -> np.ndarray:
    """Stored numbers (T, n) of the segment poses in each frame; n is 0 if there are none."""
    if layout.poses is None:
        return np.zeros((layout.frames, 0), "<f4")
    count = layout.frames * layout.poses.frame_values
    stored = parameters.format.reals(parameters.file.content, layout.poses.start, count)
    return stored.astype("<f4").reshape(layout.frames, -1)


def _signals(counts: np.ndarray, parameters: ParameterSection) -> tuple[_Signals, list[Note]]:
    """Signals from the stored counts (n, C); a channel without SCALE or OFFSET keeps its counts.

    Counts and OFFSET are signed 16-bit integers unless ANALOG:FORMAT is UNSIGNED.
    """
    channels, found, notes = counts.shape[1], [], []
    for name, default in (("OFFSET", 0.0), ("SCALE", 1.0)):
        given = parameters.numbers("ANALOG", name)[:channels]
        found.append(np.concatenate([given, np.full(channels - len(given), default)]))
        if len(given) < channels:
            text = (
                f"ANALOG:{name} has {len(given)} values for {channels} channels, so {default:g} is used for the other "
                "channels: correct it in the recording software"
            )
            notes.append(Note("assumed", "analog", text))
    offset, scale = found
    with np.errstate(invalid="ignore", over="ignore"):  # damaged numbers; a plate with such numbers is left out
        unsigned = b"UNSIGNED" in parameters.stored("ANALOG", "FORMAT").tobytes()
        offset = offset % 65536.0 if unsigned else offset
        if counts.dtype.kind == "f":
            kept = (offset >= 0.0) & (offset <= _MAX_COUNT) & (offset % 1.0 == 0.0)
            counts = counts - np.where(kept, 0.0, offset).astype("f4")  # ezc3d also subtracts in single precision
            return _Signals(counts, np.where(kept, offset, 0.0), scale), notes
        if unsigned:
            counts, offset = counts ^ np.int16(-32768), offset - 32768.0  # both minus 32768
        whole = (offset >= -32768.0) & (offset <= 32767.0) & (offset % 1.0 == 0.0)
    if not whole.all():
        text = (
            f"ANALOG:OFFSET is not a 16-bit integer for {np.count_nonzero(~whole)} channels, whose signals are left "
            "out: correct it in the recording software"
        )
        notes.append(Note("left out", "analog", text))
    offset, scale = np.where(whole, offset, 0.0), np.where(whole, scale, np.nan)
    # The bitwise complement of an integer n is -n - 1, so that count - offset = -(~count - ~offset).
    negative = offset < 0.0
    return _Signals(
        np.where(negative, ~counts, counts),
        np.where(negative, -offset - 1.0, offset),
        np.where(negative, -scale, scale),
    ), notes


def _file(
    layout: Layout, parameters: ParameterSection, signals: _Signals, words: np.ndarray, poses: np.ndarray
) -> bytes:
    """Bytes of a C3D file with the given frames (T, values) and segment poses (T, n)."""
    groups = _groups(layout, parameters, signals, len(words))
    blocks = -(-(len(_section(groups)) + 6) // BLOCK)
    if blocks > _MAX_BLOCKS:
        raise parameters.file.error(f"its parameters fill {blocks} blocks of {BLOCK} bytes (limit {_MAX_BLOCKS})")
    data = words.tobytes()
    groups["POINT"]["DATA_START"][:] = 2 + blocks
    if layout.poses is not None:
        data = data.ljust(-(-len(data) // BLOCK) * BLOCK, b"\0")
        groups["ROTATION"]["DATA_START"][:] = 2 + blocks + len(data) // BLOCK
    values, samples = layout.channels * layout.samples_per_frame, layout.samples_per_frame
    header = struct.pack("<2B5H", 2, 0x50, layout.points, values & 0xFFFF, 1, len(words), 0)
    header += struct.pack("<fHHf", layout.scale, 2 + blocks, samples & 0xFFFF, layout.rate)
    section = bytes([1, 0x50, blocks, _PC]) + _section(groups)
    return header.ljust(BLOCK, b"\0") + section.ljust(blocks * BLOCK, b"\0") + data + poses.tobytes()


def _groups(
    layout: Layout, parameters: ParameterSection, signals: _Signals, frames: int
) -> dict[str, dict[str, np.ndarray]]:
    """Parameters of the copy by group and name: those that describe the storage of its data."""
    exact = layout.rate * layout.samples_per_frame
    rate = np.float32(exact)
    if float(rate) < exact:  # ezc3d truncates the ratio of the rates
        rate = np.nextafter(rate, np.float32(np.inf))
    point = _single("i2", USED=layout.points, FRAMES=frames, DATA_START=0)
    point |= _single("f4", SCALE=layout.scale, RATE=layout.rate)
    general = parameters.number("ANALOG", "GEN_SCALE", 1.0)
    groups = {"POINT": point, "ANALOG": _single("f4", RATE=float(rate), GEN_SCALE=general)}
    groups["ANALOG"] |= _single("i2", USED=layout.channels)
    if layout.poses is not None:
        samples = layout.poses.samples_per_frame
        groups["ROTATION"] = _single("i2", USED=layout.poses.segments, DATA_START=0, RATIO=samples)
        groups["ROTATION"] |= _single("f4", RATE=layout.rate * samples)
    for part, first in enumerate(range(0, layout.channels, _MAX_LIST), start=1):
        suffix, some = "" if part == 1 else str(part), slice(first, first + _MAX_LIST)
        groups["ANALOG"]["SCALE" + suffix] = signals.scale[some].astype("f4")
        groups["ANALOG"]["OFFSET" + suffix] = signals.offset[some].astype("i2")
    return groups


def _single(kind: str, **values: float) -> dict[str, np.ndarray]:
    """Parameters that hold one number each, of a NumPy type."""
    return {name: np.array([value], kind) for name, value in values.items()}


def _section(groups: dict[str, dict[str, np.ndarray]]) -> bytes:
    entries = []
    for number, (group, members) in enumerate(groups.items(), start=1):
        entries.append(_entry(-number, group, b""))
        for name, values in members.items():
            body = struct.pack("<bBB", _KINDS[values.dtype.kind], 1, len(values))
            entries.append(_entry(number, name, body + values.astype(values.dtype.newbyteorder("<")).tobytes()))
    return b"".join(entries)


def _entry(number: int, name: str, body: bytes) -> bytes:
    """A group or parameter without description."""
    return struct.pack("<bb", len(name), number) + name.encode() + struct.pack("<H", 3 + len(body)) + body + b"\0"
