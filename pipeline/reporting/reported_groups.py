"""Reads what a report of several groups of walks shows of each, from the sessions' files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from pipeline.analysis import pooled, pooled_activity
from pipeline.reporting.comparison.groups import ReportedGroup, trunk_curves
from pipeline.results import plausible, read_stage, read_status
from pipeline.trial import BodyMass, GaitCycles, GaitSummary, MuscleActivity, WholeBody


@dataclass(frozen=True)
class GroupSource:
    """The walks of one session and condition, with their files.

    Attributes:
        facts: label and text of what the tables say of the session's day.
        comments: of the walks that have one.
        average: file of their averages.
        results: folder of the session's results.
        walks: names, failed and refused ones too.
        whole_body: whether walks are put on the skeleton.
    """

    session: str
    condition: str
    facts: tuple[tuple[str, str], ...]
    comments: tuple[str, ...]
    average: Path
    results: Path
    walks: tuple[str, ...]
    whole_body: bool

    @property
    def name(self) -> str:
        """As reports call the group."""
        return ", ".join(filter(None, (f"session {self.session}", self.condition)))


def read_group(source: GroupSource) -> ReportedGroup:
    """Values of a group's plausible walks, or why there are none."""
    head = source.name, source.facts, source.comments
    _, failure = read_status(source.average)
    if failure:
        return ReportedGroup(*head, missing=f"no results: {failure.reason}")
    usable = plausible(source.results / "plausibility" / f"{name}.h5" for name in source.walks)
    names = [name for name, use in zip(source.walks, usable, strict=True) if use]
    cycles = {name: read_stage(source.results / "cycles" / f"{name}.h5", GaitCycles) for name in names}
    cycles = {name: own for name, own in cycles.items() if own.cycles}
    if not cycles:
        return ReportedGroup(*head, missing="no results: no walk has a complete gait cycle")
    together = pooled(next(iter(cycles.values())).subject, list(cycles.values()))
    summary = read_stage(source.average, GaitSummary)
    mass = float(
        np.mean([read_stage(source.results / "inverse_dynamics" / f"{name}.h5", BodyMass).mass for name in cycles])
    )
    return ReportedGroup(*head, together, summary, len(cycles), _emg(source, cycles), _trunk(source, cycles), mass)


def _emg(source: GroupSource, cycles: dict[str, GaitCycles]) -> MuscleActivity | None:
    files = [source.results / "emg" / f"{name}.h5" for name in cycles]
    activities = [read_stage(path, MuscleActivity) for path in files if read_status(path)[1] is None]
    with_emg = [activity for activity in activities if activity.cycles and activity.muscle_names]
    return pooled_activity(with_emg[0].subject, with_emg) if with_emg else None


def _trunk(source: GroupSource, cycles: dict[str, GaitCycles]) -> dict:
    if not source.whole_body:
        return {}
    files = {name: source.results / "whole_body" / f"{name}.h5" for name in cycles}
    known = {name: path for name, path in files.items() if read_status(path)[1] is None}
    return trunk_curves([(cycles[name], read_stage(path, WholeBody)) for name, path in known.items()])
