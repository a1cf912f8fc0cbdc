"""What a measured and a predicted walk share: spatiotemporal parameters by the same definitions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.conventions import SIDES
from pipeline.trial import CycleCurves

FOOT_FLAT = slice(15, 31)
"""Percents of the cycle, 15 to 30, in which the whole sole is on the ground: after the other foot has left, before the
heel rises (Perry and Burnfield 2010)."""


def parameter_of(cycles: Sequence[CycleCurves], name: str) -> float:
    """Mean over the sides of each side's mean over the cycles that have a value; NaN if none has.

    The sides count alike, however many cycles each has: their mean is what a symmetric walk can have.
    """
    of_sides = []
    for side in SIDES:
        own = [c for c in cycles if c.cycle.side == side]
        values = np.array([toe_out(c) if name == "toe_out" else c.parameters[name] for c in own])
        if np.isfinite(values).any():
            of_sides.append(float(np.mean(values[np.isfinite(values)])))
    return float(np.mean(of_sides)) if of_sides else float("nan")


def toe_out(curves: CycleCurves) -> float:
    """Mean angle of the foot to the progression while it is flat on the ground, outwards positive, degrees."""
    if "foot" not in curves.angles:
        return float("nan")
    return float(-np.degrees(np.mean(curves.angles["foot"][FOOT_FLAT, 2])))
