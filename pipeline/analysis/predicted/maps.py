"""Statistical parametric mapping of several predicted walks against the measured walks of their tasks.

Pairs have to be independent. With three subjects or more, a pair is a subject with the mean of its walks, since walks
of one person are correlated. With fewer, pairs are the walks of each subject with three or more; the result then holds
for that person alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from pipeline.analysis.cycles import WHOLE
from pipeline.analysis.resampling import PERCENT
from pipeline.analysis.statistical_mapping import MIN_CURVES, MappingError, installed, over_common_percents, paired
from pipeline.analysis.variables import CYCLE_VARIABLES, MAIN
from pipeline.trial import Note, PairedMap, PredictedComparison, PredictedSample, PredictedStudy

MAPPING = "statistical mapping"
"""Subject of the notes."""


def predicted_study(by_kind: Mapping[str, Sequence[PredictedComparison]]) -> PredictedStudy:
    """Maps of all kinds of predictions with enough walks; a note for the others.

    Args:
        by_kind: comparisons of predictions with the walks named by their tasks, by preset and form, which are never
            mixed.
    """
    samples, notes = [], []
    for kind, comparisons in by_kind.items():
        found = dict(_pairs(comparisons))
        if found and installed():
            samples += [_sample(kind, subject, pairs) for subject, pairs in found.items()]
        elif found:
            notes.append(Note("left out", MAPPING, "spm1d is not installed. Install it with: pip install .[spm]"))
        else:
            walks = {(one.subject, one.walk) for one in comparisons}
            subjects = len({subject for subject, _ in walks})
            text = (
                f"{kind}: walks of {MIN_CURVES} subjects, or {MIN_CURVES} of one, are needed; there are {len(walks)} "
                f"of {subjects}"
            )
            notes.append(Note("left out", MAPPING, text))
    return PredictedStudy(PERCENT, tuple(samples), tuple(dict.fromkeys(notes)))


def _pairs(
    comparisons: Sequence[PredictedComparison],
) -> Iterator[tuple[str, dict[str, list[PredictedComparison]]]]:
    """Comparisons of each pair by its name, for all subjects together or for each that has enough walks."""
    subjects = dict.fromkeys(one.subject for one in comparisons)
    by_subject = {name: [one for one in comparisons if one.subject == name] for name in subjects}
    if len(by_subject) >= MIN_CURVES:
        yield "", by_subject
        return
    for subject, own in by_subject.items():
        by_walk = {name: [one for one in own if one.walk == name] for name in dict.fromkeys(one.walk for one in own)}
        if len(by_walk) >= MIN_CURVES:
            yield subject, by_walk


def _sample(kind: str, subject: str, pairs: Mapping[str, Sequence[PredictedComparison]]) -> PredictedSample:
    maps, left_out = {}, {}
    for variable in MAIN:
        curves = {name: _mean(own, variable) for name, own in pairs.items()}
        until = min(map(_stance, pairs.values())) if CYCLE_VARIABLES[variable].quantity == "ground" else len(PERCENT)
        known = {name: np.isfinite(both[:, :until]).all(axis=0) for name, both in curves.items()}
        whole = [name for name in pairs if known[name].mean() >= WHOLE]
        reasons = [f"incomplete curves: {', '.join(name for name in pairs if name not in whole)}"]
        try:
            maps[variable] = _paired_map(variable, {name: curves[name] for name in whole}, until)
        except MappingError as error:
            reasons.append(str(error))
        if len(whole) < len(pairs) or variable not in maps:
            left_out[variable] = "; ".join(reasons[len(whole) == len(pairs) :])
    return PredictedSample(kind, subject, maps, left_out)


def _paired_map(variable: str, curves: Mapping[str, np.ndarray], until: int) -> PairedMap:
    """The test over the percents that all pairs have; a few may be missing at either end.

    Raises:
        MappingError: as for `paired`, or a curve is interrupted.
    """
    both = np.array(list(curves.values())).reshape(len(curves), 2, len(PERCENT))
    one, other = both[:, 0], both[:, 1]
    test = over_common_percents(paired, one, other, until)
    difference = np.where(np.isfinite(test.t), np.mean(one - other, axis=0), np.nan)
    return PairedMap(CYCLE_VARIABLES[variable].units, tuple(curves), difference, test)


def _mean(comparisons: Sequence[PredictedComparison], variable: str) -> np.ndarray:
    """Predicted and measured curve (2, 101): mean over each walk's sides with both, then over the walks with both."""
    walks = []
    for one in comparisons:
        row = one.variable_names.index(variable)
        sides = [np.stack([p[row], m[row]]) for p, m in zip(one.predicted, one.measured, strict=True)]
        known = [both for both in sides if np.isfinite(both).any(axis=1).all()]
        if known:
            walks.append(np.mean(known, axis=0))
    return np.mean(walks, axis=0) if walks else np.full((2, len(PERCENT)), np.nan)


def _stance(comparisons: Sequence[PredictedComparison]) -> int:
    """Percents of the cycle in which all feet are on the ground; the ground reaction is not compared in swing."""
    offs = [offs for one in comparisons for offs in (*one.predicted_foot_off, *one.measured_foot_off)]
    return int(np.searchsorted(PERCENT, min(offs)))
