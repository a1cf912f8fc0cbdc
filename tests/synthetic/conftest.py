"""The demo's walk and its files, made once."""

from __future__ import annotations

import pytest

from pipeline.synthetic import DemoTruth, walk, write_demo


@pytest.fixture(scope="session")
def truth() -> DemoTruth:
    return walk()


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("demo")
    write_demo(path)
    return path
