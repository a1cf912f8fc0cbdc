"""The muscle model that ships, OpenSim's stored answers about it, and the demo's walk with its muscle forces."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from pipeline.muscles import MuscleModel, load_muscle_model, walk_muscles
from pipeline.trial import MuscleLoads, WholeBody


@pytest.fixture(scope="session")
def model() -> MuscleModel:
    return load_muscle_model()


@pytest.fixture(scope="session")
def reference() -> dict:
    """OpenSim 4.6 on gait2392 at six postures, made by tests/oracles/opensim_muscles.py."""
    return json.loads(Path(__file__).with_name("gait2392_opensim.json").read_text())


@pytest.fixture(scope="session")
def postures(reference) -> dict[str, np.ndarray]:
    """Angles (6,) by coordinate, rad."""
    return dict(zip(reference["coordinates"], np.array([p["q"] for p in reference["postures"]]).T, strict=True))


@pytest.fixture(scope="session")
def body(demo_walk) -> WholeBody:
    return demo_walk.body


@pytest.fixture(scope="session")
def loads(body) -> MuscleLoads:
    return walk_muscles(body)
