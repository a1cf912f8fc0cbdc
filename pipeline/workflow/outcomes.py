"""Outcomes of stages in memory, with the requests of the workflow's jobs and no file written."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from pipeline.config import SessionKey, Study, TrialKey
from pipeline.plausibility import orientation
from pipeline.provenance import Provenance
from pipeline.results import Failure
from pipeline.trial import Kinematics
from pipeline.workflow.framework import Request, arguments_of, guarded, input_digest, provenance_of, stopping
from pipeline.workflow.jobs import JOBS
from pipeline.workflow.session import requests_of

CHECKED = ("ingest", "kinematics", "inverse_dynamics")
"""Rules, each with one stage, whose failures are those of a trial: faults of a recording show in them."""


def requested(study: Study, session: SessionKey, rules: Iterable[str]) -> Iterator[Request]:
    """Requests that rules run on a session; a stage comes after those whose files it reads."""
    for rule in rules:
        for stage in JOBS[rule](study, session):
            yield from requests_of(stage, code="")


def outcome(request: Request, known: Mapping[Path, Any]) -> tuple[Any, Provenance]:
    """The outcome of a stage, i.e. its value, its failure, or that of an earlier stage; and its provenance.

    Values of earlier stages are taken from ``known``, by the paths that they would have in a study; other inputs are
    read. Nothing is written.
    """
    module = importlib.import_module(f"pipeline.stages.{request.step}")
    given = {name: known[path] for name, path in request.inputs.items() if path in known}
    digests = {name: input_digest(path) for name, path in request.inputs.items() if path not in known}
    provenance = provenance_of(request, digests)
    failed = {name: value for name, value in given.items() if isinstance(value, Failure)}
    if failure := stopping(module, failed):
        return failure, provenance
    value = guarded(
        request.trial, request.step, lambda: module.run(**arguments_of(module.run, request, provenance, given))
    )
    return value, provenance


def reason_alone(reason: str, trial: str) -> str:
    """The reason of a failure without the trial's name in front, so that trials with the same failure share it."""
    return reason.removeprefix(f"walk {trial}: ").removeprefix(f"trial {trial}: ")


def failures(study: Study, shown: Callable[[TrialKey], None]) -> Iterator[tuple[TrialKey, Failure]]:
    """Trials of a study that a run would record as failed, with the stage and the reason, session by session.

    They include walks that would be refused for the way in which the body moves (step ``plausibility``), and walks that
    would fail only in the whole skeleton because their body mass is unknown. The skeleton itself is not tried, since it
    takes most of a run's time. Nothing is written; ``shown`` is called with each trial before it is read.

    Raises:
        OSError, MemoryError: the machine failed.
    """
    on_skeleton = importlib.import_module("pipeline.stages.whole_body")
    for session in study.sessions:
        known: dict[Path, Any] = {}
        failed: set[str] = set()
        for request in requested(study, session, CHECKED):
            key = TrialKey(session.subject, session.session, request.trial)
            if request.step == CHECKED[0]:
                shown(key)
            value, _ = outcome(request, known)
            known[request.output] = value
            if isinstance(value, Kinematics):
                value = _refusal(value) or (
                    guarded(request.trial, "whole_body", partial(on_skeleton.require_mass, value))
                    if study.configuration.whole_body.enabled
                    else None
                )
            if isinstance(value, Failure) and request.trial not in failed:
                failed.add(request.trial)
                yield key, value


def _refusal(walk: Kinematics) -> Failure | None:
    """Why a walk's results may not be used, as far as its kinematics alone show it."""
    refused = [finding for finding in orientation(walk) if finding.grade == "refusal"]
    reason = "; ".join(f"{finding.subject} {finding.sentence}" for finding in refused)
    return Failure(walk.name, "plausibility", reason) if refused else None
