from .dictionary import dictionary_table
from .features import features
from .files import join_tables, open_study, write_session_tables, write_tables
from .groups import group_tables
from .of_walk import tables
from .predicted import comparison_tables, sample_tables
from .walks import WalkResults, WholeBodyWalk, subject_tables, walk_tables

__all__ = [
    "WalkResults",
    "WholeBodyWalk",
    "comparison_tables",
    "dictionary_table",
    "features",
    "group_tables",
    "join_tables",
    "open_study",
    "sample_tables",
    "subject_tables",
    "tables",
    "walk_tables",
    "write_session_tables",
    "write_tables",
]
