"""Random faults against false alarms, each walk judged by limits from the other laboratories' walks.

    python -m tests.benchmarks.random_faults [--count 300] [--seed 5 6 7] [--keep FILE] [--full]

Faults of the grammar are planted in seven walks; two of them have a known fault already (`reference_walks`). A planted
fault counts as found if the walk is refused, or a finding or a warning is new compared with the walk as recorded. The
share of the wrong results that stay silent is shown next to the share of reference walks with a finding, at several
multiples of the warning limit.
"""

from __future__ import annotations

import argparse
import math
import pickle
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from pydantic import ValidationError

from pipeline.errors import PipelineError
from pipeline.plausibility import plausibility
from pipeline.plausibility.limits import OPEN, Limits
from tests.benchmarks.fault_grammar import random_faults
from tests.benchmarks.fault_list import Recordings
from tests.benchmarks.faults import errors_of, without_numbers
from tests.benchmarks.reference_walks import Computed, ReferenceWalk, compute, recordings, reference_walks
from tests.benchmarks.residuals import Measured, left_out, limits_of, measured_walks, without

WALKS = ("HC032A", "HC038A", "nantes", "kadmed2", "NP1004a05", "NP1023a03", "NP1026a11")
"""Of five laboratories, with steps of both feet."""

MAX_ANGLE, MAX_MOMENT = 5.0, 0.2
"""Degrees and Nm/kg beyond which a fault must not stay silent."""


@dataclass(frozen=True)
class Seen:
    """What is known of a walk: each residual's values by subject, and other findings and warnings without numbers."""

    residuals: tuple[tuple[str, str, float], ...]
    others: frozenset[str]
    refused: bool


@dataclass(frozen=True)
class Planted:
    """A fault in a walk, the largest errors of angles and moments, what was seen, and the largest effects stated."""

    walk: str
    kind: str
    text: str
    angles: float
    moments: float
    seen: Seen
    stated: tuple[float, float] = (0.0, 0.0)

    @property
    def wrong(self) -> bool:
        """Whether results are wrong by more than may stay silent."""
        return not (self.angles <= MAX_ANGLE and self.moments <= MAX_MOMENT)


REFUSED = Seen((), frozenset(), True)


def seen_in(computed: Computed, given: Recordings) -> Seen:
    """All residuals, and what else the checks and the notes say."""
    motion, loads, marker_set = computed.motion, computed.loads, computed.walk.marker_set
    found = plausibility(motion, loads, computed.summary, given.walk, given.static, marker_set, OPEN).findings
    notes = (*motion.notes, *motion.calibration.notes, *loads.notes, *computed.summary.notes)
    others = {f"{f.grade} {f.subject}" for f in found if not f.residual}
    others |= {without_numbers(f"{n.subject}: {n.text}") for n in notes if n.kind == "warning"}
    others |= {f"{s.on} {without_numbers(s.rejected)}" for s in motion.stances if s.rejected}
    values = tuple((f.residual, f.subject, f.value) for f in found if f.residual and math.isfinite(f.value))
    return Seen(values, frozenset(others), any(f.grade == "refusal" and not f.residual for f in found))


def crossed(seen: Seen, limits: Limits) -> set[tuple[str, str]]:
    """Residuals beyond their limits, by name and subject."""
    return {(name, subject) for name, subject, value in seen.residuals if limits.crossed(name, value) is not None}


def is_found(planted: Seen, clean: Seen, limits: Limits) -> bool:
    """Whether something is said that is not said of the clean walk."""
    warned = replace(limits, noted=limits.multiple)
    return (
        planted.refused
        or bool(planted.others - clean.others)
        or any(crossed(planted, own) - crossed(clean, own) for own in (limits, warned))
    )


def planted_faults(count: int, seeds: Sequence[int]) -> tuple[dict[str, Seen], list[Planted]]:
    """What is seen of each clean walk, and of each fault; so many of each seed."""
    walks = [walk for walk in reference_walks() if walk.name in WALKS]
    given = {walk.name: recordings(walk) for walk in walks}
    clean = {walk.name: compute(walk, given[walk.name]) for walk in walks}
    seen = {name: seen_in(computed, given[name]) for name, computed in clean.items()}
    found = []
    for k, fault in (numbered for seed in seeds for numbered in enumerate(random_faults(count, seed))):
        walk = walks[k % len(walks)]
        found.append(_planted(walk, clean[walk.name], *fault.plant(given[walk.name]), fault.kind))
    return seen, found


def _planted(walk: ReferenceWalk, clean: Computed, given: Recordings, text: str, kind: str) -> Planted:
    try:
        computed = compute(walk, given)
    except (PipelineError, ValidationError):  # the latter: a value that subjects.tsv refuses
        return Planted(walk.name, kind, text, math.inf, math.inf, REFUSED)
    errors = errors_of(computed, clean)
    return Planted(
        walk.name, kind, text, errors.angles, errors.moments, seen_in(computed, given), stated_in(computed, given)
    )


def stated_in(computed: Computed, given: Recordings) -> tuple[float, float]:
    """Largest effects on an angle (degrees) and a moment (Nm/kg) that the findings state, by the limits that ship."""
    recorded = given.walk, given.static, computed.walk.marker_set
    found = plausibility(computed.motion, computed.loads, computed.summary, *recorded).findings
    angles, moments = ([getattr(f, name) for f in found] for name in ("angle_error", "moment_error"))
    return max((v for v in angles if v > 0.0), default=0.0), max((v for v in moments if v > 0.0), default=0.0)


def report(clean: Mapping[str, Seen], planted: Sequence[Planted], walks: Sequence[Measured], *, full: bool) -> None:
    """Print the tables."""
    own = {walk.walk.name: walk for walk in walks}
    limits = {name: limits_of(without(walks, own[name]), 0.05) for name in clean}
    wrong = [p for p in planted if p.wrong]
    warned = {name: replace(own_, noted=own_.multiple) for name, own_ in limits.items()}
    unwarned = sum(not is_found(p.seen, clean[p.walk], warned[p.walk]) for p in wrong)
    print(f"{unwarned} of {len(wrong)} wrong results have no new warning ({100 * unwarned / len(wrong):.0f} %)")
    silent = [p for p in wrong if not is_found(p.seen, clean[p.walk], limits[p.walk])]
    print(
        f"{len(planted)} faults, {len(wrong)} with results wrong by more than {MAX_ANGLE:g} degrees or "
        f"{MAX_MOMENT:g} Nm/kg; silent {len(silent)} ({100 * len(silent) / len(wrong):.0f} %)"
    )
    print("| kind | planted | wrong | silent | largest silent, degrees | Nm/kg |\n|---|---|---|---|---|---|")
    for kind, count in sorted(Counter(p.kind for p in planted).items()):
        mute = [p for p in silent if p.kind == kind]
        most = [max((getattr(p, name) for p in mute), default=0.0) for name in ("angles", "moments")]
        number = sum(p.kind == kind for p in wrong)
        print(f"| {kind.replace('_', ' ')} | {count} | {number} | {len(mute)} | {most[0]:.0f} | {most[1]:.2f} |")
    print("\n| multiple of the warning limit | clean walks with a finding, % | silent of the wrong, % |\n|---|---|---|")
    largest = [score / judged.multiple for _, score, _, judged in left_out(walks, 0.05)]
    for factor in (0.5, 0.6, 0.7, 0.85, 1.0, 1.2, 1.5):
        at = {name: Limits(one.spreads, *[factor * one.multiple] * 2, 0.0) for name, one in limits.items()}
        alarms = sum(value > factor for value in largest)
        mute = sum(not is_found(p.seen, clean[p.walk], at[p.walk]) for p in wrong)
        print(f"| {factor:g} times | {100 * alarms / len(walks):.0f} | {100 * mute / len(wrong):.0f} |")
    _stated(wrong)
    for p in silent if full else []:
        print(f"{p.walk:10} {p.angles:5.1f} {p.moments:5.2f}  {p.text}")


def _stated(wrong: Sequence[Planted]) -> None:
    """How the stated effects compare with the errors, where one is stated: a tenth, half and nine tenths are below."""
    for what, size, limit in (("angles", 0, MAX_ANGLE), ("moments", 1, MAX_MOMENT)):
        ratios = [
            p.stated[size] / error
            for p in wrong
            if limit < (error := getattr(p, what)) < math.inf and p.stated[size] > 0.0
        ]
        if ratios:
            low, middle, high = np.quantile(ratios, [0.1, 0.5, 0.9])
            print(f"effect stated / error of {what}, {len(ratios)}: {low:.2f}, {middle:.2f}, {high:.2f}")


def main() -> None:
    """Plant, judge, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=300, help="number of faults of each seed")
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="of one set of faults each")
    parser.add_argument("--keep", type=Path, help="file of the planted faults: a second run only judges them")
    parser.add_argument("--measured", type=Path, help="file that `residuals --keep` wrote of the reference walks")
    parser.add_argument("--full", action="store_true", help="list the silent faults")
    options = parser.parse_args()
    if options.keep and options.keep.is_file():
        clean, planted = pickle.loads(options.keep.read_bytes())
    else:
        clean, planted = planted_faults(options.count, options.seed)
        if options.keep:
            options.keep.write_bytes(pickle.dumps((clean, planted)))
    report(clean, planted, measured_walks(options.measured), full=options.full)


if __name__ == "__main__":
    main()
