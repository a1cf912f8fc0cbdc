"""Step: a walk's page, and its line for the study's page."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration
from pipeline.provenance import Provenance
from pipeline.reporting import (
    StudyEntry,
    study_entry,
    whole_body_summary,
    write_entry,
    write_failed_trial_report,
    write_trial_report,
)
from pipeline.results import Failure
from pipeline.stages.report_runs import run_of_one
from pipeline.trial import GaitCycles, GaitSummary, InverseDynamics, Kinematics, WholeBody

MAY_FAIL = ("whole_body",)
"""The stage whose failure costs a line of the page, not the page."""


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
    predicted: tuple[str, ...],
    whole_body: WholeBody | Failure | None = None,
) -> None:
    """Write the page of a walk that was computed; ``whole_body`` is None where the study does not want it."""
    line = whole_body_summary(f"whole_body.{page}", whole_body) if whole_body else None
    write_trial_report(
        output,
        kinematics,
        inverse_dynamics,
        cycles,
        summary,
        run_of_one(kinematics.name, configuration, provenance, kinematics.recordings, remarks),
        line,
        predicted,
    )
    write_entry(entry, study_entry(kinematics, inverse_dynamics, cycles, summary, page, line))


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
    run = run_of_one(trial, configuration, provenance, {}, remarks)
    write_failed_trial_report(output, trial, failure.step, reason, run)
    write_entry(entry, StudyEntry(subject, trial, page, failure.step, reason))
