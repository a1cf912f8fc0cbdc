"""Gait analysis from C3D files to joint loads, and predicted against measured gait.

Packages, from the bottom layer up (a module imports only from packages below or to its left):

    errors, conventions
    math3d, trial, config, provenance
    acquisition, signals, anatomy, skeleton
    kinematics, newton_euler | dynamics, muscles
    analysis, plausibility, uncertainty, inverse_kinematics, whole_body
    optimisation, prediction
    results
    reporting, examples, synthetic
    stages, rules, cli
"""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_LOADED_AT_FIRST_USE = {
    "open_trial": "pipeline.results.opening",
    "open_study": "pipeline.results.tables",
    "plot": "pipeline.reporting.figures.plotting",
    "plot_page": "pipeline.reporting.figures.plotting",
}


def __getattr__(name: str) -> Any:
    """What notebooks need, loaded at first use: importing the package is light."""
    if name in _LOADED_AT_FIRST_USE:
        return getattr(importlib.import_module(_LOADED_AT_FIRST_USE[name]), name)
    raise AttributeError(f"module 'pipeline' has no attribute '{name}'")
