"""What the tests of all packages share: measured trials, the marker set that ships, and the two composed steps."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

# As in the workflow's jobs, before numpy reads it: sums of several threads differ in their last bits.
os.environ.update(dict.fromkeys(["OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"], "1"))

import hypothesis
import numpy as np
import pytest

# By default an example that takes longer than 0.2 s fails, as any may on a busy machine: no test asserts a time.
hypothesis.settings.register_profile("without deadline", deadline=None)
hypothesis.settings.load_profile("without deadline")

ROOT = Path(__file__).resolve().parents[1]


WITH_KERNELS = {
    "dynamics",
    "examples",
    "inverse_kinematics",
    "measured",
    "optimisation",
    "prediction",
    "skeleton",
    "synthetic",
    "whole_body",
}
"""Packages whose tests call compiled kernels, as does the fixture `on_skeleton`."""

STUDIES = "studies"
"""The folder of the tests that run whole studies."""


LONG = ("long", "long and not exhaustive", "exhaustive")
"""Choices of long tests alone: an exhaustive one is long too."""

LONG_FILE = "\npytestmark = pytest.mark.long\n"
"""In a file whose tests are all long."""


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Leave out files of which a run chooses nothing: importing them, in every worker, takes as long as many tests."""
    chosen = config.getoption("markexpr")
    if chosen not in (*LONG, "not long") or not collection_path.match("test_*.py"):
        return None
    if chosen in LONG:
        return not names_the_mark(collection_path) or None
    return LONG_FILE in collection_path.read_text(encoding="utf-8") or None


@cache
def names_the_mark(path: Path) -> bool:
    return "mark.long" in path.read_text(encoding="utf-8")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whole studies first, which take longest; tests with kernels last, when the studies have compiled those.

    Raises:
        UsageError: a file has a long test and does not name the mark, so that the long run would leave the file out.
    """
    long_files = {item.path for item in items if item.get_closest_marker("long")}
    if lost := sorted(path.name for path in long_files if not names_the_mark(path)):
        raise pytest.UsageError(f"write pytest.mark.long in {', '.join(lost)}, whose long tests would not be run")
    late = {
        item.path
        for item in items
        if item.path.parent.name in WITH_KERNELS or "on_skeleton" in getattr(item, "fixturenames", ())
    }
    items.sort(key=lambda item: (item.path.parent.name != STUDIES, item.path in late))


@pytest.fixture
def rng(request: pytest.FixtureRequest) -> np.random.Generator:
    """Random numbers that are the same in every run and differ between tests."""
    return np.random.default_rng(list(request.node.name.encode()))


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    """A running browser; tests that need it are skipped where none is installed."""
    from tests.browser.chromium import Chromium, installed

    if not installed():
        pytest.skip("no Chromium is installed: pages are not tried in a browser")
    with closing(Chromium()) as browser:
        yield browser


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of reference material beside the repository; tests that need it are skipped where it is absent."""
    folder = ROOT.parent / "shared"
    if not folder.is_dir():
        pytest.skip(f"no reference material at {folder.name}/ beside the repository")
    return folder


@pytest.fixture(scope="session")
def trials(shared: Path) -> Path:
    """Measured C3D trials, which are not part of the repository."""
    return shared / "trials"


@pytest.fixture(scope="session")
def plug_in_gait_path() -> Path:
    return ROOT / "config" / "marker_sets" / "plug_in_gait.yaml"


@pytest.fixture(scope="session")
def plug_in_gait(plug_in_gait_path: Path) -> Any:
    """The checked Plug-in Gait marker set that ships."""
    from pipeline.anatomy import load_marker_set

    return load_marker_set(plug_in_gait_path)


@pytest.fixture(scope="session")
def analyse(plug_in_gait: Any) -> Callable[..., SimpleNamespace]:
    """Both numerical steps of a walk: ``analyse(walk, static, sex=None, values={}, anatomy={}, filter={}, events={})``.

    The last three are keys of those sections of the configuration; the result holds ``kinematics`` and ``loads``.
    """
    from pipeline.config import Subject
    from pipeline.stages import inverse_dynamics
    from tests.walks import kinematics_of

    def run(walk: Any, static: Any, sex: str | None = None, values: Any = None, **settings: Any) -> SimpleNamespace:
        motion = kinematics_of(walk, static, plug_in_gait, Subject.from_si("subject", sex, values or {}), **settings)
        return SimpleNamespace(kinematics=motion, loads=inverse_dynamics.run(motion))

    return run


@pytest.fixture(scope="session")
def on_skeleton(plug_in_gait: Any) -> Callable[..., Any]:
    """A walk's whole-skeleton stage: ``on_skeleton(walk, static, matrix, sex="female", filter={}, **settings)``.

    ``matrix`` is what ``analyse`` returns; the rest are keys of the sections filter and
    whole_body of the configuration.
    """
    from tests.walks import whole_body_of

    def run(walk: Any, static: Any, matrix: SimpleNamespace, sex: Any = "female", **settings: Any) -> Any:
        return whole_body_of(walk, static, matrix.kinematics, matrix.loads, plug_in_gait, sex=sex, **settings)

    return run


@pytest.fixture(scope="session")
def demo_legs(analyse: Callable[..., SimpleNamespace]) -> SimpleNamespace:
    """The demo's walk in matrix form: ``raw``, ``static``, ``kinematics`` and ``loads``."""
    from pipeline.acquisition import read_trial

    raw, static = (read_trial(ROOT / f"data/demo/{name}.c3d") for name in ("walk", "static"))
    return SimpleNamespace(raw=raw, static=static, **vars(analyse(raw, static, sex="f")))


@pytest.fixture(scope="session")
def demo_walk(demo_legs: SimpleNamespace, on_skeleton: Callable[..., Any]) -> SimpleNamespace:
    """The demo's walk as `demo_legs`, and ``body``, the walk on the whole skeleton."""
    return SimpleNamespace(**vars(demo_legs), body=on_skeleton(demo_legs.raw, demo_legs.static, demo_legs))


@pytest.fixture(scope="session")
def feet(demo_walk: SimpleNamespace, plug_in_gait: Any) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Heel and toe (T, 3) m of the demo's walk, by side."""
    points = demo_walk.kinematics.points
    return {side: (points[foot.heel], points[foot.toe]) for side, foot in plug_in_gait.feet.items()}


@pytest.fixture(scope="session")
def estimated(demo_walk: SimpleNamespace, feet: Any) -> Any:
    """Loads of the demo's walk, estimated from its motion."""
    from pipeline.ground_from_motion import ground_from_motion, load_learned

    return ground_from_motion(demo_walk.body, demo_walk.kinematics, feet, load_learned())


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Show the tables that tests recorded with ``record_property("table", text)``."""
    reports = [report for outcome in ("passed", "failed") for report in terminalreporter.getreports(outcome)]
    for report in reports:
        for name, text in report.user_properties:
            if name == "table" and report.when == "call":
                terminalreporter.section(report.nodeid.rpartition("::")[2].replace("_", " "), sep="-")
                terminalreporter.write_line(text)
