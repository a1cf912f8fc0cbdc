"""What the page of a walk shows of its estimated muscle forces: panels, peaks beside published ones, notes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pipeline.analysis import GROUPS, KNEE_PARTS, PUBLISHED, Norm, mean_curves
from pipeline.conventions import SIDES
from pipeline.reporting.figures.muscle_loads import CASE_STYLES, Means, activation_row, contact_row, fatigue_row
from pipeline.reporting.figures.panels import Row
from pipeline.reporting.numbers import number
from pipeline.trial import CycleCurves, MuscleActivity, MuscleFatigue, MuscleLoads, Note


@dataclass(frozen=True)
class MuscleSection:
    """The section's parts as text and panels.

    Attributes:
        contacts: joint, peak and percent of the cycle of each side, published peaks.
        muscles: muscle, peak activation and peak force of each side.
        reserves: joint of the skeleton, largest reserve and peak moment in Nm.
        endurance: muscle and case; capacity after the hour in percent and minutes that the peak is held, of each side.
        cases: style and words of the cases beside the walk.
        sources: of the published peaks.
        above: joints whose peak is above all published ones, with the values.
        lacks: sentences on what is missing or to be read with care.
        method: sentences on how the forces were found.
    """

    activations: Row
    contact: Row
    fatigue: Row | None
    contacts: tuple[tuple[str, ...], ...]
    muscles: tuple[tuple[str, ...], ...]
    reserves: tuple[tuple[str, ...], ...]
    endurance: tuple[tuple[str, ...], ...]
    cases: tuple[tuple[str, str], ...]
    sources: tuple[str, ...]
    above: tuple[str, ...]
    lacks: tuple[str, ...]
    method: tuple[str, ...]
    has_emg: bool
    tendons: str


def muscle_section(
    loads: MuscleLoads, cycles: Sequence[CycleCurves], emg: MuscleActivity | None, norm: Norm | None, speed: float
) -> MuscleSection:
    """The section of a walk.

    Args:
        loads: its estimated forces.
        cycles: of the walk.
        emg: its envelopes; None for none.
        norm: whose envelopes are shown beside; None for none.
        speed: dimensionless speed at which the norm is evaluated.
    """
    own = tuple(curves.cycle for curves in cycles if not curves.set_aside)
    means: Means = {side: mean_curves(loads, own, side) for side in SIDES}
    return MuscleSection(
        activations=activation_row(means, cycles, emg, norm, speed),
        contact=contact_row(means, cycles),
        fatigue=fatigue_row(loads.fatigue) if loads.fatigue else None,
        contacts=tuple(_contact(name, means) for name in (*PUBLISHED, *(f"knee_{part}" for part in KNEE_PARTS))),
        muscles=tuple(_muscle(group, means) for group in GROUPS),
        reserves=tuple(_reserves(loads)),
        endurance=tuple(_endurance(loads.fatigue)) if loads.fatigue else (),
        cases=tuple(_cases(loads.fatigue)) if loads.fatigue else (),
        sources=tuple(
            f"{joint} {number(peak.value, 1)} BW: {peak.source}" for joint, peaks in PUBLISHED.items() for peak in peaks
        ),
        above=tuple(_above(means)),
        lacks=tuple(_sentences(note for note in loads.notes if note.kind != "info")),
        method=tuple(_sentences(note for note in loads.notes if note.kind == "info")),
        has_emg=bool(emg and emg.muscle_names),
        tendons="elastic tendons of soleus and gastrocnemii" if loads.tendons == "elastic" else "rigid tendons",
    )


def _sentences(notes: Iterable[Note]) -> Iterator[str]:
    return (f"{note.text[0].upper()}{note.text[1:]}." for note in notes)


def _contact(name: str, means: Means) -> tuple[str, ...]:
    cells = []
    for side in SIDES:
        curve = means[side].get(f"{name}_contact_force")
        cells += ["", ""] if curve is None else [number(np.nanmax(curve), 1), str(np.nanargmax(curve))]
    published = ", ".join(number(peak.value, 1) for peak in PUBLISHED.get(name, ()))
    return name.replace("_", ", ").capitalize(), *cells, published


def _above(means: Means) -> Iterator[str]:
    for joint, published in PUBLISHED.items():
        highest = max(peak.value for peak in published)
        for side in SIDES:
            curve = means[side].get(f"{joint}_contact_force")
            if curve is not None and np.nanmax(curve) > highest:
                yield f"{side} {joint} {number(np.nanmax(curve), 1)} BW (published up to {number(highest, 1)})"


def _muscle(group: str, means: Means) -> tuple[str, ...]:
    cells = [
        number(np.nanmax(means[side][name]), 2) if name in means[side] else ""
        for name in (f"{group}_activation", f"{group}_force")
        for side in SIDES
    ]
    return group.replace("_", " ").capitalize(), *cells


def _cases(fatigue: MuscleFatigue) -> Iterator[tuple[str, str]]:
    for case, words in zip(fatigue.cases, fatigue.case_words, strict=True):
        if CASE_STYLES[case]:
            yield CASE_STYLES[case], f"{words[0].upper()}{words[1:]}"


def _endurance(fatigue: MuscleFatigue) -> Iterator[tuple[str, ...]]:
    for m, muscle in enumerate(fatigue.muscles):
        for c, words in enumerate(fatigue.case_words):
            if np.isfinite(fatigue.held[c, :, m]).any():
                name = "" if c else muscle.replace("_", " ").capitalize()
                last, held = fatigue.capacity[c, :, m, -1], fatigue.held[c, :, m]
                yield name, words, *(number(100 * v, 0) for v in last), *(number(v, 0) for v in held)


def _reserves(loads: MuscleLoads) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, values, peak in zip(loads.coordinates, loads.reserve.T, loads.peak_moment, strict=True):
        if np.isfinite(values).any():
            largest = float(np.nanmax(np.abs(values)))
            rows.append((name.replace("_", " ").capitalize(), number(largest, 2), number(peak, 1)))
    return rows
