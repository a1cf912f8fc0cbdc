"""Small studies and other files on the disk, of which a test gives what it is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path


def write_files(folder: Path, files: Mapping[str, str] | Iterable[str]) -> Path:
    """Write files of a folder, given by name with their texts, or empty ones; the folder."""
    for name, text in (files if isinstance(files, Mapping) else dict.fromkeys(files, "")).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return folder


def write_study(
    folder: Path,
    trials: str = "trial\tsubject\tkind\tfile\nw\tAnn\twalk\tw.c3d\n",
    subjects: str = "subject\nAnn\n",
    config: str = "",
    **more: str,
) -> Path:
    """Write the files of a study's folder config, with ``more`` tables by their names; the study's folder."""
    tables = {"trials": trials, "subjects": subjects, **more}
    write_files(folder / "config", {"config.yaml": config} | {f"{name}.tsv": text for name, text in tables.items()})
    return folder
