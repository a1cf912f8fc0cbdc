"""Stage: the page of all walks of a session and condition, with their averages."""

from __future__ import annotations

from pathlib import Path

from pipeline.analysis import pooled_activity
from pipeline.reporting import add_defect, read_entry, write_failed_averages_report, write_subject_report
from pipeline.results import Failure, load_norm, plausible, read_computed, read_stage
from pipeline.trial import GaitCycles, GaitSummary, MuscleActivity, MuscleLoads
from pipeline.workflow.report_runs import PageOf, run_of_session

MAY_FAIL = ("average",)
"""The stage that fails if no walk has results: the page then shows only the walks."""


def run(
    average: GaitSummary | Failure,
    walks: tuple[str, ...],
    results: Path,
    comments: tuple[str, ...],
    page: PageOf,
    output: Path,
    pdf: Path,
    norm: Path | None = None,
) -> None:
    """Write the page, and the two-page report, of walks with failed and refused ones among them.

    ``results`` is the folder of the session's results, ``norm`` the file of the norm, if any.
    """
    entries = [read_entry(results / "report" / f"{name}.json") for name in walks]
    averaged = plausible(results / "plausibility" / f"{name}.h5" for name in walks)
    usable = [name for name, use in zip(walks, averaged, strict=True) if use]
    cycles = [read_stage(results / "cycles" / f"{name}.h5", GaitCycles) for name in usable]
    summaries = [read_stage(results / "summary" / f"{name}.h5", GaitSummary) for name in usable]
    activities = [read_computed(results / "emg" / f"{name}.h5", MuscleActivity) for name in usable]
    with_emg = [activity for activity in activities if activity and activity.cycles]
    emg = pooled_activity(page.subject, with_emg) if with_emg else None
    muscles = []
    if page.configuration.muscle_forces:
        loads = [read_computed(results / "muscles" / f"{name}.h5", MuscleLoads) for name in usable]
        muscles = [own for own in loads if own]
    run_info = run_of_session(walks, page, remarks="; ".join(comments))
    summary = None if isinstance(average, Failure) else average
    beside = load_norm(norm) if norm else None
    computed = list(zip(cycles, summaries, strict=True))
    write_subject_report(output, page.subject, entries, computed, summary, run_info, pdf, emg, beside, muscles)


def on_failure(failure: Failure, walks: tuple[str, ...], results: Path, page: PageOf, output: Path, pdf: Path) -> None:
    """Write page and report with the reason; after a defect of the program, the walks are marked incomplete."""
    run_info = run_of_session(walks, page)
    write_failed_averages_report(output, pdf, page.trial, failure.step, failure.reason, run_info)
    for name in walks if failure.defect else ():
        add_defect(results / "report" / f"{name}.json", f"{failure.step}: {failure.reason}")
