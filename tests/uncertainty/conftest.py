"""The demo's walk with all that it was computed from."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.uncertainty import RecordedWalk


@pytest.fixture(scope="package")
def recorded(demo_legs: SimpleNamespace, plug_in_gait: Any) -> RecordedWalk:
    settings = Subject(subject="subject", sex="f"), AnatomySettings(), FilterSettings(), EventSettings()
    own = demo_legs.raw, demo_legs.static, demo_legs.kinematics, demo_legs.loads
    return RecordedWalk(*own, plug_in_gait, *settings)
