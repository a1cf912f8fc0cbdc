"""What a C3D file's data section holds, by its header, parameters and size, checked before anything is allocated.

A file that passes holds every byte that it declares, so that reading needs no more memory than its size suggests.
Layout after the C3D file format user guide (Motion Lab Systems), chapters on the header and data sections.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from pipeline.acquisition.parameter_section import BLOCK, FileBytes, ParameterSection, read_parameter_section

_MAGIC = 0x50
_SATURATED = 0xFFFF


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
        scale: units of length of one count where data are stored as 16-bit integers; negative for real numbers.
        start: position of the first frame's first byte.
    """

    points: int
    frames: int
    channels: int
    samples_per_frame: int
    first_frame: int
    rate: float
    scale: float
    start: int

    @property
    def is_integer(self) -> bool:
        """Whether the data are 16-bit integers rather than real numbers."""
        return self.scale > 0.0


def read_layout(file_name: str, content: bytes) -> tuple[Layout, ParameterSection]:
    """Layout and parameters of the C3D file whose bytes are ``content``.

    Raises:
        AcquisitionError: naming ``file_name``, the claim that cannot be true, and what to do.
    """
    file, size = FileBytes(file_name, content), len(content)
    if size == 0:
        raise file.error("the file is empty (0 bytes)", "Copy or export it again")
    if size < 2 * BLOCK:
        raise file.error(f"the file has {size} bytes; a C3D file has a header and parameters of {BLOCK} bytes each")
    if content[1] != _MAGIC:
        raise file.error(
            f"this is not a C3D file: byte 2 is {content[1]:#04x}, not {_MAGIC:#04x}",
            "Check that the file is the trial's C3D and not another format renamed",
        )
    start = (content[0] - 1) * BLOCK
    if start < BLOCK or start + BLOCK > size:
        raise file.error(f"the header places the parameters at block {content[0]}, outside the file")
    parameters = read_parameter_section(file, start)
    return _data_section(file, parameters), parameters


def _data_section(file: FileBytes, parameters: ParameterSection) -> Layout:
    """Layout of the data section by header and parameters, which must agree with each other and with the file size."""
    content, header = file.content, parameters.format
    head_points, head_analog, first, last = (header.word(content, position) for position in (2, 4, 6, 8))
    head_start, per_frame = header.word(content, 16), header.word(content, 18)
    points = parameters.word("POINT", "USED", head_points)
    if points != head_points:
        raise file.error(f"the header declares {head_points} points in each frame, POINT:USED {points}")
    scale = parameters.number("POINT", "SCALE", header.real(content, 12))
    rate = parameters.number("POINT", "RATE", header.real(content, 20))
    if not (math.isfinite(rate) and 0.0 < rate <= 1e5):
        raise file.error(f"the frame rate is {rate} Hz", "Set POINT:RATE in the recording software and export again")
    data_start = parameters.word("POINT", "DATA_START", head_start)
    if data_start != head_start:
        raise file.error(
            f"the header places the data at block {head_start}, POINT:DATA_START at block {data_start}: "
            "the file was cut or edited"
        )
    if not 2 < data_start <= len(file.content) // BLOCK + 1 or (data_start - 1) * BLOCK < parameters.end:
        raise file.error(f"the data start at block {data_start}, outside the file or in its parameters")
    channels = _channels(parameters, head_analog, per_frame, rate)
    if not points and not head_analog:
        raise file.error("the file declares neither points nor analog channels, so it holds no data")
    if scale == 0.0 or not math.isfinite(scale):
        raise file.error(f"POINT:SCALE is {scale}, which leaves no positions")
    is_integer = scale > 0.0
    frame_bytes = (points * 4 + head_analog) * (2 if is_integer else 4)
    available = (len(file.content) - (data_start - 1) * BLOCK) // frame_bytes
    first_frame, frames = _frames(parameters, first, last, available)
    if frames < 1:
        raise file.error("the file holds no frame")
    if frames > available:
        raise file.error(
            f"the file declares {frames} frames of {frame_bytes} bytes but holds {available}: it is cut off",
            "Copy it again from the source",
        )
    if parameters.number("ROTATION", "USED", 0.0):
        raise file.error("the file stores segment rotations (C3D extension), which this reader does not support")
    return Layout(
        points, frames, channels, per_frame if channels else 0, first_frame, rate, scale, (data_start - 1) * BLOCK
    )


def _channels(parameters: ParameterSection, head_analog: int, per_frame: int, rate: float) -> int:
    """Number of analog channels; the header has the values and the samples of a channel in each frame."""
    file = parameters.file
    channels, remainder = divmod(head_analog, per_frame) if per_frame else (0, head_analog)
    if remainder:
        raise file.error(
            f"the header declares {head_analog} analog values in each frame, {per_frame} samples a channel"
        )
    declared = parameters.word("ANALOG", "USED", channels)
    if declared != channels:
        raise file.error(f"the header declares {channels} analog channels, ANALOG:USED {declared}")
    analog_rate = parameters.number("ANALOG", "RATE", rate * per_frame)
    if channels and not math.isclose(analog_rate, rate * per_frame, rel_tol=1e-3):
        raise file.error(
            f"ANALOG:RATE is {analog_rate:g} Hz, but the header stores {per_frame} samples in each frame at "
            f"{rate:g} Hz, that is {rate * per_frame:g} Hz",
            "Set an analog rate that is a whole multiple of the frame rate and export again",
        )
    return channels


def _frames(parameters: ParameterSection, first: int, last: int, available: int) -> tuple[int, int]:
    """Number of the first frame, counted from 1, and number of frames; above 65535 other parameters hold them."""
    declared = parameters.integer("POINT", "FRAMES", last - first + 1)
    declared = declared & _SATURATED if declared < 0 else declared  # as an unsigned integer; a real one may be larger
    trial = _trial_field(parameters)
    if trial is not None and (
        _SATURATED in (last, declared) or (trial[0] & _SATURATED, trial[1] & _SATURATED) == (first, last)
    ):
        return trial[0], trial[1] - trial[0] + 1
    if declared > _SATURATED:
        return max(first, 1), declared
    if _SATURATED in (last, declared):
        return max(first, 1), parameters.integer("POINT", "LONG_FRAMES", 0) or available
    if last < first or not declared:
        raise parameters.file.error(f"the header declares frames {first} to {last}, POINT:FRAMES {declared}")
    if declared != last - first + 1:
        raise parameters.file.error(
            f"the header declares {last - first + 1} frames ({first} to {last}), POINT:FRAMES {declared}"
        )
    return max(first, 1), declared


def _trial_field(parameters: ParameterSection) -> tuple[int, int] | None:
    """First and last frame by TRIAL:ACTUAL_START_FIELD and ACTUAL_END_FIELD, two words each, the lower one first."""
    ends = [parameters.words("TRIAL", f"ACTUAL_{which}_FIELD") for which in ("START", "END")]
    if any(len(words) != 2 for words in ends):
        return None
    first, last = (low + (high << 16) for low, high in ends)
    return (first, last) if 1 <= first <= last else None
