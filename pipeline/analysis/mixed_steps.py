"""Loads estimated from motion for gait cycles without a plate, if a study includes them in averages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pipeline.analysis.cycles import kinetics_over, no_kinetics
from pipeline.analysis.variables import Variable
from pipeline.conventions import SIDES
from pipeline.trial import CycleCurves, GaitCycles, GroundFromMotion, Note

ESTIMATED = "estimated steps included"
"""Words in titles and kinds of mixed averages."""

ESTIMATED_CYCLE = "cycle with estimated loads"
"""Kind of values from one such cycle."""

SET_ASIDE = "set aside"
"""Words in kinds of values that are in no average."""


def with_estimated_steps(cycles: GaitCycles, found: GroundFromMotion) -> GaitCycles:
    """The cycles with estimated loads where no plate measured theirs, marked as estimated.

    Cycles measured by a plate keep its loads, even if they are set aside. Another cycle gets estimated loads if they
    are known over all of it. They begin and end with those of the side's cycles on plates; otherwise an average would
    leave those cycles out because of a frame missing at an end.

    Args:
        cycles: of a walk, with moments in the distal axes.
        found: its loads estimated from motion.
    """
    seen = {side: _seen_of_plates(cycles.cycles, side) for side in SIDES}
    mixed = tuple(
        curves if curves.cycle.plate else _estimated(curves, found, seen[curves.cycle.side]) for curves in cycles.cycles
    )
    outdated = [no_kinetics(side) for side, count in estimated_counts(mixed).items() if count]
    return replace(cycles, cycles=mixed, notes=tuple(note for note in cycles.notes if note not in outdated))


def kind_of_cycle(variable: Variable, curves: CycleCurves) -> str:
    """Kind of a cycle's values of a variable in tables: whether averages take them and its loads are estimated."""
    kind = ESTIMATED_CYCLE if curves.estimated and variable.is_kinetic else "cycle"
    return f"{kind}, {SET_ASIDE}" if variable.is_set_aside(curves) else kind


def estimated_counts(cycles: Sequence[CycleCurves]) -> dict[str, int]:
    """Number of cycles of each side with estimated loads."""
    return {side: sum(c.estimated and c.cycle.side == side for c in cycles) for side in SIDES}


def mixed_notes(cycles: Sequence[CycleCurves]) -> list[Note]:
    """Notes on how many of the cycles with loads are estimated, by side."""
    notes = []
    for side, count in estimated_counts(cycles).items():
        if count:
            loaded = sum((c.estimated or bool(c.cycle.plate)) and c.cycle.side == side for c in cycles)
            text = (
                f"loads of {count} of its {loaded} cycles with loads are estimated from the motion of the whole body, "
                "and are in the averages, as requested by estimated_steps (loads) in config.yaml"
            )
            notes.append(Note("estimated", f"{side} side", text))
    return notes


def _seen_of_plates(cycles: Sequence[CycleCurves], side: str) -> np.ndarray | None:
    """Percents (101,) at which a cycle of the side on a plate has its load; None without such a cycle."""
    known = [np.isfinite(c.ground).all(axis=1) for c in cycles if c.cycle.side == side and c.cycle.plate]
    known = [own for own in known if own.any()]
    return np.any(known, axis=0) if known else None


def _estimated(curves: CycleCurves, found: GroundFromMotion, seen: np.ndarray | None) -> CycleCurves:
    cycle = curves.cycle
    force_G, over = found.ground[cycle.side].force_G, (cycle.initial_contact, cycle.next_initial_contact)
    moments, powers, ground = kinetics_over(
        cycle.side, found.time, found.mass, found.joint_moments, found.joint_powers, force_G, *over
    )
    seen = np.ones(len(ground), dtype=bool) if seen is None else seen
    if not np.isfinite(ground[seen]).all():
        return curves
    return replace(
        curves,
        moments={joint: np.where(seen[:, None], values, np.nan) for joint, values in moments.items()},
        powers={joint: np.where(seen, values, np.nan) for joint, values in powers.items()},
        ground=np.where(seen[:, None], ground, np.nan),
        estimated=True,
    )
