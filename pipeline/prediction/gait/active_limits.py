"""Limits that a walk reaches: constraints with nodes at their bounds, by joint or component."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.optimisation import Evaluation, NodeConstraint, Problem
from pipeline.trial import ActiveLimit

OF_CONTACT = (" position", " velocity", " above ground", " in flight")
"""Endings of the names of constraints on contact points and on the ground reaction in flight, which are at their bounds
in every solution."""


def active_limits(problem: Problem, x: np.ndarray) -> tuple[ActiveLimit, ...]:
    """Limits within their tolerance at some node, except those of contact, in the order of the constraints.

    Args:
        problem: imposed at the nodes.
        x: (n_variables,) its solution.
    """
    rows = Evaluation(problem, x).rows
    found: list[ActiveLimit] = []
    for part, mask, own in zip(problem.constraints, problem.masks, np.split(rows, problem.ends)[:-1], strict=True):
        if isinstance(part, NodeConstraint) and not part.name.endswith(OF_CONTACT):
            values = np.full(mask.shape, np.nan)
            values[mask] = own / part.scale
            found += _of_constraint(part, values, mask)
    return tuple(found)


def _of_constraint(part: NodeConstraint, values: np.ndarray, applies: np.ndarray) -> Iterator[ActiveLimit]:
    for bound, limits in (("lower", part.lower), ("upper", part.upper)):
        limits = np.broadcast_to(limits, values.shape)
        at_bound = applies & np.isfinite(limits) & (np.abs(values - limits) <= part.tolerance)
        for component in np.flatnonzero(at_bound.any(axis=0)):
            nodes = at_bound[:, component]
            yield ActiveLimit(
                constraint=part.name,
                component=part.labels[component] if part.labels else "",
                bound=bound,
                unit=part.unit,
                value=float(limits[nodes, component][0]),
                nodes=int(nodes.sum()),
                of=int(applies[:, component].sum()),
            )
