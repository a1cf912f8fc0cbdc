"""Whether a study stands as the workflow left it: where an audit finds every file whole and up to date, Snakemake need
not look at each job again, which takes ten times as long.

The audit compares results and pages with the recordings, settings and code that they were made from. What it does not
look at are the workflow itself and the templates of pages, whose state is kept here when a run has ended with all done.
"""

from __future__ import annotations

from importlib.metadata import version

from pipeline.config import HOME, Study
from pipeline.provenance import PACKAGE_ROOT, extra_versions
from pipeline.whole_files import files_in
from pipeline.workflow.known_digests import combined, contents, keep
from pipeline.workflow.origin import state_of_code
from pipeline.workflow.session_folders import RESULTS

COMPLETED = RESULTS / ".completed"
"""File with the state of the workflow that had nothing left to do."""


def was_completed(study: Study) -> bool:
    """Whether the last run of this workflow on this study ended with all done."""
    try:
        return (study.root / COMPLETED).read_text() == _state(study)
    except (OSError, ValueError):
        return False


def note_completed(study: Study) -> None:
    """Keep that all is done; a full or read-only disk only costs the shortcut."""
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
