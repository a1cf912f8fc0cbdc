"""The report of a comparison whose page fails keeps the clinician's text and the groups that have results."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.config import Configuration
from pipeline.provenance import Provenance
from pipeline.reporting import ComparisonContent, GroupSource, ReportRun
from pipeline.results import Failure, write_failure, write_stage
from pipeline.stages import average, crossed_report, walks_comparison_report
from pipeline.workflow.report_runs import PageOf

from .test_average import files_of

REASON = "a defect of the program, ValueError: planted"
PAGE = PageOf("S1", "post", "all", Configuration(), Provenance("page"), person=(("Diagnosis", "stroke"),))


@pytest.fixture(scope="module")
def groups(tmp_path_factory: pytest.TempPathFactory) -> tuple[GroupSource, ...]:
    """One group with results, one whose averages failed, and one whose files do not fit together."""
    folder = tmp_path_factory.mktemp("results")
    files = files_of(folder, {"w": False})
    good, failed = folder / "good.h5", folder / "failed.h5"
    write_stage(good, average.run("S1", **files), Provenance("average"))
    write_failure(failed, Failure("w", "average", "no static trial"), Provenance("average"))
    known = {name: files[name] for name in ("cycles", "inverse_dynamics")}
    return (
        GroupSource("pre", "", (), ("tired",), good, files["plausibility"], **known, emg=()),
        GroupSource("pre", "fast", (), (), failed, files["plausibility"], **known, emg=()),
        GroupSource("post", "", (), (), good, (), **known, emg=()),
    )


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> list[ComparisonContent]:
    """Contents of the documents that are written; one whose groups all have results fails."""
    found: list[ComparisonContent] = []

    def write(path: Path, content: ComparisonContent, run: ReportRun) -> None:
        if all(group.cycles for group in content.groups):
            raise ValueError("planted")
        found.append(content)

    monkeypatch.setattr(walks_comparison_report, "write_comparison_pdf", lambda *_: None)
    monkeypatch.setattr(walks_comparison_report, "write_comparison_docx", write)
    return found


def fail(groups: tuple[GroupSource, ...], folder: Path) -> None:
    """Let the page of these groups fail."""
    text = folder / "interpretation.md"
    text.write_text("The knee flexes more.", encoding="utf-8")
    page, pdf, docx = (folder / f"all.{suffix}" for suffix in ("html", "pdf", "docx"))
    asked = walks_comparison_report.Asked(PAGE, groups, None, pdf, docx, text)
    crossed_report.on_failure(Failure("all", "crossed_report", REASON), asked, page)
    assert REASON in page.read_text(encoding="utf-8")


def test_the_text_and_the_groups_with_results_stay(groups, written, tmp_path: Path) -> None:
    fail(groups, tmp_path)
    (content,) = written
    assert (content.interpretation, content.person) == ("The knee flexes more.", PAGE.person)
    good, failed, unfit = content.groups
    assert (good.walks, good.comments, good.missing) == (1, ("tired",), "")
    assert failed.missing == "no results: no static trial"
    assert unfit.missing.startswith("no results: a defect of the program, ValueError: zip()")


def test_the_text_stays_if_the_groups_cannot_be_drawn(groups, written, tmp_path: Path) -> None:
    fail(groups[:1], tmp_path)
    (content,) = written
    assert content.interpretation == "The knee flexes more."
    assert [group.missing for group in content.groups] == [f"no results: {REASON}"]
