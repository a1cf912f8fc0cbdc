"""Read the results of each group in a report of several groups of walks, from the sessions' files."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

import numpy as np

from pipeline.analysis import pooled, pooled_activity
from pipeline.reporting.comparison.groups import ReportedGroup, trunk_curves
from pipeline.results import Failure, plausible, read_computed, read_outcome, read_stage
from pipeline.trial import BodyMass, GaitCycles, GaitSummary, MuscleActivity, WholeBody

T = TypeVar("T")


@dataclass(frozen=True)
class GroupSource:
    """The walks of one session and condition, with their files.

    Attributes:
        facts: labels and texts on the day of the session, from the study's tables.
        comments: of the walks that have one.
        average: file of their averages.
        plausibility, cycles, inverse_dynamics, emg: files of all walks, including failed and refused ones.
        whole_body: the same, if walks are computed on the skeleton.
    """

    session: str
    condition: str
    facts: tuple[tuple[str, str], ...]
    comments: tuple[str, ...]
    average: Path
    plausibility: tuple[Path, ...]
    cycles: tuple[Path, ...]
    inverse_dynamics: tuple[Path, ...]
    emg: tuple[Path, ...]
    whole_body: tuple[Path, ...] = ()

    @property
    def name(self) -> str:
        """Name of the group in reports."""
        return ", ".join(filter(None, (f"session {self.session}", self.condition)))

    @property
    def walks(self) -> list[str]:
        """Names of all walks, including failed and refused ones."""
        return [path.stem for path in self.cycles]


def read_group(source: GroupSource) -> ReportedGroup:
    """Results of a group's plausible walks, or why there are none."""
    head = source.name, source.facts, source.comments
    summary = read_outcome(source.average, GaitSummary)
    if isinstance(summary, Failure):
        return ReportedGroup(*head, missing=f"no results: {summary.reason}")
    usable = zip(source.cycles, plausible(source.plausibility), strict=True)
    walks = {path.stem: read_stage(path, GaitCycles) for path, use in usable if use}
    cycles = {name: walk for name, walk in walks.items() if walk.cycles}
    if not cycles:
        return ReportedGroup(*head, missing="no results: no walk has a complete gait cycle")
    subject = next(iter(cycles.values())).subject
    together = pooled(subject, list(cycles.values()))
    mass = float(np.mean([read_stage(path, BodyMass).mass for path in source.inverse_dynamics if path.stem in cycles]))
    of_walks = _computed(source.emg, MuscleActivity, cycles).values()
    activities = [activity for activity in of_walks if activity.cycles and activity.muscle_names]
    emg = pooled_activity(subject, activities) if activities else None
    bodies = _computed(source.whole_body, WholeBody, cycles)
    trunk = trunk_curves([(cycles[name], body) for name, body in bodies.items()])
    return ReportedGroup(*head, together, summary, len(cycles), emg, trunk, mass)


def _computed(files: Iterable[Path], kind: type[T], walks: Container[str]) -> dict[str, T]:
    """What a stage computed of some walks, by the name of the walk."""
    found = {path.stem: read_computed(path, kind) for path in files if path.stem in walks}
    return {name: value for name, value in found.items() if value is not None}
