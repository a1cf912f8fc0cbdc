"""Stage: the page of a walk on the whole skeleton."""

from __future__ import annotations

from pathlib import Path

from pipeline.config import Configuration
from pipeline.provenance import Provenance
from pipeline.reporting import write_failed_whole_body_report, write_whole_body_report
from pipeline.results import Failure
from pipeline.trial import GaitCycles, InverseDynamics, Kinematics, WholeBody
from pipeline.workflow.report_runs import run_of_session


def run(
    whole_body: WholeBody,
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics,
    cycles: GaitCycles,
    subject: str,
    session: str,
    trial: str,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page of a walk that is on the skeleton."""
    run = run_of_session([trial], configuration, provenance, kinematics.recordings, subject=subject, session=session)
    write_whole_body_report(output, whole_body, kinematics, inverse_dynamics, cycles, run)


def on_failure(
    failure: Failure,
    subject: str,
    session: str,
    trial: str,
    configuration: Configuration,
    provenance: Provenance,
    output: Path,
) -> None:
    """Write the page of a walk that is not."""
    reason = failure.reason if failure.trial == trial else f"{failure.trial}: {failure.reason}"
    run = run_of_session([trial], configuration, provenance, {}, subject=subject, session=session)
    write_failed_whole_body_report(output, trial, failure.step, reason, run)
