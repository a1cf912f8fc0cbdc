"""Last step of a subject: the summary of all walks, and the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.analysis import installed, pooled, sides_compared, summarise
from pipeline.config import Study
from pipeline.provenance import Provenance, extra_versions, file_digest, library_versions
from pipeline.reporting import ReportRun, read_entry, write_subject_report
from pipeline.results import Failure, load_norm, read_stage, read_status, write_failure, write_stage
from pipeline.trial import GaitCycles, GaitSummary


def computed_walks(names: list[str], results: Path) -> list[tuple[GaitCycles, GaitSummary]]:
    """Cycles and summaries of those walks that did not fail, in the order of their names."""
    return [
        (
            read_stage(results / name / "cycles.h5", GaitCycles),
            read_stage(results / name / "summary.h5", GaitSummary),
        )
        for name in names
        if read_status(results / name / "summary.h5")[1] is None
    ]


def write_subject(
    study: Study, results: Path, subject: str, page: Path, output: Path, run: ReportRun, code: str
) -> None:
    """Write a subject's page, and the summary that it shows as a results file.

    Args:
        study, results: the study and the folder of its results.
        subject: identifier.
        page, output: HTML and HDF5 file to write.
        run: what made the page.
        code: digest of the code.
    """
    names = [name for name in study.names("walk") if study.trials[name].subject == subject]
    walks = computed_walks(names, results)
    inputs = {name: file_digest(results / name / "summary.h5") for name in names}
    provenance = Provenance("subject", inputs, "{}", code, library_versions() | extra_versions())
    summary = None
    if walks:
        leg_length = float(np.mean([own.leg_length for _, own in walks]))
        norm = load_norm(study.norm) if study.norm else None
        summary = summarise(pooled(subject, [cycles for cycles, _ in walks]), leg_length, norm)
        if installed():
            summary = replace(summary, sides_compared=sides_compared([cycles for cycles, _ in walks]))
        write_stage(output, summary, provenance)
    else:
        write_failure(output, Failure(subject, "subject", "no walk of the subject has results"), provenance)
    entries = [read_entry(results / name / "entry.json") for name in names]
    write_subject_report(page, subject, entries, walks, summary, run)
