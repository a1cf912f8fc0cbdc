"""C3D files packed byte by byte after the format's description, without any library, in all its number formats."""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Any

import numpy as np

PC, DEC, SGI = 84, 85, 86
BLOCK = 512


def reals(values: Any, processor: int = PC) -> bytes:
    """Real numbers in a processor's format."""
    flat = np.asarray(values, dtype=float).ravel(order="F")
    if processor != DEC:
        return flat.astype(">f4" if processor == SGI else "<f4").tobytes()
    words = (flat * 4.0).astype("<f4").view("<u2").reshape(-1, 2)  # VAX F: exponent larger by two, words exchanged
    return words[:, ::-1].tobytes()


def words(values: Any, processor: int = PC) -> bytes:
    """16-bit integers, signed or unsigned."""
    flat = np.asarray(values, dtype=np.int64).ravel(order="F")
    return (flat & 0xFFFF).astype(">u2" if processor == SGI else "<u2").tobytes()


def group(number: int, name: str, processor: int = PC, description: str = "") -> bytes:
    """A group of the parameter section."""
    body = bytes([len(description)]) + description.encode()
    return struct.pack("<bb", len(name), -number) + name.encode() + words(2 + len(body), processor) + body


def entry(number: int, name: str, value: Any, processor: int = PC, description: str = "") -> bytes:
    """A parameter of a group: texts, floats as real numbers, uint8 as bytes, everything else as integers."""
    if isinstance(value, (str, list)) and (isinstance(value, str) or all(isinstance(text, str) for text in value)):
        texts = [value] if isinstance(value, str) else value
        length = max(map(len, texts), default=0)
        kind, dims, data = -1, [length, len(texts)], "".join(text.ljust(length) for text in texts).encode()
    else:
        numbers = np.asarray(value)
        kind, dims = {"f": 4, "u": 1}.get(numbers.dtype.kind, 2), list(numbers.shape)
        data = reals(numbers, processor) if kind == 4 else words(numbers, processor)
        data = numbers.astype("u1").tobytes(order="F") if kind == 1 else data
    body = struct.pack("<bB", kind, len(dims)) + bytes(dims) + data + bytes([len(description)]) + description.encode()
    return struct.pack("<bb", len(name), number) + name.encode() + words(2 + len(body), processor) + body


def c3d_bytes(
    points: np.ndarray,
    analog: np.ndarray | None = None,
    *,
    scale: float = -1.0,
    rate: float = 100.0,
    processor: int = PC,
    groups: Mapping[str, Mapping[str, Any] | None] | None = None,
    header: Mapping[str, float] | None = None,
    descriptions: Mapping[str, str] | None = None,
    header_events: Mapping[str, float] | None = None,
) -> bytes:
    """A whole file.

    Args:
        points: (T, N, 4) x, y, z and residual; counts where ``scale`` is positive.
        analog: (T, S, C) counts, S samples of C channels in each frame.
        scale: POINT:SCALE; positive stores 16-bit integers.
        rate: frames per second.
        processor: 84 (PC), 85 (DEC) or 86 (SGI).
        groups: further parameters by group and name; they replace those written of themselves, None removes a
            parameter or a group.
        header: values that the header states instead of the true ones: ``points``, ``analog``, ``first``, ``last``,
            ``scale``, ``start``, ``samples``, ``rate``.
        descriptions: of parameters, by name.
        header_events: times of the header's events by label, s.
    """
    frames, count = points.shape[:2]
    analog = np.zeros((frames, 0, 0)) if analog is None else analog
    samples, channels = analog.shape[1:]
    found: dict[str, dict[str, Any]] = {
        "POINT": {
            "USED": count,
            "FRAMES": min(frames, 65535),
            "RATE": float(rate),
            "SCALE": float(scale),
            "DATA_START": 0,
            "LABELS": [f"M{index + 1}" for index in range(count)],
            "UNITS": "mm",
        },
        "ANALOG": {
            "USED": channels,
            "RATE": float(rate * samples),
            "GEN_SCALE": 1.0,
            "SCALE": np.ones(channels),
            "OFFSET": np.zeros(channels, dtype=int),
            "LABELS": [f"C{index + 1}" for index in range(channels)],
            "UNITS": ["N"] * channels,
        },
    }
    for name, members in (groups or {}).items():
        if members is None:
            del found[name]
        else:
            found.setdefault(name, {}).update(members)
    for _ in range(2):  # the second time with the size of the section known
        section = b""
        for number, (name, members) in enumerate(found.items(), start=1):
            section += group(number, name, processor)
            for key, value in members.items():
                if value is not None:
                    section += entry(number, key, value, processor, (descriptions or {}).get(key, ""))
        blocks = -(-(len(section) + 6) // BLOCK)
        if "POINT" in found and "DATA_START" not in ((groups or {}).get("POINT") or {}):
            found["POINT"]["DATA_START"] = 2 + blocks
    says = {
        "points": count,
        "analog": samples * channels,
        "first": 1,
        "last": min(frames, 65535),
        "scale": scale,
        "start": 2 + blocks,
        "samples": samples,
        "rate": rate,
    } | dict(header or {})
    first = words([says["points"], says["analog"], says["first"], says["last"], 10], processor)
    second = reals(says["scale"], processor) + words([says["start"], says["samples"]], processor)
    head = bytes([2, 0x50]) + first + second + reals(says["rate"], processor)
    parameters = bytes([1, 0x50, blocks, processor]) + section
    rows = np.concatenate([points.reshape(frames, -1), analog.reshape(frames, -1)], axis=1)
    data = words(rows.T, processor) if scale > 0.0 else reals(rows.T, processor)
    if header_events:
        head = head.ljust(298, b"\0") + words([12345, len(header_events), 0], processor)
        head += reals([*header_events.values()], processor).ljust(92, b"\0")
        head += "".join(label.ljust(4) for label in header_events).encode()
    return head.ljust(BLOCK, b"\0") + parameters.ljust(blocks * BLOCK, b"\0") + data
