"""Workflow profiles: Snakemake options for a cluster, shipped with the pipeline or written by the user."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path

import yaml

from pipeline.config import HOME, nearest
from pipeline.errors import ConfigError
from pipeline.whole_files import files_in

OPTIONS = ("--workflow-profile", "--profile")
NAME = re.compile(r"(profile|config)(\.v\d+\+)?\.yaml")
"""Names of the files in a profile's folder that Snakemake reads."""

OWN_EXECUTORS = ("local", "dryrun", "touch")
"""Executors that are part of Snakemake."""

NONE = "none"
"""Stands for no profile."""


def with_profiles(options: Sequence[str]) -> tuple[list[str], list[Path]]:
    """Replace profile names in Snakemake options by their folders, independent of where the command was started.

    Snakemake looks for a workflow profile relative to the study's folder, and runs without it if it does not find one.

    Args:
        options: as the user gave them; a profile is a folder, a file, or the name of a shipped one.

    Returns:
        The options, and the folders or files of the profiles among them.

    Raises:
        ConfigError: there is no such profile.
    """
    found: list[str] = []
    profiles: list[str] = []
    for option in options:
        name, equals, value = option.partition("=")
        if equals and name in OPTIONS:
            profiles.append(_folder(name, value))
            found.append(f"{name}={profiles[-1]}")
        elif found and found[-1] in OPTIONS:
            profiles.append(_folder(found[-1], option))
            found.append(profiles[-1])
        else:
            found.append(option)
    return found, list(map(Path, profiles))


def check_executors(folders: Iterable[Path]) -> None:
    """Refuse profiles whose executor is not installed: executors for clusters are separate packages.

    Raises:
        ConfigError: a file is not YAML, or the executor's package is not installed.
    """
    for path in (path for folder in folders for path in _files(folder)):
        try:
            content = yaml.safe_load(path.read_bytes())
        except yaml.YAMLError as error:
            raise ConfigError(f"is not YAML: {' '.join(str(error).split())}", where=str(path)) from None
        executor = content.get("executor") if isinstance(content, dict) else None
        package = f"snakemake_executor_plugin_{str(executor).replace('-', '_')}"
        if executor not in (None, *OWN_EXECUTORS) and find_spec(package) is None:
            raise ConfigError(
                f"executor '{executor}' is not installed",
                where=str(path),
                remedy=f"pip install {package.replace('_', '-')}",
            )


def _files(profile: Path) -> list[Path]:
    """The files of a profile, which is a folder or a file."""
    return [profile] if profile.is_file() else [path for path in files_in(profile, "*") if NAME.fullmatch(path.name)]


def _folder(option: str, profile: str) -> str:
    shipped = HOME / "profiles"
    if profile == NONE:
        return profile
    for folder in (Path(profile), shipped / profile, HOME / profile):
        if _files(folder):
            return str(folder.resolve())
    if option == "--profile":
        from snakemake.cli import get_profile_dir  # takes a while to import

        if get_profile_dir(profile) is not None:  # in one of Snakemake's own folders
            return profile
    known = sorted(path.name for path in shipped.iterdir() if path.is_dir())
    raise ConfigError(
        f"there is no profile '{profile}'; {nearest(profile, known)}",
        where=option,
        remedy=f"Name a shipped one ({', '.join(known)}), or a folder with a file profile.yaml",
    )
