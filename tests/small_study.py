"""Small studies on the disk, of which a test gives the tables that it is about."""

from __future__ import annotations

from pathlib import Path


def write_study(
    folder: Path,
    trials: str = "trial\tsubject\tkind\tfile\nw\tAnn\twalk\tw.c3d\n",
    subjects: str = "subject\nAnn\n",
    config: str = "",
    **more: str,
) -> Path:
    """Write the files of a study's folder config, with ``more`` tables by their names; the study's folder."""
    tables = {"trials": trials, "subjects": subjects, **more}
    (folder / "config").mkdir(parents=True, exist_ok=True)
    for name, text in {"config.yaml": config, **{f"{name}.tsv": text for name, text in tables.items()}}.items():
        (folder / "config" / name).write_text(text, encoding="utf-8")
    return folder
