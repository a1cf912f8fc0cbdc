"""Fit the weights of the preset `human` to measured walks of a study, and store them for its predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import yaml

from pipeline.cli.paths import new_file, walk_named
from pipeline.cli.terminal import say
from pipeline.config import HOME, Prediction, SessionKey, Study, load_study
from pipeline.config.loading import SUBJECTS
from pipeline.errors import ConfigError
from pipeline.prediction import WalkToFit, fit_weights
from pipeline.stages.predict import walk_to_fit
from pipeline.whole_files import write_text
from pipeline.workflow.jobs import sweep


def store_weights(folder: Path, name: str, walks: Sequence[str], judged: Sequence[str] = ()) -> Path:
    """Fit weights to walks whose results are computed; return the file written, config/weights/NAME.yaml.

    Walks are named SUBJECT/SESSION/WALK; on the ``judged`` ones the weights are judged without being fitted to them.

    Raises:
        ConfigError: a walk is not in the study, its subject has no sex, it is both fitted and judged on, the name is
            not a valid file name, or the file exists.
        PipelineError: a walk failed or is not computed.
    """
    study = load_study(folder.resolve(), HOME)
    path = new_file(study.root / "config/weights", name, ".yaml")
    if both := [walk for walk in walks if walk in judged]:
        raise ConfigError(f"{both[0]} is fitted to, so it cannot judge the weights", where=str(study.root))
    fitted, others = ([_walk(study, walk) for walk in dict.fromkeys(names)] for names in (walks, judged))
    found = fit_weights(fitted, others, report=say)
    weights = {key: float(f"{value:.4g}") for key, value in asdict(found.weights).items()}
    content = {"source": found.summary, "weights": weights}
    write_text(path, yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110))
    say(found.summary)
    return path


def _walk(study: Study, name: str) -> WalkToFit:
    key = walk_named(study, name)
    if study.subjects[key.subject].sex is None:
        problem = f"subject '{key.subject}' has no sex in {SUBJECTS}; the skeleton's tables require it"
        raise ConfigError(problem, where=str(study.root))
    row = Prediction(prediction=key.trial, subject=key.subject, session=key.session, trial=key.trial)
    own = sweep(study, SessionKey(*key[:2]), [row])
    inputs = {kind: study.root / path for kind, path in own.inputs.items()}
    return walk_to_fit(type(own)(own.subject, own.anatomy, own.predictions, inputs), name)
