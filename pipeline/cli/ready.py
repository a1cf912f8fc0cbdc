"""Check a study's tables and marker sets before any job starts."""

from __future__ import annotations

from pathlib import Path

from pipeline.anatomy import load_marker_set
from pipeline.config import HOME, Study, load_study
from pipeline.errors import ConfigError, PipelineError
from pipeline.inverse_kinematics import check_attachments
from pipeline.skeleton import load_skeleton


def ready_study(folder: Path) -> Study:
    """Read and check a study, its marker sets, and the skeleton to which their markers are attached.

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
    if problems:
        raise ConfigError("\n  ".join(problems))
    return study
