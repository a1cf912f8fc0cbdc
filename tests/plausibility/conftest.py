"""The demo's walk, which is plausible."""

from __future__ import annotations

from types import SimpleNamespace

import pytest


@pytest.fixture(scope="session")
def clean(demo_legs: SimpleNamespace) -> SimpleNamespace:
    """The demo's walk: ``raw``, ``static``, ``kinematics``, ``loads``."""
    return demo_legs
