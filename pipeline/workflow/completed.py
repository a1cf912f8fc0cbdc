"""Whether a study is as the workflow left it: if an audit finds every file intact and up to date, Snakemake need not
check each job again, which takes ten times as long.

The audit compares results and pages with the recordings, settings and code from which they were made. It does not check
the workflow itself and the templates of pages; their state is stored here when a run has ended with all jobs done.
"""

from __future__ import annotations

from importlib.metadata import version

from pipeline.config import HOME, RESULTS, Study
from pipeline.provenance import PACKAGE_ROOT, extra_versions
from pipeline.whole_files import files_in
from pipeline.workflow.known_digests import combined, contents, keep
from pipeline.workflow.origin import state_of_code

COMPLETED = RESULTS / ".completed"
"""File with the state of the workflow when it had nothing left to do."""


def was_completed(study: Study) -> bool:
    """Whether the last run of this workflow on this study ended with all jobs done."""
    try:
        return (study.root / COMPLETED).read_text() == _state(study)
    except (OSError, ValueError):
        return False


def note_completed(study: Study) -> None:
    """Store that all jobs are done; a full or read-only disk only costs the shortcut."""
    keep(study.root / COMPLETED, _state(study))


def _state(study: Study) -> str:
    """Digest of the workflow, its templates and code, and of the study's configuration."""
    rules = [HOME / "Snakefile", *sorted((PACKAGE_ROOT / "pipeline/rules").glob("*.smk"))]
    templates = files_in(HOME / "reports/templates", "*")
    configuration = files_in(study.root / "config", "**/*")
    return combined(
        [
            ("code", state_of_code()),
            ("rules", contents(rules)),
            ("templates", contents(templates)),
            ("configuration", contents(configuration)),
            *extra_versions().items(),
            ("snakemake", version("snakemake")),
        ]
    )
