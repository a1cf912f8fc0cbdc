"""The comparisons of groups of walks for which a study has results."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pipeline.config import Study
from pipeline.results.reading import read_computed
from pipeline.trial import GroupComparison


def computed_comparisons(study: Study, results: Path) -> Iterator[GroupComparison]:
    """Each computed comparison, by session of its second group and there in the table's order."""
    for session, rows in study.compared_sessions.items():
        for row in rows:
            path = session.folder(results) / "walks_compared" / f"{row.comparison}.h5"
            if path.is_file() and (compared := read_computed(path, GroupComparison)):
                yield compared
