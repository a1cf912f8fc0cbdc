"""Faults planted in the bytes of a C3D file: one channel of one force plate with another scale or sign."""

from __future__ import annotations

import struct
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.acquisition.parameter_section import BLOCK, FileBytes, read_parameter_section
from tests.benchmarks.fault_list import Fault, Recordings


def with_channel(content: bytes, plate: int, channel: int, factor: float) -> bytes:
    """The file with ANALOG:SCALE of a plate's channel (from 0, in the order of FORCE_PLATFORM:CHANNEL) multiplied."""
    section = read_parameter_section(FileBytes("planted", content), BLOCK * (content[0] - 1))
    number = int(section.stored("FORCE_PLATFORM", "CHANNEL")[channel, plate - 1])
    scale = section.entries["ANALOG", "SCALE"]
    at = scale.start + 4 * (number - 1)
    if section.format.is_dec or section.format.order != "<":
        raise ValueError("only files in PC format are changed")
    return content[:at] + struct.pack("<f", factor * section.format.real(content, at)) + content[at + 4 :]


def channel_in_file(channel: int, factor: float) -> Fault:
    """One channel of the first plate with a foot on it, in the walk's file; its other channels are correct."""

    def plant(given: Recordings, scale: float) -> Recordings:
        own = factor if factor < 0.0 else 1.0 + scale * (factor - 1.0)
        loaded = [p.number for p in given.walk.plates if np.nanmax(p.wrench.force_G[:, 1]) > 200.0]
        with TemporaryDirectory() as folder:
            path = Path(folder) / given.walk.file_name
            path.write_bytes(with_channel(given.file.read_bytes(), loaded[0], channel, own))
            return replace(given, walk=read_trial(path, name=given.walk.name))

    return plant


FILE_FAULTS: dict[str, Fault] = {
    "one plate's Fx reversed, in the file": channel_in_file(0, -1.0),
    "one plate's Fy reversed, in the file": channel_in_file(1, -1.0),
    "one plate's Fz reversed, in the file": channel_in_file(2, -1.0),
    "one plate's Fx -20 %, in the file": channel_in_file(0, 0.8),
    "one plate's Fy -20 %, in the file": channel_in_file(1, 0.8),
    "one plate's Fz -20 %, in the file": channel_in_file(2, 0.8),
    "one plate's Mx reversed, in the file": channel_in_file(3, -1.0),
    "one plate's My reversed, in the file": channel_in_file(4, -1.0),
    "one plate's Mx -20 %, in the file": channel_in_file(3, 0.8),
    "one plate's My -20 %, in the file": channel_in_file(4, 0.8),
    "one plate's Mz reversed, in the file": channel_in_file(5, -1.0),
}
