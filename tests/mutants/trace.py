"""A plug-in of pytest: records which lines of the pipeline each test runs, or runs chosen tests, the fastest first.

``MUTANTS_RECORD`` names the file to write. A line that a fixture of a module or session runs counts for every test
that asks for the fixture, since the first of them runs it for all. Compiled kernels and other processes are not seen.
``MUTANTS_CHOSEN`` names a file with the node ids of the tests to run, in their order.
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Context:
    """Lines that run while a test or fixture does, and for how long.

    Attributes:
        left: lines of each code object that have not run yet; once none is left it is traced no more.
    """

    def __init__(self) -> None:
        self.left: dict[CodeType, set[int]] = {}
        self.seconds = 0.0

    def masks(self) -> dict[str, int]:
        """By file, from the root: a number whose bit n is set if line n has run."""
        found: dict[str, int] = defaultdict(int)
        for code, left in self.left.items():
            name = Path(code.co_filename).relative_to(ROOT).as_posix()
            for line in _lines(code) - left:
                found[name] |= 1 << line
        return found


def _lines(code: CodeType) -> set[int]:
    return {line for _, _, line in code.co_lines() if line is not None}


class Recorder:
    """Keeps a stack of contexts, as a fixture is set up within a test."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.stack: list[Context] = []
        self.fixtures: dict[int, Context] = defaultdict(Context)
        self.tests: dict[str, dict[str, Any]] = {}
        self.failed: list[str] = []
        self.below = f"{ROOT / 'pipeline'}{os.sep}"

    def trace(self, frame: FrameType, event: str, argument: object) -> Any:
        """As `sys.settrace` calls it: at each call of a function."""
        code = frame.f_code
        if not self.stack or not code.co_filename.startswith(self.below):
            return None
        contexts = self.stack[-1].left
        left = contexts.setdefault(code, _lines(code)) if code not in contexts else contexts[code]
        if not left:
            return None
        left.discard(frame.f_lineno)

        def at_line(frame: FrameType, event: str, argument: object) -> Any:
            left.discard(frame.f_lineno)
            if not left:
                frame.f_trace = None
            return at_line

        return at_line

    def within(self, context: Context) -> Iterator[None]:
        """Everything until the generator goes on belongs to the context."""
        self.stack.append(context)
        begin = time.perf_counter()
        sys.settrace(self.trace)
        threading.settrace(self.trace)
        try:
            yield
        finally:
            self.stack.pop()
            context.seconds += time.perf_counter() - begin
            if not self.stack:
                sys.settrace(None)

    @pytest.hookimpl(hookwrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Iterator[None]:
        if fixturedef.scope == "function":
            yield
        else:
            yield from self.within(self.fixtures[id(fixturedef)])

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: Any) -> Iterator[None]:
        context = Context()
        yield from self.within(context)
        shared = [
            self.fixtures[id(fixture)]
            for fixtures in item._fixtureinfo.name2fixturedefs.values()
            for fixture in fixtures
            if id(fixture) in self.fixtures
        ]
        masks: dict[str, int] = defaultdict(int)
        for part in (context, *shared):
            for name, mask in part.masks().items():
                masks[name] |= mask
        self.tests[item.nodeid] = {
            "seconds": round(context.seconds, 4),
            "lines": {name: f"{mask:x}" for name, mask in masks.items()},
        }

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.path.write_text(json.dumps({"tests": self.tests, "failed": self.failed}), encoding="utf-8")


class Chooser:
    """Runs the chosen tests only, in their order."""

    def __init__(self, path: Path) -> None:
        self.place = {name: place for place, name in enumerate(path.read_text(encoding="utf-8").splitlines())}

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.place), key=lambda item: self.place[item.nodeid]
        )


def pytest_configure(config: pytest.Config) -> None:
    if path := os.environ.get("MUTANTS_RECORD"):
        config.pluginmanager.register(Recorder(Path(path)))
    if path := os.environ.get("MUTANTS_CHOSEN"):
        config.pluginmanager.register(Chooser(Path(path)))
