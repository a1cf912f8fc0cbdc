"""Features of a predicted walk that people do not show: slipping feet, ground that does work, extreme powers, angles.

A solver's "converged" says that the stated problem is solved, not that the walk resembles a person's.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from pipeline.analysis import CYCLE_VARIABLES, NORM_SPEEDS, predicted_cycle
from pipeline.conventions import GRAVITY, SIDES
from pipeline.trial import Finding, PredictedWalk

MAX_SLIP = 0.05
"""m/s of a contact point that should be at rest, times its foot's vertical force in body weights (at most one), also
between the nodes; at the nodes presets allow 1 cm/s along each axis. Without the force, a heel that comes to rest would
count: 9 cm/s under 0.17 body weights, over 0.5 mm."""

MAX_NET_WORK, MAX_ABSOLUTE_WORK = 0.07, 0.12
"""J/kg a step, work of the ground on the feet, which rigid ground without slip does not do. The limits are a fifth of
the positive work of an ankle in a step at free speed, 0.25 J/kg (Schwartz et al. 2008), and twice that for absolute
powers; both include 0.02 that the heels' pads take up."""

RUNNING = 3.0
"""Multiple of these limits in a run, whose ankles do about three times the work of walking (Novacheck 1998)."""

MAX_POWERS = {
    "hip": (0.60, 0.65, 1.25, 2.02, 3.38),
    "knee": (0.74, 0.77, 1.38, 2.49, 4.06),
    "ankle": (2.65, 2.73, 4.07, 5.11, 6.06),
}
"""W/kg at `NORM_SPEEDS`: largest mean plus standard deviation, generated or absorbed, of 83 children (Schwartz et al.
2008) and 20 adults (Bovi et al. 2011)."""

ROOM, MARGIN = 1.5, 1.0
"""Multiple of these powers, and W/kg added to it, beyond which a walk is unlike that of people: peaks of single walkers
are higher than those of a mean curve. Chosen so that the preset human has no finding at the five speeds."""

RANGES = {
    "pelvic_obliquity": (-13.0, 12.0),
    "pelvic_rotation": (-18.0, 18.0),
    "hip_flexion": (-26.0, 63.0),
    "hip_adduction": (-18.0, 17.0),
    "knee_flexion": (-15.0, 78.0),
    "ankle_dorsiflexion": (-40.0, 23.0),
}
"""Degrees: lowest mean minus, and highest mean plus, two standard deviations of the same walkers at five speeds. The
ankle's are those of Schwartz et al. (2008) alone, since the two differ in its zero."""

BEYOND = 3.0
"""Degrees beyond a range that give no finding: the spread of the standing pose between laboratories."""

LEG = 0.53
"""Leg length over standing height (Drillis and Contini 1966)."""


def predicted_walk_findings(walk: PredictedWalk) -> Iterator[Finding]:
    """Findings on contact, then on powers and angles; the latter not for what-if cases, with bodies unlike walkers',
    nor for runs."""
    yield from _contact(walk)
    if walk.what_if is None and not walk.task.flight:
        yield from _beyond_walkers(walk)


def _contact(walk: PredictedWalk) -> Iterator[Finding]:
    solver = walk.solver
    if solver.slip > MAX_SLIP:
        yield Finding(
            subject="contact of the feet",
            text=f"a contact point that should be at rest slips at {100.0 * solver.slip:.1f} cm/s times its load in "
            "body weights",
            value=100.0 * solver.slip,
            limit=100.0 * MAX_SLIP,
            units="cm/s",
            source="five times what contact points may move at the nodes",
            cause="from contact tolerances that the optimum exploits, or too few nodes",
            remedy="use tighter contact tolerances or more nodes",
        )
    scale, movement, of = 1.0, "", "Schwartz et al. 2008"
    if walk.task.flight:
        scale, movement, of = RUNNING, " in running", "Novacheck 1998"
    for what, value, limit in (
        ("net", abs(solver.ground_work), scale * MAX_NET_WORK),
        ("absolute", solver.ground_work_absolute, scale * MAX_ABSOLUTE_WORK),
    ):
        if value > limit:
            yield Finding(
                subject=f"work of the ground, {what}",
                text=f"the ground does {value:.3f} J/kg on the feet in a step",
                value=value,
                limit=limit,
                units="J/kg",
                source=f"a fifth of an ankle's positive work{movement}, and twice that ({of})",
                cause="from feet that slip or turn under load",
                remedy="do not use joint powers; use tighter contact tolerances or more nodes",
            )


def _beyond_walkers(walk: PredictedWalk) -> Iterator[Finding]:
    """One finding for each curve, for the side that is farther beyond."""
    sides = ("right",) if walk.task.steps == 1 else SIDES
    cycles = [predicted_cycle(walk, side) for side in sides]
    speed = walk.task.speed / np.sqrt(GRAVITY * LEG * walk.task.height)
    for joint, known in MAX_POWERS.items():
        limit = ROOM * float(np.interp(speed, NORM_SPEEDS, known)) + MARGIN
        peak = max(float(np.nanmax(np.abs(CYCLE_VARIABLES[f"{joint}_power"].of(cycle)))) for cycle in cycles)
        if peak > limit:
            yield _finding(f"{joint} power", f"reaches {peak:.1f} W/kg", peak, limit, "W/kg")
    for name, (low, high) in RANGES.items():
        values = np.concatenate([CYCLE_VARIABLES[name].of(cycle) for cycle in cycles])
        lowest, highest = float(np.nanmin(values)), float(np.nanmax(values))
        beyond, value, limit = max((low - lowest, lowest, low), (highest - high, highest, high))
        if beyond > BEYOND:
            yield _finding(name.replace("_", " "), f"reaches {value:.0f} degrees", value, limit, "degrees")


def _finding(subject: str, text: str, value: float, limit: float, units: str) -> Finding:
    return Finding(
        subject=subject,
        text=text,
        value=value,
        limit=limit,
        units=units,
        source="walkers at five speeds (Schwartz et al. 2008, Bovi et al. 2011)",
        cause="from a movement that costs hardly anything in the objective",
        remedy="use its curves with care, or the preset human",
    )
