"""Statistical parametric maps: Student's t along the gait cycle, with its threshold and clusters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np

from pipeline.trial.declarations import Quantity


@dataclass(frozen=True)
class Cluster:
    """A part of the curve in which a statistic exceeds its threshold.

    Attributes:
        start, stop: position along the curve, in nodes from its start (percent of a cycle of 101), interpolated between
            nodes.
        p: probability of a cluster at least as broad if there is no difference.
    """

    start: Annotated[float, Quantity("beginning of the cluster", "%")]
    stop: Annotated[float, Quantity("end of the cluster", "%")]
    p: Annotated[float, Quantity("probability of such a cluster if there is no difference", "1")]


@dataclass(frozen=True)
class StatisticalMap:
    """Student's t along a curve with its threshold from random field theory, two-tailed.

    Attributes:
        t: (N,) statistic of the first set against the second.
        threshold: of its magnitude.
        degrees: degrees of freedom.
        first, second: number of curves in each set.
        clusters: in order along the curve.
    """

    t: Annotated[np.ndarray, Quantity("Student's t", "1", ("percent",))]
    threshold: Annotated[float, Quantity("threshold of the statistic's magnitude", "1")]
    degrees: Annotated[float, Quantity("degrees of freedom", "1")]
    first: int
    second: int
    clusters: tuple[Cluster, ...]


@dataclass(frozen=True)
class PairedMap:
    """Test of paired curves, such as predicted and measured ones.

    Attributes:
        unit: of the difference.
        pairs: name of each pair: a subject or a walk.
        difference: mean over the pairs of first minus second; missing where they are not compared.
        test: paired test; its statistic is missing where the difference is.
    """

    unit: str
    pairs: tuple[str, ...]
    difference: Annotated[np.ndarray, Quantity("mean difference", "see unit", ("percent",))]
    test: StatisticalMap
