"""Stage: the page of a walk on the whole skeleton."""

from __future__ import annotations

from pathlib import Path

from pipeline.reporting import add_defect, write_failed_whole_body_report, write_whole_body_report
from pipeline.results import Failure, cycles_or_missing, loads_or_missing
from pipeline.trial import GaitCycles, InverseDynamics, Kinematics, WholeBody
from pipeline.workflow.report_runs import PageOf, run_of_session

MAY_HAVE_DEFECT = ("inverse_dynamics", "cycles")
"""Stages without which the page still has everything else."""


def run(
    whole_body: WholeBody,
    kinematics: Kinematics,
    inverse_dynamics: InverseDynamics | Failure,
    cycles: GaitCycles | Failure,
    page: PageOf,
    output: Path,
) -> None:
    """Write the page of a walk with results on the skeleton."""
    run_info = run_of_session([page.trial], page, kinematics.recordings)
    own = loads_or_missing(inverse_dynamics, kinematics), cycles_or_missing(cycles, kinematics)
    write_whole_body_report(output, whole_body, kinematics, *own, run_info)


def on_failure(failure: Failure, page: PageOf, output: Path, results: Path) -> None:
    """Write the page of a walk without results on the skeleton, or whose page could not be written.

    In the second case, after a defect of the program, the walk is marked incomplete in the session's ``results``.
    """
    reason = failure.reason if failure.trial == page.trial else f"{failure.trial}: {failure.reason}"
    run_info = run_of_session([page.trial], page)
    write_failed_whole_body_report(output, page.trial, failure.step, reason, run_info)
    if failure.defect and failure.step == "whole_body_report":
        add_defect(results / "report" / f"{page.trial}.json", f"{failure.step}: {failure.reason}")
