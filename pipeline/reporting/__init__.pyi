from .comparison.crossed import write_crossed_report
from .comparison.document import write_comparison_docx
from .comparison.groups import ReportedGroup
from .comparison.page import write_group_comparison_report
from .comparison.paper import ComparisonContent, write_comparison_pdf
from .entries import StudyEntry, WholeBodySummary, read_entry, write_entry
from .failed import (
    write_failed_comparison_report,
    write_failed_prediction_report,
    write_failed_trial_report,
    write_failed_whole_body_report,
)
from .interpretation import read_interpretation
from .pages import TEMPLATES
from .prediction.entry import PredictionEntry
from .prediction.page import write_prediction_report
from .prediction.study_page import write_predicted_study_report
from .reported_groups import GroupSource, read_group
from .run import ComparisonLink, ReportRun
from .study import write_study_report
from .subject import write_subject_report
from .task import write_task_report
from .trial.entry import study_entry
from .trial.page import FurtherResults, write_trial_report
from .whole_body.page import write_whole_body_report
from .whole_body.summary import whole_body_summary

__all__ = [
    "TEMPLATES",
    "ComparisonContent",
    "ComparisonLink",
    "FurtherResults",
    "GroupSource",
    "PredictionEntry",
    "ReportRun",
    "ReportedGroup",
    "StudyEntry",
    "WholeBodySummary",
    "read_entry",
    "read_group",
    "read_interpretation",
    "study_entry",
    "whole_body_summary",
    "write_comparison_docx",
    "write_comparison_pdf",
    "write_crossed_report",
    "write_entry",
    "write_failed_comparison_report",
    "write_failed_prediction_report",
    "write_failed_trial_report",
    "write_failed_whole_body_report",
    "write_group_comparison_report",
    "write_predicted_study_report",
    "write_prediction_report",
    "write_study_report",
    "write_subject_report",
    "write_task_report",
    "write_trial_report",
    "write_whole_body_report",
]
