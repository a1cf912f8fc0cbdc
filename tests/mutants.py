"""How many wrong physical lines the tests see: a sign, factor, unit or index at a time is changed, and tests run.

``make mutants`` or ``python -m tests.mutants [--count 200] [--seed 1] [--jobs 2] [--rooms dynamics muscles] [--short]``
makes each mutant in a copy of the project that lies alone, so that only shipped data are there. The short tests of its
room run and, if they pass, the long ones; a mutant is killed when one fails, or when the short ones do not end. It
prints a line for each mutant and a table by room, and ends with 1 if fewer than 95 % were killed, those apart that
nothing can see (`UNSEEN`).
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import Queue

ROOT = Path(__file__).parents[1]

ROOMS = {
    "math3d": ("math3d",),
    "signals": ("signals",),
    "acquisition": ("acquisition",),
    "anatomy": ("anatomy", "synthetic"),
    "kinematics": ("kinematics",),
    "newton_euler": ("newton_euler", "oracles", "invariance"),
    "dynamics": ("dynamics", "oracles"),
    "skeleton": ("skeleton", "dynamics"),
    "inverse_kinematics": ("inverse_kinematics", "whole_body"),
    "whole_body": ("whole_body",),
    "muscles": ("muscles",),
    "analysis": ("analysis",),
    "uncertainty": ("uncertainty",),
    "plausibility": ("plausibility",),
    "optimisation": ("optimisation",),
    "prediction": ("prediction",),
    "results/exports": ("results",),
    "results/study_exports": ("results",),
}
"""Rooms that compute something physical, and the folders of their tests."""

LEAST = 0.95
"""Share that must be killed."""

SECONDS = 300.0
"""Longest run of a room's tests; a mutant that does not end is killed."""

UNSEEN: dict[tuple[str, str], str] = {}
"""Why nothing can see a mutant, by its file and its line as changed."""

SWAPS: dict[type[ast.operator], tuple[str, str, str]] = {
    ast.Add: ("+", "-", "sign"),
    ast.Sub: ("-", "+", "sign"),
    ast.Mult: ("*", "/", "factor"),
    ast.Div: ("/", "*", "factor"),
}

UNITS = {"radians", "degrees"}
"""Functions whose absence is a wrong unit."""

AXES = {"X": "Y", "Y": "Z", "Z": "X"}


@dataclass(frozen=True)
class Mutant:
    """One change of one line.

    Attributes:
        room: whose tests must see it.
        path: of the file, from the root.
        line: 1-based.
        kind: sign, factor, unit or index.
        text: the line as changed.
    """

    room: str
    path: Path
    line: int
    kind: str
    text: str

    def write(self, root: Path) -> str:
        """Change the file below a root; returns what it held."""
        before = (root / self.path).read_text(encoding="utf-8")
        lines = before.splitlines(keepends=True)
        lines[self.line - 1] = self.text + "\n"
        (root / self.path).write_text("".join(lines), encoding="utf-8")
        return before

    def __str__(self) -> str:
        return f"{self.path}:{self.line} {self.kind}: {self.text.strip()}"


def mutants_of(room: str) -> list[Mutant]:
    """All that a room's files offer."""
    found = []
    for path in sorted((ROOT / "pipeline" / room).rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        lines = source.splitlines()
        for node, start, end, new, kind in _changes(ast.parse(source), lines):
            line = lines[node.lineno - 1]
            text = line[:start] + new + line[end:]
            if _parses(lines, node.lineno, text):
                found.append(Mutant(room, path.relative_to(ROOT), node.lineno, kind, text))
    return found


def _changes(tree: ast.Module, lines: list[str]) -> Iterator[tuple[ast.expr, int, int, str, str]]:
    """Node, first and last column, new text and kind of each change within functions, of nodes on one line."""
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    seen: set[ast.AST] = set()
    texts = (node for node in ast.walk(tree) if isinstance(node, ast.JoinedStr))
    messages = {inner for text in texts for inner in ast.walk(text)}
    for function in functions:
        for node in (inner for statement in function.body for inner in ast.walk(statement)):
            if node in seen or not isinstance(node, ast.expr) or node.lineno != node.end_lineno:
                continue
            seen.add(node)
            line = lines[node.lineno - 1]
            assert node.end_col_offset is not None
            if not line.isascii() or _is_text(node) or node in messages:
                continue
            if isinstance(node, ast.BinOp) and type(node.op) in SWAPS and node.left.end_lineno == node.lineno:
                old, new, kind = SWAPS[type(node.op)]
                assert node.left.end_col_offset is not None
                at = line.find(old, node.left.end_col_offset, node.right.col_offset)
                if at >= 0:
                    yield node, at, at + 1, new, kind
            elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and not _is_place(node.operand):
                yield node, node.col_offset, node.col_offset + 1, "", "sign"
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in UNITS:
                func_end = node.func.end_col_offset
                yield node, node.col_offset, func_end or 0, "", "unit"
            elif isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value not in (0.0, 1.0):
                new = "1.0" if node.value in (1000.0, 1e-3, 100.0, 0.01) else f"{2.0 * node.value!r}"
                yield node, node.col_offset, node.end_col_offset, new, "unit" if new == "1.0" else "factor"
            elif isinstance(node, ast.Name) and node.id in AXES and isinstance(node.ctx, ast.Load):
                yield node, node.col_offset, node.end_col_offset, AXES[node.id], "index"


def _is_place(node: ast.expr) -> bool:
    """Whether it is a whole number, as of an index counted from the end or of a shape."""
    return isinstance(node, ast.Constant) and isinstance(node.value, int)


def _is_text(node: ast.expr) -> bool:
    """Whether an operation joins text or collections, by what stands in it."""
    texts = (ast.JoinedStr, ast.List, ast.Tuple, ast.ListComp, ast.Dict)
    return any(
        isinstance(inner, texts) or (isinstance(inner, ast.Constant) and isinstance(inner.value, str | bytes))
        for inner in ast.walk(node)
    ) and isinstance(node, ast.BinOp)


def _parses(lines: list[str], number: int, text: str) -> bool:
    try:
        ast.parse("\n".join([*lines[: number - 1], text, *lines[number:]]))
    except SyntaxError:
        return False
    return True


def drawn(count: int, seed: int, rooms: list[str]) -> list[Mutant]:
    """Mutants from every room, as many as its share of lines but at least four, no two of one line."""
    rng = random.Random(seed)
    offered = {room: mutants_of(room) for room in rooms}
    total = sum(map(len, offered.values()))
    chosen: list[Mutant] = []
    for candidates in offered.values():
        rng.shuffle(candidates)
        by_line = list({(mutant.path, mutant.line): mutant for mutant in candidates}.values())
        chosen += by_line[: max(4, round(count * len(candidates) / total))]
    rng.shuffle(chosen)
    return chosen[:count] if len(chosen) > count and len(rooms) == 1 else chosen


def alone(folder: Path) -> Path:
    """A copy of the project with no data of others beside it."""
    root = folder / "project"
    kept = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, kept.stdout.split("\0")):
        if (ROOT / name).is_file():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)
    return root


def tests_fail(root: Path, room: str, which: str) -> str:
    """The test that fails, "time" if they do not end, or nothing."""
    folders = [f"tests/{name}" for name in ROOMS[room]]
    options = ["-q", "-x", "-p", "no:cacheprovider", "--no-header", "--tb=no", "-m", which]
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    environment |= dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1")
    words = [sys.executable, "-m", "pytest", *folders, *options]
    try:
        done = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True, timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return "" if which == "long" else "time"
    if done.returncode in (0, 5):
        return ""
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    return failed[0].split(" - ")[0] if failed else f"pytest ended with {done.returncode}"


def judge(mutant: Mutant, root: Path, kinds: tuple[str, ...]) -> str:
    """What kills a mutant, or nothing."""
    before = mutant.write(root)
    try:
        return next(filter(None, (tests_fail(root, mutant.room, kind) for kind in kinds)), "")
    finally:
        (root / mutant.path).write_text(before, encoding="utf-8")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--rooms", nargs="*", choices=list(ROOMS), default=list(ROOMS))
    parser.add_argument("--short", action="store_true", help="without the long tests")
    options = parser.parse_args()
    kinds = ("not long",) if options.short else ("not long", "long")
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Path] = Queue()
        for number in range(options.jobs):
            copies.put(alone(Path(folder) / str(number)))
        for room in options.rooms:
            root = copies.get()
            if unmutated := tests_fail(root, room, "not long"):
                print(f"{room}: tests fail without a mutant: {unmutated}")
                return 1
            copies.put(root)

        def run(mutant: Mutant) -> tuple[Mutant, str, float]:
            root, begin = copies.get(), time.perf_counter()
            try:
                return mutant, judge(mutant, root, kinds), time.perf_counter() - begin
            finally:
                copies.put(root)

        counts: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
        chosen = drawn(options.count, options.seed, options.rooms)
        with ThreadPoolExecutor(options.jobs) as pool:
            for number, (mutant, killer, seconds) in enumerate(pool.map(run, chosen), start=1):
                reason = UNSEEN.get((mutant.path.as_posix(), mutant.text.strip()), "")
                outcome = f"killed by {killer}" if killer else f"nothing can see it: {reason}" if reason else "SURVIVED"
                print(f"{number}/{len(chosen)} {mutant} -> {outcome} ({seconds:.0f} s)", flush=True)
                counts[mutant.room][0 if killer else 1 if reason else 2] += 1
    print(f"\n{'room':24}{'killed':>8}{'unseen':>8}{'survived':>10}")
    for room, row in counts.items():
        print(f"{room:24}{row[0]:8}{row[1]:8}{row[2]:10}")
    killed, _, survived = (sum(row[k] for row in counts.values()) for k in range(3))
    share = killed / max(killed + survived, 1)
    print(f"{'all':24}{killed:8}{len(chosen) - killed - survived:8}{survived:10}   {100.0 * share:.1f} % killed")
    return 0 if share >= LEAST else 1


if __name__ == "__main__":
    sys.exit(main())
