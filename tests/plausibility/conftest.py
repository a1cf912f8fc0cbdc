"""The demo's walk, which is plausible, and its first clean step."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from pipeline.trial import Stance


@pytest.fixture(scope="session")
def clean(demo_legs: SimpleNamespace) -> SimpleNamespace:
    """The demo's walk: ``raw``, ``static``, ``kinematics``, ``loads``."""
    return demo_legs


@pytest.fixture(scope="session")
def step(clean: SimpleNamespace) -> Stance:
    """The first clean step of the demo's walk on a plate."""
    return next(stance for stance in clean.kinematics.stances if not stance.rejected)
