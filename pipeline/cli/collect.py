"""Join the tidy tables of studies that were run as parts of one, such as one study per laboratory or year."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from pipeline.config import HOME, RESULTS, SessionKey, Study, load_study
from pipeline.errors import ResultsError
from pipeline.results import write_sums
from pipeline.results.tables import dictionary_table, write_tables
from pipeline.stages.study_tables import session_files


def collect(target: Path, parts: Sequence[Path]) -> list[Path]:
    """Join the tables of the sessions of several studies without holding any whole table in memory.

    Each session must be in only one of the studies. The target, a folder, is created if it does not exist.

    Returns:
        The files written, the list of their checksums last.

    Raises:
        ConfigError: a folder is not a study.
        ResultsError: a study is not complete, two have a session of the same name, or the target has tables already.
    """
    studies = [load_study(part, HOME) for part in parts]
    _check_complete(studies)
    folders = [
        study.root / session.folder(RESULTS) / "tables" for study in studies for session in study.measured_sessions
    ]
    skeleton = any(study.configuration.whole_body.enabled for study in studies)
    files = [*session_files(target, skeleton), target / "study_dictionary.csv"]
    there = [path for path in files if path.exists()]
    if there:
        raise ResultsError("already exists", where=str(there[0]), remedy="Name another folder")
    target.mkdir(parents=True, exist_ok=True)
    write_tables(files, [dictionary_table()], folders)
    listed = target / "tables.sha256"
    write_sums(listed, files)
    return [*files, listed]


def differences(parts: Sequence[Path]) -> Iterator[str]:
    """What makes the tables of some studies one study only in part: other settings, or a subject of several studies."""
    first, *others = (load_study(part, HOME) for part in parts)
    for other in others:
        pairs = zip(_settings(first).items(), _settings(other).values(), strict=True)
        if found := [f"{key} {value} and {own}" for (key, value), own in pairs if value != own]:
            yield (
                f"{first.root} and {other.root} have different settings, and values that depend on them are not "
                f"comparable: {'; '.join(found)}"
            )
    owners: dict[str, list[str]] = {}
    for study in (first, *others):
        for subject in dict.fromkeys(session.subject for session in study.measured_sessions):
            owners.setdefault(subject, []).append(str(study.root))
    for subject, roots in owners.items():
        if len(roots) > 1:
            yield (
                f"subject '{subject}' is in {' and '.join(roots)}, and is one person in the joined tables; if these "
                "are two people, rename one and run that study again"
            )


def _settings(study: Study) -> dict[str, object]:
    """Settings of a study that affect values in tables, by section and key."""
    sections = study.configuration.model_dump(mode="json", exclude={"study", "report", "prediction"})
    return {f"{section}.{key}": value for section, keys in sections.items() for key, value in keys.items()}


def _check_complete(studies: Sequence[Study]) -> None:
    owners: dict[SessionKey, Path] = {}
    for study in studies:
        if not (study.root / RESULTS / "verdict.txt").is_file():
            without = "a trial that cannot be computed is left out if its kind is blank in config/trials.tsv"
            raise ResultsError("is not complete", where=str(study.root), remedy=f"Run it: gait run; {without}")
        for session in study.measured_sessions:
            if other := owners.get(session):
                remedy = "Rename the subject in one of them, or leave one out"
                raise ResultsError(f"also has the session {session} of {other}", where=str(study.root), remedy=remedy)
            owners[session] = study.root
            if not (study.root / session.folder(RESULTS) / "tables").is_dir():
                problem = f"has no results of the session {session}, which its tables name"
                raise ResultsError(problem, where=str(study.root), remedy="Run it again: gait run")
