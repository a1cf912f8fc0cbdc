"""The verdict on a study: how many trials and predictions are complete, and which failed and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pipeline.config import SessionKey, Study, average_name
from pipeline.reporting import StudyEntry
from pipeline.results import Failure, read_failure
from pipeline.trial import MEASURED_WALK
from pipeline.workflow.audit import Fault
from pipeline.workflow.entries import NOT_COMPUTED, entries_of
from pipeline.workflow.outcomes import reason_alone
from pipeline.workflow.predictions import predictions_of
from pipeline.workflow.predictions import sentence as prediction_sentence
from pipeline.workflow.predictions import warning as prediction_warning


def sentence(entry: StudyEntry) -> str:
    """Where and why a trial failed, in one line."""
    return f"{entry.subject}/{entry.session}/{entry.trial} failed at {entry.failed_step}: {entry.reason}"


def verdict(study: Study, results: Path, faults: Sequence[Fault] = ()) -> tuple[list[str], bool]:
    """Lines to print, the most important last, and whether all is complete.

    Args:
        study: the study.
        results: folder of the sessions' results.
        faults: what an audit found; of a session that was not computed the trials say it.

    A walk that cannot be put on the whole skeleton, or a prediction with warnings, is named but is no failure, unless
    the program is at fault. A prediction whose measured walk failed counts with that walk; one whose walk has no gait
    cycle is no failure.
    """
    entries, predicted = entries_of(study, results), predictions_of(study, results)
    lacking = not_on_skeleton(study, results, entries)
    without_walk = [entry for entry in predicted if entry.failed_step == MEASURED_WALK]
    not_predicted = [entry for entry in predicted if entry.reason and entry not in without_walk]
    doubtful = [entry for entry in predicted if entry.warnings]
    failed = [entry for entry in entries if entry.status == "failed"]
    refused = [entry for entry in entries if entry.status == "refused"]
    incomplete = [entry for entry in entries if entry.status == "incomplete"]
    stopped = {(entry.subject, entry.session) for entry in entries if entry.failed_step == NOT_COMPUTED}
    faults = [fault for fault in faults if fault.session not in stopped]
    averages = defects_of_averages(study, results)
    lines = [
        *_listed(
            f"{len(study.skipped)} trials skipped, as their kind is blank in config/trials.tsv:",
            map(str, study.skipped),
        ),
        *_listed(
            f"{len(lacking)} of {len(study.walks)} walks not on the whole skeleton; all else of them is complete:",
            (f"{name}: {failure.reason}" for name, failure in lacking.items()),
        ),
        *_listed(
            f"{len(without_walk)} of {len(predicted)} predictions have no measured walk to follow:",
            map(prediction_sentence, without_walk),
        ),
        *_listed(
            f"{len(doubtful)} of {len(predicted)} predicted walks show what people do not:",
            map(prediction_warning, doubtful),
        ),
        *_listed(
            f"{len(not_predicted)} of {len(predicted)} predictions failed; the others are complete:",
            map(prediction_sentence, not_predicted),
        ),
        *_listed("Averages failed:", averages),
        *_listed(f"{len(faults)} results are not whole; run again to compute them:", map(str, faults)),
        *_listed(
            f"{len(incomplete)} of {len(study.walks)} walks incomplete, for a defect of the program; all else of them "
            "is complete:",
            (f"{entry.subject}/{entry.session}/{entry.trial} lacks {'; '.join(entry.defects)}" for entry in incomplete),
        ),
        *_listed(
            f"{len(refused)} of {len(study.walks)} walks refused, as their results are not plausible:",
            (f"{entry.subject}/{entry.session}/{entry.trial}: {entry.refusals[0]}" for entry in refused),
        ),
        *_listed(f"{len(failed)} of {len(study.trials)} trials failed; the others are complete:", _by_reason(failed)),
    ]
    if failed or refused or incomplete or not_predicted or faults or averages:
        return lines, False
    lines += [f"all {len(study.trials)} trials are complete"]
    found = len(predicted) - len(without_walk)
    return lines + ([f"all {found} predictions are complete"] if found else []), True


def write_verdict(lines: Sequence[str], path: Path) -> None:
    """Write the verdict that all is complete, where the file does not hold it."""
    text = "\n".join(lines) + "\n"
    if not path.is_file() or path.read_bytes() != text.encode():
        path.write_text(text, encoding="utf-8")


def not_on_skeleton(study: Study, results: Path, entries: Iterable[StudyEntry]) -> dict[str, Failure]:
    """Why walks that have their other results are not on the whole skeleton, by subject, session and name."""
    if not study.configuration.whole_body.enabled:
        return {}
    found = {}
    for entry in entries:
        if entry.whole_body and entry.whole_body.reason:
            path = SessionKey(entry.subject, entry.session).folder(results) / "whole_body" / f"{entry.trial}.h5"
            failure = read_failure(path)
            if failure:
                found[f"{entry.subject}/{entry.session}/{entry.trial}"] = failure
    return found


def defects_of_averages(study: Study, results: Path) -> list[str]:
    """Averages that failed for a defect of the program; those of walks that all failed count with these."""
    found = []
    for session in study.measured_sessions:
        for condition in study.conditions_of(session):
            path = session.folder(results) / "average" / f"{average_name(condition)}.h5"
            failure = read_failure(path) if path.is_file() else None
            if failure and failure.defect:
                found.append(f"{session}{f', {condition}' if condition else ''}: {failure.reason}")
    return found


def _by_reason(failed: Iterable[StudyEntry]) -> Iterator[str]:
    """Each reason once, with the first trial; the others of it, such as those of one static trial, in a line below."""
    alike: dict[tuple[str, str], list[StudyEntry]] = {}
    for entry in failed:
        alike.setdefault((entry.failed_step, reason_alone(entry.reason, entry.trial)), []).append(entry)
    for first, *others in alike.values():
        yield sentence(first)
        if others:
            names = ", ".join(f"{entry.subject}/{entry.session}/{entry.trial}" for entry in others)
            yield f"  so did {len(others)} more for the same reason: {names}"


def _listed(heading: str, sentences: Iterable[str]) -> list[str]:
    items = [f"  {text}" for text in sentences]
    return ["", heading, *items] if items else []
