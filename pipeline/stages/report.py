"""Stage: a walk's page, and its line for the study's page."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from pipeline.reporting import (
    FurtherResults,
    StudyEntry,
    study_entry,
    whole_body_summary,
    without_results,
    write_entry,
    write_failed_trial_report,
    write_trial_report,
)
from pipeline.results import (
    Failure,
    averages_or_missing,
    cycles_or_missing,
    findings_or_unchecked,
    load_norm,
    loads_or_missing,
)
from pipeline.trial import (
    CurveUncertainty,
    CutoffPeaks,
    Findings,
    GaitCycles,
    GaitSummary,
    GroundFromMotion,
    InverseDynamics,
    Kinematics,
    MuscleActivity,
    MuscleLoads,
    WholeBody,
)
from pipeline.workflow.framework import Gathered
from pipeline.workflow.report_runs import PageOf, run_of_session

MAY_FAIL = ("findings", "cutoff_peaks", "whole_body", "ground_from_motion", "uncertainty", "emg", "muscles")
"""Stages whose failure removes only their part of the page, not the page."""

MAY_HAVE_DEFECT = ("inverse_dynamics", "cycles", "summary")
"""Stages without which the page still has everything else."""


@dataclass(frozen=True)
class Walk(Gathered):
    """Stages that every page of a walk needs; without findings, the page says that nothing was checked."""

    kinematics: Kinematics
    inverse_dynamics: InverseDynamics | Failure
    cycles: GaitCycles | Failure
    summary: GaitSummary | Failure
    findings: Findings | Failure


@dataclass(frozen=True)
class Further(Gathered):
    """Stages that may fail or that the study may leave out (None)."""

    emg: MuscleActivity | Failure
    cutoff_peaks: CutoffPeaks | Failure
    whole_body: WholeBody | Failure | None = None
    uncertainty: CurveUncertainty | Failure | None = None
    muscles: MuscleLoads | Failure | None = None
    ground_from_motion: GroundFromMotion | Failure | None = None


def run(
    walk: Walk,
    further: Further,
    predicted: tuple[str, ...],
    page: PageOf,
    output: Path,
    entry: Path,
    norm: Path | None = None,
) -> None:
    """Write the page of a walk that was computed, and its line (``entry``) for the study's page; the norm is of EMG."""
    subject, session, trial = page.subject, page.session, page.trial
    run_info = run_of_session([trial], page, walk.kinematics.recordings)
    uncertainty, muscles, estimated = further.uncertainty, further.muscles, further.ground_from_motion
    line = whole_body_summary(f"whole_body.{trial}.html", further.whole_body) if further.whole_body else None
    activity = further.emg if isinstance(further.emg, MuscleActivity) else None
    motion = walk.kinematics
    results = (
        motion,
        loads_or_missing(walk.inverse_dynamics, motion),
        cycles_or_missing(walk.cycles, motion),
        averages_or_missing(walk.summary, motion),
        findings_or_unchecked(walk.findings, motion),
    )
    body = further.whole_body if isinstance(further.whole_body, WholeBody) else None
    shown = FurtherResults(
        whole_body=line,
        predicted=predicted,
        cutoff_peaks=further.cutoff_peaks if isinstance(further.cutoff_peaks, CutoffPeaks) else None,
        uncertainty=uncertainty.reason if isinstance(uncertainty, Failure) else uncertainty,
        body=body,
        emg=activity,
        norm=load_norm(norm) if norm else None,
        muscles=_own_reason(muscles) if isinstance(muscles, Failure) else muscles,
        estimated=_own_reason(estimated) if isinstance(estimated, Failure) else estimated,
    )
    write_trial_report(output, *results, run_info, shown)
    folder = f"{subject}/{session}/walks"
    from_study = replace(line, page=f"{folder}/{line.page}") if line else None
    loads = estimated if isinstance(estimated, GroundFromMotion) else None
    found = study_entry(*results, f"{folder}/{trial}.html", from_study, activity, body, loads)
    lacking = _defects(walk, further)
    write_entry(
        entry, replace(found, session=session, condition=page.condition, average=run_info.average, defects=lacking)
    )


def _defects(walk: Walk, further: Further) -> tuple[str, ...]:
    """Stages that failed because of a defect of the program, once each, since later stages pass the reason on."""
    outcomes = (*vars(walk).values(), *vars(further).values())
    failed = [outcome for outcome in outcomes if isinstance(outcome, Failure) and outcome.defect]
    return tuple(dict.fromkeys(f"{failure.step}: {failure.reason}" for failure in failed))


def _own_reason(failure: Failure) -> str | None:
    """Why a stage on the skeleton has no result; None if the skeleton itself has none, which has its own line."""
    return failure.reason if failure.step in ("muscles", "ground_from_motion") else None


def on_failure(failure: Failure, page: PageOf, output: Path, entry: Path) -> None:
    """Write the page of a walk without results, or whose page could not be written."""
    subject, session, trial = page.subject, page.session, page.trial
    reason = failure.reason if failure.trial == trial else f"{failure.trial}: {failure.reason}"
    run_info = run_of_session([trial], page)
    write_failed_trial_report(output, trial, failure.step, reason, run_info)
    failed = without_results(StudyEntry(subject, trial, f"{subject}/{session}/walks/{trial}.html"), failure)
    write_entry(entry, replace(failed, session=session, condition=page.condition, average=run_info.average))
