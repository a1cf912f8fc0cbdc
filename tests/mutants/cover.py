"""Which tests run a line, recorded once for each folder of tests and kept in the user's cache folder."""

from __future__ import annotations

import ast
import hashlib
import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from threading import get_ident

import pytest

from tests.mutants.draw import ROOT, Mutant

OPTIONS = ["-q", "-p", "no:cacheprovider", "-p", "tests.mutants.trace", "--no-header", "--tb=no"]


@dataclass(frozen=True)
class Covered:
    """A test.

    Attributes:
        name: pytest's node id.
        seconds: it took while its lines were recorded.
        lines: by file, a number whose bit n is set if line n has run.
    """

    name: str
    seconds: float
    lines: dict[str, int]


def pytest_words(*words: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *OPTIONS, *words]


def surroundings(root: Path, **more: str) -> dict[str, str]:
    """Environment of a run below a root: its own modules, and no bytecode of a mutant left behind."""
    single = dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1")
    return {**os.environ, **single, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1", **more}


def digest(root: Path, folders: Iterable[str]) -> str:
    """Changes with the pipeline, what the tests share and the tests in the folders."""
    found = hashlib.sha256()
    for folder in ("pipeline", "config", "tests/conftest.py", "tests/walks.py", "tests/mutants/trace.py", *folders):
        paths = sorted((root / folder).rglob("*")) if (root / folder).is_dir() else [root / folder]
        for path in paths:
            if path.is_file() and path.suffix != ".pyc":
                found.update(str(path.relative_to(root)).encode() + b"\0" + path.read_bytes())
    return found.hexdigest()[:16]


def cache_folder() -> Path:
    """Where it is kept, made if it does not exist."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "gait-pipeline" / "mutants"
    base.mkdir(parents=True, exist_ok=True)
    return base


_READ: dict[tuple[str, str], list[Covered]] = {}


def covered(root: Path, folder: str, which: str) -> list[Covered]:
    """Tests of a folder below `tests` with the lines that they run, from the cache where nothing has changed.

    Args:
        root: of a copy that lies alone.
        folder: of tests.
        which: marks, as pytest's ``-m``.

    Raises:
        SystemExit: tests fail without a mutant.
    """
    if (folder, which) in _READ:
        return _READ[folder, which]
    path = cache_folder() / f"{folder}-{which.replace(' ', '_')}-{digest(root, [f'tests/{folder}'])}.json"
    if not path.is_file():
        written = path.with_suffix(f".{os.getpid()}.{get_ident()}")  # several threads may record the same folder
        environment = surroundings(root, MUTANTS_RECORD=str(written))
        words = pytest_words("-m", which, f"tests/{folder}")
        done = subprocess.run(words, cwd=root, env=environment, capture_output=True, text=True)
        if done.returncode == pytest.ExitCode.NO_TESTS_COLLECTED:
            written.write_text(json.dumps({"failed": [], "tests": {}}), encoding="utf-8")
        if not written.is_file() or json.loads(written.read_text(encoding="utf-8"))["failed"]:
            raise SystemExit(f"tests of {folder} fail without a mutant:\n{done.stdout[-3000:]}{done.stderr[-1000:]}")
        written.replace(path)
    tests = json.loads(path.read_text(encoding="utf-8"))["tests"]
    _READ[folder, which] = [
        Covered(name, test["seconds"], {file: int(mask, 16) for file, mask in test["lines"].items()})
        for name, test in tests.items()
    ]
    return _READ[folder, which]


def statement(path: Path, line: int) -> tuple[int, int]:
    """First and last line of the innermost statement, without the body of a compound one."""
    best = (0, 0)
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or line
            if node.lineno <= line <= last and node.lineno >= best[0]:
                best = (node.lineno, last)
    return best if best[0] else (line, line)


def callers_of_kernels(path: Path) -> dict[str, int]:
    """Lines of functions in every module that imports a file of kernels, by way of other kernels too."""
    imports = {}
    for other in (ROOT / "pipeline").rglob("*.py"):
        tree = ast.parse(other.read_text(encoding="utf-8"))
        names = set()
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
            elif isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
        imports[other.relative_to(ROOT)] = (names, tree)
    wanted, found, ready = {path}, {}, set()
    while wanted:
        name = ".".join((kernels := wanted.pop()).with_suffix("").parts)
        ready.add(kernels)
        for other, (names, tree) in imports.items():
            if name in names and other.name.endswith("kernels.py"):
                wanted |= {other} - ready
            elif name in names:
                mask = 0
                for function in (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)):
                    for inner in function.body:
                        for line in range(inner.lineno, (inner.end_lineno or inner.lineno) + 1):
                            mask |= 1 << line
                found[other.as_posix()] = mask
    return found


def selected(mutant: Mutant, tests: Iterable[Covered]) -> list[Covered]:
    """Tests that run the statement of a mutant, or call its kernel, the fastest first, those of a file together."""
    if mutant.path.name.endswith("kernels.py"):
        wanted = callers_of_kernels(mutant.path)
    else:
        first, last = statement(ROOT / mutant.path, mutant.line)
        wanted = {mutant.path.as_posix(): (1 << last + 1) - (1 << first)}
    chosen = [test for test in tests if any(test.lines.get(name, 0) & mask for name, mask in wanted.items())]
    return in_order(chosen)


def in_order(tests: Iterable[Covered]) -> list[Covered]:
    """The fastest first, those of a file together, as they share fixtures."""
    fastest: dict[str, float] = {}
    tests = list(tests)
    for test in tests:
        file = test.name.partition("::")[0]
        fastest[file] = min(test.seconds, fastest.get(file, test.seconds))

    def key(test: Covered) -> tuple[float, str, float]:
        file = test.name.partition("::")[0]
        return fastest[file], file, test.seconds

    return sorted(tests, key=key)
