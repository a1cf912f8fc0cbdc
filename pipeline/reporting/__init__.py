"""Pages for the reader: a trial, a trial that failed, and the study; figures, tables and methods from stage values."""

from pipeline.reporting.pages import (
    TEMPLATES,
    write_failed_trial_report,
    write_study_report,
    write_subject_report,
    write_trial_report,
)
from pipeline.reporting.run import ReportRun
from pipeline.reporting.study import StudyEntry, read_entry, study_entry, write_entry

__all__ = [
    "TEMPLATES",
    "ReportRun",
    "StudyEntry",
    "read_entry",
    "study_entry",
    "write_entry",
    "write_failed_trial_report",
    "write_study_report",
    "write_subject_report",
    "write_trial_report",
]
