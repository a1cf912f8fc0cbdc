"""Read damaged C3D files, seeded mutations of a small synthetic one, and count the outcomes.

    python -m tests.benchmarks.mutated_files [--count 20000] [--seed 0] [--keep FOLDER]

Every file must be read, or refused with one error of the pipeline that names file, reason and remedy. The files are
read by separate processes: a crash, more than 2 s, more than 500 MB beyond the imports, and any other exception or
warning are counted as such and listed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import multiprocessing
import resource
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.acquisition import read_trial
from pipeline.acquisition.layout import read_layout
from pipeline.errors import PipelineError
from tests.acquisition.c3d_bytes import BLOCK, DEC, PC, SGI, c3d_bytes

MAX_SECONDS = 2.0
MAX_BYTES = 500 << 20
READ, REFUSED, CRASH, HANG, MEMORY, OTHER = (
    "read",
    "refused with a clear error",
    "crash",
    "hang",
    "memory burst",
    "other exception",
)
OUTCOMES = (READ, REFUSED, CRASH, HANG, MEMORY, OTHER)
_WORDS = (0, 1, 2, 3, 127, 128, 255, 256, 512, 4096, 32767, 32768, 65534, 65535)
_REALS = (0.0, -0.0, 1.0, -1.0, 1e-30, 1e-6, 0.1, 1e4, 1e9, 1e30, 3e38, -3e38, np.inf, -np.inf, np.nan)


@dataclass(frozen=True)
class Seed:
    """An undamaged file, with the positions of the entries of its parameter section.

    Attributes:
        content: bytes.
        entries: position of type, number of dimensions, position and size of the values of each parameter.
        data: position of the first frame.
    """

    content: bytes
    entries: tuple[tuple[int, int, int, int], ...]
    data: int


def seeds() -> list[Seed]:
    """Small files in all number formats: with plates of several types, events, subject values, or without some."""
    rng = np.random.default_rng(0)
    frames, samples = 30, 4
    walk = 300.0 * rng.normal(size=(1, 6, 3)) + np.arange(frames)[:, None, None] * [40.0, 0.0, 0.0] + [0.0, 0.0, 900.0]
    points = np.concatenate([walk, np.zeros((frames, 6, 1))], axis=-1)
    points[4, 2, 3] = -1.0
    load = np.zeros((frames, samples, 14))
    load[8:20] = rng.normal(0.0, 30.0, (12, samples, 14))
    load[8:20, :, [2, 10, 11, 12, 13]] += [-700.0, -200.0, -200.0, -200.0, -200.0]
    corners = np.array([[400, 0, 0], [0, 0, 0], [0, 500, 0], [400, 500, 0.0]]).T
    plates = {
        "USED": [2],
        "TYPE": np.array([2, 3]),
        "ZERO": [1, 10],
        "CORNERS": np.stack([corners, corners + 600.0], axis=-1),
        "ORIGIN": np.array([[1.0, 120.0], [2.0, 200.0], [-40.0, -50.0]]),
        "CHANNEL": np.array([[*range(1, 7), 0, 0], range(7, 15)]).T,
    }
    events = {
        "USED": [2],
        "TIMES": np.array([[0.0, 0.0], [0.08, 0.2]]),
        "LABELS": ["Foot Strike", "Foot Off"],
        "CONTEXTS": ["Left", "Left"],
    }
    groups: dict[str, dict[str, Any]] = {
        "POINT": {
            "LABELS": ["S:LASI", "S:RASI", "S:LKneeAngles", "S:PELO", "S:LTOE", "S:LTOE"],
            "ANGLES": ["S:LKneeAngles"],
            "X_SCREEN": "+X",
            "Y_SCREEN": "+Z",
        },
        "FORCE_PLATFORM": plates,
        "EVENT": events,
        "PROCESSING": {"Bodymass": [70.0], "LLegLength": [800.0]},
        "TRIAL": {"ACTUAL_START_FIELD": [1, 0], "ACTUAL_END_FIELD": [frames, 0]},
    }

    def plate(kind: int, rows: int, channels: int) -> dict[str, Any]:
        return {
            "USED": [1],
            "TYPE": np.array([kind]),
            "CORNERS": corners[..., None],
            "ORIGIN": np.array([[120.0], [150.0], [-40.0]]),
            "CHANNEL": np.arange(1, channels + 1)[:, None],
            "CAL_MATRIX": 1.5 * np.eye(rows, channels)[..., None],
        }

    files = [c3d_bytes(points, load, groups=groups, processor=processor) for processor in (PC, DEC, SGI)]
    files += [c3d_bytes(np.round(points), np.round(load), groups=groups, scale=0.5, processor=p) for p in (PC, SGI)]
    for kind, rows, channels in ((1, 6, 6), (4, 6, 6), (5, 6, 8), (6, 12, 12), (7, 8, 8)):
        settings = {"FORCE_PLATFORM": plate(kind, rows, channels), "ANALOG": {"FORMAT": "UNSIGNED"}}
        files.append(c3d_bytes(points, load[..., :channels], groups=settings))
    files.append(c3d_bytes(points[:, :0], load))
    files.append(c3d_bytes(points))
    return [_seed(content) for content in files]


def _seed(content: bytes) -> Seed:
    layout, parameters = read_layout("seed.c3d", content)
    entries = tuple(
        (entry.start - len(entry.dims) - 2, len(entry.dims), entry.start, entry.elements * abs(entry.kind))
        for entry in parameters.entries.values()
    )
    return Seed(content, entries, layout.start)


def mutated(seed: int, index: int, origins: list[Seed]) -> tuple[str, bytes]:
    """Names of the mutations and bytes of one damaged file; the same for the same numbers."""
    rng = np.random.default_rng([seed, index])
    origin = origins[rng.integers(len(origins))]
    content, names = bytearray(origin.content), []
    for _ in range(rng.integers(1, 4)):
        name, mutate = _MUTATIONS[rng.integers(len(_MUTATIONS))]
        if len(content) > 2 * BLOCK:
            mutate(content, origin, rng)
            names.append(name)
    return ", ".join(names), bytes(content)


def _put(content: bytearray, position: int, values: bytes) -> None:
    if position >= 0 and position + len(values) <= len(content):
        content[position : position + len(values)] = values


def _number(rng: np.random.Generator) -> bytes:
    if rng.random() < 0.5:
        return int(rng.choice(_WORDS) if rng.random() < 0.8 else rng.integers(65536)).to_bytes(2, "little")
    return np.float32(rng.choice(_REALS)).tobytes()


def _flip(content: bytearray, _: Seed, rng: np.random.Generator) -> None:
    for position in rng.integers(0, len(content), rng.integers(1, 9)):
        content[position] ^= 1 << int(rng.integers(8))


def _truncate(content: bytearray, _: Seed, rng: np.random.Generator) -> None:
    del content[int(rng.integers(len(content))) :]


def _header(content: bytearray, _: Seed, rng: np.random.Generator) -> None:
    _put(content, 2 * int(rng.integers(12)), _number(rng))


def _shape(content: bytearray, origin: Seed, rng: np.random.Generator) -> None:
    kind, rank, _, _ = origin.entries[rng.integers(len(origin.entries))]
    position = kind + int(rng.integers(2 + rank))
    _put(content, position, bytes([int(rng.choice([0, 1, 2, 4, 7, 127, 128, 254, 255, int(rng.integers(256))]))]))


def _linkage(content: bytearray, origin: Seed, rng: np.random.Generator) -> None:
    kind, _, start, size = origin.entries[rng.integers(len(origin.entries))]
    position = [kind - 2, kind - 1, start + size, start + size + 1, start + size + 2][rng.integers(5)]
    _put(content, position, bytes([int(rng.integers(256))]))


def _value(content: bytearray, origin: Seed, rng: np.random.Generator) -> None:
    _, _, start, size = origin.entries[rng.integers(len(origin.entries))]
    _put(content, start + 2 * int(rng.integers(max(size // 2, 1))), _number(rng))


def _text(content: bytearray, origin: Seed, rng: np.random.Generator) -> None:
    _, _, start, size = origin.entries[rng.integers(len(origin.entries))]
    _put(content, start, rng.integers(0, 256, min(size, 40), dtype=np.uint8).tobytes())


def _data(content: bytearray, origin: Seed, rng: np.random.Generator) -> None:
    for _ in range(rng.integers(1, 20)):
        _put(content, origin.data + 4 * int(rng.integers(max((len(content) - origin.data) // 4, 1))), _number(rng))


def _swap(content: bytearray, _: Seed, rng: np.random.Generator) -> None:
    first, second = (BLOCK * int(rng.integers(len(content) // BLOCK)) for _ in range(2))
    one, other = bytes(content[first : first + BLOCK]), bytes(content[second : second + BLOCK])
    _put(content, first, other)
    _put(content, second, one)


def _drop(content: bytearray, _: Seed, rng: np.random.Generator) -> None:
    start = BLOCK * int(rng.integers(len(content) // BLOCK))
    del content[start : start + BLOCK]


def _append(content: bytearray, _: Seed, rng: np.random.Generator) -> None:
    content += rng.integers(0, 256, int(rng.integers(1, 200_000)), dtype=np.uint8).tobytes()


_MUTATIONS: tuple[tuple[str, Callable[[bytearray, Seed, np.random.Generator], None]], ...] = (
    ("bits flipped", _flip),
    ("cut off", _truncate),
    ("header word", _header),
    ("header word", _header),
    ("type or dimensions", _shape),
    ("type or dimensions", _shape),
    ("names, pointers or descriptions", _linkage),
    ("parameter value", _value),
    ("parameter value", _value),
    ("random text", _text),
    ("data", _data),
    ("blocks exchanged", _swap),
    ("block removed", _drop),
    ("bytes appended", _append),
)


def _read_in_process(seed: int, connection: Connection) -> None:
    """Read the files of the received indices, and answer with outcome and message."""
    warnings.simplefilter("error")
    origins = seeds()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "mutated.c3d"
        path.write_bytes(origins[0].content)
        read_trial(path)  # imports are done
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + MAX_BYTES, size + MAX_BYTES))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        while (index := connection.recv()) is not None:
            path.write_bytes(mutated(seed, index, origins)[1])
            start = time.process_time()
            outcome, message = _outcome(path)
            seconds = time.process_time() - start
            connection.send((HANG, f"{seconds:.1f} s") if seconds > MAX_SECONDS else (outcome, message))


def _outcome(path: Path) -> tuple[str, str]:
    try:
        read_trial(path)
    except PipelineError as error:
        text = str(error)
        clear = error.where.startswith(path.name) and error.remedy and text.isprintable() and len(text) < 600
        return (REFUSED, error.problem) if clear else (OTHER, f"unclear: {text!r}")
    except MemoryError:
        return MEMORY, ""
    except Exception as error:
        trace, last = error.__traceback__, ""
        while trace is not None:
            last = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}"
            trace = trace.tb_next
        return OTHER, f"{type(error).__name__}: {error} ({last})"
    return READ, ""


def outcomes(count: int, seed: int, first: int = 0) -> Iterator[tuple[int, str, str]]:
    """Index, outcome and message of each damaged file, read by a process that is restarted if it ends."""
    context = multiprocessing.get_context("spawn")
    process, connection = None, None
    for index in range(first, first + count):
        if process is None:
            connection, other = context.Pipe()
            process = context.Process(target=_read_in_process, args=(seed, other), daemon=True)
            process.start()
            other.close()
        assert connection is not None
        connection.send(index)
        try:
            # The first answer waits for the process's imports.
            outcome, message = connection.recv() if connection.poll(60.0) else (HANG, "more than 60 s")
        except EOFError:
            process.join()
            outcome, message = CRASH, f"exit status {process.exitcode}"
        if outcome == CRASH or message.startswith("more than"):
            process.kill()
            process = None
        yield index, outcome, message
    if process is not None and connection is not None:
        connection.send(None)
        process.join()


def main(arguments: list[str] | None = None) -> int:
    """Read damaged files, print the table, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20_000, help="number of files")
    parser.add_argument("--seed", type=int, default=0, help="of the random numbers")
    parser.add_argument("--first", type=int, default=0, help="index of the first file, to repeat one")
    parser.add_argument("--keep", type=Path, help="folder for the files that were neither read nor refused")
    options = parser.parse_args(arguments)
    origins = seeds()
    counts: Counter[str] = Counter()
    failures: dict[str, list[int]] = {}
    for index, outcome, message in outcomes(options.count, options.seed, options.first):
        counts[outcome] += 1
        if outcome in (READ, REFUSED):
            continue
        failures.setdefault(f"{outcome}: {message}", []).append(index)
        if options.keep:
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / f"{options.seed}_{index}.c3d").write_bytes(mutated(options.seed, index, origins)[1])
    for outcome in OUTCOMES:
        print(f"{outcome:<28}{counts[outcome]:>8}")
    for failure, indices in failures.items():
        print(f"{len(indices):>5} x {failure}; such as {indices[0]} ({mutated(options.seed, indices[0], origins)[0]})")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
