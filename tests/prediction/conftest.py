"""The skeleton that ships, of the mass and height of its file."""

from __future__ import annotations

import pytest

from pipeline.skeleton import Skeleton, load_skeleton
from tests.walks import SKELETON


@pytest.fixture(scope="session")
def skeleton() -> Skeleton:
    return load_skeleton(SKELETON)
