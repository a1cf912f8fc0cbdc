"""The demo's walk with all that it was computed from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from pipeline.acquisition import read_trial
from pipeline.config import AnatomySettings, EventSettings, FilterSettings, Subject
from pipeline.uncertainty import RecordedWalk
from tests.conftest import ROOT


@pytest.fixture(scope="package")
def recorded(analyse: Callable[..., Any], plug_in_gait: Any) -> RecordedWalk:
    recording, static = (read_trial(ROOT / f"data/demo/{name}.c3d") for name in ("walk", "static"))
    results = analyse(recording, static, sex="f")
    subject = Subject(subject="subject", sex="f")
    sections = AnatomySettings(), FilterSettings(), EventSettings()
    return RecordedWalk(recording, static, results.kinematics, results.loads, plug_in_gait, subject, *sections)
