"""Information on its run for every page: one function for the pages of a session, one for those of the study."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from pipeline.config import Configuration, Study, average_name
from pipeline.provenance import Provenance, extra_versions, library_versions
from pipeline.reporting import ReportRun
from pipeline.workflow.framework import Gathered
from pipeline.workflow.run_log import facts
from pipeline.workflow.session_folders import all_sessions, result_folders

TOP = "../../../"
"""The reports' folder, relative to a page of a session."""


@dataclass(frozen=True)
class PageOf(Gathered):
    """Subject of a page of a session.

    Attributes:
        trial: its name, or that of a comparison or of averages.
        averages: name of the page of its condition's averages.
        person: data on the subject and the session's day, from `pipeline.workflow.jobs`.
        unconfirmed: marker sets of the session with labels that nobody has checked.
    """

    subject: str
    session: str
    trial: str
    configuration: Configuration
    provenance: Provenance
    condition: str = ""
    averages: str = ""
    remarks: str = ""
    person: tuple[tuple[str, str], ...] = ()
    unconfirmed: tuple[str, ...] = ()


def run_of_session(
    names: Collection[str], page: PageOf, inputs: Mapping[str, str] | None = None, remarks: str = ""
) -> ReportRun:
    """Run information for a page of a trial, a prediction or an average, with the SHA-256 of its inputs by name.

    It describes the jobs of the ``names``, trials or predictions of the session. Remarks replace the page's own.
    """
    subject, session = page.subject, page.session
    return ReportRun(
        title=page.configuration.study.title,
        inputs=inputs or {},
        configuration=page.configuration.model_dump(),
        versions=page.provenance.versions,
        index="index.html",
        top=TOP,
        subject=subject,
        session=session,
        condition=page.condition,
        average=f"{subject}/{session}/walks/{page.averages}.html" if page.averages else "",
        remarks=remarks or page.remarks,
        person=page.person,
        unconfirmed=page.unconfirmed,
        facts=facts({f"{subject}/{session}/{name}" for name in names}, page.configuration.asks_for),
    )


def run_of_study(study: Study, names: Collection[str] | None = None) -> ReportRun:
    """Run information for a page of the study.

    It describes the jobs of these trials and predictions (SUBJECT/SESSION/NAME); by default of all that the study has,
    since the log also has jobs of those that were removed from it.
    """
    fitted = result_folders(study)["whole_body"] if any(row.trial for row in study.predictions.values()) else ()
    return ReportRun(
        title=study.configuration.study.title,
        configuration=study.configuration.model_dump(),
        versions=library_versions() | extra_versions(),
        index="index.html",
        unconfirmed=tuple(sorted({name for names in study.unconfirmed.values() for name in names})),
        facts=facts(
            set(_names_of(study)) if names is None else names,
            lambda step: study.configuration.asks_for(step) or step in fitted,
        ),
    )


def _names_of(study: Study) -> Iterator[str]:
    """Names that the study's jobs have in the run log."""
    yield ""
    yield from map(str, (*study.trials, *study.predictions))
    for session in all_sessions(study):
        yield str(session)
        yield from (f"{session}/{average_name(condition)}" for condition in study.conditions_of(session))
        yield from (f"{session}/{row.comparison}" for row in study.compared_sessions.get(session, ()))
        yield from (f"{session}/{row.name}" for row in study.crossed_comparisons.get(session, ()))
