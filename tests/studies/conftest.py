"""The demo study, run once for the tests of a file, and a bench for small studies."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.studies.bench import FIRST_DAY, Bench, copied_workflow, make_bench, run_study


@pytest.fixture(scope="session")
def run_demo() -> Callable[..., Path]:
    return run_study


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return run_study(tmp_path_factory.mktemp("first"))


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return make_bench(tmp_path)


@pytest.fixture
def one_session(tmp_path: Path) -> Bench:
    return make_bench(tmp_path, FIRST_DAY)


@pytest.fixture
def edited_bench(tmp_path: Path) -> Bench:
    """With a copy of the workflow, whose modules may be changed."""
    return make_bench(tmp_path, home=copied_workflow(tmp_path))
