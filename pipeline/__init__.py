"""Gait analysis from C3D files to joint loads, and predicted against measured gait.

Packages, from the bottom layer up (a module imports only from packages below or to its left):

    errors, conventions, sides, whole_files
    math3d, trial, config, provenance
    acquisition, signals, anatomy, skeleton
    kinematics, newton_euler | dynamics, muscles
    analysis, plausibility, uncertainty, inverse_kinematics, whole_body, ground_from_motion
    optimisation, prediction
    results
    reporting, examples, synthetic
    workflow, stages, rules, cli
"""

from __future__ import annotations

from importlib import import_module as _import_module

__version__ = "1.0.0"

_LOADED_AT_FIRST_USE = {
    "analyse": "pipeline.workflow.analyse",
    "compare": "pipeline.results.labelled",
    "features": "pipeline.results.tables",
    "norm": "pipeline.results.labelled",
    "norms": "pipeline.results.labelled",
    "open_study": "pipeline.results.tables",
    "open_trial": "pipeline.results.opening",
    "plot": "pipeline.reporting.figures.plotting",
    "plot_page": "pipeline.reporting.figures.plotting",
    "tables": "pipeline.results.tables",
}
"""By name, not by import: a stage imports the package, and would otherwise depend on all of these."""

__all__ = sorted(_LOADED_AT_FIRST_USE)


def __getattr__(name: str) -> object:
    """Names for notebooks, loaded at first use so that importing the package stays light."""
    if name in _LOADED_AT_FIRST_USE:
        return getattr(_import_module(_LOADED_AT_FIRST_USE[name]), name)
    raise AttributeError(f"module 'pipeline' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
