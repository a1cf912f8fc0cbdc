"""The demo's walk and its results, which are plausible, made once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from pipeline.acquisition import read_trial
from pipeline.trial import RawTrial

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def clean(analyse: Callable[..., SimpleNamespace]) -> SimpleNamespace:
    """The demo's walk: ``raw``, ``static``, ``kinematics``, ``loads``."""
    raw, static = (read_trial(ROOT / f"data/demo/{name}.c3d") for name in ("walk", "static"))
    return SimpleNamespace(raw=raw, static=static, **vars(analyse(raw, static, sex="f")))


@pytest.fixture
def record() -> Callable[..., RawTrial]:
    """A recording of given markers (T, 3) m, without plates, at 100 Hz."""

    def make(markers: dict[str, np.ndarray], name: str = "trial") -> RawTrial:
        frames = len(next(iter(markers.values())))
        empty: dict[str, Any] = {"events": (), "parameters": {}, "model_outputs": {}, "notes": (), "plates": ()}
        return RawTrial(
            name=name,
            file_name=f"{name}.c3d",
            sha256="",
            first_frame=1,
            rate=100.0,
            analog_rate=0.0,
            marker_names=tuple(markers),
            analog_names=(),
            analog_units=(),
            analog_plate=np.zeros(0, dtype=int),
            time=np.arange(frames) / 100.0,
            analog_time=np.zeros(0),
            markers_G=np.stack(list(markers.values()), axis=1),
            analog=np.zeros((0, 0)),
            R_GL=np.eye(3),
            **empty,
        )

    return make
