"""The study's page, and the scripts that all pages share."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

from pipeline.config import GroupKey, Study
from pipeline.reporting import TEMPLATES, ComparisonLink, write_study_report
from pipeline.workflow.entries import entries_of, predictions_of
from pipeline.workflow.report_runs import run_of_study


def write_page(study: Study, results: Path, outputs: list[Path]) -> None:
    """Write the study's page, and the scripts that all pages share."""
    rows = predictions_of(study, results)
    run = replace(run_of_study(study), predictions=rows, comparisons=comparison_links(study))
    for path in outputs:
        if path.suffix == ".js":
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(TEMPLATES / path.name, path)
        else:
            static_trials, skipped = len(study.trials) - len(study.walks), [str(key) for key in study.skipped]
            write_study_report(path, entries_of(study, results), run, static_trials, skipped)


def comparison_links(study: Study) -> tuple[ComparisonLink, ...]:
    """The comparisons of groups of walks, with the address of each page."""

    def text(group: GroupKey, side: str | None) -> str:
        return ", ".join(filter(None, (f"session {group.session}", group.condition, side)))

    return tuple(
        ComparisonLink(
            *(row.subject, row.second.session, row.comparison),
            *(text(row.first, row.first_side), text(row.second, row.second_side)),
            f"{row.subject}/{row.second.session}/comparisons/{row.comparison}.html",
        )
        for row in study.comparisons
    )
