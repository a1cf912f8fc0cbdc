"""HTML pages of a study, its subjects, trials and predictions, from the values that the stages wrote."""

from pipeline.reporting.comparison.page import write_group_comparison_report
from pipeline.reporting.failed import (
    write_failed_comparison_report,
    write_failed_prediction_report,
    write_failed_trial_report,
    write_failed_whole_body_report,
)
from pipeline.reporting.pages import TEMPLATES
from pipeline.reporting.prediction.entry import PredictionEntry
from pipeline.reporting.prediction.page import write_prediction_report
from pipeline.reporting.prediction.study_page import write_predicted_study_report
from pipeline.reporting.run import ComparisonLink, ReportRun
from pipeline.reporting.study import StudyEntry, read_entry, study_entry, write_entry, write_study_report
from pipeline.reporting.subject import write_subject_report
from pipeline.reporting.trial.page import write_trial_report
from pipeline.reporting.whole_body.page import write_whole_body_report
from pipeline.reporting.whole_body.summary import WholeBodySummary, whole_body_summary

__all__ = [
    "TEMPLATES",
    "ComparisonLink",
    "PredictionEntry",
    "ReportRun",
    "StudyEntry",
    "WholeBodySummary",
    "read_entry",
    "study_entry",
    "whole_body_summary",
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
    "write_trial_report",
    "write_whole_body_report",
]
