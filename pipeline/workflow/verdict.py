"""The verdict on a study: how many trials and predictions are complete, and which ones failed and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from pipeline.config import SessionKey, Study, average_name
from pipeline.config.study import grouped
from pipeline.reporting import StudyEntry
from pipeline.results import Failure, read_failure
from pipeline.trial import MEASURED_WALK
from pipeline.workflow.audit import Fault
from pipeline.workflow.entries import NOT_COMPUTED, entries_of, prediction_sentence, prediction_warning, predictions_of
from pipeline.workflow.framework import defect_file
from pipeline.workflow.outcomes import reason_alone
from pipeline.workflow.session_folders import REPORTS


def sentence(entry: StudyEntry) -> str:
    """Where and why a trial failed, in one line."""
    return f"{_name(entry)} failed at {entry.failed_step}: {entry.reason}"


def verdict(study: Study, results: Path, faults: Sequence[Fault] = ()) -> tuple[list[str], bool]:
    """Lines to print, the most important last, and whether everything is complete.

    A walk that cannot be fitted to the whole skeleton, or a prediction with warnings, is named but counts as no
    failure, unless the program is at fault. A prediction with a failed measured walk counts with that walk; one with a
    measured walk without a gait cycle is no failure. Of the faults that an audit found, those of sessions that were not
    computed are reported by their trials instead.
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
    of_groups = [*defects_of_averages(study, results), *defects_of_comparisons(study, results)]
    total = len(study.trials) + len(study.skipped)
    lines = [
        *_listed(
            f"{len(study.skipped)} of {total} trials skipped, because 'kind' is blank in config/trials.tsv:",
            map(str, study.skipped),
        ),
        *_listed(
            f"{len(lacking)} of {len(study.walks)} walks not on the whole skeleton; their other results are complete:",
            (f"{name}: {failure.reason}" for name, failure in lacking.items()),
        ),
        *_listed(
            f"{len(without_walk)} of {len(predicted)} predictions have no measured walk to follow:",
            map(prediction_sentence, without_walk),
        ),
        *_listed(
            f"{len(doubtful)} of {len(predicted)} predicted walks have features that people do not show:",
            map(prediction_warning, doubtful),
        ),
        *_listed(
            f"{len(not_predicted)} of {len(predicted)} predictions failed; the others are complete:",
            map(prediction_sentence, not_predicted),
        ),
        *_listed("Averages and comparisons failed because of a defect of the program:", of_groups),
        *_listed(
            f"missing, damaged or out-of-date results: {len(faults)}; run again to compute them:", map(str, faults)
        ),
        *_listed(
            f"{len(incomplete)} of {len(study.trials)} trials incomplete because of a defect of the program; please "
            "report it with the logs. Results that do not depend on it are complete:",
            _by_defects(incomplete),
        ),
        *_listed(
            f"{len(refused)} of {len(study.walks)} walks refused, because their results are not plausible:",
            (f"{_name(entry)}: {entry.refusals[0]}" for entry in refused),
        ),
        *_listed(f"{len(failed)} of {len(study.trials)} trials failed; the others are complete:", _by_reason(failed)),
    ]
    if failed or refused or incomplete or not_predicted or faults or of_groups:
        return lines, False
    lines.append(_all_complete(len(study.trials), "trial"))
    found = len(predicted) - len(without_walk)
    return lines + ([_all_complete(found, "prediction")] if found else []), True


def _all_complete(count: int, noun: str) -> str:
    return f"the only {noun} is complete" if count == 1 else f"all {count} {noun}s are complete"


def write_verdict(lines: Sequence[str], path: Path) -> None:
    """Write the verdict that everything is complete, unless the file already holds it."""
    text = "\n".join(lines) + "\n"
    if not path.is_file() or path.read_bytes() != text.encode():
        path.write_text(text, encoding="utf-8")


def not_on_skeleton(study: Study, results: Path, entries: Iterable[StudyEntry]) -> dict[str, Failure]:
    """Failures of walks that have their other results but not the whole skeleton, by subject, session and name."""
    if not study.configuration.whole_body.enabled:
        return {}
    found = {}
    for entry in entries:
        if entry.whole_body and entry.whole_body.reason:
            path = SessionKey(entry.subject, entry.session).folder(results) / "whole_body" / f"{entry.trial}.h5"
            if failure := read_failure(path):
                found[_name(entry)] = failure
    return found


def defects_of_averages(study: Study, results: Path) -> list[str]:
    """Averages that failed because of a program defect; averages of failed walks count with these walks."""
    found = []
    for session in study.measured_sessions:
        for condition in study.conditions_of(session):
            failure = _defect_in(session.folder(results) / "average" / f"{average_name(condition)}.h5")
            if failure:
                found.append(f"{session}{f', {condition}' if condition else ''}: {failure.reason}")
    return found


def defects_of_comparisons(study: Study, results: Path) -> list[str]:
    """Comparisons of walks and of predictions, and their pages, that failed because of a program defect."""
    found = []
    pairs = [(*where, row.comparison) for where, rows in study.compared_sessions.items() for row in rows]
    fours = [(*where, row.name) for where, rows in study.crossed_comparisons.items() for row in rows]
    for stage, pages, rows in (
        ("walks_compared", "comparisons", [*pairs, *fours]),
        ("comparisons", "predictions", list(study.predictions)),
    ):
        for subject, session, name in rows:
            failure = _defect_in(SessionKey(subject, session).folder(results) / stage / f"{name}.h5")
            page = defect_file(study.root / REPORTS / subject / session / pages / f"{name}.html")
            reasons = [f"{failure.step}: {failure.reason}"] if failure else []
            reasons += [page.read_text(encoding="utf-8")] if page.is_file() else []
            found += [f"{subject}/{session}/{name} lacks {reason}" for reason in reasons]
    return found


def _defect_in(path: Path) -> Failure | None:
    """The failure that a file records, if there is one and it is a defect of the program."""
    failure = read_failure(path) if path.is_file() else None
    return failure if failure and failure.defect else None


def _by_reason(failed: Iterable[StudyEntry]) -> Iterator[str]:
    """Each reason once, with its first trial; further ones, such as those of one static trial, in a line below."""
    alike = grouped(failed, lambda entry: (entry.failed_step, reason_alone(entry.reason, entry.trial)))
    for first, *others in alike.values():
        yield sentence(first)
        if others:
            yield f"  {len(others)} more failed for the same reason: {', '.join(map(_name, others))}"


def _by_defects(incomplete: Iterable[StudyEntry]) -> Iterator[str]:
    """What each trial lacks, with the first trial; others that lack the same in a line below."""
    for defects, (first, *others) in grouped(incomplete, lambda entry: entry.defects).items():
        yield f"{_name(first)} lacks {'; '.join(defects)}"
        if others:
            lack = "lacks" if len(others) == 1 else "lack"
            yield f"  {len(others)} more {lack} the same: {', '.join(map(_name, others))}"


def _name(entry: StudyEntry) -> str:
    return f"{entry.subject}/{entry.session}/{entry.trial}"


def _listed(heading: str, sentences: Iterable[str]) -> list[str]:
    items = [f"  {text}" for text in sentences]
    return ["", heading, *items] if items else []
