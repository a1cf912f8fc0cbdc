"""A walk from its files to its results in memory, by the stages of the workflow and with the jobs of a study."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipeline.acquisition import read_trial
from pipeline.anatomy import named_or_recognised
from pipeline.config import HOME, MARKER_SETS, Configuration, Study, Subject, Trial, TrialKey, validated
from pipeline.config.study import forces_beside
from pipeline.errors import ConfigError, ResultsError
from pipeline.results import Failure, InMemory, in_memory, trial_of
from pipeline.workflow.framework import Request
from pipeline.workflow.outcomes import outcome, requested

if TYPE_CHECKING:
    import xarray

RULES = ("ingest", "kinematics", "inverse_dynamics", "whole_body", "cycles", "uncertainty")
"""Rules that are run on a walk."""

OF_SEVERAL_WALKS = ("average",)
"""Stages of these rules that need several walks."""

NEEDED = ("ingest", "kinematics", "inverse_dynamics")
"""Stages without which a walk has no results."""

Files = Mapping[str, Path]
Settings = Configuration | Mapping[str, Any] | None


def analyse(
    recording: str | Path,
    static: str | Path | None = None,
    *,
    mass: float | None = None,
    height: float | None = None,
    sex: str | None = None,
    age: float | None = None,
    body: Mapping[str, float] | None = None,
    forces: str | Path | None = None,
    part: str | None = None,
    marker_set: str | Path | None = None,
    settings: Settings = None,
) -> xarray.DataTree:
    """Compute all results of one walk in memory: no study, no Snakemake, no file written.

    >>> import pipeline
    >>> legs_only = {"whole_body": {"enabled": False}}
    >>> walk = pipeline.analyse("data/demo/walk.c3d", "data/demo/static.c3d", mass=70, settings=legs_only)
    >>> knee = walk["summary/mean"].sel(side="left", variable="knee_flexion")  # degrees over percent of the cycle
    >>> bool(knee.max() > 20.0)
    True

    Args:
        recording: C3D or TRC file of the walk.
        static: file of the static trial that calibrates it; the walk itself if omitted.
        mass: body mass, kg; omitted values come from the files, or are estimated and noted, as in subjects.tsv.
        height: stature, m.
        sex: "m" or "f".
        age: years; chooses the norm.
        body: further values by the names of the columns of subjects.tsv, such as ``{"knee_width_left_mm": 104}``.
        forces: storage file with the ground reactions of a TRC file; one next to it if omitted.
        part: the part of the recording that is the walk, s, such as "0-3.5" or "4.2-"; all of it if omitted.
        marker_set: name of a built-in set, or path of a set's file; recognised by the labels if omitted.
        settings: as in config.yaml; missing entries have their defaults.

    Returns:
        The tree that `pipeline.open_trial` gives for the same walk in a study: the nodes are the stages. A failed stage
        has its reason as attributes.

    Raises:
        ConfigError: a value of the subject or a setting is not valid.
        AnatomyError: the labels match no set.
        AcquisitionError: a file cannot be read.
        ResultsError: the walk has no kinematics or no loads, with the reason.
    """
    files = {"walk": _files(recording, forces)} | ({"static": _files(static, None)} if static else {})
    chosen = _marker_set(marker_set) or _recognised(files["static" if static else "walk"], walking=not static)
    names = _names({kind: own["recording"] for kind, own in files.items()})
    columns = {"mass_kg": mass, "height_m": height, "sex": sex, "age_years": age, **(body or {})}
    rows = {kind: {"trial": names[kind], "file": files[kind]["recording"].name} for kind in files}
    study = _study(columns, rows | {"walk": rows["walk"] | {"part": part}}, settings)
    own = {names[kind]: {"marker_set": chosen, **paths} for kind, paths in files.items()}
    import scipy.linalg  # noqa: F401 (only loaded libraries can be limited)
    from threadpoolctl import threadpool_limits

    # One thread for each small dense solve, as in the workflow: more threads cost several times the processor time.
    with threadpool_limits(1):
        return trial_of(_computed(study, names["walk"], own))


def _computed(study: Study, walk: str, files: Mapping[str, Files]) -> dict[str, InMemory]:
    """The outcome of each stage of the walk."""
    (session,) = study.sessions
    known: dict[Path, Any] = {}
    found: dict[str, InMemory] = {}
    for request in requested(study, session, _rules(study)):
        if request.step in OF_SEVERAL_WALKS:
            continue
        replaced = {name: path for name, path in files.get(request.trial, {}).items() if name in _replaceable(request)}
        request = replace(request, inputs={**request.inputs, **replaced})
        made = in_memory(*outcome(request, known), request.step)
        failure = made.value
        if isinstance(failure, Failure) and request.step in NEEDED and not _spared(failure):
            raise ResultsError(f"{failure.step} failed: {failure.reason}", where=f"trial {request.trial}")
        known[request.output] = made.value
        if request.trial == walk:
            found[request.output.parent.name] = made
    return found


def _spared(failure: Failure) -> bool:
    """Whether a walk has results in spite of a failure: a program defect in its loads leaves all results but these."""
    return failure.defect and failure.step == "inverse_dynamics"


def _rules(study: Study) -> list[str]:
    left_out = {
        "whole_body": not study.configuration.whole_body.enabled,
        "uncertainty": not study.configuration.uncertainty.enabled,
    }
    return [rule for rule in RULES if not left_out.get(rule)]


def _replaceable(request: Request) -> tuple[str, ...]:
    """Inputs of a stage that are the caller's files."""
    read = ("recording", "forces") if request.step == "ingest" else ()
    return (*read, "marker_set") if "marker_set" in request.inputs else read


def _study(columns: Mapping[str, Any], trials: Mapping[str, Mapping[str, Any]], settings: Settings) -> Study:
    """A study of one subject in memory: columns of subjects.tsv and, by kind of trial, of trials.tsv; and settings."""
    configuration = (
        settings if isinstance(settings, Configuration) else validated(Configuration, settings or {}, "settings")
    )
    given = {name: value for name, value in columns.items() if value is not None}
    subject = validated(Subject, {"subject": "subject", **given}, "subject")
    rows = [validated(Trial, {"subject": "subject", "kind": kind, **row}, kind) for kind, row in trials.items()]
    keyed = {TrialKey(row.subject, row.session, row.trial): row for row in rows}
    return Study(HOME, HOME, configuration, {"subject": subject}, keyed, {})


def _files(recording: str | Path, forces: str | Path | None) -> dict[str, Path]:
    path = Path(recording)
    beside = Path(forces) if forces else forces_beside(path)
    return {"recording": path} | ({"forces": beside} if beside else {})


def _recognised(files: Files, *, walking: bool) -> Path:
    """The file of the set that a recording matches. Raises AnatomyError if it matches none."""
    return MARKER_SETS / f"{named_or_recognised(read_trial(files['recording']), None, walking=walking).name}.yaml"


def _names(files: Mapping[str, Path]) -> dict[str, str]:
    """Names of trials, from the names of their files."""
    stems = {kind: re.sub(r"[^A-Za-z0-9_-]+", "_", path.stem).strip("_-")[:70] or kind for kind, path in files.items()}
    twice = len(set(stems.values())) < len(stems)
    return {kind: f"{stem}_{kind}" if twice else stem for kind, stem in stems.items()}


def _marker_set(given: str | Path | None) -> Path | None:
    """The file of a set named by the caller. Raises ConfigError if there is none."""
    if given is None:
        return None
    path = Path(given) if str(given).endswith((".yaml", ".yml")) else MARKER_SETS / f"{given}.yaml"
    if not path.is_file():
        known = ", ".join(sorted(file.stem for file in MARKER_SETS.glob("*.yaml")))
        raise ConfigError(f"no marker set '{given}'; known are {known}, or the path of a file", where="marker_set")
    return path
