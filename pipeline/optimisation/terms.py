"""Terms of an optimal control problem: integral objectives, and bounds on quantities at the nodes or on x itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from pipeline.optimisation.quantities import Quantity


@dataclass(frozen=True)
class SquaredIntegral:
    """Objective: the integral over time of the weighted sum of squares of a quantity.

    Attributes:
        name: for reports.
        quantity: function of the motion at the nodes, (K, r).
        weight: factor of the integral.
    """

    name: str
    quantity: Quantity
    weight: float = 1.0


def identity(rates: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rates unchanged, and the derivatives of this identity: ones."""
    return rates, np.ones_like(rates)


@dataclass(frozen=True)
class SquaredRate:
    """Objective: the integral over time of the weighted sum of squares of a function of a quantity's time derivative.

    The derivative is the difference between neighbouring nodes over the time between them, since torques have no
    analytic derivative.

    Attributes:
        name: for reports.
        rate_of: function of the motion at the nodes, (K, r), whose time derivative is taken.
        weight: factor of the integral.
        plus: a quantity (K, r) added to the derivative, as the mean of the two nodes.
        function: maps the sums (K-1, r) to the values to be squared and their derivatives.
    """

    name: str
    rate_of: Quantity
    weight: float = 1.0
    plus: Quantity | None = None
    function: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]] = identity


@dataclass(frozen=True)
class Duration:
    """Objective: the total time."""

    weight: float = 1.0
    name: str = "duration"


Objective = SquaredIntegral | SquaredRate | Duration
"""A term of the objective."""


@dataclass(frozen=True)
class NodeConstraint:
    """Bounds on a quantity at some nodes.

    Attributes:
        name: for reports and messages.
        quantity: function of the motion at the nodes, (K, r).
        lower, upper: broadcast to (K, r); infinite if there is no bound. Equal bounds make an equality.
        tolerance: violation up to which the constraint counts as satisfied, in the quantity's unit.
        unit: unit of the quantity, for reports.
        applies: (K,) or (K, r) boolean, the nodes (and components) to which it applies; all by default.
        labels: names of the r components.
        scale: factor of the rows inside the solver.
    """

    name: str
    quantity: Quantity
    lower: Any
    upper: Any
    tolerance: float = 1e-4
    unit: str = ""
    applies: np.ndarray | None = None
    labels: tuple[str, ...] = ()
    scale: float = 1.0


@dataclass(frozen=True)
class LinearConstraint:
    """Bounds on linear combinations of the design variables, lower <= matrix @ x <= upper."""

    name: str
    matrix: np.ndarray
    lower: np.ndarray
    upper: np.ndarray
    tolerance: float = 1e-6
    unit: str = ""
    scale: float = 1.0
