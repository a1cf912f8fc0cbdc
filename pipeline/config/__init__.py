"""A study's configuration: strictly typed sections and tables, checked against each other before any job starts."""

from pipeline.config.comparisons import visits_in_time
from pipeline.config.extending import extended_files, merged
from pipeline.config.fields import Section
from pipeline.config.files import load_yaml, read_json, yaml_content
from pipeline.config.loading import load_study
from pipeline.config.parameter_norm import ParameterNorm, read_parameter_norm
from pipeline.config.problems import nearest, validated
from pipeline.config.report_features import PHASES, STATISTICS, parsed
from pipeline.config.rows import RESULTS, Comparison, GroupKey, Prediction, SessionKey, Subject, Trial, TrialKey
from pipeline.config.settings import (
    AnatomySettings,
    Configuration,
    EmgSettings,
    EventSettings,
    FilterSettings,
    LoadSettings,
    MuscleSettings,
    UncertaintySettings,
    WholeBodySettings,
    as_json,
    settings_json,
)
from pipeline.config.shipped import HOME, MARKER_SETS, check_home
from pipeline.config.steps import GivenEvent, GivenSteps, PlateContact
from pipeline.config.study import Study, average_name, is_confirmed
from pipeline.config.tasks import ArmTask, LiftTaskFile, Task, TaskBody, WalkTaskFile, load_task
from pipeline.config.what_if import FREE_SPEED_OF_A_RUN, PassiveSpring, Range, StoredWeights, WhatIf
