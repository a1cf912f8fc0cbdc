"""Stage: compare a second group of walks with a first one of the same subject, or one side with the other."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.analysis import Group, compare_groups, compare_sides, installed
from pipeline.errors import ResultsError
from pipeline.results import load_norm, plausible, read_stage
from pipeline.trial import BodyMass, GaitCycles, GaitSummary, GroupComparison


@dataclass(frozen=True)
class GroupFiles:
    """A group of walks, or one side of them, with their files by stage; norm is None for no norm."""

    session: str
    condition: str
    cycles: tuple[Path, ...]
    plausibility: tuple[Path, ...]
    inverse_dynamics: tuple[Path, ...]
    norm: Path | None = None
    side: str = ""


def run(
    trial: str, first: GroupFiles, second: GroupFiles, first_average: GaitSummary, second_average: GaitSummary
) -> GroupComparison:
    """Compare the walks of both groups; those that failed or were refused are left out. ``trial`` names the comparison.

    Raises:
        ResultsError: no walk of a group has a gait cycle.
    """
    groups = _group(first, first_average), _group(second, second_average)
    compare = compare_sides if first.side else compare_groups
    return compare(trial, *groups, mapped=installed())


def _group(files: GroupFiles, average: GaitSummary) -> Group:
    files_of_walks = zip(files.cycles, files.inverse_dynamics, plausible(files.plausibility), strict=True)
    walks = [(read_stage(path, GaitCycles), loads) for path, loads, use in files_of_walks if use]
    with_cycles = [(walk, loads) for walk, loads in walks if walk.cycles]
    if not with_cycles:
        where = " ".join(filter(None, (f"session {files.session}", files.condition)))
        raise ResultsError("no walk has a complete gait cycle to compare", where=where)
    norm = load_norm(files.norm) if files.norm else None
    mass = float(np.mean([read_stage(loads, BodyMass).mass for _, loads in with_cycles]))
    cycles = tuple(walk for walk, _ in with_cycles)
    return Group(files.session, files.condition, cycles, average.leg_length, norm, files.side, mass)
