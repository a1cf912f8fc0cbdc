"""Norm from a laboratory's own walks of healthy subjects: mean and standard deviation over subjects, by walking speed.

Walks are divided into groups of similar speed. In each group a subject counts with the mean of their walks, so that
subjects with more walks do not weigh more; the standard deviation is that between subjects.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis.norm_fit import Row
from pipeline.errors import SignalError

MIN_SUBJECTS = 5
"""In each group; with fewer, the standard error of a standard deviation is 40 % or more (1 / sqrt(2 n - 2))."""

MAX_GROUPS = 5
"""Number of speeds, the most that a norm in config/norms has."""

MIN_STEP = 0.05
"""Smallest difference between the speeds of neighbouring groups, dimensionless: a quarter of that from slow to free
walking."""


@dataclass(frozen=True)
class HealthyWalk:
    """A walk for a norm.

    Attributes:
        subject: who walked.
        speed: v / sqrt(g L).
        curves: mean over both sides (N,) by the variable's name, complete, at the same N percents of the cycle in all
            walks.
    """

    subject: str
    speed: float
    curves: Mapping[str, np.ndarray]


def norm_rows(walks: Sequence[HealthyWalk], percent: np.ndarray) -> tuple[list[Row], dict[str, float]]:
    """Rows for `norm_fit.fit_norm`, and the speed of each group by its name.

    A variable known for fewer than `MIN_SUBJECTS` subjects in some group is left out.

    Raises:
        SignalError: there are too few subjects.
    """
    groups = speed_groups(walks)
    tables = [_by_subject(group) for group in groups]
    speeds = {f"group {number + 1}": _mean_speed(group) for number, group in enumerate(groups)}
    rows: list[Row] = []
    for name in dict.fromkeys(variable for walk in walks for variable in walk.curves):
        samples = [np.array([curves[name] for curves in table.values() if name in curves]) for table in tables]
        if min(map(len, samples)) < MIN_SUBJECTS:
            continue
        for speed, sample in zip(speeds, samples, strict=True):
            mean, sd = sample.mean(axis=0), sample.std(axis=0, ddof=1)
            rows += [
                (name, float(p), speed, float(m - s), float(m), float(m + s))
                for p, m, s in zip(percent, mean, sd, strict=True)
            ]
    return rows, speeds


def speed_groups(walks: Sequence[HealthyWalk]) -> list[list[HealthyWalk]]:
    """Walks by ascending speed, in as many equal groups as leave enough subjects in each and speeds far enough apart.

    Raises:
        SignalError: there are too few subjects for one group.
    """
    subjects = {walk.subject for walk in walks}
    if len(subjects) < MIN_SUBJECTS:
        problem = f"there are walks of {len(subjects)} healthy subjects with a known speed; a norm needs {MIN_SUBJECTS}"
        raise SignalError(problem, remedy="Add subjects, or leg lengths where they are missing")
    ordered = sorted(walks, key=lambda walk: walk.speed)
    for count in range(MAX_GROUPS, 1, -1):
        groups = [[ordered[k] for k in part] for part in np.array_split(np.arange(len(ordered)), count)]
        enough = all(len({walk.subject for walk in group}) >= MIN_SUBJECTS for group in groups)
        if enough and np.all(np.diff([np.mean([walk.speed for walk in group]) for group in groups]) >= MIN_STEP):
            return groups
    return [ordered]


def _mean_speed(group: Sequence[HealthyWalk]) -> float:
    """Mean over subjects of each one's mean speed."""
    subjects = dict.fromkeys(walk.subject for walk in group)
    return float(np.mean([np.mean([walk.speed for walk in group if walk.subject == name]) for name in subjects]))


def _by_subject(group: Sequence[HealthyWalk]) -> dict[str, dict[str, np.ndarray]]:
    """Mean of each subject's curves."""
    table = {}
    for subject in dict.fromkeys(walk.subject for walk in group):
        own = [walk.curves for walk in group if walk.subject == subject]
        names = dict.fromkeys(name for curves in own for name in curves)
        table[subject] = {name: np.mean([c[name] for c in own if name in c], axis=0) for name in names}
    return table
