"""A study's configuration: strict typed sections and tables, checked against each other before any job starts."""

from pipeline.config.rows import Prediction, Subject, Trial
from pipeline.config.settings import (
    AnatomySettings,
    AxesSettings,
    ComparisonSettings,
    Configuration,
    EventSettings,
    FilterSettings,
    LoadSettings,
    StudySettings,
    WholeBodySettings,
)
from pipeline.config.study import Study, load_study

__all__ = [
    "AnatomySettings",
    "AxesSettings",
    "ComparisonSettings",
    "Configuration",
    "EventSettings",
    "FilterSettings",
    "LoadSettings",
    "Prediction",
    "Study",
    "StudySettings",
    "Subject",
    "Trial",
    "WholeBodySettings",
    "load_study",
]
