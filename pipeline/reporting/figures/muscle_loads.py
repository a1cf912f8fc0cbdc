"""Estimated activations over the gait cycle with EMG of the walk and the norm; joint contact forces; fatigue."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pipeline.analysis import AS_WALKED, GROUPS, KNEE_PARTS, PUBLISHED, WITH_LOAD, WITH_WEAK_MUSCLES, Norm, foot_off
from pipeline.analysis.resampling import PERCENT
from pipeline.conventions import SIDES
from pipeline.reporting.figures.curves import predicted_lines
from pipeline.reporting.figures.muscles import norm_band
from pipeline.reporting.figures.panels import Band, Curve, Panel, Row, XAxis, YAxis
from pipeline.trial import CycleCurves, MuscleActivity, MuscleFatigue

DRAWN = tuple(GROUPS)[:12]
"""Muscles with a panel; the others are only in the tables."""

LESS_PRECISE = {
    "gastrocnemius_medialis": "gastrocnemius",
    "biceps_femoris": "hamstrings",
    "semitendinosus": "hamstrings_medial",
}
"""EMG channels that do not say which part of a muscle they record, by the part that has a panel."""

ALIKE = 0.01
"""Difference between predicted sides that is hidden by the width of a line, in activation or body weights."""

Means = Mapping[str, Mapping[str, np.ndarray]]
"""Mean curves (101,) by side and name."""


def activation_row(
    means: Means,
    cycles: Sequence[CycleCurves],
    emg: MuscleActivity | None,
    norm: Norm | None,
    speed: float,
    spread: Means | None = None,
    predicted: tuple[str, Means] | None = None,
) -> Row:
    """A panel for each muscle, with EMG as fractions of its own peak.

    Args:
        means: from `pipeline.analysis.mean_curves`, by side.
        cycles: of the walk, for the lines at foot off.
        emg: envelopes of the walk; None for none.
        norm: None for no norm.
        speed: dimensionless speed at which the norm is evaluated.
        spread: standard deviations by side and name, drawn as bands; None for none.
        predicted: label and mean curves of a predicted walk, drawn over the measured ones; None for none.
    """
    panels = []
    for muscle in DRAWN:
        axis = YAxis(muscle.replace("_", " ").capitalize(), "activation", 0.0, 1.0)
        lines = _lines(f"{muscle}_activation", means, predicted)
        bands = tuple(norm_band(muscle, "peak", norm, speed)) if norm else ()
        bands += tuple(_spread(f"{muscle}_activation", means, spread))
        panels.append(
            Panel(axis, (*_envelopes(muscle, emg), *lines), bands, _foot_offs(cycles), missing="moments not known")
        )
    return Row("", tuple(panels))


def contact_row(
    means: Means, cycles: Sequence[CycleCurves], spread: Means | None = None, predicted: tuple[str, Means] | None = None
) -> Row:
    """Magnitudes of joint contact forces, with lines at published peaks, then the medial and lateral parts at the knee.

    The parts have no lines, since no peak of several people is published for them. For the arguments, see
    `activation_row`.
    """
    panels = []
    parts = {f"knee_{part}": () for part in KNEE_PARTS}
    for name, published in (PUBLISHED | parts).items():
        title = f"{name.replace('_', ', ').capitalize()}{' part' if name in parts else ' contact force'}"
        axis = YAxis(title, "BW", 0.0, 3.0 if name in parts else 6.0)
        levels = [Curve(PERCENT, np.full(len(PERCENT), peak.value), "threshold") for peak in published]
        lines = _lines(f"{name}_contact_force", means, predicted)
        shown = (*levels, *lines) if lines else ()
        bands = tuple(_spread(f"{name}_contact_force", means, spread))
        panels.append(Panel(axis, shown, bands, _foot_offs(cycles), missing="moments not known"))
    return Row("", tuple(panels))


AS_PREDICTED = "as predicted"
CASE_STYLES = {AS_WALKED: "", WITH_LOAD: "dashed", WITH_WEAK_MUSCLES: "estimated", AS_PREDICTED: "dashed"}
"""Line styles of the walk as it was and of the compared cases; a load and a prediction are never shown together."""


def _lines(name: str, means: Means, predicted: tuple[str, Means] | None) -> list[Curve]:
    """Curves of both sides of a walk, then those of a predicted walk: one line if its sides are the same."""
    lines = [
        Curve(PERCENT, means[side][name], side, f"{'Measured, ' if predicted else ''}{side}".capitalize())
        for side in SIDES
        if name in means[side]
    ]
    words, of_sides = predicted or ("", {})
    also = {side: own[name] for side, own in of_sides.items() if name in own}
    values = [*also.values()]
    alike = len(values) == len(SIDES) and np.allclose(values[0], values[1], rtol=0.0, atol=ALIKE, equal_nan=True)
    return lines + predicted_lines(PERCENT, also, together=alike, words=words)


def fatigue_row(fatigue: MuscleFatigue) -> Row:
    """Capacity of one muscle per joint over an hour of this walk and of the compared cases."""
    panels = []
    for m, muscle in enumerate(fatigue.muscles):
        axis = YAxis(muscle.replace("_", " ").capitalize(), "% of rested capacity", 0.0, 100.0, 0)
        curves = [
            Curve(
                fatigue.minutes,
                100.0 * fatigue.capacity[c, s, m],
                f"{side} {CASE_STYLES[case]}".strip(),
                f"{side.capitalize()}{', ' + words if c else ''}",
            )
            for c, (case, words) in enumerate(zip(fatigue.cases, fatigue.case_words, strict=True))
            for s, side in enumerate(fatigue.side_names)
        ]
        panels.append(Panel(axis, tuple(curves), across=XAxis(0.0, 60.0, "min"), missing="moments not known"))
    return Row("", tuple(panels))


def _spread(name: str, means: Means, spread: Means | None) -> Iterator[Band]:
    """Bands of mean ± standard deviation of each side that has them, not below zero."""
    for side, of_side in (spread or {}).items():
        if name in of_side and np.isfinite(of_side[name]).any():
            mean, sd = means[side][name], of_side[name]
            yield Band(PERCENT, np.maximum(mean - sd, 0.0), mean + sd, f"{side} spread")


def _foot_offs(cycles: Sequence[CycleCurves]) -> tuple[tuple[str, float], ...]:
    offs = {side: [foot_off(c) for c in cycles if c.cycle.side == side] for side in SIDES}
    return tuple((f"{side} foot-off", float(np.mean(offs[side]))) for side in SIDES if offs[side])


def _envelopes(muscle: str, emg: MuscleActivity | None) -> list[Curve]:
    """Mean envelopes of the sides that have the muscle, normalised to their peaks."""
    names = [name for name in (muscle, LESS_PRECISE.get(muscle)) if emg and name in emg.muscle_names]
    if emg is None or not names:
        return []
    return [
        Curve(PERCENT, mean / np.nanmax(mean), f"{side} dashed", f"{side.capitalize()} EMG")
        for side, mean in zip(emg.side_names, emg.mean[:, emg.muscle_names.index(names[0])], strict=True)
        if np.isfinite(mean).any()
    ]
