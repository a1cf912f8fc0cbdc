"""Stage: the page of a walk on the whole skeleton."""

from __future__ import annotations

from pathlib import Path

from pipeline.reporting import write_failed_whole_body_report, write_whole_body_report
from pipeline.results import Failure
from pipeline.trial import GaitCycles, InverseDynamics, Kinematics, WholeBody
from pipeline.workflow.report_runs import PageOf, run_of_session


def run(
    whole_body: WholeBody,
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics,
    cycles: GaitCycles,
    page: PageOf,
    output: Path,
) -> None:
    """Write the page of a walk that is on the skeleton."""
    run = run_of_session([page.trial], page, kinematics.recordings)
    write_whole_body_report(output, whole_body, kinematics, inverse_dynamics, cycles, run)


def on_failure(
    failure: Failure,
    page: PageOf,
    output: Path,
) -> None:
    """Write the page of a walk that is not."""
    reason = failure.reason if failure.trial == page.trial else f"{failure.trial}: {failure.reason}"
    run = run_of_session([page.trial], page)
    write_failed_whole_body_report(output, page.trial, failure.step, reason, run)
