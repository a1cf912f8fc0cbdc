"""Stage: the page and the report of four groups of walks of one subject: two visits in two conditions each."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration, parsed
from pipeline.provenance import Provenance
from pipeline.reporting import ComparisonContent, write_comparison_pdf, write_crossed_report
from pipeline.stages.report_runs import run_of_session
from pipeline.stages.reported_groups import GroupSource, read_group


def run(
    subject: str,
    session: str,
    trial: str,
    person: tuple[tuple[str, str], ...],
    groups: tuple[GroupSource, ...],
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
    pdf: Path,
) -> None:
    """Write page and report; a group without results is named there with its reason.

    Args:
        subject, session, trial: whose second visit it is, and the report's name.
        person: what the tables say of the subject.
        groups: both conditions of the first visit, then those of the second.
        configuration, provenance, output: as for every page.
        pdf: file of the report.
    """
    walks = sorted({walk for source in groups for walk in source.walks})
    run = run_of_session(walks, configuration, provenance, {}, subject=subject, session=session)
    features = [parsed(name) for name in configuration.report.features]
    content = ComparisonContent(subject, person, [read_group(source) for source in groups], features)
    write_comparison_pdf(pdf, content, run)
    write_crossed_report(output, content, run, pdf=f"{trial}.pdf")
