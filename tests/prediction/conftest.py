"""The skeleton that ships, of the mass and height of its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.skeleton import Skeleton, load_skeleton


@pytest.fixture(scope="session")
def skeleton() -> Skeleton:
    return load_skeleton(Path(__file__).resolve().parents[2] / "config" / "skeleton.yaml")
