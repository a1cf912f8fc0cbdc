"""A batch with broken walks: all others complete, each broken one named with its true reason; the same after kills.

    python -m tests.benchmarks.broken_batch FOLDER [--walks 200] [--broken 20] [--moments 20] [--cores 2] [--skeleton]

The walks are synthetic (`tests.benchmarks.batch_study`) and of 2 s, in matrix form unless the skeleton is asked for:
breakage, of ten kinds in turn, is found before it. The study is run by `gait run`; a copy is killed at random moments,
going on each time, and then run to its end. All bytes but the block of a page that tells of its run are compared. Run
from the repository's root: the default takes about a quarter of an hour on two processors, most of it in the copy, and
at most four times the undisturbed run. It ends with 1 if a walk is told wrongly, or a file differs.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import ezc3d
import numpy as np

from pipeline.acquisition.parameter_section import BLOCK, FileBytes, read_parameter_section
from tests.benchmarks.batch_study import ROOT, SESSION, make_study
from tests.studies.bench import QUICK, files_of, lasting

Break = Callable[[Path], None]


def unit(path: Path) -> None:
    """Lengths in a unit that there is not."""
    content = path.read_bytes()
    section = read_parameter_section(FileBytes(path.name, content), BLOCK * (content[0] - 1))
    at = section.entries["POINT", "UNITS"].start
    path.write_bytes(content[:at] + b"fu" + content[at + 2 :])


def rate(path: Path) -> None:
    """No frames per second, in the header and the parameter."""
    content = bytearray(path.read_bytes())
    section = read_parameter_section(FileBytes(path.name, bytes(content)), BLOCK * (content[0] - 1))
    at = section.entries["POINT", "RATE"].start
    content[at : at + 4] = content[20:24] = struct.pack("<f", 0.0)
    path.write_bytes(content)


def labels(path: Path) -> None:
    """Labels of no marker set."""
    file = ezc3d.c3d(str(path))
    names = file["parameters"]["POINT"]["LABELS"]["value"]
    file["parameters"]["POINT"]["LABELS"]["value"] = [f"P{number:03}" for number in range(len(names))]
    file.write(str(path))


def no_pelvis(path: Path) -> None:
    """The markers of the pelvis in no frame."""
    file = ezc3d.c3d(str(path))
    names = file["parameters"]["POINT"]["LABELS"]["value"]
    pelvis = [number for number, name in enumerate(names) if name in ("LASI", "RASI", "LPSI", "RPSI", "SACR")]
    file["data"]["points"][:, pelvis] = np.nan
    file["data"]["meta_points"]["residuals"][:, pelvis] = -1.0
    file.write(str(path))


KINDS: dict[str, tuple[Break, str]] = {
    "missing": (Path.unlink, r"there is no such file"),
    "empty": (lambda path: path.write_bytes(b""), r"0 bytes|is empty"),
    "first half": (lambda path: path.write_bytes(path.read_bytes()[: path.stat().st_size // 2]), r"ends|cut|bytes"),
    "header alone": (lambda path: path.write_bytes(path.read_bytes()[:BLOCK]), r"bytes"),
    "text": (lambda path: path.write_bytes(100 * b"time,force\n0.0,1.0\n"), r"C3D"),
    "archive": (lambda path: path.write_bytes(b"PK\x03\x04" + bytes(4000)), r"C3D"),
    "unit": (unit, r"unit.*fu|fu.*unit"),
    "rate": (rate, r"rate|Hz"),
    "labels": (labels, r"marker|label"),
    "no pelvis": (no_pelvis, r"labels that are missing or in no frame: .*LASI"),
}
"""How a walk is broken, and what its reason must say."""


def breakage(walks: int, broken: int) -> dict[str, str]:
    """Kind of each broken walk by SUBJECT/SESSION/WALK, spread over the study."""
    numbers = np.linspace(0, walks - 1, broken).astype(int)
    kinds = [list(KINDS)[count % len(KINDS)] for count in range(broken)]
    return {
        f"s{number // SESSION + 1:04}/1/w{number % SESSION + 1:02}": kind
        for number, kind in zip(numbers, kinds, strict=True)
    }


def gait_run(study: Path, cores: int, after: float | None = None) -> tuple[int | None, str]:
    """Run the study; its exit status, None if it was killed after so many seconds, and what it printed."""
    words = [sys.executable, "-m", "pipeline", "run", str(study), "--cores", str(cores)]
    log = study / "console.log"
    with log.open("w") as output:
        process = subprocess.Popen(words, cwd=ROOT, stdout=output, stderr=output, start_new_session=True)
        try:
            status: int | None = process.wait(after)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            status = None
    return status, log.read_text()


def wrong_walks(told: str, kinds: dict[str, str], walks: int) -> list[str]:
    """What the verdict does not say as it should."""
    reasons = dict(re.findall(r"^  (\S+/\S+/\S+) failed at \w+: (.*)$", told, re.MULTILINE))
    found = [f"{name} ({kind}): {reasons.get(name, 'not named')}" for name, kind in kinds.items()]
    for line in found:
        print(f"  {line}")
    wrong = [
        line
        for line, (name, kind) in zip(found, kinds.items(), strict=True)
        if not re.search(KINDS[kind][1], reasons.get(name, ""))
    ]
    wrong += [f"{name} failed too: {reason}" for name, reason in reasons.items() if name not in kinds]
    statics = -(-walks // SESSION)
    wanted = f"{len(kinds)} of {walks + statics} trials failed; the others are complete"
    return wrong if wanted in told else [*wrong, f"the verdict lacks: {wanted}"]


def main() -> None:
    """Run, kill, and compare."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.broken_batch", description=__doc__)
    parser.add_argument("folder", type=Path, help="new folder for the studies")
    parser.add_argument("--walks", type=int, default=200, help="number of walks")
    parser.add_argument("--broken", type=int, default=20, help="number of broken walks among them")
    parser.add_argument("--moments", type=int, default=20, help="number of kills")
    parser.add_argument("--seed", type=int, default=0, help="seed of the times of the kills")
    parser.add_argument("--cores", type=int, default=2, help="number of processors")
    parser.add_argument("--skeleton", action="store_true", help="the walks on the skeleton too")
    options = parser.parse_args()
    study, other = options.folder.resolve() / "undisturbed", options.folder.resolve() / "killed"
    make_study(study, options.walks, seconds=2.0)
    if not options.skeleton:
        (study / "config/config.yaml").write_text(QUICK)
    kinds = breakage(options.walks, options.broken)
    for name, kind in kinds.items():
        subject, _, walk = name.split("/")
        KINDS[kind][0](study / f"data/raw/{subject}_{walk}.c3d")
    shutil.copytree(study, other, copy_function=shutil.copy2)

    began = time.perf_counter()
    status, told = gait_run(study, options.cores)
    wall = time.perf_counter() - began
    wrong = wrong_walks(told, kinds, options.walks)
    print(
        f"{options.walks} walks, {len(kinds)} broken: {wall:.0f} s, status {status}, {len(wrong)} wrong",
        flush=True,
    )

    began, kills = time.perf_counter(), 0
    longest = 2.0 * wall / max(options.moments, 1)  # so that kills fall in all stages
    for moment in np.random.default_rng(options.seed).uniform(2.0, longest, options.moments):
        status, _ = gait_run(other, options.cores, moment)
        kills += status is None
        print(f"  killed after {moment:.0f} s" if status is None else f"  ended with {status}", flush=True)
    status, told = gait_run(other, options.cores)
    expected, found = files_of(study), files_of(other)
    names = sorted(expected.keys() ^ found.keys())
    names += [name for name in expected.keys() & found.keys() if lasting(expected[name]) != lasting(found[name])]
    wall = time.perf_counter() - began
    print(f"killed {kills} times, then status {status}: {wall:.0f} s")
    print(f"{len(names)} of {len(expected)} files differ {names[:5]}")
    for line in wrong:
        print(f"WRONG {line}")
    sys.exit(bool(wrong or names))


if __name__ == "__main__":
    main()
