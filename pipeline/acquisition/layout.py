"""Layout of a C3D file's data section from its header, parameters and size, checked before anything is allocated.

A file that passes holds every byte that it declares, so reading needs no more memory than its size suggests. If header
and parameters contradict each other, the layout with the most agreeing declarations that fills the file is taken.
Format after the C3D file format user guide (Motion Lab Systems), chapters on the header and data sections.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from itertools import product

from pipeline.acquisition.frame_count import frame_counts
from pipeline.acquisition.parameter_section import BLOCK, FileBytes, ParameterSection, read_parameter_section
from pipeline.trial import Note

_MAGIC = 0x50
_SAME_RATE = 2e-3
"""Relative difference: rates that differ by less, such as 119.88 and 120 Hz, are one rate, rounded."""
_MIN_RATE, _MAX_RATE = 0.1, 1e5
POSE_VALUES = 17
"""Real numbers stored for one pose of a segment."""


@dataclass(frozen=True)
class PoseSection:
    """Where segment poses are stored: each is 16 numbers of a matrix, by columns, and one for its reliability.

    After Visual3D's documentation of the ROTATION data type.

    Attributes:
        segments: number of segments.
        samples_per_frame: poses of each segment in one frame.
        start: position of the first frame's first byte.
    """

    segments: int
    samples_per_frame: int
    start: int

    @property
    def frame_values(self) -> int:
        """Real numbers stored for one frame."""
        return POSE_VALUES * self.segments * self.samples_per_frame


@dataclass(frozen=True)
class Layout:
    """What the data section holds; every number is consistent with the file's size.

    Attributes:
        points: 3-D points stored in each frame, markers and model outputs together.
        frames: number of frames, at least 1.
        channels: analog channels; 0 if the file stores none.
        samples_per_frame: analog samples of each channel in one frame; 0 if there are no analog data.
        first_frame: the file's number of the first frame, counted from 1.
        rate: frames per second, Hz.
        scale: units of length per count if data are stored as 16-bit integers; negative for real numbers.
        start: position of the first frame's first byte.
        poses: where segment poses are stored, if the file has any.
        notes: contradictions between header and parameters, and which was taken.
    """

    points: int
    frames: int
    channels: int
    samples_per_frame: int
    first_frame: int
    rate: float
    scale: float
    start: int
    poses: PoseSection | None
    notes: tuple[Note, ...]

    @property
    def is_integer(self) -> bool:
        """Whether the data are 16-bit integers rather than real numbers."""
        return self.scale > 0.0


@dataclass(frozen=True)
class _Header:
    """What the header declares; 16-bit words and real numbers as stored."""

    points: int
    analog: int
    first: int
    last: int
    scale: float
    start: int
    samples: int
    rate: float


@dataclass(frozen=True)
class _Shape:
    """A candidate for the content of one frame, with the number of declarations that agree with it."""

    points: int
    channels: int
    samples: int
    is_integer: bool
    agreeing: int = field(compare=False)

    @property
    def frame_bytes(self) -> int:
        return (4 * self.points + self.channels * self.samples) * (2 if self.is_integer else 4)


def read_layout(file_name: str, content: bytes) -> tuple[Layout, ParameterSection]:
    """Layout and parameters of the C3D file whose bytes are ``content``.

    Raises:
        AcquisitionError: the file cannot be what it declares; names ``file_name``, the false claim and what to do.
    """
    file, size = FileBytes(file_name, content), len(content)
    if size == 0:
        raise file.error("the file is empty (0 bytes)", "Copy or export it again")
    if size < 2 * BLOCK:
        raise file.error(
            f"the file has {size} bytes; a C3D file has a header and parameters of at least {BLOCK} bytes each"
        )
    if content[1] != _MAGIC:
        raise file.error(
            f"this is not a C3D file: byte 2 is {content[1]:#04x}, not {_MAGIC:#04x}",
            "Check that the file is the trial's C3D file and not a renamed file of another format",
        )
    start = (content[0] - 1) * BLOCK
    if start < BLOCK or start + BLOCK > size:
        raise file.error(f"the header places the parameters at block {content[0]}, outside the file")
    parameters = read_parameter_section(file, start)
    return _data_section(parameters), parameters


def _data_section(parameters: ParameterSection) -> Layout:
    """Layout of the data section from header, parameters and file size."""
    file = parameters.file
    header = _header(parameters)
    scale = parameters.number("POINT", "SCALE", header.scale)
    if scale == 0.0 or not math.isfinite(scale):
        raise file.error(f"POINT:SCALE is {scale}, which gives no positions")
    start, notes = _start(parameters, header)
    rate, remarks = _rate(parameters, header)
    notes += remarks
    poses = _pose_section(parameters, rate)
    if poses is not None and parameters.word("POINT", "USED", 0) == 0 and header.points == header.analog == 0:
        shape = _Shape(0, 0, 0, is_integer=False, agreeing=0)
        first, frames = _frames_of_poses(parameters, header, poses)
    else:
        shapes = _shapes(parameters, header, scale, rate)
        end = poses.start if poses is not None and poses.start > start else len(file.content)
        shape, first, frames, remarks = _filling(parameters, header, shapes, end - start)
        notes += remarks
    if poses is not None and poses.start + 4 * frames * poses.frame_values > len(file.content):
        held = (len(file.content) - poses.start) // (4 * poses.frame_values)
        raise file.error(
            f"the file declares {frames} frames of {poses.segments} segment poses but holds {held}: it is cut off",
            "Copy it again from the source",
        )
    if shape.is_integer != (scale > 0.0):
        scale = header.scale
    elif scale > 0.0 and header.scale > 0.0 and not math.isclose(scale, header.scale, rel_tol=_SAME_RATE):
        text = (
            f"POINT:SCALE is {scale:g}, which is used, but the header's scale is {header.scale:g}, which would make "
            f"all lengths {header.scale / scale:.3g} times as large: check a distance between markers"
        )
        notes.append(Note("warning", "file", text))
    samples = shape.samples if shape.channels else 0
    analog_rate = parameters.number("ANALOG", "RATE", rate * samples)
    if shape.channels and not math.isclose(analog_rate, rate * samples, rel_tol=_SAME_RATE):
        text = (
            f"ANALOG:RATE is {analog_rate:g} Hz, but the file stores {samples} samples in each frame at {rate:g} Hz, "
            f"that is {rate * samples:g} Hz, which is used: set an analog rate that is a whole multiple of the frame "
            "rate"
        )
        notes.append(Note("warning", "file", text))
    return Layout(shape.points, frames, shape.channels, samples, first, rate, scale, start, poses, tuple(notes))


def _pose_section(parameters: ParameterSection, rate: float) -> PoseSection | None:
    """The section of segment poses (group ROTATION); None if the file declares none."""
    segments = parameters.word("ROTATION", "USED", 0)
    if not segments:
        return None
    file, block = parameters.file, parameters.word("ROTATION", "DATA_START", 0)
    start = (block - 1) * BLOCK
    if start < parameters.end or start >= len(file.content):
        raise file.error(f"the segment poses start at block {block}, outside the file or in its parameters")
    samples = parameters.integer("ROTATION", "RATIO", round(parameters.number("ROTATION", "RATE", rate) / rate))
    if samples < 1:
        raise file.error(f"ROTATION:RATIO is {samples}, so no frame has a segment pose")
    return PoseSection(segments, samples, start)


def _frames_of_poses(parameters: ParameterSection, header: _Header, poses: PoseSection) -> tuple[int, int]:
    """First frame and number of frames of a file that holds nothing but segment poses."""
    file = parameters.file
    available = (len(file.content) - poses.start) // (4 * poses.frame_values)
    candidates = frame_counts(parameters, header.first, header.last, available)
    if len(candidates) != 1 or candidates[0][1] < 1:
        found = " or ".join(str(count) for _, count in candidates) or "none"
        raise file.error(f"the file declares {found} frames of segment poses (room for {available})")
    return candidates[0]


def _header(parameters: ParameterSection) -> _Header:
    content, numbers = parameters.file.content, parameters.format
    points, analog, first, last = (numbers.word(content, position) for position in (2, 4, 6, 8))
    start, samples = numbers.word(content, 16), numbers.word(content, 18)
    return _Header(points, analog, first, last, numbers.real(content, 12), start, samples, numbers.real(content, 20))


def _start(parameters: ParameterSection, header: _Header) -> tuple[int, list[Note]]:
    """Position of the data; if header and POINT:DATA_START differ, the one that follows the parameter section."""
    file = parameters.file
    block, notes = parameters.word("POINT", "DATA_START", header.start), []
    if block != header.start:
        text = f"the header places the data at block {header.start}, POINT:DATA_START at block {block}"
        behind = file.content[0] + file.content[(file.content[0] - 1) * BLOCK + 2]
        if behind not in (block, header.start):
            raise file.error(f"{text}: the file was cut or edited")
        block = behind
        notes.append(Note("warning", "file", f"{text}; {block} is used, which follows the parameters: export it again"))
    if not 2 < block <= len(file.content) // BLOCK + 1 or (block - 1) * BLOCK < parameters.end:
        raise file.error(f"the data start at block {block}, outside the file or in its parameters")
    return (block - 1) * BLOCK, notes


def _rate(parameters: ParameterSection, header: _Header) -> tuple[float, list[Note]]:
    """Frame rate, Hz: POINT:RATE, unless the header and ANALOG:RATE agree on another one."""
    rate = parameters.number("POINT", "RATE", header.rate)
    if not _MIN_RATE <= rate <= _MAX_RATE:
        remedy = "Set POINT:RATE in the recording software and export again"
        raise parameters.file.error(
            f"the frame rate is {rate:g} Hz (limits {_MIN_RATE:g} and {_MAX_RATE:g} Hz)", remedy
        )
    other = header.rate
    if not _MIN_RATE <= other <= _MAX_RATE or math.isclose(rate, other, rel_tol=_SAME_RATE):
        return rate, []
    analog_rate = parameters.number("ANALOG", "RATE", 0.0)
    by_analog = analog_rate / header.samples if header.samples and header.analog else 0.0
    taken, evidence = rate, "as the format prescribes"
    for candidate in (rate, other):
        if math.isclose(by_analog, candidate, rel_tol=_SAME_RATE):
            taken, evidence = candidate, f"with which ANALOG:RATE ({analog_rate:g} Hz) agrees"
            break
    text = (
        f"the header declares {other:g} frames per second, POINT:RATE {rate:g}; {taken:g} is used, {evidence}: check "
        "the rate, on which all speeds and moments depend"
    )
    return taken, [Note("warning", "file", text)]


def _shapes(parameters: ParameterSection, header: _Header, scale: float, rate: float) -> list[_Shape]:
    """Candidates for the content of one frame from the declarations; a single one if all agree."""
    used = parameters.word("POINT", "USED", header.points)
    by_header = header.analog // header.samples if header.samples else header.analog
    channels = parameters.word("ANALOG", "USED", by_header)
    samples, by_rate = {header.samples: None}, header.samples
    if channels * header.samples != header.analog:
        ratio = parameters.number("ANALOG", "RATE", rate * header.samples) / rate
        if math.isfinite(ratio) and abs(ratio - round(ratio)) < _SAME_RATE * ratio:
            by_rate = round(ratio)
        samples |= dict.fromkeys((by_rate, header.analog // channels if channels else header.samples))
    integers = {scale > 0.0: None}
    if header.scale and math.isfinite(header.scale):
        integers |= {header.scale > 0.0: None}
    points, counts = dict.fromkeys((used, header.points)), dict.fromkeys((channels, by_header))
    shapes = []
    for n, c, s, is_integer in product(points, counts, samples, integers):
        agrees = [n == used, n == header.points, c == channels, c * s == header.analog]
        agrees += (s == header.samples, s == by_rate, is_integer == (scale > 0.0), is_integer == (header.scale > 0.0))
        if 0 < 4 * n + c * s <= 4 * 0xFFFF + 0xFFFF:
            stored = bool(c * s)
            shapes.append(_Shape(n, c * stored, s * stored, is_integer, sum(agrees)))
    if not shapes:
        raise parameters.file.error("the file declares neither points nor analog channels, so it holds no data")
    return list(dict.fromkeys(sorted(shapes, key=lambda shape: -shape.agreeing)))


def _filling(
    parameters: ParameterSection, header: _Header, shapes: list[_Shape], room: int
) -> tuple[_Shape, int, int, list[Note]]:
    """Shape, first frame, number of frames and notes: the candidate that fills ``room`` bytes with most support."""
    file = parameters.file
    candidates = [
        (shape, first, count)
        for shape in shapes
        for first, count in frame_counts(parameters, header.first, header.last, room // shape.frame_bytes)
    ]
    if not candidates:
        raise file.error(f"the header declares frames {header.first} to {header.last}, POINT:FRAMES none")
    if len(candidates) == 1:
        shape, first, count = candidates[0]
        available = room // shape.frame_bytes
        if not 0 < count <= available:
            raise file.error(
                f"the file declares {count} frames of {shape.frame_bytes} bytes but holds {available}: it is cut off",
                "Copy it again from the source",
            )
        return shape, first, count, []
    found = "; ".join(_contradictions(parameters, header))
    filling = [c for c in candidates if 0 <= room - c[0].frame_bytes * c[2] < BLOCK and c[2] > 0]
    most = max((shape.agreeing for shape, _, _ in filling), default=0)
    best = [c for c in filling if c[0].agreeing == most]
    if len(best) != 1:
        raise file.error(
            f"{found}, and its size of {len(file.content)} bytes fits {'none' if not best else 'several'} of these"
        )
    shape, first, count = best[0]
    text = (
        f"{found}; {count} frames of {shape.points} points and {shape.channels} channels with {shape.samples} samples, "
        f"as {'integers' if shape.is_integer else 'real numbers'}, are used, since they fit the file's size: export it "
        "again"
    )
    return shape, first, count, [Note("warning", "file", text)]


def _contradictions(parameters: ParameterSection, header: _Header) -> list[str]:
    """Disagreements between header and parameters about what the data hold."""
    used, channels = (parameters.word(group, "USED", -1) for group in ("POINT", "ANALOG"))
    scale = parameters.number("POINT", "SCALE", header.scale)
    frames, spanned = parameters.integer("POINT", "FRAMES", 0), header.last - header.first + 1
    found = []
    if ("POINT", "USED") in parameters.entries and used != header.points:
        found.append(f"the header declares {header.points} points in each frame, POINT:USED {used}")
    if (scale > 0.0) != (header.scale > 0.0):
        found.append(
            f"the header's scale is {header.scale:g}, POINT:SCALE {scale:g} (integers above 0, otherwise real numbers)"
        )
    if frames != spanned and ("POINT", "FRAMES") in parameters.entries:
        found.append(f"the header declares {spanned} frames ({header.first} to {header.last}), POINT:FRAMES {frames}")
    if not found or (("ANALOG", "USED") in parameters.entries and channels * header.samples != header.analog):
        rate = parameters.number("ANALOG", "RATE", 0.0)
        found.append(
            f"the header declares {header.analog} analog values and {header.samples} samples of a channel in each "
            f"frame, ANALOG:USED {channels} channels, ANALOG:RATE {rate:g} Hz"
        )
    return found
