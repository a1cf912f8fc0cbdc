"""First frame and number of frames of a C3D file, from header, POINT:FRAMES and TRIAL; if they differ, from its size.

After the C3D file format user guide, "The C3D frame count": 16 bits hold up to 65535 frames, other parameters more.
"""

from __future__ import annotations

from pipeline.acquisition.parameter_section import ParameterSection

_SATURATED = 0xFFFF


def frame_counts(parameters: ParameterSection, first: int, last: int, available: int) -> list[tuple[int, int]]:
    """Candidates for the number of the first frame, counted from 1, and the number of frames; one if all agree.

    Args:
        parameters: of the file.
        first, last: first and last frame according to the header.
        available: frames that the file has room for.
    """
    declared = parameters.integer("POINT", "FRAMES", last - first + 1)
    declared = declared & _SATURATED if declared < 0 else declared  # as an unsigned integer; a real one may be larger
    trial = _trial_field(parameters)
    words = None if trial is None else (trial[0] & _SATURATED, trial[1] & _SATURATED)
    if trial is not None and (_SATURATED in (last, declared) or words == (first, last)):
        return [(trial[0], trial[1] - trial[0] + 1)]
    start = max(first, 1)
    if declared > _SATURATED:
        return [(start, declared)]
    longer = parameters.integer("POINT", "LONG_FRAMES", 0)
    if declared == _SATURATED or (last == _SATURATED and (longer or declared != last - first + 1)):
        return [(start, longer or available)]
    return [(start, count) for count in dict.fromkeys((declared, last - first + 1)) if count > 0]


def _trial_field(parameters: ParameterSection) -> tuple[int, int] | None:
    """First and last frame from TRIAL:ACTUAL_START_FIELD and ACTUAL_END_FIELD, two words each, the lower word first."""
    ends = [parameters.words("TRIAL", f"ACTUAL_{which}_FIELD") for which in ("START", "END")]
    if any(len(words) != 2 for words in ends):
        return None
    first, last = (low + (high << 16) for low, high in ends)
    return (first, last) if 1 <= first <= last else None
