"""Check a study's tables, marker sets and what-if cases before any job starts."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.config import HOME, Study, load_study
from pipeline.errors import ConfigError, PipelineError
from pipeline.inverse_kinematics import check_attachments
from pipeline.skeleton import load_skeleton


def ready_study(folder: Path) -> Study:
    """Read and check a study, its marker sets, the skeleton to which their markers are attached, and its what-if cases.

    Raises:
        ConfigError: lists everything that is wrong in its files.
    """
    study = load_study(folder, HOME)
    problems = []
    for path in sorted({study.marker_set_of(trial) for trial in study.trials.values()}):
        try:
            attachments = load_marker_set(path).skeleton
            if attachments and study.configuration.whole_body.enabled:
                check_attachments(attachments, load_skeleton(study.skeleton), f"marker set {path.name}")
        except PipelineError as error:
            problems.append(str(error))
    if study.cases:
        from pipeline.prediction import check_names

        skeleton = load_skeleton(study.skeleton)
        for name, case in study.cases.items():
            try:
                check_names(case, skeleton)
            except PipelineError as error:
                where = f"config/what_if/{name}.yaml"
                problems.append(str(PipelineError(error.problem, where=where, remedy=error.remedy)))
    if problems:
        raise ConfigError("\n  ".join(problems))
    return study
