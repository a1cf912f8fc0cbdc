"""Make parts of a study: comparisons of groups of walks, and predictions of measured walks, with their pages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from pipeline.cli.paths import walk_named
from pipeline.cli.running import run_study
from pipeline.cli.tables import Table, require_valid
from pipeline.cli.terminal import say
from pipeline.config import HOME, SessionKey, Study, TrialKey, load_study
from pipeline.config.loading import PREDICTIONS
from pipeline.errors import ConfigError
from pipeline.whole_files import write_text

COLUMNS = ("prediction", "subject", "session", "trial")
"""Columns of predictions.tsv for the prediction of a measured walk."""


def compare(folder: Path, cores: int, options: Sequence[str] = ()) -> int:
    """Make the pages of the study's comparisons and list them; return the exit status of the run.

    Raises:
        ConfigError: there is nothing to compare, or the study's configuration has a mistake.
    """
    study = load_study(folder, HOME)
    if not study.comparisons:
        remedy = "Record a second session or condition, or name groups of walks in comparisons.tsv"
        raise ConfigError("has no subject with two groups of walks to compare", where=str(folder), remedy=remedy)
    return _make(study, "comparisons", study.compared_sessions, cores, options)


def predict(folder: Path, walks: Sequence[str], cores: int) -> int:
    """Predict walks and compare them with the measured ones; return the exit status of the run.

    Walks are named SUBJECT/SESSION/WALK, and added to predictions.tsv if not there; by default they are those there.

    Raises:
        ConfigError: a walk is not in the study or cannot be predicted, or there is nothing to predict.
    """
    study = load_study(folder, HOME)
    named = {f"{key.subject}/{key.session}/{row.trial}" for key, row in study.predictions.items() if row.trial}
    if new := [walk_named(study, name) for name in dict.fromkeys(walks) if name not in named]:
        _add_rows(study, new)
        study = load_study(folder, HOME)
    sessions = {SessionKey(*name.split("/")[:2]) for name in walks} or set(study.predicted_sessions)
    if not sessions:
        raise ConfigError("has no walk to predict", where=str(folder), remedy="Name walks: SUBJECT/SESSION/WALK")
    return _make(study, "predictions", sorted(sessions), cores, ())


def _make(study: Study, kind: str, sessions: Collection[SessionKey], cores: int, options: Sequence[str]) -> int:
    status = run_study(study.root, cores, [f"reports/{session}/{kind}" for session in sessions], options)
    for session in sessions:
        for page in sorted((study.root / f"reports/{session}/{kind}").glob("*.html")):
            say(f"Page: {page.resolve()}")
    return status


def _add_rows(study: Study, walks: Sequence[TrialKey]) -> None:
    """Add predictions of measured walks to predictions.tsv, named after the walks.

    Raises ConfigError, and adds none, if the study would not be valid with one of them.
    """
    rows = [dict(zip(COLUMNS, (walk.trial, *walk), strict=True)) for walk in walks]
    text = Table.read(study.root / PREDICTIONS).with_rows(rows, COLUMNS)
    remedy = "Nothing was added: complete the subjects' table, or name other walks"
    require_valid(study.root, {PREDICTIONS: text}, "these predictions", remedy)
    write_text(study.root / PREDICTIONS, text)
