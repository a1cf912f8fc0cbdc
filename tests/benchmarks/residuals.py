"""Measure every residual on the reference walks, and write the file of quantiles from which limits are set.

    python -m tests.benchmarks.residuals [--write] [--false-alarms 0.05] [--keep FILE]

Walks that are known to be wrong are left out of the families of residuals that this affects. The table shows each
residual, its spread and walks; then, for each laboratory and person, the share of walks with a finding when the limits
come from the others, and the share of the walks without a known fault for which no check gives a warning. With --write
the file `config/residuals.json` is replaced.
"""

from __future__ import annotations

import argparse
import json
import math
import pickle
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from scipy.stats import norm, t

from pipeline.errors import PipelineError
from pipeline.plausibility import plausibility
from pipeline.plausibility.assess import graded
from pipeline.plausibility.effects import with_effects
from pipeline.plausibility.limits import OPEN, SHIPPED, Limits, Spread
from pipeline.trial import Finding, Note
from tests.benchmarks.fault_list import Recordings
from tests.benchmarks.reference_walks import Computed, ReferenceWalk, compute, recordings, reference_walks

LOGARITHMIC = ("in 4 ms", "third difference", "over stature", "over knee")
"""Parts of the names of residuals that are positive and spread over decades, or are ratios."""

ONE_SIDED = {
    "above": ("in 4 ms", "third difference", "moment of the", "two steps of one foot", "on a line"),
    "below": ("mediolateral force over", "5 to 9 Hz"),
}
"""Parts of names of residuals for which only large, or only small, values are meaningful."""

SMALLEST = {
    **{"distance of the ASIS": 8.0, "distance from": 3.0, "width, left": 3.0, "over": 0.03},
    **{"delay of a plate": 2.5, "on a line": 15.0, "third difference": 0.4, "Hz": 0.45},
}
"""Spreads that are taken at least, by part of the name: what calipers and skin leave of a distance of the pelvis and
of other distances (mm), calipers of a width (% and logarithm), a frame and a half at 100 Hz (ms), noise of other
cameras (logarithm), and a synthetic walk without noise (decades); a quarter of a frame at 100 Hz for delays (ms)."""

NOTED = 0.44
"""Share of the reference walks that have at least a note: the smallest with which each of the 585 rows of
`tests.benchmarks.faults` that was found with earlier residuals is found."""

RELIABLE = 0.995
"""Probability for which the spread of few people is widened by the ratio of Student's to the normal quantile."""


@dataclass(frozen=True)
class Measured:
    """Findings on one walk when every residual is reported.

    Attributes:
        walk: that was measured.
        findings: of all checks.
        warnings: of the stages before.
    """

    walk: ReferenceWalk
    findings: tuple[Finding, ...]
    warnings: tuple[Note, ...]

    @cached_property
    def values(self) -> dict[str, tuple[float, ...]]:
        """Values of the residuals, by name."""
        found: dict[str, list[float]] = {}
        for finding in self.findings:
            if finding.residual and math.isfinite(finding.value) and finding.grade != "refusal":
                found.setdefault(finding.residual, []).append(finding.value)
        return {name: tuple(own) for name, own in found.items()}

    def warned(self, limits: Limits) -> list[str]:
        """What keeps the walk from the status ok by limits of residuals, all other checks included."""
        judged = [f for f in self.findings if not f.residual or limits.crossed(f.residual, f.value) is not None]
        grades = ((finding, graded(finding, limits).grade) for finding in judged)
        own = [f"{f.subject}: {f.residual or f.text}" for f, grade in grades if grade != "note"]
        return [*own, *(f"{note.subject}: {note.text}" for note in self.warnings)]


def measured_in(computed: Computed, given: Recordings) -> Measured:
    """All findings of a walk, and every value of every residual."""
    marker_set, motion = computed.walk.marker_set, computed.motion
    loads, summary = computed.loads, computed.summary
    found = plausibility(motion, loads, summary, given.walk, given.static, marker_set, OPEN).findings
    if not computed.walk.wrong:  # only these are graded
        found = tuple(with_effects(found, motion, loads, marker_set, most=None))
    notes = (*motion.notes, *motion.calibration.notes, *loads.notes, *summary.notes)
    return Measured(computed.walk, found, tuple(note for note in notes if note.kind == "warning"))


def measured_walks(keep: Path | None = None) -> list[Measured]:
    """All reference walks that can be computed; those of the file ``keep`` are taken from it."""
    if keep and keep.is_file():
        return pickle.loads(keep.read_bytes())
    found = []
    for walk in reference_walks():
        given = recordings(walk)
        try:
            found.append(measured_in(compute(walk, given), given))
        except PipelineError as error:
            print(f"{walk.name}: {error}")
    if keep:
        keep.write_bytes(pickle.dumps(found))
    return found


def counts(walk: ReferenceWalk, residual: str) -> bool:
    """Whether a walk is a reference for a residual."""
    return not any(part in residual for part in walk.affected)


def spreads_of(walks: Sequence[Measured]) -> dict[str, Spread]:
    """The spread of each residual over the walks that are a reference for it."""
    names = sorted({name for walk in walks for name in walk.values})
    found = {}
    for name in names:
        own = [walk for walk in walks if name in walk.values and counts(walk.walk, name)]
        log = any(part in name for part in LOGARITHMIC)
        values = np.array([value for walk in own for value in walk.values[name] if not log or value > 0.0])
        if len(values) < 3:
            continue
        values = np.log(values) if log else values
        middle = float(np.median(values))
        people = {(walk.walk.laboratory, walk.walk.person) for walk in own}
        wide = float(t.ppf(RELIABLE, max(len(people) - 1, 1)) / norm.ppf(RELIABLE))
        smallest = next((size for part, size in SMALLEST.items() if part in name), 0.0)
        sides = {}
        for side, away in (("above", values - middle), ("below", middle - values)):
            far = away[away >= 0.0]
            spread = max(wide * float(np.quantile(far, 0.9)) / 1.645, smallest, 1e-9)
            other = ONE_SIDED["below" if side == "above" else "above"]
            sides[side] = math.inf if any(part in name for part in other) else spread
        found[name] = Spread(
            middle, sides["below"], sides["above"], log, len(values), len(own), len(people), len({p[0] for p in people})
        )
    return found


def score(walk: Measured, spreads: Mapping[str, Spread], *, clean: bool = True) -> tuple[float, str]:
    """The largest score of a walk's residuals, and whose it is; of a reference walk only those that it counts for."""
    scores = [
        (spreads[name].score(value), name)
        for name, values in walk.values.items()
        if name in spreads and (not clean or counts(walk.walk, name))
        for value in values
    ]
    return max(((s, name) for s, name in scores if math.isfinite(s)), default=(-math.inf, ""))


def without(walks: Sequence[Measured], walk: Measured) -> list[Measured]:
    """The walks of other laboratories or, if most walks are from one laboratory, of other people."""
    people = {w.walk.person for w in walks if w.walk.laboratory == walk.walk.laboratory}
    own = (walk.walk.laboratory, walk.walk.person) if len(people) > 2 else (walk.walk.laboratory,)
    return [w for w in walks if (w.walk.laboratory, w.walk.person)[: len(own)] != own]


def limits_of(walks: Sequence[Measured], false_alarms: float) -> Limits:
    """Limits that a given share of the walks exceeds, each judged by the spreads of the others."""
    scores = [score(walk, spreads_of(without(walks, walk)))[0] for walk in walks]
    multiple, noted = (float(np.quantile(scores, 1.0 - share)) for share in (false_alarms, max(NOTED, false_alarms)))
    return Limits(spreads_of(walks), multiple, noted, false_alarms)


def left_out(walks: Sequence[Measured], false_alarms: float) -> Iterator[tuple[Measured, float, str, Limits]]:
    """Each walk with its score by limits of the others, and these."""
    for walk in walks:
        limits = limits_of(without(walks, walk), false_alarms)
        yield (walk, *score(walk, limits.spreads), limits)


def stored(limits: Limits) -> str:
    """Text of the file."""
    rows = {
        name: {key: None if value == math.inf else value for key, value in vars(spread).items()}
        for name, spread in limits.spreads.items()
    }
    rounded = {
        name: {key: round(v, 6) if isinstance(v, float) else v for key, v in row.items()} for name, row in rows.items()
    }
    multiples = {"multiple": round(limits.multiple, 4), "noted": round(limits.noted, 4)}
    content = {"false_alarms": limits.false_alarms, **multiples, "residuals": rounded}
    return json.dumps(content, indent=1) + "\n"


def table(limits: Limits) -> Iterator[str]:
    """One line for each residual."""
    yield "| residual | median | limits | values | walks | people | laboratories |"
    yield "|---|---|---|---|---|---|---|"
    for name, s in limits.spreads.items():
        ends = [
            f"{s.limit(limits.multiple, high=high):.3g}" if math.isfinite(s.above if high else s.below) else "-"
            for high in (False, True)
        ]
        numbers = f"{s.values} | {s.walks} | {s.people} | {s.laboratories}"
        yield f"| {name} | {s.typical:.3g} | {ends[0]} to {ends[1]} | {numbers} |"


def main() -> None:
    """Print the tables, and write the file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="replace config/residuals.json")
    parser.add_argument("--false-alarms", type=float, default=0.05, help="share of the reference walks")
    parser.add_argument("--keep", type=Path, help="file of the measured values")
    options = parser.parse_args()
    walks = measured_walks(options.keep)
    limits = limits_of(walks, options.false_alarms)
    for line in table(limits):
        print(line)
    print(
        f"\nmultiple of the spread: {limits.multiple:.2f}, of a note {limits.noted:.2f}; walk left out, score, limit, "
        "worst residual:"
    )
    alarms, ok, clean = 0, 0, 0
    for walk, value, name, own in left_out(walks, options.false_alarms):
        alarms += value > own.multiple
        warned = walk.warned(own)
        mark = "*" if value > own.multiple else " "
        print(f"{walk.walk.laboratory:8}{walk.walk.name:12}{value:6.2f}{own.multiple:6.2f} {mark} {name}")
        if not walk.walk.wrong:
            clean, ok = clean + 1, ok + (not warned)
            print("".join(f"{'':20}warned of {what}\n" for what in warned), end="")
    print(f"{alarms} of {len(walks)} walks have a residual beyond its limit")
    print(f"{ok} of the {clean} walks without a known fault have no warning of any check ({100 * ok / clean:.0f} %)")
    if options.write:
        SHIPPED.write_text(stored(limits), encoding="utf-8")


if __name__ == "__main__":
    main()
