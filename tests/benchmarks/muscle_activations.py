"""Estimated activations of a study's walks against EMG envelopes of the adults' norm at like speed; contact peaks.

    python -m tests.benchmarks.muscle_activations STUDY [--equal]

For each walk that was computed on the skeleton, with rigid and with elastic tendons: the correlation over the gait
cycle of each muscle that the norm has, and the peak contact forces of hip, knee and ankle in body weights; then when
each muscle is switched on and off, in percent of the cycle, and how much later than the norm's mean envelope.

A muscle is on where its curve is above a quarter of its range over the cycle, pauses of at most 5 % of the cycle
included; of several periods the one with the largest area counts. The rule is the same for both; envelopes of 3 Hz
begin earlier and end later than what they are of. Weights and passive moments are the configuration's defaults; with
``--equal`` weights are equal and only muscles have passive moments.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from pipeline.analysis import PERCENT, PUBLISHED, Norm, mean_curves, muscle_method
from pipeline.config import HOME, MuscleSettings
from pipeline.conventions import SIDES
from pipeline.muscles import walk_muscles
from pipeline.results import load_norm, read_failure, read_stage
from pipeline.trial import GaitCycles, GaitSummary, WholeBody

EDGES = ("on", "off", "on late", "off late")
SHARE, PAUSE, LEAST_ACTIVATION = 0.25, 5, 0.05
"""Of the range; percent of the cycle; activation that a curve has to reach to be on at all."""


def active_period(curve: np.ndarray) -> tuple[float, float]:
    """Percents (on, off) of the period in which a curve (101,) over the cycle is on; off is below on where it goes on
    beyond the cycle's end."""
    values = curve[:-1] - curve.min()  # 100 % is 0 % of the next cycle
    n, on = len(values), values > SHARE * values.max()
    first = int(np.argmin(on))  # a percent at which it is off
    turned, area = np.roll(on, -first), np.roll(values, -first)
    edges = np.flatnonzero(np.diff(np.concatenate([[0], turned.astype(int), [0]])))
    periods: list[list[int]] = []
    for start, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if periods and start - periods[-1][1] <= PAUSE:
            periods[-1][1] = stop
        else:
            periods.append([start, stop])
    start, stop = max(periods, key=lambda period: area[period[0] : period[1]].sum())
    return float((start + first) % n), float((stop + first) % n)


def main() -> None:
    """Print a line for each side of each walk, and the median of each muscle."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("study", type=Path, help="folder of the study")
    parser.add_argument("--equal", action="store_true", help="equal weights, no passive moments besides the muscles'")
    arguments = parser.parse_args()
    results = arguments.study / "data/results"
    settings = MuscleSettings(weights={}, passive_moments=False) if arguments.equal else MuscleSettings()
    norm = load_norm(HOME / "config/norms/bovi2011_adults.json")
    found: dict[str, list[dict[str, float]]] = {"rigid": [], "elastic": []}
    print(
        f"{'walk':24} {'tendons':8} {'side':6} " + " ".join(f"{name[:10]:>10}" for name in (*norm.muscles, *PUBLISHED))
    )
    for path in sorted(results.glob("*/*/whole_body/*.h5")):
        if read_failure(path) is None:
            for tendons, side, values in _of_walk(path, norm, settings):
                found[tendons].append(values)
                cells = " ".join(f"{values.get(name, np.nan):10.2f}" for name in (*norm.muscles, *PUBLISHED))
                print(f"{path.stem:24} {tendons:8} {side:6} {cells}")
    print("on and off, % of the cycle, and less the norm's, median over sides and walks")
    for muscle in norm.muscles:
        for tendons, rows in found.items():
            edges = [[row.get(f"{muscle} {edge}", np.nan) for row in rows] for edge in EDGES]
            on, off, late_on, late_off = (
                np.nanmedian(values) if np.isfinite(values).any() else np.nan for values in edges
            )
            print(f"{muscle:24} {tendons:8} {on:5.0f} {off:5.0f} {late_on:+6.0f} {late_off:+6.0f}")
    for tendons, rows in found.items():
        medians = (np.nanmedian([row.get(name, np.nan) for row in rows]) for name in (*norm.muscles, *PUBLISHED))
        print(f"{'median':24} {tendons:8} {'':6} " + " ".join(f"{value:10.2f}" for value in medians))


def _of_walk(path: Path, norm: Norm, settings: MuscleSettings) -> Iterator[tuple[str, str, dict[str, float]]]:
    session = path.parents[1]
    cycles = tuple(c.cycle for c in read_stage(session / "cycles" / path.name, GaitCycles).cycles)
    summary = read_stage(session / "summary" / path.name, GaitSummary)
    body = read_stage(path, WholeBody)
    for tendons in ("rigid", "elastic"):
        loads = walk_muscles(body, replace(muscle_method(settings), tendons=tendons))
        for side in SIDES:
            means, values = mean_curves(loads, cycles, side), {}
            for muscle in norm.muscles:
                band = norm.band(muscle, summary.speed, PERCENT)
                ours = means.get(f"{muscle}_activation", np.full(len(PERCENT), np.nan))
                known = np.isfinite(ours)
                if band is not None and known.any():
                    values[muscle] = float(np.corrcoef(ours[known], band.mean[known])[0, 1])
                if band is not None and known.all() and ours.max() > LEAST_ACTIVATION:
                    own, norms = active_period(ours), active_period(band.mean)
                    late = [(a - b + 50.0) % 100.0 - 50.0 for a, b in zip(own, norms, strict=True)]
                    values |= {f"{muscle} {edge}": v for edge, v in zip(EDGES, (*own, *late), strict=True)}
            for joint in PUBLISHED:
                if f"{joint}_contact_force" in means:
                    values[joint] = float(np.nanmax(means[f"{joint}_contact_force"]))
            yield tendons, side, values


if __name__ == "__main__":
    main()
