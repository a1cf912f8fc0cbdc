"""EMG envelopes over the gait cycle: single cycles, mean of each side, and the norm at the same speed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.analysis import Norm
from pipeline.analysis.cycles import foot_off
from pipeline.analysis.resampling import PERCENT
from pipeline.conventions import SIDES
from pipeline.reporting.figures.curves import evenly_chosen
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, YAxis
from pipeline.trial import CycleCurves, GaitSummary, MuscleActivity

HIGHEST = {"peak": 1.4, "mean": 3.5}
"""Upper end of a panel's axis, by the reference of the amplitude."""


def muscle_row(activity: MuscleActivity, cycles: Sequence[CycleCurves], norm: Norm | None, speed: float) -> Row | None:
    """A panel for each muscle; None without EMG.

    The norm's amplitudes are fractions of its subjects' maxima. To compare them with the walk, its mean and standard
    deviation are divided by the peak (or mean) of its own mean curve, as those of the walk are.

    Args:
        activity: envelopes of a walk, or of several together.
        cycles: of the same walks, for the lines at foot off.
        norm: None for no norm.
        speed: dimensionless speed at which the norm is evaluated.
    """
    if not activity.muscle_names:
        return None
    offs = {side: [foot_off(c) for c in cycles if c.cycle.side == side] for side in SIDES}
    panels = []
    for m, muscle in enumerate(activity.muscle_names):
        units, highest = f"of {activity.normalisation}", HIGHEST[activity.normalisation]
        axis = YAxis(muscle.replace("_", " ").capitalize(), units, 0.0, highest)
        singles, means, verticals = [], [], []
        for k, side in enumerate(SIDES):
            own = [c.envelope[m] / activity.reference[k, m] for c in activity.cycles if c.side == side]
            if not np.isfinite(activity.mean[k, m]).any():
                continue
            lines = evenly_chosen([values for values in own if np.isfinite(values).any()])
            singles += [Curve(PERCENT, values, f"{side} single") for values in lines if len(lines) > 1]
            means.append(Curve(PERCENT, activity.mean[k, m], side, side.capitalize()))
            if offs[side]:
                verticals.append((f"{side} foot-off", float(np.mean(offs[side]))))
        bands = tuple(norm_band(muscle, activity.normalisation, norm, speed)) if norm else ()
        panels.append(Panel(axis, (*singles, *means), bands, tuple(verticals), missing="not measured in a gait cycle"))
    return Row("", tuple(panels))


def emg_norm_text(norm: Norm | None, summary: GaitSummary) -> str:
    """Name of the norm of the envelopes; empty if there is none.

    The sample is given if this norm is not that of the other curves, because the norm of the subject's age has no EMG.
    """
    if norm is None or not norm.muscles:
        return ""
    own = norm.name == summary.norm
    return norm.name if own else f"{norm.name}: {norm.sample}, since the norm of the other curves has no EMG"


def emg_speed(norm: Norm | None, summary: GaitSummary) -> float:
    """Dimensionless speed at which the norm's envelopes are evaluated: the walk's, or the norm's comfortable speed."""
    known = summary.speed == summary.speed
    return summary.speed if known or norm is None else norm.free


def norm_band(muscle: str, normalisation: str, norm: Norm, speed: float) -> list[Band]:
    """The norm's envelope over the peak (or mean) of its mean curve; empty for a muscle that it does not have."""
    found = norm.band(muscle, speed, PERCENT) if muscle in norm.muscles else None
    if found is None:
        return []
    amplitude = float(np.max(found.mean) if normalisation == "peak" else np.mean(found.mean))
    low, high = (found.mean - found.sd) / amplitude, (found.mean + found.sd) / amplitude
    return [Band(PERCENT, np.maximum(low, 0.0), high, "norm", "Norm ± 1 SD")]
