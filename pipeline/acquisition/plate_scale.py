"""Plausibility of the magnitude of plate loads: against body weight, and for kilonewtons labelled as newtons."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.acquisition.plate_channels import LOADED, longest_run
from pipeline.conventions import GRAVITY
from pipeline.trial import Note

_MIN_MASS, _MAX_MASS = 3.0, 400.0
_MIN_WEIGHTS, _MAX_WEIGHTS = 0.5, 4.0

_KILONEWTON_RANGE = (0.1, 5.0)
"""kN, range of the vertical force in a stance: from a child of 10 kg to a heavy adult landing from a jump."""
_MAX_NOISE_SHARE = 0.02
"""Change between samples as a fraction of the range: a stance is below it at 200 Hz or more, noise is far above."""
_MIN_STANCE_S, _MAX_RISE_S = 0.2, 0.3
"""s: a stance lasts longer, and its force rises faster, than drift or noise of an unloaded plate."""


def scale_notes(upward: Sequence[np.ndarray], mass: float, rate: float) -> list[Note]:
    """Check that a subject of this mass (kg; 0 if unknown) can exert the plates' vertical loads (Ta,) N."""
    weight = GRAVITY * mass if _MIN_MASS <= mass <= _MAX_MASS else 0.0
    if not upward:
        return []
    peak = float(np.percentile(sum(upward), 99.5))
    if peak < LOADED:
        return _kilonewton_notes(upward, weight, rate)
    if not weight or _MIN_WEIGHTS * weight < peak < _MAX_WEIGHTS * weight:
        return []
    text = (
        f"the largest load of all plates together is {peak:.0f} N, {peak / weight:.1f} times the weight of {mass:g} kg "
        f"(expected {_MIN_WEIGHTS:g} to {_MAX_WEIGHTS:g} times): check the plates' scale and the body mass"
    )
    return [Note("warning", "plates", text)]


def _kilonewton_notes(upward: Sequence[np.ndarray], weight: float, rate: float) -> list[Note]:
    ranges = [force_range for force in upward if (force_range := _stance_range(force, rate)) > 0.0]
    if not ranges or not (weight == 0.0 or _MIN_WEIGHTS * weight < 1000.0 * max(ranges) < _MAX_WEIGHTS * weight):
        return []
    compared = f", {1000.0 * max(ranges) / weight:.1f} times the body weight" if weight else ""
    text = (
        f"the vertical force rises and falls as in a step, but only by {max(ranges):.2f} N; in kN it would be "
        f"{1000.0 * max(ranges):.0f} N{compared}: correct ANALOG:UNITS or ANALOG:SCALE"
    )
    return [Note("warning", "plates", text)]


def _stance_range(force: np.ndarray, rate: float) -> float:
    """Range of a signal that rises from a steady level and stays up as in a stance, if plausible in kN; otherwise 0."""
    low, high = np.percentile(force, [2.0, 99.5])
    span = float(high - low)
    if not _KILONEWTON_RANGE[0] < span < _KILONEWTON_RANGE[1]:
        return 0.0
    up = force > low + 0.5 * span
    start, length = longest_run(up)
    stop = start + length
    if length < _MIN_STANCE_S * rate or np.median(np.abs(np.diff(force[start:stop]))) > _MAX_NOISE_SHARE * span:
        return 0.0
    steps = round(_MAX_RISE_S * rate)
    before, after = force[max(start - steps, 0) : start], force[stop : stop + steps]
    quick = [len(part) == steps and part.min() < low + 0.1 * span for part in (before, after)]
    return span if all(quick) else 0.0
