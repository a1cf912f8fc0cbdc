"""What every page says of what made it: one way for the pages of one trial or prediction, one for those of a study."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from pipeline.config import Configuration, Study
from pipeline.provenance import Provenance, extra_versions, library_versions
from pipeline.reporting import ReportRun
from pipeline.stages.run_log import facts

INDEX = "index.html"
"""The study's page, beside all others."""


def run_of_one(
    name: str, configuration: Configuration, provenance: Provenance, inputs: Mapping[str, str], remarks: str = ""
) -> ReportRun:
    """Of a trial's or a prediction's page.

    Args:
        name: of the trial or prediction.
        inputs: SHA-256 by the name of the input file.
        remarks: what the study's table says of it.
    """
    return ReportRun(
        title=configuration.study.title,
        inputs=inputs,
        configuration=configuration.model_dump(),
        versions=provenance.versions,
        index=INDEX,
        remarks=remarks,
        facts=facts({name}),
    )


def run_of_many(study: Study, names: Collection[str] | None = None) -> ReportRun:
    """Of a page of several trials.

    Args:
        study: the study.
        names: trials, predictions and subjects whose jobs the page tells of; all by default.
    """
    return ReportRun(
        title=study.configuration.study.title,
        configuration=study.configuration.model_dump(),
        versions=library_versions() | extra_versions(),
        index=INDEX,
        facts=facts(names),
    )
