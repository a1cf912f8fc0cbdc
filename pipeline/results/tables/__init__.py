"""The study's tidy tables: pandas frames of one value a row, written to and read from Parquet and CSV files."""

from pipeline.results.tables.dictionary import dictionary_table
from pipeline.results.tables.files import open_study, write_tables
from pipeline.results.tables.groups import group_tables
from pipeline.results.tables.predicted import comparison_tables, sample_tables
from pipeline.results.tables.walks import WalkResults, WholeBodyWalk, subject_tables, walk_tables

__all__ = [
    "WalkResults",
    "WholeBodyWalk",
    "comparison_tables",
    "dictionary_table",
    "group_tables",
    "open_study",
    "sample_tables",
    "subject_tables",
    "walk_tables",
    "write_tables",
]
