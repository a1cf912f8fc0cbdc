"""Capacity of muscles over an hour of a walk that is repeated, by the three-compartment model of fatigue."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from pipeline.muscles import rates_of, repeated_fatigue

TIRING = {"soleus": "ankle", "vastus_lateralis": "knee", "gluteus_medius": "hip", "erector_spinae": "trunk"}
"""The muscle that stands for a joint; there are rates of ankle, knee and trunk, and general ones for the hip."""

MINUTES = np.linspace(0.0, 60.0, 241)

WEAK = 0.5
"""Strength, of its own, of the muscle shown as weak."""

_REST = 0.02
"""Activation below which a muscle rests, as it does between its bursts of EMG."""

_KNOWN = 0.9
"""Part of the cycle that has to be known."""


def capacity(means: Mapping[str, np.ndarray], muscle: str, strength: float = 1.0) -> np.ndarray | None:
    """Force that could be held over that of the rested muscle, (241,) at `MINUTES`; None where the load is not known.

    Args:
        means: mean curves of a side over the gait cycle (`mean_curves`).
        muscle: a key of `TIRING`.
        strength: of its own; a weaker muscle that does the same is loaded by so much more.
    """
    activation = means.get(f"{muscle}_activation")
    known = activation[np.isfinite(activation)] if activation is not None else np.zeros(0)
    if activation is None or len(known) < _KNOWN * len(activation):
        return None
    load = np.where(known < _REST, 0.0, known) / strength
    rates, _ = rates_of(TIRING[muscle])
    return 1.0 - repeated_fatigue(rates, 60.0 * MINUTES, load)
