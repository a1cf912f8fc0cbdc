"""What every page says of what made it: one way for the pages of a session, one for those of the study."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from pipeline.config import Configuration, Study
from pipeline.provenance import Provenance, extra_versions, library_versions
from pipeline.reporting import ReportRun
from pipeline.workflow.run_log import facts

TOP = "../../../"
"""The reports' folder from a page of a session."""


def run_of_session(
    names: Collection[str],
    configuration: Configuration,
    provenance: Provenance,
    inputs: Mapping[str, str],
    *,
    subject: str,
    session: str,
    condition: str = "",
    average: str = "",
    remarks: str = "",
    person: Sequence[tuple[str, str]] = (),
) -> ReportRun:
    """Of a page of a trial, a prediction or an average.

    Args:
        names: trials or predictions of the session whose jobs the page describes.
        inputs: SHA-256 by the name of the input file.
        subject, session, condition: of the trial.
        average: name of the page of its condition's averages.
        remarks: what the study's table says of it.
        person: what the tables say of the subject and the session's day, as of `pipeline.workflow.described`.
    """
    return ReportRun(
        title=configuration.study.title,
        inputs=inputs,
        configuration=configuration.model_dump(),
        versions=provenance.versions,
        index="index.html",
        top=TOP,
        subject=subject,
        session=session,
        condition=condition,
        average=f"{subject}/{session}/walks/{average}.html" if average else "",
        remarks=remarks,
        person=tuple(person),
        facts=facts({f"{subject}/{session}/{name}" for name in names}),
    )


def run_of_study(study: Study, names: Collection[str] | None = None) -> ReportRun:
    """Of a page of the study.

    Args:
        study: the study.
        names: trials and predictions, with subject and session, whose jobs the page describes; all by default.
    """
    return ReportRun(
        title=study.configuration.study.title,
        configuration=study.configuration.model_dump(),
        versions=library_versions() | extra_versions(),
        index="index.html",
        facts=facts(names),
    )
