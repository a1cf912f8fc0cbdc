"""The section of a walk's page on estimated muscle forces: panels, peaks with published ones, and notes.

On the page of a prediction, the same section shows both the measured and the predicted walk.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from pipeline.analysis import AS_WALKED, GROUPS, KNEE_PARTS, PUBLISHED, Norm, is_run, known_in_stance, mean_curves
from pipeline.conventions import SIDES
from pipeline.reporting.figures.muscle_loads import (
    AS_PREDICTED,
    CASE_STYLES,
    Means,
    activation_row,
    contact_row,
    fatigue_row,
)
from pipeline.reporting.figures.panels import Row
from pipeline.reporting.numbers import number
from pipeline.trial import CycleCurves, MuscleActivity, MuscleFatigue, MuscleLoads


@dataclass(frozen=True)
class MuscledWalk:
    """A walk with its estimated muscle forces.

    Attributes:
        words: label of the walk if two are shown; empty for a single one.
        loads: its muscle forces.
        cycles: its gait cycles, on the time axis of the loads.
    """

    words: str
    loads: MuscleLoads
    cycles: Sequence[CycleCurves]

    def means(self) -> Means:
        """Mean curves by side and name over the cycles that are not set aside."""
        own = tuple(curves.cycle for curves in self.cycles if not curves.set_aside)
        return {side: mean_curves(self.loads, own, side) for side in SIDES}


@dataclass(frozen=True)
class MuscleSection:
    """The section's parts as text and panels.

    Attributes:
        activations, contact, fatigue: panels of activations, joint contact forces, and capacity over an hour.
        contacts: joint, peak and percent of the cycle of each side, published peaks.
        muscles: muscle, peak activation and peak force of each side.
        reserves: joint of the skeleton, largest reserve and peak moment in Nm.
        endurance: muscle and case; capacity after the hour in percent and endurance time in minutes of each side.
        cases: styles and labels of the cases compared with the walk.
        sources: of the published peaks.
        above: joints whose peak exceeds all published ones, with the values.
        lacks: sentences on missing results and caveats.
        method: sentences on the method.
        predicted: styles and labels of the lines of a predicted walk compared with a measured one.
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
    predicted: tuple[tuple[str, str], ...]


def muscle_section(
    walk: MuscledWalk,
    emg: MuscleActivity | None = None,
    norm: Norm | None = None,
    speed: float = np.nan,
    *,
    predicted: MuscledWalk | None = None,
) -> MuscleSection:
    """The section of a walk, or of a measured walk and its prediction.

    Args:
        walk: the walk.
        emg: its envelopes; None for none.
        norm: norm of the EMG envelopes; None for none.
        speed: dimensionless speed at which the norm is evaluated.
        predicted: the predicted walk; None for none.
    """
    loads, cycles, means = walk.loads, walk.cycles, walk.means()
    also = (predicted.words, predicted.means()) if predicted else None
    both = [(walk.words, means), *([also] if also else [])]
    walks = [walk, *([predicted] if predicted else [])]
    contact = contact_row(means, cycles, predicted=also)
    fatigue = _beside(loads.fatigue, predicted) if predicted else loads.fatigue
    return MuscleSection(
        activations=activation_row(means, cycles, emg, norm, speed, predicted=also),
        contact=contact,
        fatigue=fatigue_row(fatigue) if fatigue else None,
        contacts=tuple(
            _contact(name, own, words)
            for name in (*PUBLISHED, *(f"knee_{part}" for part in KNEE_PARTS))
            for words, own in both
        ),
        muscles=tuple(_muscle(group, own, words) for group in GROUPS for words, own in both),
        reserves=tuple(row for one in walks for row in _reserves(one.loads, one.words)),
        endurance=tuple(_endurance(fatigue)) if fatigue else (),
        cases=tuple(_cases(fatigue)) if fatigue else (),
        sources=tuple(
            f"{joint} {number(peak.value, 1)} BW: {peak.source}" for joint, peaks in PUBLISHED.items() for peak in peaks
        ),
        above=tuple(
            f"{one.words} {text}".strip()
            for one, (_, own) in zip(walks, both, strict=True)
            if not is_run(one.cycles)  # published peaks are those of walking
            for text in _above(own)
        ),
        lacks=(*_notes(walks, info=False), *_without_peaks(both)),
        method=_notes(walks, info=True),
        has_emg=bool(emg and emg.muscle_names),
        tendons="elastic tendons of soleus and gastrocnemii" if loads.tendons == "elastic" else "rigid tendons",
        predicted=_legend(contact) if predicted else (),
    )


def _notes(walks: Sequence[MuscledWalk], *, info: bool) -> tuple[str, ...]:
    """Sentences on the method (``info``) or on what is missing; given once if they hold for all walks."""
    of_text: dict[str, list[str]] = {}
    for walk in walks:
        for text in dict.fromkeys(note.text for note in walk.loads.notes if (note.kind == "info") is info):
            of_text.setdefault(text, []).append(walk.words)
    return tuple(_sentence(text if len(of) == len(walks) else f"{of[0]} walk: {text}") for text, of in of_text.items())


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


def _legend(row: Row) -> tuple[tuple[str, str], ...]:
    """Styles and labels of the predicted curves of a row, each once."""
    curves = (curve for panel in row.panels for curve in panel.curves)
    return tuple(dict.fromkeys((c.style, c.label) for c in curves if c.style.startswith("predicted")))


def _named(name: str, words: str) -> str:
    return f"{name.replace('_', ' ').capitalize()}{', ' + words if words else ''}"


def _contact(name: str, means: Means, words: str) -> tuple[str, ...]:
    cells = []
    for side in SIDES:
        curve = _known(means, side, f"{name}_contact_force")
        cells += ["", ""] if curve is None else [number(np.nanmax(curve), 1), str(np.nanargmax(curve))]
    published = ", ".join(number(peak.value, 1) for peak in PUBLISHED.get(name, ()))
    return _named(name.replace("_", ", "), words), *cells, published


def _known(means: Means, side: str, name: str) -> np.ndarray | None:
    """A mean curve (101,) of a side; None if the side does not have it, or not in stance."""
    curve = means[side].get(name)
    return curve if curve is not None and known_in_stance(curve) else None


def _without_peaks(both: Sequence[tuple[str, Means]]) -> Iterator[str]:
    """A sentence for each side whose curves have no peak because its load in stance is not known."""
    for words, means in both:
        for side in SIDES:
            curves = [curve for name, curve in means[side].items() if name.endswith("_contact_force")]
            if curves and not any(known_in_stance(curve) for curve in curves):
                of = f"{words} walk, {side} side" if words else f"{side.capitalize()} side"
                yield f"{of}: the load on its foot in stance is not known, so there are values only in swing, no peaks."


def _above(means: Means) -> Iterator[str]:
    """Peaks above all published ones, compared with the published precision of one decimal."""
    for joint, published in PUBLISHED.items():
        highest = max(peak.value for peak in published)
        for side in SIDES:
            curve = _known(means, side, f"{joint}_contact_force")
            peak = 0.0 if curve is None else float(np.nanmax(curve))
            if round(peak, 1) > highest:
                yield f"{side} {joint} {number(peak, 1)} BW (published up to {number(highest, 1)})"


def _muscle(group: str, means: Means, words: str) -> tuple[str, ...]:
    names = f"{group}_activation", f"{group}_force"
    curves = [_known(means, side, name) for name in names for side in SIDES]
    return _named(group, words), *("" if curve is None else number(np.nanmax(curve), 2) for curve in curves)


def _beside(measured: MuscleFatigue | None, predicted: MuscledWalk) -> MuscleFatigue | None:
    """Fatigue of a measured walk and of its prediction, as two cases; only one of them if the other has none."""
    other = predicted.loads.fatigue
    if other is None or measured is None:
        return measured or other
    one, two = measured.cases.index(AS_WALKED), other.cases.index(AS_WALKED)
    return replace(
        measured,
        cases=(AS_WALKED, AS_PREDICTED),
        case_words=(measured.case_words[one], other.case_words[two]),
        capacity=np.stack([measured.capacity[one], other.capacity[two]]),
        peak_load=np.stack([measured.peak_load[one], other.peak_load[two]]),
        held=np.stack([measured.held[one], other.held[two]]),
    )


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


def _reserves(loads: MuscleLoads, words: str) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for name, values, peak in zip(loads.coordinates, loads.reserve.T, loads.peak_moment, strict=True):
        if np.isfinite(values).any():
            largest = float(np.nanmax(np.abs(values)))
            rows.append((_named(name, words), number(largest, 2), number(peak, 1)))
    return rows
