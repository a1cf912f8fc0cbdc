"""Step: a walk's page, and its line for the study's page."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration
from pipeline.provenance import Provenance
from pipeline.reporting import (
    ReportRun,
    StudyEntry,
    study_entry,
    write_entry,
    write_failed_trial_report,
    write_trial_report,
)
from pipeline.results import Failure
from pipeline.steps.run_log import facts
from pipeline.trial import GaitCycles, GaitSummary, InverseDynamics, Kinematics

INDEX = "index.html"


def run(
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics,
    cycles: GaitCycles,
    summary: GaitSummary,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
    entry: Path,
    page: str,
    remarks: str,
) -> None:
    """Write the page of a walk that was computed."""
    write_trial_report(
        output,
        kinematics,
        inverse_dynamics,
        cycles,
        summary,
        _report_run(configuration, provenance, kinematics.recordings, remarks, {kinematics.name}),
    )
    write_entry(entry, study_entry(kinematics, inverse_dynamics, cycles, summary, page))


def on_failure(
    failure: Failure,
    subject: str,
    trial: str,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
    entry: Path,
    page: str,
    remarks: str,
) -> None:
    """Write the page of a walk that failed, or whose static trial did."""
    reason = failure.reason if failure.trial == trial else f"{failure.trial}: {failure.reason}"
    run = _report_run(configuration, provenance, {}, remarks, {trial})
    write_failed_trial_report(output, trial, failure.step, reason, run)
    write_entry(entry, StudyEntry(subject, trial, page, failure.step, reason))


def _report_run(
    configuration: Configuration, provenance: Provenance, inputs: dict[str, str], remarks: str, trials: set[str]
) -> ReportRun:
    return ReportRun(
        title=configuration.study.title,
        inputs=inputs,
        configuration=configuration.model_dump(),
        versions=provenance.versions,
        index=INDEX,
        remarks=remarks,
        facts=facts(trials),
    )
