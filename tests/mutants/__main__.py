"""How many wrong physical lines the tests see: a sign, factor, unit or index at a time is changed, and tests run.

``make mutants`` or ``python -m tests.mutants [--count 200] [--seed 1] [--jobs 2] [--rooms dynamics muscles] [--short]``
makes each mutant in a copy of the project that lies alone, so that only shipped data are there. Of the short tests of
its package those run that execute the changed line (`tests.mutants.cover`), the fastest first, or all where none is
recorded, since caches and other processes hide lines, and then the long ones likewise; a mutant is killed when one
fails, or when the short ones do not end. Mutants of kernels run as Python, since numba takes two minutes to compile
them all; of them no test fails because of a warning or of its time. It prints a line for each mutant and a table by
package, and ends with 1 if fewer than 95 % of the detectable ones were killed (the others: `unseen.txt`).
"""

from __future__ import annotations

import argparse
import compileall
import fcntl
import hashlib
import json
import os
import py_compile
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

from tests.mutants.cover import Covered, cache_folder, covered, in_order, pytest_words, selected, surroundings
from tests.mutants.draw import PACKAGES, ROOT, Mutant, drawn
from tests.mutants.unseen import undetectable

LEAST = 0.95
"""Share that must be killed."""

SECONDS = 300.0
"""Longest run of tests beyond what they take without a mutant; a mutant under which short tests do not end is killed,
unless it is one of kernels, which run as Python and take longer anyway."""


def alone(folder: Path) -> Path:
    """A copy of the project with no data of others beside it."""
    root = folder / "project"
    shutil.rmtree(root, ignore_errors=True)
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, kept.stdout.split("\0")):
        if (ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)
    # By content, since a mutant can have the time stamp and the length of the line that it replaces.
    mode = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(root / "pipeline", quiet=1, invalidation_mode=mode)
    return root


@dataclass(frozen=True)
class Place:
    """A copy of the project that lies alone, and the process that runs its tests."""

    root: Path
    runner: subprocess.Popen[str]

    @classmethod
    def made(cls, folder: Path) -> Place:
        root = alone(folder)
        words = [sys.executable, str(Path(__file__).with_name("runner.py"))]
        environment = surroundings(root)
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        return cls(root, subprocess.Popen(words, env=environment, cwd=folder, text=True, **pipes))

    def failing(self, tests: list[Covered], kernels: bool) -> str:
        """The first test that fails, "time" if they do not end, or nothing."""
        if not tests:
            return ""
        assert self.runner.stdin is not None
        assert self.runner.stdout is not None
        files = list(dict.fromkeys(test.name.partition("::")[0] for test in tests))
        with tempfile.TemporaryDirectory() as folder:
            chosen, output = Path(folder) / "chosen", Path(folder) / "output"
            chosen.write_text("\n".join(test.name for test in tests), encoding="utf-8")
            own = {"NUMBA_DISABLE_JIT": "1"} if kernels else {}
            # Python warns of infinities in sums, where compiled code goes on.
            lenient = ["-W", "ignore::RuntimeWarning"] if kernels else []
            given = {
                "folder": str(self.root),
                "words": pytest_words("-x", *lenient, *files)[3:],
                "environment": surroundings(self.root, MUTANTS_CHOSEN=str(chosen), **own),
                "seconds": SECONDS + 2.0 * sum(test.seconds for test in tests),
                "output": str(output),
            }
            self.runner.stdin.write(json.dumps(given) + "\n")
            self.runner.stdin.flush()
            status = self.runner.stdout.readline().strip()
            if status in ("0", "5", "time"):
                return "time" if status == "time" else ""
            lines = output.read_text(encoding="utf-8", errors="replace").splitlines()
        failed = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        return failed[0].split(" - ")[0] if failed else f"pytest ended with {status}"


def judge(mutant: Mutant, place: Place, kinds: tuple[str, ...]) -> str:
    """What kills a mutant, or nothing."""
    kernels = mutant.path.name.endswith("kernels.py")
    for kind in kinds:
        tests = [test for folder in PACKAGES[mutant.package] for test in covered(place.root, folder, kind)]
        running = selected(mutant, tests) or in_order(tests)
        before = mutant.write(place.root)
        try:
            if killer := place.failing(running, kernels):
                return "" if killer == "time" and (kernels or kind == "long") else killer
        finally:
            (place.root / mutant.path).write_text(before, encoding="utf-8")
    return ""


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--rooms",
        dest="packages",
        nargs="*",
        choices=list(PACKAGES),
        default=list(PACKAGES),
        metavar="PACKAGE",
        help="only mutants of these packages",
    )
    parser.add_argument("--short", action="store_true", help="without the long tests")
    parser.add_argument("--only", nargs="*", help="files or FILE:LINE of the draw to judge, the others are left out")
    options = parser.parse_args()
    kinds = ("not long",) if options.short else ("not long", "long")
    chosen = drawn(options.count, options.seed, options.packages)
    chosen.sort(key=lambda mutant: options.packages.index(mutant.package))  # what a package's tests cover is read once
    if options.only:
        chosen = [one for one in chosen if {f"{one.path}", f"{one.path}:{one.line}"} & set(options.only)]
    # At the same place in every run, since numba stores what it has compiled under the path of the source.
    folder = cache_folder() / hashlib.sha256(str(ROOT).encode()).hexdigest()[:8]
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock, ThreadPoolExecutor(options.jobs) as pool:
        fcntl.flock(lock, fcntl.LOCK_EX)
        copies: Queue[Place] = Queue()
        for number in range(options.jobs):
            copies.put(Place.made(folder / str(number)))

        def run(mutant: Mutant) -> tuple[Mutant, str, float]:
            place, begin = copies.get(), time.perf_counter()
            try:
                return mutant, judge(mutant, place, kinds), time.perf_counter() - begin
            finally:
                copies.put(place)

        counts, unseen = defaultdict[str, list[int]](lambda: [0, 0, 0]), undetectable()
        for number, (mutant, killer, seconds) in enumerate(pool.map(run, chosen), start=1):
            reason = unseen.get((mutant.path.as_posix(), mutant.text.strip()), "")
            outcome = f"killed by {killer}" if killer else f"undetectable: {reason}" if reason else "SURVIVED"
            print(f"{number}/{len(chosen)} {mutant} -> {outcome} ({seconds:.0f} s)", flush=True)
            counts[mutant.package][0 if killer else 1 if reason else 2] += 1
        while not copies.empty():
            copies.get().runner.terminate()
    return table(counts)


def table(counts: dict[str, list[int]]) -> int:
    """Print it, in Markdown; 1 if too few were killed."""
    counts["all"] = [sum(row[k] for row in counts.values()) for k in range(3)]
    print("\n| package | drawn | killed | undetectable | survived |\n|:--|--:|--:|--:|--:|")
    for package, (killed, unseen, survived) in sorted(counts.items(), key=lambda item: (item[0] == "all", item[0])):
        print(f"| {package} | {killed + unseen + survived} | {killed} | {unseen} | {survived} |")
    killed, _, survived = counts["all"]
    share = killed / max(killed + survived, 1)
    print(f"\n{100.0 * share:.1f} % of the detectable ones killed")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
